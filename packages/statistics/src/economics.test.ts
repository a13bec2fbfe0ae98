import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  crossings,
  dominance,
  type EconomicInput,
  type EconomicLine,
  economics,
  economicTotals,
  gainGrid,
  type MarginLine,
  ranking,
} from './economics.ts'
import { effectInput, effectOf } from './effects.ts'
import { isRefusal } from './prepare.ts'
import { readManyCase, readReference, trialOf } from './reference/cases.ts'
import { compare } from './reference/compare.ts'
import { near } from './testing.ts'

const base: EconomicInput = {
  testemunha: 'T1',
  preco: 128.5,
  kg_por_unidade: 60,
  tratamentos: [
    { nivel: 'T1', media_kg_ha: 3600, custo_rs_ha: 100 },
    { nivel: 'T2', media_kg_ha: 3912, custo_rs_ha: 412.4, ep_diferenca: 95.3, gl: 15 },
  ],
}

function second(input: EconomicInput): EconomicLine {
  return economics(input).linhas[1] as EconomicLine
}

function withSecond(fields: Partial<EconomicInput['tratamentos'][number]>): EconomicInput {
  const [control, other] = base.tratamentos as [
    EconomicInput['tratamentos'][number],
    EconomicInput['tratamentos'][number],
  ]
  return { ...base, tratamentos: [control, { ...other, ...fields }] }
}

