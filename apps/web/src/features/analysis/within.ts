import {
  type AnalysisAnswer,
  bestFirst,
  formatFixed,
  formatNumber,
  meanDecimals,
  shownMean,
  treatmentText,
} from '@ensaio/domain'
import type { Group } from '@ensaio/statistics'
import type { IntervalRow } from '../../charts/plot.ts'

/** What a group compares, in words. */
export const within = (analysis: AnalysisAnswer, group: Pick<Group, 'efeito' | 'dentro'>): string => {
  const name = (key: string) =>
    key === 'tratamento' ? 'Tratamentos' : (analysis.fatores[key as 'A' | 'B' | 'C']?.nome ?? key)
  const effect = group.efeito.split(':').map(name).join(' × ')
  if (!group.dentro) return effect
  return `${effect} dentro de ${Object.entries(group.dentro)
    .map(([key, level]) => `${name(key)} = ${level}`)
    .join(', ')}`
}

/** The means of a group with their intervals, the best first, each with its letter where it has one. */
export function meanRows(
  analysis: AnalysisAnswer,
  group: Group,
  letters: Readonly<Record<string, string>> | null,
): IntervalRow[] {
  const decimals = meanDecimals(analysis)
  const confidence = formatNumber(100 * (1 - analysis.alfa), 0)
  const ofTreatments = group.efeito === 'tratamento'
  return bestFirst(group, analysis.variavel.maior_melhor).flatMap((mean) => {
    const value = shownMean(mean)
    if (value === null) return []
    const { ic_baixo: low, ic_alto: high } = mean.original ?? mean
    const letter = letters?.[mean.nivel]
    return [
      {
        key: mean.nivel,
        label: treatmentText(mean.nivel, ofTreatments ? analysis.nomes : {}),
        value,
        low,
        high,
        ...(letter ? { mark: letter } : {}),
        control: ofTreatments && mean.nivel === analysis.testemunha,
        tip: [
          `${formatFixed(value, decimals)} ${analysis.variavel.unidade}`,
          ...(low !== null && high !== null
            ? [`IC ${confidence} %: ${formatFixed(low, decimals)} a ${formatFixed(high, decimals)}`]
            : []),
          `n = ${mean.n}`,
        ],
      },
    ]
  })
}

/** A figure's numbers as a table: level, mean and interval. */
export const meanTable = (rows: readonly IntervalRow[], decimals: number) => ({
  columns: [
    { name: 'Nível' },
    { name: 'Média', numeric: true },
    { name: 'IC baixo', numeric: true },
    { name: 'IC alto', numeric: true },
  ],
  count: rows.length,
  rows: () =>
    rows.map((row) => ({
      key: row.key,
      cells: [
        row.label,
        formatFixed(row.value, decimals),
        formatFixed(row.low, decimals),
        formatFixed(row.high, decimals),
      ],
    })),
})
