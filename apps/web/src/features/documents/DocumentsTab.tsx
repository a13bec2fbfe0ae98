import {
  brandColour,
  businessUnitName,
  type ExperimentSummary,
  formatNumber,
  formatShown,
  formatYield,
  truncate,
} from '@ensaio/domain'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Download, ExternalLink, FileSearch, FileText, FileUp, Pencil } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { actingKey } from '../../api/acting.ts'
import type { ApiError } from '../../api/client.ts'
import { useSource } from '../../api/source.ts'
import { useAddressText, useSetAddress } from '../../shell/address.ts'
import { DeleteButton, DetailsButton, readingIsTold, Standing } from '../../shell/ExperimentButtons.tsx'
import { useExperimentActions } from '../../shell/experiment-actions.ts'
import { useFilters } from '../../shell/filters.ts'
import { useMay } from '../../shell/organization.tsx'
import { useRested } from '../../shell/rested.ts'
import { Button } from '../../ui/Button.tsx'
import { SearchInput } from '../../ui/Input.tsx'
import { Badge, Card, EmptyState, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { AttachByCode } from './AttachByCode.tsx'

const PAGE = 24

/** The experiments that have a PDF, as cards. */
export function DocumentsTab() {
  const [search, setSearch] = useAddressText('busca_documento')
  const searched = useRested(search.trim())
  const source = useSource()
  const { filter, clear, active } = useFilters()
  const [address] = useSearchParams()
  const setAddress = useSetAddress({ replace: true })
  const create = useMay()('experiment.create')
  const attaching = source.name === 'server' && create.allowed
  const list = useInfiniteQuery({
    queryKey: [actingKey(), 'listExperiments', source.name, 'documents', searched, filter],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      source.read(
        'listExperiments',
        { query: { ...filter, com_documento: '1', limit: PAGE, busca: searched, cursor: pageParam } },
        { signal },
      ),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })
  const experiments = list.data?.pages.flatMap((page) => page.experimentos) ?? []
  const total = list.data?.pages[0]?.total

  return (
    <section aria-labelledby="documentos" className="flex flex-col gap-5">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h2 id="documentos" className="text-title font-semibold">
            Documentos PDF
          </h2>
          <p className="text-muted">Visualize e faça download dos relatórios dos experimentos</p>
        </div>
        <div className="flex flex-wrap items-center gap-3">
          {total !== undefined && (
            <Badge tone="accent">{formatNumber(total, 0)} documento(s) disponível(eis)</Badge>
          )}
          {attaching && (
            <Button
              size="small"
              icon={<FileUp aria-hidden className="size-4" />}
              onClick={() => setAddress({ anexar: '1' })}
            >
              Anexar relatórios por código
            </Button>
          )}
        </div>
      </header>
      {attaching && address.get('anexar') === '1' && (
        <AttachByCode onClose={() => setAddress({ anexar: '' })} />
      )}
      <SearchInput
        label="Buscar documentos"
        placeholder="Buscar por consultoria, cidade, cultura ou marca..."
        value={search}
        onValue={setSearch}
        className="max-w-xl"
      />
      {list.isError ? (
        <Card>
          <ErrorState message={(list.error as ApiError).message} onRetry={() => list.refetch()} />
        </Card>
      ) : list.isPending ? (
        <div className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
          {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
            <Skeleton key={key} className="h-72" />
          ))}
        </div>
      ) : experiments.length === 0 ? (
        <Card>
          {searched || active ? (
            <EmptyState
              icon={<FileSearch aria-hidden />}
              title="Nenhum resultado encontrado"
              action={
                <div className="flex flex-wrap justify-center gap-2">
                  {searched && <Button onClick={() => setSearch('')}>Limpar busca</Button>}
                  {active && <Button onClick={clear}>Ver todos os experimentos</Button>}
                </div>
              }
            >
              Tente ajustar os termos de busca para encontrar os documentos desejados.
            </EmptyState>
          ) : (
            <EmptyState icon={<FileText aria-hidden />} title="Nenhum documento encontrado">
              Ainda não há experimentos com documentos PDF anexados.
            </EmptyState>
          )}
        </Card>
      ) : (
        <>
          <ul className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
            {experiments.map((experiment) => (
              <li key={experiment.id} className="min-w-0">
                <DocumentCard experiment={experiment} />
              </li>
            ))}
          </ul>
          {list.hasNextPage && (
            <Button
              className="self-center"
              busy={list.isFetchingNextPage}
              onClick={() => list.fetchNextPage()}
            >
              Mostrar mais
            </Button>
          )}
        </>
      )}
    </section>
  )
}

function DocumentCard({ experiment }: { experiment: ExperimentSummary }) {
  const actions = useExperimentActions()
  const edit = actions.may('experiment.edit', experiment)
  const facts: [string, string, string?][] = [
    ['Consultoria', truncate(experiment.consultoria, 12), experiment.consultoria],
    ['Local', `${experiment.cidade}/${experiment.estado}`],
    ['Cultura', experiment.cultura],
    ['Ano', String(experiment.ano)],
    ['Produtividade', formatYield(experiment.produtividade_media)],
    ['ROI', formatShown(experiment.roi, experiment)],
    ['Tratamentos', formatNumber(experiment.n_tratamentos, 0)],
    ['Regional', experiment.regional],
    ['BU', businessUnitName(experiment.bu)],
  ]
  return (
    <Card className="flex h-full flex-col">
      <header className="flex items-start gap-3 border-b border-line px-4 py-3">
        <FileText aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
        <div className="min-w-0 flex-1">
          <h3 className="truncate font-semibold" title={experiment.pdf_filename ?? undefined}>
            {experiment.pdf_filename}
          </h3>
          <p className="figures text-small break-words text-muted" title={`ID: ${experiment.id}`}>
            <Standing experiment={experiment} className="mb-1" />
            {experiment.nome} · <span className="whitespace-nowrap">ID …{experiment.id.slice(-6)}</span>
          </p>
        </div>
        <Badge dot={brandColour(experiment.marca)}>{experiment.marca}</Badge>
      </header>
      <dl className="figures grid flex-1 grid-cols-2 content-start gap-x-4 gap-y-2 px-4 py-3 text-small sm:grid-cols-3">
        {facts.map(([name, value, whole]) => (
          <div key={name} className="min-w-0">
            <dt className="text-muted">{name}</dt>
            <dd className="truncate font-medium" title={whole ?? value}>
              {value}
            </dd>
          </div>
        ))}
      </dl>
      {experiment.relacao === 'compartilhada' && (
        <p className="px-4 pb-2 text-small text-muted">{readingIsTold(experiment)}</p>
      )}
      <footer className="flex flex-wrap items-center gap-1 border-t border-line px-3 py-2">
        <Button
          size="small"
          icon={<ExternalLink aria-hidden className="size-4" />}
          onClick={() => actions.view(experiment)}
        >
          Ver
        </Button>
        <Button
          size="small"
          icon={<Pencil aria-hidden className="size-4" />}
          disabled={!edit.allowed}
          title={edit.allowed ? undefined : edit.reason}
          onClick={() => actions.edit(experiment.id)}
        >
          Editar
        </Button>
        <Button
          size="small"
          icon={<Download aria-hidden className="size-4" />}
          onClick={() => actions.download(experiment)}
        >
          PDF
        </Button>
        <span className="ml-auto flex">
          <DetailsButton experiment={experiment} />
          <DeleteButton experiment={experiment} />
        </span>
      </footer>
    </Card>
  )
}
