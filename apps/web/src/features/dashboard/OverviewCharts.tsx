import {
  brandColour,
  businessUnitName,
  counted,
  type ExperimentFilter,
  formatNumber,
  type Group,
  type Overview,
  type ScatterPoint,
} from '@ensaio/domain'
import { memo, useMemo } from 'react'
import { ChartCard } from '../../charts/ChartCard.tsx'
import type { Axis, Datum, Draw } from '../../charts/data.ts'
import { line } from '../../charts/order.ts'
import { pie } from '../../charts/pie.ts'
import { scatter } from '../../charts/scatter.ts'
import { useExperimentActions } from '../../shell/experiment-actions.ts'
import type { FilterKey } from '../../shell/filters.ts'

const YIELD: Axis = { name: 'Produtividade', unit: 'kg/ha', decimals: 0 }
const COUNT: Axis = { name: 'Experimentos', unit: 'experimentos', decimals: 0 }
const EXPERIMENTS: [string, string] = ['experimento', 'experimentos']
const TREATMENTS: [string, string] = ['tratamento', 'tratamentos']
const asItIs = (key: string) => key
const CLAY: Axis = { name: 'Teor de argila', unit: '%', decimals: 0 }

type GroupChartProps = {
  title: string
  groups: readonly Group[]
  measure: 'produtividade_media' | 'n'
  draw: 'bars' | Draw
  /** What a click filters by. */
  filterKey?: FilterKey
  onToggle?: (key: FilterKey, value: string) => void
  selected?: string | null
  name?: (key: string) => string
  colour?: (key: string) => string
  order?: 'value' | 'key'
  unitOfN?: [string, string]
  column: string
  className?: string
  note?: string | undefined
}

const GroupChart = memo(function GroupChart({
  title,
  groups,
  measure,
  draw,
  filterKey,
  onToggle,
  selected = null,
  name = asItIs,
  colour,
  order = 'value',
  unitOfN = EXPERIMENTS,
  column,
  className,
  note,
}: GroupChartProps) {
  const sorted = useMemo(() => {
    const shown = groups.filter((group) => group[measure] !== null)
    return shown.sort((a, b) =>
      order === 'key' ? a.chave.localeCompare(b.chave, 'pt-BR') : (b[measure] ?? 0) - (a[measure] ?? 0),
    )
  }, [groups, measure, order])
  const axis = measure === 'n' ? COUNT : YIELD
  const picture = useMemo(() => {
    const data: Datum[] = sorted.map((group) => ({
      key: group.chave,
      label: name(group.chave),
      value: group[measure] ?? 0,
      detail: detailOf(group, measure, unitOfN),
      ...(colour ? { colour: colour(group.chave) } : {}),
    }))
    return draw === 'bars' ? { data, axis, selected } : { draw: draw(data, axis, selected), height: 300 }
  }, [sorted, measure, selected, draw, name, colour, axis, unitOfN])
  const total = sorted.reduce((sum, group) => sum + group.n, 0)
  // The pie joins its smallest slices.
  const picked = (index: number): Group | undefined =>
    draw === pie && sorted.length > 6 && index === 5 ? undefined : sorted[index]
  const pick = (group: Group | undefined) => {
    if (group && filterKey) onToggle?.(filterKey, group.chave)
  }
  return (
    <ChartCard
      title={title}
      subtitle={`${measure === 'n' ? '' : 'kg/ha · '}${counted(total, ...unitOfN)}`}
      picture={picture}
      {...(filterKey ? { onPick: (index: number) => pick(picked(index)) } : {})}
      {...(className ? { className } : {})}
      {...(note === undefined ? {} : { note })}
      table={{
        columns: [
          { name: column },
          { name: unitOfN[1][0]?.toUpperCase() + unitOfN[1].slice(1), numeric: true },
          { name: 'Produtividade média (kg/ha)', numeric: true },
          { name: 'Desvio-padrão (kg/ha)', numeric: true },
        ],
        count: sorted.length,
        rows: () =>
          sorted.map((group) => ({
            key: group.chave,
            cells: [
              name(group.chave),
              formatNumber(group.n, 0),
              formatNumber(group.produtividade_media, 0),
              formatNumber(group.desvio, 0),
            ],
            ...(filterKey ? { onPick: () => pick(group) } : {}),
          })),
      }}
    />
  )
})

