import { COLUMN_ROLES, ROW_LABELS } from '@ensaio/domain'
import { ArrowDownToLine, MapPin, RotateCcw, TableProperties } from 'lucide-react'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { Banner, EmptyState } from '../../ui/Surface.tsx'
import type { ReviewTable } from './review-state.ts'
import {
  cutAt,
  isLabel,
  joinWithNext,
  LABEL_NAMES,
  ROLE_NAMES,
  turn,
  withLabel,
  withRole,
  withUse,
} from './review-tables.ts'

type Props = {
  tables: readonly ReviewTable[]
  /** What reading again has come to, or why it could not. */
  outcome: { text: string; tone: 'ok' | 'danger' } | null
  busy: boolean
  onTables: (tables: ReviewTable[]) => void
  onUndo: (() => void) | null
  onShow: (table: number) => void
}

/** The tables as they were understood, each column with what it holds and each row with what it is, to put right. */
export function ReviewTables({ tables, outcome, busy, onTables, onUndo, onShow }: Props) {
  if (tables.length === 0)
    return (
      <EmptyState title="Nenhuma tabela neste relatório">
        Os tratamentos foram lidos do texto, ou não foram encontrados.
      </EmptyState>
    )
  const numbered = tables.map((table, at) => ({ table, at }))
  const used = numbered.filter(({ table }) => table.used)
  const others = numbered.filter(({ table }) => !table.used)
  const show = ({ table, at }: (typeof numbered)[number]) => (
    <OneTable
      key={at}
      table={table}
      number={at + 1}
      last={at === tables.length - 1}
      busy={busy}
      on={{
        role: (column, role) => onTables(withRole(tables, at, column, role)),
        label: (row, label) => onTables(withLabel(tables, at, row, label)),
        cut: (row) => onTables(cutAt(tables, at, row)),
        join: () => onTables(joinWithNext(tables, at)),
        turn: () => onTables(turn(tables, at)),
        use: (now) => onTables(withUse(tables, at, now)),
        show: () => onShow(at),
      }}
    />
  )
  return (
    <div className="flex flex-col gap-5 p-4">
      <p className="text-small text-muted">
        Diga o que cada coluna e cada linha é: o relatório é lido de novo na hora, e os tratamentos mudam com
        ele.
      </p>
      <div aria-live="polite" className="empty:hidden">
        {(outcome || busy) && (
          <Banner
            tone={busy ? 'info' : (outcome?.tone ?? 'info')}
            action={
              onUndo &&
              !busy && (
                <Button size="small" icon={<RotateCcw aria-hidden className="size-4" />} onClick={onUndo}>
                  Desfazer
                </Button>
              )
            }
          >
            {busy ? 'Lendo de novo…' : outcome?.text}
          </Banner>
        )}
      </div>
      {used.map(show)}
      {others.length > 0 && (
        <details open={used.length === 0}>
          <summary className="cursor-pointer font-medium">
            {used.length === 0 ? 'Tabelas não entendidas' : 'Outras tabelas do relatório'} ({others.length})
          </summary>
          <div className="mt-4 flex flex-col gap-5">{others.map(show)}</div>
        </details>
      )}
    </div>
  )
}

type Actions = {
  role: (column: number, role: (typeof COLUMN_ROLES)[number]) => void
  label: (row: number, label: (typeof ROW_LABELS)[number]) => void
  cut: (row: number) => void
  join: () => void
  turn: () => void
  use: (now: boolean) => void
  show: () => void
}
const CUT = 'cut'

type OneProps = { table: ReviewTable; number: number; last: boolean; busy: boolean; on: Actions }

