import { useState } from 'react'
import { call } from '../../api/client.ts'
import { keyOf, useEndpoint } from '../../api/queries.ts'
import { queryClient } from '../../api/query-client.ts'
import { attempt } from '../../shell/attempt.ts'
import { Checkbox } from '../../ui/Input.tsx'
import { Card, CardHeader } from '../../ui/Surface.tsx'

/** Whether a letter tells, each Monday, what the week brought. */
export function WeeklyDigest() {
  const views = useEndpoint('listViews', {}, { ofServer: true })
  /** Shown at once, until the server has answered. */
  const [asked, setAsked] = useState<boolean | null>(null)
  if (!views.data) return null
  const turn = async (ativo: boolean) => {
    setAsked(ativo)
    await attempt(
      () => call('setDigest', { body: { ativo } }),
      ativo ? 'Resumo semanal ligado' : 'Resumo semanal desligado',
    )
    await queryClient.invalidateQueries({ queryKey: keyOf('listViews', {}) })
    setAsked(null)
  }
  return (
    <Card>
      <CardHeader
        title="Resumo semanal"
        subtitle="Um email na segunda-feira às 7:00: ensaios da semana, o que mudou nas suas vistas, importações, convites e avisos. Sem novidade, sem email."
      />
      <Checkbox
        className="px-5 pb-5"
        label="Receber o resumo semanal por email"
        checked={asked ?? views.data.resumo_semanal}
        disabled={asked !== null}
        onChange={(event) => void turn(event.target.checked)}
      />
    </Card>
  )
}