function detailOf(group: Group, measure: GroupChartProps['measure'], unitOfN: [string, string]): string {
  if (measure === 'n') return `média ${formatNumber(group.produtividade_media, 0)} kg/ha`
  const spread = group.desvio === null ? '' : ` · desvio-padrão ${formatNumber(group.desvio, 0)}`
  return `${counted(group.n, ...unitOfN)}${spread}`
}

type Props = {
  data: Overview
  filter: ExperimentFilter
  onToggle: (key: FilterKey, value: string) => void
}

export const OverviewCharts = memo(function OverviewCharts({ data, filter, onToggle }: Props) {
  const mixed =
    data.por_cultura.length > 1
      ? `${data.por_cultura.length} culturas juntas: filtre por uma cultura para comparar.`
      : ''
  const by = (filterKey: FilterKey) => ({ filterKey, onToggle, selected: filter[filterKey] ?? null })
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <GroupChart
        title="Produtividade média por cultura"
        column="Cultura"
        groups={data.por_cultura}
        measure="produtividade_media"
        draw="bars"
        {...by('cultura')}
      />
      <GroupChart
        title="Experimentos por marca"
        column="Marca"
        groups={data.por_marca}
        measure="n"
        draw={pie}
        {...by('marca')}
        colour={brandColour}
        note={mixed}
      />
      <GroupChart
        title="Experimentos por regional"
        column="Regional"
        groups={data.por_regional}
        measure="n"
        draw="bars"
        {...by('regional')}
        note={mixed}
      />
      <GroupChart
        title="Experimentos por Business Unit"
        column="Business Unit"
        groups={data.por_bu}
        measure="n"
        draw="bars"
        {...by('bu')}
        name={businessUnitName}
        note={mixed}
      />
      <GroupChart
        title="Produtividade ao longo dos anos"
        column="Ano"
        groups={data.por_ano}
        measure="produtividade_media"
        draw={line}
        {...by('ano')}
        order="key"
        note={mixed}
      />
      <ClayChart points={data.argila.pontos} n={data.argila.n} note={mixed} />
      <GroupChart
        title="Desempenho por modalidade de aplicação"
        column="Modalidade"
        groups={data.por_modalidade}
        measure="produtividade_media"
        draw="bars"
        unitOfN={TREATMENTS}
        className="lg:col-span-2"
        note={mixed}
      />
    </div>
  )
})

type ClayProps = { points: readonly ScatterPoint[]; n: number; note: string }

const ClayChart = memo(function ClayChart({ points, n, note }: ClayProps) {
  const actions = useExperimentActions()
  const picture = useMemo(() => {
    const data = points.map((point) => ({
      key: point.id,
      x: point.x,
      y: point.y,
      label: point.nome,
      colour: brandColour(point.marca),
    }))
    return { draw: scatter(data, CLAY, YIELD), height: 300 }
  }, [points])
  return (
    <ChartCard
      title="Argila do solo e produtividade"
      subtitle={`% e kg/ha · ${counted(n, 'experimento', 'experimentos')}${points.length < n ? ` · ${formatNumber(points.length, 0)} mostrados` : ''}`}
      picture={picture}
      note={note}
      onPick={(index) => {
        const point = points[index]
        if (point) actions.details(point.id)
      }}
      table={{
        columns: [
          { name: 'Experimento' },
          { name: 'Argila (%)', numeric: true },
          { name: 'Produtividade (kg/ha)', numeric: true },
          { name: 'Marca' },
        ],
        count: points.length,
        rows: () =>
          points.map((point) => ({
            key: point.id,
            cells: [point.nome, formatNumber(point.x, 1), formatNumber(point.y, 0), point.marca],
            onPick: () => actions.details(point.id),
          })),
      }}
    />
  )
})
