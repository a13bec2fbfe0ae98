import { contract, MAP_ZOOM, problem } from '@ensaio/domain'
import type { Route } from '../../http/contract-routes.ts'
import type { Dashboard } from './dashboard.service.ts'
import type { Bounds } from './map.repository.ts'

const POINTS = 1000

export function dashboardRoutes(route: Route, { dashboard }: { dashboard: Dashboard }): void {
  route(contract.overview, ({ query }) => dashboard.overview(query))

  route(contract.filterOptions, ({ query }) => dashboard.options(query))

  route(contract.mapView, ({ query }) =>
    dashboard.map(query, { bounds: readBounds(query.bbox), zoom: query.zoom ?? MAP_ZOOM }),
  )

  route(contract.correlation, ({ query }) =>
    dashboard.correlation(query, { x: query.x, y: query.y, points: query.pontos ?? POINTS }),
  )
}

/** 'west,south,east,north' in degrees. */
function readBounds(text: string | undefined): Bounds | null {
  if (!text) return null
  const [west, south, east, north, ...rest] = text.split(',').map(Number)
  if (
    west === undefined ||
    south === undefined ||
    east === undefined ||
    north === undefined ||
    rest.length > 0 ||
    ![west, south, east, north].every(Number.isFinite)
  )
    throw problem('validation.failed', { fields: [{ path: 'bbox', message: 'Área inválida' }] })
  return { west, south, east, north }
}
