import {
  ANALYSIS_NAMES,
  ANALYSIS_UNITS,
  CONTROL_MODALITY,
  DOSE_UNITS,
  formatCurrency,
  formatSacks,
  MODALITIES,
  PRODUCTS_BY_BRAND,
} from '@ensaio/domain'
import { ChevronDown, ChevronUp, Copy, Plus, Trash2 } from 'lucide-react'
import { useContext } from 'react'
import { useFieldArray, useFormContext, useWatch } from 'react-hook-form'
import { Link } from 'react-router'
import { useEndpoint } from '../../api/queries.ts'
import { recordPage } from '../../shell/paths.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { NumberField, SelectField, TextField } from './fields.tsx'
import { blankAnalysis, blankProduct, type WizardValues } from './form-values.ts'
import { PlotsContext } from './plots-context.ts'

type Props = {
  index: number
  last: boolean
  onMove: (to: number) => void
  onDuplicate: () => void
  onRemove: () => void
}

export function TreatmentRow({ index, last, onMove, onDuplicate, onRemove }: Props) {
  const control = index === 0
  const path = `tratamentos.${index}` as const
  const [produtividade, cultura, products, dasParcelas] = useWatch<
    WizardValues,
    [
      `tratamentos.${number}.produtividade`,
      'cultura',
      `tratamentos.${number}.produtos_aplicados`,
      `tratamentos.${number}.das_parcelas`,
    ]
  >({ name: [`${path}.produtividade`, 'cultura', `${path}.produtos_aplicados`, `${path}.das_parcelas`] })
  const ofPlots = dasParcelas === true
  const sacks = formatSacks(produtividade, cultura)
  const productCost = (products ?? []).reduce(
    (sum, { custo }) => sum + (Number.isFinite(custo) ? (custo ?? 0) : 0),
    0,
  )
  const code = `T${index + 1}`

  return (
    <li>
      <fieldset className="min-w-0 rounded-md border border-line">
        <legend className="sr-only">
          Tratamento {code}
          {control ? ' (Testemunha)' : ''}
        </legend>
        <div className="flex items-center justify-between gap-2 border-b border-line bg-sunken/60 px-4 py-1.5">
          <span aria-hidden className="figures text-small font-semibold">
            {code}
            {control && <span className="font-normal text-muted"> · controle</span>}
          </span>
          <div className="flex">
            <IconButton
              label={`Mover ${code} para cima`}
              disabled={index <= 1}
              onClick={() => onMove(index - 1)}
            >
              <ChevronUp aria-hidden />
            </IconButton>
            <IconButton
              label={`Mover ${code} para baixo`}
              disabled={control || last}
              onClick={() => onMove(index + 1)}
            >
              <ChevronDown aria-hidden />
            </IconButton>
            <IconButton label={`Duplicar ${code}`} onClick={onDuplicate}>
              <Copy aria-hidden />
            </IconButton>
            <IconButton label={`Remover ${code}`} tone="danger" disabled={control} onClick={onRemove}>
              <Trash2 aria-hidden />
            </IconButton>
          </div>
        </div>
        <div className="grid items-start gap-4 px-4 py-4 sm:grid-cols-2 xl:grid-cols-[minmax(0,1.5fr)_minmax(0,1fr)_minmax(0,1.2fr)_minmax(0,1.2fr)]">
          <TextField name={`${path}.nome`} label="Nome" required readOnly={control} />
          <SelectField
            name={`${path}.modalidade`}
            label="Modalidade"
            required
            options={control ? [CONTROL_MODALITY, ...MODALITIES] : MODALITIES}
          />
          <NumberField
            name={`${path}.produtividade`}
            label="Produtividade (kg/ha)"
            required
            unit="kg/ha"
            readOnly={ofPlots}
            help={ofPlots ? <OfPlots sacks={sacks} /> : (sacks ?? undefined)}
          />
          <NumberField
            name={`${path}.custo`}
            label="Custo (R$/ha)"
            money
            unit="R$/ha"
            help={productCost > 0 ? `Produtos: ${formatCurrency(productCost)}` : undefined}
          />
        </div>
        <div className="flex flex-col gap-4 border-t border-line px-4 py-4">
          <Products index={index} />
          <Analyses index={index} />
        </div>
      </fieldset>
    </li>
  )
}

