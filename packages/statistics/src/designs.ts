import { assumptions, covariableOf, fittedPlots, isZeroVariance, nonAdditivity } from './diagnostics.ts'
import {
  anovaRow,
  effectsOf,
  type FactorialLayout,
  factorialLayout,
  factorialRows,
  membersOf,
} from './factorial.ts'
import { averaged, averaging, buildGroup, fTest, type GroupInput, groupF, scaled } from './groups.ts'
import { meanOf, sumOfSquares } from './linear-algebra.ts'
import { centred, type Fit, fitModel, isFit, sumContrasts, type Term } from './model.ts'
import { detectableDifference } from './power.ts'
import { codesOf, isRefusal, layoutRefusal, type Prepared, plotsByCell, refuse } from './prepare.ts'
import type { Absent, Analysis, AnovaRow, FactorKey, FTest, Refusal } from './result.ts'

/** An analysis with what later steps (doses, efficacy, Box-Cox) need of it. */
export interface Built {
  analysis: Analysis
  /** Each group's means with the mean square of their error. */
  inputs: { input: GroupInput; qm: number }[]
  fit: Fit | null
}

const TERM_LABEL: Record<string, string> = {
  bloco: 'Blocos',
  linha: 'Linhas',
  coluna: 'Colunas',
  covariavel: 'Covariável',
  tratamento: 'Tratamentos',
}

/** Terms of the design besides the treatments, in order; refusals of a layout that does not hold them. */
export function designTerms(prepared: Prepared): Term[] | Refusal {
  const { trial, plots } = prepared
  const terms: Term[] = []
  const names = {
    DIC: [],
    DBC: ['bloco'],
    DBI: ['bloco'],
    DQL: ['linha', 'coluna'],
    PSUB: [],
    FAIXAS: [],
  } as const
  if (trial.delineamento === 'DQL') {
    const wrong = latinSquareFaults(prepared)
    if (wrong.length > 0) return layoutRefusal(trial, ...wrong)
  }
  for (const fonte of names[trial.delineamento]) {
    const { codes, levels } = codesOf(plots.map((p) => p[fonte]))
    const lost = lostLevels(prepared, fonte)
    if (lost.length > 0) return refuse('analysis.disconnected', ...lost)
    terms.push({ fonte, columns: sumContrasts(codes, levels.length) })
  }
  if (prepared.covariavel) terms.push({ fonte: 'covariavel', columns: [centred(prepared.covariavel)] })
  return terms
}

/** Blocks, rows or columns of the sheet without a valid plot, by name. */
export function lostLevels(prepared: Prepared, fonte: 'bloco' | 'linha' | 'coluna'): string[] {
  const analysed = new Set(prepared.cells.map((c) => c.numero))
  const valid = new Set(prepared.plots.map((p) => p[fonte]))
  const lost = new Set<number>()
  for (const plot of prepared.trial.parcelas) {
    const level = plot[fonte]
    if (typeof level === 'number' && analysed.has(plot.tratamento) && !valid.has(level)) lost.add(level)
  }
  return [...lost].sort((a, b) => a - b).map((level) => `${fonte} ${level}`)
}

/** What keeps a sheet from being a Latin square, in Portuguese. */
function latinSquareFaults({ trial }: Prepared): string[] {
  const faults: string[] = []
  const k = new Set(trial.parcelas.map((p) => p.tratamento)).size
  const name = (numero: number): string =>
    trial.tratamentos.find((t) => t.numero === numero)?.codigo ?? `T${numero}`
  for (const fonte of ['linha', 'coluna'] as const) {
    const levels = new Set(trial.parcelas.map((p) => p[fonte]))
    if (levels.size !== k) {
      faults.push(`há ${levels.size} ${fonte}s e ${k} tratamentos`)
      continue
    }
    const seen = new Map<string, number>()
    for (const p of trial.parcelas) {
      const key = `${p.tratamento} ${p[fonte]}`
      seen.set(key, (seen.get(key) ?? 0) + 1)
    }
    for (const [key, times] of seen) {
      const [treatment, level] = key.split(' ')
      if (times > 1)
        faults.push(`tratamento ${name(Number(treatment))} aparece ${times} vezes na ${fonte} ${level}`)
    }
  }
  const places = new Map<string, number>()
  for (const p of trial.parcelas) {
    const key = `linha ${p.linha}, coluna ${p.coluna}`
    places.set(key, (places.get(key) ?? 0) + 1)
  }
  for (const [key, times] of places) if (times > 1) faults.push(`há ${times} parcelas na ${key}`)
  return faults.slice(0, 5)
}

