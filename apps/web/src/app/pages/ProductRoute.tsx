import { filterText } from '@ensaio/domain'
import { Link } from 'react-router'
import { useLiveExperiments } from '../../api/live.ts'
import { OriginContext } from '../../charts/mark.ts'
import { Filters } from '../../features/dashboard/Filters.tsx'
import { DemoGate } from '../../features/demo/DemoGate.tsx'
import { ProductPart } from '../../features/synthesis/ProductPart.tsx'
import { useSynthesisAddress } from '../../features/synthesis/synthesis-address.ts'
import { useFilters } from '../../shell/filters.ts'
import { useOriginOf } from '../../shell/organization.tsx'
import { paths, withSearch } from '../../shell/paths.ts'
import { useTitle } from '../../shell/title.ts'
import { WithActions } from './WithActions.tsx'

/** What one product does against the control, under the dashboard's filters, of which it is one. */
export function ProductRoute() {
  useLiveExperiments()
  const { filter } = useFilters()
  const title = useSynthesisAddress().product || 'Produto'
  useTitle(title)
  const origin = useOriginOf(filterText(filter))
  return (
    <DemoGate>
      <WithActions>
        <div className="page flex flex-col gap-6 py-8">
          <header>
            <p className="no-print flex flex-wrap gap-x-4 text-small">
              <Link
                to={withSearch(paths.dashboard, filter)}
                className="text-accent underline-offset-4 hover:underline"
              >
                Ver no dashboard
              </Link>
              <Link
                to={withSearch(paths.dashboard, { ...filter, aba: 'synthesis' })}
                className="text-accent underline-offset-4 hover:underline"
              >
                Ver síntese
              </Link>
            </p>
            <h1 className="text-display font-semibold break-words">{title}</h1>
            <p className="text-muted">Ganho sobre a Testemunha, ensaio por ensaio</p>
          </header>
          <Filters />
          <OriginContext value={origin}>
            <ProductPart />
          </OriginContext>
        </div>
      </WithActions>
    </DemoGate>
  )
}
