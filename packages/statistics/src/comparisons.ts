/** All comparisons of one group of means: every pair by six tests, letters, critical values, groups, the control. */
import { studentQuantile, studentTwoSided } from './distributions.ts'
import { dunnett } from './dunnett.ts'
import { holm } from './holm.ts'
import { compactLetters } from './letters.ts'
import { largestFirst } from './order.ts'
import type { Absent, Comparison, Criticals, Dunnett, Letters, Pair, ScottKnott } from './result.ts'
import type { Tail } from './scale-mixture.ts'
import { scottKnott } from './scott-knott.ts'
import { studentizedRanges } from './studentized-range.ts'

export interface MeansInput {
  /** Names, in treatment order. */
  niveis: readonly string[]
  /** Valid plots of each mean. */
  n: readonly number[]
  ajustadas: ArrayLike<number>
  /** Covariance matrix of the adjusted means (k x k), in the response's unit squared: of differences it gives the exact SE. */
  covariancia: ArrayLike<ArrayLike<number>>
  /** Degrees of freedom of the error; a function where it differs from pair to pair. */
  gl: number | ((i: number, j: number) => number)
  alfa: number
  /** Whether Scott-Knott is offered, with the residual mean square and the repetitions of each mean; or the reason why not. */
  scott_knott: { qm: number; gl: number; r: readonly number[] } | Absent
  /** Index of the control in niveis, or null. */
  testemunha: number | null
  /** `percentual` of the control is given only on the original scale. */
  escala_original: boolean
}

/** One pair with what its tests need. `null` p-values: the error of the difference is zero or has no gl. */
interface Difference {
  i: number
  j: number
  diferenca: number
  ep: number
  gl: number
  valid: boolean
}

const NO_ERROR = 'o erro da diferença é zero'
const NO_COMMON_GL = 'os graus de liberdade do erro diferem entre as comparações com a testemunha'

/** Of the smallest error of a difference: what least squares leave of two equal means. */
const NEGLIGIBLE = 1e-10

type Ranges = (gl: number) => Tail[]

/** The ranges of each number of degrees of freedom, made when first asked for. */
function rangesFor(k: number): Ranges {
  const made = new Map<number, Tail[]>()
  return (gl) => {
    let tails = made.get(gl)
    if (!tails) {
      tails = studentizedRanges(Math.max(2, k), gl)
      made.set(gl, tails)
    }
    return tails
  }
}

function difference(input: MeansInput, i: number, j: number): Difference {
  const v = (a: number, b: number) => input.covariancia[a]?.[b] ?? 0
  const gl = typeof input.gl === 'number' ? input.gl : input.gl(i, j)
  const scale = v(i, i) + v(j, j)
  const variance = scale - v(i, j) - v(j, i)
  // A rest of rounding is no error variance.
  const ep = variance > 1e-14 * scale ? Math.sqrt(variance) : 0
  const diferenca = (input.ajustadas[i] ?? 0) - (input.ajustadas[j] ?? 0)
  return { i, j, diferenca, ep, gl, valid: ep > 0 && gl > 0 && Number.isFinite(diferenca / ep) }
}

/** p of the range of the s means between two, as Duncan (1955) protects it: 1 - (1 - p)^(1/(s-1)). */
function duncanP(tail: Tail, q: number, upper: number, span: number): number {
  const kept = upper < 0.5 ? Math.log1p(-upper) : Math.log(tail.lower(q))
  return Math.min(1, -Math.expm1(kept / (span - 1)))
}

