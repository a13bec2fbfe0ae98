import {
  brandColour,
  businessUnitName,
  CATEGORICAL_VARIABLES,
  type CategoricalVariable,
  type Correlation,
  counted,
  formatFixed,
  formatNumber,
  isNumericVariable,
  NUMERIC_VARIABLES,
  pearsonInference,
  pearsonStrength,
  REGIONAL_LABEL_LENGTH,
  truncate,
  type Variable,
} from '@ensaio/domain'
import { useMemo } from 'react'
import { ChartCard } from '../../charts/ChartCard.tsx'
import type { Axis, Datum } from '../../charts/data.ts'
import { columns, line } from '../../charts/order.ts'
import { pie } from '../../charts/pie.ts'
import { scatter } from '../../charts/scatter.ts'
import { useExperimentActions } from '../../shell/experiment-actions.ts'
import { Banner, EmptyState } from '../../ui/Surface.tsx'

export const CHARTS = { scatter: 'Dispersão', bar: 'Barras', line: 'Linhas', pie: 'Pizza' } as const
export type ChartKind = keyof typeof CHARTS
function axisOf(variable: Variable): Axis {
  if (!isNumericVariable(variable))
    return { name: CATEGORICAL_VARIABLES[variable].nome, unit: '', decimals: 0 }
  const { nome, unidade } = NUMERIC_VARIABLES[variable]
  return { name: nome, unit: unidade, decimals: unidade.startsWith('R$') ? 2 : unidade === '%' ? 1 : 0 }
}

function categoryLabel(variable: CategoricalVariable, key: string): string {
  if (variable === 'bu') return businessUnitName(key)
  return variable === 'regional' ? truncate(key, REGIONAL_LABEL_LENGTH) : key
}

type ResultProps = { data: Correlation; x: Variable; y: Variable; chart: ChartKind }

/** What the chosen pair says: Pearson's coefficient and the chart. */
export function CorrelationResult({ data, x, y, chart }: ResultProps) {
  if (chart === 'pie' && isNumericVariable(x))
    return <Banner tone="warn">Gráfico de pizza requer variável categórica no eixo X</Banner>
  const numeric = data.pontos.length > 0
  if (data.n === 0 || (numeric && data.n < 3) || (!numeric && data.grupos.length === 0))
    return <EmptyState title="Não há dados suficientes para a correlação selecionada" />
  return (
    <div className="flex flex-col gap-4">
      {data.r !== null && <Pearson data={data} r={data.r} />}
      {numeric ? (
        <PointsChart data={data} x={x} y={y} chart={chart} />
      ) : (
        <GroupsChart data={data} x={x} y={y} chart={chart} />
      )}
    </div>
  )
}

/** Below it a coefficient is told apart from zero; two-sided. */
const SIGNIFICANT = 0.05