function OneTable({ table, number, last, busy, on }: OneProps) {
  const name = `Tabela ${number}`
  return (
    <section aria-label={name} className="min-w-0 rounded-md border border-line">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-sunken/60 px-3 py-2">
        <TableProperties aria-hidden className="size-4 shrink-0 text-muted" />
        <h2 className="min-w-0 flex-1 basis-40 truncate text-small font-semibold" title={table.title}>
          {name}
          {table.title && <span className="font-normal text-muted"> · {table.title}</span>}
        </h2>
        <button
          type="button"
          onClick={on.show}
          className="inline-flex items-center gap-1 text-small text-muted underline underline-offset-4 hover:text-text"
        >
          <MapPin aria-hidden className="size-3.5" />
          página {table.page}
        </button>
      </header>
      <section
        aria-label={`${name}: colunas e linhas`}
        tabIndex={0}
        className={classes('max-h-96 overflow-auto', !table.used && 'opacity-80')}
      >
        <table className="w-max min-w-full border-collapse text-small">
          <thead className="sticky top-0 z-10 bg-surface">
            <tr>
              <th scope="col" className="border-b border-line px-2 py-2 text-left font-medium text-muted">
                Linha
              </th>
              {table.columns.map(({ heading, role }, c) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is known by its place
                <th key={c} scope="col" className="border-b border-line px-1.5 py-2 text-left">
                  <Chip
                    label={`${name}: a coluna ${heading || c + 1} é`}
                    value={role ?? 'ignore'}
                    quiet={(role ?? 'ignore') === 'ignore'}
                    disabled={busy}
                    options={COLUMN_ROLES.map((value) => ({ value, label: ROLE_NAMES[value] }))}
                    onValue={(value) => {
                      const chosen = COLUMN_ROLES.find((known) => known === value)
                      if (chosen) on.role(c, chosen)
                    }}
                  />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map(({ label, cells }, r) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its place
              <tr key={r} className={classes('border-b border-line last:border-0', ROWS[label])}>
                <th scope="row" className="px-1.5 py-1 text-left align-top font-normal">
                  <Chip
                    label={`${name}: a linha ${r + 1} é`}
                    value={label}
                    quiet={label !== 'treatment'}
                    disabled={busy}
                    options={[
                      ...ROW_LABELS.map((value) => ({ value, label: LABEL_NAMES[value] })),
                      ...(r > 0 ? [{ value: CUT, label: 'Começa outra tabela aqui' }] : []),
                    ]}
                    onValue={(value) => {
                      if (value === CUT) on.cut(r)
                      else if (isLabel(value)) on.label(r, value)
                    }}
                  />
                </th>
                {cells.map((cell, c) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a cell is known by its place
                  <td key={c} className="figures max-w-60 px-2 py-1.5 align-middle">
                    {cell?.text ?? ''}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <footer className="flex flex-wrap items-center gap-2 border-t border-line px-3 py-2">
        <Button size="small" disabled={busy} onClick={() => on.use(!table.used)}>
          {table.used ? 'Não é dos tratamentos' : 'Ler os tratamentos desta tabela'}
        </Button>
        {table.used && (
          <Button size="small" disabled={busy} onClick={on.turn}>
            Tratamentos nas colunas
          </Button>
        )}
        {!last && (
          <Button
            size="small"
            disabled={busy}
            icon={<ArrowDownToLine aria-hidden className="size-4" />}
            onClick={on.join}
          >
            Juntar com a tabela {number + 1}
          </Button>
        )}
      </footer>
    </section>
  )
}

const ROWS: Readonly<Record<ReviewTable['rows'][number]['label'], string>> = {
  heading: 'bg-sunken/60 font-medium',
  treatment: '',
  more: 'bg-accent-soft/40',
  section: 'bg-sunken/40 italic',
  out: 'text-muted line-through decoration-line-strong/60',
}

type ChipProps = {
  label: string
  value: string
  quiet: boolean
  disabled: boolean
  options: readonly { value: string; label: string }[]
  onValue: (value: string) => void
}

/** What a column or a row is, as a chip that opens the other choices. */
function Chip({ label, value, quiet, disabled, options, onValue }: ChipProps) {
  return (
    <select
      aria-label={label}
      value={value}
      disabled={disabled}
      onChange={(event) => onValue(event.target.value)}
      className={classes(
        'min-h-8 max-w-40 cursor-pointer appearance-none rounded-full border bg-no-repeat py-0.5 pr-7 pl-3 text-small select-arrow',
        quiet
          ? 'border-line bg-surface text-muted'
          : 'border-accent/40 bg-accent-soft font-medium text-accent',
      )}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
}
