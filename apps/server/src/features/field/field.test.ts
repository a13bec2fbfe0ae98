import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { create } from 'qrcode'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestServer, type TestServer } from '../../test-server.ts'
import { asking, sheet, variable, YIELDS, yields } from '../trials/test-trials.ts'
import { labelFile } from './label-file.ts'

let server: TestServer
let ana: Person
let bruno: Person
beforeAll(async () => {
  server = await startTestServer()
  ana = await server.person({ name: 'Ana Prado' })
  bruno = await server.person({ name: 'Bruno Reis', role: 'admin' })
  await sql`update membros set papel = 'dono' where pessoa_id = ${bruno.id}`.execute(server.handle)
})
afterAll(() => server.stop())

const HEIGHT = variable('altura', { nome: 'Altura', unidade: 'cm', minimo: 0, maximo: 300 })
const NOTE = variable('obs', { nome: 'Observação', tipo: 'texto' })
const DAY = variable('colheita', { nome: 'Colheita', tipo: 'data' })

const PESTS = variable('pragas', {
  ...{ nome: 'Pragas', tipo: 'nota', varias: true },
  categorias: ['Lagarta', 'Percevejo', 'Ácaro'].map((rotulo, at) => ({ valor: at + 1, rotulo })),
})

/** A trial with an empty column for each of some variables, and the ids of its plots and variables. */
async function taken(variables: readonly { chave: string }[] = [HEIGHT, NOTE, DAY]) {
  const of = asking(server, ana)
  const columns = variables.map(({ chave: variavel }) => ({
    ...{ variavel, avaliacao: null, valores: YIELDS.map(() => null) },
  }))
  const id = await of.planted({
    variaveis: [...sheet().variaveis, ...variables],
    valores: [...sheet().valores, ...columns],
  })
  const pack = await of.done(of.call('GET', `/api/experiments/${id}/field-package`))
  const plot = (numero: number): string =>
    pack.parcelas.find((one: { numero: number }) => one.numero === numero).id
  const variableId = (chave: string): string =>
    pack.variaveis.find((one: { chave: string }) => one.chave === chave).id
  return { of, id, pack, plot, variableId }
}
type Taken = Awaited<ReturnType<typeof taken>>

/** One phone of a person: numbers go up, ids are its own. */
function phone(trial: Taken, person: Person) {
  const aparelho = randomUUID()
  let seq = 0
  const change = (given: Record<string, unknown>) => {
    seq += 1
    return {
      ...{ v: 1, id: randomUUID(), aparelho, seq, experimento: trial.id, pacote: trial.pack.versao },
      ...{ tipo: 'valor', parcela: trial.plot(101), variavel: trial.variableId('altura'), base: null },
      ...{ quando: '2026-03-12T12:00:00-03:00', ...given },
    }
  }
  const send = async (...registros: unknown[]) => {
    const answer = await server.call('POST', '/api/field/changes', {
      token: person.token,
      body: { aparelho, registros },
    })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body.resultados
  }
  return { aparelho, change, send, enter: (given: Record<string, unknown>) => send(change(given)) }
}
/** @returns the id of a plot that the trial had until now */
async function goneFrom({ of, id, plot }: Taken, numero = 403): Promise<string> {
  const now = await of.ficha(id)
  const row = now.parcelas.findIndex((one: { numero: number }) => one.numero === numero)
  const without = <T>(items: readonly T[]) => items.toSpliced(row, 1)
  const valores = now.valores.map((column: { valores: unknown[] }) => ({
    ...{ ...column, valores: without(column.valores) },
  }))
  await of.done(of.put(id, { ...now, parcelas: without(now.parcelas), valores }))
  return plot(numero)
}
const standing = async ({ of, id }: Taken, variavel = 'altura', row = 0) =>
  (await of.ficha(id)).valores.find((one: { variavel: string }) => one.variavel === variavel).valores[row]

describe('ids', () => {
  test('stay with the number when the sheet is put again, and a code with its plot', async () => {
    const { of, id, pack } = await taken()
    const before = await of.ficha(id)
    await of.done(
      of.put(id, {
        ...sheet({ versao: 1, variaveis: before.variaveis.map((v: object) => ({ ...v, id: undefined })) }),
        parcelas: [...sheet().parcelas].reverse(),
        valores: yields([...YIELDS].reverse()),
      }),
    )
    const after = await of.ficha(id)
    const ids = (plots: { numero: number; id: string; codigo: string }[]) =>
      Object.fromEntries(plots.map(({ numero, id, codigo }) => [numero, { id, codigo }]))
    expect(ids(after.parcelas)).toEqual(ids(before.parcelas))
    expect(after.variaveis.map((v: { id: string }) => v.id)).toEqual(
      before.variaveis.map((v: { id: string }) => v.id),
    )
    for (const { codigo } of pack.parcelas) expect(codigo).toMatch(/^[0-9A-HJKMNP-TV-Z]{10}$/)
  })

  test('follow a plot that gets another number, and are never taken from who sends a foreign one', async () => {
    const [one, other] = [await taken(), await taken()]
    const before = await one.of.ficha(one.id)
    const parcelas = before.parcelas.map((plot: { numero: number }) =>
      plot.numero === 101 ? { ...plot, numero: 901 } : plot,
    )
    const foreign = { ...sheet().parcelas[0], numero: 902, id: other.plot(101) }
    await one.of.done(one.of.put(one.id, { ...before, parcelas: [...parcelas, foreign], valores: [] }))
    const after = await one.of.ficha(one.id)
    const idOf = (numero: number) =>
      after.parcelas.find((plot: { numero: number }) => plot.numero === numero).id
    expect(idOf(901)).toBe(one.plot(101))
    expect(idOf(902)).not.toBe(other.plot(101))
  })
})

test('the package tells plots, values and who entered them, and nothing of costs', async () => {
  const trial = await taken()
  const { of, id } = trial
  const first = await of.call('GET', `/api/experiments/${id}/field-package`)
  expect(JSON.stringify(first.body)).not.toMatch(/custo|roi|preco/i)
  expect(first.body.parcelas).toHaveLength(12)
  const { body: size } = await of.call('GET', `/api/experiments/${id}/field-package/size`)
  expect(size).toMatchObject({
    ...{ parcelas: 12, variaveis: first.body.variaveis.length, avaliacoes: first.body.avaliacoes.length },
    valores: first.body.valores.flatMap(({ valores }: { valores: unknown[] }) =>
      valores.filter((value) => value !== null),
    ).length,
  })
  expect(size.bytes).toBeGreaterThan(200)
  expect(size.bytes).toBeLessThan(JSON.stringify(first.body).length)
  const again = await of.call('GET', `/api/experiments/${id}/field-package`, undefined, {
    'if-none-match': first.headers.get('etag') ?? '',
  })
  expect(again.status).toBe(304)
  const [{ revisao }] = await phone(trial, ana).enter({ valor: 82 })
  const changed = await of.call('GET', `/api/experiments/${id}/field-package`, undefined, {
    'if-none-match': first.headers.get('etag') ?? '',
  })
  expect(changed.status).toBe(200)
  const column = changed.body.valores.find(
    (one: { variavel: string }) => one.variavel === trial.variableId('altura'),
  )
  expect([column.valores[0], column.registros[0]]).toEqual([82, revisao])
  expect(changed.body.autores[revisao]).toMatchObject({ quem: 'Ana Prado' })
})

