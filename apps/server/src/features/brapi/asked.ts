import type { Study } from '@ensaio/domain/brapi'
import { type Area, isIn, readArea } from './area.ts'
import { BrapiError } from './brapi-error.ts'
import { type LevelAsked, type LevelsAsked, levelsIn } from './levels.ts'

/** What a list or a search is asked for: values by the name of their property, or-joined; the properties and-joined. */
export interface Asked {
  filters: ReadonlyMap<string, readonly string[]>
  page: number
  size: number
  warnings: readonly string[]
  /** Plots come with their values. */
  withValues: boolean
  /** Of a search: each as it was named whole, or-joined. */
  levels?: LevelsAsked
  /** Of a search: in which area a record's property lies. */
  areas?: ReadonlyMap<string, Area>
}

const DEFAULT_SIZE = 1000
const MOST_VALUES = 20_000
const MOST_WARNINGS = 20
const NUMBER = /^\d{1,15}$/
/** Pages behind it are as empty as this one. */
const LAST_PAGE = 9_999_999
/** What says how to answer rather than what. */
const NO_FILTER = new Set([
  ...['page', 'pageSize', 'pageToken', 'includeObservations', 'contentType', 'dataType', 'searchResultsDbId'],
])
/** What is searched by an area. */
const PLACES = new Set(['coordinates', 'imageLocation'])
/** Names that are no plurals of their properties. */
const SINGULAR: Readonly<Record<string, string>> = {
  ...{ commonCropNames: 'commonCropName', genus: 'genus', species: 'species', active: 'active' },
  ...{ listType: 'listType', studyDbId: 'studyDbId', sortBy: 'sortBy', sortOrder: 'sortOrder' },
  ...{ traitClasses: 'traitClass', traitEntities: 'traitEntity', instituteAddresses: 'instituteAddress' },
  ...{ emailAddresses: 'emailAddress', mailingAddresses: 'mailingAddress' },
}

/** The query of a list. @throws BrapiError for a value that is none */
export function askedByQuery(
  query: Readonly<Record<string, unknown>>,
  known: readonly string[],
  most: number,
): Asked {
  const filters = new Map<string, readonly string[]>()
  const warnings: string[] = []
  for (const [name, given] of Object.entries(query)) {
    const values = [given].flat().map(String)
    if (!known.includes(name)) warnings.push(`Parâmetro ignorado: ${name.slice(0, 80)}`)
    else if (values.some((value) => value !== '')) {
      checkValues(name, values)
      if (!NO_FILTER.has(name)) filters.set(name, spelled(name, values))
    }
  }
  return {
    ...{ filters, warnings, withValues: query.includeObservations === 'true' },
    ...pageOf(query.page, query.pageSize, most),
  }
}

/** The body of a search; a page that stands in the query goes first. @throws BrapiError for a value that is none */
export function askedByBody(
  body: unknown,
  query: Readonly<Record<string, unknown>>,
  { known, most }: { known: readonly string[]; most: number },
): Asked {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new BrapiError(400, 'O corpo da busca é um objeto')
  const filters = new Map<string, readonly string[]>()
  const levels: { own: LevelAsked[] | null; related: LevelAsked[] | null } = { own: null, related: null }
  const areas = new Map<string, Area>()
  const warnings: string[] = []
  let count = 0
  const { page, pageSize, includeObservations, ...rest } = body as Record<string, unknown>
  for (const [name, given] of Object.entries(rest)) {
    // QBMS sends its page as a token, too.
    if (given === null || given === undefined || NO_FILTER.has(name)) continue
    if (!known.includes(name)) {
      if (warnings.length < MOST_WARNINGS) warnings.push(`Parâmetro ignorado: ${name.slice(0, 80)}`)
      continue
    }
    if (PLACES.has(name)) {
      const area = readArea(given)
      if (!area) throw new BrapiError(400, `Valor inválido: ${name}`)
      areas.set(name, area)
      continue
    }
    const property = SINGULAR[name] ?? name.replace(/s$/, '')
    // A list of one may come as it is, but only as what it is a list of.
    const object = typeof given === 'object' && /^observationLevel/.test(property)
    if (!Array.isArray(given) && typeof given !== 'string' && !object && property !== name)
      throw new BrapiError(400, `Valor inválido: ${name.slice(0, 80)}`)
    const values = [given].flat()
    count += values.length
    if (count > MOST_VALUES) throw new BrapiError(413, 'A busca tem valores demais')
    if (values.length === 0) continue
    if (property === 'observationLevel' || property === 'observationLevelRelationship') {
      levels[property === 'observationLevel' ? 'own' : 'related'] = levelsIn(property, values)
      continue
    }
    if (values.some((value) => typeof value === 'object'))
      throw new BrapiError(400, `Valor inválido: ${name.slice(0, 80)}`)
    checkValues(property, values.map(String))
    filters.set(property, spelled(property, values.map(String)))
  }
  return {
    ...{ filters, warnings, levels, areas, withValues: includeObservations === true },
    ...pageOf(query.page ?? page, query.pageSize ?? pageSize, most),
  }
}

