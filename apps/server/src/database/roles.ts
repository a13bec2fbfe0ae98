import { sql } from 'kysely'
import type { Handle } from './handle.ts'
import { migrationLock } from './migrate.ts'

/** Owns the tables of the embedded database: migrations, kept figures, backup and commands. */
export const OWNER = 'ensaio'
/** What requests run as: it owns nothing, is no superuser and cannot rewrite what was recorded. */
export const REQUESTS = 'ensaio_app'
/** What a statement of rest/v1 runs as within its transaction (migration 0007). */
const REST = 'ensaio_rest'
/** Whose right the views of `visto` read with: costs too, and of each row only where the policies let the asker. */
const COSTS = 'ensaio_custos'

const SCHEMAS = ['public', 'auth', 'publicado', 'grafado']
/** Columns that requests write and never read: what may be seen of them the views of `visto` show. */
const WITHHELD: Readonly<Record<string, readonly string[]>> = {
  experimentos: ['custo_protocolo', 'custo_total', 'roi', 'apontamentos'],
  tratamentos: ['custo'],
  produtos_aplicados: ['custo'],
  contados: ['custo_protocolo', 'custo_total', 'roi'],
  contados_produtos: ['n_custo', 'soma_custo'],
}
/** Parts of a trial that the views of `visto` join to it: the trial's own policy is asked, and need not be asked twice. */
const JOINED_IN_VISTO = [
  'tratamentos',
  'produtos_aplicados',
  'analises_adicionais',
  'documentos',
  'organizacoes',
] as const
/** Tables that requests may do less with than read and write. */
const RESTRICTED: Readonly<Record<string, string>> = {
  'auth.audit_log': 'select, insert',
  'public.alteracoes': 'select, insert',
  'public.analises': 'select, insert, update (retirada_em, retirada_por, retirada_motivo)',
  'public.sinteses': 'select, insert, delete',
  // Keys and the servers' secret are the server's own business, loaded at its start.
  'auth.secrets': '',
  'auth.signing_keys': '',
  'public.migrations': '',
  // Who is in which organisation and what it sees is kept by the database's own functions.
  'public.organizacoes': 'select, update (nome, tipo, codigo)',
  'public.organizacoes_encerradas': '',
  'public.membros': 'select, update (papel), delete',
  'public.convites': 'select, insert, update (encerrado_em)',
  'public.colecoes': 'select, insert, update (nome, filtro, produto, pronta, versao), delete',
  'public.colecao_experimentos': 'select, insert, delete',
  'public.compartilhamentos': 'select, insert, update (custos, documentos, comentarios, ate)',
  'public.links_publicos': 'select, insert, update (revogado_em)',
  'public.comentarios': 'select, insert, delete',
  'public.transferencias': 'select, insert, update (estado)',
  'public.atividades': 'select',
  'public.acervos': 'select',
  'public.grafias': 'select, insert',
  'public.visibilidade': 'select',
  'public.visoes': 'select',
  'public.instalacao': 'select',
  // What is new is found out by the server alone.
  'public.avisos': 'select, update (lido)',
  'public.vista_semanas': '',
  'public.novidades': '',
  // Kept figures are written by the fold alone; requests leave marks, by trigger.
  'public.sujos': 'select, insert',
  'public.sujos_falhos': '',
  'public.conjuntos': 'select',
  'public.contados': 'select',
  'public.contados_modalidades': 'select',
  'public.contados_produtos': 'select',
  'public.celulas': 'select',
  'public.celulas_modalidade': 'select',
  'public.celulas_produto': 'select',
  'public.celulas_consultoria': 'select',
  'public.margens': 'select',
  'public.margens_produto': 'select',
  'public.margens_lugar': 'select',
}

/**
 * Makes the role that requests run as and gives it what it needs, anew at every start: a table that a migration
 * brought is covered by it. Answers false where the database forbids us to make roles.
 */
export function grantRequests(owner: Handle): Promise<boolean> {
  return migrationLock(owner, (connection) =>
    connection.transaction().execute(async (transaction) => {
      if (!(await makeRole(transaction))) return false
      const role = sql.id(REQUESTS)
      for (const schema of SCHEMAS.map((name) => sql.id(name))) {
        await sql`grant usage on schema ${schema} to ${role}`.execute(transaction)
        await sql`revoke all on all tables in schema ${schema} from ${role}`.execute(transaction)
        await sql`grant select, insert, update, delete on all tables in schema ${schema} to ${role}`.execute(
          transaction,
        )
        await sql`grant usage, select on all sequences in schema ${schema} to ${role}`.execute(transaction)
      }
      for (const [table, rights] of Object.entries(RESTRICTED)) {
        await sql`revoke all on ${sql.table(table)} from ${role}`.execute(transaction)
        if (rights) await sql`grant ${sql.raw(rights)} on ${sql.table(table)} to ${role}`.execute(transaction)
      }
      for (const [table, columns] of Object.entries(WITHHELD)) await withhold(transaction, table, columns)
      await giveViews(transaction)
      await takeBack(transaction)
      return true
    }),
  )
}

