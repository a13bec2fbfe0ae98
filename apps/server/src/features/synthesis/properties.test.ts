import { type MaterialTrial, type SynthesisAnswer, type SynthesisMaterial, synthesisOf } from '@ensaio/domain'
import * as kernel from '@ensaio/statistics'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const treatment = (numero: number, y: number, p: boolean) => ({
  ...{
    numero,
    modalidade: 'Foliar',
    y,
    custo: 50 * numero,
    p,
    outros: 0,
    doses: [[1, 'L/ha']] as [number, string][],
  },
})
/** A trial of a control and one treatment, with an error of its own. */
const trial = (at: number, [c, t]: [number, number], change: Partial<MaterialTrial> = {}): MaterialTrial => ({
  ...{
    id: `id-${at}`,
    nome: `Ensaio ${at}`,
    cultura: 'Soja',
    ano: 2024,
    cidade: String(at),
    regional: 'Sul',
  },
  ...{ marca: 'Marca', argila: 20 + at, mo: 3, latitude: -20, versao: 1, ficha: 1, ve_custos: true },
  ...{ pendente: false, documento: null },
  t: [treatment(1, c, false), treatment(2, t, true)],
  e: {
    ...{ produtividade: true, unidade: 'kg/ha', umidade: null, origem: 'parcelas', testemunha: 1 },
    ...{ n_parcelas: 8, repeticoes: 4, cv: 5 },
    dados: { n: [1, 2], m: [c, t], gl: 3, d: [900 + 100 * at, 900 + 100 * at] },
  },
  ...change,
})
const material = (ensaios: MaterialTrial[], total = ensaios.length): SynthesisMaterial => ({
  ...{ total, ensaios, outros: [], cvs: {} },
})
const ask = (of: SynthesisMaterial, query: Parameters<typeof synthesisOf>[1] = {}): SynthesisAnswer => {
  const answer = synthesisOf(of, { produto: 'Zeta', medida: 'diferenca', ...query }, kernel)
  if (!answer) throw new Error('no answer')
  return answer
}
const estimate = ({ reml_hk }: SynthesisAnswer): number =>
  'motivo' in reml_hk ? Number.NaN : reml_hk.estimativa

const pairs = fc.array(fc.tuple(fc.integer({ min: 1500, max: 5000 }), fc.integer({ min: -300, max: 600 })), {
  minLength: 3,
  maxLength: 20,
})
const trialsOf = (drawn: [number, number][]) => drawn.map(([c, d], at) => trial(at, [c, c + d]))

describe('whatever the trials are', () => {
  test('their order changes nothing', () => {
    fc.assert(
      fc.property(pairs, (drawn) => {
        const trials = trialsOf(drawn)
        const [a, b] = [estimate(ask(material(trials))), estimate(ask(material([...trials].reverse())))]
        expect(Math.abs(a - b)).toBeLessThan(1e-6 * (1 + Math.abs(a)))
      }),
      { numRuns: 50 },
    )
  })

  test('a trial that is registered twice counts once, and all add up to the filter', () => {
    fc.assert(
      fc.property(pairs, (drawn) => {
        const trials = trialsOf(drawn)
        const twin = { ...(trials[0] as MaterialTrial), id: 'de-novo' }
        const once = ask(material(trials, trials.length + 7))
        const twice = ask(material([...trials, twin], trials.length + 8))
        expect(estimate(twice)).toBe(estimate(once))
        const left = twice.fora_contagem.reduce((sum, { n }) => sum + n, 0)
        expect(twice.ensaios.length + left).toBe(twice.total)
        expect(ask(material([...trials, twin]), { incluir: 'de-novo' }).ensaios).toHaveLength(
          trials.length + 1,
        )
      }),
      { numRuns: 50 },
    )
  })

  test('another unit scales the difference and leaves the ratio', () => {
    fc.assert(
      fc.property(pairs, (drawn) => {
        const kilos = trialsOf(drawn)
        const tonnes = kilos.map((one) => ({
          ...one,
          e: one.e && {
            ...one.e,
            unidade: 't/ha',
            dados: {
              ...one.e.dados,
              m: one.e.dados.m.map((mean) => mean / 1000),
              d: one.e.dados.d?.map((v) => v / 1e6) ?? [],
            },
          },
        }))
        const size = 1e-6 * (1 + Math.abs(estimate(ask(material(kilos)))))
        expect(
          Math.abs(1000 * estimate(ask(material(tonnes))) - estimate(ask(material(kilos)))),
        ).toBeLessThan(size)
        const ratio = (of: MaterialTrial[]) => estimate(ask(material(of), { medida: 'lnrr' }))
        expect(ratio(tonnes)).toBeCloseTo(ratio(kilos), 9)
      }),
      { numRuns: 30 },
    )
  })
})

test('an error that nobody knows is supposed only where it is asked for, and stands in a line of its own', () => {
  const known = [trial(0, [3000, 3200]), trial(1, [3100, 3350])]
  const means = [2, 3].map((at) => trial(at, [3000 + at, 3400], { e: null }))
  const of = { ...material([...known, ...means]), cvs: { Soja: { cv: 6, r: 4, n: 9 } } }
  expect(ask(of)).toMatchObject({ k: 2, k_todos: 4 })
  expect(ask(of).com_imputados).toBeUndefined()
  const supposed = ask(of, { imputar: '1' })
  expect(supposed).toMatchObject({ k: 2, k_todos: 4, com_imputados: { k: 4 } })
  expect(estimate(supposed)).toBe(estimate(ask(of)))
})

test('a control far below its crop is marked, and hidden costs are in no number of gains', () => {
  const of = material([
    trial(0, [3000, 3200]),
    trial(1, [3100, 3350], { ve_custos: false }),
    trial(2, [100, 140]),
  ])
  const answer = ask(of, { preco: 120 })
  expect(answer.ensaios.map(({ testemunha_baixa }) => testemunha_baixa)).toEqual([false, false, true])
  expect(answer.economia).toMatchObject({ com_custos: 2, de: 3 })
  expect(answer.frases['economia']).toContain('custos de 2 de 3 ensaios')
})