test('the package tells where north is on the layout, where somebody told it, and a phone hears of it', async () => {
  const trial = await taken()
  const ficha = await trial.of.ficha(trial.id)
  expect(trial.pack).not.toHaveProperty('norte')
  await trial.of.done(trial.of.put(trial.id, { ...ficha, norte: 315 }))
  const pack = await trial.of.done(trial.of.call('GET', `/api/experiments/${trial.id}/field-package`))
  expect([pack.norte, (await trial.of.ficha(trial.id)).norte]).toEqual([315, 315])
  expect(pack.estrutura).not.toBe(trial.pack.estrutura)
  const wrong = await trial.of.put(trial.id, { ...ficha, versao: 2, norte: 360 })
  expect([wrong.status, wrong.body.fields[0].message]).toEqual([422, 'Informe de 0 a 359 graus'])
})

test('a phone can tell a trial that changed at home from one that got values', async () => {
  const trial = await taken()
  const now = async () =>
    (await trial.of.done(trial.of.call('GET', `/api/experiments/${trial.id}/field-changes`))).estrutura
  expect(trial.pack.estrutura).toMatch(/^\S{16}$/)
  expect(await now()).toBe(trial.pack.estrutura)
  await phone(trial, ana).enter({ valor: 82 })
  expect(await now()).toBe(trial.pack.estrutura)
  await goneFrom(trial)
  expect(await now()).not.toBe(trial.pack.estrutura)
})

