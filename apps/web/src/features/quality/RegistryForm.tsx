import '../../shell/validation.ts'
import { type Experiment, TrialRegistry, type TrialSheet } from '@ensaio/domain'
import { Plus, Save, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { call, reasonOf } from '../../api/client.ts'
import { experimentsChanged } from '../../api/queries.ts'
import { useSource } from '../../api/source.ts'
import { useMay } from '../../shell/organization.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input, NumberInput, Select } from '../../ui/Input.tsx'
import { Banner } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'

type Registry = TrialRegistry
type Application = Registry['aplicacoes'][number]
/** Names of those fields of a kind of value. */
type Keys<V> = { [K in keyof Registry]: Registry[K] extends V | null ? K : never }[keyof Registry]

const DAYS: readonly (readonly [Extract<Keys<string>, string>, string])[] = [
  ['semeadura', 'Data de semeadura'],
  ['colheita', 'Data de colheita'],
  ['ret_data', 'Data do RET'],
]
const TEXTS: readonly (readonly [Extract<Keys<string>, string>, string, number])[] = [
  ['espacamento', 'Espaçamento', 80],
  ['densidade', 'Densidade de plantas', 80],
  ['parcela', 'Tamanho das parcelas', 80],
  ['alvo', 'Alvo biológico', 120],
  ['nivel_antes', 'Infestação antes da aplicação', 120],
  ['ret_numero', 'Número do RET', 60],
  ['instituicao', 'Instituição', 120],
  ['credenciamento', 'Credenciamento no MAPA', 120],
  ['responsavel', 'Pesquisador responsável', 120],
  ['registro_profissional', 'CREA ou CRQ', 60],
]
const BLANK: Registry = TrialRegistry.parse({})
const BLANK_APPLICATION: Application = {
  data: null,
  estadio: null,
  modo: null,
  volume: null,
  equipamento: null,
}
const MOST_APPLICATIONS = 30

/** What the lists of a registration ask and no other part of the trial holds; all of it may stay empty. */
export function RegistryForm({ experiment, sheet }: { experiment: Experiment; sheet: TrialSheet }) {
  const may = useMay()
  const source = useSource()
  const [held, setHeld] = useState<Registry>(sheet.registro ?? BLANK)
  const [state, setState] = useState<{ busy: boolean; error: string | null }>({ busy: false, error: null })
  const put = (part: Partial<Registry>) => setHeld((before) => ({ ...before, ...part }))
  if (source.name === 'demo' || !may('plots.edit', experiment).allowed) return null
  const save = async () => {
    setState({ busy: true, error: null })
    try {
      await call('putPlots', { params: { id: experiment.id }, body: { ...sheet, registro: held } })
      toast.success('Dados para registro salvos')
      await experimentsChanged()
    } catch (error) {
      setState({ busy: false, error: reasonOf(error) })
    }
  }
  const application = (at: number, part: Partial<Application>) =>
    put({ aplicacoes: held.aplicacoes.map((one, place) => (place === at ? { ...one, ...part } : one)) })
  return (
    <details className="rounded-md border border-line p-4">
      <summary className="cursor-pointer font-medium">Dados que a lista pede</summary>
      <div className="mt-4 flex flex-col gap-5">
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Altitude">
            {(attributes) => (
              <NumberInput
                {...attributes}
                unit="m"
                value={held.altitude}
                onValue={(altitude) => put({ altitude: altitude ?? null })}
              />
            )}
          </Field>
          <Field label="Testemunha positiva">
            {(attributes) => (
              <Select
                {...attributes}
                placeholder="Nenhuma"
                options={experiment.tratamentos.map(({ nome }, at) => ({
                  value: String(at + 1),
                  label: `T${at + 1} ${nome}`,
                }))}
                value={held.testemunha_positiva ?? ''}
                onChange={({ target }) => put({ testemunha_positiva: Number(target.value) || null })}
              />
            )}
          </Field>
          {DAYS.map(([key, label]) => (
            <TextOf
              key={key}
              label={label}
              day
              value={held[key]}
              onValue={(value) => put({ [key]: value })}
            />
          ))}
          {TEXTS.map(([key, label, longest]) => (
            <TextOf
              key={key}
              label={label}
              longest={longest}
              value={held[key]}
              onValue={(value) => put({ [key]: value })}
            />
          ))}
        </div>
        <fieldset className="flex flex-col gap-3">
          <legend className="mb-2 font-medium">Aplicações</legend>
          {held.aplicacoes.map((one, at) => (
            <Applied
              // biome-ignore lint/suspicious/noArrayIndexKey: an application is its place in the list
              key={at}
              at={at}
              value={one}
              onValue={(part) => application(at, part)}
              onRemove={() => put({ aplicacoes: held.aplicacoes.filter((_, place) => place !== at) })}
            />
          ))}
          <Button
            size="small"
            className="self-start"
            icon={<Plus aria-hidden className="size-4" />}
            disabled={held.aplicacoes.length >= MOST_APPLICATIONS}
            onClick={() => put({ aplicacoes: [...held.aplicacoes, BLANK_APPLICATION] })}
          >
            Adicionar aplicação
          </Button>
        </fieldset>
        {state.error && <Banner tone="danger">{state.error}</Banner>}
        <Button
          variant="primary"
          className="self-start"
          busy={state.busy}
          icon={<Save aria-hidden className="size-4" />}
          onClick={() => void save()}
        >
          Salvar dados para registro
        </Button>
      </div>
    </details>
  )
}

function TextOf({
  label,
  value,
  onValue,
  longest,
  day = false,
}: {
  label: ReactNode
  value: string | null
  onValue: (value: string | null) => void
  longest?: number
  day?: boolean
}) {
  return (
    <Field label={label}>
      {(attributes) => (
        <Input
          {...attributes}
          type={day ? 'date' : 'text'}
          maxLength={longest}
          value={value ?? ''}
          onChange={({ target }) => onValue(target.value || null)}
        />
      )}
    </Field>
  )
}

function Applied({
  at,
  value,
  onValue,
  onRemove,
}: {
  at: number
  value: Application
  onValue: (part: Partial<Application>) => void
  onRemove: () => void
}) {
  const name = (what: string) => (
    <>
      {what}
      <span className="sr-only"> da aplicação {at + 1}</span>
    </>
  )
  return (
    <div className="flex items-end gap-2">
      <div className="grid flex-1 gap-3 sm:grid-cols-5">
        <TextOf label={name('Dia')} day value={value.data} onValue={(data) => onValue({ data })} />
        <TextOf
          label={name('Estádio')}
          longest={40}
          value={value.estadio}
          onValue={(estadio) => onValue({ estadio })}
        />
        <TextOf label={name('Modo')} longest={80} value={value.modo} onValue={(modo) => onValue({ modo })} />
        <Field label={name('Volume')}>
          {(attributes) => (
            <NumberInput
              {...attributes}
              unit="L/ha"
              value={value.volume}
              onValue={(volume) => onValue({ volume: volume ?? null })}
            />
          )}
        </Field>
        <TextOf
          label={name('Equipamento')}
          longest={80}
          value={value.equipamento}
          onValue={(equipamento) => onValue({ equipamento })}
        />
      </div>
      <IconButton label={`Remover a aplicação ${at + 1}`} tone="danger" onClick={onRemove}>
        <Trash2 aria-hidden />
      </IconButton>
    </div>
  )
}
