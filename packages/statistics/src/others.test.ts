import { describe, expect, it } from 'vitest'
import { progressPerPlot } from './progress.ts'
import { readCase, trialOf } from './reference/cases.ts'
import { line, must, near, oneFactor, twoFactors } from './testing.ts'
import { allowed, scaleOf } from './transform.ts'

describe('Box-Cox', () => {
  it('keeps its digits where the power is tiny', () => {
    const item = readCase('m18-dose-semeadura')
    if (!item.parcelas) throw new Error('plots')
    const found = must(trialOf(item.parcelas, { variavel: 'produtividade' }).trial).box_cox
    // The profile evaluated with 60 digits.
    expect(found).toMatchObject({ sugestao: null })
    if (!found || 'motivo' in found) throw new Error('a profile')
    expect(near(found.ic_baixo, -4.226673585593063, 1e-7)).toBe(true)
    expect(near(found.ic_alto, 2.7691881547188757, 1e-7)).toBe(true)
  })

  it('proposes a power only when 1 is outside', () => {
    const trial = oneFactor('DIC', 5, 8, 21)
    const skewed = { ...trial, y: trial.y.map((v) => (v === null ? null : Math.exp((v - 100) / 4))) }
    expect(must(skewed).box_cox).toMatchObject({ sugestao: 0 })
    expect(must({ ...trial, y: trial.y.map((v) => (v ?? 0) - 200) }).box_cox).toHaveProperty('motivo')
  })
})

describe('scales', () => {
  it('go forth and back', () => {
    for (const nome of ['nenhuma', 'log', 'log1', 'raiz', 'raiz_0_5', 'arcsen', 'boxcox'] as const) {
      const scale = scaleOf(nome, 0.3)
      for (const y of [0.5, 12, 80]) expect(near(scale.back(scale.forward(y)), y, 1e-12)).toBe(true)
    }
    expect(allowed(scaleOf('arcsen'), [0, 100])).toBe(true)
    expect(allowed(scaleOf('arcsen'), [101])).toBe(false)
    expect(allowed(scaleOf('log'), [0])).toBe(false)
    expect(scaleOf('boxcox', 0.5).back(-3)).toBeNull()
  })

  it('give means back on the original scale, with the raw ones beside', () => {
    const trial = oneFactor('DBC', 4, 4, 13)
    const a = must(trial, { transformacao: 'log' })
    const plain = must(trial)
    expect(a.residuos[0]?.cv_original).toBeCloseTo(plain.residuos[0]?.cv ?? Number.NaN, 12)
    expect(plain.residuos[0]).not.toHaveProperty('cv_original')
    for (const m of a.grupos[0]?.medias ?? []) {
      expect(near(m.original?.media, Math.exp(m.ajustada ?? 0))).toBe(true)
      expect((m.aritmetica ?? 0) > (m.original?.media ?? 0)).toBe(true)
      expect(m.relativa_percent).toBeUndefined()
    }
    expect(must(trial, { transformacao: 'boxcox', lambda: 1 }).anova.linhas[1]?.f).toBeCloseTo(
      must(trial).anova.linhas[1]?.f ?? 0,
      8,
    )
  })
})

describe('area under the progress curve', () => {
  it('is the sum of trapezia, in any order of dates', () => {
    const found = progressPerPlot(
      [7, 0, 14],
      [
        [10, 4, 3],
        [0, 2, null],
        [20, 4, 9],
      ],
    )
    expect(found).toEqual({ y: [140, 49, null], duracao: 14, avaliacoes: 3 })
    expect(found?.y[0]).toBe(((0 + 10) / 2) * 7 + ((10 + 20) / 2) * 7)
  })

  it('needs two different dates', () => {
    expect(progressPerPlot([3], [[1]])).toBeNull()
    expect(progressPerPlot([3, 3], [[1], [2]])).toBeNull()
  })
})

describe('efficacy', () => {
  const item = readCase('m20-eficacia')
  if (!item.parcelas) throw new Error('plots')
  const query = { variavel: 'insetos', avaliacao: 'd7', avaliacao_previa: 'previa' }
  const { trial, options } = trialOf(item.parcelas, query)

  it('has an interval around it, and Henderson-Tilton is Abbott where the earlier counts were equal', () => {
    const abbott = must(trial, { ...options, eficacia: 'abbott' }).eficacia
    const equal = { ...trial, previa: trial.y.map((_, i) => 50 + ((i % 3) - 1)) }
    equal.previa = trial.parcelas.map((p) => 50 + (p.bloco ?? 0))
    const henderson = must(equal, { ...options, eficacia: 'henderson_tilton' }).eficacia
    if (!abbott || !henderson || 'motivo' in abbott || 'motivo' in henderson) throw new Error('efficacy')
    abbott.linhas.forEach((l, i) => {
      expect((l.ic_baixo ?? 0) < l.eficacia && l.eficacia < (l.ic_alto ?? 0)).toBe(true)
      expect(near(l.eficacia, henderson.linhas[i]?.eficacia)).toBe(true)
      // The earlier date has no error here, so that the interval is the same.
      expect(near(l.ic_baixo, henderson.linhas[i]?.ic_baixo, 1e-6)).toBe(true)
    })
  })

  it('is not offered where more is better', () => {
    expect(must(trial, { eficacia: 'abbott', maior_melhor: true }).eficacia).toHaveProperty('motivo')
    const design = { ...twoFactors('PSUB', 2, 3, 3), testemunha: 1 }
    expect(must(design, { eficacia: 'abbott', maior_melhor: false }).eficacia).toHaveProperty('motivo')
  })
})

