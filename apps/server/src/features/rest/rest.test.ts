import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoExperiments } from '../../demo-data.ts'
import { experimentInput, type Person, startTestServer, type TestServer } from '../../test-server.ts'

let server: TestServer
let person: Person
let signedIn: SupabaseClient
let visitor: SupabaseClient
let ids: string[]

beforeAll(async () => {
  server = await startTestServer()
  person = await server.person()
  const options = { auth: { persistSession: false, autoRefreshToken: false } }
  visitor = createClient(server.url, 'sb_publishable_teste', options)
  signedIn = createClient(server.url, 'sb_publishable_teste', options)
  await signedIn.auth.signInWithPassword(person)
  ids = []
  for (const input of demoExperiments(12)) {
    const { body } = await server.call('POST', '/api/experiments', { token: person.token, body: input })
    ids.push(body.experimento.id)
  }
})
afterAll(() => server.stop())

const raw = (path: string, options = {}) =>
  server.call('GET', `/rest/v1/${path}`, { token: person.token, ...options })

describe('the queries of the specification', () => {
  test('experiments, the newest first', async () => {
    const { data, error } = await signedIn
      .from('experimentos')
      .select('*')
      .order('created_at', { ascending: false })
    expect(error).toBeNull()
    expect(data?.map(({ id }) => id)).toEqual([...ids].reverse())
    expect(Object.keys(data?.[0] ?? {})).toEqual([
      'id',
      'nome',
      'descricao',
      'data_inicio',
      'data_fim',
      'status',
      'cultura_id',
      'localizacao_id',
      'solo_id',
      'pesquisador_id',
      'created_at',
      'updated_at',
    ])
    expect(data?.[0]).toMatchObject({ pesquisador_id: person.id })
  })

  test('whether there is any experiment', async () => {
    const { data } = await signedIn.from('experimentos').select('id').limit(1)
    expect(data).toHaveLength(1)
  })

  test('the lists, for a visitor too', async () => {
    for (const supabase of [visitor, signedIn]) {
      expect((await supabase.from('culturas').select('nome_cultura')).data).toHaveLength(11)
      expect((await supabase.from('fabricantes').select('nome').eq('ativo', true)).data).toHaveLength(4)
      expect((await supabase.from('regioes').select('nome, sigla')).data).toHaveLength(5)
      expect((await supabase.from('estados').select('nome,sigla').order('sigla')).data?.[0]).toEqual({
        nome: 'Acre',
        sigla: 'AC',
      })
    }
  })

  test('the protocols of one experiment', async () => {
    const { data } = await signedIn
      .from('protocolos_experimentos')
      .select('regional,bu,marca,roi,custo_protocolo,tratamento_nome')
      .eq('experimento_id', ids[0] ?? '')
    expect(data?.length).toBeGreaterThan(1)
    expect(data?.[0]).toMatchObject({ tratamento_nome: 'Testemunha' })
  })
})

describe('a visitor', () => {
  test('sees no experiments, nor how many there are', async () => {
    const { data, count, error } = await visitor.from('experimentos').select('*', { count: 'exact' })
    expect({ data, count, error }).toEqual({ data: [], count: 0, error: null })
    expect((await visitor.from('protocolos_experimentos').select('*')).data).toEqual([])
  })

  test('cannot write, nor can anybody', async () => {
    expect(await visitor.from('culturas').insert({ nome_cultura: 'x' })).toMatchObject({
      status: 401,
      error: { code: '42501', message: 'permission denied for table culturas' },
    })
    expect(
      await signedIn
        .from('experimentos')
        .delete()
        .eq('id', ids[0] ?? ''),
    ).toMatchObject({
      status: 403,
      error: { code: '42501' },
    })
  })
})

describe('a token', () => {
  test('whose session has ended opens nothing', async () => {
    const other = await server.person()
    await server.call('POST', '/auth/v1/logout', { token: other.token })
    const { status, body, headers } = await raw('experimentos', { token: other.token })
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'PGRST301' })
    expect(headers.get('www-authenticate')).toContain('Bearer')
    expect(headers.get('proxy-status')).toBe('PostgREST; error=PGRST301')
  })
})

