import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ExperimentInput } from '@ensaio/domain'
import type { FastifyInstance } from 'fastify'
import { readConfig } from './config.ts'
import { demoExperiments } from './demo-data.ts'
import { runServer } from './run-server.ts'

const EMAIL = 'demo@ensaio.local'
const PASSWORD = 'ensaio-de-campo'
const EXPERIMENTS = 400

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

/** Fills a new installation by the same calls that the pages make; one cut off in the middle goes on. */
async function fill(app: FastifyInstance, done: string): Promise<void> {
  if (existsSync(done)) return
  const signUp = await app.inject({
    method: 'POST',
    url: '/auth/v1/signup',
    payload: { email: EMAIL, password: PASSWORD, data: { name: 'Demonstração', company: 'Ensaio' } },
  })
  const signIn =
    signUp.statusCode === 200
      ? signUp
      : await app.inject({
          method: 'POST',
          url: '/auth/v1/token?grant_type=password',
          payload: { email: EMAIL, password: PASSWORD },
        })
  expectStatus(signIn, 200, 'entrar')
  const authorization = `Bearer ${signIn.json().access_token}`
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
    const { payload, type } = pdf
      ? await asForm(input, pdf, `ensaio-${index + 1}.pdf`)
      : { payload: input, type: 'application/json' }
    const created = await app.inject({
      method: 'POST',
      url: '/api/experiments',
      headers: { authorization, 'content-type': type, 'idempotency-key': `demo-${index + 1}` },
      payload,
    })
    expectStatus(created, 201, `experimento ${index + 1}`)
    if (pdf) documents += 1
  }
  writeFileSync(done, '')
  console.log(`Demonstração: ${EXPERIMENTS} experimentos, ${documents} documentos.`)
}

const { dataDir } = readConfig(process.env)
runServer(async (app) => {
  await fill(app, join(dataDir, 'demo-filled'))
  console.log(`Conta de demonstração: ${EMAIL}, senha ${PASSWORD}`)
}).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
})
