import { economics } from '@ensaio/statistics/economics'
import { describe, expect, test } from 'vitest'
import type { EconomicBase } from './economic-base.ts'
import {
  chanceText,
  costsOf,
  describedEconomics,
  type EconomicQuestion,
  economicInput,
  payingSentence,
  withEconomics,
} from './economics-text.ts'
import {
  costOfDoses,
  NO_PRICES,
  oldPriceText,
  PriceDate,
  PricesInput,
  priceDateText,
  pricesLine,
  reaisText,
  tradingUnit,
} from './prices.ts'

const treatment = (numero: number, media_kg_ha: number, custo_rs_ha: number | null, ep = 60) => ({
  ...{ numero, nivel: `T${numero}`, nome: `T${numero}`, n: 5, media_kg_ha, custo_rs_ha },
  ...(numero === 1 ? { ep_diferenca: null, gl: null } : { ep_diferenca: ep, gl: 16 }),
})
const base: EconomicBase = {
  ...{ origem: 'parcelas', dados_versao: 1, variavel: 'produtividade', testemunha: 'T1', avisos: [] },
  tratamentos: [treatment(1, 3000, 0), treatment(2, 3240, 200), treatment(3, 3060, 260)],
}
const question: EconomicQuestion = {
  ...{ preco: 120, preco_baixo: null, preco_alto: null, unidade: 'sc', kg_por_unidade: 60 },
  ...{ data: null, fonte: null, ajuste_percent: 0, taxa_minima: 100 },
}
const answerOf = (of: EconomicBase, at: Partial<EconomicQuestion> = {}) => {
  const costs = of.tratamentos.map(({ numero, custo_rs_ha }) => ({
    ...{ numero, digitado_rs_ha: custo_rs_ha, calculado_rs_ha: null, faltam: [], vale_rs_ha: custo_rs_ha },
  }))
  const asked = { ...question, ...at }
  const found = economics(economicInput(of, costs, asked))
  return describedEconomics(found, { base: of, costs, question: asked, inverte: [], custos: 'digitados' })
}

describe('what a treatment pays, in a sentence', () => {
  test('a gain, with its interval, probability and the yield that it needs', () => {
    expect(answerOf(base).frases).toEqual({
      economia:
        'A R$ 120,00/sc, T2 deixa R$ 280,00 por hectare acima da Testemunha (IC 95 %: R$ 25,61 a R$ 534,39) e paga o custo com 98 % de probabilidade; precisa de 1,7 sc/ha para empatar.',
    })
  })
  test('a loss, with what it lacks', () => {
    expect(answerOf(base).linhas[2]?.frase).toBe(
      'A R$ 120,00/sc, T3 não paga o custo: faltam 1,2 sc/ha (probabilidade de pagar 13 %)',
    )
    expect(answerOf(base, { preco: 30 }).frases).toEqual({
      economia_nao_paga:
        'A R$ 30,00/sc, T2 não paga o custo: faltam 2,7 sc/ha (probabilidade de pagar < 1 %)',
    })
  })
  test('without an error neither interval nor probability, and it says so', () => {
    const means: EconomicBase = {
      ...base,
      origem: 'só médias',
      tratamentos: base.tratamentos.map((one) => ({ ...one, ep_diferenca: null, gl: null })),
    }
    expect(answerOf(means).frases).toEqual({
      economia:
        'A R$ 120,00/sc, T2 deixa R$ 280,00 por hectare acima da Testemunha; precisa de 1,7 sc/ha para empatar.',
      sem_erro: 'sem erro experimental: não se sabe se a diferença é real',
    })
  })
  test('none of the control, and none without a cost', () => {
    const costless: EconomicBase = {
      ...base,
      tratamentos: base.tratamentos.map((one) => ({ ...one, custo_rs_ha: null })),
    }
    const { frases, avisos, linhas } = answerOf(costless)
    expect(frases).toEqual({})
    expect(linhas.map(({ frase }) => frase)).toEqual([null, null, null])
    expect(avisos.map(({ codigo }) => codigo)).toEqual(['sem_custo', 'custo_faltando'])
    const [control] = answerOf(base).linhas
    expect(control && payingSentence(control, { preco: 1, unidade: 'sc', nomes: {} })).toBeNull()
  })
  test('stands in a table of treatments, and in no other', () => {
    const table = {
      ...{ titulo: 'Tabela 1.', rodape: [], notas: ['Fonte.'] },
      colunas: [{ nome: 'Trat.', numerica: false }],
      linhas: [['T2'], ['T1']],
    }
    const answer = answerOf(base, { data: '2026-03', fonte: 'CEPEA' })
    expect(withEconomics(table, answer)).toMatchObject({
      linhas: [
        ['T2', '280,00', '98 %'],
        ['T1', '–', '–'],
      ],
      notas: ['Ganho líquido sobre a Testemunha a R$ 120,00/sc (CEPEA, 03/2026); dados: parcelas.', 'Fonte.'],
    })
    const factor = { ...table, colunas: [{ nome: 'Adubação', numerica: false }] }
    expect(withEconomics(factor, answer)).toBe(factor)
  })
  test.each([
    [0.83, '83 %'],
    [0.990001, '> 99 %'],
    [0.99, '99 %'],
    [0.01, '1 %'],
    [0.0099, '< 1 %'],
    [0, '< 1 %'],
    [1, '> 99 %'],
  ])('a probability of %d is %s', (p, text) => expect(chanceText(p)).toBe(text))
})

