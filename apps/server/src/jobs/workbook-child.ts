// Entry of a sandboxed process: reads one spreadsheet, or writes what is wrong beside it, and ends.
import { toParent } from './own-channel.ts'
import { RefusedWorkbook, readWorkbook } from './workbook-file.ts'
import { problemsBeside } from './workbook-problems.ts'
import type { FromWorkbook, ToWorkbook } from './workbooks.ts'

/** Rows that go over at once; the next when they are stored. */
const BATCH = 500
let more: (() => void) | null = null

const channel = toParent((message) => {
  // The parent is trusted.
  const asked = message as ToWorkbook
  if (asked.type === 'more') {
    more?.()
    return
  }
  void work(asked)
})
const send = (message: FromWorkbook): void => channel.send(message)

async function work(asked: Exclude<ToWorkbook, { type: 'more' }>): Promise<void> {
  try {
    const bytes = Buffer.from(asked.base64, 'base64')
    if (asked.type === 'problems') {
      send({ type: 'file', base64: (await problemsBeside(bytes, asked)).toString('base64') })
      return
    }
    const { head, sheets } = await readWorkbook(bytes, asked)
    for (const [folha, rows] of sheets.entries())
      for (let first = 0; first < rows.length; first += BATCH) {
        const part = rows.slice(first, first + BATCH)
        if (part.every((row) => row.length === 0)) continue
        const stored = new Promise<void>((done) => {
          more = done
        })
        send({ type: 'rows', folha, first, rows: part })
        await stored
      }
    send({ type: 'head', head })
  } catch (error) {
    if (error instanceof RefusedWorkbook) send({ type: 'refused', why: error.why, line: error.line })
    else if (error instanceof RangeError) send({ type: 'refused', why: 'too_large', line: null })
    else send({ type: 'refused', why: 'invalid', line: null })
  }
}
send({ type: 'ready' })
