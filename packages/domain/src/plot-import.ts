import type { z } from 'zod'
import type { ImportError, ImportMap } from './contract-analysis.ts'
import { parseNumber, searchable } from './format.ts'
import { sheetBuilder, type Variable } from './plot-import-sheet.ts'
import type { PlotValue, TrialDesign, TrialSheet, TrialSheetInput } from './trial-sheet.ts'
import type { TrialVariable } from './trial-variable.ts'

/** A cell of a spreadsheet: numbers of a workbook keep their type, elsewhere everything is text. */
export type FileCell = string | number | null
type Column = ImportMap['colunas'][number]
type Role = Column['papel']

/** How people call the columns that say where a value belongs. */
const TITLES: readonly [Role, RegExp][] = [
  ['parcela', /^(n(o|º|°|umero)?( da)? )?(parcela|plot|parc\.?)( n(o|º|°)?)?$/],
  ['tratamento', /^(trat(amento|\.)?s?|t|treatment|trt|n(o|º|°)? trat\.?)$/],
  ['bloco', /^(bl(oco|\.)?|rep(eticao|\.)?|block|r)$/],
  ['linha', /^(linha|row|fila)$/],
  ['coluna', /^(coluna|col\.?|column)$/],
  ['area', /^area( util)?( \(?m2\)?| \(?m²\)?)?( \(m2\)| \(m²\))?$/],
  ['variavel', /^(variavel|variable|caracteristica)$/],
  ['avaliacao', /^(avaliacao|epoca|data|date|daa)$/],
  ['valor', /^(valor|value|leitura)$/],
]
const HEAD_ROWS = 20
const MOST_COLUMNS = 200
/** Lines that are told; a file with more of them is read no further. */
const MOST_ERRORS = 1000

const textOf = (cell: FileCell | undefined): string =>
  cell === null || cell === undefined ? '' : String(cell).trim()

function roleOf(title: string): Role | null {
  const plain = searchable(title.slice(0, 200))
  return TITLES.find(([, pattern]) => pattern.test(plain))?.[0] ?? null
}

/** 'Severidade (%) – 14 DAA': name, unit in brackets, and the date that stands behind. */
function measureOf(title: string): Pick<Column, 'variavel' | 'unidade' | 'avaliacao'> {
  const cut = title.slice(0, 200)
  const [, before = cut, date = null] =
    /^(.*?)\s*(?:[–—|@-]\s*)?(-?\d{1,4}\s*DA[AEP])\s*$/i.exec(cut) ??
    /^(.*?)\s+[–—|@]\s+([^–—|@]+)$/.exec(cut) ??
    []
  const [, name = before, unit = null] = /^(.*?)\s*\(([^()]{1,40})\)\s*$/.exec(before.trim()) ?? []
  return {
    variavel: name.trim() || cut.trim(),
    unidade: unit?.trim() ?? null,
    avaliacao: date?.trim() ?? null,
  }
}

/** The row of titles: the first of the upper rows in which at least two columns are known; else the first. */
export function titleRow(rows: readonly (readonly FileCell[])[]): number {
  const at = rows
    .slice(0, HEAD_ROWS)
    .findIndex((row) => row.filter((cell) => roleOf(textOf(cell)) !== null).length >= 2)
  return Math.max(0, at)
}

/** 'Severidade (%) – 14 DAA': the title of a column that is read back as the same. */
export const columnTitle = (
  { nome, unidade }: Pick<TrialVariable, 'nome' | 'unidade'>,
  date: string | null,
) => [unidade ? `${nome} (${unidade})` : nome, ...(date === null ? [] : [date])].join(' – ')

/** Titles of the columns that a sheet has, or may have: a name with a bracket or a dash is not taken apart. */
function ownTitles(
  sheet: TrialSheet | null,
): Map<string, Pick<Column, 'variavel' | 'unidade' | 'avaliacao'>> {
  const known = new Map<string, Pick<Column, 'variavel' | 'unidade' | 'avaliacao'>>()
  const variables = sheet?.variaveis ?? []
  const calledAs = ({ chave, nome }: TrialVariable) => {
    const others = variables.filter((one) => one.chave !== chave)
    const plain = searchable(nome)
    return others.some((one) => searchable(one.nome) === plain || one.chave === nome) ? chave : nome
  }
  for (const variable of variables)
    for (const date of [null, ...(sheet?.avaliacoes ?? [])]) {
      const title = searchable(columnTitle(variable, date?.nome ?? null))
      if (!known.has(title))
        known.set(title, {
          variavel: calledAs(variable),
          unidade: variable.unidade || null,
          avaliacao: date?.nome ?? null,
        })
    }
  return known
}