/** The yield is what the plots say: it is changed there. */
function OfPlots({ sacks }: { sacks: string | null }) {
  const id = useContext(PlotsContext)
  return (
    <>
      calculada das parcelas
      {sacks && <> · {sacks}</>}
      {id !== null && (
        <>
          {' · '}
          <Link to={recordPage(id, 'parcelas')} className="text-accent underline underline-offset-4">
            Ver parcelas
          </Link>
        </>
      )}
    </>
  )
}

function useProductNames(): string[] {
  const marca = useWatch<WizardValues, 'marca'>({ name: 'marca' })
  const lookup = useEndpoint('lookupProducts', {}, { staleTime: 3_600_000 })
  const byBrand: Record<string, readonly string[]> = lookup.data?.produtosPorMarca ?? PRODUCTS_BY_BRAND
  const own = byBrand[marca] ?? []
  return [...own, ...Object.entries(byBrand).flatMap(([brand, names]) => (brand === marca ? [] : names))]
}

function Products({ index }: { index: number }) {
  const { control } = useFormContext<WizardValues>()
  const path = `tratamentos.${index}.produtos_aplicados` as const
  const { fields, append, remove } = useFieldArray({ control, name: path })
  const names = useProductNames()
  return (
    <div className="flex flex-col gap-3">
      {fields.length > 0 && <h3 className="text-small font-semibold">Produtos aplicados</h3>}
      {fields.map((field, product) => (
        <div
          key={field.id}
          className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-start gap-3 md:grid-cols-[minmax(0,1.5fr)_minmax(0,0.7fr)_minmax(0,1.5fr)_minmax(0,1.3fr)_auto]"
        >
          <TextField
            name={`${path}.${product}.nome`}
            label="Produto"
            required
            list={names}
            className="col-span-2 md:col-span-1"
          />
          <NumberField name={`${path}.${product}.dose`} label="Dose" />
          <SelectField
            name={`${path}.${product}.unidade`}
            label="Unidade"
            options={DOSE_UNITS}
            placeholder="–"
            className="col-span-2 md:col-span-1"
          />
          <NumberField
            name={`${path}.${product}.custo`}
            label="Custo do produto"
            money
            unit="R$/ha"
            className="col-span-3 md:col-span-1"
          />
          <IconButton
            label={`Remover produto ${product + 1} de T${index + 1}`}
            tone="danger"
            className="col-start-3 row-start-1 mt-6 md:col-start-auto md:row-start-auto"
            onClick={() => remove(product)}
          >
            <Trash2 aria-hidden />
          </IconButton>
        </div>
      ))}
      <div>
        <Button
          size="small"
          icon={<Plus aria-hidden className="size-4" />}
          onClick={() => append(blankProduct(), { focusName: `${path}.${fields.length}.nome` })}
        >
          Adicionar Produto
        </Button>
      </div>
    </div>
  )
}

function Analyses({ index }: { index: number }) {
  const { control } = useFormContext<WizardValues>()
  const path = `tratamentos.${index}.analises_adicionais` as const
  const { fields, append, remove } = useFieldArray({ control, name: path })
  return (
    <div className="flex flex-col gap-3">
      {fields.length > 0 && <h3 className="text-small font-semibold">Análises adicionais</h3>}
      {fields.map((field, analysis) => (
        <div
          key={field.id}
          className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-start gap-3 md:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)_auto]"
        >
          <TextField
            name={`${path}.${analysis}.nome`}
            label="Análise"
            required
            list={ANALYSIS_NAMES}
            className="col-span-2 md:col-span-1"
          />
          <NumberField name={`${path}.${analysis}.valor`} label="Valor" required />
          <TextField
            name={`${path}.${analysis}.unidade`}
            label="Unidade da análise"
            list={ANALYSIS_UNITS}
            className="col-span-2 md:col-span-1"
          />
          <IconButton
            label={`Remover análise ${analysis + 1} de T${index + 1}`}
            tone="danger"
            className="col-start-3 row-start-1 mt-6 md:col-start-auto md:row-start-auto"
            onClick={() => remove(analysis)}
          >
            <Trash2 aria-hidden />
          </IconButton>
        </div>
      ))}
      <div>
        <Button
          size="small"
          icon={<Plus aria-hidden className="size-4" />}
          onClick={() => append(blankAnalysis(), { focusName: `${path}.${fields.length}.nome` })}
        >
          Adicionar Análise
        </Button>
      </div>
    </div>
  )
}