function makePairs(
  input: MeansInput,
  differences: readonly Difference[],
  rank: readonly number[],
  ranges: Ranges,
) {
  const k = input.niveis.length
  const count = (k * (k - 1)) / 2
  const quantiles = new Map<number, number>()
  const tukeyQuantile = (gl: number) => {
    const known = quantiles.get(gl)
    if (known !== undefined) return known
    const q = ranges(gl)[k]?.quantile(input.alfa) ?? 0
    quantiles.set(gl, q)
    return q
  }
  const pairs = differences.map(({ i, j, diferenca, ep, gl, valid }): Pair => {
    const names = {
      ...{ a: input.niveis[i] ?? '', b: input.niveis[j] ?? '', diferenca, ep },
      ...(typeof input.gl === 'number' ? {} : { gl }),
    }
    if (!valid) {
      return {
        ...names,
        ...{
          t: null,
          p_t: null,
          p_bonferroni: null,
          p_holm: null,
          p_tukey: null,
          p_snk: null,
          p_duncan: null,
        },
        ...{ ic_tukey_baixo: null, ic_tukey_alto: null },
      }
    }
    const t = diferenca / ep
    const q = Math.SQRT2 * Math.abs(t)
    const span = Math.abs((rank[i] ?? 0) - (rank[j] ?? 0)) + 1
    const tails = ranges(gl)
    const p_t = studentTwoSided(t, gl)
    const p_tukey = k === 2 ? p_t : (tails[k]?.upper(q) ?? 1)
    const tail = tails[span]
    const p_snk = span === k ? p_tukey : span === 2 ? p_t : (tail?.upper(q) ?? 1)
    const half = (tukeyQuantile(gl) * ep) / Math.SQRT2
    return {
      ...names,
      t,
      p_t,
      p_bonferroni: Math.min(1, count * p_t),
      p_holm: 1,
      p_tukey,
      p_snk,
      p_duncan: span === 2 || !tail ? p_t : duncanP(tail, q, p_snk, span),
      ic_tukey_baixo: diferenca - half,
      ic_tukey_alto: diferenca + half,
    }
  })
  const tested = pairs.filter((pair) => pair.p_t !== null)
  holm(tested.map((pair) => pair.p_t ?? 1)).forEach((p, i) => {
    const pair = tested[i]
    if (pair) pair.p_holm = p
  })
  return pairs
}

/** Which test says what of each pair, by ranks (0 the largest mean): 1 different, 0 not, 2 without a p. */
function verdicts(
  pairs: readonly Pair[],
  differences: readonly Difference[],
  rank: readonly number[],
  p: (pair: Pair) => number | null,
  alfa: number,
): Uint8Array[] {
  const k = rank.length
  const matrix = Array.from({ length: k }, () => new Uint8Array(k))
  differences.forEach(({ i, j }, n) => {
    const pair = pairs[n]
    const value = pair ? p(pair) : null
    const said = value === null ? 2 : value < alfa ? 1 : 0
    const [a, b] = [rank[i] ?? 0, rank[j] ?? 0]
    for (const [x, y] of [
      [a, b],
      [b, a],
    ] as const) {
      const row = matrix[x]
      if (row) row[y] = said
    }
  })
  return matrix
}

/** SNK and Duncan: two means differ only if every range that contains them is significant. */
function protect(matrix: Uint8Array[]): Uint8Array[] {
  const k = matrix.length
  for (let span = k - 2; span >= 1; span--) {
    for (let a = 0; a + span < k; a++) {
      const b = a + span
      const row = matrix[a]
      const mirror = matrix[b]
      if (!row || !mirror || row[b] !== 1) continue
      const wider = (a > 0 && matrix[a - 1]?.[b] === 0) || (b + 1 < k && row[b + 1] === 0)
      if (wider) {
        row[b] = 0
        mirror[a] = 0
      }
    }
  }
  return matrix
}

const WORDS = ['equal', 'different', 'unknown'] as const

function lettersOf(
  niveis: readonly string[],
  order: readonly number[],
  matrix: readonly Uint8Array[],
): Letters {
  const places = order.map((_, place) => place)
  const texts = compactLetters(places, (a, b) => WORDS[matrix[a]?.[b] ?? 2] ?? 'unknown')
  const letters: Letters = {}
  const byLevel = new Map(order.map((i, place) => [i, texts[place] ?? 'na']))
  niveis.forEach((nivel, i) => {
    letters[nivel] = byLevel.get(i) ?? 'na'
  })
  return letters
}

/** One DMS exists only where all differences have one error and one gl. */
function criticals(input: MeansInput, differences: readonly Difference[], ranges: Ranges): Criticals | null {
  const first = differences[0]
  if (!first?.valid) return null
  const one = differences.every(
    (d) => d.valid && d.gl === first.gl && Math.abs(d.ep - first.ep) <= 1e-9 * first.ep,
  )
  if (!one) return null
  const { alfa } = input
  const k = input.niveis.length
  const tails = ranges(first.gl)
  const perRange = first.ep / Math.SQRT2
  const q = tails[k]?.quantile(alfa) ?? 0
  const spans = Array.from({ length: k - 1 }, (_, n) => n + 2)
  const kept = Math.log1p(-alfa)
  return {
    dms_t: studentQuantile(1 - alfa / 2, first.gl) * first.ep,
    q_tukey: q,
    dms_tukey: q * perRange,
    duncan: spans.map(
      (s) => (tails[s]?.quantile(-Math.expm1((s - 1) * kept), Math.exp((s - 1) * kept)) ?? 0) * perRange,
    ),
    snk: spans.map((s) => (s === k ? q : (tails[s]?.quantile(alfa) ?? 0)) * perRange),
  }
}