function Pearson({ data, r }: { data: Correlation; r: number }) {
  const crops = data.por_cultura
  const inference = pearsonInference(r, data.n)
  return (
    <div className="rounded-md bg-sunken px-4 py-3">
      <p className="figures">
        <span className="text-muted">Coeficiente de Pearson</span>{' '}
        <strong className="text-title font-semibold">r = {formatFixed(r, 2)}</strong>{' '}
        <span>
          · correlação {pearsonStrength(r)} {r < 0 ? 'negativa' : 'positiva'}
          {inference && inference.p >= SIGNIFICANT && <strong>, não se distingue de zero</strong>}
        </span>{' '}
        <span className="text-muted">
          · n = {formatNumber(data.n, 0)}
          {inference && ` · p ${inference.p < 0.001 ? '< 0,001' : `= ${formatFixed(inference.p, 3)}`}`}
          {inference?.low != null &&
            inference.high != null &&
            ` · IC 95%: ${formatFixed(inference.low, 2)} a ${formatFixed(inference.high, 2)}`}
        </span>
      </p>
      {crops.length > 1 && (
        <details className="mt-1 text-small text-muted">
          <summary className="cursor-pointer">
            {crops.length} culturas juntas: ver r dentro de cada cultura
          </summary>
          <ul className="figures mt-1.5 flex flex-wrap gap-x-5 gap-y-0.5">
            {crops.map((crop) => (
              <li key={crop.cultura}>
                {crop.cultura}: {formatFixed(crop.r, 2)} (n = {formatNumber(crop.n, 0)})
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

function PointsChart({ data, x, y, chart }: ResultProps) {
  const actions = useExperimentActions()
  const points = useMemo(() => [...data.pontos].sort((a, b) => a.x - b.x), [data.pontos])
  const [axisX, axisY] = useMemo(() => [axisOf(x), axisOf(y)], [x, y])
  const drawn = useMemo(() => {
    if (chart === 'scatter') {
      const shown = points.map((point) => ({
        key: point.id,
        x: point.x,
        y: point.y,
        label: point.nome,
        colour: brandColour(point.marca),
      }))
      return scatter(shown, axisX, axisY, { trend: true })
    }
    const shown = bandsOf(points).map(({ low, high, mean, n }): Datum => {
      const label = [...new Set([low, high].map((value) => axisText(x, value, axisX.decimals)))].join(' a ')
      return { key: label, label, value: mean, detail: counted(n, 'experimento', 'experimentos') }
    })
    return (chart === 'bar' ? columns : line)(shown, axisY, null)
  }, [points, chart, x, axisX, axisY])
  return (
    <ChartCard
      title={`${axisX.name} × ${axisY.name}`}
      subtitle={`${[axisX.unit, axisY.unit].filter(Boolean).join(' e ')} · ${counted(data.n, 'experimento', 'experimentos')} · ${formatNumber(points.length, 0)} no gráfico`}
      picture={{ draw: drawn, height: 400 }}
      {...(chart === 'scatter'
        ? {
            onPick: (index: number) => {
              const point = points[index]
              if (point) actions.details(point.id)
            },
            note: 'A linha tracejada é a tendência (mínimos quadrados) dos pontos mostrados.',
          }
        : {
            note: `Médias de ${axisY.name.toLowerCase()} em faixas de ${axisX.name.toLowerCase()} com tantos experimentos cada uma quanto possível.`,
          })}
      table={{
        columns: [
          { name: 'Experimento' },
          { name: axisX.name, numeric: true },
          { name: axisY.name, numeric: true },
        ],
        count: points.length,
        rows: () =>
          points.map((point) => ({
            key: point.id,
            cells: [point.nome, axisText(x, point.x, axisX.decimals), axisText(y, point.y, axisY.decimals)],
            onPick: () => actions.details(point.id),
          })),
      }}
    />
  )
}

const MOST_BANDS = 10

type Band = { low: number; high: number; mean: number; n: number }

/** Means of y along x, in order: for each value of x while they are few, else in bands of as many points each. */
function bandsOf(points: readonly { x: number; y: number }[]): Band[] {
  const byValue = [...Map.groupBy(points, ({ x }) => x).values()]
  const share = Math.ceil(points.length / MOST_BANDS)
  const bands: { x: number; y: number }[][] = []
  // One value is never parted between two bands.
  for (const group of byValue) {
    const last = bands.at(-1)
    if (byValue.length > MOST_BANDS && last && last.length < share) last.push(...group)
    else bands.push([...group])
  }
  return bands.map((band) => ({
    low: band[0]?.x ?? 0,
    high: band.at(-1)?.x ?? 0,
    mean: band.reduce((sum, { y }) => sum + y, 0) / band.length,
    n: band.length,
  }))
}

const axisText = (variable: Variable, value: number, decimals: number) =>
  variable === 'ano' ? String(value) : formatNumber(value, decimals)

/** One variable is a category: means of the other, or counts when both are. */
function GroupsChart({ data, x, y, chart }: ResultProps) {
  const category = isNumericVariable(x) ? y : x
  const measure = isNumericVariable(x) ? x : y
  const counts = !isNumericVariable(measure)
  const axis = useMemo<Axis>(
    () => (counts ? { name: 'Experimentos', unit: 'experimentos', decimals: 0 } : axisOf(measure)),
    [counts, measure],
  )
  const groups = useMemo(
    () =>
      data.grupos
        .filter((group) => counts || group.media !== null)
        .sort((a, b) => (counts ? b.n - a.n : (b.media ?? 0) - (a.media ?? 0))),
    [data.grupos, counts],
  )
  const picture = useMemo(() => {
    const shown: Datum[] = groups.map((group) => ({
      key: group.chave,
      label: isNumericVariable(category) ? group.chave : categoryLabel(category, group.chave),
      value: chart === 'pie' ? group.n : counts ? group.n : (group.media ?? 0),
      detail: `${group.chave} · ${counted(group.n, 'experimento', 'experimentos')}`,
      ...(category === 'marca' ? { colour: brandColour(group.chave) } : {}),
    }))
    const unit = chart === 'pie' ? { name: 'Experimentos', unit: 'experimentos', decimals: 0 } : axis
    if (chart !== 'pie' && chart !== 'line') return { data: shown, axis: unit, selected: null }
    const draw = chart === 'pie' ? pie : line
    return { draw: draw(shown, unit, null), height: 360 }
  }, [groups, chart, category, counts, axis])
  const title = `${axisOf(category).name} × ${axisOf(measure).name}`
  return (
    <ChartCard
      title={title}
      subtitle={`${chart === 'pie' ? 'experimentos' : axis.unit} · ${counted(data.n, 'experimento', 'experimentos')}`}
      picture={picture}
      table={{
        columns: [
          { name: axisOf(category).name },
          { name: 'Experimentos', numeric: true },
          ...(counts
            ? []
            : [
                { name: `Média (${axis.unit})`, numeric: true },
                { name: 'Desvio-padrão', numeric: true },
              ]),
        ],
        count: groups.length,
        rows: () =>
          groups.map((group) => ({
            key: group.chave,
            cells: [
              category === 'bu' ? businessUnitName(group.chave) : group.chave,
              formatNumber(group.n, 0),
              ...(counts
                ? []
                : [formatNumber(group.media, axis.decimals), formatNumber(group.desvio, axis.decimals)]),
            ],
          })),
      }}
    />
  )
}