/** What each column is, guessed from its title. */
export function guessMap(titles: readonly FileCell[], sheet: TrialSheet | null = null): ImportMap {
  const taken = new Set<Role>()
  const own = ownTitles(sheet)
  const used = titles.findLastIndex((cell) => textOf(cell) !== '') + 1
  const colunas = titles.slice(0, used).map((cell): Column => {
    // An apostrophe sets a text apart that begins like a formula.
    const title = textOf(cell).replace(/^'/, '')
    const none = { coluna: title, variavel: null, unidade: null, avaliacao: null }
    if (title === '') return { ...none, papel: 'ignorar' }
    const known = own.get(searchable(title.slice(0, 300)))
    if (known) return { coluna: title, papel: 'medida', ...known }
    const role = roleOf(title)
    if (role !== null && !taken.has(role)) {
      taken.add(role)
      return { ...none, papel: role }
    }
    if (/^(nome|observac|produto)/.test(searchable(title))) return { ...none, papel: 'ignorar' }
    return { coluna: title, papel: 'medida', ...measureOf(title) }
  })
  const long = taken.has('valor') && taken.has('variavel')
  return {
    forma: long ? 'longa' : 'larga',
    colunas: long
      ? colunas.map((column) =>
          column.papel === 'medida' ? { ...column, papel: 'ignorar' as const } : column,
        )
      : colunas.map((column) =>
          // Without a variable beside them these are no coordinates of a value.
          column.papel === 'variavel' || column.papel === 'valor' || column.papel === 'avaliacao'
            ? { ...column, papel: 'medida' as const, ...measureOf(column.coluna) }
            : column,
        ),
  }
}

const LOST = new Set(['', '-', '–', '—', '.', 'na', 'n/a', 'nd', 'perdida', 'perdido', '*'])

/** '5,1; 4,8; 5,3' as the sub-samples of a plot; undefined for what is no number. */
export function readPlotValue(cell: FileCell | undefined): PlotValue | undefined {
  if (typeof cell === 'number') return cell
  const text = textOf(cell).replace(/^'/, '')
  if (LOST.has(text.toLowerCase())) return null
  if (text.includes(';')) {
    const parts = text.split(';').filter((part) => part.trim() !== '')
    const numbers = parts.slice(0, 101).map((part) => parseNumber(part))
    return numbers.every((number) => typeof number === 'number') ? (numbers as number[]) : undefined
  }
  return parseNumber(text) ?? undefined
}

export interface PlotImport {
  mapa: ImportMap
  /** What the sheet would be; null when not even its plots could be read. */
  ficha: z.input<typeof TrialSheetInput> | null
  erros: ImportError[]
  /** What was understood in one of two possible ways. */
  avisos?: string[]
}

/** Rows behind the titles, as a sheet: beside what the trial has already, or a new one. */
export function importPlots({
  rows,
  map,
  sheet,
  treatments,
  design = null,
}: {
  rows: readonly (readonly FileCell[])[]
  map: ImportMap | null
  sheet: TrialSheet | null
  /** Names of the trial's treatments, T1 first. */
  treatments: readonly string[]
  /** Of a new sheet, where the trial says it: a column of repetitions does not make blocks. */
  design?: TrialDesign | null
}): PlotImport {
  const head = titleRow(rows)
  const mapa = map ?? guessMap(rows[head] ?? [], sheet)
  if (mapa.colunas.length > MOST_COLUMNS)
    return {
      mapa: { ...mapa, colunas: mapa.colunas.slice(0, MOST_COLUMNS) },
      ficha: null,
      erros: [{ linha: head + 1, coluna: '', mensagem: `Use no máximo ${MOST_COLUMNS} colunas` }],
    }
  const erros: ImportError[] = []
  const at = (role: Role) => mapa.colunas.findIndex(({ papel }) => papel === role)
  const place = {
    parcela: at('parcela'),
    tratamento: at('tratamento'),
    bloco: at('bloco'),
    linha: at('linha'),
    coluna: at('coluna'),
    area: at('area'),
  }
  if (place.tratamento < 0 && (place.parcela < 0 || !sheet))
    return {
      mapa,
      ficha: null,
      erros: [{ linha: head + 1, coluna: '', mensagem: 'Indique a coluna do tratamento' }],
    }
  // Rows that say neither plot nor block cannot be told apart from those that are there already.
  if (place.parcela < 0 && place.bloco < 0 && (sheet || mapa.forma === 'longa'))
    return {
      mapa,
      ficha: null,
      erros: [{ linha: head + 1, coluna: '', mensagem: 'Indique a coluna da parcela' }],
    }
  const builder = sheetBuilder(sheet, treatments, design)
  /** Columns of words and days, which are typed one by one: a file leaves them as they are. */
  const words = new Set<string>()
  for (const [index, row] of rows.slice(head + 1).entries()) {
    if (erros.length >= MOST_ERRORS) break
    const linha = head + 2 + index
    if (row.every((cell) => textOf(cell) === '')) continue
    const fail = (column: number, mensagem: string) =>
      void erros.push({ linha, coluna: mapa.colunas[column]?.coluna ?? '', mensagem })
    const numbers = Object.fromEntries(
      Object.entries(place).map(([role, column]) => [role, column < 0 ? null : textOf(row[column])]),
    ) as Record<keyof typeof place, string | null>
    const plot = builder.plot(numbers, (role, sentence) => fail(place[role], sentence))
    if (plot === null) continue
    const worded = (column: number, variable: Variable): boolean => {
      if (!builder.holdsWords(variable)) return false
      const title = mapa.forma === 'longa' ? variable.name : (mapa.colunas[column]?.coluna ?? variable.name)
      if (textOf(row[column]) !== '') words.add(title)
      return true
    }
    for (const { column, variable, date, value } of valuesOf(mapa, row, at, { fail, worded })) {
      const wrong = builder.put(plot, variable, date, value, mapa.forma === 'longa')
      if (wrong) fail(column, wrong)
    }
  }
  const avisos = [
    ...groupedThousands(rows.slice(head + 1), mapa),
    ...[...words].map((title) => `${title}: textos e datas ficam como estão no ensaio`),
  ]
  return { mapa, ficha: builder.sheet(), erros, avisos }
}

/** '1.125' is a thousand here: said where a column of texts has nothing but such numbers. */
function groupedThousands(rows: readonly (readonly FileCell[])[], { colunas }: ImportMap): string[] {
  return colunas.flatMap(({ papel, coluna }, at) => {
    if (papel !== 'medida' && papel !== 'valor') return []
    const texts = rows.flatMap((row) => {
      const cell = row[at]
      return typeof cell === 'string' && /\d/.test(cell.slice(0, 40)) ? [cell.trim()] : []
    })
    const [first] = texts
    if (first === undefined || !texts.every((text) => /^-?\d{1,3}\.\d{3}$/.test(text))) return []
    return [`${coluna}: “${first}” foi lido como ${first.replace('.', '')}`]
  })
}

type Measured = {
  column: number
  variable: Variable
  date: string | null
  value: PlotValue
}

function* valuesOf(
  { forma, colunas }: ImportMap,
  row: readonly FileCell[],
  at: (role: Role) => number,
  {
    fail,
    worded,
  }: {
    fail: (column: number, sentence: string) => void
    worded: (column: number, variable: Variable) => boolean
  },
): Generator<Measured> {
  const understood = (column: number): PlotValue | undefined => {
    const value = readPlotValue(row[column])
    if (value === undefined) fail(column, `Não é um número: “${textOf(row[column]).slice(0, 60)}”`)
    return value
  }
  if (forma === 'longa') {
    const [name, column] = [textOf(row[at('variavel')]), at('valor')]
    if (name === '') return fail(at('variavel'), 'Informe a variável')
    const measure = measureOf(name)
    const variable = { name: measure.variavel ?? name, unit: measure.unidade }
    if (worded(column, variable)) return
    const value = understood(column)
    if (value === undefined) return
    yield { column, variable, date: textOf(row[at('avaliacao')]) || measure.avaliacao, value }
    return
  }
  for (const [column, { papel, variavel, unidade, avaliacao, coluna }] of colunas.entries()) {
    if (papel !== 'medida') continue
    const variable = { name: variavel ?? coluna, unit: unidade }
    if (worded(column, variable)) continue
    const value = understood(column)
    if (value !== undefined) yield { column, variable, date: avaliacao, value }
  }
}
