import { designTerms } from './designs.ts'
import { studentQuantile } from './distributions.ts'
import { dot, multiplyVector } from './linear-algebra.ts'
import { type Fit, fitModel, isFit, type Term } from './model.ts'
import { isRefusal, type Prepared } from './prepare.ts'
import type { Absent, Efficacy } from './result.ts'

/**
 * Control efficacy in %, on adjusted means of the original scale: Abbott (1925) 100(1 - T/C); Henderson-Tilton (1955)
 * 100(1 - T2 C1/(T1 C2)), 1 the earlier date. Interval by the delta method on the log ratio; with two dates the errors
 * of the same plot are correlated, and their covariance is that of the residuals. Negative values stand.
 */
export function efficacy(
  prepared: Prepared,
  metodo: Efficacy['metodo'],
  maiorMelhor: boolean | null | undefined,
): Efficacy | Absent {
  if (maiorMelhor !== false) return { motivo: 'a eficácia só se aplica a variáveis em que menos é melhor' }
  const control = prepared.control
  if (control === null) return { motivo: 'a Testemunha não está na análise' }
  const terms = designTerms(prepared)
  if (
    isRefusal(terms) ||
    prepared.trial.delineamento === 'PSUB' ||
    prepared.trial.delineamento === 'FAIXAS'
  ) {
    return { motivo: 'a eficácia não é calculada neste delineamento' }
  }
  return metodo === 'abbott' ? abbott(prepared, terms, control) : hendersonTilton(prepared, terms, control)
}

function abbott(prepared: Prepared, terms: readonly Term[], control: number): Efficacy | Absent {
  const fit = fitModel(prepared.y, prepared.cell, prepared.cells.length, terms)
  if (!isFit(fit)) return { motivo: 'os tratamentos não podem ser comparados' }
  const c = fit.means[control] as number
  if (!(c > 0)) return { motivo: 'a média da Testemunha não é maior que zero' }
  const t = studentQuantile(1 - prepared.alfa / 2, fit.gl)
  return lines(prepared, control, 'abbott', t, (i) => {
    const mean = fit.means[i] as number
    const ratio = mean / c
    const a = logContrast(fit, i, control, 1)
    return {
      ratio,
      variance: ratio > 0 ? (fit.rss / fit.gl) * dot(a, multiplyVector(fit.unscaled, a)) : null,
    }
  })
}

function hendersonTilton(prepared: Prepared, terms: readonly Term[], control: number): Efficacy | Absent {
  const both = bothDates(prepared, terms)
  if ('motivo' in both) return both
  const { now, before } = both
  const c2 = now.means[control] as number
  const c1 = before.means[control] as number
  if (!(c2 > 0) || !(c1 > 0)) return { motivo: 'a média da Testemunha não é maior que zero' }
  const s22 = now.rss / now.gl
  const s11 = before.rss / before.gl
  const s12 = dot(now.residuals, before.residuals) / now.gl
  const t = studentQuantile(1 - prepared.alfa / 2, now.gl)
  return lines(prepared, control, 'henderson_tilton', t, (i) => {
    const t2 = now.means[i] as number
    const t1 = before.means[i] as number
    if (!(t1 > 0)) return null
    const ratio = (t2 * c1) / (t1 * c2)
    if (!(ratio > 0)) return { ratio, variance: null }
    const a2 = logContrast(now, i, control, 1)
    const a1 = logContrast(before, i, control, -1)
    const u2 = multiplyVector(now.unscaled, a2)
    const u1 = multiplyVector(now.unscaled, a1)
    return { ratio, variance: s22 * dot(a2, u2) + s11 * dot(a1, u1) + 2 * s12 * dot(a1, u2) }
  })
}

/** Fits of both dates on the plots that have both. */
function bothDates(prepared: Prepared, terms: readonly Term[]): { now: Fit; before: Fit } | Absent {
  const { previa, cell, cells } = prepared
  const motivo = 'faltam valores da avaliação prévia'
  if (!previa) return { motivo }
  const kept = previa.flatMap((value, i) => (value === null ? [] : [i]))
  const pick = (v: ArrayLike<number>): Float64Array => Float64Array.from(kept, (i) => v[i] as number)
  const codes = pick(cell)
  if (new Set(codes).size < cells.length) return { motivo }
  const used = terms.map((term) => ({ ...term, columns: term.columns.map(pick) }))
  const now = fitModel(pick(prepared.y), codes, cells.length, used)
  const before = fitModel(pick(previa as number[]), codes, cells.length, used)
  if (!isFit(now) || !isFit(before) || now.gl < 1) return { motivo }
  return { now, before }
}

/** Derivative of sign * ln(T/C) in the means. */
function logContrast(fit: Fit, i: number, control: number, sign: number): Float64Array {
  const a = new Float64Array(fit.k)
  a[i] = sign / (fit.means[i] as number)
  a[control] = -sign / (fit.means[control] as number)
  return a
}

function lines(
  prepared: Prepared,
  control: number,
  metodo: Efficacy['metodo'],
  t: number,
  of: (i: number) => { ratio: number; variance: number | null } | null,
): Efficacy {
  const linhas: Efficacy['linhas'] = []
  prepared.cells.forEach((cell, i) => {
    const value = i === control ? null : of(i)
    if (!value) return
    const half = value.variance === null ? null : t * Math.sqrt(Math.max(0, value.variance))
    const bound = (sign: number): number | null => {
      if (half === null) return null
      const limit = 100 * (1 - value.ratio * Math.exp(sign * half))
      return Number.isFinite(limit) ? limit : null
    }
    linhas.push({
      nivel: cell.nivel,
      eficacia: 100 * (1 - value.ratio),
      ic_baixo: bound(1),
      ic_alto: bound(-1),
    })
  })
  return { metodo, linhas }
}
