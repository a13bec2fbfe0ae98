import {
  counted,
  type Evidence,
  type ExtractionResult,
  formatNumber,
  parseNumber,
  REVIEW_CONFIDENCE,
  searchable,
} from '@ensaio/domain'
import { Check, CircleAlert, MapPin } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { type Highlight, PdfViewer } from '../../pdf-viewer/PdfViewer.tsx'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { Field } from '../../ui/Field.tsx'
import { Input, NumberInput, Select } from '../../ui/Input.tsx'
import { Badge, Banner, Card } from '../../ui/Surface.tsx'
import { type ReviewField, reviewGroups, valueAt, withValue } from './review-fields.ts'

/** What the person has changed of what was read. */
export type Corrections = { data: ExtractionResult['data']; paths: ReadonlySet<string> }

type Props = {
  file: File
  result: ExtractionResult
  onConfirm: (result: ExtractionResult) => void
  onCancel: () => void
  confirmLabel?: string
  cancelLabel?: string
  busy?: boolean
  /** Sentences by path, of what was refused when confirming. */
  errors?: Readonly<Record<string, string>>
  /** Where an earlier look at the same report ended. */
  corrections?: Corrections | undefined
  onCorrect?: (corrections: Corrections) => void
}
type Value = string | number | null

/** The report on one side, what was read on the other; each value shows its place. */
export function Review({
  file,
  result,
  onConfirm,
  onCancel,
  confirmLabel = 'Confirmar Dados',
  cancelLabel = 'Cancelar',
  busy = false,
  errors = {},
  corrections,
  onCorrect,
}: Props) {
  const [{ data, paths: corrected }, setCorrections] = useState<Corrections>(
    corrections ?? { data: result.data, paths: new Set() },
  )
  const [active, setActive] = useState<string | null>(null)
  const [selected, setSelected] = useState('')
  const [side, setSide] = useState<'fields' | 'pdf'>('fields')
  const list = useRef<HTMLElement>(null)
  const { fields, confidence } = result.metadata
  const groups = useMemo(() => reviewGroups(data), [data])
  const all = groups.flatMap((group) => group.fields)
  const isDoubtful = (path: string) =>
    !corrected.has(path) && (fields[path]?.confidence ?? 1) < REVIEW_CONFIDENCE
  const doubtful = all.filter(({ path }) => isDoubtful(path))
  const found = all.filter(({ path }) => valueAt(data, path) !== null).length

  const highlights = useMemo<Highlight[]>(
    () =>
      Object.entries(fields).map(([path, evidence]) => ({
        id: path,
        page: evidence.page,
        bbox: evidence.bbox,
        label: `${labelOf(
          path,
          groups.flatMap((group) => group.fields),
        )}: ${evidence.text}`,
        doubtful: !corrected.has(path) && evidence.confidence < REVIEW_CONFIDENCE,
      })),
    [fields, corrected, groups],
  )

  const change = (path: string, value: Value) => {
    const next = { data: withValue(data, path, value), paths: new Set(corrected).add(path) }
    setCorrections(next)
    onCorrect?.(next)
  }
  const target = all.find(({ path }) => path === active)
  const fillWithSelected = (field: ReviewField) => {
    const value = readAs(field, selected)
    if (value !== null) change(field.path, value)
    setSelected('')
    getSelection()?.removeAllRanges()
    setSide('fields')
  }
  const showPlace = (path: string) => {
    setActive(path)
    setSide('pdf')
  }
  const showField = (path: string) => {
    setActive(path)
    setSide('fields')
  }

  useEffect(() => {
    if (side !== 'fields' || !active) return
    list.current?.querySelector(`[data-path="${CSS.escape(active)}"]`)?.scrollIntoView({ block: 'center' })
  }, [active, side])

  const confirm = () => {
    // A corrected value is the person's: what was read says nothing about it any more.
    const kept = Object.fromEntries(Object.entries(fields).filter(([path]) => !corrected.has(path)))
    onConfirm({ data, metadata: { ...result.metadata, fields: kept } })
  }

  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="flex flex-wrap items-center gap-2">
          <Badge tone={confidence < REVIEW_CONFIDENCE ? 'warn' : 'ok'}>
            Confiança: {formatNumber(confidence * 100, 0)}%
          </Badge>
          <Badge>{counted(found, 'campo extraído', 'campos extraídos')}</Badge>
          <Badge>{counted(data.tratamentos.length, 'tratamento', 'tratamentos')}</Badge>
          {confidence < REVIEW_CONFIDENCE && <Badge tone="warn">Revisão recomendada</Badge>}
        </div>
        <div className="flex flex-wrap gap-2">
          <Button onClick={onCancel}>{cancelLabel}</Button>
          <Button
            variant="primary"
            busy={busy}
            icon={<Check aria-hidden className="size-4" />}
            onClick={confirm}
          >
            {confirmLabel}
          </Button>
        </div>
      </div>
      {result.metadata.held && (
        <Banner tone="warn" title="Este documento não parece ser o relatório de um único ensaio.">
          Os tratamentos não foram lidos. Se for mesmo um ensaio, continue e digite-os no cadastro.
        </Banner>
      )}
      {doubtful.length > 0 && (
        <Banner tone="warn" title="Campos para conferir">
          <p>Confira primeiro {doubtful.length === 1 ? 'este campo' : 'estes campos'}:</p>
          <ul className="mt-1 flex flex-wrap gap-x-3 gap-y-1">
            {doubtful.map((field) => (
              <li key={field.path}>
                <button
                  type="button"
                  className="underline underline-offset-4"
                  onClick={() => showField(field.path)}
                >
                  {labelOf(field.path, all)}
                </button>
              </li>
            ))}
          </ul>
        </Banner>
      )}
      <fieldset className="flex gap-1 rounded-md bg-sunken p-1 lg:hidden">
        <legend className="sr-only">Parte mostrada</legend>
        {(['fields', 'pdf'] as const).map((value) => (
          <button
            key={value}
            type="button"
            aria-pressed={side === value}
            onClick={() => setSide(value)}
            className={classes(
              'min-h-9 flex-1 rounded-md font-medium',
              side === value ? 'bg-accent-soft text-accent' : 'text-muted',
            )}
          >
            {value === 'fields' ? 'Campos' : 'Relatório'}
          </button>
        ))}
      </fieldset>
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)]">
        <Card
          role="region"
          aria-label="Relatório"
          tabIndex={0}
          className={classes('h-[62dvh] overflow-auto bg-sunken p-3 lg:block', side !== 'pdf' && 'hidden')}
        >
          {selected && target && (
            <div className="sticky top-0 z-20 mb-3 flex flex-wrap items-center gap-3 rounded-md border border-line bg-surface px-3 py-2 shadow-lg">
              <span className="min-w-0 flex-1 truncate text-small">“{selected}”</span>
              <Button size="small" variant="primary" onClick={() => fillWithSelected(target)}>
                Usar em {labelOf(target.path, all)}
              </Button>
            </div>
          )}
          <PdfViewer
            file={file}
            highlights={highlights}
            active={active}
            onPick={showField}
            onSelectText={setSelected}
          />
        </Card>
        <Card
          ref={list}
          role="region"
          aria-label="Dados extraídos"
          tabIndex={0}
          className={classes('h-[62dvh] overflow-auto lg:block', side !== 'fields' && 'hidden')}
        >
          {groups.map((group) => (
            <section key={group.title} className="border-b border-line px-4 py-4 last:border-0">
              <h2 className="mb-3 font-semibold">{group.title}</h2>
              <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
                {group.fields.map((field) => (
                  <ReviewRow
                    key={field.path}
                    field={field}
                    value={valueAt(data, field.path)}
                    evidence={fields[field.path]}
                    doubtful={isDoubtful(field.path)}
                    corrected={corrected.has(field.path)}
                    active={active === field.path}
                    error={errors[field.path]}
                    onChange={(value) => change(field.path, value)}
                    onShow={() => showPlace(field.path)}
                  />
                ))}
              </div>
            </section>
          ))}
        </Card>
      </div>
    </div>
  )
}

