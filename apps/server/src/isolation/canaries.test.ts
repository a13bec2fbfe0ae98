import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Experiment, type ExperimentFilter, UNGIVEN } from '@ensaio/domain'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectFigures } from '../features/dashboard/test-figures.ts'
import { experimentInput, startTestServer, type TestServer } from '../test-server.ts'
import { type Canary, canaryInput, foundIn, textOf, word } from './test-canaries.ts'
import { type Listening, listen } from './test-listen.ts'
import { buildWorld, type Caller, OWNER_NAME, reader, report, secretsTo, type World } from './test-world.ts'

const OTHERS = ['S', 'T', 'O', 'A'] as const

let server: TestServer
let world: World
const readings = reader()

const get = (caller: Caller, path: string, headers?: Record<string, string>) =>
  world.ask(caller, 'GET', path, headers ? { headers } : {})
const told = (caller: Caller, text: string, said = '') => foundIn(text, secretsTo(caller, world), said)
/** Every trial that the caller sees, whole. */
async function seenBy(caller: Caller): Promise<Experiment[]> {
  const { body } = await get(caller, '/api/experiments?limit=100')
  return Promise.all(
    body.experimentos.map(
      async ({ id }: { id: string }) => (await get(caller, `/api/experiments/${id}`)).body.experimento,
    ),
  )
}

beforeAll(async () => {
  server = await startTestServer({ extractor: readings })
  world = await buildWorld(server, await server.person({ role: 'admin', name: 'Adm' }))
})
afterAll(() => server.stop())

describe('a control: the owner', () => {
  const of = (kinds: Canary['kind'][], trial: Canary['trial'] = 'other') =>
    world.canaries.filter((canary) => canary.trial === trial && kinds.includes(canary.kind))
  const missing = (text: string, canaries: Canary[]) =>
    canaries.map(({ text }) => text).filter((canary) => !text.includes(canary))

  test('finds the words and numbers in every form of the answers', async () => {
    const address = `/api/experiments/${world.ids.other.trial}`
    const paths = ['', '/plots', '/prices', `/analyses/${world.records.other}`].map((path) => address + path)
    const whole = (await Promise.all(paths.map((path) => get('D', path)))).map(textOf).join('\n')
    // A number stands in one of its forms.
    const plain = of(['words', 'costs', 'id']).filter(
      ({ text }) => !/^[\d.]*,\d+$|^\d+(\.\d{3})+,/.test(text),
    )
    expect(missing(whole, plain)).toEqual([])
    for (const formato of ['csv', 'xlsx']) {
      const sheet = textOf(await get('D', `/api/experiments/export?formato=${formato}`))
      expect(foundIn(sheet, of(['words'])).length).toBeGreaterThan(8)
      expect(foundIn(sheet, of(['costs'])).length).toBeGreaterThan(2)
      expect(foundIn(sheet, of(['file']))).toContain(`file of other: ${word('other', 'arquivo')}`)
    }
    const zip = textOf(await get('D', `/api/organizations/${world.organizations.owner}/export`))
    expect(foundIn(zip, of(['file', 'costs', 'words'])).length).toBeGreaterThan(20)
    expect(missing(zip, plain)).toEqual([])
    expect(
      foundIn(
        zip,
        world.canaries.filter(({ kind }) => kind === 'person'),
      ).length,
    ).toBeGreaterThan(5)
  })

  test('and the recipient finds what was shared, and that costs are hidden', async () => {
    const { body, ...answer } = await get('S', `/api/experiments/${world.ids.shared.trial}`)
    expect(foundIn(textOf({ ...answer }), of(['words'], 'shared')).length).toBeGreaterThan(15)
    expect(body.experimento).toMatchObject({ roi: null, custo_protocolo: null, custo_total: null })
    expect(body.experimento.ocultos).toContain('roi')
    const csv = textOf(await get('S', '/api/experiments/export?formato=csv'))
    expect(csv).toContain('Oculto')
    expect(foundIn(csv, of(['costs'], 'open')).length).toBeGreaterThan(2)
  })
})

