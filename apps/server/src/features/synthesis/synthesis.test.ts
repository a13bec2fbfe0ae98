import type { SynthesisAnswer } from '@ensaio/domain'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { experimentInput, type Person, startTestServer, type TestServer } from '../../test-server.ts'
import { mendEffects } from '../trials/effects.service.ts'
import { asking, refusal, sheet, YIELDS, yields } from '../trials/test-trials.ts'

let server: TestServer
let person: Person
let ask: ReturnType<typeof asking>
beforeAll(async () => {
  server = await startTestServer()
  person = await server.person()
  ask = asking(server, person)
})
afterAll(() => server.stop())

const [, SECOND] = experimentInput().tratamentos
const treatment = (
  nome: string,
  produtividade: number,
  produtos: string[] = [],
  custo: number | null = 0,
) => ({
  ...{ ...SECOND, nome, produtividade, custo, analises_adicionais: [] },
  produtos_aplicados: produtos.map((produto) => ({ ...SECOND?.produtos_aplicados[0], nome: produto })),
})
const trial = (consultoria: string, means: number[], change: Record<string, unknown> = {}) =>
  ask.trial({
    consultoria,
    tratamentos: means.map((mean, at) =>
      treatment(at === 0 ? 'Testemunha' : `Produto ${at}`, mean, at === 0 ? [] : ['Zeta'], at * 50),
    ),
    ...change,
  })
const answer = async (query: Record<string, string>): Promise<SynthesisAnswer> =>
  (await ask.done(ask.call('GET', `/api/synthesis?${new URLSearchParams({ produto: 'Zeta', ...query })}`)))
    .sintese
const REPORT = { delineamento: 'DBC', repeticoes: 4, cv: 5.2, cv_casas: 1 }
const kept = async (id: string) =>
  (
    await sql<{ variavel: string; origem: string; dados: { m: number[]; d?: number[] } }>`
      select variavel, origem, dados from efeitos where experimento_id = ${id} order by 1`.execute(
      server.handle,
    )
  ).rows

describe('effects are kept with what they rest on', () => {
  test('of plots: put, cells changed, deleted', async () => {
    const id = await trial('Efeitos 1', [3000, 3300, 3500])
    expect(await kept(id)).toEqual([])
    await ask.done(ask.put(id))
    const [before] = await kept(id)
    expect(before).toMatchObject({ variavel: 'produtividade', origem: 'parcelas', dados: { n: [1, 2, 3] } })
    const cell = { parcela: 101, variavel: 'produtividade', avaliacao: null, valor: 3110, antes: YIELDS[0] }
    await ask.done(ask.patch(id, [cell]))
    const [after] = await kept(id)
    expect((after?.dados.m[0] ?? 0) - (before?.dados.m[0] ?? 0)).toBeCloseTo(25, 9)
    await ask.done(ask.call('DELETE', `/api/experiments/${id}/plots`))
    expect(await kept(id)).toEqual([])
  })

  test('of a report: with the trial, with its means, and no more without its statistics', async () => {
    const id = await trial('Efeitos 2', [3000, 3300], { estatistica_informada: REPORT })
    const [first] = await kept(id)
    expect(first?.origem).toBe('reconstruida')
    expect(first?.dados.d?.[0]).toBeCloseTo((0.052 * 3150) ** 2 / 4, 6)
    const change = async (of: Record<string, unknown>) => {
      const now = await ask.experiment(id)
      return ask.done(ask.call('PUT', `/api/experiments/${id}`, { ...now, ...of }))
    }
    const { tratamentos } = await ask.experiment(id)
    await change({ tratamentos: [tratamentos[0], { ...tratamentos[1], produtividade: 3400 }] })
    expect((await kept(id))[0]?.dados.m).toEqual([3000, 3400])
    await ask.done(ask.call('DELETE', `/api/experiments/${id}`))
    await ask.done(ask.call('POST', `/api/experiments/${id}/restore?desfazer=true`))
    expect(await kept(id)).toHaveLength(1)
    await change({ estatistica_informada: null })
    expect(await kept(id)).toEqual([])
  })

  test('a row that is wrong or missing is mended, and both are counted', async () => {
    const id = await trial('Efeitos 3', [3000, 3300, 3500])
    await ask.done(ask.put(id))
    const other = await trial('Efeitos 3', [3000, 3310], { estatistica_informada: REPORT })
    const before = [await kept(id), await kept(other)]
    expect((await mendEffects(server.handle)).wrong).toBe(0)
    await sql`update efeitos set origem = 'ausente' where experimento_id = ${id}`.execute(server.handle)
    await sql`delete from efeitos where experimento_id = ${other}`.execute(server.handle)
    expect((await mendEffects(server.handle)).wrong).toBe(2)
    expect([await kept(id), await kept(other)]).toEqual(before)
  })

  test('a trial whose effects wait counts without an error, and says so', async () => {
    const id = await trial('Efeitos 4', [3000, 3300, 3500])
    await ask.done(ask.put(id))
    await sql`delete from efeitos where experimento_id = ${id}`.execute(server.handle)
    await sql`insert into efeitos_pendentes (experimento_id) values (${id})`.execute(server.handle)
    const { avisos, ensaios } = await answer({ consultoria: 'Efeitos 4' })
    expect(ensaios).toMatchObject([{ origem_ep: 'ausente' }])
    expect(avisos.map(({ codigo }) => codigo)).toContain('pendentes')
  })
})

