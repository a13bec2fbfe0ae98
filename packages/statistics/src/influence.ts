/** Which trial moves the estimate of a synthesis, and whether small trials differ from large ones. */
import { studentTwoSided } from './distributions.ts'
import type { TrialEffect } from './effects.ts'
import { meanOf, sumOfSquares } from './linear-algebra.ts'
import type { Absent } from './result.ts'

export interface Influence {
  /** Estimates without each trial with SE, in their order, at the τ² of all. */
  sem_o_ensaio: number[]
  minimo: number
  maximo: number
  /** Index (among all trials) of the one that moves the estimate most. */
  ensaio: number
  /** Estimate without it less estimate with all. */
  mudanca: number
}

/** Regression of effect/SE on 1/SE: an intercept away from 0 hints that small trials differ from large ones. */
export interface Egger {
  intercepto: number
  ep: number
  t: number
  gl: number
  p: number
}

/** Leave-one-out from the sums of all, at their τ². */
export function influence(
  part: readonly TrialEffect[],
  index: readonly number[],
  main: { estimativa: number; tau2: number | null; pesos: readonly number[] },
): Influence | Absent {
  if (part.length < 3 || main.tau2 === null) return { motivo: 'são necessários três ensaios' }
  let at = 0
  let most = -1
  let minimo = Infinity
  let maximo = -Infinity
  const sem_o_ensaio = part.map((t, i) => {
    // (Σwy - w_i y_i)/(Σw - w_i) by the share that it moves; a share above one half would cancel, so the others are summed.
    const share = main.pesos[i] as number
    const moved =
      share > 0.5
        ? withoutOne(part, main.pesos, i) - main.estimativa
        : (share * (main.estimativa - t.efeito)) / (1 - share)
    if (Math.abs(moved) > most) {
      most = Math.abs(moved)
      at = i
    }
    const left = main.estimativa + moved
    minimo = Math.min(minimo, left)
    maximo = Math.max(maximo, left)
    return left
  })
  return {
    sem_o_ensaio,
    minimo,
    maximo,
    ensaio: index[at] as number,
    mudanca: (sem_o_ensaio[at] as number) - main.estimativa,
  }
}

function withoutOne(part: readonly TrialEffect[], shares: readonly number[], left: number): number {
  let sum = 0
  let all = 0
  part.forEach((t, i) => {
    if (i === left) return
    sum += shares[i] as number
    all += (shares[i] as number) * t.efeito
  })
  return all / sum
}

/** Egger et al. (1997): least squares of effect/SE on 1/SE; t of the intercept with k - 2. */
export function egger(part: readonly TrialEffect[]): Egger | Absent {
  const k = part.length
  const x = Float64Array.from(part, (t) => 1 / (t.ep as number))
  const z = Float64Array.from(part, (t) => t.efeito / (t.ep as number))
  const mx = meanOf(x)
  const mz = meanOf(z)
  const sxx = sumOfSquares(x)
  if (!(sxx > 1e-20 * k * mx * mx)) return { motivo: 'os erros-padrão são iguais' }
  let sxz = 0
  for (let i = 0; i < k; i++) sxz += ((x[i] as number) - mx) * ((z[i] as number) - mz)
  const slope = sxz / sxx
  let rest = 0
  for (let i = 0; i < k; i++) rest += ((z[i] as number) - mz - slope * ((x[i] as number) - mx)) ** 2
  const ep = Math.sqrt((rest / (k - 2)) * (1 / k + (mx * mx) / sxx))
  if (!(ep > 0)) return { motivo: 'os efeitos não variam' }
  const intercepto = mz - slope * mx
  const t = intercepto / ep
  return { intercepto, ep, t, gl: k - 2, p: studentTwoSided(t, k - 2) }
}