describe('figures', () => {
  const filters: ExperimentFilter[] = [
    {},
    { marca: word('shared', 'marca') },
    { marca: word('other', 'marca') },
    { produto: word('shared', 'produto') },
    { cultura: word('open', 'cultura'), ano: '2024' },
    { consultoria: word('embargoed', 'consultoria') },
  ]
  test.each(OTHERS)('of %s are those of what they see', async (caller) => {
    const trials = await seenBy(caller)
    expect(trials).toHaveLength({ S: 3, T: 3, O: 1, A: 0 }[caller])
    for (const filter of filters) await expectFigures((path) => get(caller, path), trials, filter)
  })

  test('of the recipient take no hidden cost into account', async () => {
    const { body } = await get('S', '/api/dashboard/overview?origem=recebidos')
    expect(body).toMatchObject({ total: 2, com_custos: 1, roi_medio: canaryInput('open').roi })
    const sorted = async (sentido: string) =>
      (await get('S', `/api/experiments?ordem=roi&sentido=${sentido}`)).body.experimentos.map(
        ({ id }: { id: string }) => id,
      )
    // What is hidden is as unknown, which stands at the end.
    expect((await sorted('desc')).at(-1)).toBe(world.ids.shared.trial)
    expect((await sorted('asc')).at(-1)).toBe(world.ids.shared.trial)
    const rich = '/rest/v1/protocolos_experimentos?roi=gt.1000&select=experimento_id'
    const found = (await get('S', rich)).body.map((row: { experimento_id: string }) => row.experimento_id)
    expect(found).toContain(world.ids.open.trial)
    expect(found).not.toContain(world.ids.shared.trial)
    const order = '/rest/v1/protocolos_experimentos?select=experimento_id,roi&order=roi.desc.nullslast'
    expect((await get('S', order)).body.at(-1)).toMatchObject({
      experimento_id: world.ids.shared.trial,
      roi: null,
    })
    const missing = '/rest/v1/protocolos_experimentos?custo_protocolo=is.null&select=experimento_id'
    for (const { experimento_id } of (await get('S', missing)).body)
      expect(experimento_id).toBe(world.ids.shared.trial)
  })

  test('of rest/v1, counted, are of what is seen', async () => {
    const counted = { prefer: 'count=exact' }
    for (const [caller, n] of Object.entries({ S: 3, T: 3, O: 1, A: 0, V: 0 })) {
      const { headers } = await get(caller as Caller, '/rest/v1/experimentos?select=id', counted)
      expect(headers.get('content-range')?.split('/')[1], caller).toBe(String(n))
    }
    const names = async (caller: Caller) =>
      (await get(caller, '/rest/v1/fabricantes?select=nome')).body.map(({ nome }: { nome: string }) => nome)
    expect(await names('D')).toContain(word('other', 'marca'))
    expect((await names('O')).filter((nome: string) => nome.startsWith('Kz'))).toEqual([])
    const people = await get('S', '/rest/v1/experimentos?select=id,pesquisador_id')
    for (const { id, pesquisador_id } of people.body)
      expect(pesquisador_id === null).toBe([world.ids.shared.trial, world.ids.open.trial].includes(id))
  })
})

test('a search finds nothing that is not seen', async () => {
  const trials = ['own', 'other', 'embargoed', 'deleted', 'linked', 'moving'] as const
  for (const caller of OTHERS)
    for (const trial of trials)
      for (const what of ['consultoria', 'cidade', 'cultura', 'marca']) {
        // A brand that the shared one has too finds that one.
        if (what === 'marca' && canaryInput(trial).marca === word('shared', 'marca')) continue
        const { body } = await get(caller, `/api/experiments?busca=${word(trial, what)}`)
        expect(body, `${caller} ${trial} ${what}`).toEqual({ experimentos: [], total: 0, next_cursor: null })
      }
})

