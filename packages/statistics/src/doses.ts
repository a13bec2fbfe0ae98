import { fUpper, studentQuantile } from './distributions.ts'
import { dot, type Matrix, meanOf } from './linear-algebra.ts'
import { plateauModel } from './plateau.ts'
import { fieller, polynomial, type WeightedMeans } from './polynomial.ts'
import type { DoseModel, DoseRegression } from './result.ts'

export interface DoseInput {
  /** Distinct doses with their adjusted means, the means' covariance, and the error's mean square and gl. */
  doses: number[]
  medias: Float64Array
  covariancia: Matrix
  qm: number
  gl: number
  alfa: number
  /** Price of a unit of the dose over price of a unit of the product. */
  relacao?: number
}

/** A quantitative level as a number ('0,5' and '0.5'); null when it is not one. */
export function parseDose(level: string | undefined): number | null {
  if (level === undefined || level.trim() === '') return null
  const value = Number(level.trim().replace(',', '.'))
  return Number.isFinite(value) ? value : null
}

/**
 * Regression on doses by the adjusted means, weighted by 1/SE^2 (the number of plots when complete): partition of the
 * treatments' squares into linear, quadratic, cubic and deviation, and the four models of CERRATO; BLACKMER (1990).
 * Null when there are fewer than two doses, repeated doses or no error.
 */
export function doseRegression(input: DoseInput): Omit<DoseRegression, 'dentro'> | null {
  const order = input.doses
    .map((_, i) => i)
    .sort((a, b) => (input.doses[a] as number) - (input.doses[b] as number))
  const x = Float64Array.from(order, (i) => input.doses[i] as number)
  const k = x.length
  if (k < 2 || !(input.qm > 0) || x.some((value, i) => i > 0 && value === x[i - 1])) return null
  const raw = Float64Array.from(order, (i) => input.medias[i] as number)
  const centre = meanOf(raw)
  const data: WeightedMeans = {
    x,
    y: raw.map((value) => value - centre),
    centre,
    weights: Float64Array.from(order, (i) => input.qm / (input.covariancia[i]?.[i] as number)),
    covariance: order.map((i) => Float64Array.from(order, (j) => input.covariancia[i]?.[j] as number)),
    qm: input.qm,
    gl: input.gl,
    t: studentQuantile(1 - input.alfa / 2, input.gl),
  }
  const sst = polynomial(data, 0).rss
  const particao = partition(data, sst)
  const modelos: DoseModel[] = [linear(data, sst)]
  if (k >= 3) modelos.push(quadratic(data, sst, input.relacao))
  if (k >= 4) {
    for (const nome of ['linear_plato', 'quadratico_plato'] as const) {
      const model = plateauModel(data, nome, input.relacao)
      modelos.push({ ...model.model, ...quality(data, sst, model.rss, 3) })
    }
  }
  return {
    doses: Array.from(x),
    medias: Array.from(raw),
    particao,
    modelos,
    escolhido: choose(particao, modelos, input.alfa, input.qm),
  }
}

const TERMS = ['linear', 'quadratico', 'cubico'] as const

function partition(data: WeightedMeans, sst: number): DoseRegression['particao'] {
  const k = data.x.length
  const degree = Math.min(3, k - 1)
  const parts: DoseRegression['particao'] = []
  let before = sst
  for (let g = 1; g <= degree; g++) {
    const after = g === k - 1 ? 0 : polynomial(data, g).rss
    const sq = Math.max(0, before - after)
    parts.push({ termo: TERMS[g - 1] as 'linear', gl: 1, sq, ...test(sq, 1, data) })
    before = after
  }
  const gl = k - 1 - degree
  if (gl > 0) parts.push({ termo: 'desvio', gl, sq: before, ...test(before, gl, data) })
  return parts
}

function test(sq: number, gl: number, data: WeightedMeans): { f: number; p: number } {
  const f = sq / gl / data.qm
  return { f, p: fUpper(f, gl, data.gl) }
}

/** R2, lack of fit and AICc (k ln(RSS/k) + 2q + 2q(q+1)/(k-q-1), q = parameters + 1) of a model of p parameters. */
function quality(
  data: WeightedMeans,
  sst: number,
  rss: number,
  p: number,
): Pick<DoseModel, 'r2' | 'falta_ajuste' | 'aicc'> {
  const k = data.x.length
  const q = p + 1
  const perUnit = k / dot(data.weights, new Float64Array(k).fill(1))
  const perMean = rss * perUnit
  const answer: Pick<DoseModel, 'r2' | 'falta_ajuste' | 'aicc'> = {
    r2: sst > 0 ? 1 - rss / sst : 0,
    falta_ajuste: k > p ? { gl: k - p, sq: rss, ...test(rss, k - p, data) } : null,
  }
  if (k > q + 1) {
    // Means that lie on the model leave nothing: their RSS is held above rounding, so that the figure stays finite.
    const left = Math.max(perMean, 1e-16 * perUnit * sst, Number.MIN_VALUE)
    answer.aicc = k * Math.log(left / k) + 2 * q + (2 * q * (q + 1)) / (k - q - 1)
  }
  return answer
}