describe('one answer of many trials', () => {
  test('duplicates count once and can be put back; all that is left out adds up', async () => {
    const consultoria = 'Somas'
    const first = await trial(consultoria, [3000, 3300])
    const twin = await trial(consultoria, [3000.4, 3300.2])
    const third = await trial(consultoria, [3100, 3250], { cidade: 'Cascavel', estado: 'PR' })
    await ask.trial({
      consultoria,
      tratamentos: [treatment('Testemunha', 3000), treatment('Outro', 3100, ['Ômega'])],
    })
    await ask.trial({
      consultoria,
      tratamentos: [treatment('Testemunha', 3000, ['Zeta']), treatment('A', 3100, ['Zeta'])],
    })
    const own = await answer({ consultoria })
    expect(own.ensaios.map(({ experimento_id }) => experimento_id)).toEqual([first, third])
    expect(own.fora).toContainEqual(
      expect.objectContaining({ experimento_id: twin, codigo: 'duplicado', repete: first }),
    )
    const left = own.fora_contagem.reduce((sum, { n }) => sum + n, 0)
    expect(own.total).toBe(5)
    expect(own.ensaios.length + left).toBe(own.total)
    expect((await answer({ consultoria, incluir: twin })).ensaios).toHaveLength(3)
    const without = await answer({ consultoria, retirar: first })
    expect(without.ensaios.map(({ experimento_id }) => experimento_id)).toEqual([twin, third])
  })

  test('several treatments with the product are one effect, and alone or by dose are fewer', async () => {
    const consultoria = 'Um Efeito'
    const dose = (nome: string, y: number, dose: number, others: string[] = []) => ({
      ...treatment(nome, y),
      produtos_aplicados: ['Zeta', ...others].map((produto) => ({
        ...{ ...SECOND?.produtos_aplicados[0], nome: produto, dose },
      })),
    })
    await ask.trial({
      consultoria,
      tratamentos: [
        treatment('Testemunha', 3000),
        dose('A', 3100, 1),
        dose('B', 3300, 2),
        dose('C', 3900, 4, ['Xis']),
      ],
    })
    const effect = async (query: Record<string, string>) =>
      (await answer({ consultoria, medida: 'diferenca', ...query })).ensaios[0]?.efeito
    expect(await effect({})).toBeCloseTo(1300 / 3, 9)
    expect(await effect({ sozinho: '1' })).toBeCloseTo(200, 9)
    expect(await effect({ dose_min: '2', dose_max: '4' })).toBeCloseTo(600, 9)
    expect(await effect({ tratamento: 'b', produto: '' })).toBeCloseTo(300, 9)
  })

  test('doses of one kind are compared in one unit, others are out of the range', async () => {
    const consultoria = 'Doses em mL'
    const given = (dose: number, unidade: string, control: number) => ({
      consultoria,
      tratamentos: [
        treatment('Testemunha', control),
        {
          ...treatment('Com', 3300, ['Zeta']),
          produtos_aplicados: [{ nome: 'Zeta', dose, unidade, custo: null }],
        },
      ],
    })
    for (const [dose, unit, control] of [
      [1, 'L/ha', 3000],
      [1, 'L/ha', 3050],
      [500, 'mL/ha', 3100],
      [0.6, '% v/v', 3150],
    ] as const)
      await ask.trial(given(dose, unit, control))
    const within = async (dose_min: string, dose_max: string) => {
      const { ensaios, fora } = await answer({ consultoria, medida: 'diferenca', dose_min, dose_max })
      return [ensaios.length, fora.map(({ codigo }: { codigo: string }) => codigo)]
    }
    expect(await within('0.4', '1.2')).toEqual([3, ['dose']])
    expect(await within('0.4', '0.6')).toEqual([1, ['dose', 'dose', 'dose']])
  })

  test('by the way of applying, each group has an estimate, and a group of one is only listed', async () => {
    const consultoria = 'Modalidades'
    const applied = (modalidade: string, y: number) => ({
      tratamentos: [treatment('Testemunha', 3400), { ...treatment('Com', y, ['Zeta']), modalidade }],
    })
    const told = { estatistica_informada: REPORT }
    for (const y of [3600, 3630, 3650]) await ask.trial({ consultoria, ...told, ...applied('Foliar', y) })
    for (const y of [3450, 3470]) await ask.trial({ consultoria, ...told, ...applied('Sulco', y) })
    await ask.trial({ consultoria, ...told, ...applied('Drench', 3500) })
    const { subgrupos } = await answer({ consultoria, medida: 'diferenca', subgrupo: 'modalidade' })
    const groups = subgrupos?.grupos as unknown as {
      grupo: string
      k: number
      reml_hk: Record<string, number>
    }[]
    expect(groups).toMatchObject([
      { grupo: 'Drench', k: 1, reml_hk: { motivo: 'um ensaio só' } },
      { grupo: 'Foliar', k: 3, reml_hk: { gl: 2 } },
      { grupo: 'Sulco', k: 2, reml_hk: { gl: 1 } },
    ])
    // Trials of one report and nearly one yield weigh nearly the same: near the means of 200, 230, 250 and 50, 70.
    expect(groups[1]?.reml_hk['estimativa']).toBeCloseTo(680 / 3, -0.5)
    expect(groups[2]?.reml_hk['estimativa']).toBeCloseTo(60, -0.5)
    expect(subgrupos?.teste).toMatchObject({ gl1: 1, gl2: 3 })
  })

  test('other units are named and not pooled; the ratio is chosen over several years, and said', async () => {
    const consultoria = 'Unidades'
    const tonnes = await trial(consultoria, [3000, 3300, 3500])
    const variaveis = [{ ...sheet().variaveis[0], produtividade: false, unidade: 't/ha' }]
    await ask.done(
      ask.put(tonnes, sheet({ variaveis, valores: yields(YIELDS.map((one) => Number(one) / 1000)) })),
    )
    await trial(consultoria, [3000, 3300], { ano: 2023 })
    await trial(consultoria, [3100, 3350], { ano: 2024 })
    const { fora, medida, medida_automatica, avisos } = await answer({ consultoria })
    expect(fora).toMatchObject([{ experimento_id: tonnes, codigo: 'unidade' }])
    expect({ medida, medida_automatica }).toEqual({ medida: 'lnrr', medida_automatica: true })
    expect(avisos.map(({ texto }) => texto)).toContain('Ensaios cadastrados não são uma amostra ao acaso')
  })

  test('the sentence has its numbers, and says where nothing was found', async () => {
    const consultoria = 'Frases'
    for (const [at, gain] of [200, 230, 250, 210, 240, 220].entries())
      await trial(consultoria, [3400, 3400 + gain], {
        ...{ estatistica_informada: REPORT, teor_argila: 20 + at },
      })
    const { frases } = await answer({ consultoria })
    expect(frases['sintese']).toMatch(
      /^Em 6 ensaios, Zeta rendeu \+225 kg\/ha \(\+6,6 %\) sobre a Testemunha \(IC 95 %: \d+ a \d+\); ganhou em 6 de 6\. O próximo ensaio deve ficar entre \d+ e \d+ kg\/ha\.$/,
    )
    for (const gain of [-900, 1000, -950])
      await trial('Nada', [3400, 3400 + gain], { estatistica_informada: REPORT })
    expect((await answer({ consultoria: 'Nada' })).frases['sintese_ns']).toContain('não se distingue de zero')
  })

  test('a price tells who was paid, of the trials whose costs are known', async () => {
    const consultoria = 'Preços'
    await trial(consultoria, [3000, 3300])
    await trial(consultoria, [3100, 3110])
    const { economia } = await answer({ consultoria, preco: '120' })
    expect(economia).toMatchObject({ com_custos: 2, de: 2, vitorias: { vitorias: 1, n: 2 } })
    expect(economia?.empate).toBeCloseTo(50 / 120, 9)
  })

  test('what cannot be asked is told in one answer, and what nobody tried in another', async () => {
    const wrong = await ask.call('GET', '/api/synthesis?dose_min=3&dose_max=1&kg_por_unidade=60')
    expect(wrong.status).toBe(422)
    expect(wrong.body.fields.map(({ path }: { path: string }) => path)).toEqual([
      'produto',
      'dose_max',
      'preco',
    ])
    expect(refusal(await ask.call('GET', '/api/synthesis?produto=Nunca'))).toEqual({
      status: 422,
      code: 'synthesis.none',
      detail: 'Nenhum ensaio do filtro compara Nunca com a Testemunha',
    })
  })
})

