import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { analyse } from './analyse.ts'
import { dot, meanOf, qrPivoted, sumOfSquares } from './linear-algebra.ts'
import type { Analysis, Design, TrialInput } from './result.ts'
import { generator, line, must, near, oneFactor, twoFactors } from './testing.ts'

const designs = fc.constantFrom<Design>('DIC', 'DBC')
const shape = fc.record({
  design: designs,
  k: fc.integer({ min: 2, max: 6 }),
  r: fc.integer({ min: 3, max: 5 }),
  seed: fc.integer({ min: 1, max: 100_000 }),
  gap: fc.integer({ min: 0, max: 9 }),
})

function trialOf({
  design,
  k,
  r,
  seed,
  gap,
}: {
  design: Design
  k: number
  r: number
  seed: number
  gap: number
}) {
  return oneFactor(design, k, r, seed, (n) => gap > 6 && n % gap === 3)
}

function fAndP(a: Analysis): (number | null)[] {
  return a.anova.linhas.flatMap((l) => [l.f, l.p])
}

function expectSameTests(a: Analysis, b: Analysis, relative = 1e-7): void {
  const left = fAndP(a)
  const right = fAndP(b)
  expect(left.length).toBe(right.length)
  left.forEach((value, i) => {
    expect(near(value, right[i], relative)).toBe(true)
  })
}

describe('what leaves an analysis as it was', () => {
  it('a shift and a scale of y', () => {
    fc.assert(
      fc.property(
        shape,
        fc.double({ min: 0.01, max: 1000, noNaN: true }),
        fc.integer({ min: -5000, max: 5000 }),
        (s, b, a) => {
          const trial = trialOf(s)
          const first = must(trial)
          const second = must({
            ...trial,
            y: trial.y.map((value) => (value === null ? null : a + b * value)),
          })
          expectSameTests(first, second)
          expect(second.grupos[0]?.letras).toEqual(first.grupos[0]?.letras)
        },
      ),
      { numRuns: 25 },
    )
  })

  it('the order of plots and the names of blocks', () => {
    fc.assert(
      fc.property(shape, fc.integer({ min: 1, max: 1e6 }), (s, seed) => {
        const trial = trialOf(s)
        const { u } = generator(seed)
        const order = trial.parcelas.map((_, i) => ({ i, key: u() })).sort((a, b) => a.key - b.key)
        const moved: TrialInput = {
          ...trial,
          parcelas: order.map(({ i }) => {
            const plot = trial.parcelas[i] as TrialInput['parcelas'][number]
            return { ...plot, bloco: 50 + (((plot.bloco ?? 0) * 7) % 11) }
          }),
          y: order.map(({ i }) => trial.y[i] as number | null),
        }
        const first = must(trial)
        const second = must(moved)
        expectSameTests(first, second)
        expect(second.grupos[0]?.letras).toEqual(first.grupos[0]?.letras)
        expect(second.ajuste?.map((p) => p.parcela)).toEqual(first.ajuste?.map((p) => p.parcela))
      }),
      { numRuns: 25 },
    )
  })

  it('the order of treatments', () => {
    fc.assert(
      fc.property(shape, (s) => {
        const trial = trialOf(s)
        const first = must(trial)
        const second = must({ ...trial, tratamentos: [...trial.tratamentos].reverse() })
        expectSameTests(first, second)
        const means = new Map(second.grupos[0]?.medias.map((m) => [m.nivel, m]))
        for (const m of first.grupos[0]?.medias ?? []) {
          expect(near(m.ajustada, means.get(m.nivel)?.ajustada)).toBe(true)
          expect(near(m.ep, means.get(m.nivel)?.ep)).toBe(true)
        }
        expect(second.grupos[0]?.letras?.tukey).toEqual(first.grupos[0]?.letras?.tukey)
      }),
      { numRuns: 25 },
    )
  })

  it('asking twice gives the same bytes', () => {
    const trial = oneFactor('DBC', 5, 4, 11, (n) => n === 7)
    expect(JSON.stringify(analyse(trial))).toBe(JSON.stringify(analyse(trial)))
  })
})

describe('least squares with lost plots', () => {
  /** RSS of y on 0/1 columns of each class given, from a plain QR of the whole matrix. */
  function rss(y: number[], classes: number[][]): number {
    const columns = [new Float64Array(y.length).fill(1)]
    for (const codes of classes) {
      for (const level of new Set(codes)) columns.push(Float64Array.from(codes, (c) => (c === level ? 1 : 0)))
    }
    const c = meanOf(y)
    const qr = qrPivoted(columns, y.length)
    const rest = qr.qt(y.map((value) => value - c))
    for (let j = 0; j < qr.rank; j++) rest[j] = 0
    return dot(rest, rest)
  }

  it('is the difference of two fits, for treatments and for blocks', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e5 }), fc.integer({ min: 6, max: 9 }), (seed, gap) => {
        const trial = oneFactor('DBC', 5, 4, seed, (n) => n % gap === 2)
        const kept = trial.y.flatMap((value, i) => (value === null ? [] : [i]))
        const y = kept.map((i) => trial.y[i] as number)
        const t = kept.map((i) => trial.parcelas[i]?.tratamento ?? 0)
        const b = kept.map((i) => trial.parcelas[i]?.bloco ?? 0)
        const full = rss(y, [t, b])
        const a = must(trial)
        expect(near(line(a, 'residuo').sq, full, 1e-8)).toBe(true)
        expect(near(line(a, 'tratamento').sq, rss(y, [b]) - full, 1e-7)).toBe(true)
        expect(near(line(a, 'bloco').sq, rss(y, [t]) - full, 1e-7)).toBe(true)
      }),
      { numRuns: 20 },
    )
  })
})

