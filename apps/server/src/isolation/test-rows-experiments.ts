import { UNGIVEN } from '@ensaio/domain'
import { experimentInput } from '../test-server.ts'
import type { Trial } from './test-canaries.ts'
import { word } from './test-canaries.ts'
import { ALL, MEMBERS, type Row, row } from './test-row.ts'
import { fresh, inDays, report, type World } from './test-world.ts'

const CREATES = '201 201 201 403 201 403 201 201 401'
/** Of what the researcher made; of what somebody else made; of a received one that the researcher made. */
const OWN = { 200: '200 200 200 403 404 404 404 404 401', 204: '204 204 204 403 404 404 404 404 401' }
const OTHERS = { 200: '200 200 403 403 404 404 404 404 401', 204: '204 204 403 403 404 404 404 404 401' }
const RECEIVED = { 200: '200 200 200 403 403 403 404 404 401', 204: '204 204 204 403 403 403 404 404 401' }

const KINDS: [Trial, 'P' | 'D', Record<200 | 204, string>][] = [
  ['own', 'P', OWN],
  ['other', 'D', OTHERS],
  ['shared', 'P', RECEIVED],
]
const PLAIN = { ...experimentInput(), ...UNGIVEN }

const listed: Record<string, unknown>[] = [
  {},
  { busca: 'Kz' },
  { busca: word('other', 'cidade') },
  { marca: word('other', 'marca') },
  { produto: word('other', 'produto') },
  { ordem: 'roi', sentido: 'desc' },
  { com_documento: '1' },
  { origem: 'recebidos' },
]
const figures: Record<string, unknown>[] = [
  {},
  { marca: word('other', 'marca') },
  { produto: word('shared', 'produto') },
  { consultoria: word('other', 'consultoria') },
  { origem: 'recebidos' },
]
const said = (query: Record<string, unknown>) => JSON.stringify(query)
const ofOwner = (world: World) => ({ query: { origem: world.organizations.owner } })

/** A deleted trial made for the call. */
async function deleted(world: World, kind: Trial, by: 'P' | 'D', remover: 'P' | 'D' = by) {
  const id = await fresh(world, kind, by)
  await world.made(remover, 'DELETE', `/api/experiments/${id}`)
  return { params: { id } }
}
const update = async (world: World, kind: Trial, by: 'P' | 'D') => ({
  params: { id: await fresh(world, kind, by) },
  body: { ...PLAIN, versao: 1 },
})

const RESTORED = (['own', 'shared'] as const).flatMap((kind): Row[] => [
  row('restoreExperiment', `${kind}, by who deleted it`, OTHERS[200], (world) => deleted(world, kind, 'P')),
  row('restoreExperiment', `${kind}, undone by who deleted it a moment ago`, OWN[200], async (world) => ({
    ...(await deleted(world, kind, 'P')),
    query: { desfazer: 'true' },
  })),
  row('restoreExperiment', `${kind}, of the dono's, undone by another`, OTHERS[200], async (world) => ({
    ...(await deleted(world, kind, 'P', 'D')),
    query: { desfazer: 'true' },
  })),
  row('restoreExperiment', `${kind}, deleted by the dono`, OTHERS[200], (world) =>
    deleted(world, kind, 'P', 'D'),
  ),
])

