import { writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { form, startTestServer, type TestServer } from '../../test-server.ts'
import { type Asking, asking, meanOf, refusal, sheet, treatments, variable, YIELDS } from './test-trials.ts'

let server: TestServer
let of: Asking
beforeAll(async () => {
  server = await startTestServer()
  of = asking(server, await server.person())
})
afterAll(() => server.stop())

type Rows = (string | number | null)[][]
const bring = (
  id: string,
  file: string | Uint8Array,
  parts: Record<string, string> = {},
  name = 'parcelas.csv',
) =>
  of.call(
    'POST',
    `/api/experiments/${id}/plots/import`,
    form({ ...parts, arquivo: new Blob([file as never]) }, name),
  )
const write = (id: string, file: string | Uint8Array, parts = {}) =>
  bring(id, file, { gravar: '1', ...parts })
const xlsx = (rows: Rows, name = 'Plan1') => writeXlsx({ sheets: [{ name, rows }] })
const csv = (rows: Rows, sign = ';') =>
  rows.map((row) => row.map((cell) => cell ?? '').join(sign)).join('\r\n')
const problemsOf = (body: { erros: { linha: number; coluna: string; mensagem: string }[] }) =>
  body.erros.map(({ linha, coluna, mensagem }) => `${linha} ${coluna}: ${mensagem}`)

const PLOTS = sheet().parcelas
const WIDE: Rows = [
  ['Parcela', 'Bloco', 'Tratamento', 'Produtividade (kg/ha)', 'Severidade (%) – 14 DAA'],
  ...PLOTS.map(({ numero, bloco, tratamento }, at) => [
    numero,
    bloco,
    `T${tratamento}`,
    Number(YIELDS[at]),
    at + 0.5,
  ]),
]
const comma = (rows: Rows): Rows =>
  rows.map((row) => row.map((cell) => (typeof cell === 'number' ? String(cell).replace('.', ',') : cell)))
const LONG: Rows = [
  ['Rep', 'Trat.', 'Variável', 'Época', 'Valor'],
  ...PLOTS.flatMap(
    ({ bloco, tratamento }, at): Rows => [
      [bloco, tratamento, 'Produtividade (kg/ha)', null, Number(YIELDS[at])],
      [bloco, tratamento, 'Altura (cm)', '30 DAA', 80 + at],
      [bloco, tratamento, 'Altura (cm)', '30 DAA', 82 + at],
    ],
  ),
]

async function expectWide(id: string) {
  const ficha = await of.ficha(id)
  expect(ficha.delineamento).toBe('DBC')
  expect(ficha.parcelas.map(({ numero }: { numero: number }) => numero)).toEqual(
    PLOTS.map(({ numero }) => numero),
  )
  expect(ficha.variaveis).toMatchObject([
    { nome: 'Produtividade', unidade: 'kg/ha', produtividade: true },
    { nome: 'Severidade', unidade: '%', tipo: 'percentual' },
  ])
  expect(ficha.avaliacoes).toMatchObject([{ nome: '14 DAA', daa: 14 }])
  expect(ficha.valores.map(({ valores }: { valores: unknown[] }) => valores)).toEqual([
    YIELDS,
    YIELDS.map((_, at) => at + 0.5),
  ])
  const { tratamentos } = await of.experiment(id)
  expect(tratamentos[1].produtividade).toBe(meanOf(2))
}

describe('a table one row a plot', () => {
  test.each([
    ['semicolons and decimal commas', csv(comma(WIDE))],
    ['a byte order mark', `\ufeff${csv(comma(WIDE))}`],
    ['tabs', csv(comma(WIDE), '\t')],
    ['commas and decimal dots', csv(WIDE, ',')],
    ['a separator that it names itself', `sep=;\r\n${csv(comma(WIDE))}`],
    [
      'Latin-1',
      Buffer.from(csv(comma(WIDE)).replace('–', '-').replace('Parcela', 'Nº da parcela'), 'latin1'),
    ],
  ])('is read with %s', async (_what, file) => {
    const id = await of.trial()
    const answer = await write(id, file)
    expect(answer.status, JSON.stringify(answer.body).slice(0, 400)).toBe(200)
    expect(answer.body).toMatchObject({ versao: 1, erros: [] })
    await expectWide(id)
  })

  test('is read of a workbook, of the first sheet or the one that is chosen', async () => {
    const id = await of.trial()
    const book = await writeXlsx({
      sheets: [
        {
          name: 'Leia-me',
          rows: [
            ['Parcela', 'Tratamento'],
            ['x', 'y'],
          ],
        },
        { name: 'Dados', rows: WIDE },
        { name: 'Longa', rows: Array.from({ length: 20_002 }, () => [1]) },
      ],
    })
    const first = await bring(id, book)
    expect(first.body.abas).toEqual(['Leia-me', 'Dados', 'Longa'])
    expect(first.body.erros.length).toBeGreaterThan(0)
    expect((await write(id, book, { aba: 'Dados' })).status).toBe(200)
    await expectWide(id)
    expect(refusal(await bring(id, book, { aba: 'Outra' }))).toMatchObject({ code: 'import.unreadable' })
    expect(refusal(await bring(id, book, { aba: 'Longa' }))).toMatchObject({ code: 'import.too_large' })
  })

  test('is only looked at unless it is to be written: 20 rows, what each column is, and the sheet', async () => {
    const id = await of.trial()
    const { status, body } = await bring(id, csv(comma(WIDE)))
    expect(status).toBe(200)
    expect(body.previa).toHaveLength(13)
    expect(body.previa[1]).toEqual(['101', '1', 'T1', '3010', '0,5'])
    expect(body.mapa.colunas.map(({ papel }: { papel: string }) => papel)).toEqual([
      ...['parcela', 'bloco', 'tratamento', 'medida', 'medida'],
    ])
    expect(body.ficha.parcelas).toHaveLength(12)
    expect(body.versao).toBe(null)
    expect((await of.call('GET', `/api/experiments/${id}/plots`)).status).toBe(404)
  })

  test('with columns that a person says otherwise', async () => {
    const id = await of.trial()
    const rows: Rows = [
      ['A', 'B', 'C', 'D'],
      ...PLOTS.map((plot, at) => [plot.tratamento, plot.bloco, at, 'x']),
    ]
    const column = (coluna: string, papel: string, more = {}) => ({ coluna, papel, ...more })
    const mapa = JSON.stringify({
      forma: 'larga',
      colunas: [
        column('A', 'tratamento'),
        column('B', 'bloco'),
        column('C', 'medida', { variavel: 'Plantas', unidade: 'n' }),
        column('D', 'ignorar'),
      ],
    })
    const answer = await write(id, csv(rows), { mapa })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    expect((await of.ficha(id)).variaveis).toMatchObject([{ nome: 'Plantas', unidade: 'n' }])
    for (const wrong of [
      '{',
      '[]',
      '{"forma":"x","colunas":[]}',
      `{"forma":"larga","colunas":[${'{},'.repeat(300)}{}]}`,
    ])
      expect([400, 422]).toContain((await write(id, csv(rows), { mapa: wrong })).status)
  })

  test('what is lost is written in many ways, and sub-samples in one cell', async () => {
    const id = await of.trial()
    const lost = ['', '-', 'NA', '.', 'perdida', 'n/a', '–']
    const rows = comma(WIDE).map((row, at) =>
      at > 0 && lost[at - 1] !== undefined ? [...row.slice(0, 3), lost[at - 1] ?? '', row[4] ?? ''] : row,
    )
    rows[12] = [403, 4, 'T3', '"5,1; 4,8; 5,3"', '1']
    await of.done(write(id, csv(rows)))
    const [{ valores }] = (await of.ficha(id)).valores
    expect(valores).toEqual([...lost.map(() => null), ...YIELDS.slice(7, 11), [5.1, 4.8, 5.3]])
  })
})

test('a table one row a value is the same, and rows of one plot are its sub-samples', async () => {
  const id = await of.trial()
  await of.done(write(id, csv(comma(LONG))))
  const ficha = await of.ficha(id)
  expect(
    ficha.parcelas.map(({ bloco, tratamento }: { bloco: number; tratamento: number }) => [bloco, tratamento]),
  ).toEqual(PLOTS.map(({ bloco, tratamento }) => [bloco, tratamento]))
  expect(ficha.valores).toEqual([
    { variavel: 'produtividade', avaliacao: null, valores: YIELDS },
    { variavel: 'altura', avaliacao: '30_daa', valores: YIELDS.map((_, at) => [80 + at, 82 + at]) },
  ])
  const { analise } = (await of.analysis(id, '?variavel=altura')).body
  expect(analise.n).toMatchObject({ parcelas: 12, validas: 12 })
})

describe('what is wrong is told all at once, and nothing is written', () => {
  test('two rows with problems, by line, column and sentence', async () => {
    const id = await of.trial()
    const rows = comma(WIDE)
    rows[2] = ['102', '1', 'T9', 'abc', '3']
    rows[5] = ['202', '2', 'T2', '33o0', '140']
    const answer = await write(id, csv([...rows.slice(0, 4), [], ...rows.slice(4)]))
    expect(refusal(answer)).toEqual({
      status: 422,
      code: 'import.rows',
      detail: 'Há 2 linhas com problema; nada foi gravado',
    })
    expect(problemsOf(answer.body)).toEqual([
      '3 Tratamento: Tratamento desconhecido: “T9”',
      '7 Produtividade (kg/ha): Não é um número: “33o0”',
      '7 Severidade (%) – 14 DAA: Valor fora do intervalo: informe de 0 a 100',
    ])
    expect((await of.call('GET', `/api/experiments/${id}/plots`)).status).toBe(404)
    const looked = await bring(id, csv(rows))
    expect(looked.status).toBe(200)
    expect(looked.body.erros).toHaveLength(3)
  })

  test('in what the trial has already: another treatment or block of a plot, a plot twice', async () => {
    const id = await of.planted()
    const rows: Rows = [
      ['Parcela', 'Bloco', 'Trat', 'Altura (cm)'],
      [101, 1, 'T2', 1],
      [102, 3, 'T2', 1],
      [103, 1, 'T3', 1],
      [103, 1, 'T3', 2],
    ]
    const answer = await write(id, csv(rows))
    expect(problemsOf(answer.body)).toEqual([
      '2 Trat: A parcela 101 é do tratamento T1',
      '3 Bloco: A parcela 102 é do bloco 1',
      '5 Altura (cm): Esta parcela está repetida',
    ])
    expect((await of.ficha(id)).versao).toBe(1)
  })

  test('rows, columns, areas and blocks that are no numbers', async () => {
    const id = await of.trial()
    const rows: Rows = [
      ['Parcela', 'Bloco', 'Trat', 'Linha', 'Coluna', 'Área (m²)', 'Altura'],
      ['1', 'um', 'T1', '1', '1', '10', '1'],
      ['2', '1', 'T2', 'x', '-1', '0', '1'],
      ['0', '1', 'T2', '1', '2', '10', '1'],
    ]
    const { body } = await write(id, csv(rows))
    expect(problemsOf(body)).toEqual([
      '2 Bloco: Informe o número do bloco',
      '3 Linha: Informe o número da linha',
      '3 Coluna: Informe o número da coluna',
      '3 Área (m²): Informe a área em m²',
      '4 Parcela: Número de parcela inválido: “0”',
    ])
  })

  test('a thousand of them, of a file of nothing else', async () => {
    const id = await of.trial()
    const rows: Rows = [
      WIDE[0] ?? [],
      ...Array.from({ length: 19_999 }, (_, at) => [at + 1, 1, 'T1', 'x', 'y']),
    ]
    const answer = await write(id, csv(rows))
    expect(answer.body.code).toBe('import.rows')
    expect(answer.body.erros.length).toBeLessThanOrEqual(1002)
  })
})

describe('a file goes out and comes back', () => {
  const strange = [
    ...sheet().variaveis,
    variable('peso_g', { nome: 'Peso', unidade: 'g' }),
    variable('peso_kg', { nome: 'Peso', unidade: 'kg' }),
    variable('alt', { nome: 'Altura (média) – total', unidade: 'cm' }),
    variable('ataque', { nome: '=SOMA(A1)', unidade: '' }),
  ]
  const columns = [
    ...sheet().valores,
    { variavel: 'peso_g', avaliacao: null, valores: YIELDS.map((_, at) => at + 0.125) },
    { variavel: 'peso_kg', avaliacao: null, valores: YIELDS.map((_, at) => (at === 2 ? null : -at - 1)) },
    { variavel: 'alt', avaliacao: 'd1', valores: YIELDS.map((_, at) => [-1.5 - at, 2]) },
    { variavel: 'ataque', avaliacao: null, valores: YIELDS.map((_, at) => at) },
  ]
  const avaliacoes = [{ chave: 'd1', nome: '14 DAA', daa: 14 }]
  const exported = (id: string, query: string) =>
    of.call('GET', `/api/experiments/${id}/plots/export?${query}`)

  test.each(['csv', 'xlsx'])('as %s, with the same values', async (formato) => {
    const id = await of.planted({ variaveis: strange, valores: columns, avaliacoes })
    const file = await exported(id, `formato=${formato}`)
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="parcelas.${formato}"`)
    const before = await of.ficha(id)
    const answer = await write(id, file.bytes)
    expect(answer.status, JSON.stringify(answer.body).slice(0, 600)).toBe(200)
    const after = await of.ficha(id)
    expect(after.valores).toEqual(before.valores)
    expect(after.variaveis).toEqual(before.variaveis)
    if (formato === 'csv') expect(file.body).toContain("'=SOMA(A1)")
  })

  test.each(['csv', 'xlsx'])(
    'as %s with its words and days, which a file does not change',
    async (formato) => {
      const words = [
        variable('obs', { nome: 'Observação', tipo: 'texto' }),
        variable('colheita', { nome: 'Colheita', tipo: 'data' }),
      ]
      const empty = words.map(({ chave }) => ({
        ...{ variavel: chave, avaliacao: null, valores: YIELDS.map(() => null) },
      }))
      const id = await of.planted({
        variaveis: [...sheet().variaveis, ...words],
        valores: [...sheet().valores, ...empty],
      })
      const cell = (variavel: string, valor: string) => ({
        ...{ parcela: 101, variavel, avaliacao: null, antes: null, valor },
      })
      await of.done(of.patch(id, [cell('obs', 'Acamada; falhada'), cell('colheita', '2026-03-12')]))
      const before = await of.ficha(id)
      const file = await exported(id, `formato=${formato}`)
      const seen = await bring(id, file.bytes)
      expect(seen.body.previa.slice(0, 2).map((row: string[]) => row.slice(-2))).toEqual([
        ['Observação', 'Colheita'],
        ['Acamada; falhada', '12/03/2026'],
      ])
      expect(seen.body.avisos).toEqual([
        'Observação: textos e datas ficam como estão no ensaio',
        'Colheita: textos e datas ficam como estão no ensaio',
      ])
      await of.done(write(id, file.bytes))
      const after = await of.ficha(id)
      expect([after.textos, after.valores]).toEqual([before.textos, before.valores])
    },
  )

  test.each(['csv', 'xlsx'])(
    'as a field sheet in %s: empty, in walking order, and back without being told',
    async (formato) => {
      const parcelas = PLOTS.map((plot, at) => ({ ...plot, linha: plot.bloco, coluna: (at % 3) + 1 }))
      const id = await of.planted(
        { parcelas, valores: [], avaliacoes },
        { tratamentos: treatments(1000, 1000, 1000) },
      )
      const file = await exported(id, `formato=${formato}&tipo=ficha_de_campo&serpentina=1&as_cegas=1`)
      const seen = await bring(id, file.bytes)
      const [titles, ...rows] = seen.body.previa
      expect(titles).toEqual([
        'Parcela',
        'Bloco',
        'Linha',
        'Coluna',
        'Tratamento',
        'Produtividade (kg/ha) – 14 DAA',
      ])
      expect(rows.map(([numero]: string[]) => Number(numero))).toEqual([
        ...[101, 102, 103, 203, 202, 201, 301, 302, 303, 403, 402, 401],
      ])
      expect(rows.every((row: string[]) => row[5] === '')).toBe(true)
      const text = JSON.stringify(seen.body)
      expect(text.includes('Produto 2')).toBe(false)
      const open = await bring(id, (await exported(id, `formato=${formato}&tipo=ficha_de_campo`)).bytes)
      expect(JSON.stringify(open.body.previa)).toContain('Produto 2')
      const filled = rows.map((row: string[]) => [...row.slice(0, 5), Number(row[0]) * 10])
      await of.done(write(id, formato === 'csv' ? csv([titles, ...filled]) : await xlsx([titles, ...filled])))
      expect((await of.ficha(id)).valores).toEqual([
        { variavel: 'produtividade', avaliacao: 'd1', valores: PLOTS.map(({ numero }) => numero * 10) },
      ])
    },
  )

  test('nothing of it is a formula', async () => {
    const names = ['=1+1', '+1', '-1', '@x', '\tx', '＝1'].map((nome, at) => ({
      ...treatments(1)[0],
      nome,
      produtividade: at,
    }))
    const id = await of.planted({}, { tratamentos: [...treatments(1), ...names.slice(0, 2)] })
    const { body } = await exported(id, 'formato=csv')
    expect(body).not.toMatch(/(^|;|")[=+@]/m)
    expect(refusal(await exported(await of.trial(), 'formato=csv'))).toMatchObject({ code: 'trial.none' })
    expect((await exported(id, 'formato=pdf')).status).toBe(422)
  })
})
