import {
  type ExperimentFilter,
  type ExperimentListQuery,
  type ExperimentSummary,
  filterValues,
  formatNumber,
  QUALITY_LEVELS,
  QUALITY_NAMES,
  type SORT_KEYS,
} from '@ensaio/domain'
import { FileSpreadsheet, ListChecks, Sprout } from 'lucide-react'
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { open, reasonOf } from '../../api/client.ts'
import { useEndpoint } from '../../api/queries.ts'
import { useSource } from '../../api/source.ts'
import { useAddressText, useSetAddress } from '../../shell/address.ts'
import { useFilters } from '../../shell/filters.ts'
import { useMay } from '../../shell/organization.tsx'
import { paths, withSearch } from '../../shell/paths.ts'
import { useRested } from '../../shell/rested.ts'
import { Button, buttonClasses } from '../../ui/Button.tsx'
import { downloadBlob } from '../../ui/download.ts'
import { SearchInput, Select } from '../../ui/Input.tsx'
import { useNarrow } from '../../ui/narrow.ts'
import { Banner, Card, CardHeader, EmptyState, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { Head, Table } from '../../ui/Table.tsx'
import { ExperimentCards, ExperimentRows } from './ExperimentRows.tsx'
import { Picked, usePicking } from './picking.tsx'

type SortKey = (typeof SORT_KEYS)[number]
/** One row a trial as text or workbook, or everything as a workbook. */
type ExportKind = 'csv' | 'xlsx' | 'completa'
const COLUMNS: readonly { key: SortKey; name: string; numeric?: boolean }[] = [
  { key: 'consultoria', name: 'Consultoria' },
  { key: 'regional', name: 'Regional' },
  { key: 'cultura', name: 'Cultura' },
  { key: 'marca', name: 'Marca' },
  { key: 'produtividade_media', name: 'Produtividade', numeric: true },
  { key: 'roi', name: 'ROI', numeric: true },
  { key: 'ano', name: 'Ano', numeric: true },
]
const PAGE_SIZES = [25, 50, 100]
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
  const set = (choice: string) => {
    const [ordem = '', sentido = ''] = choice.split('-')
    write({ ordem, sentido })
  }
  return [sort, toggle, set] as const
}

