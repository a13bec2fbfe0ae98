import type { Experiment, ExperimentFilter } from '@ensaio/domain'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoExperiments } from '../../demo-data.ts'
import { form, type Person, pdf, startTestServer, type TestServer } from '../../test-server.ts'
import { rebuildCells } from '../dashboard/cells.ts'
import { keptMapPlaces, mapPlaces } from '../dashboard/map.repository.ts'
import { keptFor } from '../dashboard/margins.repository.ts'
import { KEPT_ZOOM, squareDegrees } from '../dashboard/place.repository.ts'
import { dice, expectFigures, randomFilter } from '../dashboard/test-figures.ts'
import { tidyFigures } from '../dashboard/views.repository.ts'
import { keepViews } from '../dashboard/views.ts'

/** Three organisations that trade trials; what each may see is worked out here a second time, from the sentences. */
interface Party {
  person: Person
  id: string
  nome: string
  codigo: string
}
interface Trial {
  owner: number
  written: Experiment
  embargoed: boolean
}
interface Shared {
  id: string
  from: number
  to: number
  covers: (trial: Experiment) => boolean
  custos: boolean
}

let server: TestServer
const parties: Party[] = []
const trials = new Map<string, Trial>()
const shares = new Map<string, Shared>()
const inputs = demoExperiments(40)

