import { type ColumnRole, type GivenTables, ROW_LABELS, type RowLabel } from '@ensaio/domain'
import type { ReviewTable } from './review-state.ts'

type Tables = readonly ReviewTable[]

export const ROLE_NAMES: Readonly<Record<ColumnRole, string>> = {
  code: 'Nº do tratamento',
  name: 'Tratamento',
  product: 'Produto',
  dose: 'Dose',
  productDose: 'Dose (produto no título)',
  unit: 'Unidade da dose',
  mode: 'Modalidade',
  yield: 'Produtividade',
  cost: 'Custo do tratamento',
  productCost: 'Custo do produto',
  analysis: 'Análise',
  replicate: 'Repetição',
  ignore: 'Não usar',
}
export const LABEL_NAMES: Readonly<Record<RowLabel, string>> = {
  heading: 'Cabeçalho',
  treatment: 'Tratamento',
  more: 'Continua o de cima',
  section: 'Título de grupo',
  out: 'Fora (média, CV, nota)',
}
export const isLabel = (value: string): value is RowLabel => ROW_LABELS.some((label) => label === value)

/** Whoever says what stands in a table says that its treatments are to be read. */
const changedAt = (tables: Tables, at: number, change: (table: ReviewTable) => ReviewTable): ReviewTable[] =>
  tables.map((table, i) => (i === at ? { ...change(table), touched: true } : table))

export const withRole = (tables: Tables, at: number, column: number, role: ColumnRole): ReviewTable[] =>
  changedAt(tables, at, (table) => ({
    ...table,
    used: true,
    columns: table.columns.map((own, c) => (c === column ? { ...own, role } : own)),
  }))

export const withLabel = (tables: Tables, at: number, row: number, label: RowLabel): ReviewTable[] =>
  changedAt(tables, at, (table) => ({
    ...table,
    used: true,
    rows: table.rows.map((own, r) => (r === row ? { ...own, label } : own)),
  }))

export const withUse = (tables: Tables, at: number, used: boolean): ReviewTable[] =>
  changedAt(tables, at, (table) => ({ ...table, used }))

/** The row and those below it are a table of their own. */
export const cutAt = (tables: Tables, at: number, row: number): ReviewTable[] =>
  tables.flatMap((table, i): ReviewTable[] => {
    if (i !== at) return [table]
    const below = table.rows.slice(row)
    const headed = below.some(({ label }) => label === 'heading')
    const headings = headed ? [] : table.rows.filter(({ label }) => label === 'heading')
    return [
      { ...table, rows: table.rows.slice(0, row), touched: true },
      {
        ...table,
        rows: [...headings, ...below],
        columns: table.columns.map((column) => ({ ...column, role: headed ? null : column.role })),
        touched: true,
      },
    ]
  })

/** One table of two, the rows of the next below those of the first. */
export const joinWithNext = (tables: Tables, at: number): ReviewTable[] => {
  const [table, next] = [tables[at], tables[at + 1]]
  if (!table || !next) return [...tables]
  const width = Math.max(table.columns.length, next.columns.length)
  const padded = (rows: ReviewTable['rows']): ReviewTable['rows'] =>
    rows.map(({ label, cells }) => ({
      label,
      cells: Array.from({ length: width }, (_, c) => cells[c] ?? null),
    }))
  const headed = table.rows.some(({ label }) => label === 'heading')
  const below = next.rows.map((row) =>
    headed && row.label === 'heading' ? { ...row, label: 'out' as const } : row,
  )
  const one: ReviewTable = {
    ...table,
    used: true,
    columns: Array.from(
      { length: width },
      (_, c) => table.columns[c] ?? next.columns[c] ?? { heading: '', role: null },
    ),
    rows: [...padded(table.rows), ...padded(below)],
    touched: true,
  }
  return [...tables.slice(0, at), one, ...tables.slice(at + 2)]
}

/** Treatments that stand beside each other, one below the other; what the columns are then, the reader says. */
export const turn = (tables: Tables, at: number): ReviewTable[] =>
  changedAt(tables, at, (table) => ({
    ...table,
    used: true,
    columns: table.rows.map(() => ({ heading: '', role: null })),
    rows: table.columns.map((_, c) => ({
      label: c === 0 ? ('heading' as const) : ('treatment' as const),
      cells: table.rows.map(({ cells }) => cells[c] ?? null),
    })),
  }))

/** The tables as the server takes them: those of the treatments, by their place where they are as they were read. */
export const given = (tables: Tables): GivenTables =>
  tables
    .filter(({ used }) => used)
    .map(
      ({ origin, touched, title, columns, rows }) =>
        (touched ? null : origin) ?? {
          title,
          columns: columns.map(({ role }) => ({ role })),
          rows: rows.map(({ label, cells }) => ({
            label,
            cells: cells.map((cell) => cell && { page: cell.page, bbox: cell.bbox }),
          })),
        },
    )
