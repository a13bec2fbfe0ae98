import { isControl } from '../values/lexicon.ts'
import { readCell } from '../values/number.ts'
import { saysNothing } from '../values/text.ts'
import type { Column } from './columns.ts'
import type { Row } from './orient.ts'

/**
 * One product in several doses, its name set once: above its rows, or in their middle where no border tells how far
 * it reaches. Each row with a dose and results of its own is given the name that it shares.
 */
export function shareNames(rows: readonly Row[], columns: readonly Column[]): Row[] {
  const at = columns.findIndex((column) => column.role === 'name' || column.role === 'product')
  const doses = columns.findIndex((column) => column.role === 'dose')
  const results = columns.findIndex((column) => column.role === 'yield')
  const coded = columns.some((column) => column.role === 'code')
  const same = [...rows]
  if (at < 0 || doses < 0 || results < 0 || coded) return same
  const text = (row: Row | undefined, c: number): string => row?.[c]?.text ?? ''
  const measured = (row: Row): boolean =>
    readCell(text(row, results)) !== null && /^\d/.test(text(row, doses)) && !saysNothing(text(row, doses))
  const nameless = rows.map((row) => text(row, at) === '' && measured(row))
  if (!nameless.includes(true)) return same
  const named = rows.flatMap((row, r) => {
    const own = text(row, at)
    return own !== '' && measured(row) && !isControl(own) && row[at] !== rows[r - 1]?.[at] ? [r] : []
  })
  const reach = centred(nameless, named) ?? below(nameless, named)
  for (const [r, from] of reach)
    same[r] = (rows[r] ?? []).map((cell, c) => (c === at ? (rows[from]?.[at] ?? null) : cell))
  return same
}

type Reach = Map<number, number>

/** As many rows without a name above each name as below it, and none left over. */
function centred(nameless: readonly boolean[], named: readonly number[]): Reach | null {
  const reach: Reach = new Map()
  for (const r of named) {
    let above = 0
    while (nameless[r - above - 1] && !reach.has(r - above - 1)) above++
    for (let k = 1; k <= above; k++) {
      if (!nameless[r + k]) return null
      reach.set(r - k, r).set(r + k, r)
    }
  }
  return reach.size === nameless.filter(Boolean).length ? reach : null
}

/** The rows right below each name; none may stand where no name is above it. */
function below(nameless: readonly boolean[], named: readonly number[]): Reach {
  const reach: Reach = new Map()
  for (const r of named) for (let k = r + 1; nameless[k]; k++) reach.set(k, r)
  return reach.size === nameless.filter(Boolean).length ? reach : new Map()
}