describe('complete trials', () => {
  it('adjusted means are raw means, type III is type I', () => {
    fc.assert(
      fc.property(
        designs,
        fc.integer({ min: 2, max: 7 }),
        fc.integer({ min: 1, max: 1e5 }),
        (design, k, seed) => {
          const trial = oneFactor(design, k, 4, seed)
          const a = must(trial)
          expect(a.completo).toBe(true)
          const medias = a.grupos[0]?.medias ?? []
          for (const m of medias) expect(near(m.media, m.ajustada, 1e-12)).toBe(true)
          const between = 4 * sumOfSquares(medias.map((m) => m.media as number))
          expect(near(line(a, 'tratamento').sq, between)).toBe(true)
          const sum = a.anova.linhas.reduce((total, l) => total + (l.sq ?? 0), 0)
          expect(near(sum, a.anova.total?.sq)).toBe(true)
          expect(a.anova.linhas.reduce((total, l) => total + l.gl, 0)).toBe(a.anova.total?.gl)
        },
      ),
      { numRuns: 25 },
    )
  })

  it('the effects of a factorial add up to its cells', () => {
    const trial = twoFactors('DBC', 3, 4, 3)
    const a = must(trial)
    const cells = a.grupos[0]?.f?.sq
    const parts = ['A', 'B', 'A:B'].reduce((sum, fonte) => sum + (line(a, fonte).sq ?? 0), 0)
    expect(near(parts, cells)).toBe(true)
    // Simple effects of A within B hold A and A:B together.
    const simple = a.grupos
      .filter((g) => g.efeito === 'A' && g.dentro)
      .reduce((sum, g) => sum + (g.f?.sq ?? 0), 0)
    expect(near(simple, (line(a, 'A').sq ?? 0) + (line(a, 'A:B').sq ?? 0))).toBe(true)
  })

  it('two treatments: every test is the t of their difference, and F its square', () => {
    const a = must(oneFactor('DBC', 2, 6, 5))
    const pair = a.grupos[0]?.pares?.[0]
    const { f, p } = line(a, 'tratamento')
    expect(near((pair?.t ?? 0) ** 2, f)).toBe(true)
    for (const value of [pair?.p_t, pair?.p_tukey, pair?.p_snk, pair?.p_duncan, pair?.p_bonferroni]) {
      expect(near(value, p, 1e-7)).toBe(true)
    }
  })
})

describe('hard numbers', () => {
  it('means of 1e8 with a standard deviation of 1 keep F', () => {
    const trial = oneFactor('DBC', 6, 4, 3)
    const base = line(
      must({ ...trial, y: trial.y.map((v) => (v === null ? null : Math.round(v * 1024) / 1024)) }),
      'tratamento',
    )
    for (const shift of [1e8, -1e8]) {
      const y = trial.y.map((v) => (v === null ? null : Math.round(v * 1024) / 1024 + shift))
      expect(near(line(must({ ...trial, y }), 'tratamento').f, base.f, 1e-6)).toBe(true)
    }
  })

  it('one treatment with one plot', () => {
    const trial = oneFactor('DIC', 4, 4, 3, (n) => [8, 12, 16].includes(n))
    const a = must(trial)
    expect(a.grupos[0]?.medias[3]).toMatchObject({ n: 1, desvio: null })
    expect(a.pressupostos?.bartlett).toHaveProperty('motivo')
  })

  it('500 treatments in 4 blocks', () => {
    const a = must(oneFactor('DBC', 500, 4, 9))
    expect(line(a, 'tratamento').gl).toBe(499)
    expect(a.grupos[0]?.medias).toHaveLength(500)
  })

  it('different means without residual variance: every letter is na, no p', () => {
    const trial = oneFactor('DBC', 3, 4)
    const a = must({ ...trial, y: trial.parcelas.map((p) => (p.tratamento === 2 ? 100 : 0)) })
    expect(a.variancia_zero).toBe(true)
    expect(a.grupos[0]?.letras?.tukey).toEqual({ T1: 'na', T2: 'na', T3: 'na' })
    expect(a.grupos[0]?.pares?.every((p) => p.p_t === null && p.p_tukey === null)).toBe(true)
    expect(line(a, 'tratamento')).toMatchObject({ f: null, p: null })
  })

  it('alpha 0.01 gives no more letters apart than 0.05', () => {
    const trial = oneFactor('DBC', 6, 4, 12)
    const apart = (alfa: number): number =>
      must(trial, { alfa }).grupos[0]?.pares?.filter((p) => (p.p_tukey ?? 1) < alfa).length ?? 0
    expect(apart(0.01)).toBeLessThanOrEqual(apart(0.05))
    expect(must(trial, { alfa: 0.01 }).alfa).toBe(0.01)
  })
})

describe('letters', () => {
  it('two means share one exactly when their p is not below alpha', () => {
    fc.assert(
      fc.property(shape, (s) => {
        const a = must(trialOf(s))
        for (const group of a.grupos) {
          for (const pair of group.pares ?? []) {
            for (const [test, p] of [
              ['tukey', pair.p_tukey],
              ['t', pair.p_t],
              ['bonferroni', pair.p_bonferroni],
            ] as const) {
              const letters = group.letras?.[test] ?? {}
              const share = [...(letters[pair.a] ?? '')].some((l) => (letters[pair.b] ?? '').includes(l))
              expect(share).toBe((p ?? 1) >= a.alfa)
            }
          }
        }
      }),
      { numRuns: 25 },
    )
  })
})
