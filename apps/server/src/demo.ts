import type { FastifyInstance } from 'fastify'
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

/** Fills an empty installation by the same calls that the pages make. */
async function fill(app: FastifyInstance): Promise<void> {
  const signIn = await app.inject({
    method: 'POST',
    url: '/auth/v1/signup',
    payload: { email: EMAIL, password: PASSWORD, data: { name: 'Demonstração', company: 'Ensaio' } },
  })
  if (signIn.statusCode !== 200) return
  const authorization = `Bearer ${signIn.json().access_token}`
  for (const [index, input] of demoExperiments(EXPERIMENTS).entries()) {
    const form = new FormData()
    form.set('dados', JSON.stringify(input))
    if (index % 4 === 0) {
      const pdf = smallPdf([
        `Relatório de ensaio: ${input.cultura}`,
        `Consultoria: ${input.consultoria}`,
        `${input.cidade}/${input.estado}, ${input.ano}`,
      ])
      form.set('pdf', new Blob([new Uint8Array(pdf)]), `ensaio-${index + 1}.pdf`)
    }
    const body = new Response(form)
    await app.inject({
      method: 'POST',
      url: '/api/experiments',
      headers: { authorization, 'content-type': body.headers.get('content-type') ?? '' },
      payload: Buffer.from(await body.arrayBuffer()),
    })
  }
}

runServer(async (app) => {
  await fill(app)
  console.log(`Conta de demonstração: ${EMAIL}, senha ${PASSWORD}`)
}).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
})
