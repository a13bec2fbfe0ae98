import { plotRange, type Told, trialId } from '@ensaio/domain/brapi'
import { validate as isUuid } from 'uuid'
import type { Handle } from '../../database/handle.ts'
import { type Asked, asksOfStudies } from './asked.ts'
import { MOST_STUDIES, plotsBetween, unitPage } from './brapi.repository.ts'
import { BrapiError } from './brapi-error.ts'
import {
  type FirstsOf,
  firstRows,
  type Group,
  groupRows,
  KEYS,
  trialsOfGroups,
} from './narrowing.repository.ts'

/** The trials that a call is answered from, and what is still to be asked of them. */
export interface Narrowed {
  /** Null: all that are seen. */
  trials: readonly string[] | null
  /** They stand for all that are seen. */
  whole: boolean
  /** Their names are told. */
  named: boolean
  asked: Asked
  /** How many records there are, where the page was cut already. */
  total: number | null
}

/** Trials with plots that one call reads at most: each is read with its sheet. */
export const MOST_PLANTED = 10_000
const OF_PLOTS = new Set([
  ...['observationunits', 'observations', 'variables', 'traits', 'methods', 'scales'],
  ...['events', 'images', 'lists'],
])
/** Of which those are found that their plots' ids name. */
const OF_PLOT_IDS = new Set(['observationunits', 'observations'])
/** The same whatever there is. */
const CONSTANT = new Set(['studytypes', 'observationlevels'])
/** What a project is found by, so that no trial is read for it. */
const OF_PROJECT: Readonly<
  Record<string, (one: Awaited<ReturnType<typeof groupRows>>[number], told: Told) => string>
> = {
  commonCropName: ({ cultura }) => cultura,
  seasonDbId: ({ ano }) => String(ano),
  programName: ({ consultoria }) => consultoria,
  programDbId: ({ consultoria }, { idOf }) => idOf('programa', consultoria),
  trialDbId: trialId,
}
/** What records of these lists are found by among themselves: any trial of theirs will do. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  germplasm: ['germplasmDbId', 'germplasmName'],
  locations: ['locationDbId', 'locationName'],
  seasons: ['seasonDbId'],
  commoncropnames: [],
}

const hasFirsts = (list: string): list is FirstsOf => list in KEYS

/** Which trials a list has to read: a page of them, those with plots, or those of some projects, wherever that is enough. */
export async function narrow(handle: Handle, told: Told, list: string, asked: Asked): Promise<Narrowed> {
  const { filters } = asked
  const as = (trials: Narrowed['trials'], more: Partial<Narrowed> = {}): Narrowed => ({
    ...{ trials, whole: trials === null, named: true, asked, total: null, ...more },
  })
  const named = filters.get('studyDbId')
  // Lists find none by the id of a study.
  if (list !== 'lists' && named) return as(named.filter((id) => isUuid(id)))
  const levels = list === 'observationlevels' && (filters.has('trialDbId') || filters.has('programDbId'))
  if (CONSTANT.has(list) && !levels) return as([])
  // An image may name values that no plot has.
  const ofUnits = list === 'images' && !filters.has('observationDbId')
  const plots = OF_PLOT_IDS.has(list) || ofUnits ? await trialsOfPlots(handle, filters) : null
  if (plots) return as(plots)

  const groups = await groupsFor(handle, told, filters)
  // No sheet is read for lists; studies that measure something have one.
  const measured = filters.has('observationVariableDbId') || filters.has('observationVariableName')
  if (OF_PLOTS.has(list) || levels || (list === 'studies' && measured)) {
    const most = list === 'lists' ? MOST_STUDIES : MOST_PLANTED
    const trials = await trialsOfGroups(handle, { groups, planted: true, limit: most + 1 })
    if (trials.length > most) throw tooMany()
    return as(trials)
  }
  if (list === 'people' && !asksOfStudies(asked)) return as([], { whole: true })
  const rest = [...filters].filter(([name, [value]]) => {
    const all = name === 'active' && value === 'true' && (list === 'trials' || list === 'studies')
    return !(name in OF_PROJECT) && !all
  })
  if (hasFirsts(list)) {
    const own = OWN[list]
    if (own && rest.every(([name]) => own.includes(name) || !asksOfStudies(asked, name))) {
      const { ids } = await firstRows(handle, { list, groups, offset: 0, limit: MOST_STUDIES + 1 })
      return as(ids, { named: false })
    }
    if (!own && rest.length === 0) {
      const { size, page } = asked
      const { total, ids } = await firstRows(handle, { list, groups, offset: page * size, limit: size })
      return as(ids, { total, asked: { ...asked, page: 0, filters: new Map([['studyDbId', ids]]) } })
    }
  }
  return as(groups && (await trialsOfGroups(handle, { groups, planted: false, limit: MOST_STUDIES + 1 })))
}

export const tooMany = () => new BrapiError(413, 'Há ensaios demais para esta chamada; informe studyDbId')

/** Of which trials plots and values are that are asked for by their ids; null where they are not. */
async function trialsOfPlots(handle: Handle, filters: Asked['filters']): Promise<string[] | null> {
  const values = filters.get('observationDbId')
  const units = filters.get('observationUnitDbId')
  if (values) {
    const found = await plotsBetween(handle, values.filter((id) => isUuid(id)).map(plotRange))
    return [...new Set(found.map(({ experimento_id }) => experimento_id))]
  }
  if (!units) return null
  const ids = units.filter((id) => isUuid(id))
  const found = await unitPage(handle, { studies: null, ids, names: null, offset: 0, limit: ids.length })
  return [...new Set(found.rows.map(({ experimento_id }) => experimento_id))]
}

/** Projects that are asked for; null: all. */
async function groupsFor(handle: Handle, told: Told, filters: Asked['filters']): Promise<Group[] | null> {
  const wanted = [...filters].flatMap(([name, values]) => {
    const of = OF_PROJECT[name]
    return of ? [{ of, values: new Set(values) }] : []
  })
  if (wanted.length === 0) return null
  return (await groupRows(handle)).filter((group) =>
    wanted.every(({ of, values }) => values.has(of(group, told))),
  )
}
