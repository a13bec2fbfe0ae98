import { counted, FIELD_KEYS, MODALITIES } from '@ensaio/domain'
import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input, NumberInput, Select } from '../../ui/Input.tsx'
import { FIELD_GROUPS, type ReviewField } from './review-fields.ts'
import { type ReviewState, withMode, withoutMode, withSharedField } from './review-state.ts'
import type { Ready } from './use-batch.ts'

/** Of the treatments: all of a report that have none get it. */
const MODE: ReviewField = {
  path: 'tratamentos.modalidade',
  label: 'Modalidade dos tratamentos',
  kind: 'text',
  options: MODALITIES.map((value) => ({ value, label: value })),
}
type Fill = (ids: readonly string[], change: (state: ReviewState) => ReviewState) => void

/** What several reports lack is filled in once for all of them. */
export function SharedFixes({ items, onFill }: { items: readonly Ready[]; onFill: Fill }) {
  const shared = FIELD_GROUPS.flatMap(({ fields }) => fields).flatMap((field) => {
    const key = FIELD_KEYS.find((known) => known === field.path)
    const lacking = key && field.required ? items.filter(({ state }) => state.review.data[key] === null) : []
    return lacking.length > 1 ? [{ field, ids: lacking.map(({ id }) => id) }] : []
  })
  const unmoded = items.filter(({ state }) => withoutMode(state.review).length > 0)
  if (unmoded.length > 1) shared.push({ field: MODE, ids: unmoded.map(({ id }) => id) })
  if (shared.length === 0) return null
  return (
    <ul className="grid gap-4 border-b border-line px-5 py-3 sm:grid-cols-2 xl:grid-cols-3">
      {shared.map(({ field, ids }) => (
        <SharedFix key={field.path} field={field} ids={ids} onFill={onFill} />
      ))}
    </ul>
  )
}

function SharedFix({ field, ids, onFill }: { field: ReviewField; ids: readonly string[]; onFill: Fill }) {
  const [value, setValue] = useState<string | number | null>(null)
  return (
    <li>
      <Field
        label={`${field.label} em ${counted(ids.length, 'relatório', 'relatórios')}`}
        help="Falta em todos estes; onde já há valor, nada muda."
      >
        {(control) => (
          <span className="flex items-start gap-2">
            {field.options ? (
              <Select
                {...control}
                placeholder="–"
                options={field.options}
                value={value === null ? '' : String(value)}
                onChange={(event) => {
                  const chosen = event.target.value
                  setValue(chosen === '' ? null : field.kind === 'number' ? Number(chosen) : chosen)
                }}
              />
            ) : field.kind === 'text' ? (
              <Input
                {...control}
                value={value === null ? '' : String(value)}
                onChange={(event) => setValue(event.target.value || null)}
              />
            ) : (
              <NumberInput
                {...control}
                {...(field.unit ? { unit: field.unit } : {})}
                value={typeof value === 'number' ? value : null}
                onValue={(next) => setValue(next ?? null)}
              />
            )}
            <Button
              className="shrink-0"
              disabled={value === null}
              onClick={() => value !== null && onFill(ids, filled(field, value))}
            >
              Preencher
            </Button>
          </span>
        )}
      </Field>
    </li>
  )
}

const filled = (field: ReviewField, value: string | number) => (state: ReviewState) =>
  field === MODE ? withMode(state, String(value), withSharedField) : withSharedField(state, field.path, value)
