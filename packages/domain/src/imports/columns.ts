import { analysisTitle } from '../analysis-title.ts'
import { CROPS, MODALITIES } from '../constants.ts'
import type { ImportForm } from '../contract-imports.ts'
import { searchable } from '../format.ts'
import type { WorkbookCell } from '../workbook.ts'
import {
  addEvidence,
  type DecimalEvidence,
  decimalOf,
  doseUnit,
  isAbsent,
  noEvidence,
  readYear,
  stateOf,
  textOf,
} from './cells.ts'
import { guessTitle, isUnit, readTitle, type Title } from './titles.ts'
import { factorOf } from './units.ts'

/** 0 -> 'A', 26 -> 'AA'. */
export function columnLetter(index: number): string {
  let rest = index
  let letters = ''
  do {
    letters = String.fromCharCode(65 + (rest % 26)) + letters
    rest = Math.floor(rest / 26) - 1
  } while (rest >= 0)
  return letters
}

const EXAMPLES = 3
const LONGEST_EXAMPLE = 80

/** What stands in a column below its title, gathered row by row. */
export interface ColumnProfile {
  filled: number
  numbers: number
  /** Numbers that are texts: their decimal sign has to be found. */
  written: number
  states: number
  crops: number
  years: number
  modalities: number
  doseUnits: number
  businessUnits: number
  /** Cells that call the control by its name. */
  controls: number
  least: number
  most: number
  evidence: DecimalEvidence
  examples: string[]
  /** Two texts that may be read either way. */
  doubtful: string[]
}

export const newProfile = (): ColumnProfile => ({
  filled: 0,
  numbers: 0,
  written: 0,
  states: 0,
  crops: 0,
  years: 0,
  modalities: 0,
  doseUnits: 0,
  businessUnits: 0,
  controls: 0,
  least: Number.POSITIVE_INFINITY,
  most: Number.NEGATIVE_INFINITY,
  evidence: noEvidence(),
  examples: [],
  doubtful: [],
})

const PLAIN_CROPS = new Set(CROPS.map(searchable))
const PLAIN_MODALITIES = new Set(MODALITIES.map(searchable))
/** So many cells tell what kind of column it is; all of them tell its decimal sign. */
const LOOKED_AT = 200

export function addToProfile(profile: ColumnProfile, cell: WorkbookCell | undefined): void {
  if (cell === null || cell === undefined || isAbsent(cell)) return
  profile.filled += 1
  const text = textOf(cell)
  if (typeof cell === 'number') {
    profile.numbers += 1
    profile.least = Math.min(profile.least, cell)
    profile.most = Math.max(profile.most, cell)
  } else if (typeof cell === 'string') {
    if (/^[\sR$+-]*[\d.,]+\s*%?$/.test(text.slice(0, 40))) {
      profile.numbers += 1
      profile.written += 1
      if (/^[1-9]\d{0,2}[.,]\d{3}$/.test(text) && profile.doubtful.length < 2) profile.doubtful.push(text)
    }
    addEvidence(profile.evidence, text)
  }
  if (profile.examples.length < EXAMPLES && text !== '' && !profile.examples.includes(text))
    profile.examples.push(text.slice(0, LONGEST_EXAMPLE))
  if (profile.filled > LOOKED_AT || text.length > 60) return
  if (stateOf(text)) profile.states += 1
  const plain = searchable(text)
  if (PLAIN_CROPS.has(plain)) profile.crops += 1
  // The control is applied 'Controle'.
  if (PLAIN_MODALITIES.has(plain) || plain === 'controle') profile.modalities += 1
  if (/[a-z%]/i.test(text) && doseUnit(text)) profile.doseUnits += 1
  if (/^bu ?[123]\b/.test(plain)) profile.businessUnits += 1
  if (/^testemunhas?$/.test(plain)) profile.controls += 1
  const year = readYear(cell, 'colheita')
  if ('value' in year && year.value !== null && year.value >= 1990 && year.value <= 2050) profile.years += 1
}