const call = async (party: number, method: string, path: string, body?: object) => {
  const answer = await server.call(method, path, {
    token: parties[party]?.person.token ?? '',
    ...(body && { body }),
  })
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body).slice(0, 300)}`).toBeLessThan(300)
  return answer
}

beforeAll(async () => {
  server = await startTestServer()
  const admin = await server.person({ role: 'admin' })
  await server.call('PUT', '/api/admin/installation', {
    token: admin.token,
    body: { organizacoes: 'varias' },
  })
  for (const nome of ['Consultoria', 'Fábrica', 'Fazenda']) {
    const person = await server.person({ name: nome })
    const { body } = await server.call('GET', '/api/organizations', { token: person.token })
    const [own] = body.organizacoes
    parties.push({ person, id: own.id, nome: own.nome, codigo: own.codigo })
  }
  // Sums of its own for each, however few its trials, so that the shares below change what the sums are over.
  await sql`
    insert into visoes (organizacao_id, parte)
    select id, parte from organizacoes, generate_series(0, 1) parte on conflict do nothing
  `.execute(server.handle)
})
afterAll(() => server.stop())

/** What a party may see, and of it what it may know. */
function seenBy(party: number): Experiment[] {
  return [...trials.values()].flatMap(({ owner, written, embargoed }) => {
    if (owner === party) return [written]
    const reached = [...shares.values()].filter(
      ({ from, to, covers }) => from === owner && to === party && covers(written),
    )
    if (embargoed || reached.length === 0) return []
    const ver_custos = reached.some(({ custos }) => custos)
    const received: Experiment = {
      ...written,
      relacao: 'compartilhada',
      permissoes: { ...written.permissoes, ver_custos },
    }
    if (ver_custos) return [received]
    return [
      {
        ...received,
        roi: null,
        custo_total: null,
        custo_protocolo: null,
        tratamentos: written.tratamentos.map((treatment) => ({
          ...treatment,
          custo: null,
          produtos_aplicados: treatment.produtos_aplicados.map((product) => ({ ...product, custo: null })),
        })),
      },
    ]
  })
}

/** What others have written since is folded within a moment; what takes something away has waited for it. */
async function folded(): Promise<void> {
  for (const end = Date.now() + 10_000; Date.now() < end; ) {
    const { rows } = await sql`select from sujos limit 1`.execute(server.handle)
    if (rows.length === 0) return
    await new Promise((done) => setTimeout(done, 50))
  }
  throw new Error('not folded within ten seconds')
}

/** What the party is answered from: one view over all that it sees, parts of it with narrow rows, or these alone. */
async function sumsOf(party: number): Promise<string> {
  const person = parties[party]?.person
  if (!person) throw new Error('no such party')
  const handle = await server.inNameOf(person)
  const { sums } = await keptFor(handle)
  if (sums !== 'parts') return sums === null ? 'rows' : 'view'
  // Kept squares of the map are added up with narrow rows too.
  const places = { bounds: null, limit: 1000 }
  const kept = await keptMapPlaces(handle, {}, sums, { ...places, shift: 4 })
  const counted = await mapPlaces(handle, {}, { ...places, degrees: squareDegrees(KEPT_ZOOM - 4) })
  // A mean of sixth decimals may lie on a seventh.
  const rounded = (found: typeof kept) =>
    found.map(({ lat, lng, n, cidade }) => `${lat.toFixed(9)} ${lng.toFixed(9)} ${n} ${cidade}`).sort()
  expect(rounded(kept)).toEqual(rounded(counted))
  return sums
}

const other = (party: number, step: number) => (party + 1 + (step % 2)) % 3
const pick = <T>(things: readonly T[], n: number): T | undefined => things[n % Math.max(1, things.length)]
/** A date beyond any of this test's days. */
const later = () => new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10)

const ACTS = {
  async create(party: number, n: number) {
    const { body } = await call(party, 'POST', '/api/experiments', pick(inputs, n))
    trials.set(body.experimento.id, { owner: party, written: body.experimento, embargoed: false })
  },
  async edit(party: number, n: number) {
    const [id, trial] =
      pick(
        [...trials].filter(([, { owner }]) => owner === party),
        n,
      ) ?? []
    if (!id || !trial) return
    const change = { ...pick(inputs, n + 7), versao: trial.written.versao }
    const { body } = await call(party, 'PUT', `/api/experiments/${id}`, change)
    trial.written = body.experimento
  },
  async remove(party: number, n: number) {
    const [id] =
      pick(
        [...trials].filter(([, { owner }]) => owner === party),
        n,
      ) ?? []
    if (!id || trials.size < 12) return
    await call(party, 'DELETE', `/api/experiments/${id}`)
    trials.delete(id)
  },
  async embargo(party: number, n: number) {
    const [id, trial] =
      pick(
        [...trials].filter(([, { owner }]) => owner === party),
        n,
      ) ?? []
    if (!id || !trial) return
    const { body } = await call(party, 'PUT', `/api/experiments/${id}/embargo`, {
      ate: trial.embargoed ? null : later(),
    })
    trial.embargoed = !trial.embargoed
    trial.written = body.experimento
  },
  async share(party: number, n: number) {
    const to = other(party, n)
    const [id, trial] =
      pick(
        [...trials].filter(([, { owner }]) => owner === party),
        n,
      ) ?? []
    if (!id || !trial) return
    const { cultura } = trial.written
    const targets = [
      async () => ({ alvo: { experimento: id }, covers: (each: Experiment) => each.id === id }),
      async () => ({ alvo: { tudo: true }, covers: () => true }),
      async () => {
        const { body } = await call(party, 'POST', '/api/collections', { nome: cultura, filtro: { cultura } })
        return { alvo: { colecao: body.colecao.id }, covers: (each: Experiment) => each.cultura === cultura }
      },
    ]
    const { alvo, covers } = (await pick(targets, n)?.()) ?? { alvo: {}, covers: () => false }
    const custos = n % 5 < 2
    const { body } = await call(party, 'POST', '/api/shares', {
      ...{ alvo, para: { codigo: parties[to]?.codigo }, custos, documentos: false, comentarios: false },
      ate: null,
    })
    await call(to, 'POST', `/api/shares/${body.compartilhamento.id}/accept`)
    shares.set(body.compartilhamento.id, { id: body.compartilhamento.id, from: party, to, covers, custos })
  },
  async change(_: number, n: number) {
    const share = pick([...shares.values()], n)
    if (!share) return
    await call(share.from, 'PUT', `/api/shares/${share.id}`, { custos: !share.custos })
    share.custos = !share.custos
  },
  async end(_: number, n: number) {
    const share = pick([...shares.values()], n)
    if (!share) return
    await call(n % 2 === 0 ? share.from : share.to, 'DELETE', `/api/shares/${share.id}`)
    shares.delete(share.id)
  },
  async keep(_: number, n: number) {
    // A set at a time, and not always to the end.
    await keepViews(server.handle, { atATime: 1, steps: n % 6 || undefined })
  },
}

const step = fc.tuple(
  fc.constantFrom(...(Object.keys(ACTS) as (keyof typeof ACTS)[]), 'create' as const, 'share' as const),
  fc.integer({ min: 0, max: 2 }),
  fc.integer({ min: 0, max: 10_000 }),
)

test('figures are over exactly the trials that are seen, and costs over those that show them, while shares come and go', async () => {
  for (let party = 0; party < 3; party++) for (let n = 0; n < 4; n++) await ACTS.create(party, party * 4 + n)
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 8 }), async (steps) => {
      for (const [act, party, n] of steps) await ACTS[act](party, n)
      await folded()
      const roll = dice(steps.length + (steps[0]?.[2] ?? 0))
      for (let party = 0; party < 3; party++) {
        const seen = seenBy(party)
        await sumsOf(party)
        const filters: ExperimentFilter[] = [{}, randomFilter(roll, seen), { origem: 'recebidos' }]
        for (const filter of filters) await expectFigures((path) => call(party, 'GET', path), seen, filter)
      }
    }),
    // One world that goes on: nothing is tried again from its beginning.
    { numRuns: 15, endOnFailure: true },
  )
  await keepViews(server.handle)
  await tidyFigures(server.handle)
  for (let party = 0; party < 3; party++)
    await expectFigures((path) => call(party, 'GET', path), seenBy(party), {})
  expect((await rebuildCells(server.handle)).wrong).toBe(0)
}, 120_000)

test('when a share begins, changes or ends, what is right of the sums answers together with the rows of the rest', async () => {
  for (const share of [...shares.values()]) {
    await call(share.from, 'DELETE', `/api/shares/${share.id}`)
    shares.delete(share.id)
  }
  const settle = async () => {
    await folded()
    await keepViews(server.handle)
    expect(await sumsOf(1)).toBe('view')
  }
  const check = async () => {
    const seen = seenBy(1)
    const [one] = seen
    const filters = [{}, { cultura: one?.cultura }, { consultoria: one?.consultoria, marca: one?.marca }]
    for (const filter of filters) await expectFigures((path) => call(1, 'GET', path), seen, filter)
  }
  const { codigo } = parties[1] ?? {}
  const begin = async (from: number, custos: boolean) => {
    const { body } = await call(from, 'POST', '/api/shares', {
      ...{ alvo: { tudo: true }, para: { codigo }, custos, documentos: false, comentarios: false, ate: null },
    })
    const { id } = body.compartilhamento
    await call(1, 'POST', `/api/shares/${id}/accept`)
    shares.set(id, { id, from, to: 1, covers: () => true, custos })
    return id
  }
  await settle()
  const first = await begin(0, false)
  expect(await sumsOf(1)).toBe('parts')
  await check()
  await settle()
  const second = await begin(2, true)
  await settle()

  await call(0, 'PUT', `/api/shares/${first}`, { custos: true })
  for (const share of shares.values()) if (share.id === first) share.custos = true
  expect(await sumsOf(1)).toBe('parts')
  await check()
  await settle()
  // Before the background has looked, trials come and change under sums that are not those of all.
  await call(2, 'DELETE', `/api/shares/${second}`)
  shares.delete(second)
  expect(await sumsOf(1)).toBe('parts')
  for (const party of [0, 1]) {
    await ACTS.create(party, 30 + party)
    await ACTS.edit(party, 5)
  }
  await folded()
  expect(await sumsOf(1)).toBe('parts')
  await check()
  await settle()
  await check()
  expect((await rebuildCells(server.handle)).wrong).toBe(0)
}, 200_000)

test('a list counts no document that is not shown, also where sums are kept', async () => {
  const { status, body } = await server.call('POST', '/api/experiments', {
    token: parties[0]?.person.token ?? '',
    body: form({ dados: JSON.stringify(inputs[3]), pdf: pdf('relatório') }, 'relatorio.pdf'),
  })
  expect(status).toBe(201)
  trials.set(body.experimento.id, { owner: 0, written: body.experimento, embargoed: false })
  await folded()
  await keepViews(server.handle)
  expect(await sumsOf(1)).toBe('view')
  const seen = seenBy(1)
  expect(seen.map(({ id }) => id)).toContain(body.experimento.id)
  const listed = async (party: number, query: string) =>
    (await call(party, 'GET', `/api/experiments?limit=1&${query}`)).body.total
  expect(await listed(0, 'com_documento=1')).toBe(1)
  expect([await listed(1, 'com_documento=1'), await listed(1, 'com_documento=0')]).toEqual([0, seen.length])
})
