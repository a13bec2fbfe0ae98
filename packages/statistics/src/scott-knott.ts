/** Grouping of means by Scott & Knott (1974). */
import { chiSquareUpper } from './distributions.ts'
import { letterName } from './letters.ts'
import { largestFirst } from './order.ts'
import type { ScottKnott } from './result.ts'

/**
 * The ordered means are cut where the sum of squares between the two parts is largest (b0); the parts differ when
 * λ = π/(2(π-2)) b0/σ² exceeds χ² with k/(π-2) degrees of freedom, σ² = [Σ(m - m̄)² + gl s²] / (k + gl), s² the mean of
 * qm/r in the set. A part is cut again; a cut that is not significant ends its branch.
 * @param niveis names of the means, any order
 * @param means in the analysed unit
 * @param error qm, gl of the residual and the repetitions of each mean; qm > 0
 * @returns groups by letters, 'a' the largest mean, and every cut that was tried, a part before its smaller one
 */
export function scottKnott(
  niveis: readonly string[],
  means: ArrayLike<number>,
  error: { qm: number; gl: number; r: readonly number[] },
  alfa: number,
): ScottKnott {
  const order = largestFirst(means, 1e-10 * Math.sqrt(error.qm / Math.max(...error.r)))
  const y = order.map((i) => means[i] ?? 0)
  const variance = order.map((i) => error.qm / (error.r[i] ?? 1))
  const name = (place: number) => niveis[order[place] ?? 0] ?? ''
  const divisoes: ScottKnott['divisoes'] = []
  const letter = new Map<string, string>()
  let groups = 0

  const close = (from: number, to: number) => {
    const text = letterName(groups++)
    for (let place = from; place < to; place++) letter.set(name(place), text)
  }

  // Parts still to be looked at, the best means on top: a stack, as a chain of cuts may be as long as the list.
  const parts: [number, number][] = [[0, y.length]]
  for (let part = parts.pop(); part; part = parts.pop()) {
    const [from, to] = part
    const k = to - from
    if (k < 2) {
      close(from, to)
      continue
    }
    const centre = y.slice(from, to).reduce((sum, value) => sum + value, 0) / k
    let squares = 0
    let spread = 0
    for (let place = from; place < to; place++) {
      squares += ((y[place] ?? 0) - centre) ** 2
      spread += (variance[place] ?? 0) / k
    }
    let b0 = -1
    let cut = from
    let sum = 0
    for (let place = from; place < to - 1; place++) {
      sum += (y[place] ?? 0) - centre
      const first = place - from + 1
      // Both parts deviate from the mean by the same sum.
      const between = (sum * sum) / first + (sum * sum) / (k - first)
      // Of two cuts that part equally, but for rounding, the later.
      if (between >= b0 * (1 - 1e-10)) {
        b0 = Math.max(b0, between)
        cut = place
      }
    }
    const sigma2 = (squares + error.gl * spread) / (k + error.gl)
    if (!(sigma2 > 0)) {
      close(from, to)
      continue
    }
    const lambda = ((Math.PI / (2 * (Math.PI - 2))) * b0) / sigma2
    const gl = k / (Math.PI - 2)
    const p = chiSquareUpper(lambda, gl)
    divisoes.push({ primeiro: name(from), ultimo: name(to - 1), corte: name(cut), b0, sigma2, lambda, gl, p })
    if (p < alfa) parts.push([cut + 1, to], [from, cut + 1])
    else close(from, to)
  }
  return { grupos: Object.fromEntries(niveis.map((nivel) => [nivel, letter.get(nivel) ?? 'na'])), divisoes }
}
