import { COLLECTIONS_MOST, type Collection, can, type ExperimentFilter, problem } from '@ensaio/domain'
import type { Handle } from '../../database/handle.ts'
import type { Wall } from '../../database/wall.ts'
import type { Actor } from '../../http/contract-routes.ts'
import { note } from '../organizations/organizations.service.ts'
import {
  changeList,
  collectionsOf,
  countCollections,
  countThrough,
  deleteCollection,
  insertCollection,
  markReady,
  ownAmong,
  type StoredCollection,
  sharesOf,
  sortNext,
  sortWithout,
  unsorted,
  updateCollection,
  versionOf,
} from './collections.repository.ts'
import { endShare } from './shares.repository.ts'

/** Trials sorted in one transaction. */
const BATCH = 2_000
/** What a request waits for; a long sorting goes on in the background. */
const PATIENCE_MS = 20_000

/**
 * What everything here asks first: several organisations, and who may open one to others. What a closed one shows is
 * still read; its changes are refused before they come here.
 * @throws permission.denied
 */
export function mayShare(actor: Actor): void {
  if (!actor.several || !can({ ...actor, closed: false }, 'experiment.share').allowed)
    throw problem('permission.denied')
}

export function createCollections({
  wall,
  owner,
  settled,
}: {
  wall: Wall
  /** Of the tables' owner, for what goes on when nobody asks. */
  owner: Handle
  /** Resolves when figures hold what was changed before. */
  settled(): Promise<void>
}) {
  /** @throws collection.not_found */
  const one = async (handle: Handle, id: string): Promise<StoredCollection> => {
    const [found] = await collectionsOf(handle, id)
    if (!found) throw problem('collection.not_found')
    return found
  }

  /** @throws experiment.not_found, or what says that one was received */
  const own = async (handle: Handle, ids: readonly string[] = []) => {
    const different = new Set(ids).size
    const counted = await ownAmong(handle, ids)
    if (counted.own === different) return
    throw problem(counted.seen === different ? 'share.received' : 'experiment.not_found')
  }

  /** Sorts all trials of its organisation; nobody else sees the collection before it is done. */
  const sort = async (number: number, deadline = Number.POSITIVE_INFINITY): Promise<void> => {
    const version = await versionOf(owner, number)
    if (version === null) return
    let after: string | null = await sortNext(owner, number, { most: BATCH })
    while (after !== null && performance.now() < deadline)
      after = await sortNext(owner, number, { after, most: BATCH })
    if (after !== null) return
    await settled()
    await markReady(owner, number, version)
  }
  const sortSoon = (number: number) => sort(number, performance.now() + PATIENCE_MS)

  return {
    one,
    own,

    async list(actor: Actor): Promise<Collection[]> {
      mayShare(actor)
      return collectionsOf(wall.for(actor))
    },

    async create(
      actor: Actor,
      given: {
        nome: string
        filtro?: ExperimentFilter | undefined
        experimentos?: string[] | undefined
      },
    ): Promise<Collection> {
      mayShare(actor)
      const handle = wall.for(actor)
      const filter = given.filtro ?? null
      const made = await handle.transaction().execute(async (transaction) => {
        if ((await countCollections(transaction, actor.organization)) >= COLLECTIONS_MOST)
          throw problem('collection.too_many')
        await own(transaction, given.experimentos)
        const inserted = await insertCollection(transaction, {
          organization: actor.organization,
          nome: given.nome,
          filter,
        })
        if (given.experimentos) await changeList(transaction, inserted.number, { add: given.experimentos })
        const n = filter ? await countThrough(transaction, filter) : new Set(given.experimentos).size
        await note(transaction, actor.organization, 'collection.made', { colecao: inserted.id, n })
        return inserted
      })
      if (filter) await sortSoon(made.number)
      return one(handle, made.id)
    },

    async change(
      actor: Actor,
      id: string,
      given: {
        nome?: string | undefined
        filtro?: ExperimentFilter | undefined
        incluir?: string[] | undefined
        retirar?: string[] | undefined
      },
    ): Promise<Collection> {
      mayShare(actor)
      const handle = wall.for(actor)
      const { number } = await handle.transaction().execute(async (transaction) => {
        const found = await one(transaction, id)
        const { nome, filtro: filter, incluir: add, retirar: remove } = given
        if (found.tipo === 'lista' ? filter !== undefined : add !== undefined || remove !== undefined)
          throw problem('validation.failed', {
            fields: [
              {
                path: found.tipo === 'lista' ? 'filtro' : 'incluir',
                message:
                  found.tipo === 'lista'
                    ? 'Esta coleção é uma lista, não um filtro'
                    : 'Esta coleção é um filtro, não uma lista',
              },
            ],
          })
        await own(transaction, add)
        await updateCollection(transaction, found.number, { nome, filter })
        if (add || remove) await changeList(transaction, found.number, { add, remove })
        const n = filter ? await countThrough(transaction, filter) : (await one(transaction, id)).n
        await note(transaction, actor.organization, 'collection.changed', { colecao: id, n })
        return found
      })
      if (given.filtro) await sortSoon(number)
      else if (given.incluir || given.retirar) await settled()
      return one(handle, id)
    },

    /** Its shares end with it. */
    async remove(actor: Actor, id: string): Promise<void> {
      mayShare(actor)
      const { number } = await wall
        .for(actor)
        .transaction()
        .execute(async (transaction) => {
          const found = await one(transaction, id)
          for (const share of await sharesOf(transaction, found.number)) await endShare(transaction, share)
          await deleteCollection(transaction, found.number)
          await note(transaction, actor.organization, 'collection.removed', { colecao: id, n: found.n })
          return found
        })
      const deadline = performance.now() + PATIENCE_MS
      while (performance.now() < deadline && (await sortWithout(owner, number, BATCH)) === BATCH);
    },

    /** Goes on with what a request did not finish. */
    async sortRest(): Promise<void> {
      for (const number of await unsorted(owner)) await sort(number)
    },
  }
}

export type Collections = ReturnType<typeof createCollections>
