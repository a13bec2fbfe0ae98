import { setTimeout as sleep } from 'node:timers/promises'
import { v7 as uuid } from 'uuid'
import type { Handle } from '../database/handle.ts'
import { addMail, dropMail, dropMailsTo, postponeMail, takeMail } from './mail-queue.repository.ts'
import type { Deliver, Letter } from './transport.ts'

const POLL_MS = 5_000
const FIRST_RETRY_S = 30
const MOST_ATTEMPTS = 8
/** So many letters are on their way at once: a slow receiver holds its own letter only. */
const AT_ONCE = 4
/** Longer than any transport takes over a letter. */
const LEASE_S = 600
/** A stop waits so long for letters on their way; what it leaves is sent again when the lease has run out. */
const STOP_MS = 8_000

/** Writes letters when they are about to leave: what their reader may no longer see is then not in them. */
export interface Composer {
  /** Null: there is nothing to tell any more. */
  compose(reference: string, to: string): Promise<Letter | null>
  sent(reference: string): Promise<void>
  failed(reference: string): Promise<void>
}

/** Letters wait in the database, sealed, so that none is lost and no request waits for a mail server. */
export interface MailQueue {
  /** Joins the caller's transaction. */
  add(handle: Handle, letter: Letter): Promise<void>
  /** A letter that the composer writes when it leaves, from what it is told again then. Joins the transaction. */
  addLater(handle: Handle, to: string, reference: string): Promise<void>
  composeWith(composer: Composer): void
  /** Sends what is due; call it once the transaction is committed. */
  wake(): void
  /**
   * Removes letters to these addresses, in the caller's transaction; call the answer once that is committed, for
   * those that the transport keeps.
   */
  forget(handle: Handle, addresses: readonly string[]): Promise<() => Promise<void>>
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
  let composer: Composer | null = null
  const workers = new Set<Promise<void>>()
  let again = false

  /** False when nothing is due. No transaction waits for a mail server. */
  const sendOne = async () => {
    const mail = await takeMail(pool, LEASE_S)
    if (!mail) return false
    // There may be more, and this one may take its time.
    start()
    let reference: string | undefined
    try {
      // Sealed by ourselves, from a Letter or what one is made of later.
      const kept = JSON.parse(open(mail.message)) as Omit<Letter, 'to'> & { later?: string }
      reference = kept.later
      const letter =
        reference === undefined
          ? { ...kept, to: mail.recipient }
          : await composer?.compose(reference, mail.recipient)
      if (letter) await deliver(letter, mail.id)
      await dropMail(pool, mail.id)
      if (letter && reference !== undefined) await composer?.sent(reference)
    } catch (error) {
      log(error)
      if (reference !== undefined) await composer?.failed(reference).catch(log)
      if (mail.attempts >= MOST_ATTEMPTS) await dropMail(pool, mail.id)
      else await postponeMail(pool, mail.id, FIRST_RETRY_S * 2 ** (mail.attempts - 1))
    }
    return true
  }

  const work = async () => {
    do {
      again = false
      while (!stopped && (await sendOne()));
    } while (again && !stopped)
  }

  const start = () => {
    if (stopped || workers.size >= AT_ONCE) return
    const worker = work()
      .catch(log)
      .finally(() => workers.delete(worker))
    workers.add(worker)
  }

  const wake = () => {
    again = true
    start()
  }
  const timer = setInterval(wake, POLL_MS)
  timer.unref()

  return {
    add: (handle, { to, ...letter }) =>
      addMail(handle, { id: uuid(), recipient: to, message: seal(JSON.stringify(letter)) }),
    addLater: (handle, to, later) =>
      addMail(handle, { id: uuid(), recipient: to, message: seal(JSON.stringify({ later })) }),
    composeWith(writer) {
      composer = writer
    },
    wake,
    async drained() {
      wake()
      while (workers.size > 0) await Promise.all(workers)
    },
    async stop() {
      stopped = true
      clearInterval(timer)
      await Promise.race([Promise.all(workers), sleep(STOP_MS, undefined, { ref: false })])
    },
    async forget(handle, addresses) {
      await dropMailsTo(handle, addresses)
      return async () => {
        for (const address of addresses) await deliver.forget?.(address)
      }
    },
  }
}
