import { mainGroup } from './analysis-text.ts'
import type { RecordedAnalysis } from './contract-analysis.ts'
import type { Experiment } from './experiment.ts'
import { formatNumber } from './format.ts'
import type { Counter, ReportBlock } from './report-blocks.ts'

/** Yields as bars, the highest first. */
export function yieldFigure(
  { tratamentos }: Pick<Experiment, 'tratamentos'>,
  numbered: Pick<Counter, 'figure' | 'source'>,
  recorded: RecordedAnalysis | null = null,
): Extract<ReportBlock, { tipo: 'barras' }> {
  const means = meansOf(recorded)
  const best = tratamentos
    .map(({ nome, produtividade }, at) => ({ nome: `T${at + 1} (${nome})`, produtividade, at }))
    .sort((a, b) => b.produtividade - a.produtividade)
  return {
    tipo: 'barras',
    titulo: `${numbered.figure()}. Produtividade por tratamento, em kg/ha.`,
    alternativa: `Produtividade por tratamento: ${best.map(({ at, produtividade }) => `T${at + 1} ${formatNumber(produtividade, 0)}`).join(', ')} kg/ha`,
    unidade: 'kg/ha',
    barras: best.map(({ nome, produtividade, at }) => ({
      ...{ nome, valor: produtividade, testemunha: at === 0 },
      texto: `${formatNumber(produtividade, 0)}${means[at] ? ` (n = ${means[at].n})` : ''}`,
      ...(means[at] && { erro: means[at].ep }),
    })),
    fonte: means.some((mean) => mean)
      ? `${numbered.source} Barras de erro: erro padrão da média; n: parcelas.`
      : numbered.source,
  }
}

/** How many plots each treatment's mean is of, and its standard error, where the plots were analysed as they were measured. */
function meansOf(recorded: RecordedAnalysis | null): ({ n: number; ep: number } | null)[] {
  const means = recorded ? (mainGroup(recorded.analise)?.medias ?? []) : []
  const at = (n: number) => means.find(({ nivel }) => nivel === `T${n}`)
  return means.map((_, i) => {
    const { n, ep, original, aritmetica, fora } = at(i + 1) ?? {}
    return n === undefined || ep == null || original || aritmetica !== undefined || fora ? null : { n, ep }
  })
}
