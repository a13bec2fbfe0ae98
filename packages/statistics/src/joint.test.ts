import { describe, expect, it } from 'vitest'
import { type Joint, type JointOptions, type JointTrial, joint } from './joint.ts'
import { fitModel, isFit, sumContrasts, type Term } from './model.ts'
import { commonTreatments } from './names.ts'
import { readManyCase, readReference, trialOf } from './reference/cases.ts'
import { compare } from './reference/compare.ts'
import { type StabilityRow, stability } from './stability.ts'
import { generator, must, near, oneFactor } from './testing.ts'

function must2(trials: JointTrial[], options: JointOptions = {}): Joint {
  const answer = joint(trials, options)
  if ('motivo' in answer) throw new Error(answer.motivo)
  return answer
}

function row(answer: Joint, fonte: string) {
  const found = answer.anova.linhas.find((l) => l.fonte === fonte)
  if (!found) throw new Error(`no line ${fonte}`)
  return found
}

const wheat = readManyCase('m23-conjunta-trigo')
const trials: JointTrial[] = wheat.experimentos.map(({ ambiente, experimento, parcelas }) => {
  if (!parcelas) throw new Error('no plots')
  const { trial } = trialOf(parcelas, { variavel: 'produtividade' })
  const tratamentos = trial.tratamentos.map((t, i) => ({
    ...t,
    codigo: experimento.tratamentos[i]?.nome ?? '',
  }))
  return { ambiente: ambiente ?? '', trial: { ...trial, tratamentos } }
})

/** Trials of one factor, with plots lost where told. */
function madeTrials(
  count: number,
  k: number,
  r: number,
  lost: (e: number, plot: number) => boolean = () => false,
) {
  return Array.from({ length: count }, (_, e): JointTrial => {
    const trial = oneFactor('DBC', k, r, 100 + e, (plot) => lost(e, plot))
    const y = trial.y.map((value, i) =>
      value === null ? null : value + 8 * e + ((trial.parcelas[i]?.tratamento ?? 0) * e) / 3,
    )
    return { ambiente: `E${e + 1}`, trial: { ...trial, y } }
  })
}

function finite(value: unknown, path = ''): string[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => finite(inner, `${path}/${key}`))
}