describe('covariable', () => {
  it('that carries the response takes the error with it', () => {
    const trial = oneFactor('DBC', 4, 4, 5)
    const covariavel = trial.y.map((v, i) => (v ?? 0) / 10 + (i % 3) * 0.1)
    const a = must({ ...trial, covariavel })
    expect(a.covariavel?.coeficiente).toBeGreaterThan(5)
    expect(a.covariavel?.inclinacoes?.gl1).toBe(3)
    expect(a.covariavel?.inclinacoes?.gl2).toBe(5)
    expect(a.completo).toBe(false)
  })

  it('a plot without it is lost', () => {
    const trial = oneFactor('DBC', 4, 4, 5)
    const covariavel = trial.y.map((_, i) => (i === 3 ? null : (i * 7) % 5))
    expect(must({ ...trial, covariavel }).n).toMatchObject({ validas: 15, perdidas: 1 })
  })

  it('that does not vary is refused', () => {
    const trial = oneFactor('DBC', 4, 4, 5)
    expect(() => must({ ...trial, covariavel: trial.y.map(() => 3) })).toThrow('no_variation')
  })
})

describe('additional treatments', () => {
  it('are parted from the factorial and among themselves', () => {
    const trial = twoFactors('DBC', 2, 3, 4)
    const extra = [7, 8].map((numero) => ({ numero, niveis: null }))
    trial.tratamentos.push(...extra)
    for (let bloco = 1; bloco <= 4; bloco++) {
      for (const { numero } of extra) {
        trial.parcelas.push({ numero: trial.parcelas.length + 1, tratamento: numero, bloco })
        trial.y.push(180 + numero + bloco * 1.7)
      }
    }
    const a = must(trial)
    expect(a.anova.linhas.map((l) => l.fonte)).toEqual([
      'bloco',
      'tratamento',
      'A',
      'B',
      'A:B',
      'fatorial_vs_adicional',
      'adicionais',
      'residuo',
    ])
    const sq = (fonte: string): number => a.anova.linhas.find((l) => l.fonte === fonte)?.sq ?? 0
    const parts = ['A', 'B', 'A:B', 'fatorial_vs_adicional', 'adicionais'].reduce((s, f) => s + sq(f), 0)
    expect(near(parts, sq('tratamento'))).toBe(true)
  })
})

describe('least squares on sum contrasts, fitted outside this package', () => {
  it('Latin square with three plots lost', () => {
    const a = must(oneFactor('DQL', 5, 5, 3, (n) => n === 2 || n === 9 || n === 17))
    for (const [fonte, sq] of [
      ['linha', 233.561913904978],
      ['coluna', 126.66230669915203],
      ['tratamento', 470.92811834674205],
    ] as const) {
      expect(near(line(a, fonte).sq, sq, 1e-9)).toBe(true)
    }
    const means = a.grupos[0]?.medias ?? []
    expect(near(means[0]?.ajustada, 108.33458128503271, 1e-9)).toBe(true)
    expect(near(means[0]?.ep, 1.845698126707401, 1e-9)).toBe(true)
  })

  it('factorial with two additional treatments and three plots lost: each effect by leaving it out', () => {
    const trial = twoFactors('DBC', 2, 3, 4, 9, (n) => n === 3 || n === 14)
    trial.tratamentos.push({ numero: 7, niveis: null }, { numero: 8, niveis: null })
    for (let b = 1; b <= 4; b++) {
      for (const numero of [7, 8]) {
        trial.parcelas.push({ numero: trial.parcelas.length + 1, tratamento: numero, bloco: b })
        trial.y.push(b === 2 && numero === 7 ? null : 190 + numero * 2 + b * 1.7 + ((b * numero) % 3))
      }
    }
    const a = must(trial)
    for (const [fonte, sq] of [
      ['A', 23.51065900280753],
      ['B', 157.37207806600878],
      ['A:B', 20.5127927220704],
      ['fatorial_vs_adicional', 29.975255936490043],
      ['adicionais', 14.04500011181608],
    ] as const) {
      expect(near(line(a, fonte).sq, sq, 1e-9)).toBe(true)
    }
  })

  it('equal slopes of a covariable', () => {
    const trial = oneFactor('DBC', 4, 5, 5, (n) => n === 6)
    const covariavel = trial.y.map((v, i) => (v ?? 100) / 10 + ((i * 7) % 5) * 0.3)
    const a = must({ ...trial, covariavel })
    expect(near(a.covariavel?.inclinacoes?.f, 0.19136124799013732, 1e-9)).toBe(true)
    expect(near(line(a, 'covariavel').sq, 191.88258860739995, 1e-9)).toBe(true)
    expect(near(line(a, 'tratamento').sq, 96.75827662532944, 1e-9)).toBe(true)
  })
})