describe('an entry', () => {
  test('is applied once, however often it comes', async () => {
    const trial = await taken()
    const { change, send } = phone(trial, ana)
    const entry = change({ valor: 82.5 })
    const [first] = await send(entry)
    expect(first).toMatchObject({ estado: 'aplicado', revisao: entry.id, valor: 82.5, quem: 'Ana Prado' })
    expect(await send(entry, entry)).toEqual([first, first])
    expect(await standing(trial)).toBe(82.5)
    expect((await trial.of.ficha(trial.id)).versao).toBe(2)
  })

  test('that a colleague brings in a copy is the same entry, whoever sends it first', async () => {
    const trial = await taken()
    const own = phone(trial, ana)
    const [sent, waiting] = [own.change({ valor: 81 }), own.change({ valor: 82, parcela: trial.plot(102) })]
    await own.send(sent)
    const copies = [sent, { ...waiting, nome: 'Ana Prado' }]
    const brought = await server.call('POST', '/api/field/changes', {
      token: bruno.token,
      body: { aparelho: own.aparelho, registros: copies },
    })
    expect(brought.body.resultados).toMatchObject([
      { estado: 'aplicado', valor: 81, quem: 'Ana Prado' },
      { estado: 'aplicado', valor: 82, quem: 'Ana Prado' },
    ])
    expect(await own.send(waiting)).toMatchObject([{ id: waiting.id, estado: 'aplicado', valor: 82 }])
    // Another value under its number is none of them.
    expect(await own.send({ ...waiting, valor: 83 })).toMatchObject([{ estado: 'recusado' }])
  })

  test('that others had not seen is a conflict: what stands stays, both are kept, a decision ends it', async () => {
    const trial = await taken()
    const [one, two] = [phone(trial, ana), phone(trial, bruno)]
    const [first] = await one.enter({ valor: 92 })
    const lost = two.change({ valor: 95 })
    const [second] = await two.send(lost)
    expect(second).toMatchObject({ estado: 'conflito', revisao: first.id, valor: 92, quem: 'Ana Prado' })
    expect(await standing(trial)).toBe(92)
    const pack = await trial.of.done(trial.of.call('GET', `/api/experiments/${trial.id}/field-package`))
    expect(pack.conflitos).toMatchObject([{ id: lost.id, valor: 95, quem: 'Bruno Reis' }])
    const [decided] = await two.enter({ tipo: 'decisao', base: first.id, valor: 95, decide: [lost.id] })
    expect(decided).toMatchObject({ estado: 'aplicado', valor: 95 })
    const after = await trial.of.done(trial.of.call('GET', `/api/experiments/${trial.id}/field-package`))
    expect(after.conflitos).toEqual([])
    expect(await standing(trial)).toBe(95)
  })

  test('in conflict is decided at the desk by who edits the trial, once, and by who saw what stands', async () => {
    const trial = await taken()
    const { of, id } = trial
    const waiting = async () =>
      (await of.done(of.call('GET', `/api/experiments/${id}/field-parked`))).conflitos
    const settle = (change: string, body: unknown, as = of) =>
      as.call('POST', `/api/experiments/${id}/field-changes/${change}/settle`, body)
    const [first] = await phone(trial, ana).enter({ valor: 92 })
    const two = phone(trial, bruno)
    const lost = two.change({ valor: 95 })
    await two.send(lost)
    expect(await waiting()).toMatchObject([
      {
        ...{ id: lost.id, valor: 95, quem: 'Bruno Reis', formato: { tipo: 'continua' } },
        rotulos: { parcela: '101', variavel: 'Altura (cm)', avaliacao: null },
        atual: { id: first.id, valor: 92, quem: 'Ana Prado' },
      },
    ])
    const own = { acao: 'decidir', ficar: 'registro', base: first.id }
    expect((await settle(lost.id, { ...own, base: null })).body).toMatchObject({
      ...{ code: 'change.settled', detail: 'Outro valor vale agora nesta célula. Confira de novo.' },
    })
    expect((await settle(lost.id, { ...own, ficar: 'ambos' })).status).toBe(422)
    expect((await settle(lost.id, { acao: 'descartar' })).body.code).toBe('change.settled')
    expect((await settle(first.id, own)).body.code).toBe('change.settled')
    expect(await waiting()).toHaveLength(1)
    const decided = await settle(lost.id, own)
    expect(decided.body.resultado).toMatchObject({ estado: 'aplicado', valor: 95, quem: 'Ana Prado' })
    expect(await standing(trial)).toBe(95)
    expect(await waiting()).toEqual([])
    expect((await settle(lost.id, own)).body.code).toBe('change.settled')

    await phone(trial, ana).enter({ parcela: trial.plot(102), valor: 70 })
    await two.enter({ parcela: trial.plot(102), valor: 71 })
    const again = two.change({ valor: 97, base: first.id })
    expect(await two.send(again)).toMatchObject([{ estado: 'conflito' }])
    const told = await waiting()
    expect(
      told.map(({ rotulos, valor, atual }: Record<string, Record<string, unknown>>) => [
        ...[rotulos?.['parcela'], atual?.['valor'], valor],
      ]),
    ).toEqual([
      ['102', 70, 71],
      ['101', 95, 97],
    ])
    await settle(again.id, { acao: 'decidir', ficar: 'atual', base: told[1].atual.id })
    expect([await standing(trial), (await waiting()).length]).toEqual([95, 1])
  })

  test('in conflict is named in the analysis of its variable, until it is decided', async () => {
    const trial = await taken()
    const asked = `/api/experiments/${trial.id}/analysis?variavel=produtividade`
    const told = async (of: typeof trial.of): Promise<string[]> =>
      (await of.done(of.call('GET', asked))).analise.avisos.flatMap(
        ({ codigo, texto }: { codigo: string; texto: string }) => (codigo === 'conflitos' ? texto : []),
      )
    expect(await told(trial.of)).toEqual([])
    const variavel = trial.variableId('produtividade')
    const one = phone(trial, ana)
    const lost = one.change({ variavel, valor: 4000 })
    expect(await one.send(lost)).toMatchObject([{ estado: 'conflito' }])
    await one.enter({ valor: 82 })
    expect(await phone(trial, bruno).enter({ valor: 95 })).toMatchObject([{ estado: 'conflito' }])
    expect(await told(trial.of)).toEqual([
      '1 conflito do campo espera uma decisão (parcela 101): a análise usa o valor que está valendo.',
    ])
    const base = trial.pack.valores.find((of: { variavel: string }) => of.variavel === variavel).registros[0]
    await one.enter({ tipo: 'decisao', variavel, base, valor: 4000, decide: [lost.id] })
    expect(await told(trial.of)).toEqual([])
  })

  test('is a conflict with what the desk wrote meanwhile, and follows it where it was seen', async () => {
    const trial = await taken()
    const cell = { parcela: 101, variavel: 'altura', avaliacao: null }
    await trial.of.done(trial.of.patch(trial.id, [{ ...cell, valor: 70, antes: null }]))
    const one = phone(trial, ana)
    const [blind] = await one.enter({ valor: 82 })
    expect(blind).toMatchObject({ estado: 'conflito', valor: 70 })
    const [seen] = await phone(trial, ana).enter({ valor: 83, base: blind.revisao })
    expect(seen).toMatchObject({ estado: 'aplicado', valor: 83 })
    const { registros } = await trial.of.done(
      trial.of.call('GET', `/api/experiments/${trial.id}/field-changes`),
    )
    expect(
      registros
        .filter(({ variavel }: { variavel: string }) => variavel === trial.variableId('altura'))
        .map(({ origem, valor, estado }: Record<string, unknown>) => [origem, valor, estado]),
    ).toEqual([
      ['mesa', 70, 'aplicado'],
      ['campo', 82, 'conflito'],
      ['campo', 83, 'aplicado'],
    ])
  })

  test('is written of every cell of a column that a save leaves out, and words stay', async () => {
    const trial = await taken()
    const one = phone(trial, ana)
    const [first] = await one.enter({ valor: 82 })
    await one.enter({ variavel: trial.variableId('obs'), valor: 'acamada' })
    const before = await trial.of.ficha(trial.id)
    await trial.of.done(trial.of.put(trial.id, { ...before, valores: [] }))
    const after = await trial.of.ficha(trial.id)
    expect(after.valores.flatMap(({ valores }: { valores: unknown[] }) => valores)).toEqual(
      Array(3 * YIELDS.length).fill(null),
    )
    expect(after.textos[0]).toEqual(before.textos[0])
    const { registros } = await trial.of.done(
      trial.of.call('GET', `/api/experiments/${trial.id}/field-changes`),
    )
    const gone = registros.filter(({ tipo }: { tipo: string }) => tipo === 'exclusao')
    expect(gone).toHaveLength(YIELDS.length + 1)
    const height = gone.find(
      ({ variavel }: Record<string, unknown>) => variavel === trial.variableId('altura'),
    )
    expect(height).toMatchObject({
      ...{ origem: 'mesa', parcela: trial.plot(101), base: first.id, valor: null, quem: 'Ana Prado' },
    })
    expect(await phone(trial, bruno).enter({ valor: 83, base: first.id })).toMatchObject([
      { estado: 'conflito', revisao: height.id },
    ])
  })

  test('that is none is refused by itself, and the others go on', async () => {
    const trial = await taken()
    const { change, send } = phone(trial, ana)
    const results = await send(
      { tipo: 'valor' },
      change({ valor: 82 }),
      change({ valor: null }),
      { ...change({ valor: 1 }), aparelho: randomUUID() },
      { ...change({ valor: 1 }), experimento: randomUUID() },
      'x',
      change({ valor: 83, parcela: trial.plot(102) }),
    )
    expect(results.map(({ estado }: { estado: string }) => estado)).toEqual([
      ...['recusado', 'aplicado', 'recusado', 'recusado', 'recusado', 'recusado', 'aplicado'],
    ])
  })

  test('whose plot is gone, whose variable or form is unknown is kept without a place, whole', async () => {
    const trial = await taken()
    const { change, send } = phone(trial, ana)
    const results = await send(
      change({ valor: 82, parcela: await goneFrom(trial) }),
      change({ valor: 82, variavel: randomUUID() }),
      change({ valor: 'alta' }),
      { ...change({ valor: 82 }), v: 2, novo: 'campo de amanhã' },
    )
    expect(results.map(({ estado }: { estado: string }) => estado)).toEqual(Array(4).fill('guardado'))
    const { rows } = await sql<{ extra: unknown }>`
      select extra from registros where experimento_id = ${trial.id} and estado = 'guardado' order by ordem desc limit 1
    `.execute(server.handle)
    expect(rows[0]?.extra).toMatchObject({ como_veio: { novo: 'campo de amanhã' } })
  })

  test('for a plot that never was the trial’s is refused, whosever it is; for one that went with the sheet, kept', async () => {
    const [trial, own] = [await taken(), await taken()]
    const { change, send } = phone(trial, ana)
    const foreign = () => [own.plot(101), randomUUID()]
    const states = async (...plots: string[]) =>
      (await send(...plots.map((parcela) => change({ valor: 82, parcela })))).map(
        ({ estado, motivo }: Record<string, unknown>) => [estado, motivo],
      )
    const refused = ['recusado', 'A parcela não é deste ensaio']
    expect(await states(...foreign())).toEqual([refused, refused])
    const note = change({ tipo: 'nota', variavel: null, parcela: own.plot(101), valor: 'Acamada' })
    expect(await send(note)).toMatchObject([{ estado: 'recusado' }])
    await trial.of.done(trial.of.call('DELETE', `/api/experiments/${trial.id}/plots`))
    expect(await states(...foreign(), trial.plot(101))).toEqual([refused, refused, ['guardado', null]])
    await trial.of.done(trial.of.put(trial.id, sheet()))
    expect((await states(...foreign(), trial.plot(101))).map(([estado]: string[]) => estado)).toEqual([
      ...['recusado', 'recusado', 'guardado'],
    ])
    const parked = await trial.of.call('GET', `/api/experiments/${trial.id}/field-parked`)
    expect(parked.body.registros).toHaveLength(2)
  })

  test('outside the limits of its variable is applied, since they may be new', async () => {
    const trial = await taken()
    expect(await phone(trial, ana).enter({ valor: 999 })).toMatchObject([{ estado: 'aplicado' }])
    const { rows } =
      await sql`select fora from registros where experimento_id = ${trial.id} and valor = '999'`.execute(
        server.handle,
      )
    expect(rows).toEqual([{ fora: true }])
  })

  test('of words and of a day is kept, and stands when the sheet is put without it', async () => {
    const trial = await taken()
    const { change, send } = phone(trial, ana)
    await send(
      change({ variavel: trial.variableId('obs'), valor: 'acamada' }),
      change({ variavel: trial.variableId('colheita'), valor: '2026-03-12' }),
    )
    const before = await trial.of.ficha(trial.id)
    expect(before.textos.map(({ textos }: { textos: string[] }) => textos[0])).toEqual([
      'acamada',
      '2026-03-12',
    ])
    await trial.of.done(trial.of.put(trial.id, { ...before, testemunha: 2 }))
    expect((await trial.of.ficha(trial.id)).textos).toEqual(before.textos)
  })

  test('of several categories is kept as words, by the same merge, and is no number', async () => {
    const trial = await taken([HEIGHT, PESTS])
    const [pests, other] = [{ variavel: trial.variableId('pragas') }, phone(trial, bruno)]
    const { enter } = phone(trial, ana)
    expect(await enter({ ...pests, valor: '1; 3' })).toMatchObject([{ estado: 'aplicado', valor: '1; 3' }])
    expect(await other.enter({ ...pests, valor: '1; 3' })).toMatchObject([{ estado: 'igual' }])
    expect(await other.enter({ ...pests, valor: '2' })).toMatchObject([{ estado: 'conflito', valor: '1; 3' }])
    // A category that went meanwhile is marked; what is no category is kept aside.
    const far = { ...pests, parcela: trial.plot(102) }
    expect(await enter({ ...far, valor: '2; 9' })).toMatchObject([{ estado: 'aplicado' }])
    expect(await enter({ ...far, valor: 2 })).toMatchObject([{ estado: 'guardado' }])
    expect(await enter({ ...far, valor: 'lagarta' })).toMatchObject([{ estado: 'guardado' }])
    const marked = await sql`select valor from registros where experimento_id = ${trial.id} and fora`.execute(
      server.handle,
    )
    expect(marked.rows).toEqual([{ valor: '2; 9' }])
    const { textos, valores } = await trial.of.ficha(trial.id)
    const column = <T extends { variavel: string }>(columns: T[]) =>
      columns.find(({ variavel }) => variavel === 'pragas')
    expect(column<{ variavel: string; textos: unknown[] }>(textos)?.textos.slice(0, 2)).toEqual([
      '1; 3',
      '2; 9',
    ])
    const numbers = column<{ variavel: string; valores: unknown[] }>(valores)?.valores
    expect(numbers?.every((one) => one === null)).toBe(true)
    const csv = await server.call('GET', `/api/experiments/${trial.id}/plots/export?formato=csv`, {
      token: ana.token,
    })
    expect(csv.bytes.toString()).toContain('1; 3')
    const analysis = await server.call('GET', `/api/experiments/${trial.id}/analysis?variavel=pragas`, {
      token: ana.token,
    })
    expect(analysis.status).toBe(422)
    // Without categories there is nothing to choose from.
    const ficha = await trial.of.ficha(trial.id)
    const without = ficha.variaveis.map((one: { chave: string }) =>
      one.chave === 'pragas' ? { ...one, categorias: null } : one,
    )
    expect((await trial.of.put(trial.id, { ...ficha, variaveis: without })).body.fields).toEqual([
      {
        path: expect.stringContaining('categorias'),
        message: 'Informe as categorias que podem ser escolhidas',
      },
    ])
  })

  test('of a sample is one number of its cell', async () => {
    const trial = await taken()
    const { change, send } = phone(trial, ana)
    await send(
      change({ amostra: 1, valor: 80 }),
      change({ amostra: 3, valor: 84 }),
      change({ amostra: 2, valor: 82 }),
    )
    expect(await standing(trial)).toEqual([80, 82, 84])
    const [again] = await send(change({ amostra: 2, valor: 83 }))
    expect(again.estado).toBe('aplicado')
    expect(await standing(trial)).toEqual([80, 83, 84])
  })

  test('without a value and its reason is no empty cell: another phone that saw none is a conflict', async () => {
    const trial = await taken()
    await phone(trial, ana).enter({ tipo: 'sem_valor', motivo: 'perdida' })
    expect(await phone(trial, bruno).enter({ valor: 82 })).toMatchObject([
      { estado: 'conflito', valor: null },
    ])
  })

  test('changes the means of the trial, and its history tells it', async () => {
    const trial = await taken()
    const { change, send } = phone(trial, ana)
    const base = trial.pack.valores.find(
      (one: { variavel: string }) => one.variavel === trial.variableId('produtividade'),
    ).registros[0]
    await send(change({ variavel: trial.variableId('produtividade'), valor: 4000, base }))
    const { tratamentos } = await trial.of.experiment(trial.id)
    expect(tratamentos[0].produtividade).toBe((4000 + 2890 + 3105 + 2995) / 4)
  })
})

