import type { View, ViewState } from '@ensaio/domain'
import { type FormEvent, useId, useState } from 'react'
import { ApiError, call, reasonOf } from '../../api/client.ts'
import { useActingFor } from '../../shell/organization.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { Banner } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'
import { viewsChanged } from './use-views.ts'

type Props = {
  /** What is kept under the name. */
  state: ViewState
  /** The view to rename; without one a new one is made. */
  view?: View
  onClose: () => void
  onSaved?: (view: View) => void
}

/** Name and reach of a view. */
export function SaveView({ state, view, onClose, onSaved }: Props) {
  const { several, papel } = useActingFor()
  const leads = papel === 'dono' || papel === 'gestor'
  const [name, setName] = useState(view?.nome ?? '')
  const [reach, setReach] = useState<View['alcance']>(view?.alcance ?? 'pessoal')
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const form = useId()
  const fields = error instanceof ApiError ? error.fields : []
  const save = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      const body = { nome: name, alcance: reach, estado: state }
      const { vista } = view
        ? await call('changeView', { params: { id: view.id }, body })
        : await call('createView', { body })
      toast.success(view ? 'Vista alterada' : 'Vista salva')
      await viewsChanged()
      onSaved?.(vista)
      onClose()
    } catch (failure) {
      setError(failure)
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={view ? 'Alterar vista' : 'Salvar vista'}
      description="Guarda a aba, os filtros, a busca, a ordem e as variáveis desta página. Não guarda dados: quem abre vê só o que pode ver."
      footer={
        <Button variant="primary" type="submit" form={form} busy={busy}>
          {view ? 'Salvar' : 'Salvar vista'}
        </Button>
      }
    >
      <form id={form} onSubmit={save} className="flex flex-col gap-4">
        <Field label="Nome da vista" error={fields.find(({ path }) => path === 'nome')?.message}>
          {(control) => (
            <Input
              {...control}
              required
              maxLength={60}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <fieldset>
          <legend className="pb-1 font-medium">Para quem</legend>
          {(['pessoal', 'organizacao'] as const).map((value) => (
            <label key={value} className="flex min-h-10 items-center gap-2.5">
              <input
                type="radio"
                name="alcance"
                className="size-4 accent-(--accent)"
                checked={reach === value}
                disabled={value === 'organizacao' && !leads}
                onChange={() => setReach(value)}
              />
              <span>
                {value === 'pessoal' ? 'Só para mim' : 'Para a organização'}
                {value === 'organizacao' && !leads && (
                  <span className="block text-small text-muted">
                    {several ? 'Só um gestor ou o dono pode' : 'Só um administrador pode'}
                  </span>
                )}
              </span>
            </label>
          ))}
        </fieldset>
        {error !== null && fields.length === 0 && (
          <Banner tone="danger">{reasonOf(error, 'A vista não pôde ser salva')}</Banner>
        )}
      </form>
    </Dialog>
  )
}
