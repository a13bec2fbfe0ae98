import { type AnalysisAnswer, counted, evidenceText, formatFixed, formatNumber, pText } from '@ensaio/domain'
import { normalQuantile } from '@ensaio/statistics/distributions'
import { useMemo } from 'react'
import { Link, useParams } from 'react-router'
import { useEndpoint } from '../../api/queries.ts'
import { ChartCard } from '../../charts/ChartCard.tsx'
import { FieldMap } from '../../charts/FieldMap.tsx'
import { canMap, fieldPicture } from '../../charts/field.ts'
import { plot } from '../../charts/plot.ts'
import { recordPage } from '../../shell/paths.ts'
import { Card, CardHeader } from '../../ui/Surface.tsx'

const HEIGHT = 260
const FLAGGED = 3
/** Fewer repetitions than that are shown as points, one each. */
const RESIDUAL = { name: 'Resíduo padronizado', unit: '', decimals: 1 }

/** What the residuals say: shown, never a gate. */
export function Assumptions({ analysis }: { analysis: AnalysisAnswer }) {
  const { id = '' } = useParams()
  const plots = analysis.ajuste ?? []
  const found = analysis.pressupostos
  const sorted = useMemo(() => [...plots].sort((a, b) => a.padronizado - b.padronizado), [plots])
  const quantiles = useMemo(() => sorted.map((_, at) => normalQuantile((at + 0.5) / sorted.length)), [sorted])
  if (!found || plots.length === 0) return null
  const flagged = plots.filter(({ padronizado }) => Math.abs(padronizado) > FLAGGED)
  const label = (one: (typeof plots)[number]) =>
    `Parcela ${one.parcela}, ${levelText(analysis, one.tratamento)}`
  const tip = (one: (typeof plots)[number]) => [
    `observado ${formatNumber(one.observado, 3)}`,
    `ajustado ${formatNumber(one.ajustado, 3)}`,
    `resíduo padronizado ${formatFixed(one.padronizado, 2)}`,
  ]
  const lines: [string, string | null][] = [
    [
      'Normalidade (Shapiro-Wilk)',
      'p' in found.shapiro
        ? `W = ${formatFixed(found.shapiro.w, 3)}; ${pText(found.shapiro.p)}: ${evidenceText(found.shapiro.p)} afastamento da normalidade`
        : found.shapiro.motivo,
    ],
    [
      'Homogeneidade (Levene pela mediana)',
      'p' in found.levene
        ? `F = ${formatFixed(found.levene.f, 2)}; ${pText(found.levene.p)}: ${evidenceText(found.levene.p)} variâncias diferentes`
        : found.levene.motivo,
    ],
    [
      'Homogeneidade (Bartlett)',
      'p' in found.bartlett
        ? `K² = ${formatFixed(found.bartlett.k2, 2)}; ${pText(found.bartlett.p)}`
        : found.bartlett.motivo,
    ],
    [
      'Aditividade (Tukey)',
      found.aditividade === undefined
        ? null
        : 'p' in found.aditividade
          ? `F = ${formatFixed(found.aditividade.f, 2)}; ${pText(found.aditividade.p)}: ${evidenceText(found.aditividade.p)} interação entre blocos e tratamentos`
          : found.aditividade.motivo,
    ],
    ['Maior resíduo padronizado', formatFixed(found.max_residuo, 2)],
  ]
  const treatments = [...new Set(plots.map(({ tratamento }) => tratamento))].sort((a, b) => a - b)
  const table = (columns: string[], cells: (one: (typeof plots)[number]) => string[]) => ({
    columns: columns.map((name, at) => ({ name, numeric: at > 0 })),
    count: plots.length,
    rows: () => plots.map((one) => ({ key: String(one.parcela), cells: cells(one) })),
  })
  return (
    <section className="flex flex-col gap-4">
      <Card>
        <CardHeader
          title="Pressupostos"
          subtitle="sobre os resíduos do modelo; mostrados, não usados como barreira"
        />
        <dl className="grid gap-x-6 gap-y-1.5 px-5 pb-4 sm:grid-cols-[auto_minmax(0,1fr)]">
          {lines.map(([name, text]) =>
            text === null ? null : (
              <div key={name} className="contents">
                <dt className="text-small text-muted">{name}</dt>
                <dd className="figures pb-1.5 sm:pb-0">{text}</dd>
              </div>
            ),
          )}
        </dl>
        {flagged.length > 0 && (
          <p className="px-5 pb-4 text-small text-warn">
            Conferir:{' '}
            {flagged
              .map((one) => `parcela ${one.parcela} (resíduo ${formatFixed(one.padronizado, 1)})`)
              .join('; ')}
            .{' '}
            <Link to={recordPage(id, 'parcelas')} className="underline">
              Abrir as parcelas
            </Link>
          </p>
        )}
      </Card>
      <div className="grid gap-4 xl:grid-cols-2">
        <ChartCard
          title="Resíduos e valores ajustados"
          subtitle="sem padrão: o modelo serve"
          picture={{
            draw: plot(
              {
                points: plots.map((one) => ({
                  key: String(one.parcela),
                  x: one.ajustado,
                  y: one.padronizado,
                  label: label(one),
                  tip: tip(one),
                  strong: Math.abs(one.padronizado) > FLAGGED,
                })),
                lines: [
                  {
                    points: [
                      [Math.min(...plots.map((one) => one.ajustado)), 0],
                      [Math.max(...plots.map((one) => one.ajustado)), 0],
                    ],
                    dash: true,
                  },
                ],
              },
              {
                name: 'Valor ajustado',
                unit: analysis.transformacao === 'nenhuma' ? analysis.variavel.unidade : '',
                decimals: 1,
              },
              RESIDUAL,
            ),
            height: HEIGHT,
          }}
          table={table(['Parcela', 'Ajustado', 'Resíduo padronizado'], (one) => [
            String(one.parcela),
            formatNumber(one.ajustado, 3),
            formatFixed(one.padronizado, 2),
          ])}
        />
        <ChartCard
          title="Quantis normais (Q–Q)"
          subtitle="dentro da faixa de 95 %: sem indício de afastamento"
          picture={{
            draw: plot(
              {
                points: sorted.map((one, at) => ({
                  key: String(one.parcela),
                  x: quantiles[at] ?? 0,
                  y: one.padronizado,
                  label: label(one),
                  tip: tip(one),
                  strong: Math.abs(one.padronizado) > FLAGGED,
                })),
                lines: [
                  {
                    points: [
                      [quantiles[0] ?? 0, (quantiles[0] ?? 0) * spreadOf(sorted)],
                      [quantiles.at(-1) ?? 0, (quantiles.at(-1) ?? 0) * spreadOf(sorted)],
                    ],
                    dash: true,
                  },
                ],
                band: {
                  points: quantiles.map((z, at): [number, number, number] =>
                    bandAt(z, at, sorted.length, spreadOf(sorted)),
                  ),
                },
              },
              { name: 'Quantil da normal', unit: '', decimals: 1 },
              RESIDUAL,
            ),
            height: HEIGHT,
          }}
          table={{
            columns: [
              { name: 'Parcela' },
              { name: 'Quantil', numeric: true },
              { name: 'Resíduo padronizado', numeric: true },
            ],
            count: sorted.length,
            rows: () =>
              sorted.map((one, at) => ({
                key: String(one.parcela),
                cells: [
                  String(one.parcela),
                  formatFixed(quantiles[at] ?? null, 2),
                  formatFixed(one.padronizado, 2),
                ],
              })),
          }}
        />
        <ChartCard
          title="Valores por tratamento"
          subtitle={`cada ponto é uma parcela${analysis.variavel.unidade ? ` (${analysis.variavel.unidade})` : ''}`}
          picture={{
            draw: plot(
              {
                points: plots.map((one) => ({
                  key: String(one.parcela),
                  x: treatments.indexOf(one.tratamento) + 1,
                  y: one.observado,
                  label: label(one),
                  tip: tip(one),
                })),
              },
              { name: 'Tratamento (T)', unit: '', decimals: 0 },
              {
                name: analysis.variavel.nome,
                unit: analysis.transformacao === 'nenhuma' ? analysis.variavel.unidade : 'transformada',
                decimals: 1,
              },
            ),
            height: HEIGHT,
          }}
          table={table(['Parcela', 'Tratamento', 'Valor'], (one) => [
            String(one.parcela),
            levelText(analysis, one.tratamento),
            formatNumber(one.observado, 4),
          ])}
        />
        <ResidualMap analysis={analysis} />
      </div>
    </section>
  )
}