/** One factor and factorials in DIC, DBC, DBI and DQL, by least squares on the valid plots, type III. */
export function analyseDesign(prepared: Prepared): Built | Refusal {
  const layout = prepared.factors.length >= 2 ? factorialLayout(prepared) : null
  if (isRefusal(layout)) return layout
  const fit = fitDesign(prepared)
  return isRefusal(fit) ? fit : assemble(prepared, fit, layout)
}

/** The fit of a layout with one error: adjusted means of the treatments with their covariance, and nothing tested. */
export function fitDesign(prepared: Prepared): Fit | Refusal {
  const empty = emptyCells(prepared)
  if (empty.length > 0) return refuse('analysis.disconnected', ...empty)
  const terms = designTerms(prepared)
  if (isRefusal(terms)) return terms
  if (sumOfSquares(prepared.z) === 0) return refuse('analysis.no_variation')
  const fit = fitModel(prepared.z, prepared.cell, prepared.cells.length, terms)
  if (!isFit(fit)) return refuseDisconnected(prepared, fit.cells, fit.aliased)
  if (fit.gl < 1) return refuse('analysis.too_few')
  return fit
}

function emptyCells(prepared: Prepared): string[] {
  const seen = new Set(prepared.cell)
  return prepared.cells.filter((_, c) => !seen.has(c)).map((c) => c.nivel)
}

function refuseDisconnected(
  prepared: Prepared,
  cells: readonly number[],
  aliased: readonly string[],
): Refusal {
  if (aliased.includes('covariavel') && cells.length === 0)
    return refuse('analysis.no_variation', 'covariável')
  const named = cells.length > 0 ? cells : prepared.cells.map((_, c) => c)
  return refuse('analysis.disconnected', ...named.map((c) => prepared.cells[c]?.nivel ?? ''))
}

