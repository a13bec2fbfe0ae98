import { chiSquareQuantile } from './distributions.ts'
import type { Fit } from './model.ts'
import { minimiseFrom, root, spaced } from './numeric.ts'
import type { Absent, BoxCox } from './result.ts'
import { power } from './transform.ts'

/**
 * Profile likelihood of the exponent on the same model (BOX; COX, 1964): l(lambda) = -n/2 ln(RSS(z)/n) with
 * z = y^(lambda) / g^(lambda - 1), g the geometric mean. lambda in -5..5, interval where 2(l_max - l) <= chi2(1);
 * an end that is not reached within -5..5 is that end. `confidence` is 1 - alpha.
 * Suggestion: the first of 1, 0.5, 0, -1 inside the interval, else lambda to one decimal; 1 inside: none.
 */
export function boxCox(fit: Fit, y: Float64Array, confidence = 0.95): BoxCox | Absent {
  for (const value of y) if (!(value > 0)) return { motivo: 'Box-Cox exige valores maiores que zero' }
  let logs = 0
  for (const value of y) logs += Math.log(value)
  const geometric = Math.exp(logs / y.length)
  const scaled = y.map((value) => value / geometric)
  const n = y.length
  const loss = (lambda: number): number => {
    const rest = fit.residualise(scaled.map((value) => power(value, lambda)))
    let rss = 0
    for (const value of rest) rss += value * value
    return (n / 2) * Math.log(Math.max(rss, Number.MIN_VALUE))
  }
  const best = minimiseFrom(loss, spaced(-5, 5, 41))
  if (!Number.isFinite(best.value) || best.value < -1e5)
    return { motivo: 'não há variação dentro dos tratamentos' }
  const limit = best.value + chiSquareQuantile(confidence, 1) / 2
  const over = (lambda: number): number => loss(lambda) - limit
  const low = root(over, -5, best.x) ?? -5
  const high = root(over, best.x, 5) ?? 5
  return { lambda: best.x, ic_baixo: low, ic_alto: high, sugestao: suggestion(best.x, low, high) }
}

function suggestion(lambda: number, low: number, high: number): number | null {
  const inside = (value: number): boolean => value >= low && value <= high
  if (inside(1)) return null
  for (const value of [0.5, 0, -1]) if (inside(value)) return value
  return Math.round(lambda * 10) / 10
}
