import { union } from '../read/geometry.ts'
import { makeCell } from '../tables/lattice.ts'
import type { Cell, Table } from '../tables/table.ts'
import { fold } from '../values/text.ts'

/**
 * '1 Controle', '2 Cálcio': numbers in front of the names that leave none out are a column of their own, in whichever
 * order the rows stand: statistics list them by their means.
 */
export function codesApart(source: Table): Table {
  if (source.given) return source
  const table = withRomans(source)
  const numbers = table.rows.map((row) =>
    Number(/^(\d{1,2})\s+\p{L}/u.exec(row[0]?.text ?? '')?.[1] ?? Number.NaN),
  )
  const counted = numbers.filter((value) => Number.isFinite(value)).sort((a, b) => a - b)
  const on = counted.every((value, i) => value === (counted[0] ?? 0) + i)
  if (counted.length < 3 || !on || (counted[0] ?? 9) > 2) return withCapitals(table)
  const rows = table.rows.map((row, r) => {
    const [cell] = row
    const [code, ...name] = cell?.words ?? []
    if (!cell || !code || name.length === 0 || !Number.isFinite(numbers[r] ?? Number.NaN))
      return [cell ?? null, ...row]
    return [own(cell, [code]), own(cell, name), ...row.slice(1)]
  })
  return { ...table, rows, columns: table.columns + 1 }
}

const ROMANS = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII']
/** Over treatments: blocks are counted like this, too. */
const COUNTED = /^(?:trat|n[o°º.]|num|cod|item|manejo|programa)/
/** What a scan makes of a numeral is as short. */
const LONGEST_NUMERAL = 4
const LEAST_NUMERALS = 3

/** 'I', 'II', 'III' under 'Trat.' are the numbers of treatments; in a scan most of them tell the others. */
function withRomans(table: Table): Table {
  const { rows } = table
  for (const c of [0, 1]) {
    const text = (r: number): string => rows[r]?.[c]?.text ?? ''
    const first = rows.findIndex((_, r) => r > 0 && text(r) === ROMANS[0])
    if (first < 0 || !rows.slice(0, first).some((row) => COUNTED.test(fold(row[c]?.text ?? '')))) continue
    const scanned = rows[first]?.[c]?.words.some(({ ocr }) => ocr !== undefined) === true
    const count = ROMANS.findIndex((numeral, i) => {
      const own = text(first + i)
      const known = scanned
        ? own.length <= LONGEST_NUMERAL && !/^\d{2}|\p{Ll}{2}/u.test(own)
        : own === numeral
      return first + i >= rows.length || !known
    })
    const end = first + (count < 0 ? ROMANS.length : count)
    const right = ROMANS.filter((numeral, i) => first + i < end && text(first + i) === numeral).length
    if (right < LEAST_NUMERALS || right < 0.6 * (end - first)) continue
    const numbered = rows.map((row, r) => {
      // Where a scan lost one, what stands beside it tells where it was.
      const cell = row[c] ?? row.find((other) => other !== null)
      if (r < first || r >= end || !cell) return row
      return row.map((own, at) => (at === c ? { ...cell, text: String(r - first + 1) } : own))
    })
    return { ...table, rows: numbered }
  }
  return table
}

/** 'a', 'b', 'C' that count up before the rows: letters as a list has them, a scan's large and small ones. */
function withCapitals(table: Table): Table {
  const letters = table.rows.map((row) => (/^[a-h]$/i.test(row[0]?.text ?? '') ? row[0]?.text : undefined))
  const told = letters.filter((letter) => letter !== undefined)
  const on = told.every((letter, i) => letter.toUpperCase() === String.fromCharCode(65 + i))
  if (told.length < 3 || !on) return withoutBrackets(table)
  const rows = table.rows.map((row, r) => {
    const [cell, ...rest] = row
    return letters[r] !== undefined && cell ? [{ ...cell, text: cell.text.toUpperCase() }, ...rest] : row
  })
  return { ...table, rows }
}

/** '(a)', '(e) testemunha' before the rows, in any order: letters as a list has them, a name behind one of them. */
function withoutBrackets(table: Table): Table {
  const letters = table.rows.map(([cell]) =>
    /^\(([a-h])\)(?=$|\s)/i.exec(cell?.text ?? '')?.[1]?.toUpperCase(),
  )
  const told = letters.filter((letter) => letter !== undefined)
  if (told.length < 3 || new Set(told).size < told.length) return table
  const rows = table.rows.map((row, r) => {
    const [cell, next, ...rest] = row
    const letter = letters[r]
    if (letter === undefined || !cell) return row
    const [code, ...name] = cell.words
    const named = name.length > 0 && (next === cell || !next || next.text === '') ? own(cell, name) : null
    const alone = code ? own(cell, [code]) : cell
    return [{ ...alone, text: letter }, named ?? (next === cell ? null : (next ?? null)), ...rest]
  })
  return { ...table, rows }
}

const own = (cell: Cell, words: Cell['words']): Cell => makeCell(words, union(words), cell.page)