function assemble(prepared: Prepared, fit: Fit, layout: FactorialLayout | null): Built {
  const { trial } = prepared
  const semErro = isZeroVariance(fit.rss, fit.total.sq, prepared.z)
  const qm = fit.rss / fit.gl
  const completo = isComplete(prepared)
  const treatment = groupF(fit.means, fit.unscaled, qm, fit.gl, semErro)
  const rows: AnovaRow[] = fit.terms.map((term) =>
    anovaRow(
      term.fonte,
      TERM_LABEL[term.fonte] ?? term.fonte,
      fTest(term.sq, term.gl, qm, fit.gl, semErro),
      fit.gl,
    ),
  )
  const parts = layout ? factorialRows(layout, fit, semErro) : []
  if (!layout || layout.additional.length > 0) {
    rows.push(anovaRow('tratamento', 'Tratamentos', treatment, fit.gl))
  }
  rows.push(...parts, residualRow('residuo', 'Resíduo', fit.gl, fit.rss))
  const inputs = groupInputs(prepared, fit, layout, treatment, { semErro, completo, rows: parts })
  const mean = meanOf(prepared.z)
  const analysis: Analysis = {
    ...header(prepared),
    modelo: modelText(prepared, layout),
    completo,
    anova: { tipo: 'III', metodo: 'mq', linhas: rows, total: fit.total },
    residuos: [{ chave: 'residuo', gl: fit.gl, qm, cv: coefficient(qm, mean) }],
    media_geral: mean,
    r2: fit.total.sq > 0 ? 1 - fit.rss / fit.total.sq : null,
    grupos: inputs.map((input) => buildGroup(prepared, input)),
    pressupostos: assumptions(prepared, fit.residuals, qm, semErro),
    ajuste: fittedPlots(prepared, fit.fitted, fit.residuals, semErro ? 0 : qm),
  }
  addLeftOut(prepared, analysis)
  const first = analysis.grupos[0]
  if (first && prepared.control === null) first.dunnett = { motivo: whyNoControl(prepared) }
  if (analysis.pressupostos && isBlocked(prepared) && !prepared.covariavel) {
    analysis.pressupostos.aditividade = nonAdditivity(prepared, fit, semErro)
  }
  if (prepared.covariavel) analysis.covariavel = covariableOf(prepared, fit, qm, semErro)
  analysis.diferenca_detectavel = semErro
    ? null
    : detectableDifference({ gl: fit.gl, qm, r: effectiveRepetitions(fit), alfa: prepared.alfa })
  if (semErro) analysis.variancia_zero = true
  return { analysis, inputs: inputs.map((input) => ({ input, qm })), fit }

  function isBlocked({ trial: t }: Prepared): boolean {
    return t.delineamento === 'DBC' || t.delineamento === 'DBI'
  }
  function modelText(p: Prepared, factorial: FactorialLayout | null): string {
    const names = fit.terms.map((term) => term.fonte)
    const additional = factorial && factorial.additional.length > 0
    const last = factorial && !additional ? factorial.keys.join('*') : 'tratamento'
    const text = [...names, last].join(' + ')
    return additional && p.trial === trial ? `${text} (${factorial.keys.join('*')} + adicionais)` : text
  }
}

/** Repetitions of equal means whose difference would have the mean variance of these: 2 / mean of u_ii + u_jj - 2 u_ij. */
function effectiveRepetitions(fit: Fit): number {
  let trace = 0
  let all = 0
  fit.unscaled.forEach((r, i) => {
    trace += r[i] as number
    for (const value of r) all += value
  })
  return (fit.k - 1) / (trace - all / fit.k)
}

export function residualRow(fonte: string, rotulo: string, gl: number, sq: number): AnovaRow {
  return { fonte, rotulo, gl, sq, qm: sq / gl, f: null, p: null, gl_den: null }
}

/** CV in %: 100 sqrt(QM)/mean; null around a mean of zero. */
export function coefficient(qm: number, mean: number): number | null {
  const cv = (100 * Math.sqrt(qm)) / mean
  return Number.isFinite(cv) ? cv : null
}

/** The fields that every analysis of plots begins with. */
export function header(
  prepared: Prepared,
): Pick<Analysis, 'origem' | 'delineamento' | 'transformacao' | 'alfa' | 'n'> {
  return {
    origem: 'parcelas',
    delineamento: prepared.trial.delineamento,
    transformacao: {
      nome: prepared.scale.nome,
      ...(prepared.lambda === null ? {} : { lambda: prepared.lambda }),
    },
    alfa: prepared.alfa,
    n: prepared.n,
  }
}

/** DIC with equal repetitions, DBC with each treatment once in each block, DQL full; never with a covariable. */
export function isComplete(prepared: Prepared): boolean {
  const { trial, cell, plots } = prepared
  if (prepared.covariavel) return false
  const k = prepared.cells.length
  if (trial.delineamento === 'DQL') return cell.length === k * k
  const counts = new Float64Array(k)
  for (const c of cell) counts[c] = (counts[c] as number) + 1
  if (trial.delineamento === 'DIC') return counts.every((n) => n === counts[0])
  const blocks = new Set(plots.map((p) => p.bloco)).size
  const places = new Set(plots.map((p, i) => `${cell[i]} ${p.bloco}`)).size
  return places === cell.length && cell.length === k * blocks
}

