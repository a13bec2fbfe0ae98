import {
  type Entity,
  grouped,
  type Part,
  presentGermplasm,
  presentLocation,
  presentPerson,
  presentProgram,
  presentSeason,
  presentStudy,
  presentTrial,
  presentVariable,
  type Study,
} from '@ensaio/domain/brapi'
import type { AccountsFeature } from '../accounts/accounts.feature.ts'
import { type Asked, onPage, passes, studiesFor } from './asked.ts'
import { peopleIds, peopleOfTrials } from './brapi.repository.ts'
import { columnsByStudy, headOf, type World } from './world.ts'

/** What trials are asked for by their days; those are not read for anything else but the page that is shown. */
const BY_DAYS = ['searchDateRangeStart', 'searchDateRangeEnd'] as const
const DAYS = new Set(['startDate', 'endDate'])
const sortsByDays = ({ filters }: Asked): boolean => DAYS.has(filters.get('sortBy')?.[0] ?? '')

export interface Found {
  rows: unknown[]
  total: number
}
type Present = (study: Study, world: World) => Record<string, unknown>
/** Lists of what trials have in common: by what they are told apart, and how one is told. */
const SHARED: Partial<Record<Entity, { key: (study: Study) => string | null; present: Present }>> = {
  programs: {
    key: ({ programDbId }) => programDbId,
    present: (study, { told }) => presentProgram(study, told),
  },
  locations: { key: ({ locationDbId }) => locationDbId, present: presentLocation },
  germplasm: {
    key: ({ germplasmDbId }) => germplasmDbId,
    present: (study, { told }) => presentGermplasm(study, told),
  },
}

