import { formatNumber, type Gain } from '@ensaio/domain'
import { useMemo } from 'react'
import { ChartCard } from '../../charts/ChartCard.tsx'
import { intervals, intervalsHeight } from '../../charts/plot.ts'
import type { FilterKey } from '../../shell/filters.ts'
import type { Measure } from './MeasureSwitch.tsx'
import { estimateOf, gainAxis, intervalText, signed, trialsText, type Unit, winsText } from './measure.ts'

type Props = {
  title: string
  /** Without it, the unit and the number of trials. */
  subtitle?: string
  column: string
  groups: readonly { chave: string; ganho: Gain | null }[]
  measure: Measure
  unit: Unit
  by?: FilterKey
  onToggle: (key: FilterKey, value: string) => void
  name?: (key: string) => string
  note?: string | undefined
  empty?: string
  order?: 'gain' | 'key' | 'given'
}
const asItIs = (key: string) => key

/** Groups left and right of zero, each with its interval and how often it won. */
export function GainChart({
  title,
  subtitle,
  column,
  groups,
  measure,
  unit,
  by,
  onToggle,
  name = asItIs,
  note,
  empty = 'Nenhum ensaio com Testemunha',
  order = 'gain',
}: Props) {
  const axis = gainAxis(measure, unit)
  const rows = useMemo(() => {
    const known = groups.flatMap(({ chave, ganho }) => {
      const estimate = ganho && estimateOf(ganho, measure, unit)
      return ganho && estimate ? [{ chave, ganho, estimate }] : []
    })
    if (order === 'key') return known.sort((a, b) => a.chave.localeCompare(b.chave, 'pt-BR'))
    return order === 'given' ? known : known.sort((a, b) => b.estimate.value - a.estimate.value)
  }, [groups, measure, unit, order])
  const picture = useMemo(
    () => ({
      draw: intervals(
        rows.map(({ chave, ganho, estimate }) => ({
          key: chave,
          label: name(chave),
          mark: `${formatNumber(ganho.vitorias, 0)} de ${formatNumber(ganho.diferentes, 0)}`,
          value: estimate.value,
          low: estimate.low,
          high: estimate.high,
          tip: [
            `${signed(estimate.value, axis.decimals)} ${axis.unit}`,
            ...(estimate.low === null ? [] : [`IC 95 %: ${intervalText(estimate, axis.decimals)}`]),
            `${trialsText(ganho.n)} · ${winsText(ganho)}`,
          ],
        })),
        axis,
        0,
        { bars: true },
      ),
      height: intervalsHeight(rows.length),
    }),
    [rows, axis, name],
  )
  const pick = (at: number) => {
    const row = rows[at]
    if (row && by) onToggle(by, row.chave)
  }
  const total = rows.reduce((sum, { ganho }) => sum + ganho.n, 0)
  return (
    <ChartCard
      title={title}
      subtitle={
        subtitle ?? `${axis.unit} · ${trialsText(total)} com Testemunha · ao lado do nome, quantos venceram`
      }
      picture={picture}
      {...(by ? { onPick: pick } : {})}
      {...(note === undefined ? {} : { note })}
      empty={empty}
      table={{
        columns: [
          { name: column },
          { name: 'Ensaios', numeric: true },
          { name: `Ganho (${axis.unit})`, numeric: true },
          { name: 'IC 95 %', numeric: true },
          { name: 'Venceu', numeric: true },
        ],
        count: rows.length,
        rows: () =>
          rows.map(({ chave, ganho, estimate }, at) => ({
            key: chave,
            cells: [
              name(chave),
              formatNumber(ganho.n, 0),
              signed(estimate.value, axis.decimals),
              intervalText(estimate, axis.decimals),
              `${formatNumber(ganho.vitorias, 0)} de ${formatNumber(ganho.diferentes, 0)}`,
            ],
            ...(by ? { onPick: () => pick(at) } : {}),
          })),
      }}
    />
  )
}
