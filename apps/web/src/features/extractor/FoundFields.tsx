import { counted, type FoundField, formatCurrency, formatNumber, unitBehind } from '@ensaio/domain'
import { FIELD_GROUPS, type ReviewField } from './review-fields.ts'

const FIELDS = FIELD_GROUPS.flatMap((group) => group.fields)

/** What was read so far: a list that grows in its own frame, so that nothing around it moves. */
export function FoundFields({ found }: { found: ReadonlyMap<string, FoundField> }) {
  const treatments = new Set([...found.keys()].map((path) => /^tratamentos\[\d+\]/.exec(path)?.[0]))
  treatments.delete(undefined)
  const known = FIELDS.flatMap((field) => {
    const value = found.get(field.path)?.value
    return value === undefined || value === null ? [] : [{ field, text: written(field, value) }]
  })
  return (
    <div className="w-full max-w-xl text-left">
      <p aria-live="polite" className="figures min-h-6 text-center text-small text-muted">
        {found.size > 0 &&
          `${counted(found.size, 'campo encontrado', 'campos encontrados')}${
            treatments.size > 0 ? ` · ${counted(treatments.size, 'tratamento', 'tratamentos')}` : ''
          }`}
      </p>
      <section aria-label="Campos encontrados" tabIndex={0} className="h-60 overflow-y-auto">
        <dl className="grid gap-x-6 text-small sm:grid-cols-2">
          {known.map(({ field, text }) => (
            <div key={field.path} className="flex min-w-0 items-baseline gap-2 border-b border-line py-1">
              <dt className="shrink-0 text-muted">{field.label}</dt>
              <dd className="figures min-w-0 flex-1 truncate text-right">{text}</dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  )
}

function written(field: ReviewField, value: string | number): string {
  const option = field.options?.find((known) => known.value === String(value))
  if (option) return option.label
  if (typeof value === 'string') return value
  if (field.path === 'ano') return String(value)
  if (field.unit === 'R$/ha') return `${formatCurrency(value)}/ha`
  const digits = field.kind === 'coordinate' ? 6 : 2
  const number = formatNumber(value, digits)
  return number + unitBehind(field.unit ?? '')
}
