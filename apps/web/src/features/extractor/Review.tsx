import {
  completenessOf,
  counted,
  type ExtractionResult,
  formatNumber,
  parseNumber,
  REQUIRED_PARTS,
  REVIEW_CONFIDENCE,
  searchable,
} from '@ensaio/domain'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { ApiError, call, reasonOf } from '../../api/client.ts'
import { type Highlight, PdfViewer } from '../../pdf-viewer/PdfViewer.tsx'
import { useAdvice } from '../../shell/advice.tsx'
import { useStable } from '../../shell/stable.ts'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { Badge, Banner, Card } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'
import { confidenceInWords } from './confidence-words.ts'
import { useProposals } from './proposals.ts'
import { ReportedLine } from './ReportedLine.tsx'
import { ReviewRow, type RowState } from './ReviewRow.tsx'
import { ReviewTables } from './ReviewTables.tsx'
import { ReviewTreatments } from './ReviewTreatments.tsx'
import { isLetter, reportedParts } from './reported-parts.ts'
import { allFields, FIELD_GROUPS, labelOf, type ReviewField, valueAt } from './review-fields.ts'
import { isDoubtful, type ReviewState, teaches, withField, withoutMode } from './review-state.ts'
import { useReread } from './use-reread.ts'

type Change = (before: ReviewState) => ReviewState
type Props = {
  file: File
  result: ExtractionResult
  state: ReviewState
  onState: (change: Change) => void
  /** What can be done with the whole. */
  actions: ReactNode
  /** Sentences by path, of what was refused when confirming. */
  errors?: Readonly<Record<string, string>>
  /** The field that it is opened for. */
  focus?: string | null
  /** It is being read again: what stands there now is not what the person means. */
  onBusy?: (busy: boolean) => void
}
type Panel = 'fields' | 'tables'

const PANELS: readonly (readonly [Panel | 'pdf', string])[] = [
  ['fields', 'Campos'],
  ['tables', 'Tabelas'],
  ['pdf', 'Relatório'],
]
const TABLE = 'tabela:'

