import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  correlationOf,
  type Experiment,
  type ExperimentFilter,
  filterOptionsOf,
  mapViewOf,
  type OrganizationRole,
  overviewOf,
} from '@ensaio/domain'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { demoExperiments } from '../demo-data.ts'
import { experimentInput, form, type Person, pdf, startTestServer, type TestServer } from '../test-server.ts'
import { openPool } from './pool.ts'
import { createTestDatabase } from './test-database.ts'
import { forceWall, proveWall, wallOver } from './wall.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

/** An organisation of its own, as only the owner of the tables can make one. */
async function organization(nome: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into organizacoes (nome, tipo) values (${nome}, 'consultoria') returning id
  `.execute(server.handle)
  return rows[0]?.id ?? ''
}

/** A person who is a member of this organisation and no other. */
async function member(id: string, papel: OrganizationRole, role: 'user' | 'admin' = 'user'): Promise<Person> {
  const person = await server.person({ role })
  await sql`delete from membros where pessoa_id = ${person.id}`.execute(server.handle)
  await sql`insert into membros (organizacao_id, pessoa_id, papel) values (${id}, ${person.id}, ${papel})`.execute(
    server.handle,
  )
  return person
}

describe('the catalogue', () => {
  /** Tables without row policies, and why. */
  const OPEN: Readonly<Record<string, string>> = {
    'public.migrations': 'no request may read it',
    'public.instalacao': 'the mode, which everybody is told',
    'public.cidades': 'names of places',
    'public.consultorias': 'names',
    'public.culturas': 'names',
    'public.estados': 'names',
    'public.fabricantes': 'names',
    'public.modalidades': 'names',
    'public.produtos': 'names',
    'public.regioes': 'names',
    'public.faixas_cultura': 'ranges of yields by crop with their sources, told to everybody',
    'public.faixas_cv': 'limits of the coefficient of variation, told to everybody',
    'public.conjuntos': 'numbers of products, of nobody',
    'public.sujos': 'ids of what is to be counted; requests add, and the fold reads',
    'public.sujos_falhos': 'no request may read it',
    'public.organizacoes_encerradas': 'no request may read it',
    'public.novidades': 'no request may read it',
    'public.vista_semanas': 'no request may read it',
  }

  test('every table has row policies or a reason to have none', async () => {
    const { rows } = await sql<{ name: string; guarded: boolean; policies: number }>`
      select n.nspname || '.' || c.relname as name, c.relrowsecurity as guarded,
        (select count(*) from pg_policy where polrelid = c.oid) as policies
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and n.nspname in ('public', 'publicado')
    `.execute(server.handle)
    expect(
      rows
        .filter(({ guarded }) => !guarded)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(Object.keys(OPEN).sort())
    expect(rows.filter(({ guarded, policies }) => guarded && policies === 0)).toEqual([])
  })

  test('every view is read with the right of who asks', async () => {
    const { rows } = await sql`
      select n.nspname, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('v', 'm') and n.nspname in ('public', 'auth', 'publicado')
        and not coalesce('security_invoker=true' = any(c.reloptions), false)
    `.execute(server.handle)
    expect(rows).toEqual([])
  })

  test('what reads with a right of its own belongs to a role that the rules hold', async () => {
    const { rows } = await sql`
      select c.relname, r.rolname, r.rolsuper, r.rolbypassrls, r.rolcanlogin,
        exists (select from pg_class t where t.relowner = r.oid and t.relkind in ('r', 'p')) as owns
      from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_roles r on r.oid = c.relowner
      where n.nspname = 'visto' and c.relkind = 'v'
    `.execute(server.handle)
    expect(rows.length).toBeGreaterThan(4)
    for (const row of rows)
      expect(row).toMatchObject({
        ...{
          rolname: 'ensaio_custos',
          rolsuper: false,
          rolbypassrls: false,
          rolcanlogin: false,
          owns: false,
        },
      })
  })

  test.each([
    ...['experimentos.custo_protocolo', 'experimentos.custo_total', 'experimentos.roi', 'tratamentos.custo'],
    ...['produtos_aplicados.custo', 'contados.roi', 'contados.custo_total', 'contados_produtos.soma_custo'],
  ])('no request reads %s but through what hides it', async (column) => {
    const [table = '', name = ''] = column.split('.')
    await expect(
      sql`select ${sql.ref(name)} from ${sql.table(table)} limit 1`.execute(server.pool.handle),
    ).rejects.toThrow('permission denied')
    await sql`select ${sql.ref(name)} from ${sql.table(`visto.${table}`)} limit 1`.execute(server.pool.handle)
  })

  test('what runs with the right of its maker looks names up in one place only', async () => {
    const { rows } = await sql`
      select p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where p.prosecdef and n.nspname in ('public', 'auth', 'publicado')
        and not exists (select from unnest(p.proconfig) s where s like 'search_path=pg_catalog, public, pg_temp')
    `.execute(server.handle)
    expect(rows).toEqual([])
  })

  test('the start proves that who says nothing sees nothing', async () => {
    await proveWall(server.pool.handle)
    await expect(proveWall(server.handle)).rejects.toThrow('mostra linhas a quem não diz')
  })
})

describe('an organisation beside another', () => {
  let theirs: { id: string; documento: string }
  let owner: Person
  let stranger: Person
  let strangers: string
  const CANARY = 'Canário do Vizinho'

  beforeAll(async () => {
    owner = await server.person({ role: 'user', name: 'Dona Alfa' })
    const given = experimentInput({ cultivar: CANARY, codigo: 'CANARIO-1' })
    const { status, body } = await server.call('POST', '/api/experiments', {
      token: owner.token,
      body: form({ dados: JSON.stringify(given), pdf: pdf('canário') }, 'canario.pdf'),
    })
    expect(status).toBe(201)
    const documents = await server.call('GET', `/api/uploads/documents?experimentId=${body.experimento.id}`, {
      token: owner.token,
    })
    theirs = { id: body.experimento.id, documento: documents.body.documents[0].id }
    strangers = await organization('Consultoria Beta')
    stranger = await member(strangers, 'dono')
  })

  const ask = (path: string, token = stranger.token, headers = {}) =>
    server.call('GET', path, { token, headers })

  test('sees no row, no number and no file of it, whatever it asks', async () => {
    const nothing = [
      '/api/experiments',
      '/api/experiments?busca=canario',
      '/api/experiments?ordem=roi',
      '/api/experiments/export?formato=csv',
      '/api/dashboard/map',
      '/api/dashboard/correlation?x=teor_argila&y=roi',
      '/api/dashboard/filters',
      '/api/dashboard/overview',
      '/api/uploads/documents',
      `/api/uploads/documents?experimentId=${theirs.id}`,
      '/rest/v1/experimentos',
      '/rest/v1/protocolos_experimentos',
    ]
    for (const path of nothing) {
      const { status, bytes } = await ask(path)
      expect([status, path]).toEqual([200, path])
      for (const canary of [CANARY, 'canario', theirs.id, theirs.documento, owner.id, '410.75', '"total":1'])
        expect(bytes.toString(), `${path} ${canary}`).not.toContain(canary)
    }
    expect((await ask('/api/experiments')).body.total).toBe(0)
    expect((await ask('/api/dashboard/overview')).body).toMatchObject({
      total: 0,
      consultorias_ativas: 0,
      roi_medio: null,
    })
  })

  test('is told of what is not its own as of what does not exist', async () => {
    const absent = '0190b3a0-0000-7000-8000-000000000000'
    const body = experimentInput()
    for (const [method, path, sent] of [
      ['GET', '/api/experiments/:id', undefined],
      ['PUT', '/api/experiments/:id', { ...body, versao: 1 }],
      ['DELETE', '/api/experiments/:id', undefined],
      ['POST', '/api/experiments/:id/restore', {}],
      ['GET', '/api/experiments/:id/history', undefined],
      ['GET', '/api/uploads/documents/:document', undefined],
      ['DELETE', '/api/uploads/documents/:document', undefined],
    ] as const) {
      const told = async (experiment: string, document: string) => {
        const answer = await server.call(
          method,
          path.replace(':id', experiment).replace(':document', document),
          { token: stranger.token, ...(sent && { body: sent }) },
        )
        return { status: answer.status, code: answer.body.code }
      }
      const found = await told(theirs.id, theirs.documento)
      expect(found, `${method} ${path}`).toEqual(await told(absent, absent))
      expect(found.status, `${method} ${path}`).toBe(404)
    }
    const attached = await server.call('POST', '/api/uploads/document', {
      token: stranger.token,
      body: form({ experimentId: theirs.id, pdf: pdf() }),
    })
    expect(attached.status).toBe(404)
    expect((await ask(`/api/experiments/${theirs.id}`, owner.token)).status).toBe(200)
  })

  test('may use a code that the other one uses', async () => {
    const { status } = await server.call('POST', '/api/experiments', {
      token: stranger.token,
      body: experimentInput({ codigo: 'CANARIO-1' }),
    })
    expect(status).toBe(201)
  })

  test('is not acted for by who is no member', async () => {
    for (const asked of [strangers, randomUUID(), 'x', '', "' or true"]) {
      const { status, body } = await ask('/api/experiments', owner.token, { 'x-organization': asked })
      expect([status, body.code]).toEqual([404, 'organization.not_found'])
    }
    expect((await ask('/api/experiments', stranger.token, { 'x-organization': strangers })).status).toBe(200)
  })

  test('lets its readers read and nothing else', async () => {
    const reader = await member(strangers, 'leitor')
    expect((await ask('/api/experiments', reader.token)).body.total).toBe(1)
    const handle = wallOver(server.pool.raw).for({ id: reader.id, organization: strangers })
    await expect(
      sql`insert into documentos (id, filename, armazenado, sha256, tamanho) values (${randomUUID()}, 'x', 'x', 'x', 1)`.execute(
        handle,
      ),
    ).rejects.toMatchObject({ code: '42501' })
    const { numAffectedRows } = await sql`update experimentos set cultivar = 'x'`.execute(handle)
    expect(numAffectedRows).toBe(0n)
  })

  test('puts nothing into a trial that is not its own', async () => {
    const handle = wallOver(server.pool.raw).for({ id: stranger.id, organization: strangers })
    for (const part of [
      sql`insert into tratamentos (experimento_id, ordem, nome, modalidade_id, produtividade)
        select ${theirs.id}::uuid, 9, 'x', min(id), 1 from modalidades`,
      sql`insert into alteracoes (experimento_id, acao, quem) values (${theirs.id}, 'alterado', ${stranger.id})`,
      sql`insert into documentos (id, experimento_id, filename, armazenado, sha256, tamanho)
        values (${randomUUID()}, ${theirs.id}, 'x', 'y', 'x', 1)`,
      sql`insert into visibilidade (organizacao_id, acervos) select ${strangers}, array_agg(id) from acervos`,
      sql`update visibilidade set acervos = '{1}'`,
      sql`insert into membros select organizacao_id, ${stranger.id}, 'dono', now() from instalacao`,
    ])
      await expect(part.execute(handle)).rejects.toMatchObject({ code: '42501' })
  })

  test('a connection forgets in whose name it asked, also after an error', async () => {
    const { rows: named } = await sql<{ database: string }>`select current_database() as database`.execute(
      server.handle,
    )
    const database = named[0]?.database ?? ''
    const pool = openPool({ ...inject('databaseServer').requests, database, max: 1 }, console.error)
    try {
      const wall = wallOver(pool.raw)
      const seen = async (reader: { id: string; organization: string }) => {
        const { rows } = await sql<{ id: string }>`select id from experimentos`.execute(wall.for(reader))
        return rows.some(({ id }) => id === theirs.id)
      }
      const { rows } = await sql<{ id: string }>`select organizacao_id as id from instalacao`.execute(
        server.handle,
      )
      const first = { id: owner.id, organization: rows[0]?.id ?? '' }
      const second = { id: stranger.id, organization: strangers }
      expect(await seen(first)).toBe(true)
      await expect(sql`select 1 / 0 from experimentos`.execute(wall.for(first))).rejects.toThrow()
      await expect(
        wall
          .for(first)
          .transaction()
          .execute((transaction) => sql`select nothing`.execute(transaction)),
      ).rejects.toThrow()
      expect((await sql`select from experimentos`.execute(pool.handle)).rows).toEqual([])
      const all = await Promise.all(Array.from({ length: 40 }, (_, i) => seen(i % 2 ? first : second)))
      expect(all).toEqual(all.map((_, i) => i % 2 === 1))
      // One that dies under a statement is not given to the next.
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(wall.for(first)).catch(() => undefined)
      expect(await seen(second)).toBe(false)
    } finally {
      await pool.close()
    }
  })

  test('hears of a change of its own trials, and of no other', async () => {
    const abort = new AbortController()
    const stream = await fetch(`${server.url}/api/events`, {
      headers: { authorization: `Bearer ${stranger.token}` },
      signal: abort.signal,
    })
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
    let heard = ''
    const listening = (async () => {
      for (;;) heard += (await reader?.read())?.value ?? ''
    })().catch(() => undefined)
    const create = (person: Person) =>
      server.call('POST', '/api/experiments', { token: person.token, body: experimentInput() })
    // The figures are made of it, and their owner told.
    await create(owner)
    await expect
      .poll(async () => (await sql`select from sujos`.execute(server.handle)).rows, { timeout: 5_000 })
      .toEqual([])
    await sleep(2_500)
    expect(heard).not.toContain('changed')
    await create(stranger)
    await expect.poll(() => heard, { timeout: 6_000 }).toContain('event: changed')
    abort.abort()
    await listening
  })

  test('has the figures of its own trials, whatever the filter', async () => {
    const mine: Experiment[] = []
    const create = async (person: Person, count: number, from: number) => {
      for (const input of demoExperiments(from + count).slice(from)) {
        const { body } = await server.call('POST', '/api/experiments', { token: person.token, body: input })
        if (person === stranger) mine.push(body.experimento)
      }
    }
    const already = await ask('/api/experiments')
    for (const { id } of already.body.experimentos)
      mine.push((await ask(`/api/experiments/${id}`)).body.experimento)
    await Promise.all([create(owner, 12, 0), create(stranger, 14, 8)])
    const one = mine.at(-1)
    const filters: ExperimentFilter[] = [
      {},
      { cultura: one?.cultura, ano: String(one?.ano) },
      { marca: one?.marca },
      { produto: one?.tratamentos.at(-1)?.produtos_aplicados[0]?.nome.slice(0, 4) },
      { consultoria: 'Agro Cerrado', bu: 'BU1' },
    ]
    for (const filter of filters) {
      const query = new URLSearchParams(filter as Record<string, string>).toString()
      const said = JSON.stringify(filter)
      const overview = (await ask(`/api/dashboard/overview?${query}`)).body
      const expected = overviewOf(mine, filter)
      expectClose(sorted(overview), sorted(expected), said)
      expect((await ask(`/api/dashboard/filters?${query}`)).body, said).toEqual(filterOptionsOf(mine, filter))
      expect((await ask(`/api/experiments?${query}&limit=1`)).body.total, said).toBe(expected.total)
      const map = (await ask(`/api/dashboard/map?${query}`)).body
      const { total, localizacoes, estados, marcas } = mapViewOf(mine, filter, () => ({
        lat: 0,
        lng: 0,
        aproximada: true,
      }))
      expect(map, said).toMatchObject({ total, localizacoes, estados, marcas })
      const pair = (await ask(`/api/dashboard/correlation?${query}&x=roi&y=produtividade_media`)).body
      const { n, r } = correlationOf(mine, filter, 'roi', 'produtividade_media', 1000)
      expectClose({ n: pair.n, r: pair.r }, { n, r }, said)
    }
  })
})

test('where no role can be made, the owner of the tables is held to their rules', async () => {
  const database = await createTestDatabase(inject('databaseServer'))
  const admin = openPool(database.owner, console.error)
  const role = `sem_papel_${process.pid}`
  try {
    await sql`create role ${sql.id(role)} login password 'segredo-de-teste'`.execute(admin.handle)
    for (const schema of ['public', 'auth', 'publicado'])
      await sql`alter schema ${sql.id(schema)} owner to ${sql.id(role)}`.execute(admin.handle)
    const { rows } = await sql<{ name: string }>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'auth')
    `.execute(admin.handle)
    for (const { name } of rows) await sql.raw(`alter table ${name} owner to ${role}`).execute(admin.handle)
    const { rows: functions } = await sql<{ name: string }>`
      select p.oid::regprocedure::text as name from pg_proc p where p.pronamespace in ('public'::regnamespace, 'auth'::regnamespace)
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    `.execute(admin.handle)
    await sql`alter schema visto owner to ${sql.id(role)}`.execute(admin.handle)
    const { rows: views } = await sql<{ name: string }>`
      select format('%I.%I', schemaname, viewname) as name from pg_views where schemaname in ('public', 'visto', 'publicado')
    `.execute(admin.handle)
    for (const { name } of views) await sql.raw(`alter view ${name} owner to ${role}`).execute(admin.handle)
    for (const { name } of functions)
      await sql.raw(`alter function ${name} owner to ${role}`).execute(admin.handle)
    // Taken from everybody where a role could be made.
    await sql`
      grant execute on function pg_advisory_lock(bigint), pg_advisory_unlock(bigint) to ${sql.id(role)}
    `.execute(admin.handle)
    const connection = { ...database.owner, user: role, password: 'segredo-de-teste' }
    const plain = openPool(connection, console.error)
    const keeper = openPool({ ...connection, options: '-c ensaio.dono=on' }, console.error)
    try {
      await expect(proveWall(plain.handle)).rejects.toThrow('mostra linhas')
      await forceWall(keeper.handle)
      await proveWall(plain.handle)
      await sql`insert into auth.users (id, email) values (${randomUUID()}, 'a@exemplo.com.br')`.execute(
        plain.handle,
      )
      expect((await sql`select from membros`.execute(keeper.handle)).rows).toHaveLength(1)
      expect((await sql`select from membros`.execute(plain.handle)).rows).toHaveLength(0)
    } finally {
      await plain.close()
      await keeper.close()
    }
  } finally {
    await admin.close()
    await database.drop()
    await sql`drop role ${sql.id(role)}`.execute(server.handle)
  }
})

/** Groups of the same size come in any order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, sorted(item)]))
}
const keyOf = (value: unknown): string => {
  const { chave, id, produto } = value as { chave?: string; id?: string; produto?: string }
  return chave ?? id ?? produto ?? ''
}

/** Equal but for the last digits of sums taken in another order. */
function expectClose(actual: unknown, expected: unknown, said: string): void {
  if (typeof expected === 'number' && typeof actual === 'number')
    expect(Math.abs(actual - expected), said).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(expected)))
  else if (Array.isArray(expected) && Array.isArray(actual)) {
    expect(actual, said).toHaveLength(expected.length)
    for (const [index, item] of expected.entries()) expectClose(actual[index], item, said)
  } else if (expected !== null && typeof expected === 'object')
    for (const [key, item] of Object.entries(expected))
      expectClose((actual as Record<string, unknown> | null)?.[key], item, said)
  else expect(actual, said).toBe(expected)
}