describe('joint analysis', () => {
  it('m23-conjunta-trigo', () => {
    const answer = must2(trials)
    expect(compare(wheat.consultas[0]?.esperado.conjunta, answer, { scale: 1 })).toEqual([])
    expect(finite(answer)).toEqual([])
    expect(answer.anova.tipo).toBe('I')
    expect(JSON.stringify(must2(trials))).toBe(JSON.stringify(answer))
  })

  it('p6: environments on blocks, letters of the joint means', () => {
    const { results } = readReference('cases-many/p6-conj-onofri-wheat') as {
      results: {
        env_vs_blocks: { F: number; p: number }
        treatment_means: Record<string, number>
        tukey_fixed: { hsd: number; letters: Record<string, string> }
        tukey_random: { hsd: number; letters: Record<string, string> }
        scott_knott_fixed: Record<string, string>
      }
    }
    const answer = must2(trials, { testemunha: 'simeto' })
    const over = answer.ambiente_sobre_blocos
    const groups = answer.comparacoes
    if ('motivo' in over || 'motivo' in groups) throw new Error('no answer')
    expect(near(over.f, results.env_vs_blocks.F, 1e-9)).toBe(true)
    expect(near(over.p, results.env_vs_blocks.p, 1e-8)).toBe(true)
    for (const { nivel, media } of answer.medias)
      expect(near(media, results.treatment_means[nivel], 1e-10)).toBe(true)
    expect(answer.medias.find((m) => m.nivel === 'Iride')?.posto).toBe(1)
    expect(groups.fixo.letras.tukey).toEqual(results.tukey_fixed.letters)
    expect(groups.aleatorio.letras.tukey).toEqual(results.tukey_random.letters)
    expect(near(groups.fixo.criticos?.dms_tukey, results.tukey_fixed.hsd, 1e-6)).toBe(true)
    expect(near(groups.aleatorio.criticos?.dms_tukey, results.tukey_random.hsd, 1e-6)).toBe(true)
    expect(groups.fixo.scott_knott).toHaveProperty('grupos', results.scott_knott_fixed)
    expect(groups.fixo.dunnett).toHaveProperty('exato', true)
  })

  it('with lost plots and unequal r, each line is the squares that the model loses without it', () => {
    const made = [
      ...madeTrials(3, 5, 4, (e, plot) => (plot + 3 * e) % 9 === 0),
      ...madeTrials(4, 5, 3).slice(3),
    ]
    const answer = must2(made)
    expect(answer.completo).toBe(false)
    expect(answer.anova.tipo).toBe('III')
    // One model over all plots: cells are treatment x environment, terms the blocks within environments.
    const plots = made.flatMap(({ trial }, e) =>
      trial.parcelas.flatMap((plot, i) => {
        const y = trial.y[i]
        return typeof y === 'number' ? [{ e, t: plot.tratamento - 1, b: plot.bloco ?? 0, y }] : []
      }),
    )
    const y = Float64Array.from(plots, (p) => p.y)
    const zero = new Int32Array(y.length)
    const dummy = (f: (p: (typeof plots)[number]) => boolean): Float64Array =>
      Float64Array.from(plots, (p) => (f(p) ? 1 : 0))
    const blocks = made.flatMap(({ trial }, e) =>
      [...new Set(trial.parcelas.map((p) => p.bloco))].map((b) => dummy((p) => p.e === e && p.b === b)),
    )
    const treatments = Array.from({ length: 5 }, (_, t) => dummy((p) => p.t === t))
    const cells = made.flatMap((_, e) =>
      Array.from({ length: 5 }, (__, t) => dummy((p) => p.e === e && p.t === t)),
    )
    const environments = made.map((_, e) => dummy((p) => p.e === e))
    const rss = (...columns: Float64Array[][]): { rss: number; gl: number } => {
      const terms: Term[] = [{ fonte: 'x', columns: columns.flat() }]
      const fit = fitModel(y, zero, 1, terms, true)
      if (!isFit(fit)) throw new Error('no fit')
      return fit
    }
    const full = rss(blocks, cells)
    const noInteraction = rss(blocks, treatments)
    const noBlocks = rss(environments, cells)
    expect(row(answer, 'residuo').gl).toBe(full.gl)
    expect(near(row(answer, 'residuo').sq, full.rss, 1e-9)).toBe(true)
    expect(row(answer, 'tratamento:ambiente').gl).toBe(noInteraction.gl - full.gl)
    expect(near(row(answer, 'tratamento:ambiente').sq, noInteraction.rss - full.rss, 1e-8)).toBe(true)
    expect(row(answer, 'bloco(ambiente)').gl).toBe(noBlocks.gl - full.gl)
    expect(near(row(answer, 'bloco(ambiente)').sq, noBlocks.rss - full.rss, 1e-8)).toBe(true)
    // Treatments of type III: sum contrasts of treatments taken out, those of the interaction kept.
    const t = sumContrasts(
      plots.map((p) => p.t),
      5,
    )
    const e = sumContrasts(
      plots.map((p) => p.e),
      made.length,
    )
    const products = t.flatMap((a) => e.map((b) => a.map((value, i) => value * (b[i] as number))))
    const without = rss(blocks, products)
    expect(without.gl - full.gl).toBe(4)
    expect(near(row(answer, 'tratamento').sq, without.rss - full.rss, 1e-8)).toBe(true)
    expect(finite(answer)).toEqual([])
    expect(answer.ambiente_sobre_blocos).toHaveProperty('motivo')
  })

  it('each trial stands as in its own analysis', () => {
    const made = madeTrials(3, 4, 4, (e, plot) => e === 1 && plot === 6)
    const answer = must2(made)
    made.forEach(({ trial }, i) => {
      const own = must(trial)
      const found = answer.ensaios[i]
      const test = own.grupos[0]?.f
      expect(near(found?.qm, own.residuos[0]?.qm, 1e-10)).toBe(true)
      expect(near(found?.f, test?.f, 1e-10)).toBe(true)
      expect(near(found?.cv, own.residuos[0]?.cv, 1e-10)).toBe(true)
      expect(found?.completo).toBe(i !== 1)
    })
    expect(answer.estabilidade).toHaveProperty('motivo')
  })

  it('the order of the trials and the unit do not matter', () => {
    const made = madeTrials(5, 4, 3, (e, plot) => e === 2 && plot === 5)
    const answer = must2(made)
    const back = must2([...made].reverse())
    const scaled = must2(
      made.map(({ ambiente, trial }) => ({
        ambiente,
        trial: { ...trial, y: trial.y.map((v) => (v === null ? null : 60 * v)) },
      })),
    )
    for (const { fonte, f, p } of answer.anova.linhas) {
      for (const other of [back, scaled]) {
        expect(near(row(other, fonte).f, f, 1e-8)).toBe(true)
        expect(near(row(other, fonte).p, p, 1e-7)).toBe(true)
      }
    }
    if ('motivo' in answer.estabilidade || 'motivo' in back.estabilidade) throw new Error('no stability')
    expect(near(back.estabilidade[2]?.b, answer.estabilidade[2]?.b, 1e-9)).toBe(true)
  })

  it('matches names and takes what all trials have', () => {
    expect(
      commonTreatments([
        ['Água', 'Alfa  1', 'x', 'alfa 1'],
        ['ALFA 1', 'agua', 'y'],
      ]),
    ).toEqual(['Água', 'Alfa  1'])
    expect(commonTreatments([])).toEqual([])
    const made = madeTrials(3, 5, 3)
    const second = made[1] as JointTrial
    second.trial.tratamentos = second.trial.tratamentos.map((t) =>
      t.numero === 5 ? { ...t, codigo: 'Outro' } : { ...t, codigo: `t${t.numero}` },
    )
    const answer = must2([...made, { ambiente: 'X', trial: oneFactor('DIC', 5, 3) }])
    expect(answer.niveis).toEqual(['T1', 'T2', 'T3', 'T4'])
    expect(answer.tratamentos_fora).toEqual(['T5', 'Outro'])
    expect(answer.fora).toEqual([{ ambiente: 'X', motivo: 'não está em blocos casualizados' }])
    expect(must2(made, { tratamentos: ['T3', 'T1', 'T2'] }).niveis).toEqual(['T3', 'T1', 'T2'])
    expect(joint(made, { tratamentos: ['T1', 'T2'] })).toHaveProperty('motivo')
    expect(joint(made.slice(0, 1))).toHaveProperty('motivo')
    expect(joint([])).toHaveProperty('motivo')
  })

  it('without residual variance nothing is tested', () => {
    const made = madeTrials(4, 4, 3).map(({ ambiente, trial }, e) => ({
      ambiente,
      trial: { ...trial, y: trial.parcelas.map((p) => 10 * p.tratamento + e * (p.bloco ?? 0)) },
    }))
    const answer = must2(made)
    expect(row(answer, 'tratamento').f).toBeNull()
    expect(answer.comparacoes).toHaveProperty('motivo')
    expect(finite(answer)).toEqual([])
  })

  it('keeps its digits around 1e8', () => {
    const made = madeTrials(4, 4, 3)
    const far = must2(
      made.map(({ ambiente, trial }) => ({
        ambiente,
        trial: { ...trial, y: trial.y.map((v) => (v === null ? null : v + 1e8)) },
      })),
    )
    const answer = must2(made)
    for (const { fonte, f } of answer.anova.linhas) expect(near(row(far, fonte).f, f, 1e-6)).toBe(true)
  })
})

