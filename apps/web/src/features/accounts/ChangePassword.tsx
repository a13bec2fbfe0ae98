import { PASSWORD_MAX, PASSWORD_MIN } from '@ensaio/domain'
import { type FormEvent, useState } from 'react'
import { ApiError, call } from '../../api/client.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { PasswordInput } from '../../ui/Input.tsx'
import { Banner, Card, CardHeader } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'

const BLANK = { current: '', next: '', confirmation: '' }

export function ChangePassword({ onChanged }: { onChanged: () => void }) {
  const [values, setValues] = useState(BLANK)
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const set = (part: Partial<typeof BLANK>) => setValues((before) => ({ ...before, ...part }))

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const problem = problemOf(values)
    setError(problem)
    if (problem) return
    setBusy(true)
    try {
      await call('changePassword', { body: { currentPassword: values.current, newPassword: values.next } })
      setValues(BLANK)
      toast.success('Senha alterada com sucesso!')
      onChanged()
    } catch (failure) {
      setError(failure instanceof ApiError ? (failure.fields[0]?.message ?? failure.message) : null)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Card>
      <CardHeader
        title="Senha"
        subtitle="Ao trocar, terminam as suas outras sessões e o acesso dos aplicativos de campo."
      />
      <form noValidate onSubmit={submit} className="flex flex-col gap-4 px-5 pb-6">
        {error && <Banner tone="danger">{error}</Banner>}
        <Field label="Senha atual">
          {(control) => (
            <PasswordInput
              {...control}
              name="currentPassword"
              autoComplete="current-password"
              value={values.current}
              onChange={(event) => set({ current: event.target.value })}
            />
          )}
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Nova senha" help="Pelo menos 6 caracteres.">
            {(control) => (
              <PasswordInput
                {...control}
                name="newPassword"
                autoComplete="new-password"
                value={values.next}
                onChange={(event) => set({ next: event.target.value })}
              />
            )}
          </Field>
          <Field label="Confirmar nova senha">
            {(control) => (
              <PasswordInput
                {...control}
                name="newPasswordConfirmation"
                autoComplete="new-password"
                value={values.confirmation}
                onChange={(event) => set({ confirmation: event.target.value })}
              />
            )}
          </Field>
        </div>
        <Button type="submit" className="self-end" busy={busy}>
          Alterar senha
        </Button>
      </form>
    </Card>
  )
}

function problemOf({ current, next, confirmation }: typeof BLANK): string | null {
  if (!current || !next || !confirmation) return 'Por favor, preencha todos os campos obrigatórios'
  if (next.length < PASSWORD_MIN) return 'A senha deve ter pelo menos 6 caracteres'
  if (next.length > PASSWORD_MAX) return `A senha deve ter no máximo ${PASSWORD_MAX} caracteres`
  return next === confirmation ? null : 'As senhas não coincidem'
}
