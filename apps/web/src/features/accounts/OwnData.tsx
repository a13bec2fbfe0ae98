import { useState } from 'react'
import { signOut } from '../../api/auth-client.ts'
import { ApiError, call } from '../../api/client.ts'
import { useUser } from '../../shell/session.tsx'
import { dropReportsOf } from '../../storage/kept-reports.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { downloadUrl } from '../../ui/download.ts'
import { Field } from '../../ui/Field.tsx'
import { PasswordInput } from '../../ui/Input.tsx'
import { Banner, Card, CardHeader } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'

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
      const url = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }))
      downloadUrl(url, 'meus-dados-ensaio.json')
      setTimeout(() => URL.revokeObjectURL(url), 10_000)
    } catch (failure) {
      toast.error(
        failure instanceof ApiError ? failure.message : 'Erro do servidor. Tente novamente mais tarde.',
      )
    } finally {
      setBusy(null)
    }
  }
  const user = useUser()
  const erase = async () => {
    setBusy('erase')
    setError(null)
    try {
      await call('eraseAccount', { body: { currentPassword: password } })
      await dropReportsOf(user.id)
      await signOut().catch(() => undefined)
      location.assign('/')
    } catch (failure) {
      setError(failure instanceof ApiError ? (failure.fields[0]?.message ?? failure.message) : null)
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
        onCancel={() => {
          setAsking(false)
          setPassword('')
          setError(null)
        }}
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
      </ConfirmDialog>
    </Card>
  )
}