/** The report on one side, what was read on the other; each value shows its place. */
export function Review({ file, result, state, onState, actions, errors = {}, focus = null, onBusy }: Props) {
  const { data, fields } = state
  const [active, setActive] = useState(focus)
  const [selected, setSelected] = useState('')
  const [panel, setPanel] = useState<Panel>('fields')
  /** On a phone one part is seen at a time. */
  const [paper, setPaper] = useState(false)
  const list = useRef<HTMLElement>(null)
  const again = useReread(file, state, onState)
  const { tables } = again
  useProposals(state, onState)
  const tellBusy = useStable((busy: boolean) => onBusy?.(busy))
  useEffect(() => tellBusy(again.busy), [again.busy, tellBusy])
  const { confidence } = result.metadata
  const all = useMemo(() => allFields(data), [data])
  const reported = useMemo(() => reportedParts(data), [data])
  const missing = useMemo(() => completenessOf(data), [data])
  const advice = useAdvice(data)
  const adviceAt = (path: string) =>
    advice.find(({ onde }) => onde.campo === path.replace(/\[(\d+)\]/g, '.$1'))
  // What is doubtful and not plausible comes first.
  const doubtful = all
    .filter(({ path }) => isDoubtful(state, path))
    .sort((a, b) => Number(Boolean(adviceAt(b.path))) - Number(Boolean(adviceAt(a.path))))
  const found = all.filter(({ path, told }) => told !== false && valueAt(data, path) !== null).length

  const highlights = useMemo<Highlight[]>(() => {
    const table = active?.startsWith(TABLE) ? tables[Number(active.slice(TABLE.length))] : undefined
    return [
      ...Object.entries(fields)
        .filter(([path]) => !isLetter(path) || path === active)
        .map(([path, evidence]) => ({
          id: path,
          page: evidence.page,
          bbox: evidence.bbox,
          label: `${reported.find((part) => part.path === path)?.text ?? labelOf(path, all)}: ${evidence.text}`,
          doubtful: isDoubtful(state, path),
        })),
      ...(table && active
        ? [{ id: active, page: table.page, bbox: table.bbox, label: 'Tabela', doubtful: false }]
        : []),
    ]
  }, [fields, tables, active, all, reported, state])

  const change = (path: string, value: string | number | null) =>
    onState((before) => withField(before, path, value))
  const target = all.find(({ path }) => path === active)
  const showField = (path: string) => {
    if (path.startsWith(TABLE)) return
    setActive(path)
    setPanel('fields')
    setPaper(false)
  }
  const showPlace = (path: string) => {
    setActive(path)
    setPaper(true)
  }
  const fillWithSelected = (field: ReviewField) => {
    const value = readAs(field, selected)
    if (value !== null) change(field.path, value)
    setSelected('')
    getSelection()?.removeAllRanges()
    showField(field.path)
  }

  useEffect(() => {
    if (paper || panel !== 'fields' || !active) return
    const row = list.current?.querySelector(`[data-path="${CSS.escape(active)}"]`)
    row?.scrollIntoView({ block: 'center' })
    if (!row?.contains(document.activeElement))
      row?.querySelector<HTMLElement>('input, select, button')?.focus({ preventScroll: true })
  }, [active, paper, panel])

  const rowOf = (field: ReviewField): RowState => ({
    value: valueAt(data, field.path),
    evidence: fields[field.path],
    doubtful: isDoubtful(state, field.path),
    corrected: state.corrected.includes(field.path),
    proposed: state.proposed.includes(field.path),
    active: active === field.path,
    error: errors[field.path],
    advice: adviceAt(field.path),
  })

  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="flex flex-wrap items-center gap-2">
          <Badge tone={confidence < REVIEW_CONFIDENCE ? 'warn' : 'ok'}>
            Confiança: {formatNumber(confidence * 100, 0)}%
          </Badge>
          <Badge tone={missing.problems.length > 0 ? 'warn' : 'ok'}>
            {missing.done} de {REQUIRED_PARTS.length} obrigatórios
          </Badge>
          <Badge>{counted(found, 'campo extraído', 'campos extraídos')}</Badge>
          <Badge>{counted(data.tratamentos.length, 'tratamento', 'tratamentos')}</Badge>
          {confidence < REVIEW_CONFIDENCE && <Badge tone="warn">Revisão recomendada</Badge>}
        </div>
        <div className="flex flex-wrap gap-2">{actions}</div>
      </div>
      <p className="-mt-2 text-small text-muted">
        {confidenceInWords(result)}.
        {result.metadata.template && (
          <>
            {' Lido com um layout corrigido antes. '}
            <ForgetLayout id={result.metadata.template} />
          </>
        )}
      </p>
      {result.metadata.held && data.tratamentos.length === 0 && (
        <Banner
          tone="warn"
          title="Este documento não parece ser o relatório de um único ensaio."
          action={
            tables.length > 0 && (
              <Button size="small" onClick={() => setPanel('tables')}>
                Ver as tabelas
              </Button>
            )
          }
        >
          Os tratamentos não foram lidos. Se for mesmo um ensaio, diga em que tabela eles estão ou digite-os.
        </Banner>
      )}
      {missing.problems.length > 0 && (
        <FieldLinks
          title="Falta completar"
          links={missing.problems.map(({ path, message }) => ({
            path,
            text: labelledProblem(path, message, all),
          }))}
          onOpen={showField}
        />
      )}
      {doubtful.length > 0 && (
        <FieldLinks
          title="Campos para conferir"
          lead={`Confira primeiro ${doubtful.length === 1 ? 'este campo' : 'estes campos'}:`}
          links={doubtful.map(({ path }) => ({ path, text: labelOf(path, all) }))}
          onOpen={showField}
        />
      )}
      <fieldset className="flex gap-1 rounded-md bg-sunken p-1 lg:ml-auto lg:w-80">
        <legend className="sr-only">Parte mostrada</legend>
        {PANELS.map(([value, label]) => {
          const pressed = value === 'pdf' ? paper : panel === value && !paper
          const pressedWide = panel === value
          return (
            <button
              key={value}
              type="button"
              aria-pressed={value === 'pdf' ? paper : pressedWide}
              onClick={() => {
                setPaper(value === 'pdf')
                if (value !== 'pdf') setPanel(value)
              }}
              className={classes(
                'min-h-9 flex-1 rounded-md font-medium',
                value === 'pdf' && 'lg:hidden',
                pressed ? 'bg-accent-soft text-accent' : 'text-muted',
                pressedWide && 'lg:bg-accent-soft lg:text-accent',
              )}
            >
              {label}
              {value === 'tables' &&
                tables.length > 0 &&
                ` (${tables.filter(({ used }) => used).length || tables.length})`}
            </button>
          )
        })}
      </fieldset>
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)]">
        <Card
          role="region"
          aria-label="Relatório"
          tabIndex={0}
          className={classes('h-[62dvh] overflow-auto bg-sunken p-3 lg:block', !paper && 'hidden')}
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
          aria-label={panel === 'tables' ? 'Tabelas do relatório' : 'Dados extraídos'}
          tabIndex={0}
          className={classes('h-[62dvh] overflow-auto lg:block', paper && 'hidden')}
        >
          {panel === 'tables' ? (
            <ReviewTables
              tables={tables}
              busy={again.busy}
              outcome={again.outcome}
              onUndo={again.undo}
              onTables={(next) => void again.say(next)}
              onShow={(table) => showPlace(`${TABLE}${table}`)}
            />
          ) : (
            <>
              {FIELD_GROUPS.map((group) => (
                <section key={group.title} className="border-b border-line px-4 py-4">
                  <h2 className="mb-3 font-semibold">{group.title}</h2>
                  <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
                    {group.fields.map((field) => (
                      <ReviewRow
                        key={field.path}
                        field={field}
                        {...rowOf(field)}
                        onChange={(value) => change(field.path, value)}
                        onShow={() => showPlace(field.path)}
                      />
                    ))}
                  </div>
                </section>
              ))}
              <ReportedLine parts={reported} fields={fields} active={active} onShow={showPlace} />
              <ReviewTreatments
                data={data}
                lacking={withoutMode(state).length}
                rowOf={rowOf}
                onChange={change}
                onShow={showPlace}
                onEdit={onState}
              />
            </>
          )}
        </Card>
      </div>
      {teaches(state) && (
        <label className="flex items-center gap-2.5 text-small">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={state.remember}
            onChange={(event) => {
              const remember = event.target.checked
              onState((before) => ({ ...before, remember }))
            }}
          />
          <span>
            Lembrar este layout{' '}
            <span className="text-muted">para ler assim os próximos relatórios iguais a este</span>
          </span>
        </label>
      )}
    </div>
  )
}