export interface GuessedColumn {
  index: number
  titulo: string
  campo: string | null
  confianca: number
  unidade: string | null
  decimal: ',' | '.' | null
}

/** The cells of the row of titles, and of the row under it, which may hold their units. */
export interface TitleRows {
  titles: readonly (WorkbookCell | undefined)[]
  below: readonly (WorkbookCell | undefined)[]
}

/** Whether the row under the titles holds their units and no trial. */
export function isUnitRow({ below }: Pick<TitleRows, 'below'>): boolean {
  const filled = below.map((cell) => textOf(cell)).filter((text) => text !== '')
  const units = filled.filter((text) => isUnit(text.replace(/^\(|\)$/g, '')))
  return (
    filled.length > 0 &&
    units.length * 2 > filled.length &&
    units.length > 0 &&
    !filled.some((text) => /^\d/.test(text))
  )
}

const HEAD_ROWS = 30
type CellsOfRow = readonly (WorkbookCell | undefined)[]

/** How many different fields a row names as titles do. */
const fieldsNamed = (row: CellsOfRow): number =>
  new Set(
    row
      .map((cell) => (typeof cell === 'string' ? (guessTitle(readTitle(cell))?.campo ?? null) : null))
      .filter((campo) => campo !== null),
  ).size
/** How many different fields the best of a sheet's first rows names: a cover names none. */
export const titlesNamed = (rows: readonly CellsOfRow[]): number =>
  Math.max(0, ...rows.slice(0, HEAD_ROWS).map(fieldsNamed))

/** Whether what a row says are values of a trial: a crop, a state or the like, and a number; titles name none. */
function isOfTrial(row: CellsOfRow): boolean {
  const kinds = row.map((cell) => {
    const text = textOf(cell).slice(0, 60)
    const plain = searchable(text)
    if (typeof cell === 'number' || /^[\d.,]+$/.test(text)) return 'number'
    return PLAIN_CROPS.has(plain) || PLAIN_MODALITIES.has(plain) || stateOf(text) ? 'name' : null
  })
  return kinds.includes('number') && kinds.includes('name')
}

/** The first row with at least three known titles, from 0; the first that is filled where there is none; -1 where that one is of a trial. */
export function titleRowOf(rows: readonly CellsOfRow[]): number {
  const upper = rows.slice(0, HEAD_ROWS)
  for (const least of [3, 2]) {
    const at = upper.findIndex((row) => fieldsNamed(row) >= least)
    if (at !== -1) return at
  }
  const first = upper.findIndex((row) => row.some((cell) => textOf(cell) !== ''))
  return first !== -1 && isOfTrial(upper[first] ?? []) ? -1 : Math.max(0, first)
}

const TRIAL_SHEET: readonly (readonly [string, RegExp])[] = [
  ['Experimentos', /^(experimentos?|ensaios?|trials?)$/],
  ['Tratamentos', /^(tratamentos?|treatments?)$/],
  ['Produtos', /^(produtos?( aplicados)?|products?)$/],
  ['Análises', /^(analises?( adicionais)?|variaveis|analyses)$/],
]
/** Which of the joined sheets a sheet is by its name; null for any other. */
export const joinedSheet = (name: string): string | null =>
  TRIAL_SHEET.find(([, pattern]) => pattern.test(searchable(name.slice(0, 60))))?.[0] ?? null

/** What titles mean in a sheet that is of one thing alone. */
const SHEET_TITLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Tratamentos: { nome: 'tratamento.nome' },
  Produtos: {
    ...{ nome: 'produto.nome', valor: 'produto.custo', custo: 'produto.custo', 'custo/ha': 'produto.custo' },
    ...{ preco: 'produto.custo', quantidade: 'produto.dose' },
  },
  Análises: {
    ...{ nome: 'analise.nome', variavel: 'analise.nome', analise: 'analise.nome', descricao: 'analise.nome' },
    ...{
      valor: 'analise.valor',
      resultado: 'analise.valor',
      media: 'analise.valor',
      leitura: 'analise.valor',
    },
    ...{ unidade: 'analise.unidade', un: 'analise.unidade', unid: 'analise.unidade', und: 'analise.unidade' },
  },
}

