import {
  type EconomicAnswer,
  formatFixed,
  formatNumber,
  NO_VALUE,
  reaisText,
  treatmentText,
} from '@ensaio/domain'
import { memo } from 'react'
import { ChartCard } from '../../charts/ChartCard.tsx'
import { plot } from '../../charts/plot.ts'
import { Field } from '../../ui/Field.tsx'
import { NumberInput } from '../../ui/Input.tsx'
import { Card, CardHeader } from '../../ui/Surface.tsx'
import type { WhatIf } from './what-if.ts'

const HEIGHT = 300

type Props = {
  answer: EconomicAnswer
  /** As they stand in their fields, %. */
  taxa: number
  ajuste: number
  onChange: (changed: Partial<WhatIf>) => void
}

/** Which treatments are worth their cost, and how far up the next one still pays (CIMMYT 1988). */
export const Frontier = memo(({ answer, taxa, ajuste, onChange }: Props) => {
  const { dominancia, nomes, taxa_minima } = answer
  if ('motivo' in dominancia)
    return (
      <Card>
        <CardHeader title="Dominância e taxa marginal de retorno" level={3} />
        <p className="px-5 pb-5 text-muted">Não há o que comparar: {dominancia.motivo}.</p>
      </Card>
    )
  const { curva, tmr, recomendado } = dominancia
  const rateTo = new Map(tmr.map((step) => [step.para, step.percentual]))
  const kept = curva.filter(({ dominado }) => !dominado)
  const rate = (nivel: string) => {
    const percent = rateTo.get(nivel)
    return percent === undefined ? NO_VALUE : `${formatFixed(percent, 0)} %`
  }
  const said = (point: (typeof curva)[number]) =>
    point.dominado ? 'dominado' : point.nivel === recomendado ? 'recomendado' : 'na fronteira'
  return (
    <ChartCard
      title="Dominância e taxa marginal de retorno"
      subtitle={`Benefício líquido pelo custo, R$/ha · taxa mínima de ${formatNumber(taxa_minima, 0)} %`}
      picture={{
        draw: plot(
          {
            points: curva.map((point) => ({
              ...{ key: point.nivel, x: point.custo_rs_ha, y: point.beneficio_liquido_rs_ha },
              label: treatmentText(point.nivel, nomes),
              tip: [
                `Custo ${reaisText(point.custo_rs_ha)}/ha`,
                `Benefício líquido ${reaisText(point.beneficio_liquido_rs_ha)}/ha`,
                `${said(point)}${rateTo.has(point.nivel) ? `, taxa ${rate(point.nivel)}` : ''}`,
              ],
              strong: point.nivel === recomendado,
              name: point.nivel,
            })),
            lines: [
              {
                points: kept.map((point) => [point.custo_rs_ha, point.beneficio_liquido_rs_ha] as const),
                strong: true,
              },
            ],
          },
          { name: 'Custo', unit: 'R$/ha', decimals: 0 },
          { name: 'Benefício líquido', unit: 'R$/ha', decimals: 0 },
        ),
        height: HEIGHT,
      }}
      table={{
        columns: [
          { name: 'Tratamento' },
          { name: 'Custo', numeric: true },
          { name: 'Benefício líquido', numeric: true },
          { name: 'Taxa marginal', numeric: true },
          { name: 'Situação' },
        ],
        count: curva.length,
        rows: () =>
          curva.map((point) => ({
            key: point.nivel,
            cells: [
              treatmentText(point.nivel, nomes),
              reaisText(point.custo_rs_ha),
              reaisText(point.beneficio_liquido_rs_ha),
              rate(point.nivel),
              said(point),
            ],
          })),
      }}
      note={
        <div className="flex flex-col gap-3">
          <ul className="flex flex-col gap-1 text-text">
            {recomendado && <li className="font-medium">Recomendado: {treatmentText(recomendado, nomes)}</li>}
            {tmr.map(({ de, para, percentual }) => (
              <li key={para} className="figures">
                De {de} a {para}, cada real a mais devolve {reaisText(1 + percentual / 100)} (taxa marginal de{' '}
                {formatFixed(percentual, 0)} %)
              </li>
            ))}
            {dominancia.dominados.length > 0 && (
              <li>
                Custam mais e não deixam mais:{' '}
                {dominancia.dominados.map((nivel) => treatmentText(nivel, nomes)).join(', ')}
              </li>
            )}
          </ul>
          <div className="no-print grid max-w-md grid-cols-2 gap-3">
            <Field label="Taxa mínima (%)" help="De 50 a 200">
              {(control) => (
                <NumberInput
                  {...control}
                  value={taxa}
                  onValue={(value) =>
                    value !== undefined &&
                    (value === null || (value >= 0 && value <= 1000)) &&
                    onChange({ taxa: value === null ? '' : String(value) })
                  }
                />
              )}
            </Field>
            <Field label="Desconto para a lavoura (%)">
              {(control) => (
                <NumberInput
                  {...control}
                  value={ajuste}
                  onValue={(value) =>
                    value !== undefined &&
                    (value === null || (value >= 0 && value <= 99)) &&
                    onChange({ ajuste: value ? String(value) : '' })
                  }
                />
              )}
            </Field>
          </div>
          <p>Quanto a produtividade da lavoura costuma ficar abaixo da do ensaio; muda só esta figura.</p>
        </div>
      }
    />
  )
})
