import { type ExperimentSummary, shortAnswer } from '@ensaio/domain'
import { Link } from 'react-router'
import { useEndpoint } from '../api/queries.ts'
import { recordPage } from './paths.ts'

/** 'F = 4,87 (p = 0,008) · CV 6,7 % · T3 e T4 superam a Testemunha', where there is something to analyse. */
export function AnalysisLine({ experiment }: { experiment: Pick<ExperimentSummary, 'id' | 'dados'> }) {
  const query = useEndpoint(
    'analysis',
    { params: { id: experiment.id }, query: { se_houver: '1' } },
    { enabled: experiment.dados !== null },
  )
  const analysis = query.data?.analise
  if (!analysis) return null
  return (
    <p className="figures rounded-md bg-sunken px-3 py-2 text-small">
      {shortAnswer(analysis)}
      {analysis.origem === 'reconstruida' && ' · reconstruída'} ·{' '}
      <Link
        to={recordPage(experiment.id, 'analise')}
        className="text-accent underline-offset-4 hover:underline"
      >
        Ver análise
      </Link>
    </p>
  )
}