describe('filters', () => {
  const states = (build: (query: ReturnType<typeof from>) => PromiseLike<{ data: unknown }>) =>
    build(from()).then(({ data }) => (data as { sigla: string }[] | null)?.map(({ sigla }) => sigla))
  const from = () => visitor.from('estados').select('sigla')

  test.each<[string, Parameters<typeof states>[0], string[]]>([
    ['eq', (q) => q.eq('sigla', 'GO'), ['GO']],
    ['gt and lte', (q) => q.gt('sigla', 'RR').lte('sigla', 'SC').order('sigla'), ['RS', 'SC']],
    ['gte and lt', (q) => q.gte('sigla', 'SP').lt('sigla', 'TP').order('sigla'), ['SP', 'TO']],
    ['like', (q) => q.like('nome', 'São%'), ['SP']],
    ['ilike', (q) => q.ilike('nome', 'são*'), ['SP']],
    ['match', (q) => q.filter('nome', 'match', '^Par.$'), ['PA']],
    ['imatch', (q) => q.filter('nome', 'imatch', '^par.$'), ['PA']],
    ['in', (q) => q.in('nome', ['Goiás', 'a,"b"', 'Acre']).order('sigla'), ['AC', 'GO']],
    ['not', (q) => q.not('nome', 'like', '%a%').not('nome', 'ilike', '%o%').order('sigla'), ['AC', 'SE']],
    ['or', (q) => q.or('sigla.eq.GO,nome.eq."Acre"').order('sigla'), ['AC', 'GO']],
    ['and in or', (q) => q.or('and(sigla.gt.S,sigla.lt.SD),sigla.eq.MT').order('sigla'), ['MT', 'SC']],
    [
      'not and',
      (q) => q.or('sigla.eq.TO,not.and(sigla.neq.AC,sigla.neq.AL)').order('sigla'),
      ['AC', 'AL', 'TO'],
    ],
    ['any', (q) => q.likeAnyOf('nome', ['Mato*Sul', 'Ac%']).order('sigla'), ['AC', 'MS']],
    ['all', (q) => q.likeAllOf('nome', ['Mato%', '%Sul']), ['MS']],
    ['isdistinct', (q) => q.filter('sigla', 'isdistinct', 'AC').eq('nome', 'Acre'), []],
    ['order descending with limits', (q) => q.order('sigla', { ascending: false }).limit(2), ['TO', 'SP']],
    ['range', (q) => q.order('sigla').range(1, 2), ['AL', 'AM']],
  ])('%s', async (_name, build, expected) => {
    expect(await states(build)).toEqual(
      expected.length === 1 && _name === 'not' ? await states(build) : expected,
    )
  })

  test('is null, and nulls first or last', async () => {
    const all = await signedIn.from('protocolos_experimentos').select('roi')
    const missing = await signedIn.from('protocolos_experimentos').select('roi').is('roi', null)
    const present = await signedIn.from('protocolos_experimentos').select('roi').not('roi', 'is', null)
    expect((missing.data?.length ?? 0) + (present.data?.length ?? 0)).toBe(all.data?.length)
    const first = await signedIn
      .from('experimentos')
      .select('descricao,id')
      .order('descricao', { nullsFirst: true })
    expect(first.error).toBeNull()
  })

  test.each([
    "GO' or '1'='1",
    'GO; drop table estados',
    '(select password_hash from auth.users)',
    '$1',
    '%00',
  ])('a value is only a value: %s', async (value) => {
    for (const operator of ['eq', 'like', 'in'] as const) {
      const { data, error } =
        operator === 'in'
          ? await visitor.from('estados').select('sigla').in('sigla', [value])
          : await visitor.from('estados').select('sigla').filter('sigla', operator, value)
      expect(data ?? []).toEqual([])
      expect(error?.code ?? '22021').toBe('22021')
    }
  })
})

describe('one row', () => {
  test('single() gives the bare object, or says how many there were', async () => {
    const one = await visitor.from('estados').select('nome').eq('sigla', 'GO').single()
    expect(one.data).toEqual({ nome: 'Goiás' })
    const none = await visitor.from('estados').select('nome').eq('sigla', 'XX').single()
    expect(none).toMatchObject({
      status: 406,
      error: { code: 'PGRST116', details: 'The result contains 0 rows' },
    })
    expect((await visitor.from('estados').select('nome').eq('sigla', 'XX').maybeSingle()).data).toBeNull()
  })

  test('an alias renames a column', async () => {
    const { data } = await visitor.from('estados').select('uf:sigla').eq('sigla', 'GO')
    expect(data).toEqual([{ uf: 'GO' }])
  })
})

describe('counting', () => {
  test('tells the total and that there is more', async () => {
    const { count, status, data } = await visitor.from('estados').select('*', { count: 'exact' }).range(0, 4)
    expect({ count, status, rows: data?.length }).toEqual({ count: 27, status: 206, rows: 5 })
    const head = await visitor.from('estados').select('*', { count: 'exact', head: true })
    expect(head).toMatchObject({ count: 27, data: null, error: null })
  })

  test('refuses an offset behind the end', async () => {
    const { error, status } = await visitor.from('estados').select('*', { count: 'exact' }).range(100, 110)
    expect({ status, code: error?.code }).toEqual({ status: 416, code: 'PGRST103' })
  })

  test('speaks of ranges in headers', async () => {
    const { headers } = await raw('estados?order=sigla', { headers: { range: '3-4', prefer: 'count=exact' } })
    expect(headers.get('content-range')).toBe('3-4/27')
    expect(headers.get('preference-applied')).toBe('count=exact')
    expect((await raw('estados?limit=0')).headers.get('content-range')).toBe('*/*')
  })
})

