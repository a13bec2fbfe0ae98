import { boxCox } from './box-cox.ts'
import { analyseDesign, type Built, coefficient, fitDesign } from './designs.ts'
import { doseRegression, parseDose } from './doses.ts'
import { efficacy } from './efficacy.ts'
import { alternatives } from './fallbacks.ts'
import type { GroupInput } from './groups.ts'
import { meanOf } from './linear-algebra.ts'
import { isRefusal, type Prepared, prepare, refuse } from './prepare.ts'
import { progressSummary } from './progress.ts'
import type { Analysis, AnalysisOptions, DoseRegression, Refusal, TrialInput } from './result.ts'
import { analyseSplitPlot } from './split-plot.ts'
import { analyseStrips } from './strips.ts'

/**
 * The whole analysis of one variable of one trial: the model of its layout on the valid plots, groups of means with all
 * tests, assumptions and what else applies (doses, efficacy, area under the curve, fall-backs). Pure and deterministic;
 * no number in the answer is NaN or infinite. Errors: a `Refusal` with the code and particulars of its sentence.
 */
export function analyse(input: TrialInput, options: AnalysisOptions = {}): Analysis | Refusal {
  if (options.eficacia && input.testemunha === null) return refuse('analysis.no_control')
  const prepared = prepare(input, options)
  if (isRefusal(prepared)) return prepared
  const built = modelOf(prepared)
  if (isRefusal(built)) return built
  const { analysis } = built
  addDoses(prepared, built, options)
  if (options.eficacia) analysis.eficacia = efficacy(prepared, options.eficacia, options.maior_melhor)
  if (input.progresso && analysis.grupos[0]) {
    const control = prepared.control === null ? null : (prepared.cells[prepared.control]?.nivel ?? null)
    analysis.aacpd = progressSummary(analysis.grupos[0], control, input.progresso)
  }
  if (built.fit && prepared.scale.nome === 'nenhuma' && !analysis.variancia_zero) {
    analysis.box_cox = boxCox(built.fit, prepared.y)
  }
  Object.assign(analysis, alternatives(prepared, analysis))
  if (prepared.scale.nome !== 'nenhuma') addOriginalCv(input, options, analysis)
  return analysis
}

/** Beside the CV of a transformed scale, that of the same model on the original one. */
function addOriginalCv(input: TrialInput, options: AnalysisOptions, analysis: Analysis): void {
  const plain = prepare(input, { ...options, transformacao: 'nenhuma' })
  if (isRefusal(plain)) return
  const several = input.delineamento === 'PSUB' || input.delineamento === 'FAIXAS'
  const found = several ? modelOf(plain) : fitDesign(plain)
  if (isRefusal(found)) return
  for (const row of analysis.residuos)
    row.cv_original =
      'analysis' in found
        ? (found.analysis.residuos.find(({ chave }) => chave === row.chave)?.cv ?? null)
        : coefficient(found.rss / found.gl, meanOf(plain.z))
}

function modelOf(prepared: Prepared): Built | Refusal {
  switch (prepared.trial.delineamento) {
    case 'PSUB':
      return analyseSplitPlot(prepared)
    case 'FAIXAS':
      return analyseStrips(prepared)
    default:
      return analyseDesign(prepared)
  }
}

/** Doses: the treatments themselves in a trial of one quantitative factor, else each quantitative factor's groups. */
function addDoses(prepared: Prepared, built: Built, options: AnalysisOptions): void {
  const { analysis } = built
  const quantitative = prepared.factors.filter((f) => f.tipo === 'quantitativo').map((f) => f.chave)
  if (quantitative.length === 0 || analysis.variancia_zero) return
  const all: DoseRegression[] = []
  for (const { input, qm } of built.inputs) {
    const single = prepared.factors.length === 1
    const key = single ? quantitative[0] : quantitative.find((chave) => chave === input.efeito)
    if (key === undefined || (single && input.efeito !== 'tratamento')) continue
    const levels = single ? prepared.cells.map((c) => c.niveis?.[key]) : input.niveis
    const found = regressionOf(prepared, input, qm, levels, options.relacao_preco)
    if (!found) continue
    const regression: DoseRegression = { fator: key, dentro: input.dentro, ...found }
    if (single) analysis.regressao = regression
    else all.push(regression)
  }
  if (all.length > 0) analysis.regressoes = all
}

function regressionOf(
  prepared: Prepared,
  input: GroupInput,
  qm: number,
  levels: readonly (string | undefined)[],
  relacao: number | undefined,
): Omit<DoseRegression, 'dentro'> | null {
  if (typeof input.gl !== 'number' || input.semErro) return null
  const doses = levels.map(parseDose)
  const kept = doses.flatMap((dose, i) => (dose === null ? [] : [i]))
  // A level that is no number is an additional treatment only when the trial says so.
  if (kept.length < levels.filter((level) => level !== undefined).length) return null
  return doseRegression({
    doses: kept.map((i) => doses[i] as number),
    medias: Float64Array.from(kept, (i) => input.ajustadas[i] as number),
    covariancia: kept.map((i) => Float64Array.from(kept, (j) => input.covariancia[i]?.[j] as number)),
    qm,
    gl: input.gl,
    alfa: prepared.alfa,
    ...(relacao === undefined ? {} : { relacao }),
  })
}
