import {
  brandColour,
  businessUnitName,
  type ExperimentFilter,
  formatFixed,
  formatNumber,
  type Gain,
  type Overview,
} from '@ensaio/domain'
import { memo, useMemo } from 'react'
import { useEndpoint } from '../../api/queries.ts'
import { ChartCard } from '../../charts/ChartCard.tsx'
import { scatter } from '../../charts/scatter.ts'
import { useExperimentActions } from '../../shell/experiment-actions.ts'
import type { FilterKey } from '../../shell/filters.ts'
import { Skeleton } from '../../ui/Surface.tsx'
import { GainChart } from './GainChart.tsx'
import { GainProducts } from './GainProducts.tsx'
import type { Measure } from './MeasureSwitch.tsx'
import {
  cropOf,
  estimateOf,
  gainAxis,
  intervalText,
  signed,
  trialsText,
  type Unit,
  unitOf,
} from './measure.ts'

type Props = {
  data: Overview
  filter: ExperimentFilter
  measure: Measure
  hidden: string | undefined
  onToggle: (key: FilterKey, value: string) => void
}

/** The charts of the overview by the gain over the control, one number a trial. */
export const GainCharts = memo(function GainCharts({ data, filter, measure, hidden, onToggle }: Props) {
  const crop = cropOf(data, filter)
  const unit = unitOf(crop)
  const mixed =
    crop === null && data.por_cultura.length > 1
      ? measure === 'ganho'
        ? `${data.por_cultura.length} culturas juntas, em kg/ha: escolha uma cultura ou use %.`
        : `${data.por_cultura.length} culturas juntas: filtre por uma cultura para comparar.`
      : undefined
  const chart = { measure, unit, onToggle }
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Whole gain={data.ganho} total={data.total} measure={measure} unit={unit} mixed={mixed} />
      <GainChart
        {...chart}
        title="Ganho por cultura"
        column="Cultura"
        groups={data.por_cultura}
        by="cultura"
      />
      <GainChart
        {...chart}
        title="Ganho por regional"
        column="Regional"
        groups={data.por_regional}
        by="regional"
        note={mixed}
      />
      <GainChart
        {...chart}
        title="Ganho por marca"
        column="Marca"
        groups={data.por_marca}
        by="marca"
        note={mixed}
      />
      <GainChart
        {...chart}
        title="Ganho por ano"
        column="Ano"
        groups={data.por_ano}
        by="ano"
        note={mixed}
        order="key"
      />
      <GainChart
        {...chart}
        title="Ganho por Business Unit"
        column="Business Unit"
        groups={data.por_bu}
        by="bu"
        name={businessUnitName}
        note={mixed}
      />
      <GainChart
        {...chart}
        title="Ganho por modalidade de aplicação"
        column="Modalidade"
        groups={data.por_modalidade}
        note={mixed}
      />
      <ClayGain filter={filter} mixed={mixed} />
      <GainProducts
        products={data.produtos_ganho}
        crop={crop}
        measure={measure}
        unit={unit}
        hidden={hidden}
        mixed={mixed}
        chosen={filter.produto ?? null}
        onToggle={onToggle}
      />
    </div>
  )
})

/** The answer of the whole view in a sentence. */
function Whole({
  gain,
  total,
  measure,
  unit,
  mixed,
}: {
  gain: Gain | null
  total: number
  measure: Measure
  unit: Unit
  mixed: string | undefined
}) {
  const { decimals, unit: named } = gainAxis(measure, unit)
  const estimate = gain && estimateOf(gain, measure, unit)
  return (
    <p className="text-body lg:col-span-2" role="status">
      {!gain || !estimate ? (
        'Nenhum ensaio destes filtros compara tratamentos com uma Testemunha.'
      ) : (
        <>
          Em {trialsText(gain.n)} com Testemunha, os tratamentos renderam em média{' '}
          <strong className="figures font-semibold">
            {signed(estimate.value, decimals)} {named}
          </strong>{' '}
          sobre ela
          {estimate.low === null ? '' : ` (IC 95 %: ${intervalText(estimate, decimals)})`}; venceram em{' '}
          {formatNumber(gain.vitorias, 0)} de {formatNumber(gain.diferentes, 0)}.
          {gain.n < total && ` ${trialsText(total - gain.n)} sem comparação.`} {mixed}
          <span className="block text-small text-muted">
            Média simples de um número por ensaio: a média dos tratamentos menos a Testemunha. Não pondera
            pelo erro; a síntese pondera.
          </span>
        </>
      )}
    </p>
  )
}

const CLAY = { name: 'Teor de argila', unit: '%', decimals: 0 }
const PERCENT = { name: 'Ganho sobre a Testemunha', unit: '%', decimals: 1 }
const CLAY_POINTS = 500

function ClayGain({ filter, mixed }: { filter: ExperimentFilter; mixed: string | undefined }) {
  const actions = useExperimentActions()
  const { data } = useEndpoint(
    'correlation',
    { query: { ...filter, x: 'teor_argila', y: 'ganho_percent', pontos: CLAY_POINTS } },
    { keep: true },
  )
  const points = data?.pontos
  const picture = useMemo(() => {
    const shown = (points ?? []).map((point) => ({
      key: point.id,
      x: point.x,
      y: point.y,
      label: point.nome,
      colour: brandColour(point.marca),
    }))
    return { draw: scatter(shown, CLAY, PERCENT), height: 300 }
  }, [points])
  if (!data || !points) return <Skeleton className="h-[388px]" />
  return (
    <ChartCard
      title="Argila do solo e ganho"
      subtitle={`% e % · ${trialsText(data.n)}${points.length < data.n ? ` · ${formatNumber(points.length, 0)} mostrados` : ''}`}
      picture={picture}
      {...(mixed === undefined ? {} : { note: mixed })}
      onPick={(at) => {
        const point = points[at]
        if (point) actions.details(point.id)
      }}
      table={{
        columns: [
          { name: 'Experimento' },
          { name: 'Argila (%)', numeric: true },
          { name: 'Ganho (%)', numeric: true },
        ],
        count: points.length,
        rows: () =>
          points.map((point) => ({
            key: point.id,
            cells: [point.nome, formatNumber(point.x, 1), formatFixed(point.y, 1)],
            onPick: () => actions.details(point.id),
          })),
      }}
    />
  )
}