function againstControl(input: MeansInput, control: number): Dunnett | Absent {
  const others = input.niveis.map((_, i) => i).filter((i) => i !== control)
  const rows = others.map((i) => difference(input, i, control))
  if (rows.some((d) => !d.valid)) return { motivo: NO_ERROR }
  const gl = rows[0]?.gl ?? 0
  if (rows.some((d) => d.gl !== gl)) return { motivo: NO_COMMON_GL }
  const v = (a: number, b: number) => input.covariancia[a]?.[b] ?? 0
  const correlation = rows.map((x, a) =>
    Float64Array.from(rows, (y, b) => {
      if (a === b) return 1
      return (v(x.i, y.i) - v(x.i, control) - v(y.i, control) + v(control, control)) / (x.ep * y.ep)
    }),
  )
  const tail = dunnett(correlation, gl)
  const t_critico = tail.quantile(input.alfa)
  const base = input.ajustadas[control] ?? 0
  return {
    exato: tail.exato,
    t_critico,
    linhas: rows.map(({ i, diferenca, ep }) => ({
      nivel: input.niveis[i] ?? '',
      diferenca,
      ep,
      t: diferenca / ep,
      p: tail.upper(Math.abs(diferenca / ep)),
      ic_baixo: diferenca - t_critico * ep,
      ic_alto: diferenca + t_critico * ep,
      ...(input.escala_original && base !== 0 ? { percentual: (100 * diferenca) / base } : {}),
    })),
  }
}

function groups(input: MeansInput): ScottKnott | Absent {
  const { scott_knott } = input
  if ('motivo' in scott_knott) return scott_knott
  if (!(scott_knott.qm > 0)) return { motivo: NO_ERROR }
  return scottKnott(input.niveis, input.ajustadas, scott_knott, input.alfa)
}

/**
 * Compares k >= 2 means. Pairs are i < j in treatment order, difference i - j; t and letters come from unrounded means.
 * t = difference / SE; q = √2 |t| (Kramer 1956); SNK and Duncan on the range of the s means between two, equal means
 * ranked in treatment order, from the smallest up; 'a' is always the largest mean.
 * @throws RangeError with fewer than two means
 */
export function compareMeans(input: MeansInput): Comparison {
  const k = input.niveis.length
  if (k < 2) throw new RangeError(`Nothing to compare: ${k} mean(s)`)
  const rank = new Array<number>(k).fill(0)
  const differences: Difference[] = []
  for (let i = 0; i < k; i++) for (let j = i + 1; j < k; j++) differences.push(difference(input, i, j))
  const errors = differences.map((d) => d.ep).reduce((least, ep) => Math.min(least, ep), Infinity)
  const order = largestFirst(input.ajustadas, NEGLIGIBLE * errors)
  order.forEach((i, place) => {
    rank[i] = place
  })
  const ranges = rangesFor(k)
  const pares = makePairs(input, differences, rank, ranges)
  const matrix = (p: (pair: Pair) => number | null) => verdicts(pares, differences, rank, p, input.alfa)
  const letters = (said: Uint8Array[]) => lettersOf(input.niveis, order, said)
  return {
    pares,
    letras: {
      tukey: letters(matrix((pair) => pair.p_tukey)),
      t: letters(matrix((pair) => pair.p_t)),
      bonferroni: letters(matrix((pair) => pair.p_bonferroni)),
      holm: letters(matrix((pair) => pair.p_holm)),
      duncan: letters(protect(matrix((pair) => pair.p_duncan))),
      snk: letters(protect(matrix((pair) => pair.p_snk))),
    },
    criticos: criticals(input, differences, ranges),
    scott_knott: groups(input),
    dunnett: input.testemunha === null ? null : againstControl(input, input.testemunha),
  }
}
