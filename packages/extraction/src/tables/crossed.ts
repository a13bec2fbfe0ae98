import { union } from '../read/geometry.ts'
import { YIELDS } from '../values/headings.ts'
import { readCell } from '../values/number.ts'
import { fold } from '../values/text.ts'
import type { Cell, Table } from './table.ts'

/** One level of a factor: as it is printed, and as a treatment is called by it. */
interface Level {
  cell: Cell
  text: string
  /** Nothing was given. */
  none: boolean
}
/** Amounts of one substance. */
interface Doses {
  levels: Level[]
  substance: string | null
  unit: string
}
interface Crossed {
  /** With it, without it. */
  given: Level[]
  doses: Doses
  variables: { heading: Cell; value: (given: number, dose: number) => Cell | null }[]
}

/** What the text says around a table. */
export interface Around {
  /** 'sem inoculação' of 'Sem'. */
  meaning(level: string): string | null
  /** 'Ureia' of 'N'. */
  source(substance: string): string | null
  /** The variable that the caption names. */
  variable: string
  /** 'sem redutor' of 'S', where the caption explains it. */
  letters: ReadonlyMap<string, string>
}

const NONE = /^(?:sem|ausencia|nao|testemunha|controle)\b/
const GIVEN = /^(?:sem|com|ausencia|presenca|nao|sim)\b/
const SUMS = /^(?:medias?|cv|c\.v|dms|d\.m\.s|teste|f\b|valor|erro|total)/
const DOSES = /\bdoses?\b/
const MOST_LEVELS = 12

/**
 * Doses over 'Sem' and 'Com', or the other way round: each pair is a treatment, as long as one of them got nothing. A row
 * for each, with all that was measured of it; null for any other table.
 */
export function uncross(table: Table, around: Around): Table | null {
  const rows = table.rows.filter((row) => row.some((cell) => cell !== null && cell.text !== ''))
  const crossed = dosesAbove(rows, around) ?? dosesBefore(rows, around)
  if (!crossed) return null
  const { given, doses, variables } = crossed
  if (given.length !== 2 || given.filter(({ none }) => none).length !== 1) return null
  if (doses.levels.length < 2 || doses.levels.filter(({ none }) => none).length !== 1) return null
  const [first] = doses.levels
  if (!first || variables.length === 0) return null
  const head = [
    spelled([first.cell], 'Tratamento'),
    ...(doses.substance === null
      ? []
      : [spelled([first.cell], 'Produto'), spelled([first.cell], `Dose (${doses.unit})`)]),
    ...variables.map(({ heading }) => heading),
  ]
  const order = given
    .map((level, g) => ({ level, g }))
    .sort((a, b) => Number(b.level.none) - Number(a.level.none))
  const body = order.flatMap(({ level, g }) =>
    doses.levels.map((dose, d): (Cell | null)[] => [
      spelled(
        [level.cell, dose.cell],
        level.none && dose.none ? 'Testemunha' : `${level.text}, ${dose.text}`,
      ),
      ...(doses.substance === null
        ? []
        : [
            spelled([dose.cell], dose.none ? '-' : (around.source(doses.substance) ?? doses.substance)),
            dose.none ? spelled([dose.cell], '-') : dose.cell,
          ]),
      ...variables.map(({ value }) => value(g, d)),
    ]),
  )
  if (body.some((row) => row.includes(null))) return null
  const { lines: _, head: __, ...rest } = table
  return { ...rest, rows: [head, ...body], columns: head.length }
}

/** A cell that says something else with the same place. */
function spelled(of: readonly Cell[], text: string): Cell {
  const [first] = of.flatMap(({ words }) => words)
  const box = union(of)
  const words = first ? text.split(' ').map((word) => ({ ...first, text: word })) : []
  return { ...box, text, words, page: of[0]?.page ?? 0 }
}

const textOf = (row: readonly (Cell | null)[]): string =>
  [...new Set(row)].flatMap((cell) => (cell && cell.text !== '' ? [cell.text] : [])).join(' ')

