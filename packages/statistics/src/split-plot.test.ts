import { describe, expect, it } from 'vitest'
import { analyse } from './analyse.ts'
import { prepare } from './prepare.ts'
import { wholePlots } from './split-plot.ts'
import { analyseSplitPlotReml } from './split-plot-reml.ts'
import { twoFactors as factorsOf } from './strata.ts'
import { line, must, near, twoFactors } from './testing.ts'

describe('split-plot', () => {
  it('whole plots without blocks are tested among themselves', () => {
    const trial = twoFactors('PSUB', 3, 4, 4)
    const parcelas = trial.parcelas.map((p, i) => ({
      numero: p.numero,
      tratamento: p.tratamento,
      parcela_principal: Math.floor(i / 4) + 1,
    }))
    const a = must({ ...trial, parcelas })
    expect(a.anova.linhas.map((l) => [l.fonte, l.gl])).toEqual([
      ['A', 2],
      ['residuo_a', 9],
      ['B', 3],
      ['A:B', 6],
      ['residuo_b', 27],
    ])
    const sum = a.anova.linhas.reduce((s, l) => s + (l.sq ?? 0), 0)
    expect(near(sum, a.anova.total?.sq)).toBe(true)
  })

  it('a whole plot of two levels of A is no whole plot', () => {
    const trial = twoFactors('PSUB', 3, 4, 4)
    const parcelas = trial.parcelas.map((p) => ({ ...p, parcela_principal: 1 }))
    expect(analyse({ ...trial, parcelas })).toMatchObject({ problema: 'analysis.layout' })
  })

  it('is refused without its two factors', () => {
    const trial = twoFactors('PSUB', 3, 4, 4)
    expect(analyse({ ...trial, fatores: [] })).toMatchObject({ problema: 'analysis.layout' })
    expect(
      analyse({ ...trial, tratamentos: [...trial.tratamentos, { numero: 99, niveis: null }] }),
    ).toMatchObject({
      problema: 'analysis.layout',
    })
  })

  it('the strata add up, and the combined error lies between', () => {
    for (const design of ['PSUB', 'FAIXAS'] as const) {
      const a = must(twoFactors(design, 3, 4, 5))
      expect(
        near(
          a.anova.linhas.reduce((s, l) => s + (l.sq ?? 0), 0),
          a.anova.total?.sq,
        ),
      ).toBe(true)
      expect(a.anova.linhas.reduce((s, l) => s + l.gl, 0)).toBe(a.anova.total?.gl)
      expect(a.anova.tipo).toBe('I')
    }
    const a = must(twoFactors('PSUB', 3, 4, 5))
    const inner = a.grupos.find((g) => g.efeito === 'A' && g.dentro)
    const [ea, eb] = a.residuos
    expect((inner?.gl ?? 0) > (ea?.gl ?? 0) && (inner?.gl ?? 0) < (ea?.gl ?? 0) + (eb?.gl ?? 0)).toBe(true)
  })
})