/** A layout that leads astray goes; reports that were read by it are read anew when they come again. */
function ForgetLayout({ id }: { id: string }) {
  const [gone, setGone] = useState(false)
  if (gone) return <span>Layout esquecido.</span>
  return (
    <button
      type="button"
      className="underline underline-offset-4"
      onClick={() =>
        void call('forgetLayout', { params: { id } }).then(
          () => setGone(true),
          (error: unknown) =>
            toast.error(
              error instanceof ApiError && error.status === 404
                ? 'Só quem guardou este layout ou um administrador pode esquecê-lo'
                : reasonOf(error),
            ),
        )
      }
    >
      Esquecer este layout
    </button>
  )
}

type LinksProps = {
  title: string
  lead?: string
  links: readonly { path: string; text: string }[]
  onOpen: (path: string) => void
}

/** What needs a look, each a way to its field. */
function FieldLinks({ title, lead, links, onOpen }: LinksProps) {
  return (
    <Banner tone="warn" title={title}>
      {lead && <p>{lead}</p>}
      <ul className="mt-1 flex max-h-24 flex-wrap gap-x-3 gap-y-1 overflow-auto pb-1">
        {links.map(({ path, text }) => (
          <li key={path}>
            <button type="button" className="underline underline-offset-4" onClick={() => onOpen(path)}>
              {text}
            </button>
          </li>
        ))}
      </ul>
    </Banner>
  )
}

/** 'T2 · Modalidade', or what is said of the whole. */
const labelledProblem = (path: string, message: string, fields: readonly ReviewField[]): string =>
  fields.some((field) => field.path === path) ? labelOf(path, fields) : message

/** A text selected on the page, as the field takes it; null when it is nothing of the kind. */
function readAs(field: ReviewField, text: string): string | number | null {
  if (field.kind !== 'text') return parseNumber(text, { grouping: field.kind !== 'coordinate' }) ?? null
  const wanted = searchable(text)
  const option = field.options?.find(
    ({ value, label }) => searchable(value) === wanted || searchable(label) === wanted,
  )
  return option?.value ?? text
}
