import { createHash } from 'node:crypto'
import { NOT_FOUND } from '@ensaio/domain'
import type { Extractor } from '../features/extraction/extraction.service.ts'
import {
  type Answer,
  type CallOptions,
  experimentInput,
  form,
  type Person,
  type TestServer,
} from '../test-server.ts'
import { brandOf, type Canary, canariesOf, canaryInput, TRIALS, type Trial, word } from './test-canaries.ts'
import {
  plotCanaries,
  priceCanaries,
  pricesInput,
  recordInput,
  sheetInput,
  WITH_PLOTS,
  type WithPlots,
} from './test-plots.ts'

/** Who asks, in the order of the tables. */
export const CALLERS = ['D', 'G', 'P', 'L', 'S', 'T', 'O', 'A', 'V'] as const
/**
 * Of the owner: D its dono, G gestor, P pesquisador, L leitor. Of the recipient: S its dono, T a leitor. O the dono of
 * a third organisation, A the installation's administrator, V a visitor.
 */
export type Caller = (typeof CALLERS)[number]
type Signed = Exclude<Caller, 'V'>

export interface Shared {
  trial: string
  document: { id: string; sha256: string }
  comment: string
}

export interface World {
  server: Pick<TestServer, 'call' | 'person'>
  people: Record<Signed, Person>
  /** One more researcher of the owner's, whom tests may take for a member. */
  extra: Person
  organizations: { owner: string; recipient: string; other: string; spare: string }
  ids: Record<Trial, Shared>
  /** The analysis that is recorded of each trial with plots. */
  records: Record<WithPlots, string>
  /** The researcher's file that hangs on no trial. */
  loose: { id: string; sha256: string }
  collection: string
  /** Sent: the collection's and the single trial's. */
  shares: { collection: string; open: string }
  /** Of `linked`: shut is without costs and report, whole with both. */
  links: { shut: { id: string; token: string }; whole: { id: string; token: string } }
  transfer: string
  invitation: { id: string; token: string; email: string }
  /** The researcher's factor of sign-in, and layout. */
  factor: string
  /** The recipient's comment on the shared trial. */
  answer: string
  canaries: Canary[]
  ask(caller: Caller, method: string, path: string, options?: CallOptions): Promise<Answer>
  /** The same, of what has to succeed. @returns the body */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  made(caller: Caller, method: string, path: string, body?: unknown): Promise<any>
}

export const NAMES: Record<Signed | 'extra', string> = {
  D: word('nome', 'dono'),
  G: word('nome', 'gestora'),
  P: word('nome', 'pesquisador'),
  L: word('nome', 'leitora'),
  extra: word('nome', 'membro'),
  S: 'Marta Fabricante',
  T: 'Tadeu Fabricante',
  O: 'Olga Outra',
  A: 'Adm',
}
export const OWNER_NAME = word('organizacao', 'dona')
export const COLLECTION_NAME = word('colecao')
const OWNERS = ['D', 'G', 'P', 'L'] as const

/** Reads out of every file the same, and learns of every one what is called a layout. */
export const reader = (): Extractor & { read: { bytes: string; template: boolean }[] } => {
  const read: { bytes: string; template: boolean }[] = []
  return {
    read,
    extract: async (bytes, { learn, template }) => {
      read.push({ bytes: Buffer.from(bytes).toString(), template: template !== undefined })
      return {
        data: {
          ...NOT_FOUND,
          consultoria: 'Lavoura Clara',
          cultura: 'Soja',
          ano: 2023,
          tratamentos: [],
          estatistica_informada: null,
        },
        metadata: { confidence: 0.9, extracted_fields: ['consultoria'], fields: {}, layout: [1, 2, 3, 4] },
        ...(learn && {
          learnt: {
            tables: [],
            fields: [{ field: 'consultoria', how: 'behind', phrase: word('layout'), end: '' }],
          },
        }),
      }
    },
  }
}

let files = 0
/** A small file that no other is like. */
export function report(trial: Trial | 'loose' | 'any', filename = `${word(trial, 'arquivo')}.pdf`) {
  files += 1
  const text = `%PDF-1.7\n% ${trial === 'any' ? 'qualquer' : word(trial, 'pdf')} ${files}\n${PAGE}`
  const sha256 = createHash('sha256').update(text).digest('hex')
  const blob = new Blob([text], { type: 'application/pdf' })
  return { text, sha256, filename, form: (parts = {}) => form({ ...parts, pdf: blob }, filename) }
}
const PAGE = `1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj
2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj
3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>\nendobj
trailer\n<< /Root 1 0 R /Size 4 >>\n%%EOF\n`

/** Gives a trial its sheet and a recorded analysis, by the dono. @returns the record */
export async function recorded(world: Pick<World, 'made'>, kind: Trial, id: string) {
  await world.made('D', 'PUT', `/api/experiments/${id}/plots`, sheetInput(kind))
  return (await world.made('D', 'POST', `/api/experiments/${id}/analyses`, recordInput(kind))).registro
}

