import { useEffect } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { useEndpoint } from '../../api/queries.ts'
import { paths } from '../../shell/paths.ts'
import { useTitle } from '../../shell/title.ts'
import { Card, EmptyState, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { searchOf } from './state.ts'

/** The address of a view: opens the dashboard with it. */
export function ViewLink() {
  const { id = '' } = useParams()
  const navigate = useNavigate()
  const query = useEndpoint('getView', { params: { id } }, { ofServer: true })
  const view = query.data?.vista
  useTitle(view?.nome ?? 'Vista')
  useEffect(() => {
    if (view) navigate(`${paths.dashboard}?${searchOf(view.estado, view.id)}`, { replace: true })
  }, [view, navigate])
  return (
    <div className="page py-8">
      <h1 className="sr-only">Vista</h1>
      {!query.isError ? (
        <Skeleton className="h-64" />
      ) : (
        <Card>
          {query.error.status === 404 ? (
            <EmptyState title={query.error.message}>
              <Link to={paths.dashboard}>Ir ao dashboard</Link>
            </EmptyState>
          ) : (
            <ErrorState message={query.error.message} onRetry={() => query.refetch()} />
          )}
        </Card>
      )}
    </div>
  )
}