function labelOf(path: string, fields: readonly ReviewField[]): string {
  const label = fields.find((field) => field.path === path)?.label ?? path
  const treatment = /^tratamentos\[(\d+)\]/.exec(path)?.[1]
  return treatment === undefined ? label : `T${Number(treatment) + 1} · ${label}`
}

type RowProps = {
  field: ReviewField
  value: Value
  evidence: Evidence | undefined
  doubtful: boolean
  corrected: boolean
  active: boolean
  error: string | undefined
  onChange: (value: Value) => void
  onShow: () => void
}

function ReviewRow({
  field,
  value,
  evidence,
  doubtful,
  corrected,
  active,
  error,
  onChange,
  onShow,
}: RowProps) {
  return (
    <div
      data-path={field.path}
      className={classes(
        '-m-1.5 rounded-md p-1.5',
        active && 'bg-accent-soft',
        doubtful && !active && 'bg-warn-soft',
      )}
    >
      <Field
        label={field.label}
        error={error}
        help={
          <span className="figures flex flex-wrap items-center gap-x-2">
            {corrected ? (
              'Corrigido por você'
            ) : evidence ? (
              <>
                <button
                  type="button"
                  onClick={onShow}
                  className="inline-flex items-center gap-1 underline underline-offset-4 hover:text-text"
                >
                  <MapPin aria-hidden className="size-3.5" />
                  página {evidence.page}
                </button>
                <span>{formatNumber(evidence.confidence * 100, 0)}%</span>
                {doubtful && (
                  <span className="inline-flex items-center gap-1 font-medium text-warn">
                    <CircleAlert aria-hidden className="size-3.5" />
                    Confira este valor
                  </span>
                )}
              </>
            ) : value === null ? (
              'não consta no relatório'
            ) : undefined}
          </span>
        }
      >
        {(control) =>
          field.options ? (
            <Select
              {...control}
              name={field.path}
              placeholder="–"
              options={withCurrent(field.options, value)}
              value={value === null ? '' : String(value)}
              onFocus={onFocusShow(onShow)}
              onChange={(event) => {
                const chosen = event.target.value
                onChange(chosen === '' ? null : field.kind === 'number' ? Number(chosen) : chosen)
              }}
            />
          ) : field.kind === 'text' ? (
            <Input
              {...control}
              name={field.path}
              value={value === null ? '' : String(value)}
              onFocus={onFocusShow(onShow)}
              onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
            />
          ) : (
            <NumberInput
              {...control}
              name={field.path}
              {...(field.unit ? { unit: field.unit } : {})}
              grouping={field.kind !== 'coordinate'}
              value={typeof value === 'number' ? value : null}
              onFocus={onFocusShow(onShow)}
              onValue={(next) => next !== undefined && onChange(next)}
            />
          )
        }
      </Field>
    </div>
  )
}

/** Beside the page, a field in focus shows its place; on a phone that would hide the field. */
const onFocusShow = (show: () => void) => () => {
  if (matchMedia('(min-width: 1024px)').matches) show()
}

const withCurrent = (options: NonNullable<ReviewField['options']>, value: Value) =>
  value === null || options.some((option) => option.value === String(value))
    ? options
    : [...options, { value: String(value), label: String(value) }]

/** A text selected on the page, as the field takes it; null when it is nothing of the kind. */
function readAs(field: ReviewField, text: string): Value {
  if (field.kind !== 'text') return parseNumber(text, { grouping: field.kind !== 'coordinate' }) ?? null
  const wanted = searchable(text)
  const option = field.options?.find(
    ({ value, label }) => searchable(value) === wanted || searchable(label) === wanted,
  )
  return option?.value ?? text
}
