import { setTimeout as sleep } from 'node:timers/promises'
import { word } from './test-canaries.ts'
import { ALL, type Row, row } from './test-row.ts'
import type { World } from './test-world.ts'

let views = 0
const input = (alcance: 'pessoal' | 'organizacao') => {
  views += 1
  return { nome: `Vista ${views}`, alcance, estado: { cultura: 'Soja' } }
}
const made = async (world: World, by: 'D' | 'P', alcance: 'pessoal' | 'organizacao') =>
  (await world.made(by, 'POST', '/api/views', input(alcance))).vista.id as string
const view = async (world: World, by: 'D' | 'P', alcance: 'pessoal' | 'organizacao') => ({
  params: { id: await made(world, by, alcance) },
})
const NO_ALERT = '0190b3a0-0000-7000-8000-000000000000'
/** Of the researcher, on a view of their own; nobody keeps more than a few. */
const alert = async (world: World) => {
  const { alertas } = await world.made('P', 'GET', '/api/alerts')
  for (const { id } of alertas) await world.made('P', 'DELETE', `/api/alerts/${id}`)
  const vista = await made(world, 'P', 'pessoal')
  const { alerta } = await world.made('P', 'POST', '/api/alerts', { vista, frequencia: 'por_semana' })
  return { vista, params: { id: alerta.id } }
}

/** Of the researcher, made; the one before may be in the making still. */
async function manyReport(world: World) {
  for (let time = 0; time < 1_000; time += 1) {
    const { body } = await world.ask('P', 'POST', '/api/reports', {
      body: { filtro: { produto: word('own', 'produto') }, formato: 'pdf' },
    })
    if (body.relatorio) return { params: { id: await readyReport(world, body.relatorio.id) } }
    await sleep(50)
  }
  throw new Error('no report could be begun')
}
/** Behind what the rows before have asked to be made. */
async function readyReport(world: World, id: string): Promise<string> {
  for (let time = 0; time < 1_000; time += 1) {
    const { relatorio } = await world.made('P', 'GET', `/api/reports/${id}`)
    if (relatorio.estado === 'pronto') return id
    if (relatorio.estado !== 'fazendo') throw new Error(`the report is ${relatorio.estado}`)
    await sleep(50)
  }
  throw new Error('the report is being made still')
}
const looked = new WeakMap<World, ReturnType<typeof manyReport>>()
/** One for all who only look. */
function oneReport(world: World) {
  const known = looked.get(world) ?? manyReport(world)
  looked.set(world, known)
  return known
}

/** The researcher's alone; those who lead the organisation are told of none. */
const OWN = '404 404 200 404 404 404 404 404 401'
/** Of who leads the owner; its other members see it. */
const LEADS = '200 200 403 403 404 404 404 404 401'
const NONE = '404 404 404 404 404 404 404 404 404'

export const VIEW_ROWS: Row[] = [
  row('listViews', 'own and of the organisation', ALL),
  row('getView', "the researcher's", OWN, (world) => view(world, 'P', 'pessoal')),
  row('getView', "the owner's", '200 200 200 200 404 404 404 404 401', (world) =>
    view(world, 'D', 'organizacao'),
  ),
  row('createView', 'of a person', '201 201 201 201 201 201 201 201 401', () => ({ body: input('pessoal') })),
  row('createView', 'of the organisation', '201 201 403 403 201 403 201 201 401', () => ({
    body: input('organizacao'),
  })),
  row('changeView', "the researcher's", OWN, async (world) => ({
    ...(await view(world, 'P', 'pessoal')),
    body: input('pessoal'),
  })),
  row('changeView', "the owner's", LEADS, async (world) => ({
    ...(await view(world, 'D', 'organizacao')),
    body: input('organizacao'),
  })),
  row('removeView', "the researcher's", OWN.replaceAll('200', '204'), (world) => view(world, 'P', 'pessoal')),
  row('removeView', "the owner's", LEADS.replaceAll('200', '204'), (world) =>
    view(world, 'D', 'organizacao'),
  ),
  row('setDefaultView', "the researcher's", OWN, async (world) => ({
    body: { vista: await made(world, 'P', 'pessoal') },
  })),
  row('setDigest', 'of oneself', ALL, { body: { ativo: false } }),
  row('getReportParts', 'of oneself', ALL),
  row('setReportParts', 'of oneself', ALL, { body: { experimento_sem: ['economia'] } }),
  row('listAlerts', 'of oneself', ALL),
  row('createAlert', "on the researcher's view", OWN.replaceAll('200', '201'), async (world) => {
    const { vista } = await alert(world)
    return { body: { vista, frequencia: 'por_semana' } }
  }),
  row('changeAlert', "the researcher's", OWN, async (world) => ({
    params: (await alert(world)).params,
    body: { ativo: false },
  })),
  row('removeAlert', "the researcher's", OWN.replaceAll('200', '204'), alert),
  row('unsubscribeAlert', 'by a token that nobody wrote', NONE, { params: { token: `${NO_ALERT}.AAAA` } }),
  row('listNotifications', 'of oneself', ALL),
  row('readNotifications', 'of oneself', ALL, { body: {} }),
  row('createReport', 'of own trials', '202 202 202 202 422 422 422 422 401', () => ({
    body: { filtro: { produto: word('own', 'produto') }, formato: 'pdf' },
  })),
  row('createReport', 'of shared trials', '202 202 202 202 202 202 422 422 401', () => ({
    body: { filtro: { produto: word('shared', 'produto') }, formato: 'pptx' },
  })),
  row('getReport', "the researcher's", OWN, oneReport),
  row('reportFile', "the researcher's", OWN, oneReport),
  row('removeReport', "the researcher's", OWN.replaceAll('200', '204'), manyReport),
]
