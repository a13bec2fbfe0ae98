import { useState } from 'react'
import { call, reasonOf } from '../../api/client.ts'
import { useEndpoint } from '../../api/queries.ts'
import { Checkbox } from '../../ui/Input.tsx'
import { Card, CardHeader } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'

/** Phones get letters in the place of treatments; only here, for who edits the trial, stands which is which. */
export function BlindPanel({ id }: { id: string }) {
  const query = useEndpoint('fieldSettings', { params: { id } })
  const [busy, setBusy] = useState(false)
  if (!query.data) return null
  const { as_cegas, letras } = query.data
  const change = async (blind: boolean) => {
    setBusy(true)
    try {
      await call('setFieldSettings', { params: { id }, body: { as_cegas: blind } })
      await query.refetch()
      toast.success(blind ? 'Avaliação às cegas ligada' : 'Avaliação às cegas desligada')
    } catch (error) {
      toast.error(reasonOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Card className="no-print">
      <CardHeader
        title="No campo"
        subtitle="Às cegas, o celular mostra letras no lugar dos tratamentos. Vale para os pacotes levados ou atualizados a partir de agora."
      />
      <div className="flex flex-col gap-3 px-5 pb-5">
        <Checkbox
          label="Avaliação às cegas"
          checked={as_cegas}
          disabled={busy}
          onChange={(event) => void change(event.target.checked)}
        />
        {as_cegas && (
          <ul className="figures flex flex-wrap gap-x-6 gap-y-1 text-small">
            {letras.map(({ tratamento, nome, letra }) => (
              <li key={tratamento}>
                <span className="font-semibold">{letra}</span> = T{tratamento} {nome}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  )
}