describe('an entry without a place', () => {
  const settle = ({ of, id }: Taken, change: string, body: unknown) =>
    of.call('POST', `/api/experiments/${id}/field-changes/${change}/settle`, body)

  test('is put where an editor says, once, with who collected it and when', async () => {
    const trial = await taken()
    const lost = phone(trial, ana).change({ valor: 82, parcela: await goneFrom(trial), nome: 'João' })
    expect(await phone(trial, ana).send({ ...lost, aparelho: randomUUID() })).toMatchObject([
      { estado: 'recusado' },
    ])
    await server.call('POST', '/api/field/changes', {
      token: ana.token,
      body: { aparelho: lost.aparelho, registros: [lost] },
    })
    const place = { acao: 'colocar', parcela: trial.plot(102), variavel: trial.variableId('altura') }
    const wrong = await settle(trial, lost.id, { ...place, parcela: randomUUID() })
    expect(wrong.status).toBe(422)
    const placed = await settle(trial, lost.id, place)
    expect(placed.body.resultado).toMatchObject({ estado: 'aplicado', valor: 82, quem: 'João' })
    expect(await standing(trial, 'altura', 1)).toBe(82)
    expect((await settle(trial, lost.id, place)).body.code).toBe('change.settled')
  })

  test('is listed for who may edit with why it has none, until it is settled; a newer form fits nowhere', async () => {
    const trial = await taken()
    const { change, send } = phone(trial, ana)
    const rotulos = { parcela: '909', variavel: 'Altura', avaliacao: null }
    const lost = change({ valor: 82, parcela: await goneFrom(trial), rotulos, nome: 'João' })
    const newer = { ...change({}), v: 2, novo: 'campo de amanhã' }
    await send(lost, newer)
    const parked = () => trial.of.call('GET', `/api/experiments/${trial.id}/field-parked`)
    expect((await parked()).body.registros).toMatchObject([
      {
        ...{ id: lost.id, valor: 82, nome: 'João', quem: 'Ana Prado', rotulos },
        razao: 'A parcela, a variável ou a avaliação não existe mais',
      },
      { id: newer.id, valor: null, razao: 'Feito por uma versão mais nova do aplicativo' },
    ])
    const place = { acao: 'colocar', parcela: trial.plot(102), variavel: trial.variableId('altura') }
    expect((await settle(trial, newer.id, place)).status).toBe(422)
    await settle(trial, lost.id, place)
    await settle(trial, newer.id, { acao: 'descartar' })
    expect((await parked()).body).toEqual({ registros: [], conflitos: [] })
    const reader = await server.person({ name: 'Lia Reis' })
    await sql`update membros set papel = 'leitor' where pessoa_id = ${reader.id}`.execute(server.handle)
    const asked = { token: reader.token }
    expect((await server.call('GET', `/api/experiments/${trial.id}/field-parked`, asked)).status).toBe(403)
  })

  test('of another person stays theirs, and who sent it is told that it was decided', async () => {
    const trial = await taken()
    const two = phone(trial, bruno)
    const lost = two.change({ valor: 82, parcela: await goneFrom(trial) })
    await two.send(lost)
    const place = { acao: 'colocar', parcela: trial.plot(102), variavel: trial.variableId('altura') }
    expect((await settle(trial, lost.id, place)).body.resultado).toMatchObject({
      ...{ estado: 'aplicado', valor: 82, quem: 'Bruno Reis' },
    })
    expect(await two.send(lost)).toMatchObject([
      { id: lost.id, estado: 'guardado', motivo: 'Já decidido por quem edita o ensaio' },
    ])
  })

  test('is what a conflict becomes whose plot goes, and can be placed or thrown away', async () => {
    const trial = await taken()
    const plot = trial.plot(403)
    await phone(trial, ana).enter({ valor: 92, parcela: plot })
    const [lost] = await phone(trial, bruno).enter({ valor: 95, parcela: plot })
    expect(lost.estado).toBe('conflito')
    await goneFrom(trial)
    const parked = (await trial.of.call('GET', `/api/experiments/${trial.id}/field-parked`)).body
    expect(parked.conflitos).toEqual([])
    expect(parked.registros).toMatchObject([
      { id: lost.id, valor: 95, razao: 'A parcela, a variável ou a avaliação não existe mais' },
    ])
    const place = { acao: 'colocar', parcela: trial.plot(102), variavel: trial.variableId('altura') }
    expect((await settle(trial, lost.id, place)).body.resultado).toMatchObject({ valor: 95 })
  })

  test('is thrown away, and the history keeps it', async () => {
    const trial = await taken()
    const one = phone(trial, ana)
    const lost = one.change({ valor: 82, parcela: await goneFrom(trial) })
    await one.send(lost)
    expect((await settle(trial, lost.id, { acao: 'descartar' })).body).toEqual({ resultado: null })
    const { registros } = await trial.of.done(
      trial.of.call('GET', `/api/experiments/${trial.id}/field-changes`),
    )
    expect(registros.find(({ id }: { id: string }) => id === lost.id)).toMatchObject({
      ...{ estado: 'guardado', encerrado: true, valor: 82 },
    })
    expect((await settle(trial, lost.id, { acao: 'guardar' })).status).toBe(422)
  })
})

