import type { z } from 'zod'
import type { ImportError, ImportMap } from './contract-analysis.ts'
import { parseNumber, searchable } from './format.ts'
import {
  outOfRange,
  type PlotValue,
  type TrialDesign,
  type TrialSheet,
  type TrialSheetInput,
  type TrialVariable,
} from './trial-sheet.ts'

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

/** What each column is, guessed from its title. */
export function guessMap(titles: readonly FileCell[]): ImportMap {
  const taken = new Set<Role>()
  const colunas = titles.map((cell): Column => {
    const title = textOf(cell)
    const none = { coluna: title, variavel: null, unidade: null, avaliacao: null }
    if (title === '') return { ...none, papel: 'ignorar' }
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
  const text = textOf(cell)
  if (LOST.has(text.toLowerCase())) return null
  if (text.includes(';')) {
    const parts = text.split(';').filter((part) => part.trim() !== '')
    const numbers = parts.slice(0, 101).map((part) => parseNumber(part))
    return numbers.every((number) => typeof number === 'number') ? (numbers as number[]) : undefined
  }
  return parseNumber(text) ?? undefined
}

/** A key for a name: 'Altura de plantas' -> 'altura_de_plantas'; with a number behind where it is taken. */
export function keyFor(name: string, taken: ReadonlySet<string>): string {
  const base =
    searchable(name)
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 50) || 'variavel'
  if (!taken.has(base)) return base
  let n = 2
  while (taken.has(`${base}_${n}`)) n++
  return `${base}_${n}`
}

export interface PlotImport {
  mapa: ImportMap
  /** What the sheet would be; null when not even its plots could be read. */
  ficha: z.input<typeof TrialSheetInput> | null
  erros: ImportError[]
}

/** Rows behind the titles, as a sheet: beside what the trial has already, or a new one. */
export function importPlots({
  rows,
  map,
  sheet,
  treatments,
}: {
  rows: readonly (readonly FileCell[])[]
  map: ImportMap | null
  sheet: TrialSheet | null
  /** Names of the trial's treatments, T1 first. */
  treatments: readonly string[]
}): PlotImport {
  const head = titleRow(rows)
  const mapa = map ?? guessMap(rows[head] ?? [])
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
  const builder = sheetBuilder(sheet, treatments)
  rows.slice(head + 1).forEach((row, index) => {
    const linha = head + 2 + index
    if (row.every((cell) => textOf(cell) === '')) return
    const fail = (column: number, mensagem: string) =>
      void erros.push({ linha, coluna: mapa.colunas[column]?.coluna ?? '', mensagem })
    const numbers = Object.fromEntries(
      Object.entries(place).map(([role, column]) => [role, column < 0 ? null : textOf(row[column])]),
    ) as Record<keyof typeof place, string | null>
    const plot = builder.plot(numbers, (role, sentence) => fail(place[role], sentence))
    if (plot === null) return
    for (const { column, variable, date, value } of valuesOf(mapa, row, at, fail)) {
      const wrong = builder.put(plot, variable, date, value, mapa.forma === 'longa')
      if (wrong) fail(column, wrong)
    }
  })
  return { mapa, ficha: builder.sheet(), erros }
}

type Measured = {
  column: number
  variable: { name: string; unit: string | null }
  date: string | null
  value: PlotValue
}

function* valuesOf(
  { forma, colunas }: ImportMap,
  row: readonly FileCell[],
  at: (role: Role) => number,
  fail: (column: number, sentence: string) => void,
): Generator<Measured> {
  const understood = (column: number): PlotValue | undefined => {
    const value = readPlotValue(row[column])
    if (value === undefined) fail(column, `Não é um número: “${textOf(row[column]).slice(0, 60)}”`)
    return value
  }
  if (forma === 'longa') {
    const [name, column] = [textOf(row[at('variavel')]), at('valor')]
    if (name === '') return fail(at('variavel'), 'Informe a variável')
    const value = understood(column)
    if (value === undefined) return
    const measure = measureOf(name)
    const date = textOf(row[at('avaliacao')]) || measure.avaliacao
    yield { column, variable: { name: measure.variavel ?? name, unit: measure.unidade }, date, value }
    return
  }
  for (const [column, { papel, variavel, unidade, avaliacao, coluna }] of colunas.entries()) {
    if (papel !== 'medida') continue
    const value = understood(column)
    if (value !== undefined)
      yield { column, variable: { name: variavel ?? coluna, unit: unidade }, date: avaliacao, value }
  }
}

type PlotOf = TrialSheet['parcelas'][number]
type Places = Record<'parcela' | 'tratamento' | 'bloco' | 'linha' | 'coluna' | 'area', string | null>

/** Makes a sheet grow row by row; what a trial has already stays where the file says nothing of it. */
function sheetBuilder(sheet: TrialSheet | null, treatments: readonly string[]) {
  const plots: PlotOf[] = sheet ? [...sheet.parcelas] : []
  const byNumber = new Map(plots.map((plot, at) => [plot.numero, at]))
  const byPlace = new Map(plots.map((plot, at) => [`${plot.bloco} ${plot.tratamento}`, at]))
  const names = new Map(treatments.map((name, at) => [searchable(name), at + 1]))
  const variables: TrialVariable[] = sheet ? [...sheet.variaveis] : []
  const dates = sheet ? [...sheet.avaliacoes] : []
  const columns = new Map(
    (sheet?.valores ?? []).map((one) => [
      `${one.variavel} ${one.avaliacao ?? ''}`,
      { ...one, valores: [...one.valores] },
    ]),
  )
  const met = new Set<string>()

  const treatmentOf = (text: string): number | null => {
    const [, digits] = /^t?\s*(\d{1,3})$/i.exec(text) ?? []
    const number = digits === undefined ? names.get(searchable(text)) : Number(digits)
    return number !== undefined && number >= 1 && number <= treatments.length ? number : null
  }
  const whole = (text: string | null): number | null | undefined => {
    if (text === null || text === '') return null
    return /^\d{1,6}$/.test(text) && Number(text) > 0 ? Number(text) : undefined
  }

  const variableOf = ({ name, unit }: Measured['variable']): TrialVariable => {
    const known = variables.find((one) => searchable(one.nome) === searchable(name) || one.chave === name)
    if (known) return known
    const made: TrialVariable = {
      chave: keyFor(name, new Set(variables.map(({ chave }) => chave))),
      nome: name.slice(0, 80),
      unidade: unit ?? '',
      tipo: unit === '%' ? 'percentual' : 'continua',
      papel: 'resposta',
      maior_melhor: null,
      produtividade:
        /^(produtividade|rendimento)/.test(searchable(name)) &&
        /^kg[ ./]?ha/i.test(unit ?? '') &&
        !variables.some(({ produtividade }) => produtividade),
      escala: null,
      formula: null,
    }
    if (made.produtividade) made.maior_melhor = true
    variables.push(made)
    return made
  }

  const dateOf = (name: string): string => {
    const known = dates.find((one) => searchable(one.nome) === searchable(name) || one.chave === name)
    if (known) return known.chave
    const [, days] = /^(-?\d{1,4})\s*DA/i.exec(name) ?? []
    const iso = /^\d{4}-\d{2}-\d{2}$/.test(name) ? name : null
    const made = {
      chave: keyFor(name, new Set(dates.map(({ chave }) => chave))),
      nome: name.slice(0, 60),
      data: iso,
      daa: days === undefined ? null : Number(days),
      estadio: null,
    }
    dates.push(made)
    return made.chave
  }

  return {
    /** The plot's place in the sheet; null when the row does not say which it is. */
    plot(given: Places, fail: (role: keyof Places, sentence: string) => void): number | null {
      const number = whole(given.parcela)
      if (number === undefined) {
        fail('parcela', `Número de parcela inválido: “${given.parcela?.slice(0, 30)}”`)
        return null
      }
      const known = number === null ? undefined : byNumber.get(number)
      const treatment =
        given.tratamento === null || given.tratamento === '' ? null : treatmentOf(given.tratamento)
      if (
        given.tratamento !== null &&
        treatment === null &&
        (given.tratamento !== '' || known === undefined)
      ) {
        fail('tratamento', `Tratamento desconhecido: “${given.tratamento.slice(0, 60)}”`)
        return null
      }
      if (known !== undefined) {
        if (treatment !== null && plots[known]?.tratamento !== treatment) {
          fail('tratamento', `A parcela ${number} é do tratamento T${plots[known]?.tratamento}`)
          return null
        }
        return known
      }
      const [block, row, column] = [whole(given.bloco), whole(given.linha), whole(given.coluna)]
      if (block === undefined || (given.bloco !== null && block === null)) {
        fail('bloco', 'Informe o número do bloco')
        return null
      }
      if (treatment === null) {
        fail('tratamento', 'Informe o tratamento')
        return null
      }
      const there = number === null ? byPlace.get(`${block} ${treatment}`) : undefined
      if (there !== undefined && block !== null) return there
      const area = given.area ? parseNumber(given.area) : null
      const made: PlotOf = {
        numero: number ?? nextNumber(byNumber),
        tratamento: treatment,
        bloco: block,
        linha: row ?? null,
        coluna: column ?? null,
        parcela_principal: null,
        area_m2: typeof area === 'number' && area > 0 ? area : null,
        observacao: null,
      }
      byNumber.set(made.numero, plots.length)
      byPlace.set(`${block} ${treatment}`, plots.length)
      plots.push(made)
      return plots.length - 1
    },

    /** Answers with what is wrong with the value, if anything is. */
    put(
      plot: number,
      variable: Measured['variable'],
      date: string | null,
      value: PlotValue,
      more: boolean,
    ): string | null {
      const of = variableOf(variable)
      const wrong = outOfRange(of, value)
      if (wrong) return wrong
      const key = `${of.chave} ${date === null ? '' : dateOf(date)}`
      const column = columns.get(key) ?? {
        variavel: of.chave,
        avaliacao: date === null ? null : dateOf(date),
        valores: [],
      }
      columns.set(key, column)
      while (column.valores.length <= plot) column.valores.push(null)
      const cell = `${key} ${plot}`
      if (met.has(cell)) {
        if (!more) return 'Esta parcela está repetida'
        // Rows of one plot are its sub-samples.
        const all = [column.valores[plot] ?? [], value ?? []].flat()
        column.valores[plot] = all.length === 0 ? null : all
      } else column.valores[plot] = value
      met.add(cell)
      return null
    },

    sheet(): z.input<typeof TrialSheetInput> | null {
      if (plots.length === 0) return null
      const valores = [...columns.values()].map((column) => ({
        ...column,
        valores: plots.map((_, at) => column.valores[at] ?? null),
      }))
      const base = sheet ?? {
        versao: 0,
        delineamento: designOf(plots),
        testemunha: 1,
        fatores: [],
        tratamentos: treatments.map((_, at) => ({ numero: at + 1, niveis: null, nome: null })),
        exclusoes: [],
        semente: null,
        croqui: null,
      }
      return {
        ...base,
        variaveis: variables,
        avaliacoes: dates,
        parcelas: plots,
        valores,
      }
    },
  }
}

const nextNumber = (taken: ReadonlyMap<number, number>): number => {
  let n = taken.size + 1
  while (taken.has(n)) n++
  return n
}

/** What the places of the plots say of the design. */
function designOf(plots: readonly PlotOf[]): TrialDesign {
  if (plots.every(({ bloco }) => bloco !== null)) return 'DBC'
  if (plots.every(({ linha, coluna }) => linha !== null && coluna !== null)) {
    const side = Math.sqrt(plots.length)
    const square = Number.isInteger(side) && new Set(plots.map(({ tratamento }) => tratamento)).size === side
    if (square) return 'DQL'
  }
  return 'DIC'
}
