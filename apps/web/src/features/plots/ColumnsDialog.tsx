import {
  type Experiment,
  formatNumber,
  holdsText,
  keyFor,
  type TrialDate,
  type TrialVariable,
  VARIABLE_TYPES,
} from '@ensaio/domain'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Checkbox, Input, NumberInput, Select } from '../../ui/Input.tsx'
import { Banner } from '../../ui/Surface.tsx'
import { CollectionFields } from './CollectionFields.tsx'
import { Factors } from './Factors.tsx'
import { type Draft, isFilled, lostBy, withColumns } from './sheet-state.ts'

const TYPE_NAMES: Record<(typeof VARIABLE_TYPES)[number], string> = {
  continua: 'Contínua',
  contagem: 'Contagem',
  percentual: 'Percentual (0 a 100)',
  nota: 'Nota',
  data: 'Data',
  texto: 'Texto',
}
const TYPES = VARIABLE_TYPES.map((value) => ({ value, label: TYPE_NAMES[value] }))
const BETTER = [
  { value: '', label: 'Sem sentido' },
  { value: 'maior', label: 'Maior é melhor' },
  { value: 'menor', label: 'Menor é melhor' },
]

type Editing = { variable: TrialVariable; dates: (string | null)[] }

/** What is measured, on which dates, and what the treatments are: the columns of the grid follow. */
export function ColumnsDialog({
  draft,
  experiment,
  readOnly,
  onClose,
  onChange,
}: {
  draft: Draft
  experiment: Experiment
  readOnly: boolean
  onClose: () => void
  onChange: (part: Partial<Draft>) => void
}) {
  const [items, setItems] = useState<Editing[]>(() =>
    draft.variaveis.map((variable) => ({
      variable,
      dates: draft.valores
        .filter(({ variavel }) => variavel === variable.chave)
        .map(({ avaliacao }) => avaliacao),
    })),
  )
  const [dates, setDates] = useState<TrialDate[]>([...draft.avaliacoes])
  const [control, setControl] = useState(String(draft.testemunha ?? ''))
  const [factors, setFactors] = useState(draft.fatores)
  const [levels, setLevels] = useState(draft.tratamentos)
  /** How many values go, once that was said. */
  const [told, setTold] = useState(0)

  const set = (at: number, part: Partial<TrialVariable>) =>
    setItems(items.map((item, i) => (i === at ? { ...item, variable: { ...item.variable, ...part } } : item)))
  const toggle = (at: number, date: string | null, on: boolean) =>
    setItems(
      items.map((item, i) =>
        i === at
          ? { ...item, dates: on ? [...item.dates, date] : item.dates.filter((one) => one !== date) }
          : item,
      ),
    )
  const addVariable = () =>
    setItems([
      ...items,
      {
        variable: {
          ...{ chave: '', nome: '', unidade: '', tipo: 'continua', papel: 'resposta', maior_melhor: null },
          ...{ produtividade: false, escala: null, formula: null },
        } as TrialVariable,
        dates: dates.length === 0 ? [null] : dates.map(({ chave }) => chave),
      },
    ])
  const done = () => {
    const taken = new Set<string>()
    const named = items
      .filter(({ variable }) => variable.nome.trim() !== '')
      .map(({ variable, dates: on }) => {
        const chave =
          variable.chave ||
          keyFor(variable.nome, new Set([...taken, ...items.map((item) => item.variable.chave)]))
        taken.add(chave)
        const categorias = variable.categorias?.filter(({ rotulo }) => rotulo.trim() !== '')
        return {
          variable: { ...variable, chave, nome: variable.nome.trim(), ...(categorias && { categorias }) },
          dates: on,
        }
      })
    const lost = lostBy(draft, named)
    if (lost > 0 && lost !== told) return setTold(lost)
    const order = [null, ...dates.map(({ chave }) => chave)]
    const wanted = named.flatMap(({ variable, dates: on }) =>
      variable.formula
        ? []
        : order
            .filter((date) => on.includes(date))
            .map((avaliacao) => ({ variavel: variable.chave, avaliacao })),
    )
    const { valores } = withColumns(draft, wanted)
    onChange({
      valores,
      variaveis: named.map(({ variable }) => variable),
      avaliacoes: dates,
      testemunha: control === '' ? null : Number(control),
      fatores: factors,
      tratamentos: levels,
    })
  }
  const weight = items.find(({ variable }) => variable.chave === 'peso')
  const relative = new Set(
    items.flatMap(({ variable: { formula } }) =>
      formula?.tipo === 'percentual_testemunha' ? [formula.de] : [],
    ),
  )
  const hasYield = items.some(({ variable }) => variable.produtividade)

  return (
    <Dialog
      open
      onClose={onClose}
      title="Colunas e tratamentos"
      description="O que se mede, em que avaliações, e os fatores"
      size="large"
      footer={
        <>
          <Button onClick={onClose}>{readOnly ? 'Voltar' : 'Cancelar'}</Button>
          {!readOnly && (
            <Button variant={told > 0 ? 'danger' : 'primary'} onClick={done}>
              {told > 0 ? 'Aplicar mesmo assim' : 'Aplicar'}
            </Button>
          )}
        </>
      }
    >
      {told > 0 && (
        <Banner tone="danger" className="mb-4">
          {told === 1 ? '1 valor sai' : `${formatNumber(told, 0)} valores saem`} da ficha: o que foi retirado,
          ou mudou entre número e texto, não guarda o que tinha.
        </Banner>
      )}
      <fieldset disabled={readOnly} className="flex flex-col gap-6">
        <section className="flex flex-col gap-3">
          <h3 className="font-semibold">Avaliações</h3>
          <p className="text-small text-muted">Deixe vazio se cada variável é medida uma vez só.</p>
          {dates.map((date, at) => (
            <div key={date.chave} className="flex flex-wrap items-end gap-2">
              <Field label="Nome" className="min-w-40 flex-1">
                {(box) => (
                  <Input
                    {...box}
                    value={date.nome}
                    maxLength={60}
                    onChange={(event) =>
                      setDates(dates.map((one, i) => (i === at ? { ...one, nome: event.target.value } : one)))
                    }
                  />
                )}
              </Field>
              <Field label="Dias após a aplicação" className="w-44">
                {(box) => (
                  <NumberInput
                    {...box}
                    value={date.daa}
                    onValue={(daa) =>
                      daa !== undefined && setDates(dates.map((one, i) => (i === at ? { ...one, daa } : one)))
                    }
                  />
                )}
              </Field>
              <Field label="Data" className="w-44">
                {(box) => (
                  <Input
                    {...box}
                    type="date"
                    value={date.data ?? ''}
                    onChange={(event) =>
                      setDates(
                        dates.map((one, i) =>
                          i === at ? { ...one, data: event.target.value || null } : one,
                        ),
                      )
                    }
                  />
                )}
              </Field>
              <IconButton
                label={`Retirar ${date.nome}`}
                tone="danger"
                onClick={() => {
                  setDates(dates.filter((_, i) => i !== at))
                  setItems(
                    items.map((item) => ({ ...item, dates: item.dates.filter((one) => one !== date.chave) })),
                  )
                }}
              >
                <Trash2 aria-hidden />
              </IconButton>
            </div>
          ))}
          <div>
            <Button
              size="small"
              icon={<Plus aria-hidden className="size-4" />}
              onClick={() => {
                const nome = `Avaliação ${dates.length + 1}`
                setDates([
                  ...dates,
                  {
                    chave: keyFor(nome, new Set(dates.map(({ chave }) => chave))),
                    nome,
                    data: null,
                    daa: null,
                    estadio: null,
                  },
                ])
              }}
            >
              Adicionar avaliação
            </Button>
          </div>
        </section>
        <section className="flex flex-col gap-3">
          <h3 className="font-semibold">Variáveis</h3>
          {items.map(({ variable, dates: on }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a variable being named has no key yet
            <div key={at} className="flex flex-col gap-2 rounded-md border border-line px-3 py-3">
              <div className="flex flex-wrap items-end gap-2">
                <Field label="Nome" className="min-w-40 flex-1">
                  {(box) => (
                    <Input
                      {...box}
                      value={variable.nome}
                      maxLength={80}
                      onChange={(event) => set(at, { nome: event.target.value })}
                    />
                  )}
                </Field>
                <Field label="Unidade" className="w-28">
                  {(box) => (
                    <Input
                      {...box}
                      value={variable.unidade}
                      maxLength={40}
                      onChange={(event) => set(at, { unidade: event.target.value })}
                    />
                  )}
                </Field>
                <Field label="Tipo" className="w-44">
                  {(box) => (
                    <Select
                      {...box}
                      value={variable.tipo}
                      options={TYPES}
                      onChange={(event) => set(at, { tipo: event.target.value as TrialVariable['tipo'] })}
                    />
                  )}
                </Field>
                <Field label="Sentido" className="w-44">
                  {(box) => (
                    <Select
                      {...box}
                      value={variable.maior_melhor === null ? '' : variable.maior_melhor ? 'maior' : 'menor'}
                      options={BETTER}
                      onChange={(event) =>
                        set(at, {
                          maior_melhor: event.target.value === '' ? null : event.target.value === 'maior',
                        })
                      }
                    />
                  )}
                </Field>
                <IconButton
                  label={`Retirar ${variable.nome || 'variável'}`}
                  tone="danger"
                  onClick={() => setItems(items.filter((_, i) => i !== at))}
                >
                  <Trash2 aria-hidden />
                </IconButton>
              </div>
              <div className="flex flex-wrap gap-x-5 gap-y-2">
                <Checkbox
                  label="É a produtividade (kg/ha)"
                  checked={variable.produtividade}
                  disabled={!variable.produtividade && hasYield}
                  onChange={(event) =>
                    set(at, {
                      produtividade: event.target.checked,
                      ...(event.target.checked && { unidade: 'kg/ha' }),
                    })
                  }
                />
                <Checkbox
                  label="Covariável"
                  checked={variable.papel === 'covariavel'}
                  onChange={(event) => set(at, { papel: event.target.checked ? 'covariavel' : 'resposta' })}
                />
                {variable.formula && <span className="text-small text-muted">ƒ calculada</span>}
                {!variable.formula &&
                  variable.chave !== '' &&
                  !holdsText(variable) &&
                  !relative.has(variable.chave) && (
                    <Button
                      size="small"
                      variant="quiet"
                      onClick={() => setItems([...items, relativeTo(variable)])}
                    >
                      + % da Testemunha
                    </Button>
                  )}
                {!variable.formula &&
                  dates.length > 0 &&
                  [{ chave: null, nome: 'sem avaliação' }, ...dates].map(({ chave, nome }) => (
                    <Checkbox
                      key={chave ?? '-'}
                      label={nome}
                      checked={on.includes(chave)}
                      onChange={(event) => toggle(at, chave, event.target.checked)}
                    />
                  ))}
              </div>
              <CollectionFields
                variable={variable}
                filled={isFilled(draft, variable.chave)}
                onChange={(part) => set(at, part)}
              />
            </div>
          ))}
          <div className="flex flex-wrap gap-2">
            <Button size="small" icon={<Plus aria-hidden className="size-4" />} onClick={addVariable}>
              Adicionar variável
            </Button>
            {!hasYield && !weight && (
              <Button
                size="small"
                icon={<Plus aria-hidden className="size-4" />}
                onClick={() => setItems([...items, ...yieldFromWeight])}
              >
                Produtividade a partir do peso da parcela
              </Button>
            )}
          </div>
        </section>
        <section className="flex flex-col gap-3">
          <h3 className="font-semibold">Tratamentos</h3>
          <Field label="Testemunha" className="max-w-72">
            {(box) => (
              <Select
                {...box}
                value={control}
                placeholder="Nenhuma"
                options={experiment.tratamentos.map(({ nome }, at) => ({
                  value: String(at + 1),
                  label: `T${at + 1} ${nome}`,
                }))}
                onChange={(event) => setControl(event.target.value)}
              />
            )}
          </Field>
          <Factors
            draft={{ ...draft, fatores: factors, tratamentos: levels }}
            experiment={experiment}
            onFactors={setFactors}
            onLevels={setLevels}
          />
        </section>
      </fieldset>
    </Dialog>
  )
}

const base = {
  papel: 'resposta',
  escala: null,
  tipo: 'continua',
  maior_melhor: null,
  produtividade: false,
  formula: null,
} as const
/** A variable as % of the control within its block. */
const relativeTo = ({ chave, nome }: TrialVariable): Editing => ({
  variable: {
    ...base,
    chave: `${chave.slice(0, 48)}_relativa`,
    nome: `${nome.slice(0, 60)}, % da Testemunha`,
    unidade: '%',
    formula: { tipo: 'percentual_testemunha', de: chave },
  },
  dates: [],
})
const yieldFromWeight: Editing[] = [
  { variable: { ...base, chave: 'peso', nome: 'Peso da parcela', unidade: 'kg' }, dates: [null] },
  {
    variable: { ...base, chave: 'umidade', nome: 'Umidade', unidade: '%', tipo: 'percentual' },
    dates: [null],
  },
  {
    variable: {
      ...{
        ...base,
        chave: 'produtividade',
        nome: 'Produtividade',
        unidade: 'kg/ha',
        produtividade: true,
        maior_melhor: true,
      },
      formula: { tipo: 'rendimento', peso: 'peso', umidade: 'umidade', u0: 13 },
    },
    dates: [],
  },
]