describe('stability', () => {
  it('by hand: Wricke adds up to the interaction, slopes to one, the best never falls behind', () => {
    const { e } = generator(5)
    const table = Array.from({ length: 5 }, (_, t) =>
      Float64Array.from({ length: 6 }, (__, i) => 50 + 3 * i + t * i + 2 * e()),
    )
    const rows = stability(['a', 'b', 'c', 'd', 'e'], table, { s2: 1, gl: 40 })
    if ('motivo' in rows) throw new Error(rows.motivo)
    const sum = (f: (r: StabilityRow) => number): number => rows.reduce((all, r) => all + f(r), 0)
    expect(near(sum((r) => r.b) / 5, 1, 1e-12)).toBe(true)
    expect(
      near(
        sum((r) => r.wricke_percent ?? 0),
        100,
        1e-12,
      ),
    ).toBe(true)
    const always = [...table.slice(1), Float64Array.from({ length: 6 }, () => 1e3)]
    const best = stability(['b', 'c', 'd', 'e', 'top'], always, { s2: 1, gl: 40 })
    const worst = stability(['b', 'c', 'd', 'e', 'top'], always, { s2: 1, gl: 40 }, false)
    if ('motivo' in best || 'motivo' in worst) throw new Error('no stability')
    expect(best[4]?.lin_binns).toBe(0)
    expect(worst[4]?.lin_binns).toBeGreaterThan(1e4)
    expect(best[4]).toMatchObject({ b: 0, r2: null })
    expect(stability(['a'], [new Float64Array(3)], { s2: 1, gl: 5 })).toHaveProperty('motivo')
    expect(
      stability(['a', 'b'], [new Float64Array(5), new Float64Array(5)], { s2: 1, gl: 5 }),
    ).toHaveProperty('motivo')
  })
})
