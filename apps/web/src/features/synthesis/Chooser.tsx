import { formatNumber } from '@ensaio/domain'
import { type ComponentProps, useState } from 'react'
import { useEndpoint } from '../../api/queries.ts'
import { Combobox } from '../../ui/Combobox.tsx'
import { Field } from '../../ui/Field.tsx'
import { Checkbox, Input, NumberInput, Select } from '../../ui/Input.tsx'
import { Card, CardHeader } from '../../ui/Surface.tsx'
import type { SynthesisAddress } from './synthesis-address.ts'

const MEASURES = [
  { value: '', label: 'Como convier' },
  { value: 'diferenca', label: 'Diferença (un/ha)' },
  { value: 'lnrr', label: 'Razão (%)' },
]

/** What is compared, and how. */
export function Chooser({ address }: { address: SynthesisAddress }) {
  const { query, product, filter, set } = address
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? product
  const products = useEndpoint(
    'synthesisProducts',
    { query: { ...filter, ...(typed && { busca: typed.slice(0, 200) }) } },
    { keep: true },
  )
  const choose = (name: string) => {
    setTyped(null)
    if (name !== product) set({ comparar: name, incluir: '', retirar: '' })
  }
  return (
    <Card>
      <CardHeader title="Síntese de ensaios" subtitle="Um efeito por ensaio do filtro, contra a Testemunha" />
      <div className="grid gap-4 px-5 pb-4 sm:grid-cols-2 lg:grid-cols-4">
        <Field label="Produto a comparar" className="sm:col-span-2 lg:col-span-1">
          {(control) => (
            <Combobox
              {...control}
              value={text}
              maxLength={200}
              placeholder="Nome do produto"
              options={(products.data?.produtos ?? []).map(({ produto, ensaios }) => ({
                value: produto,
                item: produto,
                detail: `${formatNumber(ensaios, 0)} ${ensaios === 1 ? 'ensaio' : 'ensaios'}`,
              }))}
              note={
                products.isError
                  ? 'Não foi possível buscar os produtos'
                  : products.data?.produtos.length === 0
                    ? 'Nenhum produto nos ensaios do filtro'
                    : undefined
              }
              onText={setTyped}
              onChoose={choose}
              onBlur={() => typed !== null && choose(typed.trim())}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && typed !== null) choose(typed.trim())
              }}
            />
          )}
        </Field>
        <Field label="Medida do efeito">
          {(control) => (
            <Select
              {...control}
              options={MEASURES}
              value={query.medida ?? ''}
              onChange={(event) => set({ medida: event.target.value })}
            />
          )}
        </Field>
        <Field label="Preço de venda">
          {(control) => (
            <NumberInput
              {...control}
              unit="R$"
              money
              value={query.preco ?? null}
              onValue={(value) => value !== undefined && set({ preco_sc: value ? String(value) : '' })}
            />
          )}
        </Field>
        <Field label="Peso da unidade">
          {(control) => (
            <NumberInput
              {...control}
              unit="kg"
              value={query.kg_por_unidade ?? 60}
              disabled={query.preco === undefined}
              onValue={(value) =>
                value !== undefined && set({ kg_un: value && value !== 60 ? String(value) : '' })
              }
            />
          )}
        </Field>
      </div>
      <Conditions address={address} />
      <div className="flex flex-wrap gap-x-6 gap-y-2 px-5 pb-5">
        <Checkbox
          label="Só onde o produto está sozinho"
          checked={query.sozinho === '1'}
          onChange={(event) => set({ sozinho: event.target.checked ? '1' : '' })}
        />
        <Checkbox
          label="Imputar pela mediana do CV"
          checked={query.imputar === '1'}
          onChange={(event) => set({ imputar: event.target.checked ? '1' : '' })}
        />
      </div>
    </Card>
  )
}

/** What narrows the comparison: a dose, another variable, a treatment by its name in place of a product. */
function Conditions({ address: { query, product, set } }: { address: SynthesisAddress }) {
  const { tratamento = '', variavel = '', dose_min = null, dose_max = null } = query
  const inUse = Boolean(tratamento || variavel) || dose_min !== null || dose_max !== null
  // What was opened stays open when its last condition is taken off.
  const [open, setOpen] = useState(inUse)
  const dose = (key: 'dose_min' | 'dose_max') => (value: number | null | undefined) => {
    if (value !== undefined && (value === null || value >= 0))
      set({ [key]: value === null ? '' : String(value) })
  }
  const crossed = dose_min !== null && dose_max !== null && dose_min > dose_max
  return (
    <details
      open={open || inUse}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="mx-5 mb-4 border-y border-line"
    >
      <summary className="cursor-pointer py-2 text-small font-medium">
        Dose, variável e tratamento comparados
      </summary>
      <div className="grid gap-4 pt-1 pb-4 sm:grid-cols-2 lg:grid-cols-4">
        <Field
          label="Dose mínima"
          help={
            tratamento
              ? 'Vale para um produto'
              : 'Na unidade em que o produto mais é dosado; mL e L, g e kg se convertem'
          }
          error={crossed ? 'A dose mínima passa da máxima' : undefined}
        >
          {(control) => (
            <NumberInput
              {...control}
              value={dose_min}
              disabled={tratamento !== '' || product === ''}
              onValue={dose('dose_min')}
            />
          )}
        </Field>
        <Field label="Dose máxima">
          {(control) => (
            <NumberInput
              {...control}
              value={dose_max}
              disabled={tratamento !== '' || product === ''}
              onValue={dose('dose_max')}
            />
          )}
        </Field>
        <Field label="Variável comparada" help="Nome ou chave; vazio, a produtividade">
          {(control) => (
            <Committed {...control} value={variavel} onCommit={(text) => set({ variavel: text })} />
          )}
        </Field>
        <Field label="Tratamento no lugar do produto" help="O nome dele nos ensaios">
          {(control) => (
            <Committed {...control} value={tratamento} onCommit={(text) => set({ tratamento: text })} />
          )}
        </Field>
      </div>
    </details>
  )
}

type CommittedProps = Omit<ComponentProps<typeof Input>, 'value' | 'onChange'> & {
  value: string
  onCommit: (text: string) => void
}

/** A text that is asked for when it is left, or at Enter: not at every letter. */
function Committed({ value, onCommit, ...rest }: CommittedProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const commit = () => {
    if (typed !== null && typed.trim() !== value) onCommit(typed.trim())
    setTyped(null)
  }
  return (
    <Input
      {...rest}
      value={typed ?? value}
      maxLength={200}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit()
      }}
    />
  )
}