describe('whoever lost the right', () => {
  test('keeps what was recorded before on the server, and is told nothing of the trial', async () => {
    const trial = await taken()
    const { aparelho, change } = phone(trial, ana)
    const leaving = await server.person({ name: 'Caio Luz' })
    await sql`update experimentos set created_by = ${leaving.id} where id = ${trial.id}`.execute(
      server.handle,
    )
    const call = (method: string, path: string, body?: unknown) =>
      server.call(method, path, { token: leaving.token, ...(body !== undefined && { body }) })
    const path = `/api/experiments/${trial.id}/field-package?aparelho=${aparelho}`
    expect((await call('GET', path)).status).toBe(200)
    // Its answer is lost, and it is sent again after the right is gone.
    const before = change({ valor: 77, parcela: trial.plot(102) })
    const taking = await call('POST', '/api/field/changes', { aparelho, registros: [before] })
    expect(taking.body.resultados).toMatchObject([{ id: before.id, estado: 'aplicado', valor: 77 }])
    await sql`update membros set papel = 'leitor' where pessoa_id = ${leaving.id}`.execute(server.handle)
    const entry = change({ valor: 82 })
    const answer = await call('POST', '/api/field/changes', { aparelho, registros: [entry] })
    expect(answer.body.resultados).toMatchObject([{ id: entry.id, estado: 'guardado', valor: null }])
    expect(await standing(trial)).toBe(null)
    const again = await call('POST', '/api/field/changes', { aparelho, registros: [before] })
    expect(again.body.resultados).toMatchObject([
      { id: before.id, estado: 'aplicado', motivo: null, valor: null },
    ])
    const foreign = change({ valor: 82, parcela: (await taken()).plot(101) })
    const refused = await call('POST', '/api/field/changes', { aparelho, registros: [foreign] })
    expect(refused.body.resultados).toMatchObject([{ id: foreign.id, estado: 'recusado' }])
    const other = randomUUID()
    const forged = await call('POST', '/api/field/changes', {
      ...{ aparelho: other, registros: [{ ...change({ valor: 1 }), aparelho: other }] },
    })
    expect(forged.body.resultados).toMatchObject([{ estado: 'recusado' }])
  })
})

