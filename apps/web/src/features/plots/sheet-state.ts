import {
  allowsSeveral,
  columnNumbers,
  DESIGN_NAMES,
  type Exclusion,
  formatDay,
  formatNumber,
  holdsText,
  LONGEST_WORDS,
  outOfLimits,
  type PlotColumn,
  type PlotValue,
  readPlotValue,
  readSeveral,
  type TrialSheet,
  type TrialVariable,
} from '@ensaio/domain'

/** The sheet as it is being edited: what stands in it, and texts that were not understood, by cell. */
export type Draft = Omit<TrialSheet, 'alterada_em' | 'alterada_por' | 'exclusoes'> & {
  exclusoes: Exclusion[]
}
export type Column = {
  variable: TrialVariable
  avaliacao: string | null
  title: string
  /** Calculated of others: shown, not typed. */
  derived: boolean
}
export type Cell = { row: number; column: number }
export type State = {
  draft: Draft
  /** What was typed and is no number, by 'column row'. */
  wrong: Readonly<Record<string, string>>
  past: readonly Kept[]
  future: readonly Kept[]
}
type Kept = Pick<State, 'draft' | 'wrong'>

export type EditDecision = { allowed: true } | { allowed: false; reason: string }
export const DESIGN_OPTIONS = Object.entries(DESIGN_NAMES).map(([value, name]) => ({
  value,
  label: `${value} – ${name}`,
}))

/** Steps that can be taken back. */
const MOST_STEPS = 100

export const cellKey = (column: Pick<Column, 'variable' | 'avaliacao'>, row: number): string =>
  `${column.variable.chave} ${column.avaliacao ?? ''} ${row}`

/** The columns of the grid: each variable on each of its dates, derived ones on those of what they are made of. */
export function columnsOf(draft: Draft): Column[] {
  const name = (key: string | null) => draft.avaliacoes.find(({ chave }) => chave === key)?.nome
  const title = (variable: TrialVariable, date: string | null) =>
    [variable.unidade ? `${variable.nome} (${variable.unidade})` : variable.nome, name(date)]
      .filter(Boolean)
      .join(' · ')
  return draft.variaveis.flatMap((variable) => {
    const { formula } = variable
    const from = formula === null ? variable.chave : formula.tipo === 'rendimento' ? formula.peso : formula.de
    const dates = draft.valores.filter(({ variavel }) => variavel === from).map(({ avaliacao }) => avaliacao)
    return dates.map((avaliacao) => ({
      variable,
      avaliacao,
      title: title(variable, avaliacao),
      derived: formula !== null,
    }))
  })
}

const columnAt = (draft: Draft, { variable, avaliacao }: Column): number =>
  draft.valores.findIndex((one) => one.variavel === variable.chave && one.avaliacao === avaliacao)

/** What a cell holds; of a derived column, what it comes to. */
export function valuesOf(draft: Draft, column: Column): readonly PlotValue[] {
  if (column.derived)
    return columnNumbers({ ...draft, exclusoes: [] }, column.variable.chave, column.avaliacao)
  return draft.valores[columnAt(draft, column)]?.valores ?? []
}

/** What a cell shows, and what is typed over: a number, a day, words. */
export function textsOf(draft: Draft, column: Column): readonly string[] {
  if (!holdsText(column.variable)) return valuesOf(draft, column).map(valueText)
  const words = wordsAt(draft, column)
  return draft.parcelas.map((_, row) => {
    const text = words?.textos[row] ?? ''
    return column.variable.tipo === 'data' && text !== '' ? formatDay(text) : text
  })
}
const wordsAt = (draft: Draft, { variable, avaliacao }: Pick<Column, 'variable' | 'avaliacao'>) =>
  draft.textos?.find((one) => one.variavel === variable.chave && one.avaliacao === avaliacao)

export const valueText = (value: PlotValue | undefined): string =>
  value === null || value === undefined
    ? ''
    : [value]
        .flat()
        .map((one) => formatNumber(one, 10))
        .join('; ')

const DAY = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/
/** Words, or a day as '2026-03-12', of what was typed; undefined for what is none. */
function readWords(variable: TrialVariable, typed: string): string | null | undefined {
  const { tipo } = variable
  const text = typed.trim()
  if (text === '') return null
  if (tipo === 'texto') return text.length > LONGEST_WORDS ? undefined : text
  if (allowsSeveral(variable)) {
    const read = readSeveral(variable, text)
    return 'text' in read ? read.text : undefined
  }
  const [, day = '', month = '', year = ''] = DAY.exec(text) ?? []
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return new Date(`${iso}T00:00:00Z`).toJSON()?.startsWith(iso) ? iso : undefined
}

export const begin = (draft: Draft): State => ({ draft, wrong: {}, past: [], future: [] })

function step(state: State, next: Kept): State {
  const { draft, wrong, past } = state
  return { ...next, past: [...past, { draft, wrong }].slice(-MOST_STEPS), future: [] }
}

export type Change = { row: number; column: Column; text: string }

