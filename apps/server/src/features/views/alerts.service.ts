import {
  type Alert,
  type AlertCondition,
  type AlertFrequency,
  exactMarks,
  MOST_ALERTS,
  type Notification,
  problem,
  viewQuestion,
} from '@ensaio/domain'
import type { Wall } from '../../database/wall.ts'
import type { Actor } from '../../http/contract-routes.ts'
import {
  alertById,
  alertsOf,
  countUnread,
  deleteAlert,
  insertAlert,
  markRead,
  noticesOf,
  type StoredAlert,
  updateAlert,
} from './alerts.repository.ts'
import { viewById } from './views.repository.ts'

const MOST_NOTICES = 50
const PAUSED_BY_PERSON = 'Pausado por você.'

/** Alerts of a person on views that they see, and what these told. */
export function createAlerts({ wall }: { wall: Wall }) {
  const stored = async (actor: Actor, id: string): Promise<StoredAlert> => {
    const alert = await alertById(wall.for(actor), id)
    if (!alert) throw problem('alert.not_found')
    return alert
  }
  return {
    list: async (actor: Actor): Promise<Alert[]> => (await alertsOf(wall.for(actor))).map(present),

    /** @throws view.not_found, alert.too_many */
    async create(
      actor: Actor,
      given: { vista: string; frequencia: AlertFrequency; condicao: AlertCondition | null },
    ): Promise<Alert> {
      const id = await wall
        .for(actor)
        .transaction()
        .execute(async (transaction) => {
          const view = await viewById(transaction, given.vista)
          if (!view) throw problem('view.not_found')
          return insertAlert(transaction, {
            ...{ person: actor.id, view: view.id, most: MOST_ALERTS },
            marks: exactMarks(viewQuestion(view.estado)),
            ...{ frequencia: given.frequencia, condicao: given.condicao },
          })
        })
      if (!id) throw problem('alert.too_many')
      return present(await stored(actor, id))
    },

    /** @throws alert.not_found */
    async change(
      actor: Actor,
      id: string,
      given: {
        frequencia?: AlertFrequency | undefined
        condicao?: AlertCondition | null | undefined
        ativo?: boolean | undefined
      },
    ): Promise<Alert> {
      const now = await stored(actor, id)
      await updateAlert(wall.for(actor), id, {
        frequencia: given.frequencia ?? now.frequencia,
        condicao: given.condicao === undefined ? now.condicao : given.condicao,
        pausado: given.ativo === undefined ? now.pausado : given.ativo ? null : PAUSED_BY_PERSON,
      })
      return present(await stored(actor, id))
    },

    /** @throws alert.not_found */
    async remove(actor: Actor, id: string): Promise<void> {
      if (!(await deleteAlert(wall.for(actor), id))) throw problem('alert.not_found')
    },

    async notifications(actor: Actor): Promise<{ notificacoes: Notification[]; nao_lidas: number }> {
      const handle = wall.for(actor)
      const [notices, nao_lidas] = await Promise.all([noticesOf(handle, MOST_NOTICES), countUnread(handle)])
      return {
        notificacoes: notices.map(
          ({ alerta_id, vista_id, vista, experimento_id, quando, lido, ...told }) => ({
            alerta: alerta_id,
            vista: { id: vista_id, nome: vista },
            experimento: { id: experimento_id, ...told },
            quando: quando.toISOString(),
            lida: lido,
          }),
        ),
        nao_lidas,
      }
    },

    /** @returns how many are unread still */
    async read(
      actor: Actor,
      { ate, um }: { ate?: string | undefined; um?: { alerta: string; experimento: string } | undefined },
    ): Promise<number> {
      const handle = wall.for(actor)
      await markRead(handle, ate === undefined ? null : new Date(ate), um ?? null)
      return countUnread(handle)
    },
  }
}
export type Alerts = ReturnType<typeof createAlerts>

const present = ({ id, vista_id, vista, frequencia, condicao, pausado, created_at }: StoredAlert): Alert => ({
  ...{ id, frequencia, condicao, pausado, vista: { id: vista_id, nome: vista } },
  created_at: created_at.toISOString(),
})