function groupInputs(
  prepared: Prepared,
  fit: Fit,
  layout: FactorialLayout | null,
  treatment: FTest,
  state: { semErro: boolean; completo: boolean; rows: readonly AnovaRow[] },
): GroupInput[] {
  const qm = fit.rss / fit.gl
  const byCell = plotsByCell(prepared)
  const r = (plots: number[][]): number[] => plots.map((list) => list.length)
  const simple = prepared.trial.delineamento === 'DIC' && !prepared.covariavel
  const absent: Absent = { motivo: 'Scott-Knott pede ensaio completo ou DIC' }
  const groups: GroupInput[] = [
    {
      efeito: 'tratamento',
      dentro: null,
      niveis: prepared.cells.map((c) => c.nivel),
      plots: byCell,
      ajustadas: fit.means,
      covariancia: scaled(fit.unscaled, qm),
      gl: fit.gl,
      f: treatment,
      scottKnott: state.completo || simple ? { qm, gl: fit.gl, r: r(byCell) } : absent,
      control: prepared.control,
      comDesvio: true,
      semErro: state.semErro,
    },
  ]
  if (!layout) return groups
  const add = (key: FactorKey, where: Partial<Record<FactorKey, string>>, f?: FTest): void => {
    const niveis = layout.levels[layout.keys.indexOf(key)] as string[]
    const members = niveis.map((level) => membersOf(layout, { ...where, [key]: level }))
    const { m, u } = averaged(averaging(members, fit.k), fit.means, fit.unscaled)
    const plots = members.map((cells) => cells.flatMap((c) => byCell[c] as number[]))
    groups.push({
      efeito: key,
      dentro: Object.keys(where).length > 0 ? { ...where } : null,
      niveis,
      plots,
      ajustadas: m,
      covariancia: scaled(u, qm),
      gl: fit.gl,
      f: f ?? groupF(m, u, qm, fit.gl, state.semErro),
      scottKnott: state.completo ? { qm, gl: fit.gl, r: r(plots) } : absent,
      control: null,
      comDesvio: false,
      semErro: state.semErro,
    })
  }
  for (const key of layout.keys) add(key, {})
  for (const effect of effectsOf(layout.keys)) {
    if (effect.length !== 2) continue
    const p = state.rows.find((line) => line.fonte === effect.join(':'))?.p
    // With three factors only the tables of a pair that interacts are read.
    if (layout.keys.length > 2 && !(typeof p === 'number' && p < prepared.alfa)) continue
    const [first, second] = effect as [FactorKey, FactorKey]
    for (const [key, other] of [
      [first, second],
      [second, first],
    ] as const) {
      for (const level of layout.levels[layout.keys.indexOf(other)] as string[]) add(key, { [other]: level })
    }
  }
  return groups
}

function whyNoControl(prepared: Prepared): string {
  return prepared.trial.testemunha === null
    ? 'o ensaio não indica a Testemunha'
    : 'a Testemunha ficou fora da análise'
}

/** Treatments left out stand in the first group without a letter. */
export function addLeftOut(prepared: Prepared, analysis: Analysis): void {
  const group = analysis.grupos[0]
  if (group?.efeito !== 'tratamento' || prepared.fora.length === 0) return
  const order = new Map(prepared.trial.tratamentos.map((t, i) => [t.codigo ?? `T${t.numero}`, i]))
  for (const { cell, motivo, y } of prepared.fora) {
    const z = y.map((value) => prepared.scale.forward(value))
    const known = z.length > 0 && z.every(Number.isFinite)
    group.medias.push({
      nivel: cell.nivel,
      n: y.length,
      media: known ? meanOf(Float64Array.from(z)) : null,
      ajustada: null,
      ep: null,
      ic_baixo: null,
      ic_alto: null,
      desvio: known && z.length > 1 ? Math.sqrt(sumOfSquares(z) / (z.length - 1)) : null,
      ...(prepared.scale.nome !== 'nenhuma' && y.length > 0
        ? { aritmetica: meanOf(Float64Array.from(y)) }
        : {}),
      fora: motivo,
    })
  }
  group.medias.sort((a, b) => (order.get(a.nivel) ?? 0) - (order.get(b.nivel) ?? 0))
}
