import { formatDate } from '@ensaio/domain'
import type { Factor } from '@supabase/auth-js'
import { Copy, KeyRound, Smartphone, Trash2 } from 'lucide-react'
import { type FormEvent, useCallback, useEffect, useState } from 'react'
import { auth, authErrorSentence } from '../../api/auth-client.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { Badge, Banner, Card, CardHeader } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'

const FAILED = 'Não foi possível concluir. Tente novamente.'
type Enrolment = { id: string; qrCode: string; secret: string }

/** Authenticator apps and security keys of one's own account. */
export function SecondFactors() {
  const [factors, setFactors] = useState<Factor[]>([])
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null)
  const [doomed, setDoomed] = useState<Factor | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  const load = useCallback(async () => {
    const { data } = await auth.mfa.listFactors()
    setFactors(data?.all.filter(({ status }) => status === 'verified') ?? [])
  }, [])
  useEffect(() => void load(), [load])

  const attempt = async (work: () => Promise<{ error: unknown }>, success?: string) => {
    setBusy(true)
    setError(null)
    try {
      const { error: failure } = await work()
      if (failure) setError(authErrorSentence(failure, FAILED))
      else {
        if (success) toast.success(success)
        await load()
        return true
      }
    } catch {
      setError(FAILED)
    } finally {
      setBusy(false)
    }
    return false
  }

  const enrolApp = () =>
    attempt(async () => {
      const { data, error: failure } = await auth.mfa.enroll({
        factorType: 'totp',
        friendlyName: nameFor('Aplicativo autenticador', factors),
      })
      if (data) setEnrolment({ id: data.id, qrCode: data.totp.qr_code, secret: data.totp.secret })
      return { error: failure }
    })
  const enrolKey = () =>
    attempt(
      () => auth.mfa.webauthn.register({ friendlyName: nameFor('Chave de segurança', factors) }),
      'Chave de segurança cadastrada',
    )
  const remove = async () => {
    if (doomed) await attempt(() => auth.mfa.unenroll({ factorId: doomed.id }), 'Fator removido')
    setDoomed(null)
  }

  return (
    <Card>
      <CardHeader
        title="Verificação em duas etapas"
        subtitle="Além da senha, um código do celular ou uma chave de segurança."
      />
      <div className="flex flex-col gap-4 px-5 pb-6">
        {error && !enrolment && <Banner tone="danger">{error}</Banner>}
        {factors.length === 1 && (
          <Banner tone="info">
            Cadastre um segundo aplicativo ou uma chave: se perder o primeiro, é com ele que você recupera o
            acesso.
          </Banner>
        )}
        {factors.length > 0 && (
          <ul className="flex flex-col gap-2">
            {factors.map((factor) => (
              <li key={factor.id} className="flex items-center gap-3 rounded-md border border-line px-4 py-2">
                {factor.factor_type === 'totp' ? (
                  <Smartphone aria-hidden className="size-5 text-muted" />
                ) : (
                  <KeyRound aria-hidden className="size-5 text-muted" />
                )}
                <span className="min-w-0 flex-1">
                  <span className="block truncate font-medium">{factor.friendly_name || 'Sem nome'}</span>
                  <span className="text-small text-muted">desde {formatDate(factor.created_at)}</span>
                </span>
                <Badge tone="ok">Ativo</Badge>
                <IconButton
                  label={`Remover ${factor.friendly_name ?? 'fator'}`}
                  tone="danger"
                  onClick={() => setDoomed(factor)}
                >
                  <Trash2 aria-hidden />
                </IconButton>
              </li>
            ))}
          </ul>
        )}
        {enrolment ? (
          <EnrolApp
            enrolment={enrolment}
            busy={busy}
            error={error}
            onCancel={() => {
              void auth.mfa.unenroll({ factorId: enrolment.id })
              setEnrolment(null)
            }}
            onCode={async (code) => {
              const done = await attempt(
                () => auth.mfa.challengeAndVerify({ factorId: enrolment.id, code }),
                'Aplicativo autenticador cadastrado',
              )
              if (done) setEnrolment(null)
            }}
          />
        ) : (
          <div className="flex flex-wrap gap-2">
            <Button
              className="whitespace-normal!"
              busy={busy}
              icon={<Smartphone aria-hidden className="size-4" />}
              onClick={enrolApp}
            >
              Adicionar aplicativo autenticador
            </Button>
            {'credentials' in navigator && (
              <Button busy={busy} icon={<KeyRound aria-hidden className="size-4" />} onClick={enrolKey}>
                Adicionar chave de segurança
              </Button>
            )}
          </div>
        )}
      </div>
      <ConfirmDialog
        open={doomed !== null}
        title="Remover este fator?"
        message="Sem nenhum fator, só a senha protege a sua conta."
        confirmLabel="Remover"
        busy={busy}
        onCancel={() => setDoomed(null)}
        onConfirm={remove}
      >
        <p className="rounded-md bg-sunken px-3 py-2 text-small">{doomed?.friendly_name}</p>
      </ConfirmDialog>
    </Card>
  )
}

/** Names are unique within an account. */
function nameFor(base: string, factors: readonly Factor[]): string {
  const taken = new Set(factors.map(({ friendly_name }) => friendly_name))
  let name = base
  for (let number = 2; taken.has(name); number++) name = `${base} ${number}`
  return name
}

/** Not where the page comes over plain HTTP: the browser gives no clipboard there. */
function CopyButton({ text }: { text: string }) {
  const [copied, setCopied] = useState(false)
  if (!('clipboard' in navigator)) return null
  return (
    <Button
      size="small"
      icon={<Copy aria-hidden className="size-4" />}
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
    >
      <span aria-live="polite">{copied ? 'Chave copiada' : 'Copiar chave'}</span>
    </Button>
  )
}

type EnrolProps = {
  enrolment: Enrolment
  busy: boolean
  error: string | null
  onCode: (code: string) => void
  onCancel: () => void
}

function EnrolApp({ enrolment, busy, error, onCode, onCancel }: EnrolProps) {
  const [code, setCode] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onCode(code.replace(/\s/g, ''))
  }
  return (
    <form
      noValidate
      onSubmit={submit}
      className="grid gap-5 rounded-md bg-sunken p-4 sm:grid-cols-[auto_minmax(0,1fr)]"
    >
      <img
        src={enrolment.qrCode}
        alt="Código QR para o aplicativo autenticador"
        width="176"
        height="176"
        className="size-44 rounded-md bg-white p-2"
      />
      <div className="flex flex-col gap-3">
        <p className="text-small">
          Leia o código com o aplicativo autenticador do seu celular. Se não puder, digite nele esta chave:
        </p>
        <div className="flex items-start gap-2">
          <code className="min-w-0 flex-1 rounded-md border border-line bg-surface px-3 py-2 text-small break-all">
            {enrolment.secret}
          </code>
          <CopyButton text={enrolment.secret} />
        </div>
        <Field label="Código mostrado pelo aplicativo" error={error ?? undefined}>
          {(control) => (
            <Input
              {...control}
              name="totp"
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={7}
              value={code}
              onChange={(event) => setCode(event.target.value)}
            />
          )}
        </Field>
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onCancel}>Cancelar</Button>
          <Button type="submit" variant="primary" busy={busy}>
            Ativar
          </Button>
        </div>
      </div>
    </form>
  )
}
