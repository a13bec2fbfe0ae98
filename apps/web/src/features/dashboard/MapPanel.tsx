import {
  BRAND_COLOURS,
  brandColour,
  counted,
  type ExperimentFilter,
  FILTER_KEYS,
  type FilterOption,
  formatNumber,
} from '@ensaio/domain'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useEndpoint } from '../../api/queries.ts'
import { BrazilMap, type MapFrame } from '../../map/BrazilMap.tsx'
import { GAIN_LEGEND } from '../../map/gain-colour.ts'
import { useSetAddress } from '../../shell/address.ts'
import { useExperimentActions } from '../../shell/experiment-actions.ts'
import { useFilters } from '../../shell/filters.ts'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { Card, CardHeader, EmptyState, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { Cell, Head, Row, Table } from '../../ui/Table.tsx'
import { measureOf } from './MeasureSwitch.tsx'
import { StatCard } from './Overview.tsx'

export function MapPanel() {
  const { filter } = useFilters()
  const actions = useExperimentActions()
  const [search] = useSearchParams()
  const write = useSetAddress({ replace: false })
  const colours = measureOf(search.get('mostrar')) === 'produtividade' ? 'marca' : 'ganho'
  const [frame, setFrame] = useState<MapFrame | null>(null)
  const whole = useEndpoint('mapView', { query: filter }, { keep: true })
  const joined = (whole.data?.lugares.length ?? 0) > 0
  const near = useEndpoint(
    'mapView',
    { query: { ...filter, ...(frame ? { bbox: frame.bbox, zoom: frame.zoom } : {}) } },
    { keep: ({ query }) => sameFilter(query ?? {}, filter), enabled: joined && frame !== null },
  )
  const shown = joined && frame ? (near.data ?? whole.data) : whole.data
  // The places of another filter stand back until those of this one are there.
  const late = whole.isPlaceholderData

  if (whole.isError) {
    return (
      <Card>
        <ErrorState message="Erro ao buscar experimentos" onRetry={() => whole.refetch()} />
      </Card>
    )
  }
  const data = whole.data
  return (
    <div aria-busy={late} className={classes('flex flex-col gap-6', late && 'opacity-50')}>
      <div className="grid grid-cols-2 gap-3 sm:gap-4 xl:grid-cols-4">
        <StatCard title="Localizações" value={data && formatNumber(data.localizacoes, 0)} />
        <StatCard title="Total Experimentos" value={data && formatNumber(data.total, 0)} />
        <StatCard
          title="Prod. Média Geral"
          value={data && formatNumber(data.produtividade_media, 0)}
          unit="kg/ha"
          note={data && data.culturas > 1 && `${formatNumber(data.culturas, 0)} culturas juntas`}
        />
        <StatCard title="Estados Cobertos" value={data && formatNumber(data.estados, 0)} />
      </div>
      <Card className="overflow-hidden">
        <CardHeader
          title="Mapa de experimentos"
          subtitle={data ? counted(data.total, 'experimento', 'experimentos') : '…'}
          level={3}
          actions={
            <Button
              size="small"
              variant={colours === 'ganho' ? 'primary' : 'secondary'}
              aria-pressed={colours === 'ganho'}
              onClick={() => write({ mostrar: colours === 'ganho' ? '' : 'ganho_percent' })}
            >
              Cor pelo ganho
            </Button>
          }
        />
        <ul aria-label="Legenda" className="flex flex-wrap gap-x-4 gap-y-1 px-5 pb-3 text-small text-muted">
          {(colours === 'ganho'
            ? GAIN_LEGEND
            : legendOf(data?.marcas ?? []).map(({ valor, n }) => ({
                colour: brandColour(valor),
                text: `${valor} (${formatNumber(n, 0)})`,
              }))
          ).map(({ colour, text }) => (
            <li key={text} className="figures flex items-center gap-1.5">
              <span
                aria-hidden
                className="data-colour size-3 rounded-full"
                style={{ backgroundColor: colour }}
              />
              {text}
            </li>
          ))}
        </ul>
        {!shown ? (
          <Skeleton className="h-[500px] rounded-none" />
        ) : shown.total === 0 ? (
          <EmptyState title="Nenhum experimento recebido" className="h-[500px]">
            O componente BrazilMap não recebeu dados de experimentos.
          </EmptyState>
        ) : (
          <BrazilMap
            points={shown.pontos}
            places={shown.lugares}
            colours={colours}
            onFrame={setFrame}
            onDetails={actions.details}
            onSynthesis={(product) => write({ aba: 'synthesis', comparar: product })}
          />
        )}
        {shown && shown.pontos.length > 0 && (
          <details className="border-t border-line">
            <summary className="cursor-pointer px-5 py-3 text-small font-medium">
              Ver os pontos como tabela
            </summary>
            <Table label="Lugares mostrados" className="max-h-80">
              <thead>
                <tr>
                  <Head>Local</Head>
                  <Head>Consultoria</Head>
                  <Head>Cultura</Head>
                  <Head>Marca</Head>
                  <Head numeric>Ano</Head>
                  <Head numeric>Produtividade (kg/ha)</Head>
                  <Head numeric>Ganho (%)</Head>
                </tr>
              </thead>
              <tbody>
                {shown.pontos.map((point) => (
                  <Row key={point.id}>
                    <Cell>
                      <button
                        type="button"
                        onClick={() => actions.details(point.id)}
                        className="text-left text-accent underline-offset-4 hover:underline"
                      >
                        {point.cidade}/{point.estado}
                      </button>
                      {point.aproximada && (
                        <span className="text-small text-muted"> · localização aproximada</span>
                      )}
                    </Cell>
                    <Cell>{point.consultoria}</Cell>
                    <Cell>{point.cultura}</Cell>
                    <Cell>{point.marca}</Cell>
                    <Cell numeric>{point.ano}</Cell>
                    <Cell numeric>{formatNumber(point.produtividade_media, 0)}</Cell>
                    <Cell numeric>{formatNumber(point.ganho_percent, 1)}</Cell>
                  </Row>
                ))}
              </tbody>
            </Table>
          </details>
        )}
      </Card>
    </div>
  )
}

const sameFilter = (a: ExperimentFilter, b: ExperimentFilter) => FILTER_KEYS.every((key) => a[key] === b[key])

/** Brands without a colour of their own share grey: many of them are one entry. */
const MOST_GREY = 8
function legendOf(marcas: readonly FilterOption[]): readonly FilterOption[] {
  const grey = marcas.filter(({ valor }) => !(valor in BRAND_COLOURS))
  if (grey.length <= MOST_GREY) return marcas
  const n = grey.reduce((sum, marca) => sum + marca.n, 0)
  return [
    ...marcas.filter(({ valor }) => valor in BRAND_COLOURS),
    { valor: `Outras ${grey.length} marcas`, n },
  ]
}
