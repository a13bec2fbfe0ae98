import type { ExperimentFilter, Overview as OverviewData } from '@ensaio/domain'
import { counted, formatNumber, HIDDEN } from '@ensaio/domain'
import { memo, type ReactNode, Suspense, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { readAhead, useEndpoint } from '../../api/queries.ts'
import { useSetAddress } from '../../shell/address.ts'
import { useFilters, useNextFilter } from '../../shell/filters.ts'
import { late } from '../../shell/late.tsx'
import { Button } from '../../ui/Button.tsx'
import { Banner, Card, EmptyState, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { hiddenCosts, meanShown } from './hidden-costs.ts'
import { MeasureSwitch, measureOf } from './MeasureSwitch.tsx'
import { OverviewCharts } from './OverviewCharts.tsx'
import { Products } from './Products.tsx'

const GainCharts = late(async () => (await import('./GainCharts.tsx')).GainCharts)

const readOverview = (query: ExperimentFilter) => readAhead('overview', { query })

export function Overview() {
  const { filter, toggle, clear, active } = useFilters()
  const [search] = useSearchParams()
  const write = useSetAddress({ replace: false })
  const measure = measureOf(search.get('mostrar'))
  useNextFilter(readOverview)
  const overview = useEndpoint('overview', { query: filter }, { keep: true })
  // What is chosen is shown chosen together with its figures.
  const shown = useRef(filter)
  if (!overview.isPlaceholderData) shown.current = filter
  if (overview.isError && !overview.data) {
    return (
      <>
        <Banner tone="danger">Erro: {overview.error.message}</Banner>
        <Card>
          <ErrorState message="Erro ao buscar estatísticas" onRetry={() => overview.refetch()} />
        </Card>
        <Card>
          <ErrorState message="Erro ao carregar dados de performance" onRetry={() => overview.refetch()} />
        </Card>
      </>
    )
  }
  return (
    <>
      {overview.isError && <Banner tone="danger">Erro: {overview.error.message}</Banner>}
      <Cards data={overview.data} />
      {overview.data ? (
        <>
          {overview.data.total === 0 && active ? (
            <Card>
              <EmptyState
                title="Nenhum experimento com estes filtros"
                action={<Button onClick={clear}>Ver todos os experimentos</Button>}
              >
                Tire um dos filtros ou veja todos para voltar aos gráficos.
              </EmptyState>
            </Card>
          ) : (
            <>
              <MeasureSwitch
                measure={measure}
                onMeasure={(next) => write({ mostrar: next === 'produtividade' ? '' : next })}
              />
              {measure === 'produtividade' ? (
                <OverviewCharts data={overview.data} filter={shown.current} onToggle={toggle} />
              ) : (
                <Suspense fallback={<Skeleton className="h-[640px]" />}>
                  <GainCharts
                    data={overview.data}
                    filter={shown.current}
                    measure={measure}
                    hidden={hiddenCosts(overview.data)}
                    onToggle={toggle}
                  />
                </Suspense>
              )}
            </>
          )}
          {measure === 'produtividade' && (
            <Products
              products={overview.data.produtos}
              hidden={hiddenCosts(overview.data)}
              chosen={shown.current.produto ?? null}
              onToggle={toggle}
            />
          )}
        </>
      ) : (
        <div className="grid gap-4 lg:grid-cols-2">
          {['a', 'b', 'c', 'd'].map((key) => (
            <Skeleton key={key} className="h-[388px]" />
          ))}
        </div>
      )}
    </>
  )
}

const Cards = memo(function Cards({ data }: { data: OverviewData | undefined }) {
  const crops = data?.por_cultura ?? []
  return (
    <div className="grid grid-cols-2 gap-3 sm:gap-4 xl:grid-cols-4">
      <StatCard title="Total de Experimentos" value={data && formatNumber(data.total, 0)} />
      <StatCard
        title="Produtividade Média"
        value={data && formatNumber(data.produtividade_media, 0)}
        unit="kg/ha"
        note={
          crops.length > 1 && (
            <details>
              <summary className="cursor-pointer">{crops.length} culturas juntas: ver por cultura</summary>
              <ul className="figures mt-1.5 flex flex-col gap-0.5">
                {crops.map((group) => (
                  <li key={group.chave} className="flex justify-between gap-3">
                    <span>{group.chave}</span>
                    <span>{formatNumber(group.produtividade_media, 0)}</span>
                  </li>
                ))}
              </ul>
            </details>
          )
        }
      />
      <StatCard
        title="ROI Médio"
        value={data && meanShown(data.roi_medio, hiddenCosts(data))}
        unit="por hectare"
        note={hiddenCosts(data)}
      />
      <StatCard
        title="Consultorias Ativas"
        value={data && formatNumber(data.consultorias_ativas, 0)}
        note={data && counted(data.total, 'experimento', 'experimentos')}
      />
    </div>
  )
})

type StatProps = { title: string; value: string | undefined; unit?: string; note?: ReactNode }

export function StatCard({ title, value, unit, note }: StatProps) {
  return (
    <Card className="flex min-h-28 flex-col gap-1 px-4 py-4 sm:px-5">
      <h2 className="text-small text-muted">{title}</h2>
      {value === undefined ? (
        <Skeleton className="h-9 w-28" />
      ) : (
        <p className="figures flex flex-wrap items-baseline gap-x-2 text-display font-semibold">
          {value}
          {unit && value !== '–' && value !== HIDDEN && (
            <span className="text-small font-normal text-muted">{unit}</span>
          )}
        </p>
      )}
      {note && <div className="text-small text-muted">{note}</div>}
    </Card>
  )
}
