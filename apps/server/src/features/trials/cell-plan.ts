import {
  allowsSeveral,
  type CellState,
  type CellValue,
  cellOf,
  DECIDED,
  EMPTY_CELL,
  fillsCell,
  formatNumber,
  holdsText,
  isDay,
  limitsOf,
  type MergedChange,
  MOST_SAMPLES,
  MOST_VALUES,
  mergeChange,
  mergeUnbased,
  outOfRange,
  type PlotValue,
  readSeveral,
  severalOf,
  type TrialVariable,
} from '@ensaio/domain'
import type { NewChange, StoredChange } from './changes.repository.ts'
import { cellValue } from './sheet-cells.ts'
import type { StoredColumn, StoredSheet } from './sheets.repository.ts'

/** An entry that is to be written, with what the merge wants to know beside it. */
export interface CellWrite {
  entry: Omit<NewChange, 'estado' | 'revisao' | 'fora'>
  decide: readonly string[] | null
  /** It does not say what its maker saw; whether it names the record that it changes. */
  unbased?: { named: boolean }
}

/** What became of a write, and what stands in its cell. */
export interface Outcome {
  id: string
  estado: NewChange['estado'] | 'recusado'
  atual: {
    id: string | null
    valor: CellValue
    pessoa: string | null
    coletor: string | null
    quando: string | null
  }
  /** Why it was not applied, for a person. */
  razao: string | null
}
/** The columns of a sheet as entries made them. */
export interface EnteredColumns {
  columns: StoredColumn[]
  /** Those that are others now. */
  touched: ReadonlySet<StoredColumn>
}
type Row = Omit<StoredChange, 'quando' | 'ordem' | 'recebido_em'> & { quando: string }

export const NOTHING: Outcome['atual'] = { id: null, valor: null, pessoa: null, coletor: null, quando: null }
/** Why one is refused. */
export const TAKEN = 'Este identificador já foi usado em outro registro'
const NOT_THEIRS = 'Quem registrou os valores ou quem edita o ensaio decide este conflito'
export const FOREIGN_PLOT = 'A parcela não é deste ensaio'
export const NO_PLACE = 'A parcela, a variável ou a avaliação não existe mais'

/**
 * What entries make of a sheet, one after the other: its columns as they are then, what is written down, which open
 * conflicts are closed, and what became of each. No change of the trial is left out of what is written down.
 */
