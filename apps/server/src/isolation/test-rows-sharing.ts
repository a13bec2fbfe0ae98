import { experimentInput } from '../test-server.ts'
import { brandOf, type Canary, type Trial, word } from './test-canaries.ts'
import { MEMBERS, OPEN, type Row, row } from './test-row.ts'
import { codeOf, fresh, inDays, OWNER_NAME, type World } from './test-world.ts'

/** The dono and gestor of the acting organisation, of what is its own. */
const leads = (status: number) => `${status} ${status} 403 403 ${status} 403 ${status} ${status} 401`
/** Those of the owner alone; who may not share at all is told so of every record. */
const leadsOwners = (status: number) => `${status} ${status} 403 403 404 403|404 404 404 401`

const to = async (world: World) => ({ codigo: await codeOf(world, 'S') })
/** Sent to the recipient and not answered yet. */
async function pending(world: World) {
  const { compartilhamento } = await world.made('D', 'POST', '/api/shares', {
    alvo: { experimento: world.ids.shared.trial },
    para: await to(world),
  })
  return { params: { id: compartilhamento.id } }
}
async function accepted(world: World) {
  const share = await pending(world)
  await world.made('S', 'POST', `/api/shares/${share.params.id}/accept`)
  return share
}
async function collection(world: World) {
  const { colecao } = await world.made('D', 'POST', '/api/collections', {
    nome: 'Para este pedido',
    experimentos: [world.ids.own.trial],
  })
  return { params: { id: colecao.id } }
}
async function link(world: World) {
  const address = `/api/experiments/${world.ids.own.trial}/links`
  const made = await world.made('D', 'POST', address, { ate: inDays(10) })
  return { params: { id: made.link.id } }
}
async function comment(world: World, by: 'P' | 'S', kind: Trial) {
  const address = `/api/experiments/${world.ids[kind].trial}/comments`
  return { params: { id: (await world.made(by, 'POST', address, { texto: 'Passageiro' })).comentario.id } }
}
/** Of a trial without secrets, which the recipient may take. */
async function offered(world: World) {
  const { experimento } = await world.made('D', 'POST', '/api/experiments', experimentInput())
  const { transferencia } = await world.made('D', 'POST', '/api/transfers', {
    experimentos: [experimento.id],
    para: await to(world),
  })
  return { params: { id: transferencia.id } }
}

/** What a public link shows: the trial and whose it is, never who made it. */
const shown =
  (...kinds: Canary['kind'][]) =>
  ({ kind, trial, text }: Canary) =>
    text === OWNER_NAME || (trial === 'linked' && kinds.includes(kind))

const PUBLIC: Row[] = [
  row('publicExperiment', 'without costs', OPEN, (world) => ({ params: { token: world.links.shut.token } }), {
    tells: shown('words'),
  }),
  row('publicExperiment', 'with costs', OPEN, (world) => ({ params: { token: world.links.whole.token } }), {
    // Where the report is offered, so is its name.
    tells: shown('words', 'costs', 'file'),
  }),
  row('publicDocument', 'not offered', OPEN.replaceAll('200', '404'), (world) => ({
    params: { token: world.links.shut.token },
  })),
  row('publicDocument', 'offered', OPEN, (world) => ({ params: { token: world.links.whole.token } }), {
    tells: shown('file'),
  }),
  ...(['publicExperiment', 'publicDocument'] as const).map((name) =>
    row(name, 'by its id', OPEN.replaceAll('200', '404'), (world) => ({
      params: { token: world.links.whole.id },
    })),
  ),
]

const onTrials = (['own', 'shared', 'open', 'embargoed'] as const).flatMap((kind): Row[] => {
  const params = (world: World) => ({ id: world.ids[kind].trial })
  const seen = kind === 'shared' || kind === 'open' ? '403 403' : '404 404'
  const talked = kind === 'shared' ? '200 200' : seen
  return [
    row('listLinks', kind, `200 200 403 403 ${seen} 404 404 401`, (world) => ({ params: params(world) })),
    row('createLink', kind, `201 201 403 403 ${seen} 404 404 401`, (world) => ({
      params: params(world),
      body: { ate: inDays(10) },
    })),
    row('listComments', kind, `200 200 200 200 ${talked} 404 404 401`, (world) => ({
      params: params(world),
    })),
    row('addComment', kind, `201 201 201 201 ${talked.replaceAll('200', '201')} 404 404 401`, (world) => ({
      params: params(world),
      body: { texto: 'Passageiro' },
    })),
  ]
})