/** 'TRUE' is true. */
const spelled = (name: string, values: readonly string[]): readonly string[] =>
  name === 'active' ? values.map((value) => value.toLowerCase()) : values

/** What may hold only some words, or a time. @throws BrapiError */
function checkValues(name: string, values: readonly string[]): void {
  const fits = (value: string): boolean => {
    if (name === 'active' || name === 'includeObservations') return /^(true|false)$/i.test(value)
    if (name === 'sortOrder') return /^(asc|desc)$/i.test(value)
    if (/Level(Relationship)?Order$/.test(name)) return /^\d{1,3}$/.test(value)
    return !/Range(Start|End)$/.test(name) || (value.length < 60 && !Number.isNaN(Date.parse(value)))
  }
  if (!values.every(fits)) throw new BrapiError(400, `Valor inválido: ${name}`)
}

function pageOf(page: unknown, size: unknown, most: number) {
  const read = (value: unknown, name: string, usual: number) => {
    if (value === undefined || value === null || value === '') return usual
    if (!NUMBER.test(String(value))) throw new BrapiError(400, `Valor inválido: ${name}`)
    return Number(value)
  }
  const asked = read(size, 'pageSize', Math.min(DEFAULT_SIZE, most))
  if (asked < 1) throw new BrapiError(400, 'Valor inválido: pageSize')
  return { page: Math.min(LAST_PAGE, read(page, 'page', 0)), size: Math.min(asked, most) }
}

/** What a study, and whatever hangs on it, is found by. */
const OF_STUDY: Readonly<Record<string, (study: Study) => string | null>> = {
  commonCropName: ({ cultura }) => cultura,
  programDbId: ({ programDbId }) => programDbId,
  programName: ({ consultoria }) => consultoria,
  trialDbId: ({ trialDbId }) => trialDbId,
  trialName: ({ trialName }) => trialName,
  studyDbId: ({ id }) => id,
  studyName: ({ studyName }) => studyName,
  locationDbId: ({ locationDbId }) => locationDbId,
  locationName: ({ locationName }) => locationName,
  seasonDbId: ({ ano }) => String(ano),
  germplasmDbId: ({ germplasmDbId }) => germplasmDbId,
  germplasmName: ({ cultivar }) => cultivar,
}

/** Whether something of studies is asked, or by that name. */
export const asksOfStudies = ({ filters }: Asked, name?: string): boolean =>
  name === undefined ? [...filters.keys()].some((one) => one in OF_STUDY) : name in OF_STUDY

/** Studies that pass what is asked of studies. */
export const studiesFor = (
  studies: readonly Study[],
  { filters }: Asked,
  apart: readonly string[] = [],
): Study[] => {
  const wanted = [...filters].flatMap(([name, values]) => {
    const of = OF_STUDY[name]
    return of && !apart.includes(name) ? [{ of, values: new Set(values) }] : []
  })
  return studies.filter((study) => wanted.every(({ of, values }) => values.has(of(study) ?? '\0')))
}

/** Whether a record has what is asked of its own properties; one that it has not is found by nothing. */
export function passes(
  record: Readonly<Record<string, unknown>>,
  { filters, areas = new Map() }: Asked,
  handled: readonly string[] = [],
): boolean {
  if (![...areas].every(([name, area]) => isIn(area, record[name]))) return false
  return [...filters].every(([name, values]) => {
    if (name === 'sortBy' || name === 'sortOrder' || handled.includes(name)) return true
    if (name in record)
      return [record[name]].flat().some((value) => value != null && values.includes(String(value)))
    return name in OF_STUDY
  })
}

export const onPage = <T>(rows: readonly T[], { page, size }: Asked): T[] =>
  rows.slice(page * size, (page + 1) * size)

/** What two ask for together, on the pages of the first. */
export function bothAsked(one: Asked, other: Asked): Asked {
  const filters = new Map(one.filters)
  for (const [name, values] of other.filters) filters.set(name, joined(name, filters.get(name), values))
  return { ...one, filters, ...(other.levels && { levels: other.levels }) }
}

/** Values that are in both, or the narrower bound. */
function joined(name: string, held: readonly string[] | undefined, values: readonly string[]) {
  if (held === undefined) return values
  const [, end] = /Range(Start|End)$/.exec(name) ?? []
  if (end === undefined) return held.filter((value) => values.includes(value))
  const [a = '', b = ''] = [held[0], values[0]]
  return [Date.parse(a) > Date.parse(b) === (end === 'Start') ? a : b]
}
