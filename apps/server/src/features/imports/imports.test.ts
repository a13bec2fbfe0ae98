import { setTimeout as sleep } from 'node:timers/promises'
import { unzipSync } from 'fflate'
import { readXlsx, type WriteSheet, writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { experimentInput, type Person, startTestServer, type TestServer } from '../../test-server.ts'

let server: TestServer
let person: Person
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

type Cell = string | number | boolean | Date | null
export const book = async (rows: Cell[][], more: Partial<WriteSheet> = {}) =>
  Buffer.from(await writeXlsx({ sheets: [{ name: 'Ensaios', rows, ...more }] }))

const HEAD = [
  ...['Código', 'Consultoria', 'Marca', 'BU', 'Regional', 'Cidade', 'UF', 'Cultura', 'Cultivar', 'Safra'],
  ...['Delineamento', 'Custo do protocolo', 'Tratamento', 'Modalidade', 'Produto', 'Dose', 'Produtividade'],
]
const trial = (code: string, over: Record<number, Cell> = {}): Cell[][] =>
  [
    ['Testemunha', 'Controle', null, null, 3000],
    ['Raiz', 'Foliar', 'Nutrivia Raiz', '300 mL/ha', 3300.5],
  ].map((treatment, index) => {
    const row: Cell[] = [
      ...[
        code,
        'AgroPesq',
        'Aminoagro',
        'BU1',
        'Centro-Oeste',
        'Rio Verde',
        'GO',
        'Soja',
        'NS 7709',
        2024,
        'DBC',
        1500,
      ],
      ...(treatment as Cell[]),
    ]
    if (index === 1) for (const [at, value] of Object.entries(over)) row[Number(at)] = value
    return row
  })

const call = (method: string, path: string, options: object = {}) =>
  server.call(method as 'GET', path, { token: person.token, ...options } as never)

async function send(bytes: Uint8Array | string, { name = 'ensaios.xlsx', again = false } = {}) {
  const body = new FormData()
  body.append('arquivo', new Blob([bytes]), name)
  return call('POST', `/api/imports${again ? '?repetir=1' : ''}`, { body })
}
async function settled(id: string) {
  for (let time = 0; time < 200; time++) {
    const { body } = await call('GET', `/api/imports/${id}`)
    if (!['lendo', 'gravando'].includes(body.importacao.estado)) return body.importacao
    await sleep(50)
  }
  throw new Error('it does not end')
}
/** Sent and understood. */
async function understood(rows: Cell[][], mapping: object = {}) {
  const sent = await send(await book(rows))
  expect(sent.status).toBe(201)
  const { id } = await settled(sent.body.importacao.id)
  const mapped = await call('PUT', `/api/imports/${id}/mapping`, { body: mapping })
  expect(mapped.status, JSON.stringify(mapped.body)).toBe(200)
  return mapped.body.importacao
}
const commit = async (id: string, body: object = { atualizar: false }) => {
  const begun = await call('POST', `/api/imports/${id}/commit`, { body })
  expect(begun.status, JSON.stringify(begun.body)).toBe(202)
  return settled(id)
}
const rowsOf = async (id: string, query = '') =>
  (await call('GET', `/api/imports/${id}/rows${query}`)).body.experimentos
const total = async () => (await call('GET', '/api/experiments?limit=1')).body.total

test('a workbook becomes trials, once; the same again changes nothing, a changed one updates, and all is taken back', async () => {
  person = await server.person()
  const before = await total()
  const rows = [HEAD, ...trial('A-1'), ...trial('A-2'), ...trial('A-3', { 6: 'GX' })]
  const bytes = await book(rows)
  const sent = await send(bytes)
  expect(sent.status).toBe(201)
  expect(sent.body.importacao).toMatchObject({
    estado: 'colunas',
    formato: 'xlsx',
    forma: 'longa',
    faltam: [],
    linha_titulos: 1,
  })
  expect(sent.body.importacao.mapa.filter(({ confianca }: { confianca: number }) => confianca < 0.8)).toEqual(
    [],
  )
  const { id } = sent.body.importacao
  const mapped = await call('PUT', `/api/imports/${id}/mapping`, { body: {} })
  expect(mapped.body.importacao).toMatchObject({
    estado: 'conferir',
    resumo: { linhas: 6, experimentos: 3, novos: 2, atualizar: 0, iguais: 0, com_erro: 1 },
  })
  const [wrong] = await rowsOf(id, '?estado=erro')
  expect(wrong).toMatchObject({ n: 3, linhas: [6, 7], estado: 'erro' })
  expect(wrong.problemas[0]).toMatchObject({
    linha: 7,
    coluna: 'G',
    celula: 'G7',
    titulo: 'UF',
    valor: 'GX',
    gravidade: 'erro',
  })

  const done = await commit(id)
  expect(done).toMatchObject({ estado: 'concluida', gravados: { criados: 2, atualizados: 0 } })
  expect(await total()).toBe(before + 2)

  // The one with an error stayed; once it is right it follows.
  const corrected = await call('PUT', `/api/imports/${id}/cells`, {
    body: { alteracoes: [{ linha: 7, coluna: 'G', valor: 'GO' }] },
  })
  expect(corrected.status, JSON.stringify(corrected.body)).toBe(200)
  expect(corrected.body.experimentos).toMatchObject([{ n: 3, estado: 'novo', problemas: [] }])
  expect((await commit(id)).gravados).toEqual({ criados: 3, atualizados: 0 })
  expect(await total()).toBe(before + 3)

  const same = await send(bytes)
  expect(same.status).toBe(200)
  expect(same.body.importacao.id).toBe(id)

  const again = await understood([HEAD, ...trial('A-1'), ...trial('A-2', { 16: 3400 }), ...trial('A-3')])
  expect(again.resumo).toMatchObject({ novos: 0, atualizar: 1, iguais: 2, com_erro: 0 })
  const [update] = await rowsOf(again.id, '?estado=atualizar')
  expect(update.mudancas).toEqual([{ campo: 'tratamentos.2.produtividade', antes: 3300.5, depois: 3400 }])
  const refused = await call('POST', `/api/imports/${again.id}/commit`, { body: { atualizar: false } })
  expect(refused).toMatchObject({
    status: 422,
    body: { code: 'import.nothing', detail: 'Não há nada para importar.' },
  })
  expect((await commit(again.id, { atualizar: true })).gravados).toEqual({ criados: 0, atualizados: 1 })
  const changed = await call('GET', `/api/experiments/${update.id}`)
  expect(changed.body.experimento.tratamentos[1].produtividade).toBe(3400)
  const history = await call('GET', `/api/experiments/${update.id}/history`)
  expect(JSON.stringify(history.body)).toContain('ensaios.xlsx')

  const undone = await call('POST', `/api/imports/${again.id}/undo`)
  expect(undone.body).toMatchObject({ importacao: { estado: 'desfeita' }, mantidos: [] })
  expect(
    (await call('GET', `/api/experiments/${update.id}`)).body.experimento.tratamentos[1].produtividade,
  ).toBe(3300.5)
  expect((await call('POST', `/api/imports/${again.id}/redo`)).body.importacao.estado).toBe('concluida')
  expect(
    (await call('GET', `/api/experiments/${update.id}`)).body.experimento.tratamentos[1].produtividade,
  ).toBe(3400)

  // What somebody changed since stays.
  const first = await call('POST', `/api/imports/${id}/undo`)
  expect(first.body.mantidos).toMatchObject([{ id: update.id }])
  expect(await total()).toBe(before + 1)
  expect((await call('POST', `/api/imports/${id}/redo`)).status).toBe(200)
  expect(await total()).toBe(before + 3)
})

test('without a code the same content is the same trial', async () => {
  person = await server.person()
  const bare = (rows: Cell[][]) => rows.map((row) => row.slice(1))
  const rows = [HEAD, ...trial('x', { 8: 'M 8372' }), ...trial('y')]
  const one = await understood(bare([HEAD, ...trial('x')]))
  expect(one.resumo).toMatchObject({ novos: 1 })
  await commit(one.id)
  const two = await understood(
    bare([HEAD, ...trial('x')]).map((row) => [...row, null]),
    { safra: 'colheita' },
  )
  expect(two.resumo).toMatchObject({ novos: 0, iguais: 1 })
  expect(rows).toHaveLength(5)
})

test('their own workbook comes back with a column that says what is wrong', async () => {
  person = await server.person()
  const mapped = await understood([HEAD, ...trial('B-1', { 16: null }), ...trial('B-2')])
  const { body } = await call('GET', `/api/imports/${mapped.id}/problems`)
  expect(body.problemas).toMatchObject([{ linha: 3, coluna: 'Q', mensagem: 'Produtividade é obrigatória' }])
  const answer = await fetch(`${server.url}/api/imports/${mapped.id}/problems?formato=xlsx`, {
    headers: { authorization: `Bearer ${person.token}` },
  })
  const { sheets } = await readXlsx(Buffer.from(await answer.arrayBuffer()))
  expect(sheets[0]?.rows[0]?.[17]).toBe('Problemas')
  expect(sheets[0]?.rows[2]?.[17]).toBe('Linha 3, coluna Q (Produtividade): Produtividade é obrigatória')
  expect(sheets[0]?.rows[1]?.[12]).toBe('Testemunha')
})

test.each(['xlsx', 'ods', 'csv'])(
  'the template as %s is read without a doubt, its examples are nobody’s',
  async (formato) => {
    person = await server.person()
    const answer = await fetch(`${server.url}/api/imports/template?formato=${formato}`, {
      headers: { authorization: `Bearer ${person.token}` },
    })
    expect(answer.status).toBe(200)
    const template = Buffer.from(await answer.arrayBuffer())
    const refusal = {
      status: 422,
      body: { code: 'import.empty', detail: 'A planilha não tem linhas com dados.' },
    }
    expect(await send(template, { name: `modelo.${formato}` })).toMatchObject(refusal)
  },
)

test('the template as ods has what the other has: headings that stay, hidden lists, drop-downs and checks', async () => {
  person = await server.person()
  const answer = await fetch(`${server.url}/api/imports/template?formato=ods`, {
    headers: { authorization: `Bearer ${person.token}` },
  })
  const bytes = new Uint8Array(await answer.arrayBuffer())
  expect(Buffer.from(bytes.subarray(30, 84)).toString()).toBe(
    'mimetypeapplication/vnd.oasis.opendocument.spreadsheet',
  )
  const parts = unzipSync(bytes)
  const read = (name: string) => new TextDecoder().decode(parts[name])
  const content = read('content.xml')
  expect(content).toMatch(/table:name="Listas" table:style-name="oculta"/)
  expect(read('settings.xml')).toMatch(/"Ensaios".*VerticalSplitPosition" config:type="int">1</)
  const checks = [...content.matchAll(/<table:content-validation .*?<\/table:content-validation>/g)].map(
    ([check]) => check,
  )
  const ofColumn = (title: string) =>
    checks.find((check) => check.includes(`<table:help-message table:title="${title}`))
  expect(ofColumn('Estado')).toMatch(/in-list\(\[\$Listas\.\$\w\$2:\.\$\w\$28\]\)/)
  expect(ofColumn('Estado')).toContain('Escolha um valor da lista.')
  expect(ofColumn('Teor de argila')).toContain('between(0,100)')
  expect(ofColumn('Consultoria')).toContain('(obrigatório)')
  // Each column has its own, down to the last row.
  const named = new Set(
    [...content.matchAll(/table:content-validation-name="(\w+)"/g)].map(([, name]) => name),
  )
  expect(named.size).toBe(checks.length)
  const rows = [...content.matchAll(/number-rows-repeated="(\d+)"/g)].map(([, n]) => Number(n))
  expect(rows.reduce((sum, n) => sum + n, 3)).toBe(5000)
})

test('the template filled in is read without a doubt, its examples are nobody’s', async () => {
  person = await server.person()
  const answer = await fetch(`${server.url}/api/imports/template`, {
    headers: { authorization: `Bearer ${person.token}` },
  })
  const { sheets } = await readXlsx(Buffer.from(await answer.arrayBuffer()))
  const rows = (sheets[0]?.rows ?? []) as Cell[][]
  const [head = [], example = [], second = []] = rows
  const filled = ['M-1', 'M-2', 'M-3'].flatMap((code) => [example.with(0, code), second.with(0, null)])
  const sent = await send(await book([head, example, second, ...filled]))
  const { importacao } = sent.body
  type Column = { campo: string | null; confianca: number }
  expect(importacao.mapa.filter(({ campo, confianca }: Column) => campo === null || confianca < 0.8)).toEqual(
    [],
  )
  expect(importacao).toMatchObject({ forma: 'longa', faltam: [] })
  const mapped = await call('PUT', `/api/imports/${importacao.id}/mapping`, { body: {} })
  expect(mapped.body.importacao.resumo).toMatchObject({ experimentos: 3, novos: 3, com_erro: 0, avisos: 0 })
})

test('plots make the trial, its means and its sheet', async () => {
  person = await server.person()
  const head = [...HEAD.slice(0, 14), 'Bloco', 'Produtividade (sc/ha)']
  const rows = [1, 2, 3].flatMap((block) =>
    ['Testemunha', 'Raiz'].map((name, at): Cell[] => [
      ...(trial('P-1')[0] as Cell[]).slice(0, 12),
      ...[name, 'Foliar', block, 50 + block + 5 * at],
    ]),
  )
  const mapped = await understood([head, ...rows])
  expect(mapped).toMatchObject({ forma: 'parcelas', resumo: { experimentos: 1, novos: 1 } })
  await commit(mapped.id)
  const [row] = await rowsOf(mapped.id)
  const { experimento } = (await call('GET', `/api/experiments/${row.id}`)).body
  expect(
    experimento.tratamentos.map(({ produtividade }: { produtividade: number }) => produtividade),
  ).toEqual([52 * 60, 57 * 60])
  const { ficha } = (await call('GET', `/api/experiments/${row.id}/plots`)).body
  expect(ficha).toMatchObject({ delineamento: 'DBC' })
  expect(ficha.parcelas).toHaveLength(6)
})

test('pasted text is a spreadsheet, and a model remembers its columns', async () => {
  person = await server.person()
  const titles = HEAD.with(16, 'Kg colhidos')
  const texto = [titles, ...trial('T-1')].map((row) => row.map((cell) => cell ?? '').join('\t')).join('\n')
  const sent = await call('POST', '/api/imports', { body: { texto } })
  expect(sent.status).toBe(201)
  expect(sent.body.importacao).toMatchObject({
    formato: 'texto',
    faltam: [{ campo: 'tratamento.produtividade' }],
  })
  const { id } = sent.body.importacao
  const mapped = await call('PUT', `/api/imports/${id}/mapping`, {
    body: { mapa: { Q: 'tratamento.produtividade' } },
  })
  expect(mapped.body.importacao).toMatchObject({ estado: 'conferir', resumo: { novos: 1 } })
  const mapa = Object.fromEntries(
    mapped.body.importacao.mapa.map(({ titulo, campo }: { titulo: string; campo: string | null }) => [
      titulo,
      campo,
    ]),
  )
  const saved = await call('POST', '/api/import-templates', {
    body: { nome: 'Da colheita', forma: 'longa', mapa, padroes: {} },
  })
  expect(saved.status).toBe(201)
  const next = await call('POST', '/api/imports', { body: { texto: texto.replaceAll('T-1', 'T-2') } })
  expect(next.body.importacao).toMatchObject({ modelo: { nome: 'Da colheita' }, faltam: [] })
})

test.each<[string, () => Promise<Uint8Array | string>, number, object]>([
  [
    'a PDF',
    async () => '%PDF-1.7\n',
    422,
    { code: 'import.invalid', detail: 'Isto é um relatório em PDF. Use a Extração Automática.' },
  ],
  [
    'an old workbook',
    async () => Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    422,
    { code: 'import.old_format', detail: 'O formato .xls antigo não é aceito. Salve como .xlsx.' },
  ],
  [
    'a broken archive',
    async () => (await book([HEAD])).subarray(0, 900),
    422,
    { code: 'import.invalid', detail: 'Este arquivo não é uma planilha que possa ser lida' },
  ],
  ['nothing', async () => '', 422, { code: 'import.empty' }],
  [
    'an empty sheet',
    () => book([]),
    422,
    { code: 'import.empty', detail: 'A planilha não tem linhas com dados.' },
  ],
  [
    'a quote without end',
    async () => 'Código;Cultura\nA;"Soja\nB;Milho\n',
    422,
    { code: 'import.invalid', detail: expect.stringContaining('linha 2') },
  ],
])('%s is refused in words, and leaves nothing', async (_name, bytes, status, body) => {
  person = await server.person()
  expect(await send(await bytes())).toMatchObject({ status, body })
  expect((await call('GET', '/api/imports')).body.importacoes).toEqual([])
})

test('nobody else of the organisation but who leads it sees an import', async () => {
  const maker = await server.person()
  const other = await server.person()
  person = maker
  const mapped = await understood([HEAD, ...trial('N-1')])
  person = other
  expect(await call('GET', `/api/imports/${mapped.id}`)).toMatchObject({
    status: 404,
    body: { code: 'import.not_found' },
  })
  expect((await call('GET', '/api/imports')).body.importacoes).toEqual([])
})

test('sheets of treatments, products and analyses are one trial, each title in the sense of its sheet', async () => {
  const head = HEAD.slice(0, 12)
  const own = trial('FO1')[0]?.slice(0, 12) ?? []
  const sheets: [string, Cell[][]][] = [
    ['Experimentos', [head, own]],
    [
      'Tratamentos',
      [
        ['Código', 'Tratamento', 'Modalidade', 'Produtividade'],
        ['FO1', 'T1', 'Controle', 3000],
        ['FO1', 'T2', 'Foliar', 3300],
      ],
    ],
    [
      'Produtos',
      [
        ['Código', 'Tratamento', 'Nome', 'Dose', 'Unidade', 'Valor'],
        ['FO1', 'T2', 'Nutrivia Raiz', 2, 'L/ha', 45],
        ['FO1', 'T7', 'Nutrivia Raiz', 2, 'L/ha', 45],
      ],
    ],
    [
      'Análises',
      [
        ['Código', 'Tratamento', 'Nome', 'Valor', 'Unidade'],
        ['FO1', 'T2', 'Altura', 80, 'cm'],
      ],
    ],
  ]
  const sent = await send(
    Buffer.from(await writeXlsx({ sheets: sheets.map(([name, rows]) => ({ name, rows })) })),
  )
  const { id } = await settled(sent.body.importacao.id)
  await call('PUT', `/api/imports/${id}/mapping`, { body: {} })
  const [found] = await rowsOf(id)
  expect(found.dados.tratamentos[1]).toMatchObject({
    custo: null,
    produtos_aplicados: [{ nome: 'Nutrivia Raiz', dose: 2, unidade: 'L/ha', custo: 45 }],
    analises_adicionais: [{ nome: 'Altura', valor: 80, unidade: 'cm' }],
  })
  // What is wrong with a treatment that the sheet of products alone names stands there, once.
  expect(found.problemas).toMatchObject([
    {
      ...{ folha: 'Produtos', celula: 'B3', titulo: 'Tratamento', valor: 'T7', gravidade: 'erro' },
      mensagem: 'Este tratamento não está na folha “Tratamentos”',
    },
  ])
})

test('rows whose trial is in no row of the sheet of trials are wrong where they stand, and nowhere else', async () => {
  const sent = await send(
    Buffer.from(
      await writeXlsx({
        sheets: [
          { name: 'Experimentos', rows: [HEAD.slice(0, 12), trial('FA')[0]?.slice(0, 12) ?? []] },
          {
            name: 'Tratamentos',
            rows: [
              ['Código', 'Tratamento', 'Modalidade', 'Produtividade'],
              ['FB', 'T1', 'Controle', 3000],
              ['FA', 'T1', 'Controle', 3000],
              ['FA', 'T2', 'Foliar', 3300],
            ],
          },
        ],
      }),
    ),
  )
  const { id } = await settled(sent.body.importacao.id)
  const mapped = await call('PUT', `/api/imports/${id}/mapping`, { body: {} })
  expect(mapped.body.importacao.resumo).toMatchObject({ experimentos: 2, novos: 1, com_erro: 1 })
  const [wrong] = await rowsOf(id, '?estado=erro')
  expect(wrong.problemas).toMatchObject([
    {
      ...{ folha: 'Tratamentos', linha: 2, coluna: 'A', celula: 'A2', titulo: 'Código', valor: 'FB' },
      mensagem: '“FB” não está na folha “Experimentos”',
    },
  ])
  // Where sheets are joined a letter alone names no column.
  const bare = await call('PUT', `/api/imports/${id}/cells`, {
    body: { alteracoes: [{ linha: 2, coluna: 'A', valor: 'FA' }] },
  })
  expect(bare.status).toBe(422)
  const put = await call('PUT', `/api/imports/${id}/cells`, {
    body: { alteracoes: [{ folha: 'Tratamentos', linha: 2, coluna: 'C', valor: 'Foliar' }] },
  })
  expect(put.status, JSON.stringify(put.body)).toBe(200)
  expect(put.body.experimentos).toMatchObject([{ n: wrong.n }])
})

test('a file of one treatment updates that one, and leaves the control', async () => {
  await commit((await understood([HEAD, ...trial('V-1')])).id)
  const update = async (name: string, value: number) => {
    const mapped = await understood([
      ['Código', 'Cultivar', 'Tratamento', 'Produtividade'],
      ['V-1', 'NS 7709', name, value],
    ])
    expect(mapped.resumo).toMatchObject({ novos: 0, atualizar: 1, avisos: 0 })
    const [row] = await rowsOf(mapped.id, '?estado=atualizar')
    return row
  }
  expect((await update('Raiz', 4000)).mudancas).toEqual([
    { campo: 'tratamentos.2.produtividade', antes: 3300.5, depois: 4000 },
  ])
  expect((await update('T2', 4100)).mudancas).toEqual([
    { campo: 'tratamentos.2.produtividade', antes: 3300.5, depois: 4100 },
  ])
  expect((await update('Controle', 2900)).mudancas).toEqual([
    { campo: 'tratamentos.1.produtividade', antes: 3000, depois: 2900 },
  ])
})

test('the same trial without a code, brought by two at once, is made once; redone beside it, it stays away', async () => {
  const bare = [HEAD, ...trial('x', { 8: 'Gêmea' })]
    .map((row) => row.slice(1))
    .map((row) => row.map((cell) => (cell === 'NS 7709' ? 'Gêmea' : cell)))
  const ids: string[] = []
  for (let time = 0; time < 2; time++) {
    const sent = await send(await book(bare), { again: true })
    const { id } = await settled(sent.body.importacao.id)
    const mapped = await call('PUT', `/api/imports/${id}/mapping`, { body: {} })
    expect(mapped.body.importacao.resumo).toMatchObject({ novos: 1 })
    ids.push(id)
  }
  const before = await total()
  await Promise.all(ids.map((id) => commit(id)))
  expect(await total()).toBe(before + 1)
  const made = (await Promise.all(ids.map((id) => rowsOf(id)))).flat()
  expect(made.map(({ estado, gravado }: Record<string, unknown>) => [estado, gravado]).sort()).toEqual([
    ['igual', false],
    ['novo', true],
  ])
  const first = ids[made.findIndex(({ gravado }: Record<string, unknown>) => gravado === true)] ?? ''
  expect((await call('POST', `/api/imports/${first}/undo`)).status).toBe(200)
  const third = await send(await book(bare), { again: true })
  const { id } = await settled(third.body.importacao.id)
  await call('PUT', `/api/imports/${id}/mapping`, { body: {} })
  await commit(id)
  expect(await total()).toBe(before + 1)
  const redone = await call('POST', `/api/imports/${first}/redo`)
  expect(redone.body.mantidos).toHaveLength(1)
  expect(await total()).toBe(before + 1)
})

test('plots of a trial that is there are updated, told before, and taken back', async () => {
  person = await server.person()
  const head = [...HEAD.slice(0, 14), 'Bloco', 'Produtividade']
  const rows = (over: Record<string, number> = {}) =>
    [1, 2, 3].flatMap((block) =>
      ['Testemunha', 'Raiz'].map((name, at): Cell[] => [
        ...(trial('PL-1')[0] as Cell[]).slice(0, 12),
        ...[name, 'Foliar', block, over[`${name} ${block}`] ?? 3000 + 10 * block + 100 * at],
      ]),
    )
  const plotsOf = async (id: string) => (await call('GET', `/api/experiments/${id}/plots`)).body.ficha
  const made = await understood([head, ...rows()])
  await commit(made.id)
  const [{ id }] = await rowsOf(made.id)

  const wrong = await understood([head, ...rows({ 'Raiz 2': -1 })])
  expect(wrong.resumo).toMatchObject({ atualizar: 0, com_erro: 1 })
  expect((await rowsOf(wrong.id))[0].problemas).toMatchObject([
    { linha: 5, coluna: 'P', celula: 'P5', titulo: 'Produtividade', gravidade: 'erro' },
  ])

  // Of one plot alone: its mean is that of all plots.
  const part = [head, ...rows({ 'Raiz 3': 3430 }).slice(-1)]
  const changed = await understood(part)
  expect(changed.resumo).toMatchObject({ atualizar: 1 })
  expect((await rowsOf(changed.id))[0].mudancas).toEqual([
    { campo: 'tratamentos.2.produtividade', antes: 3120, depois: 3220 },
    { campo: 'parcelas.6.Produtividade', antes: 3130, depois: 3430 },
  ])
  expect(await commit(changed.id, { atualizar: true })).toMatchObject({ gravados: { atualizados: 1 } })
  const yields = async () =>
    (await call('GET', `/api/experiments/${id}`)).body.experimento.tratamentos.map(
      ({ produtividade }: { produtividade: number }) => produtividade,
    )
  expect(await yields()).toEqual([3020, 3220])
  expect((await plotsOf(id)).valores[0].valores).toEqual([3010, 3110, 3020, 3120, 3030, 3430])
  const again = await send(await book(part), { again: true })
  await settled(again.body.importacao.id)
  const same = await call('PUT', `/api/imports/${again.body.importacao.id}/mapping`, { body: {} })
  expect(same.body.importacao.resumo).toMatchObject({ iguais: 1, atualizar: 0 })

  const undone = await call('POST', `/api/imports/${changed.id}/undo`)
  expect(undone.body.mantidos).toEqual([])
  expect(await yields()).toEqual([3020, 3120])
  expect((await plotsOf(id)).valores[0].valores).toEqual([3010, 3110, 3020, 3120, 3030, 3130])
  expect((await call('POST', `/api/imports/${changed.id}/redo`)).body.mantidos).toEqual([])
  expect(await yields()).toEqual([3020, 3220])

  // What came to its plots since stays, whatever it moves.
  const sheet = await plotsOf(id)
  const more = { ...sheet.variaveis[0], id: undefined, chave: 'altura', nome: 'Altura', unidade: 'cm' }
  const put = await call('PUT', `/api/experiments/${id}/plots`, {
    body: {
      ...sheet,
      variaveis: [...sheet.variaveis, { ...more, produtividade: false }],
      valores: [...sheet.valores, { variavel: 'altura', avaliacao: null, valores: [77, 78, 79, 80, 81, 82] }],
    },
  })
  expect(put.status, JSON.stringify(put.body)).toBe(200)
  for (const one of [changed.id, made.id])
    expect((await call('POST', `/api/imports/${one}/undo`)).body.mantidos).toMatchObject([{ id }])
  expect((await plotsOf(id)).valores[1].valores).toEqual([77, 78, 79, 80, 81, 82])
})

test('the first plots of a trial of typed means go again, and what was typed stands; a treatment goes with its plots', async () => {
  person = await server.person()
  await commit((await understood([HEAD, ...trial('PL-2')])).id)
  const head = [...HEAD.slice(0, 14), 'Produto', 'Dose', 'Bloco', 'Produtividade']
  const names: Cell[][] = [
    ['Testemunha', 'Controle', null, null],
    ['Raiz', 'Foliar', 'Nutrivia Raiz', '300 mL/ha'],
    ['Controle químico', 'Foliar', 'Fungil', '1 L/ha'],
  ]
  const rows = [1, 2].flatMap((block) =>
    names.map((of, at): Cell[] => [
      ...[...(trial('PL-2')[0] as Cell[]).slice(0, 12), ...of],
      ...[block, 4000 + 100 * at + block],
    ]),
  )
  const planted = await understood([head, ...rows])
  expect(planted.resumo).toMatchObject({ atualizar: 1, com_erro: 0 })
  const [{ id, mudancas }] = await rowsOf(planted.id)
  expect(mudancas.map(({ campo }: { campo: string }) => campo)).toContain('tratamentos.3')
  expect(await commit(planted.id, { atualizar: true })).toMatchObject({ gravados: { atualizados: 1 } })
  const now = async () =>
    (await call('GET', `/api/experiments/${id}`)).body.experimento.tratamentos.map(
      ({ nome, produtividade }: { nome: string; produtividade: number }) => [nome, produtividade],
    )
  expect(await now()).toEqual([
    ['Testemunha', 4001.5],
    ['Raiz', 4101.5],
    ['Controle químico', 4201.5],
  ])
  expect((await call('POST', `/api/imports/${planted.id}/undo`)).body.mantidos).toEqual([])
  expect(await now()).toEqual([
    ['Testemunha', 3000],
    ['Raiz', 3300.5],
  ])
  expect((await call('GET', `/api/experiments/${id}/plots`)).status).toBe(404)
  expect((await call('POST', `/api/imports/${planted.id}/redo`)).body.mantidos).toEqual([])
  expect(await now()).toHaveLength(3)
  // Without plots again by hand, what was typed comes back, too.
  expect((await call('DELETE', `/api/experiments/${id}/plots`)).status).toBe(204)
  expect((await now()).slice(0, 2)).toEqual([
    ['Testemunha', 3000],
    ['Raiz', 3300.5],
  ])
})

test('a value for all rows is held against its field', async () => {
  const sent = await send(await book([HEAD, ...trial('P-1')]))
  const put = (padroes: object) =>
    call('PUT', `/api/imports/${sent.body.importacao.id}/mapping`, { body: { padroes } })
  for (const [padroes, path] of [
    [{ bu: 'BU9' }, 'padroes.bu'],
    [{ estado: 'XX' }, 'padroes.estado'],
    [{ foo: 'x' }, 'padroes.foo'],
    [{ ano: '1999' }, 'padroes.ano'],
  ] as const) {
    const { status, body } = await put(padroes)
    expect([status, body.errors?.[0]?.path ?? body.fields?.[0]?.path]).toEqual([422, path])
  }
  expect((await put({ bu: 'Nutrição', estado: 'Goiás', cultura: '' })).status).toBe(200)
})

test('the full export comes back unchanged, and what was changed in it updates by its ID', async () => {
  person = await server.person()
  const input = experimentInput({ codigo: `Z-${Date.now()}` })
  const [control, other] = input.tratamentos
  if (!control || !other) throw new Error('two treatments are wanted')
  const rich = {
    ...input,
    tratamentos: [
      control,
      {
        ...other,
        produtividade: 3333.25,
        produtos_aplicados: [
          { nome: 'Amino Boro', dose: 1.5, unidade: 'L/ha' as const, custo: 30 },
          { nome: '=1+2', dose: null, unidade: null, custo: null },
        ],
        analises_adicionais: [
          { nome: 'Altura de plantas', valor: 80.5, unidade: 'cm' },
          { nome: 'Altura de plantas', valor: 95, unidade: 'cm' },
          { nome: 'Nota', valor: -3, unidade: '' },
          { nome: 'NDVI', valor: 0.7, unidade: 'índice NDVI' },
        ],
      },
      // Alike in everything, alike in name, and called as what is no name elsewhere.
      { ...other, nome: 'Igual', produtividade: 3400 },
      { ...other, nome: 'Igual', produtividade: 3400 },
      { ...other, nome: 'Igual', produtividade: 3500 },
      { ...other, nome: 'ND' },
      { ...other, nome: 'Média' },
      { ...other, nome: '2' },
      { ...other, nome: 'Testemunha' },
    ],
  }
  const made = await call('POST', '/api/experiments', { body: rich })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const answer = await fetch(
    `${server.url}/api/experiments/export?formato=xlsx&conteudo=completo&consultoria=${encodeURIComponent(input.consultoria)}`,
    { headers: { authorization: `Bearer ${person.token}` } },
  )
  const bytes = Buffer.from(await answer.arrayBuffer())
  const sent = await send(bytes, { name: 'completo.xlsx' })
  type Column = { campo: string | null; confianca: number; titulo: string }
  expect(
    sent.body.importacao.mapa.filter(({ campo, confianca }: Column) => campo === null || confianca < 0.8),
  ).toEqual([])
  const path = `/api/imports/${sent.body.importacao.id}`
  const mapped = await call('PUT', `${path}/mapping`, { body: {} })
  const rows = (await call('GET', `${path}/rows`)).body.experimentos
  const own = rows.find(({ id }: { id: string }) => id === made.body.experimento.id)
  expect(own).toMatchObject({ estado: 'igual', mudancas: [], problemas: [] })
  expect(mapped.body.importacao.resumo).toMatchObject({ novos: 0, com_erro: 0 })

  const changed = await call('PUT', `${path}/cells`, {
    body: {
      alteracoes: [
        { linha: own.linhas[0], coluna: cellOf(sent.body.importacao.mapa, 'cultivar'), valor: 'Outra' },
      ],
    },
  })
  expect(changed.body.experimentos).toMatchObject([
    { estado: 'atualizar', mudancas: [{ campo: 'cultivar', antes: input.cultivar, depois: 'Outra' }] },
  ])
})

const cellOf = (mapa: { campo: string | null; coluna: string }[], field: string) =>
  mapa.find(({ campo }) => campo === field)?.coluna ?? ''

test('rows of one trial that are put right together change nothing but what was named', async () => {
  const { body } = await send(await book([HEAD, ...trial('M-1', { 6: 'GX' }), ...trial('M-2')]))
  const { id } = await settled(body.importacao.id)
  await call('PUT', `/api/imports/${id}/mapping`, { body: {} })
  const cells = (alteracoes: object[], more = {}) =>
    call('PUT', `/api/imports/${id}/cells`, { body: { alteracoes, ...more } })
  const before = (await rowsOf(id))[0].celulas
  const both = [2, 3].map((linha) => ({ linha, coluna: 'G', valor: 'GO' }))
  expect((await cells([...both, ...both], { iguais: true })).status).toBe(200)
  const [own] = await rowsOf(id)
  expect(own).toMatchObject({ estado: 'novo', problemas: [] })
  expect(own.celulas).toEqual(
    before.map((row: { valores: object }) => ({ ...row, valores: { ...row.valores, G: 'GO' } })),
  )
})

test('a cover in front is not the sheet of trials, however few its rows', async () => {
  const covers = [[['Relatório']], [['Ensaios 2024'], ['Cultura'], ['Escola do Campo']]]
  for (const [n, cover] of covers.entries()) {
    const sheets = [
      { name: 'Capa', rows: cover },
      { name: 'Dados', rows: [HEAD, ...trial(`C-${n}`)] },
      {
        name: 'Listas',
        rows: [
          ['Cultura', 'UF'],
          ['Soja', 'GO'],
          ['Milho', 'MT'],
        ],
      },
    ]
    const sent = await send(Buffer.from(await writeXlsx({ sheets })))
    expect(sent.status, JSON.stringify(sent.body)).toBe(201)
    expect(await settled(sent.body.importacao.id)).toMatchObject({ folha: 'Dados', faltam: [] })
    const path = `/api/imports/${sent.body.importacao.id}/mapping`
    expect((await call('PUT', path, { body: { folha: 'Capas' } })).body.fields).toEqual([
      { path: 'folha', message: 'Esta folha não está na planilha' },
    ])
  }
})

test('what was undone comes back but for codes that another trial has by now', async () => {
  const { body } = await send(await book([HEAD, ...trial('R-1'), ...trial('R-2')]))
  const { id } = await settled(body.importacao.id)
  await call('PUT', `/api/imports/${id}/mapping`, { body: {} })
  await commit(id)
  expect((await call('POST', `/api/imports/${id}/undo`)).status).toBe(200)
  const other = await call('POST', '/api/experiments', { body: { ...experimentInput(), codigo: 'R-1' } })
  expect(other.status, JSON.stringify(other.body)).toBe(201)
  const before = await total()
  const redone = await call('POST', `/api/imports/${id}/redo`)
  expect(redone.status, JSON.stringify(redone.body)).toBe(200)
  expect(redone.body.mantidos).toMatchObject([{ id: other.body.experimento.id }])
  expect(await total()).toBe(before + 1)
})

test('a code that came meanwhile is told at its cell', async () => {
  const { body } = await send(await book([HEAD, ...trial('S-1'), ...trial('S-2')]))
  const { id } = await settled(body.importacao.id)
  await call('PUT', `/api/imports/${id}/mapping`, { body: {} })
  await call('POST', '/api/experiments', { body: { ...experimentInput(), codigo: 'S-2' } })
  expect(await commit(id)).toMatchObject({ gravados: { criados: 1 } })
  const [refused] = await rowsOf(id, '?estado=erro')
  expect(refused.problemas).toMatchObject([
    { linha: 4, celula: 'A4', titulo: 'Código', mensagem: 'Já existe um experimento com este código' },
  ])
})

test('a sheet of codes and what is to change updates, and changes nothing else', async () => {
  const first = await understood([HEAD, ...trial('U-1'), ...trial('U-2')])
  await commit(first.id)
  const sent = await send(
    await book([
      ['Código', 'Cultivar', 'Teor de argila (%)'],
      ['U-1', 'Outra', 41],
      ['U-2', null, 35],
    ]),
  )
  const { id } = await settled(sent.body.importacao.id)
  const mapped = await call('PUT', `/api/imports/${id}/mapping`, { body: {} })
  expect(mapped.body.importacao).toMatchObject({
    ...{ estado: 'conferir', faltam: [] },
    resumo: { novos: 0, atualizar: 2, com_erro: 0 },
  })
  const [one, two] = await rowsOf(id, '?estado=atualizar')
  expect(one.mudancas.map(({ campo }: { campo: string }) => campo)).toEqual(['cultivar', 'teor_argila'])
  expect(two.mudancas.map(({ campo }: { campo: string }) => campo)).toEqual(['teor_argila'])
  const unknown = await send(
    await book([
      ['Código', 'Cultivar'],
      ['U-1', 'Outra'],
      ['U-9', 'Nova'],
    ]),
  )
  expect((await settled(unknown.body.importacao.id)).faltam).not.toEqual([])
})

test('rows pasted without titles lose none of them: columns are told by what stands in them, the rest is chosen', async () => {
  const rows = trial('SEM-1')
  const texto = rows.map((row) => row.map((cell) => cell ?? '').join('\t')).join('\n')
  const sent = await call('POST', '/api/imports', { body: { texto } })
  const { importacao } = sent.body
  expect(importacao).toMatchObject({ estado: 'colunas', linha_titulos: 0 })
  const told = Object.fromEntries(
    importacao.mapa.map(({ coluna, titulo, campo }: Record<string, string | null>) => [
      coluna,
      { titulo, campo },
    ]),
  )
  expect(told).toMatchObject({
    A: { titulo: 'Coluna A', campo: null },
    D: { campo: 'bu' },
    G: { titulo: 'Coluna G', campo: 'estado' },
    H: { campo: 'cultura' },
    M: { campo: 'tratamento.nome' },
    N: { campo: 'tratamento.modalidade' },
  })
  const fields = [
    'codigo',
    'consultoria',
    'marca',
    'bu',
    'regional',
    'cidade',
    'estado',
    'cultura',
    'cultivar',
  ]
  const rest = ['ano', 'tipo_estatistica', 'custo_protocolo', 'tratamento.nome', 'tratamento.modalidade']
  const mapa = Object.fromEntries(
    [...fields, ...rest, 'produto.nome', 'produto.dose', 'tratamento.produtividade'].map((campo, at) => [
      String.fromCharCode(65 + at),
      campo,
    ]),
  )
  const mapped = await call('PUT', `/api/imports/${importacao.id}/mapping`, { body: { mapa } })
  expect(mapped.body.importacao).toMatchObject({
    estado: 'conferir',
    resumo: { linhas: 2, experimentos: 1, novos: 1 },
  })
  // Whoever says that the first row holds titles is believed, and may take it back.
  const one = await call('PUT', `/api/imports/${importacao.id}/mapping`, { body: { linha_titulos: 1 } })
  expect(one.body.importacao).toMatchObject({ estado: 'colunas', linha_titulos: 1 })
  const back = await call('PUT', `/api/imports/${importacao.id}/mapping`, {
    body: { linha_titulos: 0, mapa },
  })
  expect(back.body.importacao).toMatchObject({ linha_titulos: 0, resumo: { linhas: 2 } })
  const file = await fetch(`${server.url}/api/imports/${importacao.id}/problems?formato=xlsx`, {
    headers: { authorization: `Bearer ${person.token}` },
  })
  const { sheets } = await readXlsx(new Uint8Array(await file.arrayBuffer()))
  expect(sheets[0]?.rows.map((row) => row[0])).toEqual(['SEM-1', 'SEM-1'])
})

test('a hidden column is read as the rest and said once; ignored it is none, and comes back', async () => {
  const columns = HEAD.map((title) => ({ width: 12, ...(title === 'Cultivar' && { hidden: true }) }))
  const sent = await send(await book([HEAD, ...trial('OC-1')], { columns }))
  const { id, notas, mapa } = await settled(sent.body.importacao.id)
  expect(notas).toEqual(['1 coluna oculta foi incluída'])
  const titled = (all: { titulo: string }[]) => all.map(({ titulo }) => titulo)
  expect(titled(mapa)).toContain('Cultivar')
  const change = async (ignorar_ocultas: boolean) =>
    (await call('PUT', `/api/imports/${id}/mapping`, { body: { ignorar_ocultas } })).body.importacao
  const without = await change(true)
  expect(titled(without.mapa)).not.toContain('Cultivar')
  expect([without.notas, without.faltam.map(({ campo }: { campo: string }) => campo)]).toEqual([
    ['1 coluna oculta foi ignorada'],
    ['cultivar'],
  ])
  const back = await change(false)
  expect([back.notas, titled(back.mapa).includes('Cultivar'), back.faltam]).toEqual([
    ['1 coluna oculta foi incluída'],
    true,
    [],
  ])
})
