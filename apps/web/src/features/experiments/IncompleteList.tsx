import {
  counted,
  type ExperimentFilter,
  formatNumber,
  type IncompleteExperiment,
  LACK_NAMES,
  LACKS,
} from '@ensaio/domain'
import { CircleCheck } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { experimentsChanged, useEndpoint } from '../../api/queries.ts'
import { useSetAddress } from '../../shell/address.ts'
import { LeaveGuard } from '../../shell/LeaveGuard.tsx'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { useNarrow } from '../../ui/narrow.ts'
import { Card, CardHeader, EmptyState, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { Head, Table } from '../../ui/Table.tsx'
import type { Draft } from './fill-in.ts'
import { IncompleteRow } from './IncompleteRow.tsx'

const PAGE = 25
const COLUMNS = ['Argila (%)', 'Mat. orgânica (%)', 'Cultivar', 'Latitude', 'Longitude']

/** What was typed in a row, with the trial as it stood then: a later answer may have it no more, or changed. */
interface Typed {
  draft: Draft
  experiment: IncompleteExperiment
  page: string
  at: number
}

/** The trials under a filter that lack something for an answer, a page at a time, with cells to fill in. */
export function IncompleteList({ filter }: { filter: ExperimentFilter }) {
  const [search] = useSearchParams()
  const write = useSetAddress({ replace: false })
  const falta = LACKS.find((lack) => lack === search.get('falta'))
  const question = JSON.stringify([filter, falta])
  const [paged, setPaged] = useState<{ question: string; cursors: string[] }>({ question, cursors: [] })
  // Another question starts at its first page.
  const cursors = paged.question === question ? paged.cursors : []
  const setCursors = (next: string[]) => setPaged({ question, cursors: next })
  const [drafts, setDrafts] = useState<Readonly<Record<string, Typed>>>({})
  const [saved, setSaved] = useState<IncompleteExperiment | null>(null)
  const told = useRef<HTMLParagraphElement>(null)
  const narrow = useNarrow('64rem')

  const cursor = cursors.at(-1)
  const query = { ...filter, limit: PAGE, ...(falta && { falta }), ...(cursor && { cursor }) }
  const list = useEndpoint('incompleteExperiments', { query }, { keep: true })
  const page = JSON.stringify([question, cursor])
  const rows = withTyped(list.data?.experimentos ?? [], Object.values(drafts), page)
  const total = list.data?.total ?? 0
  const found = falta ? (list.data?.contagens[falta] ?? 0) : total
  const still = saved && rows.find(({ id }) => id === saved.id)
  // Where the row went that the keyboard was in, what came of it is read.
  useEffect(() => {
    if (saved && !still && document.activeElement === document.body) told.current?.focus()
  }, [saved, still])

  const put = (experiment: IncompleteExperiment, at: number, draft: Draft) =>
    setDrafts(({ [experiment.id]: before, ...others }) =>
      Object.keys(draft).length === 0
        ? others
        : { ...others, [experiment.id]: before ? { ...before, draft } : { draft, experiment, page, at } },
    )
  const onSaved = (experiment: IncompleteExperiment) => {
    put(experiment, 0, {})
    setSaved(experiment)
    void experimentsChanged()
  }
  const parts = rows.map((experiment, at) => (
    <IncompleteRow
      key={experiment.id}
      {...{ experiment, narrow, onSaved }}
      draft={drafts[experiment.id]?.draft ?? {}}
      onDraft={(draft) => put(experiment, at, draft)}
    />
  ))
  return (
    <Card aria-busy={list.isFetching}>
      <LeaveGuard
        unsaved={() => Object.keys(drafts).length > 0}
        leaves={(from, to) => from.pathname !== to.pathname}
        title="Sair sem salvar?"
        message="O que você digitou nesta lista ainda não foi salvo."
        confirmLabel="Sair sem salvar"
      />
      <CardHeader
        title={`Falta algum dado (${list.data ? formatNumber(total, 0) : '…'})`}
        subtitle={
          falta
            ? `${LACK_NAMES[falta].nome}: ${LACK_NAMES[falta].para}`
            : 'Digite o que falta e salve a linha; os demais dados do ensaio ficam como estão'
        }
      />
      {total > 0 && (
        <fieldset className="no-print flex flex-wrap gap-2 px-5 pb-4">
          <legend className="sr-only">O que falta</legend>
          {[undefined, ...LACKS].map((lack) => {
            const n = lack ? (list.data?.contagens[lack] ?? 0) : total
            if (n === 0 && lack !== falta) return null
            return (
              <button
                key={lack ?? 'tudo'}
                type="button"
                aria-pressed={lack === falta}
                title={lack && LACK_NAMES[lack].para}
                onClick={() => write({ falta: lack ?? '' })}
                className={classes(
                  'figures min-h-9 rounded-full border px-3 text-small',
                  lack === falta
                    ? 'border-accent bg-accent-soft font-medium text-accent'
                    : 'border-line text-muted hover:text-text',
                )}
              >
                {lack ? LACK_NAMES[lack].nome : 'Qualquer falta'} · {formatNumber(n, 0)}
              </button>
            )
          })}
        </fieldset>
      )}
      <p ref={told} role="status" tabIndex={-1} className="px-5 text-small text-ok">
        {saved && (
          <span className="mb-3 flex items-start gap-2">
            <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0" />
            {still
              ? `${saved.nome}: salvo. Ainda falta: ${still.faltas.map((lack) => LACK_NAMES[lack].nome).join(', ')}.`
              : `${saved.nome}: salvo.${found > 0 ? ` ${counted(found, 'ensaio ainda está', 'ensaios ainda estão')} na lista.` : ''}`}
          </span>
        )}
      </p>
      {list.isError ? (
        <ErrorState message="Erro ao buscar os ensaios incompletos" onRetry={() => list.refetch()} />
      ) : list.isPending ? (
        <div className="flex flex-col gap-2 px-5 pb-5">
          {Array.from({ length: 6 }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: places that hold nothing
            <Skeleton key={index} className="h-12" />
          ))}
        </div>
      ) : rows.length === 0 ? (
        <EmptyState
          icon={<CircleCheck aria-hidden />}
          title="Nenhum ensaio incompleto com estes filtros"
          action={falta && <Button onClick={() => write({ falta: '' })}>Mostrar as outras faltas</Button>}
        />
      ) : narrow ? (
        <ul className="border-t border-line">{parts}</ul>
      ) : (
        <Table label="Ensaios a que falta algum dado">
          <thead>
            <tr>
              <Head>Ensaio</Head>
              <Head>Falta</Head>
              {COLUMNS.map((column) => (
                <Head key={column}>{column}</Head>
              ))}
              <Head>Completar</Head>
            </tr>
          </thead>
          <tbody>{parts}</tbody>
        </Table>
      )}
      {(cursors.length > 0 || list.data?.next_cursor) && (
        <nav
          aria-label="Páginas da lista"
          className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3"
        >
          <Button
            size="small"
            disabled={cursors.length === 0}
            onClick={() => setCursors(cursors.slice(0, -1))}
          >
            Página anterior
          </Button>
          <Button
            size="small"
            disabled={!list.data?.next_cursor}
            onClick={() => {
              const next = list.data?.next_cursor
              if (next) setCursors([...cursors, next])
            }}
          >
            Próxima página
          </Button>
        </nav>
      )}
    </Card>
  )
}

/** The rows of a page, where those with something typed stay in their place, and everywhere as they stood. */
function withTyped(answered: readonly IncompleteExperiment[], typed: readonly Typed[], page: string) {
  const here = typed.filter((one) => one.page === page).sort((a, b) => a.at - b.at)
  const known = new Map(typed.map(({ experiment }) => [experiment.id, experiment]))
  const rows = answered
    .filter(({ id }) => !here.some((one) => one.experiment.id === id))
    .map((row) => known.get(row.id) ?? row)
  for (const { experiment, at } of here) rows.splice(at, 0, experiment)
  return rows
}
