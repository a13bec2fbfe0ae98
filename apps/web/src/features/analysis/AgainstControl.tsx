import {
  type AnalysisAnswer,
  formatFixed,
  formatNumber,
  isDunnett,
  meanDecimals,
  pText,
  treatmentText,
} from '@ensaio/domain'
import type { Group } from '@ensaio/statistics'
import { ChartCard } from '../../charts/ChartCard.tsx'
import { intervals, intervalsHeight } from '../../charts/plot.ts'

export function AgainstControl({ analysis, group }: { analysis: AnalysisAnswer; group: Group }) {
  const decimals = meanDecimals(analysis)
  const dunnett = isDunnett(group.dunnett) ? group.dunnett : null
  if (!dunnett) return null
  const confidence = formatNumber(100 * (1 - analysis.alfa), 0)
  const unit = analysis.transformacao === 'nenhuma' ? analysis.variavel.unidade : 'escala transformada'
  const rows = dunnett.linhas.map((line) => ({
    key: line.nivel,
    label: treatmentText(line.nivel, analysis.nomes),
    value: line.diferenca,
    low: line.ic_baixo,
    high: line.ic_alto,
    ...(line.p < analysis.alfa ? { mark: '*' } : {}),
    tip: [
      `${formatFixed(line.diferenca, decimals)} ${unit}`,
      `IC ${confidence} %: ${formatFixed(line.ic_baixo, decimals)} a ${formatFixed(line.ic_alto, decimals)}`,
      pText(line.p),
    ],
  }))
  return (
    <ChartCard
      title="Contra a Testemunha"
      subtitle={`Diferença com intervalo simultâneo de ${confidence} % (Dunnett${dunnett.exato ? '' : ', aproximado'}) · ${unit}`}
      picture={{
        draw: intervals(
          rows,
          { name: 'Diferença', unit, decimals: analysis.transformacao === 'nenhuma' ? decimals : 2 },
          0,
          {
            hollow: analysis.origem === 'reconstruida',
          },
        ),
        height: intervalsHeight(rows.length),
      }}
      table={{
        columns: [
          { name: 'Tratamento' },
          { name: 'Diferença', numeric: true },
          { name: '%', numeric: true },
          { name: 'IC baixo', numeric: true },
          { name: 'IC alto', numeric: true },
          { name: 'p', numeric: true },
        ],
        count: rows.length,
        rows: () =>
          dunnett.linhas.map((line) => ({
            key: line.nivel,
            cells: [
              treatmentText(line.nivel, analysis.nomes),
              formatFixed(line.diferenca, decimals),
              formatFixed(line.percentual ?? null, 1),
              formatFixed(line.ic_baixo, decimals),
              formatFixed(line.ic_alto, decimals),
              pText(line.p).replace(/^p =? ?/, ''),
            ],
          })),
      }}
      note={
        analysis.diferenca_detectavel == null
          ? undefined
          : `Diferença detectável com 80 % de poder: ${formatFixed(analysis.diferenca_detectavel, decimals)} ${unit}`
      }
    />
  )
}