export function coreLists(namesOf: AccountsFeature['namesOf']) {
  const paged = (records: readonly unknown[], asked: Asked): Found => ({
    rows: onPage(records, asked),
    total: records.length,
  })

  const shared = (world: World, entity: Entity, asked: Asked): Found | null => {
    const of = SHARED[entity]
    if (!of) return null
    const records = grouped(studiesFor(world.studies, asked), of.key).flatMap(([first]) =>
      first ? [of.present(first, world)] : [],
    )
    return paged(
      sorted(
        records.filter((record) =>
          passes({ ...record, binomialName: `${record.genus} ${record.species}` }, asked),
        ),
        asked,
      ),
      asked,
    )
  }

  /** Studies of one consultancy, crop and season; their days are those of the first sowing and the last harvest. */
  const trials = async (world: World, asked: Asked): Promise<Found> => {
    const firsts = grouped(studiesFor(world.studies, asked), ({ trialDbId }) => trialDbId).flatMap(
      ([first]) => first ?? [],
    )
    const [from, to] = BY_DAYS.map((name) => asked.filters.get(name)?.[0])
    const byDays = from !== undefined || to !== undefined || sortsByDays(asked)
    const withDays = async (of: readonly Study[]) => {
      const known = await world.projectSeasons(of.map(({ id }) => id))
      return of.map((first) => {
        const { semeadura = null, colheita = null } = known.get(first.id) ?? {}
        return presentTrial(first, world.told, { first: semeadura, last: colheita })
      })
    }
    const named = firsts.filter((first) => passes(presentTrial(first, world.told), asked, BY_DAYS))
    if (byDays) {
      // What is not known lies in no range.
      const within = (await withDays(named)).filter(({ startDate, endDate }) => {
        if (from === undefined && to === undefined) return true
        const [first, last] = [startDate ?? endDate ?? '', endDate ?? startDate ?? ''].map(Date.parse)
        const apart =
          (from !== undefined && Number(last) < Date.parse(from)) ||
          (to !== undefined && Number(first) > Date.parse(to))
        return !Number.isNaN(first) && !apart
      })
      return paged(sorted(within, asked), asked)
    }
    const byId = new Map(named.map((first) => [first.trialDbId, first]))
    const order = sorted(
      named.map((first) => presentTrial(first, world.told)),
      asked,
    )
    const shown = onPage(order, asked).flatMap(({ trialDbId }) => byId.get(trialDbId) ?? [])
    return { rows: await withDays(shown), total: named.length }
  }

  const studies = async (world: World, asked: Asked): Promise<Found> => {
    const candidates = studiesFor(world.studies, asked)
    const variables =
      asked.filters.has('observationVariableDbId') || asked.filters.has('observationVariableName')
    const all = variables ? await world.sheets(candidates.map(({ id }) => id)) : new Map()
    const columns = columnsByStudy(all)
    const days = sortsByDays(asked) ? await world.seasons(candidates.map(({ id }) => id)) : new Map()
    const records = candidates.map((study) => ({
      ...presentStudy(study, { sheet: null, contact: null, told: world.told }),
      ...{ startDate: days.get(study.id)?.semeadura ?? null, endDate: days.get(study.id)?.colheita ?? null },
      programDbId: study.programDbId,
      programName: study.consultoria,
      seasonDbId: String(study.ano),
      studyLocation: study.locationName,
      observationVariableDbId: columns.get(study.id)?.map(({ id }) => id) ?? [],
      observationVariableName: columns.get(study.id)?.map(({ name }) => name) ?? [],
    }))
    const found = sorted(
      records.filter((record) => passes(record, asked)),
      asked,
    )
    const byId = new Map(candidates.map((study) => [study.id, study]))
    const shown = onPage(found, asked).flatMap(({ studyDbId }) => byId.get(studyDbId) ?? [])
    const sheets = await world.sheets(shown.map(({ id }) => id))
    const names = await namesOf(world.handle, [
      ...new Set(shown.flatMap(({ created_by }) => created_by ?? [])),
    ])
    const ofShown = columnsByStudy(sheets)
    return {
      total: found.length,
      rows: shown.map((study) => {
        const sheet = sheets.get(study.id)
        return presentStudy(study, {
          sheet: sheet ? headOf(sheet, ofShown.get(study.id) ?? []) : null,
          contact: names.get(study.created_by ?? '') ?? null,
          told: world.told,
        })
      }),
    }
  }

  const people = async (world: World, asked: Asked): Promise<Found> => {
    const chosen = studiesFor(world.studies, asked)
    const ids =
      world.whole && chosen.length === world.studies.length
        ? await peopleIds(world.handle)
        : [
            ...new Set([
              ...chosen.flatMap(({ created_by }) => created_by ?? []),
              ...(await peopleOfTrials(
                world.handle,
                chosen.map(({ id }) => id),
              )),
            ]),
          ]
    const names = await namesOf(world.handle, ids)
    const records = ids
      .filter((id) => names.has(id))
      .map((id) => presentPerson({ id, nome: names.get(id) ?? null }))
    return paged(
      records.filter((record) => passes(record, asked)),
      asked,
    )
  }

  /** Variables of the studies that are asked for; those that follow from others where no study is named. */
  const variableRecords = async (world: World, asked: Asked) => {
    const chosen = studiesFor(world.studies, asked)
    const sheets = await world.sheets(chosen.map(({ id }) => id))
    const columns = columnsByStudy(sheets, { derived: !asked.filters.has('studyDbId') })
    return chosen.flatMap((study) =>
      (columns.get(study.id) ?? []).map((column) =>
        presentVariable(column, { crop: study.cultura, told: world.told }),
      ),
    )
  }
  const flat = (record: Awaited<ReturnType<typeof variableRecords>>[number]) => ({
    ...record,
    ...{ traitDbId: record.trait.traitDbId, traitName: record.trait.traitName, traitPUI: null },
    ...{ traitClass: null, traitAttribute: record.trait.attribute, traitEntity: null },
    ...{ methodDbId: record.method.methodDbId, methodName: record.method.methodName, methodPUI: null },
    ...{ scaleDbId: record.scale.scaleDbId, scaleName: record.scale.scaleName, scalePUI: null },
    dataType: record.scale.dataType,
  })

  return {
    shared,
    trials,
    studies,
    people,

    async variables(world: World, asked: Asked): Promise<Found> {
      const records = await variableRecords(world, asked)
      return paged(
        records.filter((record) => passes(flat(record), asked)),
        asked,
      )
    },

    /** Traits, methods and scales: parts that variables share. */
    async parts(world: World, part: Part, asked: Asked): Promise<Found> {
      const records = (await variableRecords(world, asked)).filter((record) => passes(flat(record), asked))
      const byId = new Map<string, unknown>()
      for (const { trait, method, scale } of records) {
        const [id, of] =
          part === 'traits'
            ? [trait.traitDbId, trait]
            : part === 'methods'
              ? [method.methodDbId, method]
              : [scale.scaleDbId, scale]
        if (!byId.has(id)) byId.set(id, of)
      }
      return paged([...byId.values()], asked)
    },

    seasons(world: World, asked: Asked): Found {
      const records = grouped(world.studies, ({ ano }) => String(ano))
        .flatMap(([first]) => (first ? [presentSeason(first)] : []))
        .sort((a, b) => a.year - b.year)
      return paged(
        records.filter((record) => passes({ ...record, season: record.seasonName }, asked)),
        asked,
      )
    },

    crops: (world: World, asked: Asked): Found =>
      paged([...new Set(world.studies.map(({ cultura }) => cultura))], asked),
  }
}

function sorted<T extends Record<string, unknown>>(records: T[], { filters }: Asked): T[] {
  const [by] = filters.get('sortBy') ?? []
  if (by === undefined) return records
  const down = /^desc$/i.test(filters.get('sortOrder')?.[0] ?? '')
  const text = (record: T) => String(record[by] ?? '')
  const order = [...records].sort((a, b) => text(a).localeCompare(text(b), 'pt-BR', { numeric: true }))
  return down ? order.reverse() : order
}
