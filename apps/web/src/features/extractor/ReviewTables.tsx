import { COLUMN_ROLES, ROW_LABELS } from '@ensaio/domain'
import { ArrowDownToLine, MapPin, RotateCcw, TableProperties } from 'lucide-react'
import { useState } from 'react'
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
  const none = tables.every(({ used }) => !used)
  /** While it is read again, nothing else is said of it. */
  const tell = (next: ReviewTable[]) => {
    if (!busy) onTables(next)
  }
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
      {none && (
        <p className="text-small font-medium">
          Nenhuma tabela foi entendida: confira em qual estão os tratamentos.
        </p>
      )}
      {tables.map((table, at) => (
        <OneTable
          // biome-ignore lint/suspicious/noArrayIndexKey: a table is known by its place
          key={at}
          table={table}
          number={at + 1}
          last={at === tables.length - 1}
          open={none}
          on={{
            role: (column, role) => tell(withRole(tables, at, column, role)),
            label: (row, label) => tell(withLabel(tables, at, row, label)),
            cut: (row) => tell(cutAt(tables, at, row)),
            join: () => tell(joinWithNext(tables, at)),
            turn: () => tell(turn(tables, at)),
            use: (now) => tell(withUse(tables, at, now)),
            show: () => onShow(at),
          }}
        />
      ))}
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

type OneProps = { table: ReviewTable; number: number; last: boolean; open: boolean; on: Actions }

function OneTable({ table, number, last, open, on }: OneProps) {
  const name = `Tabela ${number}`
  const [unfolded, setUnfolded] = useState(open || table.used)
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
        {!table.used && (
          <Button size="small" aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
            {unfolded ? 'Fechar' : 'Abrir'}
            <span className="sr-only"> a tabela {number}</span>
          </Button>
        )}
      </header>
      <section
        aria-label={`${name}: colunas e linhas`}
        tabIndex={0}
        className={classes('max-h-96 overflow-auto', !table.used && !unfolded && 'hidden')}
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
        <Button size="small" onClick={() => on.use(!table.used)}>
          {table.used ? 'Não traz tratamentos' : 'Ler os tratamentos desta tabela'}
        </Button>
        {table.used && (
          <Button size="small" onClick={on.turn}>
            Os tratamentos estão nas colunas
          </Button>
        )}
        {!last && (
          <Button size="small" icon={<ArrowDownToLine aria-hidden className="size-4" />} onClick={on.join}>
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
  options: readonly { value: string; label: string }[]
  onValue: (value: string) => void
}

/** What a column or a row is, as a chip that opens the other choices. */
function Chip({ label, value, quiet, options, onValue }: ChipProps) {
  return (
    <select
      aria-label={label}
      value={value}
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
