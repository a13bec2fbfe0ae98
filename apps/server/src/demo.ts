import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ExperimentInput } from '@ensaio/domain'
import { DEMO_DESIGNS, DEMO_INPUTS, demoPrices, demoSheet } from '@ensaio/domain/demo'
import type { FastifyInstance } from 'fastify'
import { readConfig } from './config.ts'
import { demoExperiments } from './demo-data.ts'
import { runServer } from './run-server.ts'

const EMAIL = 'demo@ensaio.local'
const MAKER = 'fabrica@ensaio.local'
const FARM = 'fazenda@ensaio.local'
const PASSWORD = 'ensaio-de-campo'
const EXPERIMENTS = 400
const OF_THE_FARM = 12
const LINK_DAYS = 30

/** A few lines of text as the smallest PDF that every reader opens. */
function smallPdf(lines: readonly string[]): Buffer {
  const literal = (line: string) =>
    line
      .normalize('NFD')
      .replace(/[^\x20-\x7e]/g, '')
      .replace(/[\\()]/g, '\\$&')
  const content = `BT /F1 12 Tf 72 770 Td 18 TL ${lines.map((line) => `(${literal(line)}) Tj T*`).join(' ')} ET`
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const at = file.length
    file += `${index + 1} 0 obj${object}endobj\n`
    return at
  })
  const start = file.length
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  file += `xref\n0 6\n0000000000 65535 f \n${rows}trailer<</Size 6/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}

/** An answer that the demo cannot go on without. */
function expectStatus(answer: { statusCode: number; body: string }, wanted: number, what: string): void {
  if (answer.statusCode !== wanted)
    throw new Error(`A demonstração parou em ${what}: ${answer.statusCode} ${answer.body.slice(0, 500)}`)
}

async function asForm(input: ExperimentInput, pdf: Buffer, filename: string) {
  const form = new FormData()
  form.set('dados', JSON.stringify(input))
  form.set('pdf', new Blob([new Uint8Array(pdf)]), filename)
  const body = new Response(form)
  return {
    payload: Buffer.from(await body.arrayBuffer()),
    type: body.headers.get('content-type') ?? '',
  }
}

type Ask = (
  method: 'GET' | 'POST' | 'PUT',
  url: string,
  payload?: object,
  wanted?: number,
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape, each asked for what it has
) => Promise<any>

/** Signs a person up, or in when an earlier start has done so; answers how to ask in their name. */
async function person(
  app: FastifyInstance,
  email: string,
  data: object,
): Promise<{ ask: Ask; authorization: string }> {
  const credentials = { email, password: PASSWORD }
  const signUp = await app.inject({
    method: 'POST',
    url: '/auth/v1/signup',
    payload: { ...credentials, data },
  })
  const signIn =
    signUp.statusCode === 200
      ? signUp
      : await app.inject({
          method: 'POST',
          url: '/auth/v1/token?grant_type=password',
          payload: credentials,
        })
  expectStatus(signIn, 200, 'entrar')
  const authorization = `Bearer ${signIn.json().access_token}`
  return {
    authorization,
    async ask(method, url, payload, wanted = 200) {
      const answer = await app.inject({
        method,
        url,
        headers: { authorization },
        ...(payload && { payload }),
      })
      expectStatus(answer, wanted, `${method} ${url}`)
      return answer.json()
    },
  }
}

/** The person's organisation of that name, made if it is not there, and acted for from then on. */
async function organization(ask: Ask, nome: string, tipo: string): Promise<string> {
  const { organizacoes } = await ask('GET', '/api/organizations')
  const found = organizacoes.find((own: { nome: string }) => own.nome === nome)
  const { id } = found ?? (await ask('POST', '/api/organizations', { nome, tipo }, 201)).organizacao
  await ask('PUT', '/api/profile/organization', { id })
  return id
}

/** Three organisations: a consultancy that shows a maker its brand's trials without their costs, and a farm. */
async function open(app: FastifyInstance, consultancy: Ask): Promise<string> {
  const own: string = (await consultancy('GET', '/api/organizations')).ativa
  await consultancy('PUT', `/api/organizations/${own}`, {
    nome: 'Consultoria Demonstração',
    tipo: 'consultoria',
  })
  await consultancy('PUT', '/api/admin/installation', { organizacoes: 'varias' })
  const maker = await person(app, MAKER, { name: 'Marina da Fábrica' })
  const makers = await organization(maker.ask, 'Fábrica Aminoagro', 'fabricante')
  const farm = await person(app, FARM, { name: 'Fábio da Fazenda' })
  await organization(farm.ask, 'Fazenda Boa Vista', 'fazenda')
  for (const [index, input] of demoExperiments(OF_THE_FARM).entries())
    await created(app, farm.authorization, `fazenda-${index + 1}`, {
      payload: { ...input, consultoria: 'Fazenda Boa Vista' },
      type: 'application/json',
    })

  // Who uses the demonstration looks at both sides of a share.
  const members = (await maker.ask('GET', `/api/organizations/${makers}/members`)).membros
  if (!members.some(({ email }: { email: string }) => email === EMAIL)) {
    await maker.ask(
      'POST',
      `/api/organizations/${makers}/invitations`,
      { email: EMAIL, papel: 'gestor' },
      202,
    )
    const [invitation] = (await consultancy('GET', '/api/organizations')).convites
    await consultancy('POST', `/api/invitations/${invitation.id}/accept`)
    await consultancy('PUT', '/api/profile/organization', { id: own })
  }
  const { colecoes } = await consultancy('GET', '/api/collections')
  if (colecoes.length === 0) {
    const { colecao } = await consultancy(
      'POST',
      '/api/collections',
      { nome: 'Ensaios Aminoagro', filtro: { marca: 'Aminoagro' } },
      201,
    )
    const { codigo } = (await maker.ask('GET', `/api/organizations/${makers}`)).organizacao
    const { compartilhamento } = await consultancy(
      'POST',
      '/api/shares',
      { alvo: { colecao: colecao.id }, para: { codigo }, custos: false, comentarios: true },
      202,
    )
    await maker.ask('POST', `/api/shares/${compartilhamento.id}/accept`)
  }
  const [shown] = (await consultancy('GET', '/api/experiments?limit=1&com_documento=1')).experimentos
  const ate = new Date(Date.now() + LINK_DAYS * 86_400_000).toISOString().slice(0, 10)
  const { link } = await consultancy('POST', `/api/experiments/${shown.id}/links`, { ate }, 201)
  return link.url
}

/** Fills a new installation by the same calls that the pages make; one cut off in the middle goes on. */
async function fill(app: FastifyInstance, done: string): Promise<void> {
  if (existsSync(done)) return
  const { ask, authorization } = await person(app, EMAIL, { name: 'Demonstração', company: 'Ensaio' })
  let documents = 0
  for (const [index, input] of demoExperiments(EXPERIMENTS).entries()) {
    const pdf =
      index % 4 === 0
        ? smallPdf([
            `Relatório de ensaio: ${input.cultura}`,
            `Consultoria: ${input.consultoria}`,
            `${input.cidade}/${input.estado}, ${input.ano}`,
          ])
        : null
    const body = pdf
      ? await asForm(input, pdf, `ensaio-${index + 1}.pdf`)
      : { payload: input, type: 'application/json' }
    await created(app, authorization, `demo-${index + 1}`, body)
    if (pdf) documents += 1
  }
  const withPlots = await putPlots(app, ask, authorization)
  const link = await open(app, ask)
  writeFileSync(done, '')
  console.log(`Demonstração: ${EXPERIMENTS + withPlots} experimentos, ${documents} documentos.`)
  console.log(`Link público de um experimento: ${link}`)
  console.log(`Outras contas, com a mesma senha: ${MAKER} (recebe sem custos), ${FARM}.`)
}

/** Trials with plots, by the same table that the demo mode shows, each design once; answers how many. */
async function putPlots(app: FastifyInstance, ask: Ask, authorization: string): Promise<number> {
  const inputs = DEMO_INPUTS.filter((_, index) => DEMO_DESIGNS[index] !== undefined)
  for (const input of inputs) {
    const index = DEMO_INPUTS.indexOf(input)
    const { pdf_filename: _, ...payload } = { ...input, consultoria: `${input.consultoria} (parcelas)` }
    const id = await created(app, authorization, `demo-parcelas-${index}`, {
      payload,
      type: 'application/json',
    })
    const sheet = demoSheet(index, input)
    const { experimento } = await ask('GET', `/api/experiments/${id}`)
    // An earlier start that was cut off may have put them already.
    if (sheet && experimento.dados === null) {
      await ask('PUT', `/api/experiments/${id}/plots`, { ...sheet, versao: 0 })
      await ask('PUT', `/api/experiments/${id}/prices`, { ...demoPrices(input), versao: 0 })
    }
  }
  return inputs.length
}

async function created(
  app: FastifyInstance,
  authorization: string,
  key: string,
  { payload, type }: { payload: Buffer | object; type: string },
): Promise<string> {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/experiments',
    headers: { authorization, 'content-type': type, 'idempotency-key': key },
    payload,
  })
  expectStatus(answer, 201, `experimento ${key}`)
  return answer.json().experimento.id
}

// Whoever looks around looks at the administration too.
process.env['ADMIN_EMAIL'] ??= EMAIL
const { dataDir } = readConfig(process.env)
runServer(async (app) => {
  await fill(app, join(dataDir, 'demo-filled'))
  console.log(`Conta de demonstração: ${EMAIL}, senha ${PASSWORD}`)
}).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
})
