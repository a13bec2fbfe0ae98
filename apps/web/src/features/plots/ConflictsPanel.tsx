import { counted, type OpenConflict, truncate, whenSaid } from '@ensaio/domain'
import { useState } from 'react'
import { call, reasonOf } from '../../api/client.ts'
import { experimentsChanged, useEndpoint } from '../../api/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Card, CardHeader } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'
import { conflictTitle, sideText } from './parked.ts'

/** Characters of a text in a button; it stands whole above. */
const MOST_SHOWN = 40

/** Cells to which the field gave different values: an editor says which one stays, the history keeps both. */
export function ConflictsPanel({ id }: { id: string }) {
  const query = useEndpoint('parkedFieldChanges', { params: { id } })
  const [deciding, setDeciding] = useState<string | null>(null)
  const conflicts = query.data?.conflitos ?? []
  if (conflicts.length === 0) return null

  const decide = async (one: OpenConflict, ficar: 'atual' | 'registro') => {
    setDeciding(`${one.id} ${ficar}`)
    try {
      const body = { acao: 'decidir' as const, ficar, base: one.atual.id }
      await call('settleFieldChange', { params: { id, change: one.id }, body })
      toast.success('Conflito resolvido')
      await experimentsChanged()
    } catch (error) {
      toast.error('O conflito não foi resolvido', reasonOf(error))
    } finally {
      setDeciding(null)
      await query.refetch()
    }
  }
  return (
    <Card className="no-print">
      <CardHeader
        title="Conflitos"
        subtitle={`${counted(conflicts.length, 'conflito', 'conflitos')} para resolver. Até lá vale o valor que chegou primeiro; o histórico guarda todos.`}
      />
      <ul className="divide-y divide-line border-t border-line">
        {conflicts.map((one) => {
          const sides = [
            { ficar: 'atual' as const, ...one.atual },
            { ficar: 'registro' as const, ...one, quem: one.nome ?? one.quem },
          ]
          return (
            <li key={one.id} className="flex flex-col gap-3 px-5 py-4">
              <p className="figures font-medium break-words">{conflictTitle(one)}</p>
              <ul className="grid gap-3 sm:grid-cols-2">
                {sides.map(({ ficar, quem, quando, hora_certa, ...side }) => {
                  const said = sideText(one.formato, side)
                  const by = quem ?? 'alguém'
                  return (
                    <li
                      key={ficar}
                      className="flex min-w-0 flex-col items-start justify-between gap-3 rounded-md border border-line p-3"
                    >
                      <p className="figures max-w-full break-words">
                        <span className="font-semibold">{said}</span>
                        {ficar === 'atual' && <span className="text-small text-muted"> · vale agora</span>}
                        <span className="block text-small text-muted">
                          {by}
                          {quando && ` · ${whenSaid({ quando, hora_certa })}`}
                        </span>
                      </p>
                      <Button
                        busy={deciding === `${one.id} ${ficar}`}
                        disabled={deciding !== null}
                        className="h-auto max-w-full py-1.5 text-left break-words whitespace-normal"
                        onClick={() => void decide(one, ficar)}
                      >
                        Ficar com {truncate(said, MOST_SHOWN)} de {by}
                      </Button>
                    </li>
                  )
                })}
              </ul>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
