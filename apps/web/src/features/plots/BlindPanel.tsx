import { useState } from 'react'
import { type CallOf, call, reasonOf } from '../../api/client.ts'
import { useEndpoint } from '../../api/queries.ts'
import { Field } from '../../ui/Field.tsx'
import { Checkbox, Input } from '../../ui/Input.tsx'
import { Card, CardHeader } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'

/** How the trial is collected. Phones get letters in the place of treatments; only here, for who edits the trial, stands which is which. */
export function BlindPanel({ id }: { id: string }) {
  const query = useEndpoint('fieldSettings', { params: { id } })
  const [busy, setBusy] = useState(false)
  if (!query.data) return null
  const { as_cegas, letras, blocos } = query.data
  const change = async (body: NonNullable<CallOf<'setFieldSettings'>['body']>, said: string) => {
    setBusy(true)
    try {
      await call('setFieldSettings', { params: { id }, body })
      await query.refetch()
      toast.success(said)
    } catch (error) {
      toast.error(reasonOf(error))
    } finally {
      setBusy(false)
    }
  }
  const assign = (bloco: number, quem: string) => {
    const next = blocos.map((one) => (one.bloco === bloco ? { bloco, quem: quem.trim() || null } : one))
    if (next.every(({ quem: who }, at) => who === blocos[at]?.quem)) return
    void change(
      { blocos: next.flatMap((one) => (one.quem === null ? [] : [{ bloco: one.bloco, quem: one.quem }])) },
      'Blocos indicados',
    )
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
          onChange={(event) =>
            void change(
              { as_cegas: event.target.checked },
              event.target.checked ? 'Avaliação às cegas ligada' : 'Avaliação às cegas desligada',
            )
          }
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
        {blocos.length > 1 && (
          <details>
            <summary className="cursor-pointer text-small font-medium text-accent">
              Quem coleta cada bloco
            </summary>
            <p className="pt-2 text-small text-muted">
              Uma indicação para a equipe: aparece no celular e não impede ninguém.
            </p>
            <div className="grid grid-cols-2 gap-3 pt-3 sm:grid-cols-4">
              {blocos.map(({ bloco, quem }) => (
                <Field key={bloco} label={`Bloco ${bloco}`}>
                  {(box) => (
                    <Input
                      {...box}
                      defaultValue={quem ?? ''}
                      maxLength={80}
                      disabled={busy}
                      onBlur={(event) => assign(bloco, event.target.value)}
                      onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
                    />
                  )}
                </Field>
              ))}
            </div>
          </details>
        )}
      </div>
    </Card>
  )
}
