import { contract, MAP_ZOOM, problem } from '@ensaio/domain'
import type { Listener } from '../../database/listener.ts'
import type { Route } from '../../http/contract-routes.ts'
import { eventStream } from '../../http/event-stream.ts'
import { onceClosed } from '../../http/once-closed.ts'
import type { Dashboard } from './dashboard.service.ts'
import type { Bounds } from './map.repository.ts'

const POINTS = 1000
/** Many changes in a row are told once. */
const QUIET_MS = 1_000
/** A stream ends by itself, so that the next one asks for a live session again. */
const STREAM_LIFE_MS = 10 * 60_000

export function dashboardRoutes(
  route: Route,
  { dashboard, changes }: { dashboard: Dashboard; changes: Listener },
): void {
  route(contract.events, async ({ actor, query, reply }) => {
    const stream = eventStream(reply)
    let waiting: NodeJS.Timeout | undefined
    let ended = false
    // To who has read nothing before, its first listening has missed nothing.
    let followed = query.ha !== undefined || changes.heardWithin('experimentos', 0) !== null
    const changed = new Set<number>()
    const finish = () => {
      ended = true
      stream.end()
    }
    const tellSoon = (sets: readonly number[]) => {
      for (const set of sets) changed.add(set)
      if (!ended) waiting ??= setTimeout(tell, QUIET_MS)
    }
    const tell = async () => {
      waiting = undefined
      const sets = [...changed].sort((a, b) => a - b)
      changed.clear()
      try {
        if ((await dashboard.concerns(actor, sets)) && !ended) stream.send('changed', {})
      } catch {
        // The database could not be asked: the next time, with whatever has changed until then.
        tellSoon(sets)
      }
    }
    const heard = (told: string) => tellSoon(told.split(',').map(Number))
    const missed = () => {
      if (followed && !ended) stream.send('changed', {})
      followed = true
    }
    const before = changes.heardWithin('experimentos', query.ha ?? 0)
    if (before === null) {
      if (query.ha !== undefined) missed()
    } else before.forEach(heard)
    const unsubscribe = changes.subscribe({
      missed,
      heard: {
        experimentos: heard,
        // Who left: a person from an organisation, or from all.
        saidas: (told) => {
          if (told === actor.id || told === `${actor.id} ${actor.organization}`) finish()
        },
      },
      closed: finish,
    })
    const life = setTimeout(finish, STREAM_LIFE_MS)
    onceClosed(reply, () => {
      ended = true
      unsubscribe()
      clearTimeout(waiting)
      clearTimeout(life)
    })
    return reply
  })

  route(contract.overview, ({ actor, query }) => dashboard.overview(actor, query))

  route(contract.filterOptions, ({ actor, query }) => dashboard.options(actor, query))

  route(contract.moreFilterOptions, ({ actor, query }) => dashboard.moreOptions(actor, query))

  route(contract.mapView, ({ actor, query }) =>
    dashboard.map(actor, query, { bounds: readBounds(query.bbox), zoom: query.zoom ?? MAP_ZOOM }),
  )

  route(contract.correlation, ({ actor, query }) =>
    dashboard.correlation(actor, query, { x: query.x, y: query.y, points: query.pontos ?? POINTS }),
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
