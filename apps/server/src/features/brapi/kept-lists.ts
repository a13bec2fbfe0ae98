import { plotList, presentList } from '@ensaio/domain/brapi'
import { type Asked, onPage, passes } from './asked.ts'
import type { Found } from './cores.ts'
import { collectionRows, plotCounts, plotIds } from './kept-lists.repository.ts'
import type { World } from './world.ts'

/** Of BrAPI's lists: collections of trials, and the plots of each trial that has any. */
export function keptLists() {
  const all = async (world: World) => {
    const collections = (await collectionRows(world.handle)).map(({ id, nome, criada_em, experimentos }) => ({
      head: presentList({
        ...{ id, name: nome, description: 'Coleção de ensaios', type: 'studies', size: experimentos.length },
        ...{ created: criada_em, modified: null },
      }),
      data: async () => experimentos,
    }))
    const counts = await plotCounts(world.handle)
    const plots = world.studies.flatMap((study) => {
      const n = counts.get(study.id)
      if (n === undefined) return []
      return [{ head: plotList(study, n, world.told), data: () => plotIds(world.handle, study.id) }]
    })
    return [...collections, ...plots]
  }
  const found = async (world: World, asked: Asked) =>
    (await all(world)).filter(({ head }) => passes(head, asked, RANGES) && inRanges(head, asked))

  return {
    async list(world: World, asked: Asked): Promise<Found> {
      const lists = await found(world, asked)
      return { rows: onPage(lists, asked).map(({ head }) => head), total: lists.length }
    },
    /** One, with the ids of what it holds. */
    async one(world: World, asked: Asked): Promise<unknown[]> {
      const [only] = await found(world, asked)
      return only ? [{ ...only.head, data: await only.data() }] : []
    },
  }
}

const DATES = ['dateCreated', 'dateModified'] as const
const RANGES = DATES.flatMap((date) => [`${date}RangeStart`, `${date}RangeEnd`])

/** From the start on, and before the end. */
const inRanges = (head: ReturnType<typeof presentList>, { filters }: Asked): boolean =>
  DATES.every((date) => {
    const [start] = filters.get(`${date}RangeStart`) ?? []
    const [end] = filters.get(`${date}RangeEnd`) ?? []
    if (start === undefined && end === undefined) return true
    const time = Date.parse(head[date] ?? '')
    return (start === undefined || time >= Date.parse(start)) && (end === undefined || time < Date.parse(end))
  })
