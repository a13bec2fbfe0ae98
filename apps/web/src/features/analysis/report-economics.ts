import { type AnalysisAnswer, type Experiment, type ReportTable, withEconomics } from '@ensaio/domain'
import { useState } from 'react'
import { useEndpoint } from '../../api/queries.ts'
import { useSource } from '../../api/source.ts'

/** What the treatments pay at the stored prices, as columns of the report's table where somebody wants them. */
export function useReportEconomics(experiment: Experiment, analysis: AnalysisAnswer) {
  const [wanted, want] = useState(false)
  const source = useSource()
  const params = { params: { id: experiment.id } }
  const may = source.name === 'server' && experiment.permissoes.ver_custos && analysis.variavel.produtividade
  const prices = useEndpoint('getPrices', params, { enabled: may })
  const offered = may && prices.data?.cultura != null
  const { data } = useEndpoint('economics', params, { enabled: offered && wanted })
  const answer = offered && wanted ? data?.economia : undefined
  return {
    offered,
    wanted,
    want,
    added: (table: ReportTable): ReportTable => (answer ? withEconomics(table, answer) : table),
  }
}
