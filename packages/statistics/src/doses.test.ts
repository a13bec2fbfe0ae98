import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { analyse } from './analyse.ts'
import { doseRegression, parseDose } from './doses.ts'
import { row, zeros } from './linear-algebra.ts'
import type { DoseModel, TrialInput } from './result.ts'
import { generator, must, near, twoFactors } from './testing.ts'

interface Reference {
  data: { rows: [string, number, number][] }
  results: Record<string, Record<string, Record<string, unknown>>>
}

const published = JSON.parse(
  readFileSync(new URL('./reference/cases/p7-dose-engelstad.json', import.meta.url), 'utf8'),
) as Reference

function regression(doses: number[], means: number[], relacao?: number, qm = 1, r = 1) {
  const covariancia = zeros(doses.length, doses.length)
  for (let i = 0; i < doses.length; i++) row(covariancia, i)[i] = qm / r
  const found = doseRegression({
    doses,
    medias: Float64Array.from(means),
    covariancia,
    qm,
    gl: 20,
    alfa: 0.05,
    ...(relacao === undefined ? {} : { relacao }),
  })
  if (!found) throw new Error('a regression')
  return found
}

function model(models: DoseModel[], nome: DoseModel['modelo']): DoseModel {
  const found = models.find((m) => m.modelo === nome)
  if (!found) throw new Error(nome)
  return found
}

function coefficient(said: Record<string, unknown> | undefined, index: number): number {
  return ((said?.coef ?? []) as number[])[index] ?? Number.NaN
}

describe('ten published responses to nitrogen', () => {
  for (const [name, expected] of Object.entries(published.results)) {
    it(name, () => {
      const rows = published.data.rows.filter(([trial]) => trial === name)
      const found = regression(
        rows.map(([, dose]) => dose),
        rows.map(([, , y]) => y),
        5 / 60,
      )
      const same = (value: number | undefined, reference: unknown, relative: number): void => {
        if (typeof reference === 'number')
          expect(near(value, reference, relative), `${value} ${reference}`).toBe(true)
      }
      const straight = model(found.modelos, 'linear')
      same(straight.coef.a, coefficient(expected.linear, 0), 1e-9)
      same(straight.coef.b, coefficient(expected.linear, 1), 1e-9)
      const curve = model(found.modelos, 'quadratico')
      same(curve.coef.c, coefficient(expected.quadratic, 2), 1e-9)
      same(curve.maximo?.dose, expected.quadratic?.x_max, 1e-8)
      same(curve.maximo?.resposta, expected.quadratic?.y_max, 1e-8)
      same(curve.r2, expected.quadratic?.r2, 1e-9)
      same(curve.economica?.dose, expected.economic?.quadratic, 1e-8)
      for (const [nome, key] of [
        ['linear_plato', 'linear_plateau'],
        ['quadratico_plato', 'quadratic_plateau'],
      ] as const) {
        const plateau = model(found.modelos, nome)
        const reference = expected[key]
        same(plateau.x0, reference?.x0, 1e-5)
        same(plateau.plato, reference?.plateau, 1e-5)
        same(plateau.coef.b, reference?.b, 1e-5)
        same(plateau.r2, reference?.r2, 1e-5)
      }
      same(
        model(found.modelos, 'quadratico_plato').economica?.dose,
        expected.economic?.quadratic_plateau,
        1e-5,
      )
    })
  }
})

