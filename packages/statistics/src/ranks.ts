/** Tests on ranks, with the treatments that differ and their letters. */
import { chiSquareUpper, fUpper, normalUpper } from './distributions.ts'
import { holm } from './holm.ts'
import { lettersOfPairs } from './letters.ts'
import type { Absent, NonParametric } from './result.ts'
import { studentizedRange } from './studentized-range.ts'

/** Mean ranks 1..n of values, and Σ (t³ - t) over their ties. */
function midranks(values: readonly number[]): { ranks: number[]; ties: number } {
  const order = values.map((_, i) => i).sort((i, j) => (values[i] ?? 0) - (values[j] ?? 0))
  const ranks = new Array<number>(values.length).fill(0)
  let ties = 0
  for (let from = 0; from < order.length; ) {
    let to = from + 1
    while (to < order.length && values[order[to] ?? 0] === values[order[from] ?? 0]) to++
    const count = to - from
    for (let place = from; place < to; place++) ranks[order[place] ?? 0] = (from + 1 + to) / 2
    ties += count ** 3 - count
    from = to
  }
  return { ranks, ties }
}

function eachPair<T>(k: number, make: (i: number, j: number) => T): T[] {
  const list: T[] = []
  for (let i = 0; i < k; i++) for (let j = i + 1; j < k; j++) list.push(make(i, j))
  return list
}

/**
 * Kruskal & Wallis (1952), ties corrected: H = Σ nᵢ (R̄ᵢ - (N+1)/2)² / s², s² = N(N+1)/12 - Σ(t³-t)/(12(N-1)), against
 * χ² with k - 1 degrees of freedom. Pairs by Dunn (1964), z = (R̄ᵢ - R̄ⱼ) / √(s² (1/nᵢ + 1/nⱼ)), p by Holm.
 * @param groups one array of values per treatment, aligned with `niveis`, none empty
 */
export function kruskalWallis(
  niveis: readonly string[],
  groups: readonly (readonly number[])[],
  alfa: number,
): NonParametric | Absent {
  const k = groups.length
  const { ranks, ties } = midranks(groups.flat())
  const n = ranks.length
  if (k < 2 || groups.some((group) => group.length === 0) || n <= k) {
    return { motivo: 'o teste de Kruskal-Wallis pede repetições e ao menos dois tratamentos' }
  }
  const variance = (n * (n + 1)) / 12 - ties / (12 * (n - 1))
  if (!(variance > 1e-9 * n)) return { motivo: 'todos os valores são iguais' }
  let from = 0
  const means = groups.map((group) => {
    const own = ranks.slice(from, from + group.length)
    from += group.length
    return own.reduce((sum, rank) => sum + rank, 0) / own.length
  })
  const size = (i: number) => groups[i]?.length ?? 1
  const estatistica = means.reduce((sum, mean, i) => sum + size(i) * (mean - (n + 1) / 2) ** 2, 0) / variance
  const z = eachPair(
    k,
    (i, j) => ((means[i] ?? 0) - (means[j] ?? 0)) / Math.sqrt(variance * (1 / size(i) + 1 / size(j))),
  )
  const p = z.map((value) => 2 * normalUpper(Math.abs(value)))
  const adjusted = holm(p)
  const names = eachPair(k, (i, j) => ({ a: niveis[i] ?? '', b: niveis[j] ?? '' }))
  return {
    teste: 'kruskal',
    estatistica,
    gl: k - 1,
    p: chiSquareUpper(estatistica, k - 1),
    postos_medios: Object.fromEntries(niveis.map((nivel, i) => [nivel, means[i] ?? 0])),
    pares: names.map((pair, i) => ({ ...pair, z: z[i] ?? 0, p: p[i] ?? 1, p_ajustado: adjusted[i] ?? 1 })),
    letras: lettersOfPairs(niveis, means, adjusted, alfa),
  }
}

/**
 * Friedman (1937), ties corrected: χ² = (k-1) Σ (Rⱼ - b(k+1)/2)² / (Σ r² - b k (k+1)²/4), gl k - 1; its F by Iman &
 * Davenport (1980), (b-1) χ² / (b (k-1) - χ²). Blocks that rank alike without exception: F infinite, `f` null, p 0.
 * Pairs by Nemenyi (1963): q = |R̄ᵢ - R̄ⱼ| / √(k(k+1)/(12 b)) on the studentised range of k means, gl infinite.
 * @param blocks one row per block, one value per treatment in it, in the order of `niveis`
 */
export function friedman(
  niveis: readonly string[],
  blocks: readonly (readonly number[])[],
  alfa: number,
): NonParametric | Absent {
  const k = niveis.length
  const b = blocks.length
  if (k < 2 || b < 2 || blocks.some((block) => block.length !== k)) {
    return { motivo: 'o teste de Friedman pede blocos completos e ao menos dois tratamentos' }
  }
  const means = new Array<number>(k).fill(0)
  let squares = 0
  for (const block of blocks) {
    midranks(block).ranks.forEach((rank, j) => {
      means[j] = (means[j] ?? 0) + rank / b
      squares += (rank - (k + 1) / 2) ** 2
    })
  }
  if (!(squares > 0)) return { motivo: 'todos os valores são iguais dentro dos blocos' }
  const between = means.reduce((sum, mean) => sum + (mean - (k + 1) / 2) ** 2, 0)
  const estatistica = ((k - 1) * b * b * between) / squares
  const rest = b * (k - 1) - estatistica
  const [gl1, gl2] = [k - 1, (k - 1) * (b - 1)]
  const f = rest > 1e-9 * b * (k - 1) ? ((b - 1) * estatistica) / rest : null
  const scale = Math.sqrt((k * (k + 1)) / (12 * b))
  const range = studentizedRange(k, Infinity)
  const pares = eachPair(k, (i, j) => {
    const q = Math.abs((means[i] ?? 0) - (means[j] ?? 0)) / scale
    return { a: niveis[i] ?? '', b: niveis[j] ?? '', q, p_ajustado: range.upper(q) }
  })
  return {
    teste: 'friedman',
    estatistica,
    gl: gl1,
    p: chiSquareUpper(estatistica, gl1),
    iman_davenport: { f, gl1, gl2, p: f === null ? 0 : fUpper(f, gl1, gl2) },
    postos_medios: Object.fromEntries(niveis.map((nivel, i) => [nivel, means[i] ?? 0])),
    pares,
    letras: lettersOfPairs(
      niveis,
      means,
      pares.map((pair) => pair.p_ajustado),
      alfa,
    ),
  }
}
