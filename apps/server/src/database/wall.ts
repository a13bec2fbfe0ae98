import { Kysely, PostgresDialect, sql } from 'kysely'
import type pg from 'pg'
import type { Handle } from './handle.ts'
import { HOT_MARK } from './hot.ts'
import { migrationLock } from './migrate.ts'

/** In whose name statements are made. */
export interface Reader {
  /** The person's id. */
  id: string
  /** The organisation that they act for. */
  organization: string
  /** The installation is of several organisations. */
  several?: boolean
}

/** The only way for a feature to rows that belong to somebody: what others may not see is not there. */
export interface Wall {
  for(reader: Reader): Handle
}

const ENTER = `${HOT_MARK} select entrar($1, $2)`
const LEAVE = `${HOT_MARK} select set_config('ensaio.organizacao', $1, false), set_config('ensaio.pessoa', $2, false)`

/** Handles over the pool of the role that requests run as, each in somebody's name. */
export function wallOver(raw: pg.Pool): Wall {
  const known = new WeakMap<Reader, Handle>()
  return {
    for(reader) {
      const made = known.get(reader)
      if (made) return made
      const handle: Handle = new Kysely({ dialect: new PostgresDialect({ pool: inTheNameOf(raw, reader) }) })
      known.set(reader, handle)
      return handle
    },
  }
}

/**
 * The pool, with each connection told who asks when it is taken, and made to forget it before it goes back; one
 * that cannot forget is closed. Who is no longer a member when it is taken asks in nobody's name.
 */
function inTheNameOf(raw: pg.Pool, { id, organization }: Reader) {
  return {
    options: raw.options,
    async connect() {
      const client = await raw.connect()
      const entered = client.query(ENTER, [organization, id])
      // A failure is told by the first statement, which waits behind it on the connection.
      entered.catch(() => undefined)
      const query = async (...asked: [string, unknown[]]) => {
        const [answer] = await Promise.all([client.query(...asked), entered])
        return answer
      }
      return {
        query: query as never,
        release() {
          client.query(LEAVE, ['', '']).then(
            () => client.release(),
            () => client.release(true),
          )
        },
      }
    },
    // It is everybody's: a handle ends with its last statement.
    end: async () => undefined,
  }
}

/** What shows rows of tables behind the wall with a right of its own. */
const viewsThrough = async (handle: Handle): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select 'visto.' || viewname as name from pg_views where schemaname = 'visto' order by 1
  `.execute(handle)
  return rows.map(({ name }) => name)
}

/** Tables behind the wall, with their schema. */
const protectedTables = async (handle: Handle): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and c.relrowsecurity and n.nspname in ('public', 'auth') order by 1
  `.execute(handle)
  return rows.map(({ name }) => name)
}

/**
 * That who does not say in whose name they ask is shown nothing, as the role of requests.
 * @throws Error that names the table which shows something
 */
export async function proveWall(requests: Handle): Promise<void> {
  const tables = await protectedTables(requests)
  if (tables.length === 0) throw new Error('O banco não tem nenhuma tabela protegida por regras de linhas.')
  for (const table of tables) {
    const { rows } = await sql<{ open: boolean }>`
      select not row_security_active(${table}) or exists (select from ${sql.table(table)}) as open
    `.execute(requests)
    if (rows[0]?.open !== false)
      throw new Error(`A tabela ${table} mostra linhas a quem não diz em nome de quem pergunta.`)
  }
  for (const view of await viewsThrough(requests)) {
    const { rows } = await sql`select from ${sql.table(view)} limit 1`.execute(requests)
    if (rows.length > 0)
      throw new Error(`A visão ${view} mostra linhas a quem não diz em nome de quem pergunta.`)
  }
}

/** Where no role can be made for requests: the owner of the tables is held to their rules too. */
export const forceWall = (owner: Handle): Promise<void> =>
  migrationLock(owner, (connection) =>
    connection.transaction().execute(async (transaction) => {
      for (const table of await protectedTables(transaction)) {
        await sql`alter table ${sql.table(table)} force row level security`.execute(transaction)
        await sql`drop policy if exists dono on ${sql.table(table)}`.execute(transaction)
        await sql`
          create policy dono on ${sql.table(table)} to current_user
            using (current_setting('ensaio.dono', true) = 'on') with check (current_setting('ensaio.dono', true) = 'on')
        `.execute(transaction)
      }
    }),
  )

/** What tells the owner's own connections from those of requests, where both are the same role. */
export const AS_OWNER = '-c ensaio.dono=on'
