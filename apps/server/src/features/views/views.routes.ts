import { contract } from '@ensaio/domain'
import type { Route } from '../../http/contract-routes.ts'
import type { Alerts } from './alerts.service.ts'
import type { Views } from './views.service.ts'
import type { Watching } from './watching.service.ts'

/** Saved views, alerts on them and what these told. */
export function viewRoutes(
  route: Route,
  { views, alerts, watching }: { views: Views; alerts: Alerts; watching: Pick<Watching, 'unsubscribe'> },
): void {
  const ofView = { notFound: 'view.not_found' } as const
  const ofAlert = { notFound: 'alert.not_found' } as const
  route(contract.listViews, ({ actor }) => views.list(actor))
  route(contract.getView, async ({ actor, params }) => ({ vista: await views.get(actor, params.id) }), ofView)
  route(contract.createView, async ({ actor, body }) => ({ vista: await views.create(actor, body) }))
  route(
    contract.changeView,
    async ({ actor, params, body }) => ({ vista: await views.change(actor, params.id, body) }),
    ofView,
  )
  route(
    contract.removeView,
    async ({ actor, params, reply }) => {
      await views.remove(actor, params.id)
      return reply.code(204).send()
    },
    ofView,
  )
  route(contract.setDefaultView, async ({ actor, body }) => ({
    padrao: await views.setDefault(actor, body.vista),
  }))
  route(contract.setDigest, async ({ actor, body }) => ({
    resumo_semanal: await views.setDigest(actor, body.ativo),
  }))
  route(contract.listAlerts, async ({ actor }) => ({ alertas: await alerts.list(actor) }))
  route(contract.createAlert, async ({ actor, body }) => ({ alerta: await alerts.create(actor, body) }))
  route(
    contract.changeAlert,
    async ({ actor, params, body }) => ({ alerta: await alerts.change(actor, params.id, body) }),
    ofAlert,
  )
  route(
    contract.removeAlert,
    async ({ actor, params, reply }) => {
      await alerts.remove(actor, params.id)
      return reply.code(204).send()
    },
    ofAlert,
  )
  route(
    contract.unsubscribeAlert,
    async ({ params }) => {
      await watching.unsubscribe(params.token)
      return { message: 'Este aviso foi encerrado.' }
    },
    ofAlert,
  )
  route(contract.listNotifications, ({ actor }) => alerts.notifications(actor))
  route(contract.readNotifications, async ({ actor, body }) => ({
    nao_lidas: await alerts.read(actor, body),
  }))
}
