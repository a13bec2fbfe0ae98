import {
  draftOfExtraction,
  type Evidence,
  type ExtractedExperiment,
  type ExtractionResult,
  FIELD_KEYS,
  type FieldKey,
  REVIEW_CONFIDENCE,
  type ReadTable,
} from '@ensaio/domain'
import { evidenceWithoutLetter, lettersWithout } from './reported-parts.ts'
import { valueAt, withValue } from './review-fields.ts'

/** A table in review; `origin` is its place in the plain reading, null where a kept layout gave it. */
export type ReviewTable = Omit<ReadTable, 'columns'> & {
  columns: { heading: string; role: ReadTable['columns'][number]['role'] | null }[]
  origin: number | null
  /** The person has said how it is to be read. */
  touched: boolean
}

/** A report in review: what was read, and what the person has made of it. Plain data, so that it can be kept. */
export type ReviewState = {
  data: ExtractedExperiment
  /** Where each value was read, by path. */
  fields: Readonly<Record<string, Evidence>>
  /** Paths that the person has changed. */
  corrected: readonly string[]
  /** Those of them that were filled in for several reports at once: nobody has looked at this one for it. */
  shared: readonly string[]
  /** Paths that were filled from the city. */
  proposed: readonly string[]
  tables: readonly ReviewTable[]
  remember: boolean
}

type Value = string | number | null
type Treatment = ExtractedExperiment['tratamentos'][number]

export const reviewOf = ({ data, metadata }: ExtractionResult): ReviewState => ({
  data,
  fields: metadata.fields,
  corrected: [],
  shared: [],
  proposed: [],
  tables: (metadata.tables ?? []).map((table, place) => ({
    ...table,
    origin: metadata.template === undefined ? place : null,
    touched: false,
  })),
  remember: true,
})

export const isChanged = (state: ReviewState): boolean => state.corrected.length > 0 || tablesChanged(state)

export const tablesChanged = ({ tables }: ReviewState): boolean => tables.some(({ touched }) => touched)

/** There is something to remember of its layout. */
export const teaches = (state: ReviewState): boolean =>
  tablesChanged(state) || Object.keys(correctedFields(state)).length > 0

/** The person has worked on this very report. */
export const isLookedAt = (state: ReviewState): boolean =>
  tablesChanged(state) || state.corrected.some((path) => !state.shared.includes(path))

export const isDoubtful = ({ corrected, fields }: ReviewState, path: string): boolean =>
  !corrected.includes(path) && (fields[path]?.confidence ?? 1) < REVIEW_CONFIDENCE

export function withField(before: ReviewState, path: string, value: Value): ReviewState {
  // What followed from another place does not follow from this one.
  const state = path === 'cidade' || path === 'estado' ? withoutProposals(before) : before
  return {
    ...state,
    data: withValue(state.data, path, value),
    corrected: [...without(state.corrected, path), path],
    shared: without(state.shared, path),
    proposed: without(state.proposed, path),
  }
}

const without = (paths: readonly string[], path: string): string[] => paths.filter((known) => known !== path)

const withoutProposals = (state: ReviewState): ReviewState => ({
  ...state,
  data: state.proposed.reduce((data, path) => withValue(data, path, null), state.data),
  proposed: [],
})

/** The same for one of several reports. */
export const withSharedField = (state: ReviewState, path: string, value: Value): ReviewState => {
  const next = withField(state, path, value)
  return { ...next, shared: [...next.shared, path] }
}

/** What the person leaves empty stays so. */
export function propose(
  state: ReviewState,
  values: Readonly<Partial<Record<FieldKey, string | number>>>,
): ReviewState {
  const open = FIELD_KEYS.filter(
    (key) => values[key] !== undefined && state.data[key] === null && !state.corrected.includes(key),
  )
  return open.length === 0
    ? state
    : {
        ...state,
        data: open.reduce((data, key) => withValue(data, key, values[key] ?? null), state.data),
        proposed: [...state.proposed, ...open],
      }
}

const blank: Treatment = {
  nome: null,
  modalidade: null,
  produtividade: null,
  custo: null,
  produtos_aplicados: [],
  analises_adicionais: [],
}
const BLANK = {
  produtos_aplicados: { nome: null, dose: null, unidade: null, custo: null },
  analises_adicionais: { nome: null, valor: null, unidade: null },
} as const
export type Part = keyof typeof BLANK

export const addTreatment = (state: ReviewState): ReviewState => ({
  ...state,
  data: { ...state.data, tratamentos: [...state.data.tratamentos, blank] },
  corrected: [...state.corrected, `tratamentos[${state.data.tratamentos.length}]`],
})

export function removeTreatment(state: ReviewState, at: number): ReviewState {
  const told = state.data.estatistica_informada
  return shifted(
    {
      ...state,
      data: {
        ...state.data,
        tratamentos: state.data.tratamentos.filter((_, i) => i !== at),
        estatistica_informada: told && { ...told, letras: lettersWithout(told.letras, at) },
      },
      fields: evidenceWithoutLetter(state.fields, at),
    },
    'tratamentos',
    at,
  )
}

