import {
  columnTitle,
  datesOf,
  type Experiment,
  type ExportPlotsQuery,
  formatDay,
  formatNumber,
  holdsText,
  type ImportMap,
  importPlots,
  type PlotValue,
  type TrialSheet,
  type TrialVariable,
  walkOrder,
} from '@ensaio/domain'
import { writeXlsx } from 'hucre/xlsx'
import { type CellValue, csvFile } from '../../spreadsheet-cells.ts'

/** Of an imported file of plots. */
export const PLOT_FILE = { maxBytes: 5 * 1024 * 1024, field: 'arquivo', name: 'da planilha' } as const
export const PLOT_TABLE = { rows: 20_000, columns: 400 } as const
/** Rows that a preview shows. */
const PREVIEW = 20
const PREVIEW_CELL = 200

type Rows = Parameters<typeof importPlots>[0]['rows']

/** What a file says of a trial's plots, with its upper rows as they stand there. */
export function readPlots(
  rows: Rows,
  {
    map,
    experiment,
    sheet,
  }: {
    map: ImportMap | null
    experiment: Pick<Experiment, 'tipo_estatistica'> & { tratamentos: readonly { nome: string }[] }
    sheet: TrialSheet | null
  },
) {
  return {
    ...importPlots({
      rows,
      map,
      sheet,
      treatments: experiment.tratamentos.map(({ nome }) => nome),
      design: /inteiramente/i.test(experiment.tipo_estatistica) ? 'DIC' : null,
    }),
    previa: rows
      .slice(0, PREVIEW)
      .map((row) => row.map((cell) => (cell === null ? '' : String(cell).slice(0, PREVIEW_CELL)))),
  }
}

const cell = (value: PlotValue): CellValue =>
  Array.isArray(value) ? value.map((one) => formatNumber(one, 10)).join('; ') : value

const isOf = (chave: string, date: string | null) => (one: { variavel: string; avaliacao: string | null }) =>
  one.variavel === chave && one.avaliacao === date

/** What a column holds by plot, numbers or words; days as they are written. */
function cellsOf(sheet: TrialSheet, variable: TrialVariable, date: string | null): readonly CellValue[] {
  const of = isOf(variable.chave, date)
  if (!holdsText(variable)) return sheet.valores.find(of)?.valores.map(cell) ?? []
  const texts = sheet.textos?.find(of)?.textos ?? []
  return variable.tipo === 'data' ? texts.map((day) => day && formatDay(day)) : texts
}

/** The dates that a variable has something on. */
function filledDates(sheet: TrialSheet, variable: TrialVariable): (string | null)[] {
  if (!holdsText(variable)) return datesOf(sheet, variable.chave)
  return [null, ...sheet.avaliacoes.map(({ chave }) => chave)].filter((date) =>
    sheet.textos?.find(isOf(variable.chave, date))?.textos.some((text) => text !== null),
  )
}

/** The values by plot; the field sheet is the same with nothing in them, in walking order. */
function rowsOf(
  experiment: Experiment,
  sheet: TrialSheet,
  query: ExportPlotsQuery,
  letters: ReadonlyMap<number, string> | null,
): CellValue[][] {
  const blank = query.tipo === 'ficha_de_campo'
  const order = walkOrder(sheet.parcelas, blank && query.serpentina === '1')
  const typed = sheet.variaveis.filter(({ formula }) => formula === null)
  const columns = typed.flatMap((variable) => {
    const dates = blank ? datesToFill(sheet, variable) : filledDates(sheet, variable)
    return (dates.length === 0 ? [null] : dates).map((date) => ({
      title: columnTitle(variable, sheet.avaliacoes.find(({ chave }) => chave === date)?.nome ?? null),
      cells: cellsOf(sheet, variable, date),
    }))
  })
  const named = query.as_cegas !== '1' && !letters
  const has = (key: 'bloco' | 'linha' | 'coluna') => sheet.parcelas.some((plot) => plot[key] !== null)
  const places = (['bloco', 'linha', 'coluna'] as const).filter(has)
  const TITLES = { bloco: 'Bloco', linha: 'Linha', coluna: 'Coluna' }
  return [
    [
      'Parcela',
      ...places.map((key) => TITLES[key]),
      'Tratamento',
      ...(named ? ['Nome do tratamento'] : []),
      ...columns.map(({ title }) => title),
    ],
    ...order.map((at) => {
      const plot = sheet.parcelas[at]
      if (!plot) return []
      return [
        plot.numero,
        ...places.map((key) => plot[key]),
        letters?.get(plot.tratamento) ?? `T${plot.tratamento}`,
        ...(named ? [experiment.tratamentos[plot.tratamento - 1]?.nome ?? ''] : []),
        ...columns.map(({ cells }) => (blank ? null : (cells[at] ?? null))),
      ]
    }),
  ]
}

const datesToFill = (sheet: TrialSheet, variable: TrialVariable): (string | null)[] => {
  const used = filledDates(sheet, variable)
  if (used.length > 0) return used
  return sheet.avaliacoes.length === 0 ? [null] : sheet.avaliacoes.map(({ chave }) => chave)
}

export async function plotFile(
  experiment: Experiment,
  sheet: TrialSheet,
  query: ExportPlotsQuery,
  /** Of a trial that is assessed blind, for who may not know which treatment is which. */
  letters: ReadonlyMap<number, string> | null = null,
): Promise<Buffer> {
  const rows = rowsOf(experiment, sheet, query, letters)
  return query.formato === 'csv' ? Buffer.from(csvFile(rows)) : workbookOf([{ name: 'Parcelas', rows }])
}

/** Sheets of plain cells with the titles frozen. */
export async function workbookOf(
  sheets: readonly { name: string; rows: readonly (readonly CellValue[])[] }[],
): Promise<Buffer> {
  const bytes = await writeXlsx({
    sheets: sheets.map(({ name, rows }) => ({
      name,
      rows: rows.map((row) => [...row]),
      columns: (rows[0] ?? []).map((_, at) => ({ width: widthOf(rows, at) })),
      freezePane: { rows: 1 },
    })),
  })
  return Buffer.from(bytes)
}

const widthOf = (rows: readonly (readonly CellValue[])[], at: number): number =>
  Math.min(40, Math.max(8, ...rows.slice(0, 50).map((row) => String(row[at] ?? '').length + 2)))