function linear(data: WeightedMeans, sst: number): DoseModel {
  const fit = polynomial(data, 1)
  const [a, b] = fit.coefficients as [number, number]
  return {
    modelo: 'linear',
    coef: { a: a + data.centre, b },
    ep_b: Math.sqrt(fit.covariance[1]?.[1] as number),
    ...quality(data, sst, fit.rss, 2),
  }
}

function quadratic(data: WeightedMeans, sst: number, relacao: number | undefined): DoseModel {
  const fit = polynomial(data, 2)
  const [a0, b, c] = fit.coefficients as [number, number, number]
  const a = a0 + data.centre
  const model: DoseModel = { modelo: 'quadratico', coef: { a, b, c }, ...quality(data, sst, fit.rss, 3) }
  const low = data.x[0] as number
  const high = data.x[data.x.length - 1] as number
  const reach = Math.max(Math.abs(low), Math.abs(high))
  // A curvature that is only rounding has no turning point.
  if (Math.abs(c) * reach * reach <= 1e-12 * (Math.abs(b) * reach + Math.abs(a0))) return model
  const response = (dose: number): number => a + b * dose + c * dose * dose
  const dose = -b / (2 * c)
  const limits = fieller(fit.covariance, data.t, -b, 2 * c)
  model.maximo = {
    dose,
    resposta: response(dose),
    dentro: dose >= low && dose <= high,
    e_maximo: c < 0,
    ic_baixo: limits?.[0] ?? null,
    ic_alto: limits?.[1] ?? null,
    metodo: 'fieller',
  }
  if (relacao !== undefined) {
    const best = (relacao - b) / (2 * c)
    const interval = fieller(fit.covariance, data.t, relacao - b, 2 * c)
    model.economica = {
      relacao,
      dose: best,
      resposta: response(best),
      ic_baixo: interval?.[0] ?? null,
      ic_alto: interval?.[1] ?? null,
    }
  }
  return model
}

/**
 * The highest significant polynomial term (up to the second) whose model has no significant lack of fit; a plateau model
 * when its AICc is lower by 2 or more and its x0 lies inside the doses.
 */
function choose(
  particao: DoseRegression['particao'],
  modelos: readonly DoseModel[],
  alfa: number,
  qm: number,
): DoseRegression['escolhido'] {
  const significant = (termo: string): boolean => {
    const part = particao.find((p) => p.termo === termo)
    return part !== undefined && part.p < alfa && qm > 0
  }
  const fits = (model: DoseModel | undefined): boolean =>
    model !== undefined && (model.falta_ajuste === null || model.falta_ajuste.p >= alfa)
  const named = (nome: string): DoseModel | undefined => modelos.find((m) => m.modelo === nome)
  let chosen: DoseModel | null = null
  let razao = 'nenhum termo da regressão foi significativo'
  if (significant('quadratico') && fits(named('quadratico'))) {
    chosen = named('quadratico') ?? null
    razao = 'termo quadrático significativo, sem falta de ajuste'
  } else if (significant('linear') && fits(named('linear'))) {
    chosen = named('linear') ?? null
    razao = 'termo linear significativo, sem falta de ajuste'
  } else if (significant('quadratico') || significant('linear')) {
    razao = 'há resposta à dose, mas os polinômios têm falta de ajuste significativa'
  }
  const responds = chosen !== null || significant('quadratico') || significant('linear')
  const reference = chosen ?? (significant('quadratico') ? named('quadratico') : named('linear'))
  let best: DoseModel | null = null
  for (const model of modelos) {
    if (model.x0 === undefined || model.na_borda || model.aicc === undefined) continue
    if (reference?.aicc !== undefined && model.aicc <= reference.aicc - 2) {
      if (best?.aicc === undefined || model.aicc < best.aicc) best = model
    }
  }
  if (responds && best) {
    return {
      modelo: best.modelo,
      razao: 'AICc menor em 2 ou mais que o do polinômio, com o platô dentro das doses',
    }
  }
  return { modelo: chosen?.modelo ?? null, razao }
}