export function addPart(state: ReviewState, at: number, part: Part): ReviewState {
  const count = state.data.tratamentos[at]?.[part].length ?? 0
  return {
    ...withTreatment(state, at, (treatment) => ({ ...treatment, [part]: [...treatment[part], BLANK[part]] })),
    corrected: [...state.corrected, `tratamentos[${at}].${part}[${count}]`],
  }
}

export const removePart = (state: ReviewState, at: number, part: Part, index: number): ReviewState =>
  shifted(
    withTreatment(state, at, (treatment) => ({
      ...treatment,
      [part]: treatment[part].filter((_, i) => i !== index),
    })),
    `tratamentos[${at}].${part}`,
    index,
  )

/** The treatments, but for the control, whose way of application the report does not tell. */
export const withoutMode = ({ data }: ReviewState): number[] =>
  data.tratamentos.flatMap(({ modalidade }, index) => (index > 0 && modalidade === null ? [index] : []))

/** One way of application for all treatments that have none. */
export const withMode = (state: ReviewState, mode: string, put = withField): ReviewState =>
  withoutMode(state).reduce((now, index) => put(now, `tratamentos[${index}].modalidade`, mode), state)

const withTreatment = (state: ReviewState, at: number, change: (treatment: Treatment) => Treatment) => ({
  ...state,
  data: {
    ...state.data,
    tratamentos: state.data.tratamentos.map((treatment, i) => (i === at ? change(treatment) : treatment)),
  },
})

/** Paths of a list of which one member is gone: what was behind it has moved up. */
function shifted(state: ReviewState, list: string, gone: number): ReviewState {
  const move = (path: string): string | null => {
    if (!path.startsWith(`${list}[`) || path.startsWith(`${list}[-]`)) return path
    const at = Number(/^\d+/.exec(path.slice(list.length + 1))?.[0])
    if (at < gone) return path
    return at === gone ? null : `${list}[${at - 1}]${path.slice(list.length + 2 + String(at).length)}`
  }
  const moved = (paths: readonly string[]): string[] => paths.flatMap((path) => move(path) ?? [])
  return {
    ...state,
    fields: Object.fromEntries(
      Object.entries(state.fields).flatMap(([path, evidence]) => {
        const to = move(path)
        return to === null ? [] : [[to, evidence]]
      }),
    ),
    corrected: [...without(moved(state.corrected), `${list}[-]`), `${list}[-]`],
    shared: moved(state.shared),
    proposed: moved(state.proposed),
  }
}

/** With the treatments as they were read again; what the person wrote in other fields stays. */
export function withTreatments(
  state: ReviewState,
  tables: readonly ReviewTable[],
  { data, metadata }: ExtractionResult,
): ReviewState {
  // The letters and the CV are those of the treatments.
  const own = (path: string): boolean => !/^(?:tratamentos|estatistica_informada)\b/.test(path)
  const kept = Object.entries(state.fields).filter(([path]) => own(path))
  const read = Object.entries(metadata.fields).filter(([path]) => !own(path))
  const used = metadata.tables ?? []
  let next = 0
  return {
    ...state,
    data: {
      ...state.data,
      tratamentos: data.tratamentos,
      estatistica_informada: data.estatistica_informada,
    },
    fields: Object.fromEntries([...kept, ...read]),
    corrected: state.corrected.filter(own),
    // What the person left open is told by the reader.
    shared: state.shared.filter(own),
    tables: tables.map((table) => {
      if (!table.used) return table
      const told = used[next++]
      return {
        ...table,
        columns: table.columns.map((column, c) => ({
          ...column,
          heading: told?.columns[c]?.heading ?? column.heading,
          role: column.role ?? told?.columns[c]?.role ?? 'ignore',
        })),
      }
    }),
  }
}

/** How many values two readings of the treatments have different. */
export function differences(before: ExtractedExperiment, after: ExtractedExperiment): number {
  const flat = (data: ExtractedExperiment): Map<string, unknown> => {
    const found = new Map<string, unknown>()
    const walk = (value: unknown, path: string): void => {
      if (value === null || value === undefined) return
      if (typeof value === 'object')
        for (const [key, own] of Object.entries(value)) walk(own, `${path}.${key}`)
      else found.set(path, value)
    }
    walk(data.tratamentos, '')
    return found
  }
  const [a, b] = [flat(before), flat(after)]
  return [...new Set([...a.keys(), ...b.keys()])].filter((path) => a.get(path) !== b.get(path)).length
}

/** The reading as it is confirmed: a corrected value is the person's, and what was read says nothing about it. */
export const confirmed = (state: ReviewState, result: ExtractionResult): ExtractionResult => ({
  data: state.data,
  metadata: {
    ...result.metadata,
    fields: Object.fromEntries(
      Object.entries(state.fields).filter(([path]) => !state.corrected.includes(path)),
    ),
  },
})

/** The fields that were put right, for what is remembered of the layout. */
export const correctedFields = ({
  data,
  corrected,
  shared,
}: ReviewState): Partial<Record<FieldKey, string | number>> =>
  Object.fromEntries(
    FIELD_KEYS.flatMap((key) => {
      const value = valueAt(draftOfExtraction(data), key)
      return corrected.includes(key) && !shared.includes(key) && value !== null ? [[key, value]] : []
    }),
  )
