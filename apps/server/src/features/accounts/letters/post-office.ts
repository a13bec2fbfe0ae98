import type { Handle } from '../../../database/handle.ts'
import type { Composer, MailQueue } from '../../../mail/mail-queue.ts'
import type { UserRow } from '../users/users.repository.ts'
import { productUser } from '../users/wire-user.ts'
import { type LetterContent, writeLetter } from './letters.ts'

export interface OutboxEntry {
  to: string
  type: LetterContent['kind']
  otp: string | null
  token_hash: string | null
}

export interface PostOffice {
  /** Queues a letter in the caller's transaction. `tokenHash` is what the letter's link carries. */
  send(
    handle: Handle,
    to: { email: string; user: UserRow | null },
    content: LetterContent,
    tokenHash?: string,
  ): Promise<void>
  /** Queues a letter that is written when it leaves, in the caller's transaction. */
  sendLater(handle: Handle, email: string, reference: string): Promise<void>
  composeWith(composer: Composer): void
  /**
   * Does work that ends in a letter after the answer has gone out, so that its time tells nobody whether the
   * account exists; then sends what is due.
   */
  later(work: () => Promise<void>): void
  wake(): void
  /**
   * Removes letters to these addresses that wait, in the caller's transaction; call the answer once that is
   * committed, for those that lie in a folder.
   */
  forget(handle: Handle, addresses: readonly string[]): Promise<() => Promise<void>>
  /** Resolves when all such work is done. */
  settled(): Promise<void>
  /** What was written since the start, newest last; kept only under TEST_OUTBOX. */
  outbox(): Promise<OutboxEntry[]>
}

export function postOffice(input: {
  queue: MailQueue
  testOutbox: boolean
  log(error: unknown): void
}): PostOffice {
  const { queue, testOutbox, log } = input
  const written: OutboxEntry[] = []
  const pending = new Set<Promise<void>>()
  const settled = async () => {
    while (pending.size > 0) await Promise.all(pending)
  }
  return {
    async send(handle, { email, user }, content, tokenHash) {
      await queue.add(handle, writeLetter(email, user && productUser(user).name, content))
      if (testOutbox) {
        written.push({
          to: email,
          type: content.kind,
          otp: 'code' in content ? content.code : null,
          token_hash: tokenHash ?? null,
        })
      }
    },
    sendLater: (handle, email, reference) => queue.addLater(handle, email, reference),
    composeWith: (composer) => queue.composeWith(composer),
    later(work) {
      const task = new Promise<void>((done) => setImmediate(done))
        .then(work)
        .then(() => queue.wake(), log)
        .finally(() => pending.delete(task))
      pending.add(task)
    },
    wake: () => queue.wake(),
    forget: (handle, addresses) => queue.forget(handle, addresses),
    settled,
    async outbox() {
      await settled()
      await queue.drained()
      return [...written]
    },
  }
}
