import { sql } from 'kysely'

/** When the transaction began, by the database's clock. */
export const NOW = sql<Date>`now()`

/** So long before that: '8 days'. */
export const ago = (interval: string) => sql<Date>`now() - ${interval}::interval`