describe('what somebody else has used before', () => {
  test('a key of theirs makes a trial of its own', async () => {
    const body = { ...experimentInput(), ...UNGIVEN }
    const headers = { 'idempotency-key': 'a-mesma-chave' }
    const create = async (caller: Caller, more = {}) => {
      const made = await world.ask(caller, 'POST', '/api/experiments', {
        body,
        headers: { ...headers, ...more },
      })
      expect(made.status, caller).toBe(201)
      return made.body.experimento
    }
    const first = await create('D')
    expect((await create('D')).id).toBe(first.id)
    const ids = [first.id]
    for (const caller of ['G', 'P', 'S', 'O', 'A'] as const) {
      const made = await create(caller)
      expect(made).toMatchObject({ relacao: 'propria', created_by: world.people[caller].id })
      ids.push(made.id)
    }
    // The same person in another organisation of theirs.
    ids.push((await create('D', { 'x-organization': world.organizations.spare })).id)
    expect(new Set(ids).size).toBe(7)
  })

  test('a cursor of theirs goes on among what is seen', async () => {
    for (const ordem of ['', '&ordem=roi&sentido=desc', '&ordem=consultoria']) {
      const { next_cursor } = (await get('D', `/api/experiments?limit=2${ordem}`)).body
      expect(next_cursor).toBeTruthy()
      for (const caller of OTHERS) {
        const own = (await get(caller, '/api/experiments?limit=100')).body.experimentos
        const ids = own.map(({ id }: { id: string }) => id)
        const page = await get(caller, `/api/experiments?limit=100${ordem}&cursor=${next_cursor}`)
        expect(page.status).toBeLessThan(500)
        for (const { id } of page.body.experimentos ?? []) expect(ids).toContain(id)
        expect(told(caller, textOf(page))).toEqual([])
      }
    }
  })

  test('the same file is found as an own one alone', async () => {
    const { form, sha256 } = report('other')
    await world.made('D', 'POST', '/api/uploads/document', form({ experimentId: world.ids.other.trial }))
    for (const caller of ['S', 'O', 'A'] as const) {
      const address = `/api/uploads/documents?sha256=${sha256}`
      expect((await get(caller, address)).body.documents).toEqual([])
      const { document } = await world.made(caller, 'POST', '/api/uploads/document', form())
      expect((await get(caller, address)).body.documents).toEqual([document])
    }
  })

  test('a reading and a layout of theirs are not met', async () => {
    const { form } = report('own')
    const read = async (caller: Caller) => {
      const before = readings.read.length
      const { body } = await world.ask(caller, 'POST', '/api/experiments', { body: form() })
      const made = readings.read.slice(before)
      return {
        plain: made.filter(({ template }) => !template).length,
        by: made.filter(({ template }) => template).length,
        template: body.metadata.template ?? null,
      }
    }
    await world.made('P', 'POST', '/api/layouts', form())
    expect(await read('P')).toMatchObject({ plain: 1, by: 1 })
    // Within the organisation what was read is kept.
    expect(await read('G')).toMatchObject({ plain: 0 })
    for (const caller of ['S', 'O', 'A'] as const)
      expect(await read(caller)).toEqual({ plain: 1, by: 0, template: null })
  })
})

test('the entries of a history are numbered per trial', async () => {
  for (const trial of ['own', 'other', 'shared'] as const) {
    const { body } = await get('D', `/api/experiments/${world.ids[trial].trial}/history`)
    expect(body.alteracoes.map(({ id }: { id: number }) => Number(id))).toEqual(
      body.alteracoes.map((_: unknown, i: number) => body.alteracoes.length - i),
    )
  }
})

test('a stream tells of nothing that is not seen, and of what is seen only that it is', async () => {
  const streams: Listening[] = []
  for (const caller of OTHERS) streams.push(await listen(server.url, world.people[caller].token))
  const heard = (i: number) => streams[i]?.heard() ?? ''
  // What was done before has been told.
  await sleep(3_000)
  const before = OTHERS.map((_, i) => heard(i).length)
  for (const trial of ['own', 'other', 'embargoed', 'linked'] as const) {
    const address = `/api/experiments/${world.ids[trial].trial}`
    const { experimento } = (await get('D', address)).body
    await world.made('D', 'PUT', address, { ...canaryInput(trial), versao: experimento.versao })
    await world.made('D', 'POST', `${address}/comments`, { texto: word(trial, 'comentario') })
  }
  await sleep(3_500)
  expect(OTHERS.map((_, i) => heard(i).slice(before[i]).includes('changed'))).toEqual(OTHERS.map(() => false))
  const address = `/api/experiments/${world.ids.shared.trial}`
  const { versao } = (await get('D', address)).body.experimento
  await world.made('D', 'PUT', address, { ...canaryInput('shared'), versao })
  await expect.poll(() => heard(0).slice(before[0]), { timeout: 8_000 }).toContain('event: changed')
  await expect.poll(() => heard(1).slice(before[1]), { timeout: 8_000 }).toContain('event: changed')
  expect([heard(2), heard(3)].map((text, i) => text.slice(before[i + 2]).includes('changed'))).toEqual([
    false,
    false,
  ])
  for (const [i, caller] of OTHERS.entries()) expect(told(caller, heard(i))).toEqual([])
  for (const stream of streams) stream.stop()
})