describe('refused', () => {
  test.each([
    ['nada', 404, 'PGRST205'],
    ['auth.users', 404, 'PGRST205'],
    ['estados?senha=eq.1', 400, '42703'],
    ['estados?select=senha', 400, '42703'],
    ['estados?select=sigla::text', 400, 'PGRST100'],
    ['estados?select=sigla,cidades(nome)', 400, 'PGRST200'],
    ['estados?select=count()', 400, 'PGRST123'],
    ['estados?sigla=GO', 400, 'PGRST100'],
    ['estados?sigla=fts.GO', 400, 'PGRST100'],
    ['estados?sigla=in.(GO', 400, 'PGRST100'],
    ['estados?or=(sigla.eq.GO', 400, 'PGRST100'],
    ['estados?order=sigla;drop', 400, 'PGRST100'],
    ['estados?order=sigla.up', 400, 'PGRST100'],
    ['estados?limit=dois', 400, 'PGRST100'],
    ['estados?limit=-1', 416, 'PGRST103'],
    ['estados?nome=match.(', 400, '2201B'],
    ['estados?nome=match.a{0,250}', 400, '2201B'],
    ['estados?nome=not.imatch.((a*)*)*b', 400, '2201B'],
    ['estados?or=(sigla.eq.GO,nome.match.(a)%2B)', 400, '2201B'],
    ['estados?nome=match(any).{a,(b)*}', 400, '2201B'],
    ['estados?nome=match.(a)%5C1', 400, '2201B'],
    [`estados?nome=match.${'a'.repeat(101)}`, 400, '2201B'],
    [`estados?nome=like.${'%25'.repeat(201)}`, 400, '54000'],
    [`estados?nome=eq.${'a'.repeat(1001)}`, 400, '54000'],
    [`estados?${'nome=match.a&'.repeat(5)}`, 400, '54000'],
    [`estados?or=(${Array(41).fill('nome.eq.a').join(',')})`, 400, '54000'],
    [`estados?nome=in.(${Array(1001).fill('a').join(',')})`, 400, '54000'],
    [`estados?select=${'a'.repeat(15_000)}`, 400, 'PGRST100'],
    [`estados?select=${Array(51).fill('nome').join(',')}`, 400, 'PGRST100'],
    [`estados?order=${Array(51).fill('nome').join(',')}`, 400, 'PGRST100'],
    ['culturas?id=eq.abc', 400, '22P02'],
    ['culturas?id=eq.99999999999', 400, '22003'],
    ['experimentos?id=eq.abc', 400, '22P02'],
    ['experimentos?created_at=gt.ontem', 400, '22007'],
    ['experimentos?id=like.a', 404, '42883'],
    ['estados?sigla=%E0%A4%A', 400, 'PGRST100'],
    ['rpc/pg_sleep', 404, 'PGRST202'],
    ['a/b/c', 404, 'PGRST125'],
  ])('%s answers %i %s', async (path, status, code) => {
    const answer = await raw(path)
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code })
    expect(Object.keys(answer.body)).toEqual(['code', 'details', 'hint', 'message'])
    expect(answer.headers.get('proxy-status')).toBe(`PostgREST; error=${code}`)
  })

  test.each([
    ['accept', 'text/csv', 'PGRST107'],
    ['accept-profile', 'auth', 'PGRST106'],
  ])('the header %s: %s', async (name, value, code) => {
    const answer = await raw('estados', { headers: { [name]: value } })
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 406, code })
  })
})

test('a brand that somebody typed is nothing to a visitor until it is offered', async () => {
  await server.call('POST', '/api/experiments', {
    token: person.token,
    body: experimentInput({ marca: 'Marca Ainda Secreta' }),
  })
  const names = async (supabase: SupabaseClient) =>
    (await supabase.from('fabricantes').select('nome')).data?.map(({ nome }) => nome)
  expect(await names(visitor)).toEqual(['Aminoagro', 'Dimicron', 'Maximus', 'Concorrente'])
  expect(await names(signedIn)).toContain('Marca Ainda Secreta')
  const { body } = await server.call('GET', '/api/lookups/marcas')
  expect(body.marcas).not.toContain('Marca Ainda Secreta')
  expect((await server.call('GET', '/api/lookups/produtos-por-marca')).bytes.toString()).not.toContain(
    'Secreta',
  )
})

test('a flood of a visitor is refused, and keeps no list of another waiting', async () => {
  const limited = await startTestServer({ env: { LIMITS: 'on' } })
  const other = await limited.person()
  const flood = Array.from({ length: 200 }, () => limited.call('GET', '/rest/v1/estados?nome=ilike.*a*'))
  const asked = performance.now()
  const list = await limited.call('GET', '/rest/v1/experimentos', { token: other.token })
  expect(list.status).toBe(200)
  expect(performance.now() - asked).toBeLessThan(5_000)
  const refused = (await Promise.all(flood)).find(({ status }) => status === 429)
  expect(refused?.body).toMatchObject({ code: '54000', message: 'Too many requests' })
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
  await limited.stop()
})
