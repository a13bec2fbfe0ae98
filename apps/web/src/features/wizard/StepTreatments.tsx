import {
  formatCurrency,
  formatSacks,
  formatYield,
  meanProductivity,
  parseNumber,
  totalCost,
} from '@ensaio/domain'
import { Plus } from 'lucide-react'
import { type ClipboardEvent, useState } from 'react'
import { useFieldArray, useFormContext, useWatch } from 'react-hook-form'
import { Button } from '../../ui/Button.tsx'
import { FieldError } from '../../ui/Field.tsx'
import { AdviceOnTreatments } from './advice.tsx'
import { blankTreatment, type TreatmentValues, type WizardValues } from './form-values.ts'
import { TreatmentRow } from './TreatmentRow.tsx'

const MAX_TREATMENTS = 500
/** The columns of the grid, in the order in which a spreadsheet pastes into them. */
const COLUMNS: readonly ('nome' | 'modalidade' | 'produtividade' | 'custo')[] = [
  'nome',
  'modalidade',
  'produtividade',
  'custo',
]

export function StepTreatments() {
  const { control, getValues, formState, setValue } = useFormContext<WizardValues>()
  const { fields, append, insert, remove, move } = useFieldArray({ control, name: 'tratamentos' })
  const [pasted, setPasted] = useState<string | null>(null)
  const listError = formState.errors.tratamentos?.root?.message ?? formState.errors.tratamentos?.message

  const paste = (event: ClipboardEvent<HTMLElement>) => {
    const place = placeOf(event.target)
    const rows = cellsOf(event.clipboardData.getData('text/plain'))
    if (!place || !rows) return
    event.preventDefault()
    const next = pasteInto(getValues('tratamentos'), rows, place)
    setValue('tratamentos', next, { shouldDirty: true, shouldValidate: formState.isSubmitted })
    setPasted(`${rows.length} ${rows.length === 1 ? 'linha colada' : 'linhas coladas'} da planilha.`)
  }

  return (
    <div className="flex flex-col gap-4" onPaste={paste}>
      <p className="text-small text-muted">
        O primeiro tratamento é sempre a Testemunha (T1). Você pode colar várias linhas e colunas de uma
        planilha: nome, modalidade, produtividade e custo.
      </p>
      <Totals />
      <FieldError message={listError} />
      <AdviceOnTreatments />
      <ol className="flex flex-col gap-4">
        {fields.map((field, index) => (
          <TreatmentRow
            key={field.id}
            index={index}
            last={index === fields.length - 1}
            onMove={(to) => move(index, to)}
            onDuplicate={() => {
              const source = structuredClone(getValues(`tratamentos.${index}`))
              insert(index + 1, {
                ...source,
                nome: index === 0 ? '' : `${source.nome} (cópia)`,
                letra: '',
                das_parcelas: false,
              })
            }}
            onRemove={() => remove(index)}
          />
        ))}
      </ol>
      <div className="flex flex-wrap items-center gap-3">
        <Button
          icon={<Plus aria-hidden className="size-4" />}
          disabled={fields.length >= MAX_TREATMENTS}
          onClick={() => append(blankTreatment(), { focusName: `tratamentos.${fields.length}.nome` })}
        >
          Adicionar Tratamento
        </Button>
        <p role="status" className="text-small text-muted">
          {pasted}
        </p>
      </div>
    </div>
  )
}

/** What the treatments add up to while they are being typed. */
function Totals() {
  const [treatments, cultura] = useWatch<WizardValues, ['tratamentos', 'cultura']>({
    name: ['tratamentos', 'cultura'],
  })
  const known = treatments.flatMap(({ produtividade }) =>
    typeof produtividade === 'number' && Number.isFinite(produtividade) ? [{ produtividade }] : [],
  )
  const mean = meanProductivity(known)
  const cost = totalCost(treatments.map(({ custo }) => ({ custo: Number.isNaN(custo) ? null : custo })))
  const sacks = formatSacks(mean, cultura)
  return (
    <dl
      className="figures flex flex-wrap gap-x-8 gap-y-2 rounded-md bg-sunken px-4 py-3 text-small"
      aria-live="polite"
    >
      <div>
        <dt className="text-muted">Tratamentos</dt>
        <dd className="font-semibold">{treatments.length}</dd>
      </div>
      <div>
        <dt className="text-muted">Produtividade média</dt>
        <dd className="font-semibold">
          {formatYield(mean)}
          {sacks && <span className="font-normal text-muted"> · {sacks}</span>}
        </dd>
      </div>
      <div>
        <dt className="text-muted">Custo total</dt>
        <dd className="font-semibold">
          {cost === null ? '–' : `${formatCurrency(cost)}/ha`}
          <span className="font-normal text-muted">
            {' '}
            · soma de todos os tratamentos, que são alternativas
          </span>
        </dd>
      </div>
    </dl>
  )
}

/** Where in the grid the paste began, from the name of the focused control. */
function placeOf(target: EventTarget): { row: number; column: number } | null {
  const name = target instanceof Element ? (target.getAttribute('name') ?? '') : ''
  const match = /^tratamentos\.(\d+)\.(\w+)$/.exec(name)
  const column = COLUMNS.indexOf((match?.[2] ?? '') as (typeof COLUMNS)[number])
  return match && column >= 0 ? { row: Number(match[1]), column } : null
}

/** The cells of a copied range; null when it is a single cell, which is pasted as text. */
function cellsOf(text: string): string[][] | null {
  const rows = text
    .replace(/\r\n?/g, '\n')
    .replace(/\n+$/, '')
    .split('\n')
    .map((line) => line.split('\t').map((cell) => cell.trim()))
  return rows.length > 1 || (rows[0]?.length ?? 0) > 1 ? rows : null
}

function pasteInto(
  treatments: readonly TreatmentValues[],
  rows: readonly string[][],
  { row, column }: { row: number; column: number },
): TreatmentValues[] {
  const next = structuredClone([...treatments])
  for (const [offset, cells] of rows.entries()) {
    const index = row + offset
    if (index >= MAX_TREATMENTS) break
    const treatment = next[index] ?? blankTreatment()
    next[index] = treatment
    for (const [shift, cell] of cells.entries()) {
      const key = COLUMNS[column + shift]
      if (key === undefined || (key === 'produtividade' && treatment.das_parcelas)) continue
      if (key === 'produtividade' || key === 'custo') {
        const value = cell === '–' || cell === '-' ? null : parseNumber(cell)
        treatment[key] = value === undefined ? Number.NaN : value
      } else if (!(key === 'nome' && index === 0)) treatment[key] = cell
    }
  }
  return next
}
