import type { Kysely } from 'kysely'
import type { DB } from './schema.generated.ts'

/** What a repository's statement runs on: the pool, or the transaction that the service opened. */
export type Handle = Kysely<DB>