test('who writes at once is taken in one order, and nobody who reads by the cursor misses anything', async () => {
  const trial = await taken()
  const { of, id } = trial
  const seen: { id: string }[] = []
  let cursor = '0'
  let writing = true
  const reading = (async () => {
    let last = false
    while (!last) {
      last = !writing
      const page = await of.done(of.call('GET', `/api/experiments/${id}/field-changes?after=${cursor}`))
      seen.push(...page.registros)
      cursor = page.cursor
    }
  })()
  const writers = Array.from({ length: 8 }, async (_, w) => {
    const one = phone(trial, w % 2 === 0 ? ana : bruno)
    for (let k = 0; k < 12; k++)
      await one.enter({
        parcela: trial.plot((Math.floor(k / 3) + 1) * 100 + (k % 3) + 1),
        valor: 60 + w * 12 + k,
      })
  })
  await Promise.all(writers)
  writing = false
  await reading
  const { rows } = await sql<{ id: string }>`
    select id from registros where experimento_id = ${id} order by ordem
  `.execute(server.handle)
  expect(seen.map((one) => one.id)).toEqual(rows.map((row) => row.id))
  expect(rows).toHaveLength(12 + 96)
})

test('a fast clock that the phone has measured is no hour in the future', async () => {
  const told = async (desvio_ms: number | null) => {
    const trial = await taken()
    const ahead = new Date(Date.now() + 5 * 3_600_000).toISOString()
    await phone(trial, ana).enter({ valor: 80, quando: ahead, desvio_ms })
    const { body } = await trial.of.call('GET', `/api/experiments/${trial.id}/quality`)
    return JSON.stringify(body).includes('com hora no futuro')
  }
  expect(await told(null)).toBe(true)
  expect(await told(-5 * 3_600_000)).toBe(false)
})

test('an entry of a phone whose clock was wrong is told with its right time, wherever it is told', async () => {
  const trial = await taken()
  const quando = '2026-03-12T14:30:00.000-03:00'
  const right = '2026-03-12T12:30:00.000Z'
  const { change, send } = phone(trial, ana)
  const ahead = { quando, desvio_ms: -5 * 3_600_000 }
  const first = change({ valor: 80, ...ahead })
  await send(first, change({ parcela: trial.plot(102), valor: 81, quando, desvio_ms: 299_000 }))
  await phone(trial, bruno).enter({ valor: 90, ...ahead })
  const get = async (path: string) =>
    trial.of.done(trial.of.call('GET', `/api/experiments/${trial.id}/${path}`))
  const { registros } = await get('field-changes')
  const last = registros
    .slice(-3)
    .map((one: Record<string, unknown>) => [one.valor, one.quando, one.hora_certa])
  expect(last).toEqual([
    [80, '2026-03-12T17:30:00.000Z', right],
    [81, '2026-03-12T17:30:00.000Z', undefined],
    [90, '2026-03-12T17:30:00.000Z', right],
  ])
  const pack = await get('field-package')
  expect(pack.autores[first.id]).toMatchObject({ quando: '2026-03-12T17:30:00.000Z', hora_certa: right })
  const { conflitos } = await get('field-parked')
  expect([conflitos[0].hora_certa, conflitos[0].atual.hora_certa]).toEqual([right, right])
})

test('a device that its person revoked sends nothing more', async () => {
  const trial = await taken()
  const { aparelho, enter, change } = phone(trial, ana)
  await enter({ valor: 82 })
  const { aparelhos } = await trial.of.done(trial.of.call('GET', '/api/profile/devices'))
  expect(aparelhos).toContainEqual(expect.objectContaining({ id: aparelho, revogado_em: null }))
  expect(
    (await server.call('DELETE', `/api/profile/devices/${aparelho}`, { token: bruno.token })).status,
  ).toBe(404)
  expect((await server.call('DELETE', `/api/profile/devices/${aparelho}`, { token: ana.token })).status).toBe(
    204,
  )
  const answer = await server.call('POST', '/api/field/changes', {
    token: ana.token,
    body: { aparelho, registros: [change({ valor: 83 })] },
  })
  expect([answer.status, answer.body.code]).toEqual([403, 'device.revoked'])
})