describe('economics of a trial', () => {
  it('m25-economia, from the plots', () => {
    const item = readManyCase('m25-economia')
    const query = item.consultas[0]
    if (!item.parcelas || !query) throw new Error('no case')
    const { trial } = trialOf(item.parcelas, { variavel: 'produtividade' })
    const means = effectInput(trial)
    if (isRefusal(means)) throw new Error('refused')
    const costs = item.experimento?.tratamentos.map((t) => t.custo ?? 0) ?? []
    const answer = economics({
      testemunha: 'T1',
      preco: Number(query.consulta.preco),
      kg_por_unidade: Number(query.consulta.kg_por_unidade),
      preco_baixo: Number(query.consulta.preco_baixo),
      preco_alto: Number(query.consulta.preco_alto),
      taxa_minima: Number(query.consulta.taxa_minima),
      tratamentos: means.niveis.map((nivel, i) => {
        const effect = i === 0 ? null : effectOf(means, [i], 0)
        return {
          nivel,
          media_kg_ha: means.ajustadas[i] as number,
          custo_rs_ha: costs[i] ?? null,
          ...(effect && 'ep' in effect ? { ep_diferenca: effect.ep, gl: effect.gl } : {}),
        }
      }),
    })
    expect(compare(query.esperado.economia, answer, { scale: 1 })).toEqual([])
    // The range to more digits than the case asks for.
    const line = answer.linhas[1] as EconomicLine
    expect(near(line.prob_ganho_positivo_faixa as number, 0.9491806785502, 1e-9)).toBe(true)
  })

  const examples = readReference('economics') as Record<string, Record<string, unknown>>
  for (const name of ['positive', 'negative', 'yield_loss', 'zero_cost', 'rice_50kg']) {
    it(`worked example ${name}`, () => {
      const example = examples[name] as Record<string, number> & { inputs: Record<string, number> }
      const given = example.inputs
      const line = second({
        testemunha: 'T1',
        preco: given.preco_rs_saca as number,
        kg_por_unidade: given.kg_por_saca as number,
        tratamentos: [
          { nivel: 'T1', media_kg_ha: given.y_test_kg_ha as number, custo_rs_ha: 0 },
          {
            nivel: 'T2',
            media_kg_ha: given.y_trat_kg_ha as number,
            custo_rs_ha: given.custo_incremental_rs_ha as number,
            ep_diferenca: given.ep_diferenca_kg_ha as number,
            gl: given.gl_residuo as number,
          },
        ],
      })
      const interval = example.ganho_liquido_ic95 as unknown as { low: number; high: number }
      const pairs: [unknown, unknown][] = [
        [example.produtividade_sc_ha, line.produtividade_un_ha],
        [example.incremento_kg_ha, line.incremento_kg_ha],
        [example.incremento_sc_ha, line.incremento_un_ha],
        [example.incremento_percent, line.incremento_percent],
        [example.receita_incremental_rs_ha, line.receita_incremental_rs_ha],
        [example.custo_em_sacas_ha, line.ponto_equilibrio_un_ha],
        [example.incremento_nivelamento_kg_ha, line.ponto_equilibrio_kg_ha],
        [example.preco_nivelamento_rs_saca ?? null, line.preco_equilibrio_rs_un],
        [example.ganho_liquido_rs_ha, line.ganho_liquido_rs_ha],
        [example.ganho_liquido_sc_ha, line.ganho_liquido_un_ha],
        [example.roi_percent ?? null, line.roi_percent],
        [example.beneficio_custo ?? null, line.beneficio_custo],
        [interval.low, line.ganho_ic_baixo_rs_ha],
        [interval.high, line.ganho_ic_alto_rs_ha],
        [example.prob_ganho_positivo, line.prob_ganho_positivo],
      ]
      for (const [expected, got] of pairs) {
        expect(near(got as number | null, expected as number | null, 1e-10), `${expected} ${got}`).toBe(true)
      }
    })
  }

  it('worked dominance', () => {
    const example = examples.dominance as unknown as {
      input: { t: string; cost: number; net: number }[]
      dominated: string[]
      tmr: { from: string; to: string; percent: number }[]
    }
    const found = dominance(
      example.input.map(({ t, cost, net }) => ({
        nivel: t,
        custo_rs_ha: cost,
        beneficio_liquido_rs_ha: net,
      })),
    )
    expect(found.dominados).toEqual(example.dominated)
    expect(found.tmr.map((step) => [step.de, step.para])).toEqual(example.tmr.map((s) => [s.from, s.to]))
    found.tmr.forEach((step, i) => {
      expect(near(step.percentual, example.tmr[i]?.percent, 1e-10)).toBe(true)
    })
    expect(found.recomendado).toBe('T4')
  })

  it('a step that falls short of the rate may still be part of a longer one that reaches it', () => {
    const options = [
      { nivel: 'A', custo_rs_ha: 0, beneficio_liquido_rs_ha: 1000 },
      { nivel: 'B', custo_rs_ha: 100, beneficio_liquido_rs_ha: 1050 },
      { nivel: 'C', custo_rs_ha: 200, beneficio_liquido_rs_ha: 1260 },
      { nivel: 'D', custo_rs_ha: 300, beneficio_liquido_rs_ha: 1300 },
    ]
    expect(dominance(options).recomendado).toBe('C')
    expect(dominance(options, 30).recomendado).toBe('D')
    expect(dominance(options, 500).recomendado).toBe('A')
    const equal = dominance([...options, { nivel: 'E', custo_rs_ha: 0, beneficio_liquido_rs_ha: 1000 }])
    expect(equal.dominados).toEqual(['E'])
    expect(dominance([])).toEqual({ dominados: [], tmr: [], recomendado: null, curva: [] })
  })

  it('the adjustment lowers the revenue of the dominance only', () => {
    const plain = economics(base)
    const lower = economics({ ...base, ajuste_percent: 10 })
    expect(lower.linhas).toEqual(plain.linhas)
    const benefit = (answer: typeof plain) =>
      'curva' in answer.dominancia ? answer.dominancia.curva[0]?.beneficio_liquido_rs_ha : null
    expect(near(benefit(plain), (3600 / 60) * 128.5 - 100)).toBe(true)
    expect(near(benefit(lower), (3600 / 60) * 128.5 * 0.9 - 100)).toBe(true)
  })

  it('without an error there is no probability, and it is said', () => {
    for (const ep_diferenca of [0, null]) {
      const line = second({ ...withSecond({ ep_diferenca }), preco_baixo: 100, preco_alto: 150 })
      expect(line.prob_ganho_positivo).toHaveProperty('motivo')
      expect(line.prob_ganho_positivo_faixa).toHaveProperty('motivo')
      expect(line.ganho_ic_baixo_rs_ha).toBeNull()
      expect(near(line.ganho_liquido_rs_ha, 355.8)).toBe(true)
    }
    expect(second(withSecond({ gl: null })).prob_ganho_positivo).toHaveProperty('motivo')
  })

  it('without a cost there are yields and revenue', () => {
    const answer = economics({ ...withSecond({ custo_rs_ha: null }), preco_alto: 150 })
    const line = answer.linhas[1] as EconomicLine
    expect(line.margem_rs_ha).toBeNull()
    expect(line.ganho_liquido_rs_ha).toBeNull()
    expect(line.prob_ganho_positivo).toHaveProperty('motivo')
    expect(near(line.receita_incremental_rs_ha, 668.2)).toBe(true)
    expect(answer.dominancia).toHaveProperty('motivo')
  })

  it('refuses prices that are none', () => {
    for (const wrong of [{ preco: 0 }, { preco: Number.NaN }, { kg_por_unidade: -1 }, { preco_baixo: 200 }]) {
      expect(() => economics({ ...base, ...wrong })).toThrow(RangeError)
    }
    expect(() => economics({ ...base, testemunha: 'T9' })).toThrow(RangeError)
  })

  it('the gain is linear in the price', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1, max: 500, noNaN: true }),
        fc.double({ min: 1, max: 500, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: -500, max: 500, noNaN: true }),
        (p, q, share, delta) => {
          const gain = (preco: number): number =>
            second({ ...withSecond({ media_kg_ha: 3600 + delta }), preco }).ganho_liquido_rs_ha as number
          const between = gain(p + share * (q - p))
          return (
            Math.abs(between - (gain(p) + share * (gain(q) - gain(p)))) <= 1e-8 * (Math.abs(between) + 1000)
          )
        },
      ),
    )
  })

  it('the mean probability over a range is that of a sum over it, however sharp', () => {
    for (const [ep_diferenca, gl] of [
      [95.3, 15],
      [300, 3],
      [2, 40],
      [0.01, 6],
      [20, 1],
    ] as const) {
      for (const cost of [412.4, 700, 100, 20]) {
        for (const [low, high] of [
          [100, 150],
          [20, 400],
          [128.5, 300],
        ] as const) {
          const input = withSecond({ ep_diferenca, gl, custo_rs_ha: cost })
          const got = second({ ...input, preco_baixo: low, preco_alto: high }).prob_ganho_positivo_faixa
          // Midpoints of equal probability on each side of the likely price.
          const count = 800
          let sum = 0
          for (let i = 0; i < count; i++) {
            const u = (i + 0.5) / count
            const cut = (128.5 - low) / (high - low)
            const preco =
              u < cut
                ? low + Math.sqrt(u * (high - low) * (128.5 - low))
                : high - Math.sqrt((1 - u) * (high - low) * (high - 128.5))
            sum += second({ ...input, preco }).prob_ganho_positivo as number
          }
          expect(Math.abs((got as number) - sum / count)).toBeLessThan(1.2e-3)
        }
      }
    }
  })

  it('the mean probability is good to 1e-6', () => {
    // Without error to speak of it is the share of prices above C/Δ, here 312.4/5.2, of a triangle in closed form.
    const sharp = (ep_diferenca: number, low: number, high: number): number =>
      second({ ...withSecond({ ep_diferenca }), preco_baixo: low, preco_alto: high })
        .prob_ganho_positivo_faixa as number
    const even = 312.4 / 5.2
    const share = 1 - (even - 40) ** 2 / ((300 - 40) * (128.5 - 40))
    expect(Math.abs(sharp(1e-6, 40, 300) - share)).toBeLessThan(1e-7)
    // With one degree of freedom T is 1/2 + atan(t)/π: by 400,000 midpoints.
    const got = second({ ...withSecond({ ep_diferenca: 20, gl: 1 }), preco_baixo: 40, preco_alto: 300 })
    const steps = 400_000
    let sum = 0
    for (let i = 0; i < steps; i++) {
      const price = 40 + (260 * (i + 0.5)) / steps
      const density = price < 128.5 ? (price - 40) / 88.5 : (300 - price) / 171.5
      sum += density * (0.5 + Math.atan((312 - (312.4 * 60) / price) / 20) / Math.PI)
    }
    expect(Math.abs((got.prob_ganho_positivo_faixa as number) - (2 * sum) / steps)).toBeLessThan(1e-8)
  })

  it('a cheaper treatment pays with certainty of its own', () => {
    const line = second({
      ...withSecond({ custo_rs_ha: 40, media_kg_ha: 3560 }),
      preco_baixo: 50,
      preco_alto: 200,
    })
    expect(line.custo_incremental_rs_ha).toBe(-60)
    expect(line.roi_percent).toBeNull()
    expect(line.preco_equilibrio_rs_un).toBeNull()
    const p = line.prob_ganho_positivo_faixa as number
    expect(p > 0.3 && p < 0.5).toBe(true)
  })
})

