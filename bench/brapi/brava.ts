/**
 * The validator of BrAPI v2.1 (BRAVA, github.com/plantbreeding/IPK-BrAPI-Validator, MIT) over this server: its collection and its
 * JSON schemas are data and are read from a checkout, by the rules of its own runner, additional fields allowed:
 * brava.ts CHECKOUT. Only calls that `serverinfo` lists are asked, without writes of an empty record, which are refused by
 * design. Two trials of two consultancies with plots and values make two records of each kind.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { demoExperiments } from '../../apps/server/src/demo-data.ts'
import { signUp, startServer } from '../dashboard/measure.ts'

const [checkout = ''] = process.argv.slice(2)
const resources = join(checkout, 'src/main/resources')
const read = (path: string) => JSON.parse(readFileSync(join(resources, path), 'utf8'))

interface Item {
  name: string
  endpoint: string
  requires: string[]
  request: { method: string; url: string }
  event: { exec: string[] }[]
  parameters: { param: string; value: string }[]
}

const ajv = new Ajv({ strict: false, allErrors: true })
formats.default(ajv)
/** Sentences for what the answer has that the schema forbids; none where it fits. */
function faultsOf(path: string, body: unknown): string[] {
  // The draft that it names is older than the library; no schema uses what differs.
  const { $schema: _draft, ...schema } = read(`schemas${path}.json`)
  const validate = ajv.compile(schema)
  validate(body)
  return (validate.errors ?? [])
    .filter(({ keyword }) => keyword !== 'additionalProperties')
    .map(({ instancePath, message }) => `${path} ${instancePath} ${message}`)
}
const at = (body: unknown, path: string): unknown =>
  path
    .split('/')
    .slice(1)
    .reduce<unknown>((held, key) => (held as Record<string, unknown> | null)?.[key], body)

const dataDir = mkdtempSync(join(tmpdir(), 'ensaio-brava-'))
const server = await startServer(dataDir, 4871)
const tokens = [(await signUp(server.url)).access_token, (await signUp(server.url)).access_token]
let token = ''
const ask = (method: string, url: string, body?: string) =>
  fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      'content-type': 'application/json',
    },
    ...(body !== undefined && { body }),
  })
