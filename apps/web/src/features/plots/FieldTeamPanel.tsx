import { counted, type FieldInvitation, formatDate, formatDateTime } from '@ensaio/domain'
import { QrCode, UserMinus } from 'lucide-react'
import { useState } from 'react'
import { call, reasonOf } from '../../api/client.ts'
import { useEndpoint } from '../../api/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Select } from '../../ui/Input.tsx'
import { Badge, Card, CardHeader, ErrorState } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'
import { InvitationDialog } from './InvitationDialog.tsx'

const STATES = {
  aberto: { tone: 'accent', text: 'Esperando' },
  vencido: { tone: 'plain', text: 'Código vencido' },
  usado: { tone: 'ok', text: 'Em uso' },
  encerrado: { tone: 'plain', text: 'Encerrado' },
  revogado: { tone: 'danger', text: 'Revogado' },
} as const

/** Who records in the trial besides those who edit it, and the phones that do so by invitation. */
export function FieldTeamPanel({ id }: { id: string }) {
  const query = useEndpoint('fieldTeam', { params: { id } })
  const [person, setPerson] = useState('')
  const [inviting, setInviting] = useState(false)
  const [ending, setEnding] = useState<FieldInvitation | null>(null)
  const [busy, setBusy] = useState(false)
  if (query.isError)
    return <ErrorState message={`Equipe de campo: ${query.error.message}`} onRetry={() => query.refetch()} />
  if (!query.data) return null
  const { equipe, outros, convites } = query.data
  const change = async (work: () => Promise<unknown>, sentence: string) => {
    setBusy(true)
    try {
      await work()
      await query.refetch()
      toast.success(sentence)
    } catch (error) {
      toast.error('A equipe não foi alterada', reasonOf(error))
    } finally {
      setBusy(false)
    }
  }
  const add = () =>
    change(async () => {
      await call('addToFieldTeam', { params: { id, person } })
      setPerson('')
    }, 'Pessoa posta na equipe')
  const end = (invitation: string) =>
    change(async () => {
      await call('revokeFieldInvitation', { params: { id, invitation } })
      setEnding(null)
    }, 'Convite revogado')
  return (
    <Card className="no-print">
      <CardHeader
        title="Equipe de campo"
        subtitle="Quem registra valores neste ensaio além de quem o altera. No celular não vão custos nem retornos."
        actions={
          <Button icon={<QrCode aria-hidden className="size-4" />} onClick={() => setInviting(true)}>
            Convite de campo
          </Button>
        }
      />
      <div className="flex flex-col gap-4 px-5 pb-5">
        {equipe.length > 0 && (
          <ul aria-label="Pessoas da equipe" className="flex flex-col gap-2">
            {equipe.map(({ id: who, nome }) => (
              <li
                key={who}
                className="flex items-center justify-between gap-2 rounded-md border border-line px-4 py-2"
              >
                <span className="min-w-0 font-medium break-words">{nome}</span>
                <Button
                  size="small"
                  variant="quiet"
                  icon={<UserMinus aria-hidden className="size-4" />}
                  disabled={busy}
                  aria-label={`Tirar ${nome} da equipe`}
                  onClick={() =>
                    void change(
                      () => call('removeFromFieldTeam', { params: { id, person: who } }),
                      'Pessoa tirada da equipe',
                    )
                  }
                >
                  Tirar
                </Button>
              </li>
            ))}
          </ul>
        )}
        {outros.length > 0 && (
          <div className="flex flex-wrap items-end gap-2">
            <Field label="Membro da organização" className="flex-1 basis-48 sm:max-w-80">
              {(control) => (
                <Select
                  {...control}
                  value={person}
                  placeholder="Escolha"
                  options={outros.map(({ id: value, nome: label }) => ({ value, label }))}
                  onChange={(event) => setPerson(event.target.value)}
                />
              )}
            </Field>
            <Button disabled={person === '' || busy} onClick={() => void add()}>
              Pôr na equipe
            </Button>
          </div>
        )}
        {equipe.length === 0 && outros.length === 0 && (
          <p className="text-small text-muted">
            Todos os membros da organização já podem registrar. Para mãos temporárias, sem conta, use o
            convite.
          </p>
        )}
        {convites.length > 0 && (
          <section aria-labelledby="convites-de-campo" className="flex flex-col gap-2">
            <h3 id="convites-de-campo" className="text-small font-medium">
              Convites
            </h3>
            <ul className="flex flex-col gap-2">
              {convites.map((one) => (
                <li
                  key={one.id}
                  className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-line px-4 py-2.5"
                >
                  <div className="figures min-w-0 flex-1 basis-48">
                    <p className="font-medium break-words">{one.nome ?? 'Ninguém ainda'}</p>
                    <p className="text-small text-muted">{detailsOf(one)}</p>
                  </div>
                  <Badge tone={STATES[one.estado].tone}>{STATES[one.estado].text}</Badge>
                  {(one.estado === 'aberto' || one.estado === 'usado') && (
                    <Button size="small" onClick={() => setEnding(one)}>
                      Revogar
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
      {inviting && (
        <InvitationDialog
          id={id}
          onClose={() => {
            setInviting(false)
            void query.refetch()
          }}
        />
      )}
      <ConfirmDialog
        open={ending !== null}
        title="Revogar o convite?"
        message={
          ending?.nome
            ? `O celular de ${ending.nome} perde o acesso no próximo contato. O que ainda não foi enviado fica nele, para salvar uma cópia.`
            : 'O QR code deixa de valer.'
        }
        confirmLabel="Revogar"
        busy={busy}
        onCancel={() => setEnding(null)}
        onConfirm={() => ending && void end(ending.id)}
      />
    </Card>
  )
}

const detailsOf = ({ quem, ate, contato_em, pendentes }: FieldInvitation): string =>
  [
    `convite de ${quem ?? 'alguém que saiu'}`,
    `até ${formatDate(ate)}`,
    contato_em && `último contato em ${formatDateTime(contato_em)}`,
    pendentes > 0 && counted(pendentes, 'registro por enviar', 'registros por enviar'),
  ]
    .filter(Boolean)
    .join(' · ')
