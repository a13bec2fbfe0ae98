import { TABLES } from '../features/rest/tables.ts'
import { word } from './test-canaries.ts'
import { OPEN, type Row, row } from './test-row.ts'

const COUNTED = { prefer: 'count=exact' }
const table = (path: string) => ({ path: `/rest/v1/${path}`, headers: COUNTED })
const NO_WRITING = '403 403 403 403 403 403 403 403 401'

/** A visitor has the public names and no trial, without being told so. */
export const REST_ROWS: Row[] = [
  ...Object.keys(TABLES).flatMap((name) => [
    row('GET /rest/v1/{table}', `${name}, counted`, OPEN, table(name)),
    row('GET /rest/v1/{table}', `how many ${name}`, OPEN, { ...table(name), method: 'HEAD' }),
  ]),
  row('GET /rest/v1/{table}', 'one trial', OPEN, (world) =>
    table(`experimentos?id=eq.${world.ids.other.trial}`),
  ),
  row('GET /rest/v1/{table}', 'the protocols of a shared one', OPEN, (world) =>
    table(`protocolos_experimentos?experimento_id=eq.${world.ids.shared.trial}`),
  ),
  row('GET /rest/v1/{table}', 'trials by name', OPEN, table('experimentos?nome=ilike.*Kz*')),
  row('GET /rest/v1/{table}', 'trials of a person', OPEN, (world) =>
    table(`experimentos?pesquisador_id=eq.${world.people.P.id}`),
  ),
  row('GET /rest/v1/{table}', 'protocols by what they return', OPEN, {
    ...table('protocolos_experimentos?roi=gt.1000000&order=roi.desc'),
  }),
  row('GET /rest/v1/{table}', 'a brand', OPEN, table(`fabricantes?nome=eq.${word('other', 'marca')}`)),
  row('GET /rest/v1/{table}', 'nothing else', OPEN.replaceAll('200', '404'), {
    path: '/rest/v1/organizacoes',
  }),
  ...(['POST', 'PATCH', 'PUT', 'DELETE'] as const).map((method) =>
    row(`${method} /rest/v1/{table}`, 'no writing', NO_WRITING, (world) => ({
      path: `/rest/v1/experimentos?id=eq.${world.ids.own.trial}`,
      ...(method !== 'DELETE' && { body: { status: 'x' } }),
    })),
  ),
  ...(['GET', 'POST'] as const).map((method) =>
    row(`${method} /rest/v1/rpc/{name}`, 'no functions', OPEN.replaceAll('200', '404'), {
      path: '/rest/v1/rpc/visiveis',
      ...(method === 'POST' && { body: {} }),
    }),
  ),
]
