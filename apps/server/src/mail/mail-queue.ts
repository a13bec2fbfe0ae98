import { v7 as uuid } from 'uuid'
import type { Handle } from '../database/handle.ts'
import { addMail, dropMail, postponeMail, takeMail } from './mail-queue.repository.ts'
import type { Deliver, Letter } from './transport.ts'

const POLL_MS = 5_000
const FIRST_RETRY_S = 30
const MOST_ATTEMPTS = 8

/** Letters wait in the database, sealed, so that none is lost and no request waits for a mail server. */
export interface MailQueue {
  /** Joins the caller's transaction. */
  add(handle: Handle, letter: Letter): Promise<void>
  /** Sends what is due; call it once the transaction is committed. */
  wake(): void
  /** Resolves when everything due has been tried. */
  drained(): Promise<void>
  stop(): Promise<void>
}

export function mailQueue(input: {
  handle: Handle
  deliver: Deliver
  seal(text: string): Buffer
  open(sealed: Buffer): string
  log(error: unknown): void
}): MailQueue {
  const { handle: pool, deliver, seal, open, log } = input
  let stopped = false
  let running: Promise<void> | null = null
  let again = false

  /** False when nothing is due. */
  const sendOne = () =>
    pool.transaction().execute(async (transaction) => {
      const mail = await takeMail(transaction)
      if (!mail) return false
      try {
        // Sealed by ourselves, from a Letter.
        await deliver({ ...(JSON.parse(open(mail.message)) as Omit<Letter, 'to'>), to: mail.recipient })
        await dropMail(transaction, mail.id)
      } catch (error) {
        log(error)
        if (mail.attempts + 1 >= MOST_ATTEMPTS) await dropMail(transaction, mail.id)
        else await postponeMail(transaction, mail.id, FIRST_RETRY_S * 2 ** mail.attempts)
      }
      return true
    })

  const run = async () => {
    do {
      again = false
      while (!stopped && (await sendOne()));
    } while (again && !stopped)
  }

  const wake = () => {
    if (stopped) return
    again = true
    running ??= run()
      .catch(log)
      .finally(() => {
        running = null
      })
  }
  const timer = setInterval(wake, POLL_MS)
  timer.unref()

  return {
    add: (handle, { to, ...letter }) =>
      addMail(handle, { id: uuid(), recipient: to, message: seal(JSON.stringify(letter)) }),
    wake,
    async drained() {
      wake()
      while (running) await running
    },
    async stop() {
      stopped = true
      clearInterval(timer)
      await running
    },
  }
}