describe('recorded syntheses', () => {
  test('keep their answer, tell what changed, and hide what is gone', async () => {
    const consultoria = 'Registro'
    const first = await trial(consultoria, [3000, 3300], { estatistica_informada: REPORT })
    await trial(consultoria, [3050, 3390], { estatistica_informada: REPORT })
    const body = { produto: 'Zeta', consultoria, titulo: 'Zeta até hoje', conclusao: 'Vale.' }
    const record = () => ask.call('POST', '/api/syntheses', body, { 'idempotency-key': 'sintese-1' })
    const { registro } = await ask.done(record())
    expect((await ask.done(record())).registro.id).toBe(registro.id)
    const again = await ask.done(ask.call('GET', `/api/syntheses/${registro.id}/rerun`))
    expect(again.mudancas).toEqual({ frases: [], entraram: [], sairam: [], mudaram: [] })
    await trial(consultoria, [3010, 3200], { estatistica_informada: REPORT })
    const now = await ask.done(ask.call('GET', `/api/syntheses/${registro.id}/rerun`))
    expect(now.mudancas.entraram).toHaveLength(1)
    expect(now.mudancas.frases[0]).toBe('Ensaios que entraram: 1')
    const list = async () => (await ask.done(ask.call('GET', '/api/syntheses'))).registros
    expect(await list()).toMatchObject([{ id: registro.id, oculta: false, ensaios: 2, propria: true }])
    await ask.done(ask.call('DELETE', `/api/experiments/${first}`))
    expect(await list()).toMatchObject([{ id: registro.id, oculta: true, titulo: '', conclusao: '' }])
    const { registro: hidden } = await ask.done(ask.call('GET', `/api/syntheses/${registro.id}`))
    expect(hidden.sintese).toBeNull()
    await ask.done(ask.call('DELETE', `/api/syntheses/${registro.id}`))
    expect(await list()).toEqual([])
  })
})
