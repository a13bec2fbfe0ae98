import { normalQuantile } from './distributions.ts'
import { incompleteBeta } from './special.ts'

/** A share of cases with its interval; `taxa` and the bounds are 0..1. */
export interface Proportion {
  vitorias: number
  n: number
  taxa: number
  ic_baixo: number
  ic_alto: number
}

/**
 * Share of `wins` in `n` with the interval of Wilson (1927): (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n).
 * @param n >= 1
 */
export function wilson(wins: number, n: number, alfa = 0.05): Proportion {
  const z2 = normalQuantile(1 - alfa / 2) ** 2
  const middle = wins + z2 / 2
  const half = Math.sqrt(z2 * ((wins * (n - wins)) / n + z2 / 4))
  return {
    vitorias: wins,
    n,
    taxa: wins / n,
    ic_baixo: wins === 0 ? 0 : (middle - half) / (n + z2),
    ic_alto: wins === n ? 1 : (middle + half) / (n + z2),
  }
}

/** Two-sided sign test: twice P(X >= the larger count) of a binomial of one half, never above 1. n >= 1. */
export function signTest(wins: number, n: number): number {
  const larger = Math.max(wins, n - wins)
  return Math.min(1, 2 * incompleteBeta(larger, n - larger + 1, 0.5, 0.5))
}