export const SHARING_ROWS: Row[] = [
  row('listCollections', 'own', leads(200)),
  row('createCollection', 'by filter', leads(201), {
    body: { nome: 'Minha', filtro: { marca: brandOf('shared') } },
  }),
  row('createCollection', 'of an unseen trial', leadsOwners(201), (world) => ({
    body: { nome: 'Minha', experimentos: [world.ids.own.trial] },
  })),
  row('createCollection', 'of a received trial', '201 201 403 403 403 403 404 404 401', (world) => ({
    body: { nome: 'Minha', experimentos: [world.ids.shared.trial] },
  })),
  row('changeCollection', 'its name', leadsOwners(200), async (world) => ({
    ...(await collection(world)),
    body: { nome: 'Outra' },
  })),
  row('changeCollection', 'its trials', leadsOwners(200), async (world) => ({
    ...(await collection(world)),
    body: { incluir: [world.ids.other.trial] },
  })),
  row('removeCollection', 'one made for it', leadsOwners(204), collection),

  row('listShares', 'sent', leads(200), { query: { direcao: 'enviados' } }),
  row('listShares', 'received', leads(200), { query: { direcao: 'recebidos' } }),
  row('createShare', 'everything of its own', leads(202), {
    body: { alvo: { tudo: true }, para: { email: 'ninguem@exemplo.com.br' } },
  }),
  row('createShare', 'an unseen trial', leadsOwners(202), (world) => ({
    body: { alvo: { experimento: world.ids.own.trial }, para: { email: 'ninguem@exemplo.com.br' } },
  })),
  row('createShare', 'a received trial', '202 202 403 403 403 403 404 404 401', async (world) => ({
    body: { alvo: { experimento: world.ids.shared.trial }, para: await to(world) },
  })),
  row('createShare', 'the collection', leadsOwners(202), async (world) => ({
    body: { alvo: { colecao: world.collection }, para: await to(world) },
  })),
  row('createShare', 'by a code that nobody has', leads(422), {
    body: { alvo: { tudo: true }, para: { codigo: 'AAAA-AAAA-AAAA' } },
  }),
  row('changeShare', 'one made for it', leadsOwners(200), async (world) => ({
    ...(await pending(world)),
    body: { comentarios: true },
  })),
  row('acceptShare', 'one made for it', '404 404 403|404 403|404 200 403 404 404 401', pending),
  row('declineShare', 'one made for it', '404 404 403|404 403|404 204 403 404 404 401', pending),
  row('removeShare', 'one that holds', '204 204 403 403 204 403 404 404 401', accepted),

  ...onTrials,
  row('revokeLink', 'one made for it', leadsOwners(204), link),
  ...PUBLIC,
  row('removeComment', 'of the researcher, unseen', '204 403 204 403 404 404 404 404 401', (world) =>
    comment(world, 'P', 'own'),
  ),
  row('removeComment', 'of the researcher, shared', '204 403 204 403 403 403 404 404 401', (world) =>
    comment(world, 'P', 'shared'),
  ),
  row('removeComment', 'of the recipient', '204 403 403 403 204 403 404 404 401', (world) =>
    comment(world, 'S', 'shared'),
  ),

  row('listTransfers', 'of the acting organisation', '200 403 403 403 200 403 200 200 401'),
  row('offerTransfer', 'an unseen trial', '202 403 403 403 404 403|404 404 404 401', async (world) => ({
    body: { experimentos: [await fresh(world, 'own', 'P')], para: await to(world) },
  })),
  row('offerTransfer', 'a received trial', '202 403 403 403 403 403 404 404 401', async (world) => ({
    body: { experimentos: [await fresh(world, 'shared', 'P')], para: await to(world) },
  })),
  row(
    'offerTransfer',
    'by a filter that only others pass',
    '202 403 403 403 422 403 422 422 401',
    async (world) => ({
      body: { filtro: { marca: word('other', 'marca') }, para: await to(world) },
    }),
  ),
  row('acceptTransfer', 'one made for it', '404 403|404 403|404 403|404 200 403|404 404 404 401', offered),
  row('removeTransfer', 'one made for it', '204 403|404 403|404 403|404 204 403|404 404 404 401', offered),
  row('getExperiment', 'offered and not taken', MEMBERS, (world) => ({
    params: { id: world.ids.moving.trial },
  })),
]
