import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../test-server.ts'
import { type Asking, asking, fieldsOf, refusal, sheet, treatments, YIELDS, yields } from './test-trials.ts'

let server: TestServer
let ask: Asking
let other: Asking
beforeAll(async () => {
  server = await startTestServer()
  ask = asking(server, await server.person())
  other = asking(server, await server.person())
})
afterAll(() => server.stop())

const CROP = {
  ...{ preco: 120, unidade: 'sc', kg_por_unidade: 60, data: '2026-03', fonte: 'CEPEA' },
  ...{ preco_baixo: null, preco_alto: null },
}
const input = (change: object = {}) => ({ versao: 0, cultura: CROP, produtos: [], ...change })
const path = (id: string, part = 'prices') => `/api/experiments/${id}/${part}`
const put = (id: string, change: object = {}, by = ask) => by.call('PUT', path(id), input(change))
const economy = (id: string, query = '', by = ask) => by.call('GET', `${path(id, 'economics')}${query}`)
/** Three treatments of 3000, 3300 and 3500 kg/ha that cost 0, 90 and 400 R$/ha. */
const priced = () =>
  treatments(3000, 3300, 3500).map((treatment, at) => ({ ...treatment, custo: [0, 90, 400][at] }))

describe('prices of a trial', () => {
  test('are put from the version that was read, told in the history, and stale ones are refused with those that stand', async () => {
    const id = await ask.trial()
    expect((await ask.done(ask.call('GET', path(id)))).versao).toBe(0)
    const first = await ask.done(put(id))
    expect(first).toMatchObject({ versao: 1, cultura: CROP, custos: 'digitados', quem: 'Ana Prado' })
    const stale = await put(id, { cultura: { ...CROP, preco: 99 } })
    expect(refusal(stale)).toEqual({
      status: 409,
      code: 'price.stale',
      detail: 'Os preços foram alterados por outra pessoa depois que você os abriu',
    })
    expect(stale.body.current).toMatchObject({ versao: 1, cultura: { preco: 120 } })
    await ask.done(put(id, { versao: 1, cultura: { ...CROP, preco: 131.5, preco_baixo: 110 } }))
    const { alteracoes } = await ask.done(ask.call('GET', path(id, 'history')))
    expect(alteracoes[0].campos).toEqual([
      {
        campo: 'precos',
        antes: 'R$ 120,00/sc (CEPEA, 03/2026)',
        depois: 'R$ 131,50/sc (CEPEA, 03/2026); faixa de R$ 110,00 a R$ 131,50',
      },
    ])
  })

  test('without a date or a source, of the future, out of bounds or twice are refused, each with its sentence', async () => {
    const id = await ask.trial()
    const of = async (cultura: object, more: object = {}) =>
      fieldsOf(await put(id, { cultura: { ...CROP, ...cultura }, ...more }))
    expect(await of({ data: undefined, fonte: '  ' })).toEqual({
      'cultura.data': 'Informe a data do preço: um dia ou um mês',
      'cultura.fonte': 'Informe a fonte do preço',
    })
    expect(await of({ data: '2026-02-30' })).toHaveProperty(['cultura.data'])
    expect(await of({ data: '2999-01' })).toEqual({
      'cultura.data': 'A data do preço não pode estar no futuro',
    })
    expect(await of({ preco: 0 })).toEqual({ 'cultura.preco': 'O preço deve ser maior que zero' })
    expect(await of({ preco_baixo: 121, preco_alto: 119 })).toEqual({
      'cultura.preco_baixo': 'O preço baixo não pode passar do preço de venda',
      'cultura.preco_alto': 'O preço alto não pode ficar abaixo do preço de venda',
    })
    const product = { nome: 'Óleo', preco: 30, unidade: 'L', data: '2026-01-02', fonte: 'nota fiscal' }
    expect(await of({}, { produtos: [product, { ...product, nome: 'oleo', unidade: 'galão' }] })).toEqual({
      'produtos.1.unidade': 'Escolha L, mL, kg, g ou ha',
    })
    expect(await of({}, { produtos: [product, { ...product, nome: 'oleo' }] })).toEqual({
      'produtos.1.nome': 'Este produto já tem preço',
    })
    expect(await of({}, { produtos: Array.from({ length: 201 }, () => product) })).toEqual({
      produtos: 'Use no máximo 200 produtos',
    })
    expect((await ask.done(ask.call('GET', path(id)))).versao).toBe(0)
  })

  test('are changed by who may edit the trial, and go with it', async () => {
    const id = await ask.trial()
    expect((await put(id, {}, other)).status).toBe(403)
    await ask.done(put(id))
    expect((await other.done(other.call('GET', path(id)))).cultura.preco).toBe(120)
    const { cenarios } = await ask.done(ask.call('GET', '/api/profile/export'))
    expect(cenarios).toContainEqual(expect.objectContaining({ experimento: id, cultura: CROP }))
    expect((await ask.call('DELETE', `/api/experiments/${id}`)).status).toBe(204)
    expect((await ask.call('GET', path(id))).status).toBe(404)
    expect((await economy(id)).status).toBe(404)
  })
})