/** 'Dose de N (kg ha-1 )' */
function dosesOf(heading: string, cells: readonly Cell[]): Doses | null {
  const text = heading.replace(/\s+/g, ' ')
  const unit = /[([]\s*([^()[\]]{2,16}?)\s*[)\]]/.exec(text)?.[1]
  const substance = /\bdoses?\s+d[eo]s?\s+([\p{L}\d ]{1,24}?)\s*(?:,\s*em\s|[([])/iu.exec(text)?.[1] ?? null
  if (!DOSES.test(fold(text)) || unit === undefined) return null
  const amounts = cells.map((cell) => readCell(cell.text))
  const rising = amounts.every((amount, i) => amount !== null && (i === 0 || amount > (amounts[i - 1] ?? 0)))
  if (!rising || amounts[0] !== 0) return null
  const levels = cells.map((cell, i) => ({
    cell,
    text: `${cell.text} ${unit}${substance ? ` de ${substance}` : ''}`,
    none: amounts[i] === 0,
  }))
  return { levels, substance, unit }
}

function givenOf(cells: readonly Cell[], factor: string, around: Around): Level[] | null {
  if (!cells.every(({ text }) => GIVEN.test(fold(text)))) return null
  return cells.map((cell) => {
    const alone = !/\s/.test(cell.text.trim())
    const said = alone
      ? (around.meaning(cell.text) ?? (factor === '' ? null : `${cell.text} ${factor}`))
      : null
    const text = said ?? cell.text
    return { cell, text: `${text.charAt(0).toUpperCase()}${text.slice(1)}`, none: NONE.test(fold(cell.text)) }
  })
}

/** 'Inoculação | 0 | 40 | 80 | Média' under 'Dose de N (kg ha-1)'; the caption names what was measured. */
function dosesAbove(rows: readonly (Cell | null)[][], around: Around): Crossed | null {
  for (const [r, row] of rows.slice(0, 4).entries()) {
    const cells = row.slice(1)
    const places = cells.flatMap((cell, i) => (cell && readCell(cell.text) !== null ? [i + 1] : []))
    const heading = [textOf(rows[r - 1] ?? []), row[0]?.text ?? ''].find((text) => DOSES.test(fold(text)))
    if (places.length < 3 || places.length > MOST_LEVELS || heading === undefined) continue
    const doses = dosesOf(
      heading,
      places.map((c) => row[c] as Cell),
    )
    if (!doses) continue
    const body = rows.slice(r + 1).filter((one) => one[0] && !SUMS.test(fold(one[0].text)))
    const factor = fold(row[0]?.text ?? '') === '' ? (rows[r - 1]?.[0]?.text ?? '') : (row[0]?.text ?? '')
    const given = givenOf(
      body.flatMap((one) => one[0] ?? []),
      DOSES.test(fold(factor)) ? '' : factor.toLowerCase(),
      around,
    )
    if (!given || body.length !== 2 || around.variable === '') return null
    const [first] = doses.levels
    if (!first) return null
    return {
      ...{ given, doses },
      variables: [
        {
          heading: spelled([first.cell], around.variable),
          value: (g, d) => body[g]?.[places[d] ?? -1] ?? null,
        },
      ],
    }
  }
  return null
}

/** 'Sem | Com | Sem | Com' under two variables, beside rows of doses. */
function dosesBefore(rows: readonly (Cell | null)[][], around: Around): Crossed | null {
  const from = rows.findIndex((row) => row[0] && readCell(row[0].text) === 0)
  const labels = rows[from - 1]
  if (from < 2 || !labels) return null
  const to = rows.findIndex((row, r) => r > from && (row[0] ? readCell(row[0].text) : null) === null)
  const body = rows.slice(from, to < 0 ? undefined : to)
  const above = rows.slice(0, from)
  const doses = dosesOf(
    above.map((row) => row[0]?.text ?? '').join(' '),
    body.flatMap((row) => row[0] ?? []),
  )
  // 'S | C' under a caption 'sem (S) e com (C) redutor'
  const shown = (cell: Cell): string => around.letters.get(cell.text.trim()) ?? cell.text
  const places = labels.flatMap((cell, c) => (c > 0 && cell && GIVEN.test(fold(shown(cell))) ? [c] : []))
  if (!doses || places.length < 2 || places.length % 2 > 0) return null
  const pair = places.slice(0, 2).map((c) => {
    const cell = labels[c] as Cell
    return shown(cell) === cell.text ? cell : spelled([cell], shown(cell))
  })
  const repeats = places.every((c, i) => labels[c] && shown(labels[c]) === pair[i % 2]?.text)
  const headings = [...new Set(above.slice(0, -1).flatMap((row) => row.slice(1)))].filter(
    (cell): cell is Cell => cell !== null && cell.text !== '',
  )
  // 'Redutor de crescimento' over 'Sem | Com' is what was given, not what was measured.
  const factor = headings.find(
    ({ text }) =>
      places.length === 2 && !/[\d%(]/.test(text) && !YIELDS.test(fold(text)) && around.variable !== '',
  )
  if (factor) headings.length = 0
  const given =
    repeats && pair[0]?.text !== pair[1]?.text
      ? givenOf(pair, factor?.text.toLowerCase().split(' ')[0] ?? '', around)
      : null
  if (!given) return null
  const middle = ({ x0, x1 }: Cell): number => (x0 + x1) / 2
  const variables = Array.from({ length: places.length / 2 }, (_, v) => {
    const own = places.slice(2 * v, 2 * v + 2)
    const at = own.reduce((sum, c) => sum + middle(labels[c] as Cell), 0) / own.length
    const nearest = headings.reduce<Cell | null>(
      (best, one) => (best === null || Math.abs(middle(one) - at) < Math.abs(middle(best) - at) ? one : best),
      null,
    )
    const named = nearest ?? (around.variable === '' ? null : spelled(pair, around.variable))
    return named && { heading: named, value: (g: number, d: number) => body[d]?.[own[g] ?? -1] ?? null }
  })
  const told = variables.filter((one) => one !== null)
  return told.length === variables.length && new Set(told.map(({ heading }) => heading)).size === told.length
    ? { given, doses, variables: told }
    : null
}