export function planWrites(
  sheet: StoredSheet,
  rows: readonly StoredChange[],
  writes: readonly CellWrite[],
  {
    editor,
    foreign,
  }: {
    /** Who sends them may change the trial, and so decides whose value stands. */
    editor: boolean
    /** Plots that never were the trial's: what is said of one is no change of it. */
    foreign: ReadonlySet<string>
  },
): EnteredColumns & {
  added: NewChange[]
  closed: string[]
  outcomes: Outcome[]
} {
  const { corpo } = sheet
  const plots = new Map(corpo.parcelas.map(({ id }, row) => [id, row]))
  const columns = sheet.valores.map((column) => ({
    ...column,
    valores: [...column.valores],
    registros: [...column.registros],
    textos: column.textos && [...column.textos],
  }))
  const known = new Map<string, Row>()
  const byCell = new Map<string, Row[]>()
  const keep = (row: Row) => {
    known.set(row.id, row)
    const cell = wholeCell(row)
    byCell.set(cell, [...(byCell.get(cell) ?? []), row])
  }
  for (const row of rows) keep({ ...row, quando: row.quando.toISOString() })
  const added: NewChange[] = []
  const closed: string[] = []
  const touched = new Set<StoredColumn>()

  const columnAt = (variable: TrialVariable, avaliacao: string | null): StoredColumn | null => {
    const held = columns.find((one) => one.variavel === variable.chave && one.avaliacao === avaliacao)
    if (held) return held
    if ((columns.length + 1) * corpo.parcelas.length > MOST_VALUES) return null
    const empty = () => corpo.parcelas.map(() => null)
    const made = {
      ...{ variavel: variable.chave, avaliacao, valores: empty() as PlotValue[], registros: empty() },
      textos: holdsText(variable) ? empty() : null,
    }
    columns.push(made)
    return made
  }

  const one = ({ entry, decide, unbased }: CellWrite): Outcome => {
    const row = plots.get(entry.parcela ?? '')
    const variable = corpo.variaveis.find(({ id }) => id === entry.variavel)
    const date = corpo.avaliacoes.find(({ id }) => id === entry.avaliacao)
    const write = (estado: NewChange['estado'], revisao: string | null, more: Partial<NewChange> = {}) => {
      const made: NewChange = { ...entry, fora: false, ...more, estado, revisao }
      added.push(made)
      keep({ ...made, encerrado: false })
    }
    const aside = (razao: string): Outcome => {
      write('guardado', null, { extra: { ...entry.extra, razao } })
      return { id: entry.id, estado: 'guardado', atual: NOTHING, razao }
    }
    const before = known.get(entry.id)
    if (before) {
      // Who names what it sends by another's numbers may use one again, for another cell.
      const own = isSame(before, entry) && (!unbased || wholeCell(before) === wholeCell(entry))
      const place = variable && row !== undefined ? columnAt(variable, date?.chave ?? null) : null
      return {
        id: entry.id,
        estado: own ? before.estado : 'recusado',
        atual: own && place && row !== undefined ? told(place, row, known) : NOTHING,
        razao: own ? decidedOf(before) : TAKEN,
      }
    }
    if (foreign.has(entry.parcela ?? ''))
      return { id: entry.id, estado: 'recusado', atual: NOTHING, razao: FOREIGN_PLOT }
    if (row === undefined) return aside(NO_PLACE)
    if (!fillsCell(entry)) {
      write('aplicado', null)
      return { id: entry.id, estado: 'aplicado', atual: NOTHING, razao: null }
    }
    if (!variable || variable.formula || (entry.avaliacao !== null && !date)) return aside(NO_PLACE)
    const unfit = misfit(variable, entry)
    if (unfit) return aside(unfit)
    const column = columnAt(variable, date?.chave ?? null)
    if (!column) return aside(`Um ensaio guarda no máximo ${formatNumber(MOST_VALUES)} valores`)

    const cellRows = byCell.get(wholeCell(entry)) ?? []
    if (entry.tipo === 'decisao' && !editor && !cellRows.some((row) => isAuthor(row, entry)))
      return aside(NOT_THEIRS)
    const { cell, by } = stateOf(column, row, cellRows, entry.amostra)
    const change: MergedChange = { ...entry, decide }
    const next = unbased
      ? mergeUnbased(
          cell,
          { ...change, pessoa: entry.pessoa_id, quando: Date.parse(entry.quando), named: unbased.named },
          { pessoa: by?.pessoa_id ?? null, quando: by ? Date.parse(by.quando) : null },
        )
      : mergeChange(cell, change)
    const gone = cell.abertos.filter(({ id }) => !next.cell.abertos.some((open) => open.id === id))
    for (const { id } of gone) {
      closed.push(id)
      const open = known.get(id)
      if (open) open.encerrado = true
    }
    const same = next.estado === 'igual' && next.cell.iguais.includes(entry.id)
    const fora = outsideLimits(variable, entry.valor)
    if (next.estado === 'aplicado') {
      put(column, row, entry, cellRows)
      touched.add(column)
    }
    write(next.estado, next.estado === 'igual' && !same ? null : next.cell.atual.id, { fora })
    return { id: entry.id, estado: next.estado, atual: told(column, row, known), razao: null }
  }

  return { outcomes: writes.map(one), columns, touched, added, closed }
}

/** Of one that waited for a decision that has been taken by now. */
export const decidedOf = ({ estado, encerrado }: Pick<Row, 'estado' | 'encerrado'>): string | null =>
  encerrado && (estado === 'conflito' || estado === 'guardado') ? DECIDED : null

/** Whether an entry came before: from the same device, or in a copy that another device or person brings. */
export function isSame(
  before: Omit<Row, 'quando'> & { quando: string | Date },
  entry: CellWrite['entry'],
): boolean {
  if (before.pessoa_id === entry.pessoa_id && before.aparelho === entry.aparelho) return true
  const said = ({ tipo, parcela, variavel, avaliacao, amostra, valor, quando }: Said) =>
    JSON.stringify([tipo, parcela, variavel, avaliacao, amostra, valor, new Date(quando).getTime()])
  return said(before) === said(entry)
}
type Said = Pick<CellWrite['entry'], 'tipo' | 'parcela' | 'variavel' | 'avaliacao' | 'amostra' | 'valor'> & {
  quando: string | Date
}

/** Whether who sends an entry gave one of the cell's values; of one account several may collect. */
const isAuthor = ({ pessoa_id, coletor, estado }: Row, entry: CellWrite['entry']): boolean =>
  estado !== 'guardado' && pessoa_id === entry.pessoa_id && coletor === entry.coletor

/** What stands in a cell, and who put it there. */
function told(column: StoredColumn, row: number, known: ReadonlyMap<string, Row>): Outcome['atual'] {
  const id = column.registros[row] ?? null
  const by = id === null ? undefined : known.get(id)
  return {
    ...{ id, valor: cellValue(column, row), pessoa: by?.pessoa_id ?? null },
    ...{ coletor: by?.coletor ?? null, quando: by?.quando ?? null },
  }
}