describe('split-plot by REML', () => {
  it('without loss it is the analysis by strata', () => {
    for (const seed of [7, 8, 9, 10]) {
      const trial = twoFactors('PSUB', 3, 4, 5, seed)
      const strata = must(trial)
      const [ea, eb] = strata.residuos
      if ((ea?.qm ?? 0) <= (eb?.qm ?? 0)) throw new Error('the whole plots must vary')
      const prepared = prepare(trial, {})
      if ('problema' in prepared) throw new Error('prepared')
      const factors = factorsOf(prepared)
      if ('problema' in factors) throw new Error('factors')
      const whole = wholePlots(prepared, factors)
      if ('problema' in whole) throw new Error('whole plots')
      const built = analyseSplitPlotReml(prepared, factors, whole)
      if ('problema' in built) throw new Error('built')
      const a = built.analysis
      expect(near(a.componentes?.residuo, eb?.qm, 1e-5)).toBe(true)
      expect(near(a.componentes?.parcela, ((ea?.qm ?? 0) - (eb?.qm ?? 0)) / 4, 1e-5)).toBe(true)
      for (const fonte of ['bloco', 'A', 'B', 'A:B']) {
        expect(near(line(a, fonte).f, line(strata, fonte).f, 1e-5)).toBe(true)
        expect(near(line(a, fonte).gl_den, line(strata, fonte).gl_den, 1e-4)).toBe(true)
      }
      const means = a.grupos[0]?.medias ?? []
      strata.grupos[0]?.medias.forEach((m, i) => {
        expect(near(means[i]?.ajustada, m.ajustada)).toBe(true)
        expect(near(means[i]?.ep, m.ep, 1e-5)).toBe(true)
        expect(near(means[i]?.gl, 8, 1e-4)).toBe(true)
      })
    }
  })

  it('a variance that would be negative is zero, and the error has all its degrees of freedom', () => {
    // Sub-plots that repel each other within a whole plot.
    const trial = twoFactors('PSUB', 2, 4, 4, 3, (n) => n === 6)
    const y = trial.y.map((value, i) =>
      value === null ? null : 50 + ([6, -6, 5, -5][(i + Math.floor(i / 4)) % 4] ?? 0) + (i % 3),
    )
    const a = must({ ...trial, y })
    expect(a.componentes?.parcela).toBe(0)
    expect(a.anova.linhas.every((l) => near(l.gl_den, 31 - 3 - 8))).toBe(true)
  })

  it('scale and shift leave F', () => {
    const trial = twoFactors('PSUB', 3, 4, 4, 7, (n) => n === 5 || n === 22)
    const first = must(trial)
    const second = must({ ...trial, y: trial.y.map((v) => (v === null ? null : 1000 - 3 * v)) })
    expect(first.anova.metodo).toBe('reml')
    for (const fonte of ['bloco', 'A', 'B', 'A:B']) {
      expect(near(line(first, fonte).f, line(second, fonte).f, 1e-6)).toBe(true)
      expect(near(line(first, fonte).gl_den, line(second, fonte).gl_den, 1e-4)).toBe(true)
    }
    expect(near(first.componentes?.residuo, (second.componentes?.residuo ?? 0) / 9, 1e-6)).toBe(true)
  })

  it('agrees with a dense fit whose second derivatives were taken by differences', () => {
    // A whole plot and three sub-plots lost; the covariance matrix inverted as it stands, outside this package.
    const a = must(twoFactors('PSUB', 3, 4, 5, 8, (n) => n <= 4 || n === 22 || n === 31 || n === 40))
    expect(near(a.componentes?.parcela, 46.75518115, 1e-6)).toBe(true)
    expect(near(a.componentes?.residuo, 9.89351703, 1e-6)).toBe(true)
    for (const [fonte, f, gl] of [
      ['bloco', 1.2395342914313379, 7.006072355714417],
      ['A', 3.848649587413682, 7.014001437286153],
      ['B', 34.8936043452079, 30.063296148043918],
      ['A:B', 0.9440838018144767, 30.06602500744764],
    ] as const) {
      expect(near(line(a, fonte).f, f, 1e-6)).toBe(true)
      expect(near(line(a, fonte).gl_den, gl, 1e-5)).toBe(true)
    }
    const first = a.grupos[0]?.medias[0]
    expect(near(first?.ajustada, 207.83796292446658, 1e-9)).toBe(true)
    expect(near(first?.ep, 3.6887830548391456, 1e-6)).toBe(true)
    expect(near(first?.gl, 7.018564053044747, 1e-5)).toBe(true)
    const pair = a.grupos[0]?.pares?.[0]
    expect(near(pair?.t, -0.2559538779364858, 1e-6)).toBe(true)
    expect(near(pair?.p_t, 0.8053255582626129, 1e-6)).toBe(true)
  })
})