describe('the session of a phone', () => {
  const signIn = async (person: Person, headers: Record<string, string> = {}) => {
    const { body } = await server.call('POST', '/auth/v1/token?grant_type=password', {
      body: { email: person.email, password: person.password },
      headers,
    })
    return body as { access_token: string; refresh_token: string }
  }
  const renew = (refresh_token: string) =>
    server.call('POST', '/auth/v1/token?grant_type=refresh_token', { body: { refresh_token } })
  const unusedFor = (days: number, person: Person) =>
    sql`
      update auth.sessions set refreshed_at = refreshed_at - ${days} * interval '1 day',
        not_after = not_after - ${days} * interval '1 day' where user_id = ${person.id}
    `.execute(server.handle)
  const PHONE = { 'x-ensaio-campo': '1' }

  test('lives 90 days from its last contact, again and again; one of the browser a week', async () => {
    const person = await server.person()
    const [phone, browser] = [await signIn(person, PHONE), await signIn(person)]
    await unusedFor(8, person)
    expect((await renew(browser.refresh_token)).status).toBe(400)
    let held = (await renew(phone.refresh_token)).body
    for (const days of [80, 89]) {
      await unusedFor(days, person)
      const renewed = await renew(held.refresh_token)
      expect(renewed.status, String(days)).toBe(200)
      held = renewed.body
    }
    expect((await server.call('GET', '/api/profile', { token: held.access_token })).status).toBe(200)
    await unusedFor(91, person)
    expect((await renew(held.refresh_token)).status).toBe(400)
  })

  test('is made beside the one of the pages, proven as that one is, and ends with its sign-out alone', async () => {
    const person = await server.person()
    const open = (refresh_token: string) =>
      server.call('POST', '/api/auth/field-session', { body: { refresh_token } })
    const asks = async (token: string) => (await server.call('GET', '/api/profile', { token })).status
    const pages = await signIn(person)
    const { body: phone } = await open(pages.refresh_token)
    expect([await asks(pages.access_token), await asks(phone.access_token)]).toEqual([200, 200])
    const { rows: events } = await sql`
      select from auth.audit_log where action = 'session.phone_opened' and actor_id = ${person.id}
    `.execute(server.handle)
    expect(events).toHaveLength(1)
    // What renews the pages' is still good.
    const held = (await renew(pages.refresh_token)).body
    await unusedFor(40, person)
    const renewed = (await renew(phone.refresh_token)).body
    expect(await asks(renewed.access_token)).toBe(200)
    expect((await renew(held.refresh_token)).status).toBe(400)
    expect(await asks(renewed.access_token)).toBe(200)
    // Neither a phone's nor what is no token makes another one.
    expect((await open(renewed.refresh_token)).status).toBe(401)
    for (const [token, status] of [
      ['', 422],
      ['nada', 400],
      [held.refresh_token, 401],
    ] as const)
      expect([token, (await open(token)).status]).toEqual([token, status])

    const again = await signIn(person)
    const { body: second } = await open(again.refresh_token)
    await server.call('POST', '/auth/v1/logout?scope=local', { token: again.access_token })
    expect((await renew(second.refresh_token)).status).toBe(400)
    expect(await asks(second.access_token)).toBe(401)
    expect(await asks(renewed.access_token)).toBe(200)
  })

  test('is not made out of one that lacks the second factor', async () => {
    const person = await server.person()
    const { refresh_token } = await signIn(person)
    await sql`insert into auth.factors (id, user_id, factor_type, status) values
      (gen_random_uuid(), ${person.id}, 'totp', 'verified')`.execute(server.handle)
    const { status, body } = await server.call('POST', '/api/auth/field-session', { body: { refresh_token } })
    expect([status, body.code]).toEqual([403, 'auth.mfa_required'])
  })

  test('of a revoked phone takes the one of the same browser with it', async () => {
    const trial = await taken()
    const pages = await signIn(ana)
    const { body } = await server.call('POST', '/api/auth/field-session', {
      body: { refresh_token: pages.refresh_token },
    })
    const { aparelho, enter } = phone(trial, { ...ana, token: body.access_token })
    await enter({ valor: 82 })
    await server.call('DELETE', `/api/profile/devices/${aparelho}`, { token: ana.token })
    const asks = async (token: string) => {
      const answer = await server.call('GET', '/api/profile', { token })
      return [answer.status, answer.body.code]
    }
    expect(await asks(body.access_token)).toEqual([403, 'device.revoked'])
    expect(await asks(pages.access_token)).toEqual([401, 'auth.required'])
    expect((await asks(ana.token))[0]).toBe(200)
  })

  test('of a revoked one is told so, whatever it asks, and its person goes on elsewhere', async () => {
    const trial = await taken()
    const { access_token, refresh_token } = await signIn(ana, PHONE)
    const { aparelho, enter } = phone(trial, { ...ana, token: access_token })
    await enter({ valor: 82 })
    await server.call('DELETE', `/api/profile/devices/${aparelho}`, { token: ana.token })
    for (const path of ['/api/profile', '/api/experiments', `/api/experiments/${trial.id}/field-package`]) {
      const { status, body } = await server.call('GET', path, { token: access_token })
      expect([path, status, body.code]).toEqual([path, 403, 'device.revoked'])
    }
    for (const [method, path, body] of [
      ['PUT', '/auth/v1/user', { password: 'outra-senha-comprida' }],
      ['GET', '/auth/v1/user', undefined],
      ['POST', '/auth/v1/factors', { factor_type: 'totp' }],
      ['POST', '/api/profile/erase', { currentPassword: ana.password }],
    ] as const) {
      const { status } = await server.call(method, path, { token: access_token, body })
      expect([path, [401, 403].includes(status)]).toEqual([path, true])
    }
    const renewed = await renew(refresh_token)
    expect((await server.call('GET', '/api/profile', { token: renewed.body.access_token })).body.code).toBe(
      'device.revoked',
    )
    expect((await server.call('GET', '/api/profile', { token: ana.token })).status).toBe(200)
  })
})

test('a flood of one device ends, and another one goes on', async () => {
  const trial = await taken()
  const one = phone(trial, ana)
  await one.enter({ valor: 82 })
  await sql`update aparelhos set no_dia = 50000 where id = ${one.aparelho}`.execute(server.handle)
  const answer = await server.call('POST', '/api/field/changes', {
    token: ana.token,
    body: { aparelho: one.aparelho, registros: [one.change({ valor: 83 })] },
  })
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '3600'])
  expect(await phone(trial, ana).enter({ valor: 84, parcela: trial.plot(103) })).toMatchObject([
    { estado: 'aplicado' },
  ])
  await sql`update aparelhos set dia = current_date - 1 where id = ${one.aparelho}`.execute(server.handle)
  expect(await one.enter({ valor: 83, parcela: trial.plot(102) })).toMatchObject([{ estado: 'aplicado' }])
})

test('more entries than a request holds are too large, so that the phone sends fewer', async () => {
  const trial = await taken()
  const { aparelho, change, enter } = phone(trial, ana)
  const entry = change({ valor: 82 })
  const answer = await server.call('POST', '/api/field/changes', {
    token: ana.token,
    body: { aparelho, registros: Array(501).fill(entry) },
  })
  expect(answer).toMatchObject({
    status: 413,
    body: { code: 'request.too_large', detail: 'Use no máximo 500 registros por vez' },
  })
  expect(await enter({ valor: 83 })).toMatchObject([{ estado: 'aplicado' }])
})

test('a number that a device uses twice makes it go on under another id, and drops nothing', async () => {
  const trial = await taken()
  const { aparelho, change } = phone(trial, ana)
  const send = async (one: object) =>
    (
      await server.call('POST', '/api/field/changes', {
        token: ana.token,
        body: { aparelho, registros: [one] },
      })
    ).body
  const first = change({ valor: 82 })
  expect(await send(first)).not.toHaveProperty('aparelho_novo')
  const restored = { ...change({ valor: 90, parcela: trial.plot(102) }), seq: first.seq }
  const answer = await send(restored)
  expect(answer.resultados).toMatchObject([{ estado: 'aplicado' }])
  expect(answer.aparelho_novo).toMatch(/^[0-9a-f-]{36}$/)
})

