import { SESSION_KEY } from '../api/field-session.ts'
import { noteInField } from '../api/kept-session.ts'
import { openDatabase } from './database.ts'
import { tellPages } from './entries.ts'
import { currentPerson, leave, sessionStorageOf } from './people.ts'

/** Who came in with the pages of this browser leaves with them; the server ends both sessions together. */
export async function leaveWithPages(): Promise<void> {
  const database = await openDatabase(() => undefined)
  try {
    const person = await currentPerson(database)
    if (!person?.withPages) return
    await leave(database, person)
    await sessionStorageOf(database).removeItem(SESSION_KEY)
    noteInField(false)
    tellPages()
  } finally {
    database.close()
  }
}
