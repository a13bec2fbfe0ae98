import { MOST_PLOTS } from '@ensaio/domain'
import { ENTITIES, type Entity, levelsOf, PARTS, type Part } from '@ensaio/domain/brapi'
import type { AccountsFeature } from '../accounts/accounts.feature.ts'
import { type Asked, onPage, studiesFor } from './asked.ts'
import { coreLists, type Found } from './cores.ts'
import type { BrapiImages } from './images.ts'
import { keptLists } from './kept-lists.ts'
import { plotLists } from './plots.ts'
import type { World } from './world.ts'

const ONE: Record<string, string> = {
  ...{ programs: 'programDbId', trials: 'trialDbId', studies: 'studyDbId', locations: 'locationDbId' },
  ...{ people: 'personDbId', observationunits: 'observationUnitDbId', observations: 'observationDbId' },
  ...{
    variables: 'observationVariableDbId',
    germplasm: 'germplasmDbId',
    lists: 'listDbId',
    images: 'imageDbId',
    seasons: 'seasonDbId',
    ...PARTS,
  },
}

const isPart = (name: string): name is Part => name in PARTS
const isEntity = (name: string): name is Entity => name in ENTITIES

/** A list of which one record is wanted. */
export const askedById = (name: string, id: string) => ({
  ...{ filters: new Map<string, readonly string[]>([[ONE[name] ?? '', [id]]]), page: 0, size: 1 },
  ...{ warnings: [], withValues: false },
})

/** Every list by its name. */
export function createLists(namesOf: AccountsFeature['namesOf'], images: Pick<BrapiImages, 'list'>) {
  const cores = coreLists(namesOf)
  const plots = plotLists(namesOf)
  const kept = keptLists()

  const list = async (world: World, name: string, asked: Asked): Promise<Found> => {
    if (isPart(name)) return cores.parts(world, name, asked)
    if (isEntity(name)) {
      const shared = cores.shared(world, name, asked)
      if (shared) return shared
    }
    switch (name) {
      case 'trials':
        return cores.trials(world, asked)
      case 'studies':
        return cores.studies(world, asked)
      case 'lists':
        return kept.list(world, asked)
      case 'people':
        return cores.people(world, asked)
      case 'variables':
        return cores.variables(world, asked)
      case 'seasons':
        return cores.seasons(world, asked)
      case 'commoncropnames':
        return cores.crops(world, asked)
      case 'observationunits':
        return plots.units(world, asked, asked.withValues)
      case 'observations':
        return plots.observations(world, asked)
      case 'images':
        return images.list(world, asked)
      case 'events':
        return plots.events(world, asked)
      case 'studytypes':
        return all(['Ensaio de campo'], asked)
      default:
        return all(await levels(world, asked), asked)
    }
  }
  /** Of the designs of the studies that are asked for, or of most. */
  const levels = async ({ studies, sheets }: World, asked: Asked) => {
    const { filters } = asked
    const named = ['studyDbId', 'trialDbId', 'programDbId'].some((name) => filters.has(name))
    const designs = named ? await sheets(studiesFor(studies, asked).map(({ id }) => id)) : new Map()
    const all = [...designs.values()].flatMap(({ delineamento }) => levelsOf(delineamento))
    const known = all.length > 0 ? all : levelsOf()
    return [...new Map(known.map((level) => [`${level.levelName} ${level.levelOrder}`, level])).values()]
  }
  const all = (rows: readonly unknown[], asked: Asked): Found => ({
    rows: onPage(rows, asked),
    total: rows.length,
  })

  return {
    list,
    table: plots.table,
    /** All plots of one study, without their values; none where it is not seen. */
    async units(world: World, study: string) {
      const filters = new Map([['studyDbId', [study]]])
      const asked = { filters, page: 0, size: MOST_PLOTS, warnings: [], withValues: false }
      return (await plots.units(world, asked, false)).rows
    },
    /** The one record that is asked for, alone in a list; none where it is not seen. */
    async one(world: World, name: string, asked: Asked): Promise<unknown[]> {
      return name === 'lists' ? kept.one(world, asked) : (await list(world, name, asked)).rows
    },
  }
}
export type BrapiLists = ReturnType<typeof createLists>
