import { formatDate, type ScriptKey } from '@ensaio/domain'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { ApiError, call } from '../../api/client.ts'
import { useEndpoint } from '../../api/queries.ts'
import { CopyOnce } from '../../shell/CopyOnce.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Checkbox, Input } from '../../ui/Input.tsx'
import { ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'

const FAULT = 'Erro do servidor. Tente novamente mais tarde.'
const messageOf = (error: unknown) => (error instanceof ApiError ? error.message : FAULT)
const DAYS = 90

/** Keys by which scripts read and write plots in the person's name. */
export function ScriptKeys() {
  const keys = useEndpoint('listScriptKeys', {}, { staleTime: 0 })
  const [made, setMade] = useState<string | null>(null)
  const [ending, setEnding] = useState<ScriptKey | null>(null)
  const [busy, setBusy] = useState(false)
  const end = async (id: string) => {
    setBusy(true)
    try {
      await call('removeScriptKey', { params: { id } })
      toast.success('Chave revogada')
      await keys.refetch()
    } catch (error) {
      toast.error(messageOf(error))
    } finally {
      setBusy(false)
      setEnding(null)
    }
  }
  return (
    <section className="flex flex-col gap-4" aria-labelledby="chaves">
      <div>
        <h3 id="chaves" className="font-semibold">
          Chave para scripts
        </h3>
        <p className="text-small text-muted">
          QBMS, R e outros programas leem e gravam parcelas pelo endereço /brapi/v2, em seu nome.
        </p>
      </div>
      {made !== null && (
        <CopyOnce url={made} label="Chave para scripts">
          Copie agora: a chave não será mostrada de novo.
        </CopyOnce>
      )}
      {keys.isPending ? (
        <Skeleton className="h-16" />
      ) : keys.isError ? (
        <ErrorState message={keys.error.message} onRetry={() => keys.refetch()} />
      ) : (
        keys.data.chaves.length > 0 && (
          <ul className="flex flex-col gap-2">
            {keys.data.chaves.map((key) => (
              <li
                key={key.id}
                className="flex flex-wrap items-center gap-3 rounded-md border border-line px-4 py-2.5"
              >
                <KeyRound aria-hidden className="size-5 shrink-0 text-muted" />
                <span className="min-w-0 flex-1">
                  <span className="block truncate font-medium" title={key.nome}>
                    {key.nome}
                  </span>
                  <span className="figures block text-small text-muted">
                    {key.escrita ? 'Lê e grava' : 'Só lê'} · vale até {formatDate(key.vale_ate)} ·{' '}
                    {key.usada_em === null ? 'nunca usada' : `usada em ${formatDate(key.usada_em)}`}
                  </span>
                </span>
                <Button size="small" aria-label={`Revogar ${key.nome}`} onClick={() => setEnding(key)}>
                  Revogar
                </Button>
              </li>
            ))}
          </ul>
        )
      )}
      <NewKey
        onMade={(text) => {
          setMade(text)
          keys.refetch()
        }}
      />
      <ConfirmDialog
        open={ending !== null}
        title="Revogar chave"
        message={`O que usa a chave “${ending?.nome ?? ''}” deixa de funcionar agora.`}
        confirmLabel="Revogar"
        busy={busy}
        onCancel={() => setEnding(null)}
        onConfirm={() => ending && end(ending.id)}
      />
    </section>
  )
}

function NewKey({ onMade }: { onMade: (text: string) => void }) {
  const [name, setName] = useState('')
  const [days, setDays] = useState(String(DAYS))
  const [write, setWrite] = useState(false)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  const make = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setErrors({})
    try {
      const { chave } = await call('createScriptKey', {
        body: { nome: name, dias: /^\d{1,3}$/.test(days) ? Number(days) : 0, escrita: write },
      })
      setName('')
      onMade(chave.texto)
    } catch (error) {
      const fields = error instanceof ApiError ? (error.fields ?? []) : []
      if (fields.length === 0) toast.error(messageOf(error))
      else setErrors(Object.fromEntries(fields.map(({ path, message }) => [path, message])))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={make} noValidate className="flex flex-wrap items-end gap-3">
      <Field label="Identificação da chave" error={errors.nome} className="min-w-48 flex-1">
        {(box) => (
          <Input {...box} value={name} maxLength={60} onChange={(event) => setName(event.target.value)} />
        )}
      </Field>
      <Field label="Validade (dias)" error={errors.dias} className="w-36">
        {(box) => (
          <Input
            {...box}
            inputMode="numeric"
            maxLength={3}
            value={days}
            onChange={(event) => setDays(event.target.value)}
          />
        )}
      </Field>
      <Checkbox
        label="Pode gravar valores"
        checked={write}
        onChange={(event) => setWrite(event.target.checked)}
        className="pb-2.5"
      />
      <Button type="submit" busy={busy}>
        Criar chave
      </Button>
    </form>
  )
}
