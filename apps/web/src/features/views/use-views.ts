import type { Contract, OutputOf, View } from '@ensaio/domain'
import { call } from '../../api/client.ts'
import { keyOf, useEndpoint } from '../../api/queries.ts'
import { answerIs, queryClient } from '../../api/query-client.ts'
import { attempt } from '../../shell/attempt.ts'

/** The views that a person sees, and which of them opens the dashboard. */
export const useViews = () => useEndpoint('listViews', {}, { ofServer: true, staleTime: 60_000 })
export const viewsChanged = () => queryClient.invalidateQueries({ queryKey: keyOf('listViews', {}) })
export const alertsChanged = () => queryClient.invalidateQueries({ queryKey: keyOf('listAlerts', {}) })

/** Shown at once; what the server did not take is shown as it was. */
export const setDefaultView = async (view: View | null) => {
  answerIs<OutputOf<Contract['listViews']>>(
    keyOf('listViews', {}),
    (before) => before && { ...before, padrao: view?.id ?? null },
  )
  await attempt(
    () => call('setDefaultView', { body: { vista: view?.id ?? null } }),
    view ? `O dashboard abre com “${view.nome}”` : 'O dashboard abre sem vista',
  )
  await viewsChanged()
}
