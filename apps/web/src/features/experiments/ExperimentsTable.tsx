import {
  brandColour,
  type ExperimentFilter,
  type ExperimentListQuery,
  type ExperimentSummary,
  formatCurrency,
  formatNumber,
  formatYield,
  type SORT_KEYS,
} from '@ensaio/domain'
import { Download, FileSpreadsheet, Pencil, Sprout } from 'lucide-react'
import { memo, useDeferredValue, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { open, reasonOf } from '../../api/client.ts'
import { useEndpoint } from '../../api/queries.ts'
import { useSource } from '../../api/source.ts'
import { useAddressText, useSetAddress } from '../../app/address.ts'
import { DeleteButton, DetailsButton } from '../../app/ExperimentButtons.tsx'
import { useExperimentActions } from '../../app/experiment-actions.ts'
import { useRested } from '../../app/rested.ts'
import { downloadUrl } from '../../charts/download.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { SearchInput } from '../../ui/Input.tsx'
import { useRowKeys } from '../../ui/row-keys.ts'
import { Badge, Banner, Card, CardHeader, EmptyState, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { Cell, Head, Row, Table } from '../../ui/Table.tsx'

type SortKey = (typeof SORT_KEYS)[number]
const COLUMNS: readonly { key: SortKey; name: string; numeric?: boolean }[] = [
  { key: 'consultoria', name: 'Consultoria' },
  { key: 'regional', name: 'Regional' },
  { key: 'cultura', name: 'Cultura' },
  { key: 'marca', name: 'Marca' },
  { key: 'produtividade_media', name: 'Produtividade', numeric: true },
  { key: 'roi', name: 'ROI', numeric: true },
  { key: 'ano', name: 'Ano', numeric: true },
]
const PAGE = 25
const NONE: readonly ExperimentSummary[] = []
const EXPORT_MS = 600_000

/** The order, kept in the address: a column up, then down, then none. */
function useSort() {
  const [search] = useSearchParams()
  const write = useSetAddress({ replace: true })
  const key = COLUMNS.find((column) => column.key === search.get('ordem'))?.key
  const sort = key ? ({ key, direction: search.get('sentido') === 'desc' ? 'desc' : 'asc' } as const) : null
  const toggle = (column: SortKey) => {
    if (sort?.key !== column) write({ ordem: column, sentido: '' })
    else if (sort.direction === 'asc') write({ ordem: column, sentido: 'desc' })
    else write({ ordem: '', sentido: '' })
  }
  return [sort, toggle] as const
}

/** The experiments under a filter, a page at a time. */
export function ExperimentsTable({ filter }: { filter: ExperimentFilter }) {
  const [search, setSearch] = useAddressText('busca')
  const searched = useRested(search.trim())
  const [sort, toggleSort] = useSort()
  const question = JSON.stringify([filter, searched, sort])
  const [paged, setPaged] = useState<{ question: string; cursors: string[] }>({ question, cursors: [] })
  // Another question starts at its first page.
  const cursors = paged.question === question ? paged.cursors : []
  const setCursors = (next: string[]) => setPaged({ question, cursors: next })

  const query: ExperimentListQuery = {
    ...filter,
    limit: PAGE,
    ...(searched ? { busca: searched } : {}),
    ...(sort ? { ordem: sort.key, sentido: sort.direction } : {}),
    ...(cursors.length > 0 ? { cursor: cursors.at(-1) } : {}),
  }
  const list = useEndpoint('listExperiments', { query }, { keep: true })
  const total = list.data?.total
  const rows = list.data?.experimentos ?? NONE
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows answer the question that stood when they came
  const answer = useMemo(() => ({ rows, question: JSON.stringify(query) }), [rows])
  // The rows give way: clicks and charts come first.
  const shown = useDeferredValue(answer)
  const source = useSource()
  const [exporting, setExporting] = useState<'csv' | 'xlsx' | null>(null)
  const [unexported, setUnexported] = useState<string | null>(null)
  const exportAs = async (formato: 'csv' | 'xlsx') => {
    setExporting(formato)
    setUnexported(null)
    try {
      const { cursor: _cursor, limit: _limit, ...shown } = query
      const response = await open(
        'exportExperiments',
        { query: { ...shown, formato } },
        { timeoutMs: EXPORT_MS },
      )
      const url = URL.createObjectURL(await response.blob())
      downloadUrl(url, `experimentos.${formato}`)
      setTimeout(() => URL.revokeObjectURL(url), 10_000)
    } catch (error) {
      setUnexported(reasonOf(error))
    } finally {
      setExporting(null)
    }
  }
  const first = cursors.length * PAGE + 1

  return (
    <Card aria-busy={list.isFetching}>
      <CardHeader
        title={`Experimentos Cadastrados (${total === undefined ? '…' : formatNumber(total, 0)})`}
        // The field itself is not printed.
        subtitle={searched && <span className="only-paper">Busca: {searched}</span>}
        actions={
          <>
            <SearchInput
              label="Buscar experimentos"
              placeholder="Buscar"
              value={search}
              onValue={setSearch}
              className="w-full sm:w-64"
            />
            {(['csv', 'xlsx'] as const).map((formato) => (
              <Button
                key={formato}
                busy={exporting === formato}
                disabled={source.name === 'demo' || total === 0}
                icon={<FileSpreadsheet aria-hidden className="size-4" />}
                onClick={() => exportAs(formato)}
              >
                {formato.toUpperCase()}
              </Button>
            ))}
          </>
        }
      />
      {unexported && (
        <Banner tone="danger" className="mx-5 mb-3">
          Erro ao exportar experimentos. {unexported}
        </Banner>
      )}
      {list.isError ? (
        <ErrorState message="Erro ao buscar experimentos" onRetry={() => list.refetch()} />
      ) : list.isPending ? (
        <div className="flex flex-col gap-2 px-5 pb-5">
          {Array.from({ length: 8 }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: places that hold nothing
            <Skeleton key={index} className="h-10" />
          ))}
        </div>
      ) : rows.length === 0 ? (
        <EmptyState icon={<Sprout aria-hidden />} title="Nenhum experimento encontrado." />
      ) : (
        <>
          <Table label="Experimentos cadastrados">
            <thead>
              <tr>
                {COLUMNS.map((column) => (
                  <Head
                    key={column.key}
                    numeric={column.numeric ?? false}
                    sort={{
                      direction: sort?.key === column.key ? sort.direction : null,
                      onSort: () => toggleSort(column.key),
                    }}
                  >
                    {column.name}
                  </Head>
                ))}
                <Head className="no-print">PDF</Head>
                <Head className="no-print">Ações</Head>
              </tr>
            </thead>
            <tbody>
              <ExperimentRows answer={shown} />
            </tbody>
          </Table>
          <nav
            aria-label="Páginas da tabela"
            className="figures flex items-center justify-between gap-3 border-t border-line px-5 py-3 text-small text-muted"
          >
            <span>
              {formatNumber(first, 0)}–{formatNumber(first + rows.length - 1, 0)} de {formatNumber(total, 0)}
            </span>
            <div className="no-print flex gap-2">
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
            </div>
          </nav>
        </>
      )}
    </Card>
  )
}

type RowsProps = { answer: { rows: readonly ExperimentSummary[]; question: string } }

const ExperimentRows = memo(function ExperimentRows({ answer }: RowsProps) {
  const actions = useExperimentActions()
  const keys = useRowKeys(answer.rows, answer.question)
  return answer.rows.map((experiment) => {
    const edit = actions.may('experiment.edit', experiment)
    return (
      <Row
        key={keys.get(experiment.id)}
        className="cursor-pointer hover:bg-sunken/60"
        onClick={(event) => {
          if (!(event.target instanceof Element && event.target.closest('button')))
            actions.details(experiment.id)
        }}
      >
        <Cell className="max-w-64 min-w-40 truncate font-medium" title={experiment.consultoria}>
          {experiment.consultoria}
        </Cell>
        <Cell className="whitespace-nowrap">{experiment.regional}</Cell>
        <Cell>{experiment.cultura}</Cell>
        <Cell>
          <Badge dot={brandColour(experiment.marca)}>{experiment.marca}</Badge>
        </Cell>
        <Cell numeric>{formatYield(experiment.produtividade_media)}</Cell>
        <Cell numeric>{formatCurrency(experiment.roi)}</Cell>
        <Cell numeric>{experiment.ano}</Cell>
        <Cell className="no-print">
          {experiment.pdf_filename ? (
            <Button
              size="small"
              variant="quiet"
              icon={<Download aria-hidden className="size-4" />}
              onClick={() => actions.download(experiment)}
            >
              Baixar
            </Button>
          ) : (
            '-'
          )}
        </Cell>
        <Cell className="no-print">
          <div className="flex">
            <DetailsButton experiment={experiment} />
            <IconButton
              label={`Editar ${experiment.nome}`}
              title={edit.allowed ? 'Editar' : edit.reason}
              disabled={!edit.allowed}
              onClick={() => actions.edit(experiment.id)}
            >
              <Pencil aria-hidden />
            </IconButton>
            <DeleteButton experiment={experiment} />
          </div>
        </Cell>
      </Row>
    )
  })
})
