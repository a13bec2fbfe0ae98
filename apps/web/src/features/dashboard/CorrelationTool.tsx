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
import { useMemo, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { useEndpoint } from '../../api/queries.ts'
import { useSetAddress } from '../../app/address.ts'
import { useExperimentActions } from '../../app/experiment-actions.ts'
import { useFilters } from '../../app/filters.ts'
import { ChartCard } from '../../charts/ChartCard.tsx'
import { type Axis, bars, type Datum, line, pie, scatter } from '../../charts/options.ts'
import type { Palette } from '../../charts/palette.ts'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { Field } from '../../ui/Field.tsx'
import { Select } from '../../ui/Input.tsx'
import { Banner, Card, CardHeader, EmptyState, ErrorState, Skeleton } from '../../ui/Surface.tsx'

const CHARTS = { scatter: 'Dispersão', bar: 'Barras', line: 'Linhas', pie: 'Pizza' } as const
type ChartKind = keyof typeof CHARTS
const COUNTS = [50, 200, 500, 2000] as const
const PRESETS = [
  { label: 'Argila × Produtividade', x: 'teor_argila', y: 'produtividade_media', chart: 'scatter' },
  { label: 'Custo do protocolo × ROI', x: 'custo_protocolo', y: 'roi', chart: 'scatter' },
  { label: 'Cultura × Performance', x: 'cultura', y: 'produtividade_media', chart: 'bar' },
] as const satisfies readonly { label: string; x: Variable; y: Variable; chart: ChartKind }[]

const OPTIONS = [...Object.entries(NUMERIC_VARIABLES), ...Object.entries(CATEGORICAL_VARIABLES)].map(
  ([value, { nome }]) => ({ value, label: nome }),
)
const isVariable = (name: string | null): name is Variable => OPTIONS.some(({ value }) => value === name)

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

export function CorrelationTool() {
  const [search] = useSearchParams()
  const { filter } = useFilters()
  const asked = {
    x: search.get('x'),
    y: search.get('y'),
    chart: search.get('grafico'),
    count: Number(search.get('pontos')),
  }
  const x: Variable = isVariable(asked.x) ? asked.x : 'teor_argila'
  const y: Variable = isVariable(asked.y) ? asked.y : 'produtividade_media'
  const chart: ChartKind =
    asked.chart !== null && asked.chart in CHARTS ? (asked.chart as ChartKind) : 'scatter'
  const count = COUNTS.some((option) => option === asked.count) ? asked.count : 500

  const set = useSetAddress({ replace: true })

  const query = useEndpoint('correlation', { query: { ...filter, x, y, pontos: count } }, { keep: true })
  // What is shown is named by its own pair until the answer for the next one is there.
  const pair = useRef({ x, y })
  if (!query.isPlaceholderData) pair.current = { x, y }

  return (
    <Card>
      <CardHeader
        title="Correlação entre variáveis"
        subtitle="Escolha duas variáveis ou comece por um modelo"
        actions={PRESETS.map((preset) => (
          <Button
            key={preset.label}
            size="small"
            aria-pressed={preset.x === x && preset.y === y}
            onClick={() => set({ x: preset.x, y: preset.y, grafico: preset.chart })}
          >
            {preset.label}
          </Button>
        ))}
      />
      <div className="grid grid-cols-2 gap-3 px-5 pb-5 lg:grid-cols-4">
        <Field label="Variável X">
          {(control) => (
            <Select
              {...control}
              name="x"
              options={OPTIONS}
              value={x}
              onChange={(event) => set({ x: event.target.value })}
            />
          )}
        </Field>
        <Field label="Variável Y">
          {(control) => (
            <Select
              {...control}
              name="y"
              options={OPTIONS}
              value={y}
              onChange={(event) => set({ y: event.target.value })}
            />
          )}
        </Field>
        <Field label="Tipo de gráfico">
          {(control) => (
            <Select
              {...control}
              name="grafico"
              options={Object.entries(CHARTS).map(([value, label]) => ({ value, label }))}
              value={chart}
              onChange={(event) => set({ grafico: event.target.value })}
            />
          )}
        </Field>
        <Field label="Pontos no gráfico">
          {(control) => (
            <Select
              {...control}
              name="pontos"
              options={COUNTS.map((value) => ({
                value: String(value),
                label: `até ${formatNumber(value, 0)}`,
              }))}
              value={count}
              onChange={(event) => set({ pontos: event.target.value })}
            />
          )}
        </Field>
      </div>
      <div
        aria-busy={query.isPlaceholderData}
        className={classes('px-5 pb-5', query.isPlaceholderData && 'opacity-50')}
      >
        {query.isError ? (
          <ErrorState message="Erro ao buscar estatísticas" onRetry={() => query.refetch()} />
        ) : query.data ? (
          <Result data={query.data} {...pair.current} chart={chart} />
        ) : (
          <Skeleton className="h-96" />
        )}
      </div>
    </Card>
  )
}

type ResultProps = { data: Correlation; x: Variable; y: Variable; chart: ChartKind }

function Result({ data, x, y, chart }: ResultProps) {
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
        </span>{' '}
        <span className="text-muted">
          · n = {formatNumber(data.n, 0)}
          {inference && ` · p ${inference.p < 0.001 ? '< 0,001' : `= ${formatFixed(inference.p, 3)}`}`}
          {inference?.low != null &&
            inference.high != null &&
            ` · IC 95 %: ${formatFixed(inference.low, 2)} a ${formatFixed(inference.high, 2)}`}
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
  const option = useMemo(() => {
    if (chart === 'scatter') {
      const shown = points.map((point) => ({
        key: point.id,
        x: point.x,
        y: point.y,
        label: point.nome,
        colour: brandColour(point.marca),
      }))
      return (palette: Palette) => scatter(shown, axisX, axisY, palette)
    }
    const ordered: Datum[] = points.map((point) => ({
      key: point.id,
      label: formatNumber(point.x, axisX.decimals),
      value: point.y,
      detail: point.nome,
    }))
    const draw = chart === 'bar' ? bars : line
    return (palette: Palette) => draw(ordered, axisY, palette, null)
  }, [points, chart, axisX, axisY])
  return (
    <ChartCard
      title={`${axisX.name} × ${axisY.name}`}
      subtitle={`${[axisX.unit, axisY.unit].filter(Boolean).join(' e ')} · ${counted(data.n, 'experimento', 'experimentos')} · ${formatNumber(points.length, 0)} no gráfico`}
      picture={{ option, height: chart === 'bar' ? Math.max(300, points.length * 26) : 400 }}
      onPick={(index) => {
        const point = points[chart === 'bar' ? points.length - 1 - index : index]
        if (point) actions.details(point.id)
      }}
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
            cells: [point.nome, formatNumber(point.x, axisX.decimals), formatNumber(point.y, axisY.decimals)],
            onPick: () => actions.details(point.id),
          })),
      }}
    />
  )
}

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
    return { option: (palette: Palette) => draw(shown, unit, palette, null), height: 360 }
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