let codes = 0
/** One more trial of a kind, made for one call. */
export async function fresh(world: Pick<World, 'made'>, kind: Trial, by: 'D' | 'P'): Promise<string> {
  codes += 1
  return (await world.made(by, 'POST', '/api/experiments', canaryInput(kind, codes))).experimento.id
}
export async function freshDocument(
  world: Pick<World, 'made'>,
  kind: Trial | 'loose',
  { by, trial }: { by: 'D' | 'P'; trial?: string },
): Promise<{ id: string; sha256: string }> {
  const { form } = report(kind)
  const body = form(trial === undefined ? {} : { experimentId: trial })
  return (await world.made(by, 'POST', '/api/uploads/document', body)).document
}
export const inDays = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

export const codeOf = async (world: Pick<World, 'made' | 'organizations'>, who: 'D' | 'S' | 'O') => {
  const id = world.organizations[({ D: 'owner', S: 'recipient', O: 'other' } as const)[who]]
  return (await world.made(who, 'GET', `/api/organizations/${id}`)).organizacao.codigo as string
}

/** By a link that the inviter passes on. */
export async function join(
  world: Pick<World, 'made' | 'server'>,
  inviter: 'D' | 'S',
  { organization, person, papel }: { organization: string; person: Person; papel: string },
): Promise<void> {
  const { convite } = await world.made(inviter, 'POST', `/api/organizations/${organization}/invitations`, {
    email: person.email,
    papel,
  })
  const token = convite.url.split('/').at(-1)
  const { status } = await world.server.call('POST', `/api/invitations/${token}/accept`, {
    token: person.token,
  })
  if (status !== 200) throw new Error(`an invitation answered ${status}`)
}

