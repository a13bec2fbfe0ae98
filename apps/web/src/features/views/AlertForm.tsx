import {
  ALERT_FREQUENCIES,
  ALERT_FREQUENCY_NAMES,
  ALERT_VARIABLES,
  type Alert,
  type AlertCondition,
  type AlertFrequency,
  type AlertVariable,
  NUMERIC_VARIABLES,
  type View,
} from '@ensaio/domain'
import { type FormEvent, useId, useState } from 'react'
import { ApiError, call, reasonOf } from '../../api/client.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input, NumberInput, Select } from '../../ui/Input.tsx'
import { Banner } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'
import { alertsChanged } from './use-views.ts'

type Props = {
  view: Pick<View, 'id' | 'nome'>
  /** The alert to change; without one a new one is made. */
  alert?: Alert
  onClose: () => void
}

/** When a view tells of new trials, and of which. */
export function AlertForm({ view, alert, onClose }: Props) {
  const before = alert?.condicao ?? null
  const [frequency, setFrequency] = useState<AlertFrequency>(alert?.frequencia ?? 'na_hora')
  const [kind, setKind] = useState<'' | AlertCondition['tipo']>(before?.tipo ?? '')
  const ofVariable = before?.tipo === 'variavel' ? before : null
  const ofProduct = before?.tipo === 'produto' ? before : null
  const [variable, setVariable] = useState<AlertVariable>(ofVariable?.variavel ?? 'roi')
  const [side, setSide] = useState(ofVariable?.sentido ?? 'acima')
  const [value, setValue] = useState<number | null | undefined>(ofVariable?.valor ?? null)
  const [product, setProduct] = useState(ofProduct?.produto ?? '')
  const [percent, setPercent] = useState<number | null | undefined>(ofProduct?.percentual ?? null)
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const form = useId()
  const fields = error instanceof ApiError ? error.fields : []
  const said = (path: string) => fields.find((field) => field.path === `condicao.${path}`)?.message

  const condition = () => {
    if (kind === 'variavel') return { tipo: kind, variavel: variable, sentido: side, valor: value as number }
    if (kind === 'produto') return { tipo: kind, produto: product, percentual: percent as number }
    return null
  }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      const body = { frequencia: frequency, condicao: condition() }
      if (alert) await call('changeAlert', { params: { id: alert.id }, body })
      else await call('createAlert', { body: { vista: view.id, ...body } })
      toast.success(alert ? 'Aviso alterado' : 'Aviso criado')
      await alertsChanged()
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
      title={`Aviso em “${view.nome}”`}
      description="Avisar quando um novo ensaio passar por este filtro: criado, importado, recebido de outra organização, ou alterado de modo que passe agora."
      footer={
        <Button variant="primary" type="submit" form={form} busy={busy}>
          {alert ? 'Salvar' : 'Criar aviso'}
        </Button>
      }
    >
      <form id={form} onSubmit={save} className="flex flex-col gap-4">
        <Field label="Frequência do email" help="No aplicativo o aviso aparece logo no sino.">
          {(control) => (
            <Select
              {...control}
              value={frequency}
              onChange={(event) => setFrequency(event.target.value as AlertFrequency)}
              options={ALERT_FREQUENCIES.map((one) => ({
                value: one,
                label:
                  one === 'na_hora'
                    ? ALERT_FREQUENCY_NAMES[one]
                    : `${ALERT_FREQUENCY_NAMES[one]} (${one === 'por_dia' ? '7:00' : 'segunda-feira, 7:00'})`,
              }))}
            />
          )}
        </Field>
        <Field label="Condição (opcional)">
          {(control) => (
            <Select
              {...control}
              value={kind}
              placeholder="Qualquer ensaio que passe"
              onChange={(event) => setKind(event.target.value as typeof kind)}
              options={[
                { value: 'variavel', label: 'Uma variável acima ou abaixo de um número' },
                { value: 'produto', label: 'Um produto venceu a testemunha' },
              ]}
            />
          )}
        </Field>
        {kind === 'variavel' && (
          <div className="grid gap-4 sm:grid-cols-3">
            <Field label="Variável">
              {(control) => (
                <Select
                  {...control}
                  value={variable}
                  onChange={(event) => setVariable(event.target.value as AlertVariable)}
                  options={ALERT_VARIABLES.map((one) => ({
                    value: one,
                    label: NUMERIC_VARIABLES[one].nome,
                  }))}
                />
              )}
            </Field>
            <Field label="Lado">
              {(control) => (
                <Select
                  {...control}
                  value={side}
                  onChange={(event) => setSide(event.target.value === 'abaixo' ? 'abaixo' : 'acima')}
                  options={[
                    { value: 'acima', label: 'Acima de' },
                    { value: 'abaixo', label: 'Abaixo de' },
                  ]}
                />
              )}
            </Field>
            <Field label="Valor" error={said('valor')}>
              {(control) => (
                <NumberInput
                  {...control}
                  required
                  unit={NUMERIC_VARIABLES[variable].unidade}
                  value={value}
                  onValue={setValue}
                />
              )}
            </Field>
          </div>
        )}
        {kind === 'produto' && (
          <div className="grid gap-4 sm:grid-cols-2">
            <Field label="Produto" error={said('produto')}>
              {(control) => (
                <Input
                  {...control}
                  required
                  maxLength={200}
                  value={product}
                  onChange={(event) => setProduct(event.target.value)}
                />
              )}
            </Field>
            <Field label="Venceu por mais de" error={said('percentual')}>
              {(control) => (
                <NumberInput {...control} required unit="%" value={percent} onValue={setPercent} />
              )}
            </Field>
          </div>
        )}
        {error !== null && !fields.some(({ path }) => path.startsWith('condicao.')) && (
          <Banner tone="danger">{reasonOf(error, 'O aviso não pôde ser salvo')}</Banner>
        )}
      </form>
    </Dialog>
  )
}
