import { canaryInput, TRIALS, type Trial } from './test-canaries.ts'
import { ALL, MEMBERS, type Row, row } from './test-row.ts'
import { fresh, freshDocument, report, type World } from './test-world.ts'

const HIDDEN: Trial[] = ['own', 'other', 'shared', 'embargoed', 'linked', 'moving']
const SHOWN = '200 200 200 200 200 200 404 404 401'

const uploadTo = (kind: Trial, by: 'P' | 'D') => async (world: World) => ({
  body: report('any', 'a.pdf').form({ experimentId: await fresh(world, kind, by) }),
})
const removed = (kind: Trial, by: 'P' | 'D') => async (world: World) => ({
  params: {
    id: (await freshDocument(world, kind, { by, trial: await fresh(world, kind, by) })).id,
  },
})

const layoutOf = async (world: World) => {
  const { layout } = await world.made('P', 'POST', '/api/layouts', report('any', 'a.pdf').form())
  return { params: { id: layout.id } }
}

const attached = (name: 'uploadDocument' | 'uploadBulk', done: 200 | 201): Row[] => [
  row(name, "to the researcher's", `${done} ${done} ${done} 403 404 404 404 404 401`, uploadTo('own', 'P')),
  row(name, "to the owner's", `${done} ${done} 403 403 404 404 404 404 401`, uploadTo('other', 'D')),
  row(name, 'to a shared one', `${done} ${done} ${done} 403 403 403 404 404 401`, uploadTo('shared', 'P')),
  row(name, 'to none', `${done} ${done} ${done} 403 ${done} 403 ${done} ${done} 401`, () => ({
    body: report('any', 'a.pdf').form(),
  })),
]

export const DOCUMENT_ROWS: Row[] = [
  ...attached('uploadDocument', 201),
  ...attached('uploadBulk', 200),
  row('matchDocuments', 'by the codes of every trial', ALL, () => ({
    body: { nomes: TRIALS.map((kind) => `${canaryInput(kind).codigo}.pdf`) },
  })),
  row('listDocuments', 'all', ALL),
  ...(['own', 'shared', 'open', 'embargoed', 'deleted'] as const).flatMap((kind) => [
    row('listDocuments', `of ${kind}`, ALL, (world) => ({
      query: { experimentId: world.ids[kind].trial },
    })),
    row('listDocuments', `by the bytes of ${kind}`, ALL, (world) => ({
      query: { sha256: world.ids[kind].document.sha256 },
    })),
  ]),
  row('listDocuments', 'by the bytes of one without a trial', ALL, (world) => ({
    query: { sha256: world.loose.sha256 },
  })),
  ...HIDDEN.flatMap((kind) => [
    row('getDocument', `of ${kind}`, MEMBERS, (world) => ({ params: { id: world.ids[kind].document.id } })),
    row('getDocument', `HEAD of ${kind}`, MEMBERS, (world) => ({
      params: { id: world.ids[kind].document.id },
      method: 'HEAD',
    })),
    row('getDocument', `a part of ${kind}`, '206 206 206 206 404 404 404 404 401', (world) => ({
      params: { id: world.ids[kind].document.id },
      headers: { range: 'bytes=0-20' },
    })),
    row('getDocument', `${kind}, if it has changed`, '304 304 304 304 404 404 404 404 401', (world) => ({
      params: { id: world.ids[kind].document.id },
      headers: { 'if-none-match': `"${world.ids[kind].document.sha256}"` },
    })),
  ]),
  row('getDocument', 'of a deleted trial', '404 404 404 404 404 404 404 404 401', (world) => ({
    params: { id: world.ids.deleted.document.id },
  })),
  row('getDocument', 'of one shared with its report', SHOWN, (world) => ({
    params: { id: world.ids.open.document.id },
  })),
  row('getDocument', 'HEAD of one shared with its report', SHOWN, (world) => ({
    params: { id: world.ids.open.document.id },
    method: 'HEAD',
  })),
  row('getDocument', 'without a trial', '404 404 200 404 404 404 404 404 401', (world) => ({
    params: { id: world.loose.id },
  })),

  row('deleteDocument', "of the researcher's", '204 204 204 403 404 404 404 404 401', removed('own', 'P')),
  row('deleteDocument', "of the owner's", '204 204 403 403 404 404 404 404 401', removed('other', 'D')),
  row(
    'deleteDocument',
    'of one shared without',
    '204 204 204 403 404 404 404 404 401',
    removed('shared', 'P'),
  ),
  row('deleteDocument', 'of one shared with it', '204 204 403 403 403 403 404 404 401', async (world) => ({
    params: { id: (await freshDocument(world, 'open', { by: 'D', trial: world.ids.open.trial })).id },
  })),
  row('deleteDocument', 'without a trial', '404 404 204 404 404 404 404 404 401', async (world) => ({
    params: { id: (await freshDocument(world, 'loose', { by: 'P' })).id },
  })),

  row('extract', 'a report', ALL, () => ({ body: report('any', 'a.pdf').form() })),
  row('rememberLayout', "one's own", '201 201 201 201 201 201 201 201 401', () => ({
    body: report('any', 'a.pdf').form(),
  })),
  row('forgetLayout', "the researcher's", '404 404 204 404 404 404 404 404 401', layoutOf),
]
