import type { Experiment } from '@ensaio/domain'
import type { Handle } from '../../database/handle.ts'
import type { Reader, Wall } from '../../database/wall.ts'
import type { Actor } from '../../http/contract-routes.ts'
import { experimentById, idsCreatedBy, ownIds, type StoredExperiment } from './experiments.repository.ts'

const PAGE = 200

/** All trials of a person or of an organisation, one after the other: for what they take along. */
export function wholeOf(
  wall: Wall,
  present: (stored: StoredExperiment, actor: Actor, handle: Handle) => Promise<Experiment>,
) {
  /** Every trial of the acting organisation's own, page after page, with what is deleted left out. */
  async function* ownPages(actor: Actor): AsyncGenerator<Experiment[]> {
    const handle = wall.for(actor)
    for (let after: string | null = null; ; ) {
      const ids = await ownIds(handle, after, PAGE)
      const page: Experiment[] = []
      for (const id of ids) {
        const stored = await experimentById(handle, id)
        if (stored) page.push(await present(stored, actor, handle))
      }
      yield page
      after = ids.at(-1) ?? null
      if (ids.length < PAGE || after === null) return
    }
  }
  return {
    ownPages,
    async *ownedBy(actor: Actor): AsyncGenerator<Experiment> {
      for await (const page of ownPages(actor)) yield* page
    },
    /** Of trials that a person created. */
    idsCreatedBy: (actor: Reader): Promise<string[]> => idsCreatedBy(wall.for(actor), actor.id),
    /** Everything that a person created, for the export of their account. */
    async *createdBy(actor: Reader): AsyncGenerator<StoredExperiment> {
      const handle = wall.for(actor)
      for (const id of await idsCreatedBy(handle, actor.id)) {
        const stored = await experimentById(handle, id)
        if (stored) yield stored
      }
    },
  }
}
