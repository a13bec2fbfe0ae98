/**
 * Compact letters: two means share a letter if and only if they do not differ. Each letter is a maximal set of means
 * no two of which differ; where the sets are runs of the ordered means they are found in one pass, otherwise as the
 * maximal cliques that insert-and-absorb (Piepho 2004) ends with.
 */

import { largestFirst } from './order.ts'
import type { Letters } from './result.ts'

/** Beyond so many sets nobody reads letters; a cover by fewer sets says the same. */
const MOST_SETS = 400

/** The n-th letter: a..z, then a'..z', a''... */
export function letterName(n: number): string {
  return String.fromCharCode(97 + (n % 26)) + "'".repeat(Math.floor(n / 26))
}

/**
 * Letters of means.
 * @param order indices of the means, the largest first: 'a' is always its letter
 * @param pair 'different', 'equal' or 'unknown' (no p-value); symmetric. An unknown pair never shares a letter: one of
 *   its means, or both when neither can be compared with any other, is left without and gets 'na'.
 * @returns one text per mean, by index
 */
export function compactLetters(
  order: readonly number[],
  pair: (i: number, j: number) => 'different' | 'equal' | 'unknown',
): string[] {
  const compared = comparable(order, pair)
  const size = compared.length
  const equal = compared.map((i, a) => {
    const row = new Uint8Array(size)
    compared.forEach((j, b) => {
      row[b] = a !== b && pair(i, j) === 'equal' ? 1 : 0
    })
    return row
  })
  const texts = new Map<number, string>()
  sets(equal).forEach((members, n) => {
    const letter = letterName(n)
    for (const m of members) {
      const i = compared[m] ?? -1
      texts.set(i, (texts.get(i) ?? '') + letter)
    }
  })
  return Array.from({ length: order.length }, (_, i) => texts.get(i) ?? 'na')
}

/** Letters of means by the p of their pairs, in the order i < j; 'a' the largest mean. */
export function lettersOfPairs(
  niveis: readonly string[],
  means: readonly number[],
  p: readonly number[],
  alfa: number,
): Letters {
  const k = niveis.length
  const order = largestFirst(means)
  const index = (i: number, j: number): number =>
    i < j ? i * k - (i * (i + 1)) / 2 + j - i - 1 : index(j, i)
  const texts = compactLetters(order, (i, j) => ((p[index(i, j)] ?? 1) < alfa ? 'different' : 'equal'))
  return Object.fromEntries(niveis.map((nivel, i) => [nivel, texts[i] ?? 'na']))
}

/** Means among which every pair has a p-value: those without go out one by one, the least comparable first. */
function comparable(
  order: readonly number[],
  pair: (i: number, j: number) => 'different' | 'equal' | 'unknown',
): number[] {
  const missing = new Map<number, number>()
  for (const i of order) {
    let count = 0
    for (const j of order) if (i !== j && pair(i, j) === 'unknown') count++
    missing.set(i, count)
  }
  let left = order.filter((i) => order.length === 1 || (missing.get(i) ?? 0) < order.length - 1)
  const gone = order.filter((i) => !left.includes(i))
  for (const i of left) missing.set(i, (missing.get(i) ?? 0) - gone.length)
  for (;;) {
    let worst = -1
    // From the smallest mean up, so that of two equals the larger mean keeps its letter.
    for (let a = left.length - 1; a >= 0; a--) {
      const i = left[a] ?? -1
      if ((missing.get(i) ?? 0) > 0 && (worst < 0 || (missing.get(i) ?? 0) > (missing.get(worst) ?? 0)))
        worst = i
    }
    if (worst < 0) return left
    left = left.filter((i) => i !== worst)
    for (const i of left) if (pair(i, worst) === 'unknown') missing.set(i, (missing.get(i) ?? 0) - 1)
  }
}

/** Maximal sets in the order of their letters: by best member, then by worst, then by the members between. */
function sets(equal: readonly Uint8Array[]): number[][] {
  const runs = intervals(equal)
  if (runs) return runs
  const found = cliques(equal) ?? cover(equal)
  const last = (members: number[]) => members[members.length - 1] ?? 0
  return found.sort((x, y) => {
    const ends = (x[0] ?? 0) - (y[0] ?? 0) || last(x) - last(y)
    if (ends !== 0) return ends
    for (let i = 0; i < Math.min(x.length, y.length); i++) {
      const difference = (x[i] ?? 0) - (y[i] ?? 0)
      if (difference !== 0) return difference
    }
    return x.length - y.length
  })
}

/** The maximal runs, or null when a pair differs inside a run whose ends do not. */
function intervals(equal: readonly Uint8Array[]): number[][] | null {
  const size = equal.length
  const runs: number[][] = []
  let reached = -1
  for (let i = 0; i < size; i++) {
    let end = i
    while (end + 1 < size && equal[i]?.[end + 1]) end++
    for (let j = end + 1; j < size; j++) if (equal[i]?.[j]) return null
    // What a mean reaches, the next one must reach too.
    if (i > 0 && end < reached) return null
    if (end > reached || i === 0) runs.push(Array.from({ length: end - i + 1 }, (_, n) => i + n))
    reached = end
  }
  return runs
}

/** All maximal cliques (Bron & Kerbosch 1973, with the pivot of Tomita et al. 2006), or null when they are too many. */
function cliques(equal: readonly Uint8Array[]): number[][] | null {
  const found: number[][] = []
  const grow = (chosen: number[], open: number[], done: number[]): boolean => {
    if (open.length === 0) {
      if (done.length === 0) found.push([...chosen].sort((x, y) => x - y))
      return found.length <= MOST_SETS
    }
    let pivot: Uint8Array | undefined
    let most = -1
    for (const v of [...open, ...done]) {
      const row = equal[v]
      let count = 0
      for (const u of open) count += row?.[u] ?? 0
      if (count > most) {
        most = count
        pivot = row
      }
    }
    let candidates = open
    const closed = [...done]
    for (const v of open) {
      if (pivot?.[v]) continue
      const near = equal[v]
      const into = (list: number[]) => list.filter((u) => near?.[u])
      if (!grow([...chosen, v], into(candidates), into(closed))) return false
      candidates = candidates.filter((u) => u !== v)
      closed.push(v)
    }
    return true
  }
  return grow(
    [],
    equal.map((_, i) => i),
    [],
  )
    ? found
    : null
}

/** A cover of every pair that does not differ, each set maximal: the first uncovered pair, grown by rank. */
function cover(equal: readonly Uint8Array[]): number[][] {
  const size = equal.length
  const covered = equal.map(() => new Uint8Array(size))
  const found: number[][] = []
  for (let i = 0; i < size; i++) {
    for (let j = i; j < size; j++) {
      if (covered[i]?.[j] || (i !== j && !equal[i]?.[j])) continue
      // A mean on its own needs a set only if it is equal to no other.
      if (i === j && equal[i]?.includes(1)) continue
      const members = i === j ? [i] : [i, j]
      for (let v = 0; v < size; v++) if (members.every((u) => equal[u]?.[v])) members.push(v)
      for (const u of members) {
        for (const v of members) {
          const row = covered[u]
          if (row) row[v] = 1
        }
      }
      found.push(members.sort((x, y) => x - y))
    }
  }
  return found
}
