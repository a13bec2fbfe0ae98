import { counted } from '@ensaio/domain'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { signOut } from '../../api/auth-client.ts'
import { ApiError, call, reasonOf } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { useActingFor } from '../../shell/organization.tsx'
import { paths } from '../../shell/paths.ts'
import { useUser } from '../../shell/session.tsx'
import { dropReportsOf } from '../../storage/kept-reports.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { downloadBlob } from '../../ui/download.ts'
import { Field } from '../../ui/Field.tsx'
import { PasswordInput } from '../../ui/Input.tsx'
import { Banner, Card, CardHeader } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'
import { textLink } from './AccountPage.tsx'

/** The rights over one's own data: a copy, and erasure. */
export function OwnData() {
  const [asking, setAsking] = useState(false)
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState<'export' | 'erase' | null>(null)

  const take = async () => {
    setBusy('export')
    try {
      const data = await call('exportAccount', {})
      downloadBlob(
        'meus-dados-ensaio.json',
        new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }),
      )
    } catch (failure) {
      toast.error(
        failure instanceof ApiError ? failure.message : 'Erro do servidor. Tente novamente mais tarde.',
      )
    } finally {
      setBusy(null)
    }
  }
  const user = useUser()
  const navigate = useNavigate()
  /** Trials that belong to nobody else, once the server has said so: nothing is chosen for the person. */
  const [alone, setAlone] = useState<number | null>(null)
  const [espaco, setEspaco] = useState<Space | null>(null)
  const close = () => {
    setAsking(false)
    setPassword('')
    setError(null)
    setAlone(null)
    setEspaco(null)
  }
  const erase = async () => {
    if (alone !== null && espaco === null) {
      setError('Escolha o que acontece com os experimentos.')
      return
    }
    setBusy('erase')
    setError(null)
    try {
      await call('eraseAccount', { body: { currentPassword: password, ...(espaco && { espaco }) } })
      await dropReportsOf(user.id)
      await queryClient.cancelQueries()
      await signOut().catch(() => undefined)
      navigate(paths.landing, { replace: true })
    } catch (failure) {
      const n = keptTrials(failure)
      if (n === null) setError(reasonOf(failure))
      setAlone(n ?? alone)
      setBusy(null)
    }
  }

  return (
    <Card>
      <CardHeader
        title="Seus dados"
        subtitle="Leve uma cópia do que guardamos sobre você, ou apague a sua conta."
      />
      <div className="flex flex-wrap gap-2 px-5 pb-6">
        <Button busy={busy === 'export'} onClick={take}>
          Baixar meus dados
        </Button>
        <Button variant="quiet" className="!text-danger" onClick={() => setAsking(true)}>
          Apagar minha conta
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        title="Apagar a conta?"
        message="A conta, as sessões e os fatores são apagados agora e não voltam. Os experimentos que você registrou continuam, sem o seu nome."
        confirmLabel="Apagar conta"
        busy={busy === 'erase'}
        onCancel={close}
        onConfirm={erase}
      >
        {error && <Banner tone="danger">{error}</Banner>}
        <Field label="Sua senha">
          {(control) => (
            <PasswordInput
              {...control}
              name="erasePassword"
              autoComplete="current-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        {alone !== null && <OwnSpace n={alone} value={espaco} onChange={setEspaco} />}
      </ConfirmDialog>
    </Card>
  )
}

type Space = { destino: string } | { excluir: true }

/** How many trials would be left to nobody, where that is why the account cannot be erased yet. */
function keptTrials(failure: unknown): number | null {
  if (!(failure instanceof ApiError) || failure.code !== 'organization.keeps_records') return null
  const { n } = (failure.current ?? {}) as { n?: unknown }
  return typeof n === 'number' ? n : null
}

function OwnSpace({ n, value, onChange }: { n: number; value: Space | null; onChange: (to: Space) => void }) {
  const { organizations } = useActingFor()
  const trials = counted(n, 'experimento', 'experimentos')
  const choices: { label: string; to: Space }[] = [
    ...organizations
      .filter(({ membros, fecha_em }) => membros > 1 && fecha_em === null)
      .map(({ id, nome }) => ({ label: `Transferir para ${nome}`, to: { destino: id } })),
    { label: `Excluir ${trials}`, to: { excluir: true } },
  ]
  return (
    <fieldset className="flex flex-col gap-2 rounded-md border border-line px-4 py-3">
      <legend className="px-1 font-medium">{trials} só seus</legend>
      <p className="text-small text-muted">
        Leve uma cópia antes, se quiser:{' '}
        <Link to={`${paths.organization}?aba=dados`} className={textLink}>
          Exportar tudo
        </Link>
        , em nome de cada organização em que só você está.
      </p>
      {choices.map(({ label, to }) => (
        <label key={label} className="flex cursor-pointer items-start gap-2.5">
          <input
            type="radio"
            name="espaco"
            className="mt-1 accent-(--accent)"
            checked={JSON.stringify(value) === JSON.stringify(to)}
            onChange={() => onChange(to)}
          />
          <span className="min-w-0 break-words">{label}</span>
        </label>
      ))}
    </fieldset>
  )
}