describe('what changes with the price', () => {
  const lines: MarginLine[] = [
    { nivel: 'T1', unidades_ha: 0, custo_rs_ha: 0 },
    { nivel: 'T2', unidades_ha: 2.5, custo_rs_ha: 95 },
    { nivel: 'T3', unidades_ha: 2.6, custo_rs_ha: 240 },
    { nivel: 'T4', unidades_ha: 7, custo_rs_ha: 330 },
  ]

  it('names the prices at which the best one changes', () => {
    expect(crossings(lines)).toEqual([
      { preco: 38, de: 'T1', para: 'T2' },
      { preco: (330 - 95) / 4.5, de: 'T2', para: 'T4' },
    ])
    expect(crossings(lines, 40, 50)).toEqual([])
    expect(crossings([])).toEqual([])
  })

  it('of three lines through a point the steepest takes over', () => {
    const through = [1, 2, 3].map((y) => ({ nivel: `T${y}`, unidades_ha: y, custo_rs_ha: 10 * y }))
    expect(crossings(through)).toEqual([{ preco: 10, de: 'T1', para: 'T3' }])
  })

  it('between crossings the ranking keeps its first', () => {
    const line = fc.record({
      unidades_ha: fc.integer({ min: -20, max: 20 }),
      custo_rs_ha: fc.integer({ min: -300, max: 900 }),
    })
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), (raw) => {
        const made = raw.map((item, i) => ({ ...item, nivel: `T${i}` }))
        const found = crossings(made, 1, 200)
        const stops = [1, ...found.map((c) => c.preco), 200]
        const yields = new Map(made.map((m) => [m.nivel, m]))
        const best = (price: number): number => ranking(made, price)[0]?.margem_rs_ha ?? 0
        found.forEach((c, i) => {
          const [from, to] = [yields.get(c.de), yields.get(c.para)]
          if (!from || !to) throw new Error('unknown line')
          const at = (m: MarginLine, p: number): number => m.unidades_ha * p - m.custo_rs_ha
          expect(near(at(from, c.preco) + 1e4, best(c.preco) + 1e4, 1e-9)).toBe(true)
          const [before, after] = [stops[i] as number, stops[i + 2] as number]
          expect(near(at(from, (before + c.preco) / 2) + 1e4, best((before + c.preco) / 2) + 1e4)).toBe(true)
          expect(near(at(to, (after + c.preco) / 2) + 1e4, best((after + c.preco) / 2) + 1e4)).toBe(true)
        })
      }),
    )
  })

  it('maps price and yield', () => {
    const grid = gainGrid({ unidades_ha: 5, custo_rs_ha: 500, preco: 100 })
    expect(grid.precos_percent).toEqual([-20, -15, -10, -5, 0, 5, 10, 15, 20])
    expect(grid.ganhos_rs_ha[4]?.[4]).toBe(0)
    expect(near(grid.ganhos_rs_ha[8]?.[0], 5 * 1.2 * 100 * 0.8 - 500)).toBe(true)
    expect(grid.paga).toBe(grid.ganhos_rs_ha.flat().filter((gain) => gain > 0).length / 81)
    expect(grid.paga > 0.4 && grid.paga < 0.5).toBe(true)
  })

  it('adds trials up and never averages a ROI', () => {
    const totals = economicTotals([
      { ganho_rs_ha: 300, custo_rs_ha: 100 },
      { ganho_rs_ha: -50, custo_rs_ha: 200 },
      { ganho_rs_ha: 80, custo_rs_ha: 300 },
      { ganho_rs_ha: 0, custo_rs_ha: 0 },
    ])
    expect(totals).toMatchObject({ n: 4, ganho_total_rs_ha: 330, ganho_mediano_rs_ha: 40 })
    expect(near(totals?.roi_percent, 55)).toBe(true)
    expect(totals?.positivos).toMatchObject({ vitorias: 2, n: 4, taxa: 0.5 })
    expect(near(totals?.positivos.ic_baixo, 0.1500389, 1e-6)).toBe(true)
    expect(economicTotals([])).toBeNull()
  })

  it('follows a slider with 50 treatments', () => {
    const many: EconomicInput = {
      ...base,
      preco_baixo: 90,
      preco_alto: 170,
      tratamentos: [
        { nivel: 'T1', media_kg_ha: 3600, custo_rs_ha: 0 },
        ...Array.from({ length: 49 }, (_, i) => ({
          nivel: `T${i + 2}`,
          media_kg_ha: 3500 + 17 * i,
          custo_rs_ha: 40 + 11 * i,
          ep_diferenca: 60 + i,
          gl: 98,
        })),
      ],
    }
    // How long a step takes is told by bench/statistics/economics.ts.
    for (let i = 0; i < 10; i++) expect(economics({ ...many, preco: 120 + i }).linhas).toHaveLength(50)
  })
})