const levelText = (analysis: AnalysisAnswer, treatment: number) => {
  const name = analysis.nomes[`T${treatment}`]
  return name && name !== `T${treatment}` ? `T${treatment} (${name})` : `T${treatment}`
}

/** Residuals where the plots lie: a gradient of the field shows itself. */
function ResidualMap({ analysis }: { analysis: AnalysisAnswer }) {
  const { id = '' } = useParams()
  const query = useEndpoint('getPlots', { params: { id } })
  const plots = query.data?.ficha.parcelas ?? []
  if (!canMap(plots)) return null
  const residuals = new Map(analysis.ajuste?.map((one) => [one.parcela, one.padronizado]))
  const values = plots.map(({ numero }) => residuals.get(numero) ?? null)
  const said = (at: number) => {
    const plot = plots[at]
    const value = values[at] ?? null
    if (!plot) return ''
    return `Parcela ${plot.numero}, ${levelText(analysis, plot.tratamento)}: ${value === null ? 'fora da análise ou perdida' : `resíduo padronizado ${formatFixed(value, 2)}`}`
  }
  return (
    <ChartCard
      title="Resíduos no croqui"
      subtitle={`cor pelo resíduo padronizado; um gradiente aponta o terreno · ${counted(plots.length, 'parcela', 'parcelas')}`}
      picture={{
        element: <FieldMap plots={plots} values={values} said={said} middle={0} decimals={1} />,
        drawn: fieldPicture({
          ...{ plots, values, middle: 0, decimals: 1, north: query.data?.ficha.norte ?? null },
        }),
      }}
      table={{
        columns: [
          { name: 'Parcela', numeric: true },
          { name: 'Tratamento' },
          { name: 'Resíduo padronizado', numeric: true },
        ],
        count: plots.length,
        rows: () =>
          plots.map(({ numero, tratamento }, at) => ({
            key: String(numero),
            cells: [String(numero), levelText(analysis, tratamento), formatFixed(values[at] ?? null, 2)],
          })),
      }}
    />
  )
}

/** Standard deviation of the standardised residuals: the slope of the line of a normal sample. */
function spreadOf(sorted: readonly { padronizado: number }[]): number {
  const mean = sorted.reduce((sum, { padronizado }) => sum + padronizado, 0) / sorted.length
  return Math.sqrt(
    sorted.reduce((sum, { padronizado }) => sum + (padronizado - mean) ** 2, 0) /
      Math.max(1, sorted.length - 1),
  )
}

/** Pointwise 95 % band of an order statistic: s·(z ± 1.96·√(p(1−p)/n)/φ(z)) (FOX, Applied regression analysis, 2016). */
function bandAt(z: number, at: number, n: number, s: number): [number, number, number] {
  const p = (at + 0.5) / n
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)
  const half = (1.96 * Math.sqrt((p * (1 - p)) / n)) / density
  return [z, s * (z - half), s * (z + half)]
}