describe('prices', () => {
  test.each([
    ['Soja', 'MT', 'sc', 60],
    ['cafe', 'MG', 'sc', 60],
    ['Arroz', 'RS', 'sc', 50],
    ['Arroz', 'SC', 'sc', 50],
    ['Arroz', 'TO', 'sc', 60],
    ['Algodão', 'BA', '@', 15],
    ['Cana-de-açúcar', 'SP', 't', 1000],
  ])('%s of %s is sold by the %s of %d kg', (crop, state, unidade, kg) =>
    expect(tradingUnit(crop, state)).toEqual({ unidade, kg_por_unidade: kg }),
  )
  test('what nobody knows the unit of is chosen', () => {
    expect(tradingUnit('Uva', 'PE')).toBeNull()
    expect(tradingUnit('constructor', 'PE')).toBeNull()
  })
  test('are older than 180 days, a month from its end', () => {
    expect(oldPriceText('2026-05-27', '2026-11-23')).toBeNull()
    expect(oldPriceText('2026-05-26', '2026-11-23')).toBe('Preço de 26/05/2026')
    expect(oldPriceText('2026-05', '2026-11-23')).toBeNull()
    expect(oldPriceText('2026-04', '2026-11-23')).toBe('Preço de 04/2026')
    expect(oldPriceText('2025-12', '2026-06-29')).toBeNull()
    expect(priceDateText('2026-04')).toBe('04/2026')
  })
  test.each(['2026-02-29', '2026-13', '2026', '26-01', '1980-01', '2026-1-1', '', 'ontem'])(
    '%s is no date',
    (date) => expect(PriceDate.safeParse(date).success).toBe(false),
  )
  test.each(['2024-02-29', '2024-02'])('%s is one', (date) => expect(PriceDate.parse(date)).toBe(date))
  test('are told in one line', () => {
    const cultura = { preco: 0.85, unidade: 'kg', kg_por_unidade: 1, data: '2025-03', fonte: 'CEASA' }
    const { versao: _, ...prices } = PricesInput.parse({ versao: 0, cultura, aplicacao_rs_ha: 30 })
    expect(pricesLine(prices)).toBe('R$ 0,85/kg (CEASA, 03/2025); aplicação R$ 30,00/ha')
    expect(reaisText(-1234.5)).toBe('\u2212R$ 1.234,50')
    expect(reaisText(0.0725)).toBe('R$ 0,0725')
    expect(reaisText(-0.00001)).toBe('R$ 0,00')
  })
  test('of doses make a cost, or say what they lack', () => {
    const produtos = [
      { nome: 'Óleo', preco: 40, unidade: 'L' as const, data: '2025-03', fonte: 'nota fiscal' },
      { nome: 'Semente', preco: 55, unidade: 'ha' as const, data: '2025-03', fonte: 'nota fiscal' },
      { nome: 'Pó', preco: 0.2, unidade: 'g' as const, data: '2025-03', fonte: 'nota fiscal' },
    ]
    const cost = (nome: string, dose: number | null, unidade: string | null) =>
      costOfDoses([{ nome, dose, unidade }], { produtos, aplicacao_rs_ha: 30 })
    expect(cost('oleo', 500, 'mL/ha')).toEqual({ custo_rs_ha: 50, faltam: [] })
    expect(cost('Pó', 1.5, 'kg/ha').custo_rs_ha).toBeCloseTo(330)
    expect(cost('Semente', 100, 'mL/100 kg sementes').custo_rs_ha).toBe(85)
    expect(cost('Óleo', 1, 'kg/ha').faltam).toEqual(['o preço de Óleo é por L e a dose é em kg/ha'])
    expect(cost('Óleo', 1, '% v/v').faltam[0]).toContain('não diz quanto vai por hectare')
    expect(cost('Óleo', null, null).faltam).toEqual(['falta a dose de Óleo'])
    expect(costOfDoses([], { produtos, aplicacao_rs_ha: 30 }).custo_rs_ha).toBe(0)
  })
  test('replace typed costs only where the scenario says so', () => {
    const treatments = [{ custo: 77, produtos_aplicados: [] }]
    expect(costsOf(treatments, NO_PRICES)[0]?.vale_rs_ha).toBe(77)
    expect(costsOf(treatments, { ...NO_PRICES, custos: 'calculados' })[0]?.vale_rs_ha).toBe(0)
  })
})