test('a package whose transfer was cut goes on where it stopped, and its tag is the hash of all of it', async () => {
  const { id } = await taken()
  const ask = (query: string) =>
    server.call('GET', `/api/experiments/${id}/field-package${query}`, { token: ana.token })
  const whole = await ask('')
  const hash = createHash('sha256').update(whole.bytes).digest('base64url')
  expect(whole.headers.get('etag')?.replace(/^W\//, '')).toBe(`"${hash}"`)
  expect(whole.headers.get('x-tamanho')).toBe(String(whole.bytes.length))
  const rest = await ask(`?de=1000&marca=${hash}`)
  expect(rest.headers.get('x-de')).toBe('1000')
  expect(rest.bytes.equals(whole.bytes.subarray(1000))).toBe(true)
  const other = await ask('?de=1000&marca=outra')
  expect([other.headers.get('x-de'), other.bytes.length]).toEqual(['0', whole.bytes.length])
})

test('a label opens its plot to who sees the trial, in whatever letters, and nothing to others', async () => {
  const { id, pack } = await taken()
  const { codigo, id: parcela, numero } = pack.parcelas[3]
  const ask = (code: string, person = ana) =>
    server.call('GET', `/api/field/labels/${code}`, { token: person.token })
  expect((await ask(codigo.toLowerCase())).body).toEqual({
    ...{ experimento: id, nome: pack.nome, parcela, numero },
  })
  expect((await ask('ZZZZZZZZZZ')).body).toMatchObject({ code: 'label.not_found' })
})

test('words and days are typed at the desk too, one by one beside those of a phone', async () => {
  const trial = await taken()
  const { of, id } = trial
  const anas = phone(trial, ana)
  await anas.enter({ variavel: trial.variableId('obs'), valor: 'Acamada' })
  const cell = (numero: number, variavel: string, antes: unknown, valor: unknown) => ({
    ...{ parcela: numero, variavel, avaliacao: null, antes, valor },
  })
  const textAt = async (variavel: string, numero: number) => {
    const ficha = await of.ficha(id)
    const row = ficha.parcelas.findIndex((plot: { numero: number }) => plot.numero === numero)
    return ficha.textos.find((one: { variavel: string }) => one.variavel === variavel).textos[row]
  }
  const { versao } = await of.ficha(id)
  expect(
    await of.done(
      of.patch(id, [
        cell(101, 'obs', 'Acamada', 'Acamada no canto'),
        cell(102, 'colheita', null, '2026-03-12'),
        cell(101, 'altura', null, 82),
      ]),
    ),
  ).toEqual({ versao: versao + 2 })
  expect(await textAt('obs', 101)).toBe('Acamada no canto')
  expect(await textAt('colheita', 102)).toBe('2026-03-12')
  expect(await standing(trial)).toBe(82)
  // What somebody else has written since is theirs until a person has seen it.
  const stale = await of.patch(id, [cell(101, 'obs', 'Acamada', 'Outra')])
  expect(stale.status).toBe(409)
  expect(stale.body.current.celulas).toMatchObject([{ parcela: 101, atual: 'Acamada no canto' }])
  for (const [variavel, valor] of [
    ['colheita', 'ontem'],
    ['colheita', 12],
    ['altura', 'alta'],
  ] as const)
    expect((await of.patch(id, [cell(103, variavel, null, valor)])).status).toBe(422)
  expect(await of.done(of.patch(id, [cell(101, 'obs', 'Acamada no canto', null)]))).toEqual({
    versao: versao + 3,
  })
  expect(await textAt('obs', 101)).toBeNull()
  // A phone that has seen none of it makes a conflict, and is told what stands.
  const entries = (await of.call('GET', `/api/experiments/${id}/field-changes`)).body.registros
  expect(entries.map(({ origem }: { origem: string }) => origem)).toContain('mesa')
  const [late] = await phone(trial, bruno).enter({
    ...{ variavel: trial.variableId('colheita'), parcela: trial.plot(102), valor: '2026-03-13' },
  })
  expect([late.estado, late.valor]).toEqual(['conflito', '2026-03-12'])
})

describe('labels as a PDF', () => {
  const labels = (id: string, query = '', token = ana.token) =>
    server.call('GET', `/api/experiments/${id}/field-labels${query}`, { token })
  const sizesOf = (bytes: Buffer) =>
    [...bytes.toString('latin1').matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, width, height]) =>
      [width, height].map((points) => Math.round((Number(points) / 72) * 254) / 10),
    )

  test('are in the millimetres of their paper, from the label that is not used yet', async () => {
    const { id } = await taken()
    const pdf = await labels(id)
    expect(pdf.headers.get('content-type')).toBe('application/pdf')
    expect(pdf.headers.get('content-disposition')).toContain('etiquetas.pdf')
    expect(sizesOf(pdf.bytes)).toEqual([[210, 297]])
    // Twelve labels behind 20 of 24 that are used.
    expect(sizesOf((await labels(id, '?inicio=21&marcas=1')).bytes)).toHaveLength(2)
    const rolls = sizesOf((await labels(id, '?papel=60x40&tratamento=0')).bytes)
    expect(rolls).toEqual(YIELDS.map(() => [60, 40]))
    for (const query of ['?papel=a5', '?inicio=0', '?marcas=sim'])
      expect((await labels(id, query)).status).toBe(422)
  })

  test('say of each plot what its label says, in a code that is its address', async () => {
    const { pack } = await taken()
    const query = { papel: '3x8', inicio: 24, marcas: '0', tratamento: '1' } as const
    type Page = { numero: string; lugar: string; endereco: string; codigo: string; x: number; y: number }[]
    const { paginas } = labelFile(pack, query, 'https://ensaio.exemplo.com.br').data as { paginas: Page[] }
    expect(paginas.map(({ length }) => length)).toEqual([1, 11])
    expect(paginas[1]?.[0]).toMatchObject({ x: 7.25, y: 12.9, numero: '102', lugar: 'Bloco 1 · T2' })
    const [first] = paginas[0] ?? []
    expect(first?.endereco).toBe(`HTTPS://ENSAIO.EXEMPLO.COM.BR/Q/${pack.parcelas[0].codigo}`)
    const { size, data } = create(first?.endereco ?? '', { errorCorrectionLevel: 'M' }).modules
    const dark = new Set<number>()
    for (const [, x, y, run] of first?.codigo.matchAll(/M(\d+) (\d+)h(\d+)/g) ?? [])
      for (let n = 0; n < Number(run); n++) dark.add(Number(y) * size + Number(x) + n)
    expect([...data].flatMap((one, at) => (one ? [at] : []))).toEqual([...dark].sort((a, b) => a - b))
    const blind = { ...pack, parcelas: pack.parcelas.map((plot: object) => ({ ...plot, nome: null })) }
    expect(JSON.stringify(labelFile(blind, query, 'https://x.br').data)).not.toContain('· T')
  })
})
