import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareMeans, type MeansInput } from './comparisons.ts'
import { studentQuantile } from './distributions.ts'
import { holm } from './holm.ts'
import { readCase } from './reference/cases.ts'
import { compare } from './reference/compare.ts'
import type { Comparison, Dunnett, Group, Letters, Pair, ScottKnott } from './result.ts'
import { generator } from './testing.ts'

/** k independent means of r plots each. */
function independent(means: readonly number[], qm: number, r: readonly number[], gl: number): MeansInput {
  return {
    niveis: means.map((_, i) => `T${i + 1}`),
    n: r,
    ajustadas: means,
    covariancia: means.map((_, i) => means.map((__, j) => (i === j ? qm / (r[i] ?? 1) : 0))),
    gl,
    alfa: 0.05,
    scott_knott: { qm, gl, r },
    testemunha: 0,
    escala_original: true,
  }
}

const same = (k: number, r: number) => new Array<number>(k).fill(r)
const pairOf = (answer: Comparison, a: string, b: string): Pair => {
  const pair = answer.pares.find((p) => p.a === a && p.b === b)
  if (!pair) throw new Error(`no pair ${a} ${b}`)
  return pair
}
const names = (text: string | undefined): string[] => text?.match(/[a-z]'*/g) ?? []
const shares = (letters: Letters, a: string, b: string) =>
  names(letters[a]).some((name) => names(letters[b]).includes(name))

/** SNK and Duncan: a pair differs when every range of the ordered means that contains both is significant. */
function differs(answer: Comparison, order: string[], key: 'p_snk' | 'p_duncan', alfa: number) {
  return (a: string, b: string) => {
    const [i = 0, j = 0] = [order.indexOf(a), order.indexOf(b)].sort((x, y) => x - y)
    for (let from = 0; from <= i; from++) {
      for (let to = j; to < order.length; to++) {
        const [x = '', y = ''] = [order[from], order[to]]
        const pair = answer.pares.find((p) => (p.a === x && p.b === y) || (p.a === y && p.b === x))
        if ((pair?.[key] ?? 1) >= alfa) return false
      }
    }
    return true
  }
}

const KEYS = { tukey: 'p_tukey', t: 'p_t', bonferroni: 'p_bonferroni', holm: 'p_holm' } as const

function expectLettersFit(input: MeansInput, answer: Comparison) {
  const order = input.niveis
    .map((nivel, i) => ({ nivel, i, mean: input.ajustadas[i] ?? 0 }))
    .sort((x, y) => y.mean - x.mean || y.i - x.i)
    .map((x) => x.nivel)
  for (const [test, key] of Object.entries(KEYS) as [keyof typeof KEYS, (typeof KEYS)[keyof typeof KEYS]][]) {
    for (const pair of answer.pares) {
      expect(shares(answer.letras[test] ?? {}, pair.a, pair.b)).toBe((pair[key] ?? 1) >= input.alfa)
    }
  }
  for (const [test, key] of [
    ['snk', 'p_snk'],
    ['duncan', 'p_duncan'],
  ] as const) {
    const different = differs(answer, order, key, input.alfa)
    for (const { a, b } of answer.pares) {
      expect(shares(answer.letras[test], a, b)).toBe(!different(a, b))
    }
  }
  const best = order[0] ?? ''
  for (const letters of Object.values(answer.letras)) expect(names(letters[best])[0]).toBe('a')
}

const trials = fc.record({
  k: fc.integer({ min: 2, max: 9 }),
  seed: fc.integer({ min: 1, max: 1e6 }),
  spread: fc.constantFrom(0.3, 1, 3),
  unequal: fc.boolean(),
  alfa: fc.constantFrom(0.05, 0.01),
})

function drawn(x: { k: number; seed: number; spread: number; unequal: boolean; alfa: number }): MeansInput {
  const { u, e } = generator(x.seed)
  for (let i = 0; i < 5; i++) u()
  const means = Array.from({ length: x.k }, () => 50 + x.spread * 2 * e())
  const r = means.map(() => (x.unequal ? 2 + Math.floor(u() * 4) : 4))
  return { ...independent(means, 4, r, x.k * 3), alfa: x.alfa }
}

describe('compareMeans', () => {
  it('gives m01 from its plots', () => {
    const item = readCase('m01-dic-plantgrowth')
    const values = item.parcelas?.valores[0]?.valores.map((y) => y ?? 0) ?? []
    const groups = [0, 1, 2].map((i) => values.slice(10 * i, 10 * i + 10))
    const means = groups.map((y) => y.reduce((sum, value) => sum + value, 0) / 10)
    const squares = groups.map((y, i) => y.reduce((sum, v) => sum + (v - (means[i] ?? 0)) ** 2, 0))
    const qm = squares.reduce((sum, s) => sum + s, 0) / 27
    const answer = compareMeans(independent(means, qm, same(3, 10), 27))
    const [query] = item.consultas
    const { grupos } = (query?.esperado.analise ?? {}) as { grupos: Group[] }
    const { pares, letras, criticos, scott_knott, dunnett } = grupos[0] as Group
    expect(compare({ pares, letras, criticos, scott_knott, dunnett }, answer, { scale: 5 })).toEqual([])
  })

  for (const name of [
    'm03-dic-desbalanceado',
    'm04-dbc-log',
    'm07-dbi-milho',
    'm09-dbc-perdidas',
    'm21-reconstruido',
  ]) {
    it(`gives ${name} from its means and their errors`, () => {
      for (const { esperado } of readCase(name).consultas) {
        const group = (esperado.analise as { grupos: Group[] }).grupos[0] as Group
        const niveis = group.medias.map((m) => m.nivel)
        const variance = group.medias.map((m) => (m.ep ?? 0) ** 2)
        const covariancia = variance.map((v, i) => variance.map((_, j) => (i === j ? v : 0)))
        for (const { a, b, ep } of group.pares ?? []) {
          const [i, j] = [niveis.indexOf(a), niveis.indexOf(b)]
          const shared = ((variance[i] ?? 0) + (variance[j] ?? 0) - ep * ep) / 2
          const [x, y] = [covariancia[i] ?? [], covariancia[j] ?? []]
          x[j] = shared
          y[i] = shared
        }
        const answer = compareMeans({
          niveis,
          n: group.medias.map((m) => m.n),
          ajustadas: group.medias.map((m) => m.ajustada ?? 0),
          covariancia,
          gl: group.gl ?? 0,
          alfa: 0.05,
          scott_knott: group.scott_knott
            ? { qm: 1, gl: group.gl ?? 0, r: variance.map((v) => 1 / v) }
            : { motivo: 'incompleto' },
          testemunha: 0,
          escala_original: 'percentual' in ((group.dunnett as Dunnett).linhas[0] ?? {}),
        })
        const { pares, letras, criticos, scott_knott, dunnett } = group
        const expected = {
          pares,
          letras,
          dunnett,
          ...(criticos ? { criticos } : {}),
          ...(scott_knott ? { scott_knott } : {}),
        }
        expect(compare(expected, answer, { scale: Math.abs(group.medias[0]?.ajustada ?? 1) })).toEqual([])
        const errors = pares?.map((pair) => pair.ep) ?? []
        const one = Math.max(...errors) < Math.min(...errors) * (1 + 1e-9)
        expect(answer.criticos === null).toBe(!one)
      }
    })
  }

  it('is the t test for two means', () => {
    const answer = compareMeans(independent([10, 12.5], 3, [4, 6], 8))
    const pair = pairOf(answer, 'T1', 'T2')
    for (const p of [pair.p_bonferroni, pair.p_holm, pair.p_tukey, pair.p_snk, pair.p_duncan]) {
      expect(p).toBe(pair.p_t)
    }
    const row = (answer.dunnett as Dunnett).linhas[0]
    expect(row?.p).toBe(pair.p_t)
    expect((answer.dunnett as Dunnett).t_critico).toBeCloseTo(studentQuantile(0.975, 8), 12)
    expect(answer.criticos?.dms_tukey).toBeCloseTo(answer.criticos?.dms_t ?? 0, 12)
  })

  it('has letters that share if and only if p >= alfa, after the test has protected it', () => {
    fc.assert(
      fc.property(trials, (x) => {
        const input = drawn(x)
        expectLettersFit(input, compareMeans(input))
      }),
      { numRuns: 150 },
    )
  })

  it('does not see a shift or a scale of the response', () => {
    fc.assert(
      fc.property(
        trials,
        fc.integer({ min: -10, max: 10 }),
        fc.constantFrom(2 ** -9, 2, 1024),
        (x, shift, scale) => {
          const input = drawn(x)
          const first = compareMeans(input)
          const second = compareMeans({
            ...input,
            ajustadas: Array.from(input.ajustadas, (m) => scale * (m + shift)),
            covariancia: Array.from(input.covariancia, (row) => Array.from(row, (v) => scale * scale * v)),
            scott_knott: {
              ...(input.scott_knott as { qm: number; gl: number; r: number[] }),
              qm: 4 * scale * scale,
            },
          })
          expect(second.letras).toEqual(first.letras)
          expect((second.scott_knott as ScottKnott).grupos).toEqual((first.scott_knott as ScottKnott).grupos)
          first.pares.forEach((pair, i) => {
            for (const key of ['p_t', 'p_holm', 'p_tukey', 'p_snk', 'p_duncan'] as const) {
              expect(Math.abs((second.pares[i]?.[key] ?? 0) - (pair[key] ?? 0))).toBeLessThan(1e-11)
            }
          })
        },
      ),
      { numRuns: 50 },
    )
  })

  it('does not see the order of the treatments', () => {
    fc.assert(
      fc.property(trials, (x) => {
        const input = drawn(x)
        const first = compareMeans(input)
        const back = (list: ArrayLike<number>) => Array.from(list).reverse()
        const k = input.niveis.length
        const second = compareMeans({
          ...input,
          niveis: [...input.niveis].reverse(),
          n: back(input.n),
          ajustadas: back(input.ajustadas),
          covariancia: Array.from(input.covariancia, back).reverse(),
          scott_knott: { qm: 4, gl: 3 * k, r: back(input.n) },
          testemunha: k - 1,
        })
        for (const test of ['tukey', 't', 'bonferroni', 'duncan', 'snk'] as const) {
          expect(second.letras[test]).toEqual(first.letras[test])
        }
        expect((second.scott_knott as ScottKnott).grupos).toEqual((first.scott_knott as ScottKnott).grupos)
        for (const pair of first.pares) {
          const twin = pairOf(second, pair.b, pair.a)
          expect(twin.diferenca).toBe(-pair.diferenca)
          expect(twin.p_tukey).toBe(pair.p_tukey)
          expect(twin.p_holm).toBeCloseTo(pair.p_holm ?? 0, 12)
        }
        for (const row of (first.dunnett as Dunnett).linhas) {
          const twin = (second.dunnett as Dunnett).linhas.find((other) => other.nivel === row.nivel)
          expect(twin?.p).toBeCloseTo(row.p, 10)
        }
      }),
      { numRuns: 50 },
    )
  })

  it('keeps the differences of means of 1e8, and ranks ties in treatment order', () => {
    const small = compareMeans(independent([1, 2, 2, 4], 1, same(4, 4), 12))
    const large = compareMeans(
      independent(
        [1, 2, 2, 4].map((m) => 1e8 + m),
        1,
        same(4, 4),
        12,
      ),
    )
    expect(large.letras).toEqual(small.letras)
    expect(pairOf(large, 'T1', 'T4').p_tukey).toBeCloseTo(pairOf(small, 'T1', 'T4').p_tukey ?? 0, 12)
    const tied = pairOf(small, 'T2', 'T3')
    expect([tied.diferenca, tied.p_t, tied.p_tukey, tied.p_snk, tied.p_duncan]).toEqual([0, 1, 1, 1, 1])
    expectLettersFit(
      independent([3, 3, 3], 1, same(3, 3), 6),
      compareMeans(independent([3, 3, 3], 1, same(3, 3), 6)),
    )
  })

  it('gives no p, only na, without an error', () => {
    const answer = compareMeans(independent([0, 100, 50], 0, same(3, 4), 9))
    expect(answer.letras.tukey).toEqual({ T1: 'na', T2: 'na', T3: 'na' })
    expect(answer.pares.every((pair) => pair.t === null && pair.p_tukey === null && pair.ep === 0)).toBe(true)
    expect(answer.criticos).toBe(null)
    expect(answer.dunnett).toHaveProperty('motivo')
    expect(answer.scott_knott).toHaveProperty('motivo')
    expect(() => compareMeans(independent([1], 1, [3], 2))).toThrow(RangeError)
  })

  it('compares each pair by its own degrees of freedom', () => {
    const gl = (i: number, j: number) => (Math.max(i, j) === 2 ? 6.5 : 12)
    const input = { ...independent([10, 12, 15], 2, same(3, 4), 12), gl }
    const answer = compareMeans(input)
    const twelve = compareMeans({ ...input, gl: 12 })
    expect(pairOf(answer, 'T1', 'T2').p_tukey).toBe(pairOf(twelve, 'T1', 'T2').p_tukey)
    expect(pairOf(answer, 'T1', 'T3').p_tukey).toBeGreaterThan(pairOf(twelve, 'T1', 'T3').p_tukey ?? 1)
    expect(answer.criticos).toBe(null)
    expect(answer.dunnett).toHaveProperty('motivo')
  })

  it('shows no % of a control that is 0 or not on the original scale', () => {
    const zero = compareMeans(independent([0, 12, 15], 2, same(3, 4), 9)).dunnett as Dunnett
    expect(zero.linhas[0]).not.toHaveProperty('percentual')
    const input = { ...independent([2, 12, 15], 2, same(3, 4), 9), escala_original: false }
    expect((compareMeans(input).dunnett as Dunnett).linhas[0]).not.toHaveProperty('percentual')
    expect(compareMeans({ ...input, testemunha: null }).dunnett).toBe(null)
  })

  it('takes 500 means and 30 means of all tests in its stride', () => {
    const { e } = generator(11)
    const means = Array.from({ length: 500 }, () => 100 + 5 * e())
    const answer = compareMeans(independent(means, 25, same(500, 4), 1497))
    expect(answer.pares).toHaveLength(124750)
    expect(answer.criticos?.duncan).toHaveLength(499)
    // Ranges of more means ask for more, until Duncan's level grows faster than the range.
    answer.criticos?.duncan.forEach((range, i, all) => {
      expect(Number.isFinite(range)).toBe(true)
      if (i > 0 && i < 300) expect(range).toBeGreaterThan(all[i - 1] ?? 0)
    })
    for (const pair of answer.pares.slice(0, 2000)) {
      expect(shares(answer.letras.tukey, pair.a, pair.b)).toBe((pair.p_tukey ?? 1) >= 0.05)
    }
    const before = process.cpuUsage()
    compareMeans(independent(means.slice(0, 30), 25, same(30, 4), 87))
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(500)
  })
})

describe('holm', () => {
  it('multiplies the smallest by all, never falls and never passes 1', () => {
    expect(holm([0.01, 0.04, 0.03, 0.5])).toEqual([0.04, 0.09, 0.09, 0.5])
    expect(holm([0.6, 0.7])).toEqual([1, 1])
    expect(holm([])).toEqual([])
  })
})
