import { exactMarks, MOST_VIEWS, problem, type View, type ViewInput, viewQuestion } from '@ensaio/domain'
import type { Handle } from '../../database/handle.ts'
import { oneAtATime } from '../../database/one-at-a-time.ts'
import type { Wall } from '../../database/wall.ts'
import type { Actor } from '../../http/contract-routes.ts'
import {
  countViews,
  deleteView,
  insertView,
  preferencesOf,
  type StoredView,
  setPreferences,
  updateView,
  viewById,
  viewsOf,
} from './views.repository.ts'
import { setMarks } from './watching.repository.ts'

/** Saved views: what an address of the dashboard holds, of a person or of their organisation. They hold no data. */
export function createViews({ wall, owner }: { wall: Wall; owner: Handle }) {
  const leads = ({ papel }: Actor) => papel === 'dono' || papel === 'gestor'
  const permit = (actor: Actor, { alcance }: ViewInput) => {
    if (alcance === 'organizacao' && !leads(actor))
      throw problem('permission.denied', {
        detail: 'Só um gestor ou o dono pode salvar uma vista para a organização',
      })
  }
  return {
    async list(actor: Actor) {
      const handle = wall.for(actor)
      const [views, { vista_padrao: padrao, resumo_semanal }] = await Promise.all([
        viewsOf(handle),
        preferencesOf(handle),
      ])
      return { vistas: views.map(present), padrao, resumo_semanal }
    },

    /** @throws view.not_found */
    async get(actor: Actor, id: string): Promise<View> {
      const stored = await viewById(wall.for(actor), id)
      if (!stored) throw problem('view.not_found')
      return present(stored)
    },

    /** @throws permission.denied, view.too_many, view.name_taken */
    async create(actor: Actor, given: ViewInput): Promise<View> {
      permit(actor, given)
      const handle = wall.for(actor)
      const made = await handle.transaction().execute(async (transaction) => {
        await oneAtATime(transaction, 'vistas', actor.id)
        if ((await countViews(transaction, actor.id)) >= MOST_VIEWS) throw problem('view.too_many')
        return insertView(transaction, given, actor.id)
      })
      if (!made) throw taken()
      return present(made)
    },

    /** @throws view.not_found, permission.denied, view.name_taken */
    async change(actor: Actor, id: string, given: ViewInput): Promise<View> {
      const handle = wall.for(actor)
      await changeable(handle, id)
      permit(actor, given)
      const changed = await updateView(handle, id, given, actor.id)
      if (changed === 'taken') throw taken()
      if (!changed) throw problem('view.not_found')
      // Of others too: an alert asks what its view asks.
      await setMarks(owner, id, exactMarks(viewQuestion(given.estado)))
      return present(changed)
    },

    /** @throws view.not_found, permission.denied */
    async remove(actor: Actor, id: string): Promise<void> {
      const handle = wall.for(actor)
      await changeable(handle, id)
      await deleteView(handle, id)
    },

    /** @throws view.not_found */
    async setDefault(actor: Actor, id: string | null): Promise<string | null> {
      const handle = wall.for(actor)
      if (id !== null && !(await viewById(handle, id))) throw problem('view.not_found')
      await setPreferences(handle, actor.id, { vista_padrao: id })
      return id
    },

    async setDigest(actor: Actor, on: boolean): Promise<boolean> {
      await setPreferences(wall.for(actor), actor.id, { resumo_semanal: on })
      return on
    },
  }
}
export type Views = ReturnType<typeof createViews>

const taken = () =>
  problem('view.name_taken', { fields: [{ path: 'nome', message: 'Já existe uma vista com este nome' }] })

/** @throws view.not_found, permission.denied */
async function changeable(handle: Handle, id: string): Promise<void> {
  const stored = await viewById(handle, id)
  if (!stored) throw problem('view.not_found')
  if (!stored.pode_alterar)
    throw problem('permission.denied', {
      detail: 'Só um gestor ou o dono pode alterar uma vista da organização',
    })
}

const present = ({ id, nome, dono, estado, pode_alterar, updated_at }: StoredView): View => ({
  ...{ id, nome, estado, pode_alterar, updated_at: updated_at.toISOString() },
  alcance: dono === null ? 'organizacao' : 'pessoal',
})
