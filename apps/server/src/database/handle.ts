import type { Kysely } from 'kysely'

/** What a repository's statement runs on: the pool, or the transaction that the service opened. */
export type Handle = Kysely<unknown>