describe('economics of a trial', () => {
  test('asks for a price, takes what is missing from the stored ones, and tells the price at which the best changes', async () => {
    const id = await ask.planted({}, { tratamentos: priced() })
    expect(refusal(await economy(id))).toEqual({
      status: 422,
      code: 'price.missing',
      detail: 'Informe o preço de venda, com data e fonte',
    })
    await ask.done(put(id, { cultura: { ...CROP, data: '2020-05' } }))
    const { economia } = await ask.done(economy(id))
    expect(economia).toMatchObject({ origem: 'parcelas', preco: 120, unidade: 'sc', testemunha: 'T1' })
    expect(economia.avisos).toContainEqual({ codigo: 'preco_antigo', texto: 'Preço de 05/2020' })
    const [, second, third] = economia.linhas
    const [turn] = economia.inverte.slice(-1)
    expect(turn).toMatchObject({ de: second.nivel, para: third.nivel })
    const best = async (preco: number) => {
      const { linhas } = (await ask.done(economy(id, `?preco=${preco}`))).economia
      return linhas.toSorted(
        (a: { margem_rs_ha: number }, b: { margem_rs_ha: number }) => b.margem_rs_ha - a.margem_rs_ha,
      )[0].nivel
    }
    expect(await best(turn.preco * 0.9999)).toBe(second.nivel)
    expect(await best(turn.preco * 1.0001)).toBe(third.nivel)
    expect(economia.frases.economia).toMatch(
      /^A R\$ 120,00\/sc, T\d \(Produto \d\) deixa R\$ \d+,\d\d por hectare acima da Testemunha \(IC 95 %: .+ a .+\) e paga o custo com .+ % de probabilidade; precisa de \d,\d sc\/ha para empatar\.$/,
    )
    const tried = (await ask.done(economy(id, '?preco=20'))).economia
    expect(tried).toMatchObject({ data: null, fonte: null })
    expect(tried.linhas[2].frase).toMatch(
      /^A R\$ 20,00\/sc, T3 \(Produto 3\) não paga o custo: faltam \d+,\d sc\/ha \(probabilidade de pagar .+ %\)$/,
    )
  })

  test('of means alone has no interval and no probability, and says so', async () => {
    const id = await ask.trial({ tratamentos: priced(), cultura: 'Soja' })
    const { economia } = await ask.done(economy(id, '?preco=100'))
    expect(economia).toMatchObject({
      ...{ origem: 'só médias', kg_por_unidade: 60 },
      frases: { sem_erro: 'sem erro experimental: não se sabe se a diferença é real' },
    })
    expect(economia.linhas[1]).toMatchObject({
      ganho_liquido_rs_ha: 410,
      ganho_ic_baixo_rs_ha: null,
      prob_ganho_positivo: { motivo: 'sem erro experimental: não se sabe se a diferença é real' },
      frase:
        'A R$ 100,00/sc, T2 (Produto 2) deixa R$ 410,00 por hectare acima da Testemunha; precisa de 0,9 sc/ha para empatar.',
    })
  })

  test('rebuilt from a report it has both', async () => {
    const estatistica_informada = {
      ...{ delineamento: 'DBC', repeticoes: 4, cv: 6.5, cv_casas: 1, dms: null, dms_teste: null },
      ...{ gl_residuo: null, teste: null, letras: null },
    }
    const id = await ask.trial({ tratamentos: priced(), estatistica_informada })
    const { economia } = await ask.done(economy(id, '?preco=100&kg_por_unidade=60'))
    expect(economia.origem).toBe('reconstruída')
    expect(economia.linhas[1].prob_ganho_positivo).toBeGreaterThan(0.5)
  })

  test('costs of doses replace the typed ones only where that is said', async () => {
    const [control, second, third] = priced()
    const products = [{ nome: 'Óleo', dose: 500, unidade: 'mL/ha', custo: null }]
    const id = await ask.trial({
      tratamentos: [
        { ...control, produtos_aplicados: [] },
        { ...second, produtos_aplicados: products },
        { ...third, produtos_aplicados: [{ ...products[0], nome: 'Outro' }] },
      ],
    })
    const produtos = [{ nome: 'óleo', preco: 40, unidade: 'L', data: '2026-01-02', fonte: 'nota fiscal' }]
    await ask.done(put(id, { produtos, aplicacao_rs_ha: 30 }))
    const costs = async (query: string) =>
      (await ask.done(economy(id, query))).economia.linhas.map(
        ({ custo_rs_ha }: { custo_rs_ha: number }) => custo_rs_ha,
      )
    expect(await costs('')).toEqual([0, 90, 400])
    expect(await costs('?custos=calculados')).toEqual([0, 50, 400])
    const { avisos } = (await ask.done(economy(id, '?custos=calculados'))).economia
    expect(avisos).toContainEqual({
      codigo: 'custo_digitado',
      texto: 'O custo digitado vale onde a dose não tem preço (T3: falta o preço de Outro)',
    })
  })

  test('needs a control, a yield and sound numbers', async () => {
    const id = await ask.planted({ testemunha: null })
    expect(refusal(await economy(id, '?preco=100')).code).toBe('analysis.no_control')
    const good = await ask.planted()
    expect(refusal(await economy(good, '?preco=100&variavel=nenhuma')).code).toBe('analysis.unknown_variable')
    for (const [query, field] of [
      ['preco=-1', 'preco'],
      ['preco=abc', 'preco'],
      ['preco=100&kg_por_unidade=0', 'kg_por_unidade'],
      ['preco=100&preco_baixo=101', 'preco_baixo'],
      ['preco=100&preco_alto=99', 'preco_alto'],
      ['preco=100&preco_baixo=9.9', 'preco_baixo'],
      ['preco=100&preco_alto=1001', 'preco_alto'],
      ['preco=100&ajuste_percent=100', 'ajuste_percent'],
      ['preco=1e999', 'preco'],
    ] as const) {
      const answer = await economy(good, `?${query}`)
      expect([answer.status, Object.keys(fieldsOf(answer))], query).toEqual([422, [field]])
    }
  })

  test('of a plot of every design the error of each difference is that of its own stratum', async () => {
    const folder = new URL('../../../../../packages/statistics/src/reference/cases/', import.meta.url)
    for (const name of ['m14-psub-aveia.json', 'm15-psub-aveia-perdidas.json', 'm16-faixas-arroz.json']) {
      const { experimento, parcelas } = JSON.parse(readFileSync(new URL(name, folder), 'utf8'))
      const [template] = treatments(3000)
      const id = await ask.trial({
        tratamentos: experimento.tratamentos.map(({ nome }: { nome: string }, at: number) => ({
          ...{ ...template, nome, produtividade: 3000, custo: 10 * at },
        })),
      })
      const sheet = { versao: 0, ...parcelas, testemunha: 1 }
      sheet.variaveis = sheet.variaveis.map((one: object) => ({
        ...one,
        ...{ unidade: 'kg/ha', produtividade: true, tipo: 'continua' },
      }))
      await ask.done(ask.put(id, sheet))
      const { base } = await ask.done(ask.call('GET', path(id, 'economics/base')))
      expect(base.origem, name).toBe('parcelas')
      expect(base.tratamentos, name).toHaveLength(experimento.tratamentos.length)
      const blind = base.tratamentos.filter(({ ep_diferenca }: { ep_diferenca: null }) => !ep_diferenca)
      // Strips give no one error for two cells that share neither strip.
      expect(blind.length > 1, name).toBe(name.startsWith('m16'))
      const { economia } = await ask.done(economy(id, '?preco=60&kg_por_unidade=60'))
      expect(economia.linhas[1].produtividade_kg_ha).toBeGreaterThan(0)
    }
  })

  test('a control without plots leaves the means', async () => {
    const id = await ask.trial({ tratamentos: priced() })
    const { parcelas, ...rest } = sheet()
    const kept = parcelas.filter(({ tratamento }) => tratamento !== 1)
    const valores = [
      { variavel: 'produtividade', avaliacao: null, valores: kept.map(({ numero }) => 3000 + numero) },
    ]
    await ask.done(ask.put(id, { ...rest, parcelas: kept, valores }))
    const { economia } = await ask.done(economy(id, '?preco=100'))
    expect(economia).toMatchObject({ origem: 'só médias', testemunha: 'T1' })
    expect(economia.linhas).toHaveLength(3)
  })

  test('the public case is told in one sentence', async () => {
    const file = '../../../../../packages/statistics/src/reference/cases-many/m25-economia.json'
    const { experimento, parcelas } = JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'))
    const [template] = treatments(3000)
    const id = await ask.trial({
      cultura: 'Soja',
      tratamentos: experimento.tratamentos.map((of: object) => ({ ...template, produtividade: 3000, ...of })),
    })
    await ask.done(ask.put(id, { versao: 0, ...parcelas }))
    const { economia } = await ask.done(economy(id, '?preco=128.5&preco_baixo=100&preco_alto=150'))
    expect(economia.frases).toEqual({
      economia:
        'A R$ 128,50/sc, T5 deixa R$ 611,05 por hectare acima da Testemunha (IC 95 %: R$ 316,85 a R$ 905,25) e paga o custo com > 99 % de probabilidade; precisa de 2,6 sc/ha para empatar.',
    })
    expect(economia.referencias).toEqual([expect.stringContaining('CIMMYT')])
  })

  test('a sheet without a yield leaves the means', async () => {
    const id = await ask.planted({
      variaveis: [{ chave: 'altura', nome: 'Altura', unidade: 'cm', tipo: 'continua' }],
      valores: [{ variavel: 'altura', avaliacao: null, valores: sheet().parcelas.map((_, at) => at) }],
    })
    const { base } = await ask.done(ask.call('GET', path(id, 'economics/base')))
    expect(base).toMatchObject({ origem: 'só médias', tratamentos: [{ media_kg_ha: 3000 }, {}, {}] })
  })
})

test('a typed mean beside means of plots is named as what it is', async () => {
  const { parcelas } = sheet()
  const id = await ask.planted({
    valores: yields(YIELDS.map((value, at) => (parcelas[at]?.tratamento === 2 ? null : value))),
  })
  await ask.done(put(id))
  const { economia } = await ask.done(economy(id))
  const typed = economia.avisos.filter(({ codigo }: { codigo: string }) =>
    ['media_informada', 'fora'].includes(codigo),
  )
  expect(typed).toMatchObject([{ texto: expect.stringContaining('T2') }])
})
