import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  duplicatesOf,
  type EffectInput,
  type EffectMeasure,
  effectInput,
  effectInputOfMeans,
  effectInputOfReport,
  effectOf,
  type TrialEffect,
} from './effects.ts'
import { metaRegression, subgroups } from './moderators.ts'
import { isRefusal } from './prepare.ts'
import { type ManyCase, readManyCase, readReference, trialOf } from './reference/cases.ts'
import { compare } from './reference/compare.ts'
import { type RandomEffects, type Synthesis, synthesis } from './synthesis.ts'
import { generator, near } from './testing.ts'

function means(trial: ManyCase['experimentos'][number]): EffectInput {
  const medias = trial.experimento.tratamentos.map((t, i) => ({
    nivel: `T${i + 1}`,
    media: t.produtividade ?? 0,
  }))
  const said = trial.experimento.estatistica_informada
  const answer = trial.parcelas
    ? effectInput(trialOf(trial.parcelas, { variavel: 'produtividade' }).trial)
    : said
      ? effectInputOfReport({ ...said, testemunha: 'T1', medias })
      : effectInputOfMeans(medias)
  if (isRefusal(answer)) throw new Error('refused')
  return answer
}

function effect(trial: ManyCase['experimentos'][number], medida: EffectMeasure): TrialEffect {
  const product = trial.experimento.tratamentos.findIndex((t) => t.produtos?.includes('Alfa'))
  const found = effectOf(means(trial), [product], 0, medida)
  if ('motivo' in found) throw new Error(found.motivo)
  return found
}

const item = readManyCase('m22-sintese')

/** The answer in the case's own words. */
function answerOf(consulta: ManyCase['consultas'][number]['consulta']): unknown {
  const medida = consulta.medida as EffectMeasure
  const effects = item.experimentos.map((trial) => effect(trial, medida))
  const whole = synthesis(effects, { medida })
  const of = <T>(key: (trial: ManyCase['experimentos'][number]) => T) =>
    item.experimentos.map((trial, i) => ({ efeito: effects[i] as TrialEffect, valor: key(trial) }))
  return {
    sintese: {
      ...whole,
      ensaios: whole.ensaios.map((trial, i) => ({ ordem: i + 1, ...trial })),
      metarregressao: metaRegression(
        of((t) => t.experimento.teor_argila ?? null).map(({ efeito, valor }) => ({ efeito, x: valor })),
      ),
      subgrupos: subgroups(
        of((t) => t.experimento.regional ?? null).map(({ efeito, valor }) => ({ efeito, grupo: valor })),
      ),
    },
  }
}

function finite(value: unknown, path = ''): string[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => finite(inner, `${path}/${key}`))
}

function made(k: number, seed = 3, tau = 60): TrialEffect[] {
  const { u, e } = generator(seed)
  return Array.from({ length: k }, () => {
    const ep = 40 + 120 * u()
    return { efeito: 200 + tau * e() + ep * e(), ep, gl: 6, origem_ep: 'parcelas' as const }
  })
}

function reml(answer: Synthesis): RandomEffects {
  if ('motivo' in answer.reml_hk) throw new Error(answer.reml_hk.motivo)
  return answer.reml_hk
}

