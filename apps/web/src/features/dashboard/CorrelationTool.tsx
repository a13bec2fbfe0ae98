import { CATEGORICAL_VARIABLES, formatNumber, NUMERIC_VARIABLES, type Variable } from '@ensaio/domain'
import { useRef } from 'react'
import { useSearchParams } from 'react-router'
import { useEndpoint } from '../../api/queries.ts'
import { useSetAddress } from '../../shell/address.ts'
import { useFilters } from '../../shell/filters.ts'
import { useActingFor } from '../../shell/organization.tsx'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { Field } from '../../ui/Field.tsx'
import { Select } from '../../ui/Input.tsx'
import { Card, CardHeader, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { CHARTS, type ChartKind, CorrelationResult } from './CorrelationResult.tsx'
import { hiddenCosts } from './hidden-costs.ts'

const COUNTS = [50, 200, 500, 2000] as const
const PRESETS = [
  { label: 'Argila × Produtividade', x: 'teor_argila', y: 'produtividade_media', chart: 'scatter' },
  { label: 'Custo do protocolo × ROI', x: 'custo_protocolo', y: 'roi', chart: 'scatter' },
  { label: 'Cultura × Performance', x: 'cultura', y: 'produtividade_media', chart: 'bar' },
] as const satisfies readonly { label: string; x: Variable; y: Variable; chart: ChartKind }[]

const OPTIONS = [...Object.entries(NUMERIC_VARIABLES), ...Object.entries(CATEGORICAL_VARIABLES)].map(
  ([value, { nome }]) => ({ value, label: nome }),
)
const COSTS: readonly Variable[] = ['custo_protocolo', 'custo_total', 'roi']
const isVariable = (name: string | null): name is Variable => OPTIONS.some(({ value }) => value === name)

export function CorrelationTool() {
  const [search] = useSearchParams()
  const { filter } = useFilters()
  const { several } = useActingFor()
  const asked = {
    x: search.get('x'),
    y: search.get('y'),
    chart: search.get('grafico'),
    count: Number(search.get('pontos')),
  }
  const x: Variable = isVariable(asked.x) ? asked.x : 'teor_argila'
  const askedY: Variable = isVariable(asked.y) ? asked.y : 'produtividade_media'
  const y: Variable = askedY !== x ? askedY : x === 'produtividade_media' ? 'roi' : 'produtividade_media'
  const chart: ChartKind =
    asked.chart !== null && asked.chart in CHARTS ? (asked.chart as ChartKind) : 'scatter'
  const count = COUNTS.some((option) => option === asked.count) ? asked.count : 500

  const set = useSetAddress({ replace: true })

  const query = useEndpoint('correlation', { query: { ...filter, x, y, pontos: count } }, { keep: true })
  // What is shown is named by its own pair until the answer for the next one is there.
  const pair = useRef({ x, y })
  if (!query.isPlaceholderData) pair.current = { x, y }

  const ofCosts = [x, y].some((variable) => COSTS.includes(variable))
  const overview = useEndpoint('overview', { query: filter }, { enabled: ofCosts && several })
  const hidden = ofCosts ? hiddenCosts(overview.data) : undefined
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
              options={OPTIONS.filter(({ value }) => value !== y)}
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
              // A variable says nothing about itself.
              options={OPTIONS.filter(({ value }) => value !== x)}
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
          <>
            {hidden && <p className="mb-3 text-small text-muted">{hidden}</p>}
            <CorrelationResult data={query.data} {...pair.current} chart={chart} />
          </>
        ) : (
          <Skeleton className="h-96" />
        )}
      </div>
    </Card>
  )
}
