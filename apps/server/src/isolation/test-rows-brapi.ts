import { CALLS } from '@ensaio/domain/brapi'
import { type Row, row } from './test-row.ts'
import type { World } from './test-world.ts'

/** Lists answer everybody with a session, each with what their organisation sees. */
const LISTS = '200 200 200 200 200 200 200 200 401'
/** No id of a record is given in these rows: nothing is there for anybody. */
const NONE = '404 404 404 404 404 404 404 404 401'
const REFUSED = '400 400 400 400 400 400 400 400 401'

const addressOf = <P extends string>(path: P): `/brapi/v2/${P}` => `/brapi/v2/${path}`

/** Of one trial, by who sees it: its study, its plots and its values. */
const seen = (kind: 'own' | 'other' | 'shared' | 'embargoed', status: string): Row[] =>
  ['studies', 'observationunits', 'observations', 'variables'].map((path) =>
    row(`GET ${addressOf(path)}`, `of the study ${kind}`, status, (world: World) => ({
      query: { studyDbId: world.ids[kind].trial },
    })),
  )

export const BRAPI_ROWS: Row[] = [
  ...CALLS.map(({ method, path }) => {
    const endpoint = `${method} ${addressOf(path)}` as const
    if (path === 'serverinfo') return row(endpoint, 'of the server', LISTS.replace('401', '200'))
    const id = /\{(\w+)\}/.exec(path)?.[1]
    const params = id === undefined ? {} : { [id]: 'nenhum' }
    const searches = path.startsWith('search/')
    const status = method === 'GET' ? (id === undefined ? LISTS : NONE) : searches ? LISTS : REFUSED
    return row(endpoint, id === undefined ? 'as a list' : 'of an id that nobody has', status, {
      params,
      path: addressOf(path.replace(/\{(\w+)\}/, ':$1')),
      ...(method !== 'GET' && { body: searches ? {} : 'texto' }),
    })
  }),
  ...seen('own', LISTS),
  ...seen('other', LISTS),
  ...seen('shared', LISTS),
  ...seen('embargoed', LISTS),
  row('GET /brapi/v2/studies/{studyDbId}', 'own', '200 200 200 200 404 404 404 404 401', (world) => ({
    params: { studyDbId: world.ids.own.trial },
    path: '/brapi/v2/studies/:studyDbId',
  })),
  row('GET /brapi/v2/studies/{studyDbId}', 'shared', '200 200 200 200 200 200 404 404 401', (world) => ({
    params: { studyDbId: world.ids.shared.trial },
    path: '/brapi/v2/studies/:studyDbId',
  })),
]
