import { describe, expect, it } from 'vitest'
import { friedman, kruskalWallis } from './ranks.ts'
import { readCase } from './reference/cases.ts'
import { compare } from './reference/compare.ts'
import reference from './reference/special-functions.json' with { type: 'json' }
import type { NonParametric } from './result.ts'
import { shapiroWilk } from './shapiro.ts'
import { bartlett, brownForsythe } from './variances.ts'
import { welchTest } from './welch.ts'

/** Values of a one-factor case by treatment, and by block in treatment order. */
function plotsOf(name: string) {
  const item = readCase(name)
  const sheet = item.parcelas
  if (!sheet) throw new Error('a case of plots')
  const values = sheet.valores[0]?.valores ?? []
  const { parcelas } = sheet
  const value = (keep: (p: (typeof parcelas)[number]) => boolean) =>
    parcelas.flatMap((p, i) => (keep(p) ? [values[i] ?? 0] : []))
  const treatments = sheet.tratamentos.map((t) => t.numero)
  const blocks = [...new Set(parcelas.map((p) => p.bloco))]
  return {
    niveis: sheet.tratamentos.map((t) => t.nome),
    groups: treatments.map((t) => value((p) => p.tratamento === t)),
    blocks: blocks.map((b) => treatments.flatMap((t) => value((p) => p.tratamento === t && p.bloco === b))),
    expected: item.consultas[0]?.esperado.analise as Record<string, Record<string, unknown>>,
  }
}

const DIC = ['m01-dic-plantgrowth', 'm02-dic-insectsprays', 'm03-dic-desbalanceado']

describe('Shapiro-Wilk', () => {
  it('gives the reference W and p, from 3 values to 150, with ties and tails', () => {
    for (const { x, W, p, n } of reference.shapiro) {
      const answer = shapiroWilk(x)
      if ('motivo' in answer) throw new Error(answer.motivo)
      expect(answer.n).toBe(n)
      expect(Math.abs(answer.w / W - 1)).toBeLessThan(1e-11)
      expect(Math.abs(answer.p / p - 1)).toBeLessThan(1e-9)
    }
  })

  it('does not see shift and scale, and says why it has no answer', () => {
    const x = [3.1, 4.7, 2.2, 9.8, 5.5, 4.1]
    const plain = shapiroWilk(x)
    const moved = shapiroWilk(x.map((value) => 1e6 + 1000 * value))
    if ('motivo' in plain || 'motivo' in moved) throw new Error('no answer')
    expect(moved.w).toBeCloseTo(plain.w, 9)
    expect(shapiroWilk([1, 2])).toHaveProperty('motivo')
    expect(shapiroWilk([5, 5, 5, 5])).toHaveProperty('motivo')
    expect(shapiroWilk(new Array(5001).fill(0).map((_, i) => i))).toHaveProperty('motivo')
    // Evenly spread values of the largest sample allowed.
    const many = shapiroWilk(Array.from({ length: 5000 }, (_, i) => i))
    if ('motivo' in many) throw new Error('no answer')
    expect(many.p).toBeLessThan(1e-20)
  })
})

describe('variances', () => {
  it('give the F of Levene and the K² of Bartlett of the case files', () => {
    for (const name of DIC) {
      const { groups, expected } = plotsOf(name)
      const { levene, bartlett: k2 } = expected.pressupostos ?? {}
      expect(
        compare({ levene, bartlett: k2 }, { levene: brownForsythe(groups), bartlett: bartlett(groups) }),
      ).toEqual([])
    }
  })

  it('say why there is no answer', () => {
    expect(brownForsythe([[1], [2], [3]])).toHaveProperty('motivo')
    // Two plots lie equally far from their median.
    expect(
      brownForsythe([
        [1, 2.1],
        [3, 3.7],
        [1e8, 1e8 + 3],
      ]),
    ).toHaveProperty('motivo')
    expect(bartlett([[1, 2, 3], [4]])).toHaveProperty('motivo')
    expect(
      bartlett([
        [1, 2, 3],
        [4.1, 4.1, 4.1],
      ]),
    ).toHaveProperty('motivo')
  })
})

describe('Welch and Games-Howell', () => {
  it('are those of the case files', () => {
    for (const name of DIC) {
      const { niveis, groups, expected } = plotsOf(name)
      const answer = welchTest(niveis, groups, 0.05)
      expect(compare({ welch: expected.welch }, { welch: answer })).toEqual([])
      if ('motivo' in answer) throw new Error(answer.motivo)
      for (const { a, b, p } of answer.pares) {
        const shared = [...(answer.letras?.[a] ?? '')].some((letter) => answer.letras?.[b]?.includes(letter))
        expect(shared).toBe(p >= 0.05)
      }
      expect(welchTest(niveis, groups)).not.toHaveProperty('letras')
    }
  })

  it('say why there is no answer', () => {
    expect(welchTest(['T1', 'T2'], [[1, 2], [3]])).toHaveProperty('motivo')
    expect(
      welchTest(
        ['T1', 'T2'],
        [
          [1, 2],
          [3, 3],
        ],
      ),
    ).toHaveProperty('motivo')
  })
})

describe('tests on ranks', () => {
  it('give Kruskal-Wallis and Dunn of the case files', () => {
    for (const name of DIC) {
      const { niveis, groups, expected } = plotsOf(name)
      const answer = { nao_parametrico: kruskalWallis(niveis, groups, 0.05) }
      expect(compare({ nao_parametrico: expected.nao_parametrico }, answer)).toEqual([])
    }
  })

  it('give Friedman, Iman-Davenport and Nemenyi of the case file', () => {
    const { niveis, blocks, expected } = plotsOf('m04-dbc-log')
    const answer = { nao_parametrico: friedman(niveis, blocks, 0.05) }
    expect(compare({ nao_parametrico: expected.nao_parametrico }, answer)).toEqual([])
  })

  it('have letters that say what their pairs say', () => {
    const { niveis, groups, expected } = plotsOf('m02-dic-insectsprays')
    expect(expected).toBeDefined()
    const { pares, letras } = kruskalWallis(niveis, groups, 0.05) as NonParametric
    for (const { a, b, p_ajustado } of pares) {
      const shared = [...(letras[a] ?? '')].some((letter) => letras[b]?.includes(letter))
      expect(shared).toBe(p_ajustado >= 0.05)
    }
  })

  it('have no F when all blocks rank alike, and p 0', () => {
    const answer = friedman(
      ['T1', 'T2', 'T3'],
      [
        [1, 2, 3],
        [4, 5, 6],
        [2, 7, 9],
      ],
      0.05,
    ) as NonParametric
    expect(answer.iman_davenport).toMatchObject({ f: null, p: 0 })
    expect(answer.estatistica).toBeCloseTo(6, 12)
  })

  it('say why there is no answer', () => {
    expect(
      friedman(
        ['T1', 'T2'],
        [
          [1, 1],
          [2, 2],
        ],
        0.05,
      ),
    ).toHaveProperty('motivo')
    expect(friedman(['T1', 'T2'], [[1, 2]], 0.05)).toHaveProperty('motivo')
    expect(
      kruskalWallis(
        ['T1', 'T2'],
        [
          [1, 1],
          [1, 1],
        ],
        0.05,
      ),
    ).toHaveProperty('motivo')
    expect(kruskalWallis(['T1', 'T2'], [[1], []], 0.05)).toHaveProperty('motivo')
  })
})
