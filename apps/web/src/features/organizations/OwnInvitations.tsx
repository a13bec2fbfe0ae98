import { formatDate, ORGANIZATION_ROLE_NAMES } from '@ensaio/domain'
import { Mail } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { attempt } from '../../shell/attempt.ts'
import { useActingFor, useSwitchOrganization } from '../../shell/organization.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { EmptyState } from '../../ui/Surface.tsx'

/** Invitations to the person's confirmed address. */
export function OwnInvitations({ onClose }: { onClose: () => void }) {
  const { invitations, refresh } = useActingFor()
  const switchTo = useSwitchOrganization()
  const [busy, setBusy] = useState<string | null>(null)
  const answer = async (id: string, accepted: boolean) => {
    setBusy(id)
    let joined = ''
    const done = await attempt(
      async () => {
        if (accepted) joined = (await call('acceptInvitation', { params: { token: id } })).organizacao.id
        else await call('declineInvitation', { params: { token: id } })
      },
      accepted ? 'Convite aceito' : 'Convite recusado',
    )
    await refresh()
    setBusy(null)
    if (!done || !joined) return
    onClose()
    await switchTo(joined)
  }
  return (
    <Dialog open onClose={onClose} title="Convites" footer={<Button onClick={onClose}>Fechar</Button>}>
      {invitations.length === 0 ? (
        <EmptyState icon={<Mail aria-hidden />} title="Nenhum convite">
          Quem quiser trabalhar com você envia um convite ao seu email; ele aparece aqui.
        </EmptyState>
      ) : (
        <ul className="flex flex-col gap-2">
          {invitations.map(({ id, organizacao, papel, expira_em }) => (
            <li
              key={id}
              className="flex flex-wrap items-center gap-3 rounded-md border border-line px-4 py-3"
            >
              <span className="min-w-40 flex-1">
                <span className="block font-medium break-words">{organizacao}</span>
                <span className="block text-small text-muted">
                  como {ORGANIZATION_ROLE_NAMES[papel]} · vale até {formatDate(expira_em)}
                </span>
              </span>
              <span className="flex gap-2">
                <Button size="small" disabled={busy !== null} onClick={() => answer(id, false)}>
                  Recusar
                </Button>
                <Button size="small" variant="primary" busy={busy === id} onClick={() => answer(id, true)}>
                  Aceitar
                </Button>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