describe('synthesis of many trials', () => {
  item.consultas.forEach(({ consulta, esperado }, i) => {
    it(`m22-sintese, query ${i + 1}, effects from the plots`, () => {
      const answer = answerOf(consulta)
      expect(compare(esperado, answer, { scale: 1 })).toEqual([])
      expect(finite(answer)).toEqual([])
    })
  })

  it('p6: seven trials of wheat against Simeto', () => {
    interface Estimate {
      est: number
      se: number
      ci_low: number
      ci_high: number
      p: number
      tau2: number
    }
    interface Meta {
      Q: number
      Q_p: number
      DL: Estimate
      REML_HK: Estimate
    }
    const file = readReference('cases-many/p6-conj-onofri-wheat') as {
      results: {
        meta_vs_control: Record<
          string,
          {
            trials: { lnRR: number; v_lnRR: number; diff: number; v_diff: number }[]
            lnRR: Meta
            diff: Meta
            wins: number
            wilson_low: number
            wilson_high: number
            sign_test_p: number
          }
        >
      }
    }
    const wheat = readManyCase('m23-conjunta-trigo')
    for (const [name, expected] of Object.entries(file.results.meta_vs_control)) {
      for (const medida of ['diferenca', 'lnrr'] as const) {
        const effects = wheat.experimentos.map((trial): TrialEffect => {
          const at = trial.experimento.tratamentos.findIndex((t) => t.nome === name)
          const found = effectOf(means(trial), [at], 0, medida)
          if ('motivo' in found) throw new Error(found.motivo)
          return found
        })
        effects.forEach(({ efeito, ep }, i) => {
          const trial = expected.trials[i]
          expect(near(efeito, medida === 'lnrr' ? trial?.lnRR : trial?.diff, 1e-9)).toBe(true)
          expect(near((ep as number) ** 2, medida === 'lnrr' ? trial?.v_lnRR : trial?.v_diff, 1e-9)).toBe(
            true,
          )
        })
        const answer = synthesis(effects, { medida })
        const main = reml(answer)
        const meta = medida === 'lnrr' ? expected.lnRR : expected.diff
        const dl = answer.dl_hk
        if ('motivo' in dl || 'motivo' in answer.q || 'motivo' in answer.vitorias)
          throw new Error('no answer')
        const pairs = [
          [main.estimativa, meta.REML_HK.est],
          [main.ep, meta.REML_HK.se],
          [main.ic_baixo, meta.REML_HK.ci_low],
          [main.ic_alto, meta.REML_HK.ci_high],
          [main.p, meta.REML_HK.p],
          [main.tau2, meta.REML_HK.tau2],
          [dl.estimativa, meta.DL.est],
          [dl.tau2, meta.DL.tau2],
          [answer.q.q, meta.Q],
          [answer.q.p, meta.Q_p],
          [answer.vitorias.ic_baixo, expected.wilson_low],
          [answer.vitorias.ic_alto, expected.wilson_high],
          [answer.vitorias.p_sinal, expected.sign_test_p],
        ] as const
        pairs.forEach(([got, want], i) => {
          expect(near(got, want, 1e-8), `${name} ${medida} ${i}: ${got} ${want}`).toBe(true)
        })
        expect(answer.vitorias.vitorias).toBe(expected.wins)
      }
    }
  })

  it('by hand: equal errors give the plain mean and the variance between', () => {
    const effects = [10, 20, 30, 60].map(
      (efeito): TrialEffect => ({ efeito, ep: 5, gl: 9, origem_ep: 'parcelas' }),
    )
    const main = reml(synthesis(effects))
    const s2 = (400 + 100 + 0 + 900) / 3
    expect(near(main.estimativa, 30)).toBe(true)
    expect(near(main.tau2, s2 - 25, 1e-10)).toBe(true)
    expect(near(main.ep, Math.sqrt(s2 / 4), 1e-10)).toBe(true)
    expect(main.pesos.every((w) => near(w, 0.25))).toBe(true)
    // Alike to less than their errors: no variance between, and the factor is kept at 1.
    const alike = reml(synthesis(effects.map((t, i) => ({ ...t, efeito: 30 + i / 100 }))))
    expect(alike.tau2).toBe(0)
    expect(near(alike.ep, 2.5)).toBe(true)
  })

  it('no point of a fine grid has more likelihood than the τ² found', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 12 }),
        fc.integer({ min: 1, max: 1e6 }),
        fc.constantFrom(0, 30, 300),
        (k, seed, tau) => {
          const effects = made(k, seed, tau)
          const likelihood = (tau2: number): number => {
            const w = effects.map((t) => 1 / ((t.ep as number) ** 2 + tau2))
            const sum = w.reduce((a, b) => a + b, 0)
            const m = effects.reduce((a, t, i) => a + (w[i] as number) * t.efeito, 0) / sum
            return (
              w.reduce((a, b) => a + Math.log(b), 0) -
              Math.log(sum) -
              effects.reduce((a, t, i) => a + (w[i] as number) * (t.efeito - m) ** 2, 0)
            )
          }
          const main = reml(synthesis(effects))
          const best = likelihood(main.tau2 as number)
          for (let i = 0; i <= 200; i++) {
            const at = i === 0 ? 0 : 1e7 * 10 ** (-i / 20)
            expect(likelihood(at)).toBeLessThanOrEqual(best + 1e-9)
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  it('neither the order nor the unit of the trials matters', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 3, max: 30 }),
        fc.integer({ min: 1, max: 1e6 }),
        fc.double({ min: 1e-3, max: 1e3, noNaN: true }),
        (k, seed, unit) => {
          const effects = made(k, seed)
          const main = reml(synthesis(effects))
          const back = reml(synthesis([...effects].reverse()))
          const scaled = reml(
            synthesis(effects.map((t) => ({ ...t, efeito: t.efeito * unit, ep: (t.ep as number) * unit }))),
          )
          for (const key of ['estimativa', 'ep', 'ic_baixo', 'predicao_alto'] as const) {
            expect(near(back[key], main[key], 1e-8)).toBe(true)
            expect(near(scaled[key], (main[key] as number) * unit, 1e-8)).toBe(true)
          }
          expect(near(scaled.tau2, (main.tau2 as number) * unit ** 2, 1e-6)).toBe(true)
          expect(near(scaled.p, main.p, 1e-6)).toBe(true)
          back.pesos.reverse().forEach((w, i) => {
            expect(near(w, main.pesos[i], 1e-8)).toBe(true)
          })
        },
      ),
    )
  })

  it('a trial registered twice counts once', () => {
    const effects = made(9)
    const registered = effects.map((t, i) => ({
      chave: `soja ${i}`,
      testemunha: 3000,
      tratamento: 3000 + t.efeito,
    }))
    const twice = [...effects, ...effects.slice(2, 5)]
    const twins = duplicatesOf([...registered, ...registered.slice(2, 5)])
    expect(synthesis(twice.filter((_, i) => twins[i] === null))).toEqual(synthesis(effects))
  })

  it('one trial, two, a few; none with an error', () => {
    const [a, b, c] = made(3) as [TrialEffect, TrialEffect, TrialEffect]
    const one = synthesis([a])
    expect(reml(one)).toMatchObject({ estimativa: a.efeito, ep: a.ep, gl: 6, tau2: null, pesos: [1] })
    expect(one.avisos).toEqual(['um_ensaio'])
    expect(one.sem_peso).toHaveProperty('motivo')
    const two = synthesis([a, b])
    expect(reml(two).predicao_baixo).toBeNull()
    expect(reml(two).gl).toBe(1)
    expect(two.avisos).toEqual(['dois_ensaios'])
    const three = synthesis([a, b, c])
    expect(reml(three).predicao_baixo).not.toBeNull()
    expect(three.avisos).toEqual(['poucos_ensaios'])
    const none = synthesis([
      { ...a, ep: null, origem_ep: 'ausente' },
      { ...b, ep: 0 },
    ])
    expect(none).toMatchObject({ k: 0, k_todos: 2, avisos: ['nenhum_ep'] })
    expect(none.sem_peso).toHaveProperty('estimativa')
    expect(none.ensaios.every((t) => t.peso === null)).toBe(true)
    for (const answer of [one, two, three, none]) expect(finite(answer)).toEqual([])
    expect(() => synthesis([])).toThrow(RangeError)
    const same = synthesis(made(6).map((t) => ({ ...t, efeito: 0 })))
    expect(finite(same)).toEqual([])
    expect(same.vitorias).toHaveProperty('motivo')
  })

  it('gives finite numbers whatever the sizes', () => {
    const size = fc.integer({ min: -12, max: 12 }).map((n) => 10 ** n)
    const trial = fc.record({
      efeito: fc.oneof(
        fc.constant(0),
        fc.tuple(fc.constantFrom(-1, 1), size).map(([sign, x]) => sign * x),
      ),
      ep: fc.oneof(size, fc.constant(0), fc.constant(null), fc.constant(1e-200), fc.constant(Infinity)),
      gl: fc.constantFrom(null, 1, 6, 1.5),
      origem_ep: fc.constantFrom('parcelas' as const, 'reconstruida' as const, 'imputada' as const),
    })
    fc.assert(
      fc.property(fc.array(trial, { minLength: 1, maxLength: 14 }), (effects) => {
        const answer = synthesis(effects)
        const given = { ...answer, ensaios: answer.ensaios.map((t) => ({ ...t, ep: 0 })) }
        expect(finite(given)).toEqual([])
        expect(finite(metaRegression(effects.map((efeito, i) => ({ efeito, x: i * i }))))).toEqual([])
        expect(finite(subgroups(effects.map((efeito, i) => ({ efeito, grupo: `${i % 3}` }))))).toEqual([])
      }),
      { numRuns: 400 },
    )
  })

  it('imputed errors stand apart', () => {
    const effects = made(8)
    const imputed: TrialEffect = { efeito: 900, ep: 50, gl: null, origem_ep: 'imputada' }
    const plain = synthesis(effects)
    const answer = synthesis([...effects, imputed])
    expect(reml(answer)).toEqual(reml(plain))
    expect(answer.com_imputados?.k).toBe(9)
    expect(plain.com_imputados).toBeUndefined()
  })

  it('leave-one-out is the estimate without the trial at the same τ²', () => {
    const effects = made(12)
    const answer = synthesis([{ efeito: 5, ep: null, gl: null, origem_ep: 'ausente' }, ...effects])
    const { influencia } = answer
    if ('motivo' in influencia) throw new Error(influencia.motivo)
    const tau2 = reml(answer).tau2 as number
    const without = effects.map((_, i) => {
      const left = effects.filter((__, j) => j !== i)
      const w = left.map((t) => 1 / ((t.ep as number) ** 2 + tau2))
      return left.reduce((sum, t, j) => sum + t.efeito * (w[j] as number), 0) / w.reduce((a, b) => a + b, 0)
    })
    without.forEach((value, i) => {
      expect(near(influencia.sem_o_ensaio[i], value, 1e-10)).toBe(true)
    })
    const moves = without.map((value) => Math.abs(value - reml(answer).estimativa))
    expect(influencia.ensaio).toBe(1 + moves.indexOf(Math.max(...moves)))
  })

  it('the hint of the funnel by hand', () => {
    const effects = made(10)
    expect(synthesis(effects.slice(1)).funil).toHaveProperty('motivo')
    const { funil } = synthesis(effects)
    if ('motivo' in funil) throw new Error(funil.motivo)
    const x = effects.map((t) => 1 / (t.ep as number))
    const z = effects.map((t) => t.efeito / (t.ep as number))
    const sum = (list: number[]): number => list.reduce((a, b) => a + b, 0)
    const sxx = sum(x.map((v) => v * v))
    const sxz = sum(x.map((v, i) => v * (z[i] as number)))
    const d = 10 * sxx - sum(x) ** 2
    const intercept = (sxx * sum(z) - sum(x) * sxz) / d
    expect(near(funil.intercepto, intercept, 1e-9)).toBe(true)
    const slope = (10 * sxz - sum(x) * sum(z)) / d
    const s2 = sum(x.map((v, i) => ((z[i] as number) - intercept - slope * v) ** 2)) / 8
    expect(near(funil.ep, Math.sqrt((s2 * sxx) / d), 1e-9)).toBe(true)
  })

  it('moderators: the unit of x does not matter, and what lacks is said', () => {
    const effects = made(14)
    const x = effects.map((_, i) => 20 + 3 * i + ((7 * i) % 5))
    const of = (scale: number, shift: number) =>
      metaRegression(effects.map((efeito, i) => ({ efeito, x: (x[i] as number) * scale + shift })))
    const plain = of(1, 0)
    const moved = of(1000, 5e6)
    if ('motivo' in plain || 'motivo' in moved) throw new Error('no answer')
    expect(near(moved.inclinacao * 1000, plain.inclinacao, 1e-9)).toBe(true)
    expect(near(moved.p, plain.p, 1e-8)).toBe(true)
    expect(
      near(plain.faixa[0]?.estimativa, plain.intercepto + plain.inclinacao * Math.min(...x), 1e-10),
    ).toBe(true)
    expect(metaRegression(effects.slice(0, 5).map((efeito) => ({ efeito, x: 1 })))).toHaveProperty('motivo')
    expect(metaRegression(effects.map((efeito) => ({ efeito, x: 7 })))).toHaveProperty('motivo')
    const groups = subgroups(
      effects.map((efeito, i) => ({ efeito, grupo: i === 0 ? 'só' : i % 2 ? 'a' : 'b' })),
    )
    expect(groups.grupos.map((g) => [g.grupo, g.k])).toEqual([
      ['a', 7],
      ['b', 6],
      ['só', 1],
    ])
    expect(groups.grupos[2]?.reml_hk).toHaveProperty('motivo')
    expect(groups.teste).toMatchObject({ gl1: 1, gl2: 11 })
    expect(subgroups(effects.map((efeito) => ({ efeito, grupo: 'x' }))).teste).toHaveProperty('motivo')
  })

  // How long they take is told by bench/statistics/synthesis.ts.
  it('10,000 effects are put together, moderated and grouped like few', () => {
    const many = made(10_000, 11)
    const answer = synthesis(many)
    expect(answer.k).toBe(10_000)
    expect(reml(answer).tau2).toBeGreaterThan(0)
    expect(metaRegression(many.map((efeito, i) => ({ efeito, x: i % 97 })))).toHaveProperty('inclinacao')
    expect(subgroups(many.map((efeito, i) => ({ efeito, grupo: `g${i % 7}` }))).grupos).toHaveLength(7)
  })
})