/** Leaves requests the reading of every column but these. */
async function withhold(transaction: Handle, table: string, columns: readonly string[]): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = ${`public.${table}`}::regclass and attnum > 0 and not attisdropped
      and attname <> all (${[...columns]})
  `.execute(transaction)
  const readable = sql.join(rows.map(({ name }) => sql.id(name)))
  await sql`revoke select on ${sql.id('public', table)} from ${sql.id(REQUESTS)}`.execute(transaction)
  await sql`grant select (${readable}) on ${sql.id('public', table)} to ${sql.id(REQUESTS)}`.execute(
    transaction,
  )
}

/** The views of `visto` belong to a role that the row policies hold, and read with its right to the costs. */
async function giveViews(transaction: Handle): Promise<void> {
  await makeRoleOf(transaction, COSTS)
  const role = sql.id(COSTS)
  await sql`grant usage on schema public to ${role}`.execute(transaction)
  await sql`grant usage, create on schema visto to ${role}`.execute(transaction)
  for (const table of [...Object.keys(WITHHELD), 'visibilidade', 'alcance_atual'])
    await sql`grant select on ${sql.id('public', table)} to ${role}`.execute(transaction)
  await sql`grant select on analises_adicionais to ${role}`.execute(transaction)
  await sql`grant select (id, nome) on organizacoes to ${role}`.execute(transaction)
  await sql`grant select (id, filename) on documentos to ${role}`.execute(transaction)
  for (const table of JOINED_IN_VISTO) await trust(transaction, table)
  const { rows } = await sql<{ name: string }>`
    select viewname as name from pg_views where schemaname = 'visto' order by 1
  `.execute(transaction)
  await sql`grant usage on schema visto to ${sql.id(REQUESTS)}`.execute(transaction)
  for (const { name } of rows) {
    await sql`alter view ${sql.id('visto', name)} owner to ${role}`.execute(transaction)
    await sql`grant select on ${sql.id('visto', name)} to ${sql.id(REQUESTS)}`.execute(transaction)
  }
}

/** Lets the views' own role read a table whose rows its view shows beside a trial that the policies let through. */
async function trust(transaction: Handle, table: string): Promise<void> {
  const { rows } = await sql`
    select from pg_policies where schemaname = 'public' and tablename = ${table} and policyname = 'visto'
  `.execute(transaction)
  if (rows.length > 0) return
  await sql`
    create policy visto on ${sql.id('public', table)} for select to ${sql.id(COSTS)} using (true)
  `.execute(transaction)
}

/**
 * What anybody may do in a database as it comes, and one statement of a request might do for good: settings of the
 * role that outlive it, locks that outlive a transaction, objects and tables outside of every account. Where the
 * database is not our own, what we may not take back stays.
 */
async function takeBack(transaction: Handle): Promise<void> {
  const each = [
    `alter role ${REQUESTS} reset all`,
    `execute format('alter role ${REQUESTS} in database %I reset all', current_database())`,
    `execute format('revoke temporary on database %I from public', current_database())`,
    `for one in select oid::regprocedure as name from pg_proc
       where pronamespace = 'pg_catalog'::regnamespace
         and proname ~ '^(lo_|lowrite$|loread$|pg_(try_)?advisory_lock)'
     loop execute 'revoke execute on function ' || one.name || ' from public'; end loop`,
  ]
  for (const statement of each)
    await sql`
      do $$
      declare one record;
      begin
        ${sql.raw(statement)};
      exception when insufficient_privilege then
        null;
      end $$
    `.execute(transaction)
}

/** Whether there is the role of requests and we may act as it. */
async function makeRole(transaction: Handle): Promise<boolean> {
  if (!(await makeRoleOf(transaction, REQUESTS))) return false
  await sql`
    do $$
    begin
      if exists (select from pg_roles where rolname = ${sql.lit(REST)}) then
        grant ${sql.id(REST)} to ${sql.id(REQUESTS)};
      end if;
    exception when insufficient_privilege then
      raise notice 'rest/v1 goes without a role of its own';
    end $$
  `.execute(transaction)
  return true
}

/** Makes a role that signs in nowhere, unless it is there; answers whether we may act as it. */
async function makeRoleOf(transaction: Handle, name: string): Promise<boolean> {
  await sql`
    do $$
    begin
      if not exists (select from pg_roles where rolname = ${sql.lit(name)}) then
        create role ${sql.id(name)} nologin;
      end if;
      if not pg_has_role(${sql.lit(name)}, 'member') then
        execute format('grant %I to %I', ${sql.lit(name)}, current_user);
      end if;
    exception when insufficient_privilege or duplicate_object or unique_violation then
      raise notice 'requests go without a role of their own';
    end $$
  `.execute(transaction)
  const { rows } = await sql<{ there: boolean }>`
    select exists (
      select from pg_roles where rolname = ${name} and pg_has_role(rolname, 'member')
    ) as there
  `.execute(transaction)
  return rows[0]?.there === true
}

/** Lets the role sign in by itself, where the database is our own. */
export async function letRequestsIn(owner: Handle, password: string): Promise<void> {
  await migrationLock(owner, (connection) =>
    sql`alter role ${sql.id(REQUESTS)} login password ${sql.lit(password)}`.execute(connection),
  )
}

/** What a connection can do that a request should not: the reasons, in words for the operator; none is well. */
export async function tooMuchPower(handle: Handle): Promise<string[]> {
  const { rows } = await sql<{ superuser: boolean; bypass: boolean; owns: boolean; rewrites: boolean }>`
    select rolsuper as superuser, rolbypassrls as bypass,
      exists (
        select from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = any(${SCHEMAS}) and c.relowner = r.oid
      ) as owns,
      has_table_privilege('auth.audit_log', 'update, delete, truncate') as rewrites
    from pg_roles r where rolname = current_user
  `.execute(handle)
  const [found] = rows
  return [
    ...(found?.superuser ? ['é superusuário'] : []),
    ...(found?.bypass ? ['ignora regras de linhas'] : []),
    ...(found?.owns ? ['é dono das tabelas'] : []),
    ...(found?.rewrites ? ['pode reescrever a auditoria'] : []),
  ]
}