/** The form that titles speak for; sheets that are joined are told by their names before. */
export function formOf(titles: readonly (WorkbookCell | undefined)[]): ImportForm {
  const read = titles.map((cell) => readTitle(textOf(cell)))
  const guesses = read.map(guessTitle)
  const has = (campo: string) =>
    guesses.some((guess, at) => guess?.campo === campo && read[at]?.number === null)
  const numbered = read.filter(
    ({ treatment, number }, at) => treatment !== null || (number !== null && guesses[at] !== null),
  ).length
  const plots = has('parcela.numero') || has('parcela.bloco')
  if (has('tratamento.nome')) return plots ? 'parcelas' : 'longa'
  if (numbered >= 2) return 'larga'
  return 'longa'
}

/** What each column is: by its title and by what stands in it. */
export function guessColumns(
  { titles, below }: TitleRows,
  profiles: readonly ColumnProfile[],
  forma: ImportForm,
  /** Of joined sheets: what a plain title means there. */
  sheet: string | null = null,
): GuessedColumn[] {
  const own = SHEET_TITLES[joinedSheet(sheet ?? '') ?? '']
  const units = isUnitRow({ below }) ? below : []
  const untitled = titles.every((cell) => textOf(cell) === '')
  const columns = titles.map((cell, index): GuessedColumn => {
    const text = textOf(cell).slice(0, 200)
    const title = numberedFor(readTitle(text), forma)
    const profile = profiles[index] ?? newProfile()
    const unidade =
      title.unit ??
      (textOf(units[index])
        .replace(/^\(|\)$/g, '')
        .trim() ||
        null)
    const here = own && Object.hasOwn(own, title.plain) ? own[title.plain] : undefined
    const said = here === undefined ? guessTitle(title) : { campo: here, sure: 0.95 }
    const guess = agree(said, title, unidade, profile, forma)
    return {
      index,
      titulo: untitled ? `Coluna ${columnLetter(index)}` : text,
      campo: guess?.campo ?? null,
      confianca: guess ? Math.round(guess.sure * 100) / 100 : 0,
      unidade,
      decimal: profile.numbers > 0 && guess && isNumeric(guess.campo) ? decimalOf(profile.evidence) : null,
    }
  })
  return oneOfEach(withNumbers(columns, profiles))
}

/** 'Trat. | Tratamento': the one that holds figures alone numbers what the other one names. */
function withNumbers(columns: GuessedColumn[], profiles: readonly ColumnProfile[]): GuessedColumn[] {
  const [numbers, names] = ['tratamento.numero', 'tratamento.nome'].map((campo) =>
    columns.filter((column) => column.campo === campo),
  )
  if (names?.length === 0)
    return columns.map((column) =>
      numbers?.includes(column) ? { ...column, campo: 'tratamento.nome' } : column,
    )
  if (!names || names.length < 2 || numbers?.length !== 0) return columns
  const bare = names.filter(({ index }) => {
    const { filled = 0, numbers: figures = 0 } = profiles[index] ?? {}
    return filled > 0 && figures === filled
  })
  return columns.map((column) =>
    bare.length < names.length && column === bare[0] ? { ...column, campo: 'tratamento.numero' } : column,
  )
}

/** A number behind a title counts treatments where a row is a trial, and products where it is a treatment. */
function numberedFor(title: Title, forma: ImportForm): Title {
  if (title.number === null) return title
  if (forma === 'larga') return { ...title, treatment: title.number, number: null }
  return title
}