test('letters to others name the organisation and who writes, and nothing of its records', async () => {
  await world.made('D', 'POST', '/api/shares', {
    alvo: { experimento: world.ids.other.trial },
    para: { email: world.people.O.email },
  })
  await world.made('D', 'POST', `/api/organizations/${world.organizations.owner}/invitations`, {
    email: world.people.O.email,
    papel: 'leitor',
  })
  const folder = join(server.dataDir, 'outbox')
  const letters = async () =>
    Promise.all(
      (await readdir(folder)).map(async (name) => plain(await readFile(join(folder, name), 'utf8'))),
    )
  const toOther = async () => (await letters()).filter((text) => text.includes(world.people.O.email))
  await expect.poll(async () => (await toOther()).length, { timeout: 10_000 }).toBeGreaterThanOrEqual(2)
  const secrets = world.canaries.filter(
    ({ kind, text }) => kind !== 'person' && text !== OWNER_NAME && text !== word('organizacao', 'reserva'),
  )
  for (const letter of await letters()) expect(foundIn(letter, secrets)).toEqual([])
  for (const letter of await toOther())
    for (const person of ['G', 'P', 'L'] as const) expect(letter).not.toContain(world.people[person].email)
})

describe('a name in another spelling shows nobody how somebody else spells it', () => {
  const spelt = (what: string) => word('other', what).toUpperCase()
  const [control, second] = experimentInput().tratamentos
  const free = {
    cultivar: { cultivar: spelt('cultivar') },
    analise: {
      tratamentos: [
        control,
        { ...second, analises_adicionais: [{ nome: spelt('analise'), valor: 1, unidade: 'cm' }] },
      ],
    },
  }
  const named = {
    consultoria: { consultoria: spelt('consultoria') },
    marca: { marca: spelt('marca') },
    regional: { regional: spelt('regional') },
    cultura: { cultura: spelt('cultura') },
    cidade: { cidade: spelt('cidade') },
    modalidade: { tratamentos: [control, { ...second, modalidade: spelt('modalidade') }] },
    produto: {
      tratamentos: [control, { ...second, produtos_aplicados: [{ nome: spelt('produto') }] }],
    },
  }
  const shows = async (what: string, change: object) => {
    const body = { ...experimentInput(), ...change }
    const { experimento } = await world.made('O', 'POST', '/api/experiments', body)
    const whole = textOf(await get('O', `/api/experiments/${experimento.id}`))
    await world.made('O', 'DELETE', `/api/experiments/${experimento.id}`)
    expect(whole).toContain(spelt(what))
    expect(whole).not.toContain(word('other', what))
  }
  test.each(Object.entries(free))('%s', shows)
  test.each(Object.entries(named))('%s', shows)
})

/** A letter as it is read: soft ends of lines and encoded words undone. */
function plain(letter: string): string {
  const unfolded = letter.replace(/=\r?\n/g, '')
  const encoded = [...letter.matchAll(/\r?\n\r?\n((?:[A-Za-z0-9+/=]{4,}\r?\n?)+)/g)].map(([, text = '']) =>
    Buffer.from(text, 'base64').toString(),
  )
  const words = [...letter.matchAll(/=\?utf-8\?[bq]\?(.*?)\?=/gi)].map(([, text = '']) =>
    Buffer.from(text, 'base64').toString(),
  )
  return [letter, unfolded, ...encoded, ...words].join('\n')
}
