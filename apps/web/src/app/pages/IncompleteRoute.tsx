import { Link } from 'react-router'
import { useLiveExperiments } from '../../api/live.ts'
import { Filters } from '../../features/dashboard/Filters.tsx'
import { DemoGate } from '../../features/demo/DemoGate.tsx'
import { IncompleteList } from '../../features/experiments/IncompleteList.tsx'
import { useFilters } from '../../shell/filters.ts'
import { paths, withSearch } from '../../shell/paths.ts'
import { useTitle } from '../../shell/title.ts'
import { WithActions } from './WithActions.tsx'

/** Which trials lack data for an answer, under the dashboard's filters. */
export function IncompleteRoute() {
  useTitle('Ensaios incompletos')
  useLiveExperiments()
  const { filter } = useFilters()
  return (
    <DemoGate>
      <WithActions>
        <div className="page flex flex-col gap-6 py-8">
          <header>
            <Link
              to={withSearch(paths.dashboard, filter)}
              className="no-print text-small text-accent underline-offset-4 hover:underline"
            >
              Voltar ao dashboard
            </Link>
            <h1 className="text-display font-semibold">Ensaios incompletos</h1>
            <p className="text-muted">O que falta a cada um para entrar em todas as respostas</p>
          </header>
          <Filters />
          <IncompleteList filter={filter} />
        </div>
      </WithActions>
    </DemoGate>
  )
}
