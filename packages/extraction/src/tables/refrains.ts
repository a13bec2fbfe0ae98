import type { Line } from '../layout/lines.ts'
import { readCell } from '../values/number.ts'
import { fold } from '../values/text.ts'

/** So often the same beginning between the rows of a table is no chance. */
const LEAST_OFTEN = 3
const LEAST_WORDS = 5
/** Between two of them stands one row, over a few lines; the notes below tables are further apart. */
const MOST_BETWEEN = 7
/** A row of figures has so many pieces. */
const LEAST_PIECES = 3

/** 'Ganho de 1,7 sc/ha = R$ 1.431 | lucro …' below each row of a table: sentences of the rows, which would tear it apart. */
export function withoutRefrains(lines: readonly Line[]): readonly Line[] {
  const begins = Map.groupBy(
    lines.flatMap((line, at) => {
      const [only, more] = line.segments
      const first = only && !more && only.words.length >= LEAST_WORDS ? only.words[0]?.text : undefined
      // The names of tables are alike as well.
      return first !== undefined && /^\p{L}{3}/u.test(first) && !isCaption(line)
        ? [{ first: fold(first), line, at }]
        : []
    }),
    ({ first }) => first,
  )
  const out = new Set<Line>()
  for (const own of begins.values()) {
    const between = own.slice(1).every(({ at }, i) => {
      const rows = lines.slice((own[i]?.at ?? 0) + 1, at)
      return rows.length <= MOST_BETWEEN && rows.some(isRow) && !rows.some(isCaption)
    })
    if (own.length >= LEAST_OFTEN && between) for (const { line } of own) out.add(line)
  }
  return out.size === 0 ? lines : lines.filter((line) => !out.has(line))
}

const isCaption = ({ segments: [first] }: Line): boolean =>
  /^(?:tabela|quadro|figura|grafico)\b/.test(fold(first?.text ?? ''))

const isRow = ({ segments }: Line): boolean =>
  segments.filter(({ text }) => readCell(text) !== null).length >= LEAST_PIECES - 1 &&
  segments.length >= LEAST_PIECES