/** Three organisations, of which one has shared some of its trials with another. */
export async function buildWorld(server: World['server'], admin: Person): Promise<World> {
  await server.call('PUT', '/api/admin/installation', {
    token: admin.token,
    body: { organizacoes: 'varias' },
  })
  const people = { A: admin } as Record<Signed, Person>
  for (const who of ['D', 'G', 'P', 'L', 'S', 'T', 'O'] as const)
    people[who] = await server.person({ name: NAMES[who] })
  const extra = await server.person({ name: NAMES.extra })

  const ask: World['ask'] = (caller, method, path, options = {}) =>
    server.call(method, path, { ...(caller !== 'V' && { token: people[caller].token }), ...options })
  const made: World['made'] = async (caller, method, path, body) => {
    const answer = await ask(caller, method, path, body === undefined ? {} : { body })
    if (answer.status >= 300)
      throw new Error(`${method} ${path} of ${caller}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const base = { server, made }

  const organization = async (who: 'D' | 'S' | 'O', nome: string, tipo: string): Promise<string> =>
    (await made(who, 'POST', '/api/organizations', { nome, tipo })).organizacao.id
  const owner = await organization('D', OWNER_NAME, 'consultoria')
  const spare = await organization('D', word('organizacao', 'reserva'), 'fazenda')
  const recipient = await organization('S', 'Fábrica Verde', 'fabricante')
  const other = await organization('O', 'Outra Lavoura', 'consultoria')
  const organizations = { owner, recipient, other, spare }
  for (const id of [spare, owner]) {
    await join(base, 'D', { organization: id, person: people.G, papel: 'gestor' })
    await join(base, 'D', { organization: id, person: people.P, papel: 'pesquisador' })
    await join(base, 'D', { organization: id, person: people.L, papel: 'leitor' })
  }
  await join(base, 'D', { organization: owner, person: extra, papel: 'pesquisador' })
  await join(base, 'S', { organization: recipient, person: people.T, papel: 'leitor' })
  for (const [who, id] of [
    ['D', owner],
    ['S', recipient],
    ['O', other],
  ] as const)
    await made(who, 'PUT', '/api/profile/organization', { id })

  const ids = {} as Record<Trial, Shared>
  for (const trial of TRIALS) {
    const by = ['own', 'shared', 'embargoed'].includes(trial) ? 'P' : 'D'
    const dados = JSON.stringify(canaryInput(trial))
    const { experimento } = await made(by, 'POST', '/api/experiments', report(trial).form({ dados }))
    const { documents } = await made(by, 'GET', `/api/uploads/documents?experimentId=${experimento.id}`)
    const { comentario } = await made(by, 'POST', `/api/experiments/${experimento.id}/comments`, {
      texto: word(trial, 'comentario'),
    })
    ids[trial] = { trial: experimento.id, document: documents[0], comment: comentario.id }
  }
  const records = {} as World['records']
  const ofPlots: Canary[] = []
  for (const trial of WITH_PLOTS) {
    const { id, analise } = await recorded(base, trial, ids[trial].trial)
    records[trial] = id
    ofPlots.push(...plotCanaries(trial, { id, cv: analise.residuos.at(-1).cv }), ...priceCanaries(trial))
    await made('D', 'PUT', `/api/experiments/${ids[trial].trial}/prices`, pricesInput(trial))
  }
  const loose = await freshDocument(base, 'loose', { by: 'P' })
  // A name that the owner may propose to everybody is none of the secrets.
  await made('D', 'POST', '/api/experiments', experimentInput({ marca: 'Marca a Propor' }))
  for (const who of ['S', 'O'] as const)
    await made(who, 'POST', '/api/experiments', experimentInput({ consultoria: NAMES[who] }))

  const { colecao } = await made('D', 'POST', '/api/collections', {
    nome: COLLECTION_NAME,
    filtro: { marca: brandOf('shared') },
  })
  const para = { codigo: await codeOf({ made, organizations }, 'S') }
  const share = async (alvo: object, switches: object): Promise<string> => {
    const { compartilhamento } = await made('D', 'POST', '/api/shares', { alvo, para, ...switches })
    await made('S', 'POST', `/api/shares/${compartilhamento.id}/accept`)
    return compartilhamento.id
  }
  const shares = {
    collection: await share({ colecao: colecao.id }, { comentarios: true }),
    open: await share({ experimento: ids.open.trial }, { custos: true, documentos: true }),
  }
  await made('D', 'PUT', `/api/experiments/${ids.embargoed.trial}/embargo`, { ate: inDays(40) })
  await made('D', 'DELETE', `/api/experiments/${ids.deleted.trial}`)
  const link = async (switches: object) =>
    (await made('D', 'POST', `/api/experiments/${ids.linked.trial}/links`, { ate: inDays(30), ...switches }))
      .link
  const links = { shut: await link({}), whole: await link({ custos: true, documentos: true }) }
  const { transferencia } = await made('D', 'POST', '/api/transfers', {
    experimentos: [ids.moving.trial],
    para,
  })
  const email = 'kzconvidada@exemplo.com.br'
  const { convite } = await made('D', 'POST', `/api/organizations/${owner}/invitations`, {
    email,
    papel: 'leitor',
  })
  const invitation = { id: convite.id, token: convite.url.split('/').at(-1), email }
  const factor = (await made('P', 'POST', '/auth/v1/factors', { factor_type: 'totp' })).id
  const answer = (
    await made('S', 'POST', `/api/experiments/${ids.shared.trial}/comments`, { texto: 'Pergunta' })
  ).comentario.id

  const canaries: Canary[] = [
    ...TRIALS.flatMap((trial): Canary[] => [
      ...canariesOf(trial),
      { text: ids[trial].trial, kind: 'id', trial },
      { text: ids[trial].comment, kind: 'comment', trial },
      { text: ids[trial].document.id, kind: 'file', trial },
      { text: ids[trial].document.sha256, kind: 'file', trial },
    ]),
    ...ofPlots,
    ...[...OWNERS.map((who) => people[who]), extra].flatMap(({ id, email }): Canary[] => [
      { text: id, kind: 'person' },
      { text: email, kind: 'person' },
    ]),
    ...[...OWNERS, 'extra' as const].map((who): Canary => ({ text: NAMES[who], kind: 'person' })),
    { text: email, kind: 'person' },
    ...[word('loose', 'arquivo'), word('loose', 'pdf'), loose.id, loose.sha256].map(
      (text): Canary => ({ text, kind: 'file' }),
    ),
    ...[owner, spare, OWNER_NAME, word('organizacao', 'reserva'), COLLECTION_NAME, colecao.id].map(
      (text): Canary => ({ text, kind: 'organization' }),
    ),
    ...[invitation.id, factor, word('layout'), ...Object.values(links).map(({ id }) => id)].map(
      (text): Canary => ({ text, kind: 'organization' }),
    ),
    ...[await codeOf({ made, organizations }, 'D'), ...Object.values(shares), transferencia.id].map(
      (text): Canary => ({ text, kind: 'organization' }),
    ),
  ]
  return {
    ...{
      server,
      people,
      extra,
      organizations,
      ids,
      records,
      loose,
      shares,
      links,
      invitation,
      factor,
      answer,
      canaries,
    },
    ...{ collection: colecao.id, transfer: transferencia.id, ask, made },
  }
}

/** What none of the caller's answers may hold. */
export function secretsTo(caller: Caller, world: World): Canary[] {
  if (['D', 'G', 'P', 'L'].includes(caller)) return []
  if (caller !== 'S' && caller !== 'T') return world.canaries
  const { organizations, shares, transfer } = world
  const known = new Set([
    organizations.owner,
    OWNER_NAME,
    COLLECTION_NAME,
    ...Object.values(shares),
    transfer,
  ])
  return world.canaries.filter(({ kind, trial, text }) => {
    if (known.has(text)) return false
    if (trial === 'open') return kind === 'comment'
    return trial !== 'shared' || !['words', 'id', 'comment'].includes(kind)
  })
}