/** Types texts into cells; what is no number stays as it was typed, is marked and is not written. */
export function type(state: State, changes: readonly Change[]): State {
  const open = changes.filter(({ column, row }) => !column.derived && state.draft.parcelas[row] !== undefined)
  if (open.length === 0) return state
  const wrong: Record<string, string> = { ...state.wrong }
  const valores = [...state.draft.valores]
  const fresh = new Map<number, PlotColumn>()
  let { textos } = state.draft
  for (const { row, column, text } of open) {
    if (holdsText(column.variable)) {
      const words = readWords(column.variable, text)
      if (words === undefined) wrong[cellKey(column, row)] = text
      else {
        delete wrong[cellKey(column, row)]
        textos = withWords({ ...state.draft, textos }, column, row, words)
      }
      continue
    }
    const at = columnAt(state.draft, column)
    const held = fresh.get(at) ?? copied(valores[at], column)
    const key = cellKey(column, row)
    const value = readPlotValue(text)
    const outside = value === undefined ? null : outOfLimits(column.variable, value)
    if (value === undefined || outside) wrong[key] = text
    else {
      delete wrong[key]
      while (held.valores.length <= row) held.valores.push(null)
      held.valores[row] = value
    }
    fresh.set(at, held)
  }
  for (const [at, column] of fresh) valores[at] = column
  return step(state, { draft: { ...state.draft, valores, textos }, wrong })
}

function withWords(
  draft: Draft,
  { variable, avaliacao }: Column,
  row: number,
  words: string | null,
): Draft['textos'] {
  const of = { variavel: variable.chave, avaliacao }
  const held = wordsAt(draft, { variable, avaliacao })
  const next = {
    ...of,
    textos: draft.parcelas.map((_, at) => (at === row ? words : (held?.textos[at] ?? null))),
  }
  return [...(draft.textos ?? []).filter((one) => one !== held), next]
}

const copied = (column: PlotColumn | undefined, { variable, avaliacao }: Column): PlotColumn => ({
  variavel: variable.chave,
  avaliacao,
  valores: [...(column?.valores ?? [])],
})

/** What a cell that cannot hold a text is told; nothing where it can. */
export function complaintOf(column: Column, text: string): string {
  if (holdsText(column.variable) && readWords(column.variable, text) !== undefined) return ''
  if (holdsText(column.variable))
    return column.variable.tipo === 'data'
      ? 'Informe a data: dd/mm/aaaa'
      : allowsSeveral(column.variable)
        ? 'Informe as categorias, com ponto e vírgula entre elas: 1; 3'
        : `Use no máximo ${LONGEST_WORDS} caracteres`
  const value = readPlotValue(text)
  if (value === undefined) return `Não é um número: “${text.slice(0, 40)}”`
  return outOfLimits(column.variable, value) ?? ''
}

export const change = (state: State, part: Partial<Draft>): State =>
  step(state, { draft: { ...state.draft, ...part }, wrong: state.wrong })

export function undo(state: State): State {
  const last = state.past.at(-1)
  if (!last) return state
  const { draft, wrong } = state
  return { ...last, past: state.past.slice(0, -1), future: [{ draft, wrong }, ...state.future] }
}

export function redo(state: State): State {
  const [next, ...future] = state.future
  if (!next) return state
  const { draft, wrong } = state
  return { ...next, past: [...state.past, { draft, wrong }], future }
}

/** Takes a variable's or a date's columns in or out, so that there is a column for each pair that is wanted. */
export function withColumns(
  draft: Draft,
  wanted: readonly { variavel: string; avaliacao: string | null }[],
): Draft {
  const same = (a: { variavel: string; avaliacao: string | null }, b: typeof a) =>
    a.variavel === b.variavel && a.avaliacao === b.avaliacao
  const valores = wanted.map(
    (want) =>
      draft.valores.find((one) => same(one, want)) ?? { ...want, valores: draft.parcelas.map(() => null) },
  )
  return { ...draft, valores }
}

/** As the server takes it: every column as long as the plots. */
export const asInput = ({ valores, parcelas, ...rest }: Draft): Draft => ({
  ...rest,
  parcelas,
  valores: valores.map((column) => ({
    ...column,
    valores: parcelas.map((_, at) => column.valores[at] ?? null),
  })),
})

/** Whether anything stands in a variable, on any of its dates. */
export const isFilled = ({ valores, textos }: Draft, chave: string): boolean =>
  [
    ...valores.filter(({ variavel }) => variavel === chave).map(({ valores }) => valores),
    ...(textos ?? []).filter(({ variavel }) => variavel === chave).map(({ textos }) => textos),
  ].some((of) => of.some((value) => value !== null))

/** How many numbers and words the sheet would no longer hold with these variables, each on these dates. */
export function lostBy(
  draft: Draft,
  after: readonly { variable: TrialVariable; dates: readonly (string | null)[] }[],
): number {
  const goesOn = (of: { variavel: string; avaliacao: string | null }, words: boolean): boolean =>
    after.some(
      ({ variable, dates }) =>
        variable.chave === of.variavel &&
        !variable.formula &&
        holdsText(variable) === words &&
        dates.includes(of.avaliacao),
    )
  const count = (values: readonly unknown[]): number => values.filter((value) => value !== null).length
  return (
    draft.valores.reduce((sum, one) => sum + (goesOn(one, false) ? 0 : count(one.valores)), 0) +
    (draft.textos ?? []).reduce((sum, one) => sum + (goesOn(one, true) ? 0 : count(one.textos)), 0)
  )
}

export const filled = (draft: Draft): number =>
  [
    ...draft.valores.map(({ valores }) => valores),
    ...(draft.textos ?? []).map(({ textos }) => textos),
  ].reduce((sum, of) => sum + of.filter((value) => value !== null).length, 0)
