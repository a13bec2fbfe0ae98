import {
  type AnalysisAnswer,
  equationText,
  formatFixed,
  formatNumber,
  meanDecimals,
  NO_VALUE,
  pText,
} from '@ensaio/domain'
import type { DoseRegression } from '@ensaio/statistics'
import { useMemo } from 'react'
import { ChartCard } from '../../charts/ChartCard.tsx'
import { plot } from '../../charts/plot.ts'
import { Card, CardHeader } from '../../ui/Surface.tsx'
import { Cell, Head, Row, Table } from '../../ui/Table.tsx'
import { within } from './within.ts'

const TERMS = { linear: 'linear', quadratico: 'quadrático', cubico: 'cúbico', desvio: 'desvio' } as const

export function Doses({ analysis, regression }: { analysis: AnalysisAnswer; regression: DoseRegression }) {
  const { doses, medias, modelos, particao, escolhido } = regression
  const decimals = meanDecimals(analysis)
  const factor = analysis.fatores[regression.fator ?? 'A']
  const chosen = modelos.find(({ modelo }) => modelo === escolhido.modelo)
  const low = Math.min(...doses)
  const high = Math.max(...doses)
  const curve = useMemo(() => {
    if (!chosen) return []
    const { a, b, c = 0 } = chosen.coef
    const at = (x: number) => {
      if (chosen.x0 === undefined) return a + b * x + c * x * x
      const u = Math.min(x, chosen.x0)
      return chosen.modelo === 'linear_plato' ? a + b * u : a + b * (u - (u * u) / (2 * chosen.x0))
    }
    return Array.from({ length: 101 }, (_, i): [number, number] => {
      const x = low + ((high - low) * i) / 100
      return [x, at(x)]
    })
  }, [chosen, low, high])
  const unit = factor?.unidade ?? ''
  const NAMES = {
    linear: 'Linear',
    quadratico: 'Quadrático',
    linear_plato: 'Linear com platô',
    quadratico_plato: 'Quadrático com platô',
  }
  return (
    <div className="flex flex-col gap-4">
      <ChartCard
        title={`Resposta a ${factor?.nome ?? 'doses'}${regression.dentro ? `: ${within(analysis, { efeito: regression.fator ?? 'A', dentro: regression.dentro })}` : ''}`}
        subtitle={
          chosen
            ? `${NAMES[chosen.modelo]}: ${equationText(chosen)} · R² ${formatFixed(chosen.r2, 3)}`
            : escolhido.razao
        }
        picture={{
          draw: plot(
            {
              points: doses.map((dose, at) => ({
                key: String(dose),
                x: dose,
                y: medias[at] ?? 0,
                label: `${formatNumber(dose, 4)} ${unit}`,
                tip: [`${formatFixed(medias[at] ?? null, decimals)} ${analysis.variavel.unidade}`],
              })),
              lines: curve.length > 0 ? [{ points: curve, strong: true }] : [],
            },
            { name: factor?.nome ?? 'Dose', unit, decimals: 1 },
            { name: analysis.variavel.nome, unit: analysis.variavel.unidade, decimals },
          ),
          height: 320,
        }}
        table={{
          columns: [
            { name: 'Dose', numeric: true },
            { name: 'Média', numeric: true },
          ],
          count: doses.length,
          rows: () =>
            doses.map((dose, at) => ({
              key: String(dose),
              cells: [formatNumber(dose, 4), formatFixed(medias[at] ?? null, decimals)],
            })),
        }}
        note={escolhido.razao}
      />
      <Card>
        <CardHeader
          title="Modelos de dose"
          level={3}
          subtitle={particao
            .map(({ termo, f, p }) => `${TERMS[termo]}: F = ${formatFixed(f, 2)} (${pText(p)})`)
            .join(' · ')}
        />
        <Table label="Modelos de dose">
          <thead>
            <tr>
              <Head>Modelo</Head>
              <Head>Equação</Head>
              <Head numeric>R²</Head>
              <Head numeric>Falta de ajuste</Head>
              <Head numeric>Dose de máximo ou x₀</Head>
              <Head numeric>Dose econômica</Head>
            </tr>
          </thead>
          <tbody>
            {modelos.map((model) => {
              const best = model.x0 ?? (model.maximo?.e_maximo ? model.maximo.dose : null)
              const [from, to] =
                model.x0 === undefined
                  ? [model.maximo?.ic_baixo, model.maximo?.ic_alto]
                  : [model.x0_ic_baixo, model.x0_ic_alto]
              const interval = (a: number | null | undefined, b: number | null | undefined) =>
                a == null || b == null ? null : (
                  <span className="block text-small text-muted">
                    {formatNumber(a, 1)} a {formatNumber(b, 1)}
                  </span>
                )
              return (
                <Row key={model.modelo} className={model === chosen ? 'bg-accent-soft' : ''}>
                  <Cell className="font-medium">{NAMES[model.modelo]}</Cell>
                  <Cell className="figures whitespace-nowrap">{equationText(model)}</Cell>
                  <Cell numeric>{formatFixed(model.r2, 3)}</Cell>
                  <Cell numeric>{model.falta_ajuste ? pText(model.falta_ajuste.p) : NO_VALUE}</Cell>
                  <Cell numeric>
                    {best === null ? NO_VALUE : `${formatNumber(best, 1)} ${unit}`}
                    {model.na_borda ? (
                      <span className="block text-small text-muted">
                        o platô não foi alcançado nas doses testadas
                      </span>
                    ) : (
                      interval(from, to)
                    )}
                    {model.maximo?.e_maximo && !model.maximo.dentro && (
                      <span className="block text-small text-muted">fora das doses testadas</span>
                    )}
                  </Cell>
                  <Cell numeric>
                    {model.economica ? `${formatNumber(model.economica.dose, 1)} ${unit}` : NO_VALUE}
                    {interval(model.economica?.ic_baixo, model.economica?.ic_alto)}
                  </Cell>
                </Row>
              )
            })}
          </tbody>
        </Table>
      </Card>
    </div>
  )
}