function agree(
  guess: ReturnType<typeof guessTitle>,
  title: Title,
  unit: string | null,
  profile: ColumnProfile,
  forma: ImportForm,
): ReturnType<typeof guessTitle> {
  // What stands in a column of one treatment is of that treatment.
  const byContent = title.treatment === null ? contentGuess(profile) : null
  if (!guess) return byContent ?? treatmentGuess(profile, forma) ?? leftOver(title, unit, profile, forma)
  const { campo } = guess
  // A treatment's columns in a row that is a trial have a number; without one they are the trial's mean or cost.
  if (forma === 'larga' && /^(tratamento|produto|analise)\./.test(campo))
    return campo === 'tratamento.custo' ? { campo: 'custo_protocolo', sure: 0.6 } : null
  if (forma !== 'parcelas' && campo.startsWith('parcela.')) return null
  const numbered =
    title.number !== null && /^produto\./.test(campo)
      ? campo.replace('produto.', `produto.${title.number}.`)
      : campo
  let { sure } = guess
  if (byContent && byContent.campo !== campo && /^(estado|cultura|bu|ano)$/.test(byContent.campo)) {
    // 'Local' over a column of states is the state.
    if (sure < 0.9 || campo === 'regional') return { campo: byContent.campo, sure: 0.85 }
    sure -= 0.2
  }
  if (byContent?.campo === campo) sure = Math.min(0.99, sure + 0.04)
  if (
    isNumeric(campo) &&
    profile.filled > 0 &&
    profile.numbers / profile.filled < 0.5 &&
    campo !== 'ano' &&
    !/dose$/.test(campo)
  )
    sure = Math.min(sure, 0.6)
  if (unit !== null && isNumeric(campo) && factorOf(campo, unit) === undefined) sure = Math.min(sure, 0.6)
  return { campo: numbered, sure }
}

/** What stands in a column may be enough. */
function contentGuess(profile: ColumnProfile): ReturnType<typeof guessTitle> {
  const looked = Math.min(profile.filled, LOOKED_AT)
  if (looked < 2) return null
  const most = (count: number) => count >= looked * 0.9
  if (most(profile.states)) return { campo: 'estado', sure: 0.85 }
  if (most(profile.crops)) return { campo: 'cultura', sure: 0.85 }
  if (most(profile.businessUnits)) return { campo: 'bu', sure: 0.85 }
  if (most(profile.years) && profile.numbers > 0 && profile.least >= 1990) return { campo: 'ano', sure: 0.75 }
  return null
}

/** Where the title says nothing: what names treatments, and how they were applied. */
function treatmentGuess(profile: ColumnProfile, forma: ImportForm): ReturnType<typeof guessTitle> {
  const looked = Math.min(profile.filled, LOOKED_AT)
  if (forma === 'larga' || looked < 2) return null
  if (profile.controls > 0 && profile.numbers === 0) return { campo: 'tratamento.nome', sure: 0.75 }
  return profile.modalities >= looked * 0.9 ? { campo: 'tratamento.modalidade', sure: 0.75 } : null
}

/** Numbers with a unit that are no field of ours: a variable of the treatment. */
function leftOver(
  title: Title,
  unit: string | null,
  profile: ColumnProfile,
  forma: ImportForm,
): ReturnType<typeof guessTitle> {
  if (unit === null || profile.filled === 0) return null
  if (profile.numbers / profile.filled < 0.8 || title.name.length > 80) return null
  if (forma !== 'larga') return { campo: `analise.${title.name}`, sure: 0.7 }
  const { nome, tratamento } = analysisTitle(title.name)
  return tratamento === null ? null : { campo: `tratamentos.${tratamento}.analise.${nome}`, sure: 0.7 }
}

export const isNumeric = (campo: string): boolean =>
  /^(latitude|longitude|ano|teor_argila|teor_materia_organica|custo_protocolo|roi|versao)$|(^|\.)(produtividade|custo|dose)$|^analise\.|\.analise\.|^parcela\.area$/.test(
    campo,
  ) && !/^analise\.(nome|unidade)$/.test(campo)

/** A field has one column: of several that claim it the surest, the first of equals. */
function oneOfEach(columns: GuessedColumn[]): GuessedColumn[] {
  const best = new Map<string, GuessedColumn>()
  for (const column of columns) {
    if (column.campo === null) continue
    const other = best.get(column.campo)
    if (!other || column.confianca > other.confianca) best.set(column.campo, column)
  }
  return columns.map((column) =>
    column.campo === null || best.get(column.campo) === column
      ? column
      : { ...column, campo: null, confianca: 0, decimal: null },
  )
}