const made = async (method: string, path: string, body: unknown) => {
  const answer = await ask(method, `${server.url}/api/${path}`, JSON.stringify(body))
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

const variable = (chave: string, change: object) => ({
  chave,
  nome: chave,
  unidade: '',
  tipo: 'continua',
  ...change,
})
const yields = [3010, 3320, 2890, 3260, 3105, 3410]
const sheet = {
  ...{ versao: 0, delineamento: 'DBC', testemunha: 1, tratamentos: [{ numero: 1 }, { numero: 2 }] },
  variaveis: [
    variable('produtividade', { unidade: 'kg/ha', produtividade: true }),
    variable('altura', { unidade: 'cm', minimo: 0, maximo: 300, instrucao: 'Do solo à última folha' }),
    variable('sev', { tipo: 'nota', escala: [1, 9], categorias: [{ valor: 1, rotulo: 'Nenhuma' }] }),
  ],
  parcelas: yields.map((_, at) => ({
    numero: 101 + at,
    tratamento: (at % 2) + 1,
    bloco: Math.floor(at / 2) + 1,
  })),
  valores: ['produtividade', 'altura', 'sev'].map((variavel) => ({
    ...{ variavel, avaliacao: null, valores: variavel === 'produtividade' ? yields : yields.map(() => 1) },
  })),
  registro: {
    ...{ semeadura: '2025-10-10', colheita: '2026-02-20' },
    aplicacoes: [{ data: '2025-11-20', estadio: 'V4' }, { data: '2025-12-20' }],
  },
}
const places = [
  {
    consultoria: 'Campo Bom',
    cidade: 'Sorriso',
    estado: 'MT',
    cultura: 'Soja',
    cultivar: 'M 8349',
    ano: 2024,
  },
  {
    consultoria: 'Terra Fértil',
    cidade: 'Rio Verde',
    estado: 'GO',
    cultura: 'Milho',
    cultivar: 'P 30F53',
    ano: 2025,
  },
]
const [input] = demoExperiments(1)
for (const [n, place] of places.entries()) {
  token = tokens[n] ?? ''
  const treatment = input?.tratamentos[1]
  const product = { nome: 'Nutrivia Raiz', dose: 2, unidade: 'L/ha', custo: 90 }
  const tratamentos = [input?.tratamentos[0], { ...treatment, produtos_aplicados: [product] }]
  const { experimento } = await made('POST', 'experiments', { ...input, ...place, tratamentos })
  const { ficha } = await made('PUT', `experiments/${experimento.id}/plots`, sheet)
  const described = ficha.parcelas.slice(0, 2).map((plot: { id: string }) => ({
    ...{ observationUnitDbId: plot.id, imageName: 'Folha', imageTimeStamp: '2026-01-14T12:00:00Z' },
    imageLocation: { type: 'Feature', geometry: { type: 'Point', coordinates: [-55.7, -12.5] } },
  }))
  await ask('POST', `${server.url}/brapi/v2/images`, JSON.stringify(described))
}
const baseurl = `${server.url}/brapi/v2`
const info = await (await ask('GET', `${baseurl}/serverinfo`)).json()
const offered = new Set(
  info.result.calls.flatMap(({ service, methods }: { service: string; methods: string[] }) =>
    methods.map((method) => `${method} /${service}`),
  ),
)
const held = new Map<string, unknown>()
let asked = 0
let passed = 0
const left: string[] = []
const collection: { item: { item: Item[] }[] } = read('collections/CompleteBrapiTest.v2.1.json')
for (const item of collection.item.flatMap((folder) => folder.item)) {
  const { method } = item.request
  if (!offered.has(`${method} ${item.endpoint}`)) continue
  if (method === 'PUT' || (method === 'POST' && !item.endpoint.startsWith('/search/'))) {
    left.push(item.name)
    continue
  }
  // Every search here has an id, also one that is answered at once.
  if (item.requires.some((name) => name.endsWith('SearchResultDbId') && !held.has(name))) {
    left.push(item.name)
    continue
  }
  asked += 1
  const url = item.request.url.replace(/\{(\w+)\}/g, (whole, name) =>
    name === 'baseurl' ? baseurl : encodeURIComponent(String(held.get(name) ?? whole)),
  )
  const answer = await ask(method, url, method === 'POST' ? (item.parameters[0]?.value ?? '{}') : undefined)
  const body: unknown = await answer.json().catch(() => null)
  const faults: string[] = []
  for (const step of item.event[0]?.exec ?? []) {
    const [act = '', first = '', second = ''] = step.split(':')
    if (act === 'StatusCode' && !first.split(',').includes(String(answer.status)))
      faults.push(`status ${answer.status}`)
    if (act === 'ContentType' && !answer.headers.get('content-type')?.includes(first))
      faults.push(`type ${answer.headers.get('content-type')}`)
    if (act === 'Schema') faults.push(...faultsOf(first, body))
    if (act === 'SearchSchema') faults.push(...faultsOf(answer.status === 202 ? `${first}202` : first, body))
    if (act === 'SearchSchema') held.set(second, at(body, '/result/searchResultsDbId'))
    if (act === 'GetValue') {
      const value = at(body, first)
      if (value === undefined || value === null || value === '') faults.push(`nothing at ${first}`)
      held.set(second, value)
    }
    if (act === 'IsEqual' && at(body, first) !== held.get(second))
      faults.push(`${first} is ${at(body, first)}, not ${held.get(second)}`)
  }
  if (faults.length === 0) passed += 1
  else console.log(`${item.name}\n  ${[...new Set(faults)].slice(0, 12).join('\n  ')}`)
}
console.log(`${passed} of ${asked} items pass; left out: ${left.join(', ')}`)
await server.stop()
rmSync(dataDir, { recursive: true, force: true })