export const EXPERIMENT_ROWS: Row[] = [
  ...listed.map((query) => row('listExperiments', said(query), ALL, { query })),
  row('listExperiments', 'from the owner', ALL, ofOwner),
  ...[{}, { falta: 'custos' }, { marca: word('other', 'marca'), falta: 'erro' }].map((query) =>
    row('incompleteExperiments', said(query), ALL, { query }),
  ),
  row('incompleteExperiments', 'from the owner', ALL, ofOwner),
  ...(['csv', 'xlsx'] as const).flatMap((formato) => [
    row('exportExperiments', formato, ALL, { query: { formato } }),
    row('exportExperiments', `${formato} from the owner`, ALL, (world) => ({
      query: { formato, ...ofOwner(world).query },
    })),
  ]),
  ...figures.flatMap((query) => [
    row('overview', said(query), ALL, { query }),
    row('filterOptions', said(query), ALL, { query }),
    row('moreFilterOptions', said(query), ALL, { query }),
    row('mapView', said(query), ALL, { query }),
    row('dashboardFigure', said(query), ALL, {
      ...{ params: { nome: 'marca' }, query: { ...query, formato: 'csv' } },
    }),
  ]),
  ...(['overview', 'filterOptions', 'mapView'] as const).map((name) =>
    row(name, 'from the owner', ALL, ofOwner),
  ),
  row('mapView', 'near', ALL, { query: { bbox: '-51,-18,-50,-17', zoom: 14 } }),
  ...['roi', 'custo_total', 'produtividade_media'].map((y) =>
    row('correlation', `of ${y}`, ALL, { query: { x: 'teor_argila', y } }),
  ),
  row('events', 'a stream', ALL, { stream: true }),

  ...(['own', 'other', 'linked', 'moving'] as const).map((kind) =>
    row('getExperiment', kind, MEMBERS, (world) => ({ params: { id: world.ids[kind].trial } })),
  ),
  ...(['shared', 'open'] as const).map((kind) =>
    row('getExperiment', kind, '200 200 200 200 200 200 404 404 401', (world) => ({
      params: { id: world.ids[kind].trial },
    })),
  ),
  row('getExperiment', 'embargoed', MEMBERS, (world) => ({ params: { id: world.ids.embargoed.trial } })),
  row('getExperiment', 'deleted', '404 404 404 404 404 404 404 404 401', (world) => ({
    params: { id: world.ids.deleted.trial },
  })),
  row('createExperiment', 'as JSON', CREATES, { body: PLAIN }),
  row('createExperiment', 'with a report', CREATES, () => ({
    body: report('any', 'a.pdf').form({ dados: JSON.stringify(PLAIN) }),
  })),
  row('createExperiment', 'a report alone is read', ALL, () => ({ body: report('any', 'a.pdf').form() })),

  ...KINDS.flatMap(([kind, by, expected]) => [
    row('updateExperiment', kind, expected[200], (world) => update(world, kind, by)),
    row('updateExperiment', `${kind}, with a report`, expected[200], async (world) => ({
      params: { id: await fresh(world, kind, by) },
      body: report('any', 'a.pdf').form({ dados: JSON.stringify({ ...PLAIN, versao: 1 }) }),
    })),
    row('deleteExperiment', kind, expected[204], async (world) => ({
      params: { id: await fresh(world, kind, by) },
    })),
    row('setEmbargo', kind, expected[200], async (world) => ({
      params: { id: await fresh(world, kind, by) },
      body: { ate: inDays(20) },
    })),
  ]),
  row('updateExperiment', 'from an older version', '409 409 403 403 404 404 404 404 401', (world) => ({
    params: { id: world.ids.other.trial },
    body: { ...PLAIN, versao: 999 },
  })),
  row('concludeExperiment', 'from an older version', '409 409 403 403 404 404 404 404 401', (world) => ({
    params: { id: world.ids.other.trial },
    body: { texto: 'Outra.', versao: 999 },
  })),
  row('updateExperiment', 'embargoed', '409 409 409 403 404 404 404 404 401', (world) => ({
    params: { id: world.ids.embargoed.trial },
    body: { ...PLAIN, versao: 999 },
  })),
  ...RESTORED,
  row('listDeletedExperiments', 'of the acting organisation', '200 200 403 403 200 403 200 200 401'),
  ...(['own', 'other', 'embargoed'] as const).map((kind) =>
    row('experimentHistory', kind, MEMBERS, (world) => ({ params: { id: world.ids[kind].trial } })),
  ),
  ...(['shared', 'open'] as const).map((kind) =>
    row('experimentHistory', kind, '200 200 200 200 403 403 404 404 401', (world) => ({
      params: { id: world.ids[kind].trial },
    })),
  ),
]