/** The numbers of a plot's samples by their place, from what was entered since the cell was last put whole. */
function samplesOf(column: StoredColumn, row: number, rows: readonly Row[]): (number | null)[] {
  const applied = rows.filter(({ estado }) => estado === 'aplicado')
  const kept = applied.some(({ id }) => id === column.registros[row])
  const whole = kept ? applied.findLastIndex(({ amostra }) => amostra === null) : applied.length
  const from = kept ? (applied[whole]?.valor ?? null) : (column.valores[row] ?? null)
  const samples: (number | null)[] = (
    Array.isArray(from) ? from : typeof from === 'number' ? [from] : []
  ).slice()
  for (const { amostra, valor } of applied.slice(whole + 1))
    if (amostra !== null) samples[amostra - 1] = typeof valor === 'number' ? valor : null
  return Array.from({ length: Math.min(samples.length, MOST_SAMPLES) }, (_, k) => samples[k] ?? null)
}

/** The cell, or one sample of it, as the merge takes it; and the entry that stands. */
function stateOf(
  column: StoredColumn,
  row: number,
  rows: readonly Row[],
  sample: number | null,
): { cell: CellState; by: Row | undefined } {
  const mark = column.registros[row] ?? null
  const applied = rows.filter(
    ({ estado, amostra }) => estado === 'aplicado' && (amostra === null || amostra === sample),
  )
  const kept = rows.some(({ id }) => id === mark)
  const id = sample === null || !kept ? mark : (applied.at(-1)?.id ?? null)
  const by = rows.find((one) => one.id === id)
  const valor = sample === null ? cellValue(column, row) : (samplesOf(column, row, rows)[sample - 1] ?? null)
  return {
    by,
    cell: {
      atual: {
        ...{ id, aparelho: by?.aparelho ?? null, seq: by?.seq ?? null },
        ...{ valor, motivo: by?.motivo ?? null },
      },
      iguais: rows
        .filter(({ estado, revisao }) => estado === 'igual' && id !== null && revisao === id)
        .map((one) => one.id),
      abertos: rows.filter(
        ({ estado, encerrado, amostra }) => estado === 'conflito' && !encerrado && amostra === sample,
      ),
    },
  }
}

/** The cell that an entry is of, or one of whose samples. */
export const wholeCell = (entry: Parameters<typeof cellOf>[0]): string => cellOf({ ...entry, amostra: null })

/** Where an entry is, and what stands there, from all entries of its cell; null where the place is gone. */
export function standingOf(sheet: StoredSheet, rows: readonly StoredChange[], at: StoredChange) {
  const { corpo } = sheet
  const row = corpo.parcelas.findIndex(({ id }) => id === at.parcela)
  const plot = corpo.parcelas[row]
  const variable = corpo.variaveis.find(({ id }) => id === at.variavel)
  const date = corpo.avaliacoes.find(({ id }) => id === at.avaliacao)
  if (!plot || !variable || (at.avaliacao !== null && !date)) return null
  const own = rows.map((one) => ({ ...one, quando: one.quando.toISOString() }))
  const column = sheet.valores.find(
    (one) => one.variavel === variable.chave && one.avaliacao === (date?.chave ?? null),
  )
  const held = column && stateOf(column, row, own, at.amostra)
  return { plot, variable, date, atual: held?.cell.atual ?? EMPTY_CELL.atual, by: held?.by }
}

function put(column: StoredColumn, row: number, entry: CellWrite['entry'], rows: readonly Row[]): void {
  const { valor, amostra, id } = entry
  if (column.textos) column.textos[row] = typeof valor === 'string' ? valor : null
  else if (amostra === null) column.valores[row] = typeof valor === 'string' ? null : valor
  else {
    const samples = samplesOf(column, row, rows)
    samples[amostra - 1] = typeof valor === 'number' ? valor : null
    const numbers = Array.from(samples, (one) => one ?? null).filter((one) => one !== null)
    column.valores[row] = numbers.length > 0 ? numbers : null
  }
  column.registros[row] = id
}

/** Why the cell cannot hold it, whatever its limits are. */
function misfit(variable: TrialVariable, { valor, amostra }: CellWrite['entry']): string | null {
  if (valor === null) return null
  if (variable.tipo === 'data')
    return typeof valor === 'string' && isDay(valor) && amostra === null ? null : 'Informe a data'
  if (allowsSeveral(variable))
    return typeof valor === 'string' && severalOf(valor) !== null && amostra === null
      ? null
      : 'Esta variável guarda várias categorias'
  if (variable.tipo === 'texto')
    return typeof valor === 'string' && amostra === null ? null : 'Esta variável não guarda números'
  if (typeof valor === 'string' || (amostra !== null && Array.isArray(valor))) return 'Informe um número'
  return outOfRange(variable, valor)
}

function outsideLimits(variable: TrialVariable, value: CellValue): boolean {
  // A category that was there when it was chosen.
  if (allowsSeveral(variable)) return typeof value === 'string' && 'wrong' in readSeveral(variable, value)
  if (holdsText(variable) || value === null || typeof value === 'string') return false
  const [least, most] = limitsOf(variable)
  return [value].flat().some((one) => (least !== null && one < least) || (most !== null && one > most))
}