/** The experiments under a filter, a page at a time. */
export function ExperimentsTable({
  filter,
  report,
}: {
  filter: ExperimentFilter
  /** A report of trials that were picked, a feature of its own. */
  report: (ids: string[]) => ReactNode
}) {
  const [search, setSearch] = useAddressText('busca')
  const searched = useRested(search.trim())
  const [sort, toggleSort, sortBy] = useSort()
  const [address] = useSearchParams()
  const { setSeveral } = useFilters()
  const quality = filterValues(filter.qualidade)
  const write = useSetAddress({ replace: true })
  const size = PAGE_SIZES.find((option) => String(option) === address.get('linhas')) ?? 25
  const question = JSON.stringify([filter, searched, sort, size])
  const [paged, setPaged] = useState<{ question: string; cursors: string[] }>({ question, cursors: [] })
  // Another question starts at its first page.
  const cursors = paged.question === question ? paged.cursors : []
  const setCursors = (next: string[]) => setPaged({ question, cursors: next })

  const query: ExperimentListQuery = {
    ...filter,
    limit: size,
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
  const create = useMay()('experiment.create')
  const narrow = useNarrow()
  const [exporting, setExporting] = useState<ExportKind | null>(null)
  const [unexported, setUnexported] = useState<string | null>(null)
  const exportAs = async (kind: ExportKind) => {
    const formato = kind === 'csv' ? 'csv' : 'xlsx'
    setExporting(kind)
    setUnexported(null)
    try {
      const { cursor: _cursor, limit: _limit, ...shown } = query
      const response = await open(
        'exportExperiments',
        { query: { ...shown, formato, ...(kind === 'completa' && { conteudo: 'completo' as const }) } },
        { timeoutMs: EXPORT_MS },
      )
      downloadBlob(`experimentos${kind === 'completa' ? '-completo' : ''}.${formato}`, await response.blob())
    } catch (error) {
      setUnexported(reasonOf(error))
    } finally {
      setExporting(null)
    }
  }
  const first = cursors.length * size + 1
  const { picking, asking } = usePicking()

  return (
    <Card aria-busy={list.isFetching}>
      <CardHeader
        whole
        title={`Experimentos Cadastrados (${total === undefined ? '…' : formatNumber(total, 0)})`}
        // The field itself is not printed.
        subtitle={searched && <span className="only-paper">Busca: {searched}</span>}
        actions={
          <>
            <Link
              to={withSearch(paths.incomplete, filter)}
              className="no-print self-center text-small text-accent underline-offset-4 hover:underline"
            >
              Ensaios incompletos
            </Link>
            <div className="no-print flex w-full items-center gap-2 text-small text-muted sm:w-auto sm:pl-3">
              <span aria-hidden>Qualidade</span>
              <Select
                aria-label="Qualidade"
                className="sm:!w-auto"
                placeholder="Todos"
                options={QUALITY_LEVELS.map((value) => ({ value, label: QUALITY_NAMES[value] }))}
                value={quality.length === 1 ? quality[0] : ''}
                onChange={({ target }) => setSeveral('qualidade', target.value ? [target.value] : [])}
              />
            </div>
            <SearchInput
              label="Buscar experimentos"
              placeholder="Buscar consultoria, cidade, cultura, produto…"
              value={search}
              onValue={setSearch}
              className="w-full sm:w-96"
            />
            {narrow && (
              <Select
                aria-label="Ordenar a lista"
                className="w-full"
                placeholder="Mais recentes primeiro"
                options={COLUMNS.flatMap(({ key, name }) => [
                  { value: key, label: `${name}, crescente` },
                  { value: `${key}-desc`, label: `${name}, decrescente` },
                ])}
                value={sort ? `${sort.key}${sort.direction === 'desc' ? '-desc' : ''}` : ''}
                onChange={({ target }) => sortBy(target.value)}
              />
            )}
            {asking && total !== 0 && (
              <Button
                className={`no-print ${asking.on ? '!border-accent text-accent' : ''}`}
                icon={<ListChecks aria-hidden className="size-4" />}
                title="Para um relatório de ensaios escolhidos um a um"
                aria-pressed={asking.on}
                onClick={() => asking.set(!asking.on)}
              >
                Escolher
              </Button>
            )}
            {(['csv', 'xlsx', 'completa'] as const).map((kind) => (
              <Button
                key={kind}
                busy={exporting === kind}
                disabled={source.name === 'demo' || total === 0}
                icon={<FileSpreadsheet aria-hidden className="size-4" />}
                {...(kind === 'completa' && {
                  title: 'Tratamentos, produtos, doses e análises; volta por “Importar planilha”',
                })}
                onClick={() => exportAs(kind)}
              >
                {kind === 'completa' ? 'Planilha completa' : kind.toUpperCase()}
              </Button>
            ))}
          </>
        }
      />
      {picking && <Picked {...picking} report={report} />}
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
        <EmptyState
          icon={<Sprout aria-hidden />}
          title="Nenhum experimento encontrado."
          {...(searched === '' &&
            Object.keys(filter).length === 0 &&
            create.allowed && {
              action: (
                <Link className={buttonClasses()} to={paths.imports}>
                  Trazer ensaios de uma planilha
                </Link>
              ),
            })}
        />
      ) : (
        <>
          {narrow ? (
            <ExperimentCards experiments={shown.rows} picking={picking} />
          ) : (
            <Table label="Lista de ensaios">
              <thead>
                <tr>
                  {picking && (
                    <Head className="no-print">
                      <span className="sr-only">Escolher</span>
                    </Head>
                  )}
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
                <ExperimentRows answer={shown} picking={picking} />
              </tbody>
            </Table>
          )}
          <nav
            aria-label="Páginas da tabela"
            className="figures flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-3 text-small text-muted"
          >
            <span>
              {formatNumber(first, 0)}–{formatNumber(first + rows.length - 1, 0)} de {formatNumber(total, 0)}
              {rows.length < (total ?? 0) && (
                <span className="only-paper"> · a lista inteira sai em CSV ou XLSX</span>
              )}
            </span>
            <div className="no-print flex flex-wrap items-center gap-2">
              <Select
                aria-label="Linhas em cada página"
                className="!min-h-8 !w-auto !py-0"
                options={PAGE_SIZES.map((option) => ({ value: String(option), label: `${option} linhas` }))}
                value={size}
                onChange={({ target }) => write({ linhas: target.value === '25' ? '' : target.value })}
              />
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