describe('identities', () => {
  const doses = [0, 30, 60, 90, 120, 150]
  const means = [20, 31, 38, 41.5, 41, 38.5]

  it('the economic dose at no price is the dose of the maximum', () => {
    const curve = model(regression(doses, means, 0).modelos, 'quadratico')
    expect(near(curve.economica?.dose, curve.maximo?.dose)).toBe(true)
    expect(near(curve.economica?.ic_baixo, curve.maximo?.ic_baixo)).toBe(true)
    expect(near(curve.economica?.resposta, curve.maximo?.resposta)).toBe(true)
  })

  it('Fieller is where the profile of the vertex reaches its F', () => {
    // With the vertex held at z the model is a + c (x^2 - 2 z x): one slope.
    const curve = model(regression(doses, means).modelos, 'quadratico')
    const rssAt = (z: number): number => {
      const u = doses.map((x) => x * x - 2 * z * x)
      const mu = u.reduce((s, v) => s + v, 0) / u.length
      const my = means.reduce((s, v) => s + v, 0) / u.length
      const suu = u.reduce((s, v) => s + (v - mu) ** 2, 0)
      const suy = u.reduce((s, v, i) => s + (v - mu) * ((means[i] as number) - my), 0)
      return means.reduce((s, v) => s + (v - my) ** 2, 0) - suy ** 2 / suu
    }
    const critical = 2.0859634472658364 ** 2
    const best = rssAt(curve.maximo?.dose ?? 0)
    for (const limit of [curve.maximo?.ic_baixo, curve.maximo?.ic_alto]) {
      expect(rssAt(limit ?? 0) - best).toBeCloseTo(critical, 6)
    }
  })

  it('the partition adds up and the order of doses does not matter', () => {
    const found = regression(doses, means)
    const m = means.reduce((s, v) => s + v, 0) / 6
    const total = means.reduce((s, v) => s + (v - m) ** 2, 0)
    expect(
      near(
        found.particao.reduce((s, p) => s + p.sq, 0),
        total,
      ),
    ).toBe(true)
    expect(found.particao.map((p) => p.termo)).toEqual(['linear', 'quadratico', 'cubico', 'desvio'])
    const turned = regression([...doses].reverse(), [...means].reverse())
    expect(JSON.stringify(turned)).toBe(JSON.stringify(found))
  })

  it('means on a plateau line are given back', () => {
    const exact = doses.map((x) => 10 + 0.5 * Math.min(x, 75))
    const found = regression(doses, exact, 0.1)
    const plateau = model(found.modelos, 'linear_plato')
    expect(plateau.x0).toBeCloseTo(75, 5)
    expect(plateau.plato).toBeCloseTo(47.5, 5)
    expect(plateau.economica?.dose).toBeCloseTo(75, 5)
    expect(found.escolhido.modelo).toBe('linear_plato')
    expect(model(regression(doses, exact, 0.6).modelos, 'linear_plato').economica?.dose).toBe(0)
  })

  it('a straight response is a line', () => {
    const found = regression(
      doses,
      doses.map((x, i) => 10 + 0.5 * x + (i % 2 ? 0.3 : -0.3)),
    )
    expect(found.escolhido.modelo).toBe('linear')
    const none = regression(
      doses,
      doses.map((_, i) => 10 + (i % 2 ? 0.3 : -0.3)),
    )
    expect(none.escolhido.modelo).toBeNull()
  })

  it('two doses give a line, three a parabola through the means', () => {
    expect(regression([0, 50], [10, 20]).modelos.map((m) => m.modelo)).toEqual(['linear'])
    const three = regression([0, 50, 100], [10, 20, 15])
    expect(three.modelos.map((m) => m.modelo)).toEqual(['linear', 'quadratico'])
    expect(model(three.modelos, 'quadratico').falta_ajuste).toBeNull()
    expect(near(model(three.modelos, 'quadratico').r2, 1)).toBe(true)
  })
})

it('levels are numbers with a point or a comma', () => {
  expect(parseDose('0,5')).toBe(0.5)
  expect(parseDose(' 40 ')).toBe(40)
  expect(parseDose('dose cheia')).toBeNull()
  expect(parseDose('')).toBeNull()
})

describe('doses in a trial', () => {
  function doseTrial(lost: (n: number) => boolean): TrialInput {
    const { e } = generator(31)
    const doses = [0, 40, 80, 120, 160]
    const trial: TrialInput = {
      delineamento: 'DBC',
      testemunha: 1,
      fatores: [{ chave: 'A', tipo: 'quantitativo' }],
      tratamentos: doses.map((d, i) => ({ numero: i + 1, niveis: { A: String(d) } })),
      parcelas: [],
      y: [],
    }
    for (let b = 1; b <= 4; b++) {
      doses.forEach((x, i) => {
        const numero = trial.parcelas.length + 1
        trial.parcelas.push({ numero, tratamento: i + 1, bloco: b })
        trial.y.push(lost(numero) ? null : 3000 + 20 * x - 0.08 * x * x + 40 * b + 60 * e())
      })
    }
    return trial
  }

  it('adjusted means are weighted by 1/SE^2 where plots were lost', () => {
    const whole = must(doseTrial(() => false))
    const lost = must(doseTrial((n) => n === 3 || n === 10))
    for (const a of [whole, lost]) {
      expect(a.grupos.map((g) => g.efeito)).toEqual(['tratamento'])
      const curve = model(a.regressao?.modelos ?? [], 'quadratico')
      expect(curve.maximo?.e_maximo).toBe(true)
      expect((curve.maximo?.ic_baixo ?? 0) < (curve.maximo?.dose ?? 0)).toBe(true)
    }
    const sum = whole.regressao?.particao.reduce((s, p) => s + p.sq, 0)
    expect(near(sum, whole.grupos[0]?.f?.sq)).toBe(true)
  })

  it('within each level of the other factor', () => {
    const trial = twoFactors('DBC', 2, 4, 3)
    trial.fatores = [
      { chave: 'A', tipo: 'qualitativo' },
      { chave: 'B', tipo: 'quantitativo' },
    ]
    trial.tratamentos = trial.tratamentos.map((t, i) => ({
      ...t,
      niveis: { A: i < 4 ? 'P1' : 'P2', B: String((i % 4) * 25) },
    }))
    for (const delineamento of ['DBC', 'PSUB', 'FAIXAS'] as const) {
      const a = must({ ...trial, delineamento })
      expect(a.regressao).toBeUndefined()
      expect(a.regressoes?.map((r) => [r.fator, r.dentro])).toEqual([
        ['B', null],
        ['B', { A: 'P1' }],
        ['B', { A: 'P2' }],
      ])
    }
    expect('anova' in analyse(trial)).toBe(true)
  })
})
