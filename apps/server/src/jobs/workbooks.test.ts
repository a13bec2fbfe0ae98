import { readFileSync } from 'node:fs'
import type { WorkbookCell, WorkbookHead } from '@ensaio/domain'
import { strFromU8, strToU8, unzipSync, type Zippable, zipSync } from 'fflate'
import { writeOds } from 'hucre/ods'
import { writeXlsx } from 'hucre/xlsx'
import { afterAll, expect, test } from 'vitest'
import { createWorkbooks } from './workbooks.ts'

const workbooks = createWorkbooks()
afterAll(() => workbooks.close())

interface Read {
  head: WorkbookHead
  rows: WorkbookCell[][]
}
async function read(bytes: Uint8Array | string, options: object = {}): Promise<Read> {
  const rows: WorkbookCell[][] = []
  const head = await workbooks.read(Buffer.from(bytes), {
    who: 'a',
    texto: false,
    ...options,
    async rows(folha, first, part) {
      if (folha === 0) for (const [at, row] of part.entries()) rows[first + at] = row
    },
  })
  return { head, rows }
}
const refusal = (bytes: Uint8Array | string) =>
  read(bytes).then(
    () => 'read',
    (error) => error.code,
  )

const plain = async () =>
  unzipSync(
    new Uint8Array(
      await writeXlsx({
        sheets: [
          {
            name: 'A',
            rows: [
              ['Cultura', 'Ano'],
              ['Soja', 2024],
            ],
          },
        ],
      }),
    ),
  )
/** A workbook whose sheet is written by hand. */
async function withSheet(edit: (xml: string) => string, more: Zippable = {}) {
  const parts = await plain()
  const sheet = edit(strFromU8(parts['xl/worksheets/sheet1.xml'] ?? new Uint8Array()))
  return zipSync({ ...parts, ...more, 'xl/worksheets/sheet1.xml': strToU8(sheet) })
}
const rowsXml = (xml: string) => (sheet: string) => sheet.replace('</sheetData>', `${xml}</sheetData>`)

test('types, formulas, errors, dates, hidden rows and merged cells are told as the file has them', async () => {
  const bytes = await writeXlsx({
    sheets: [
      {
        name: 'Ensaios',
        rows: [
          ['x', 1.5, true, new Date(Date.UTC(2024, 2, 5))],
          ['y', null, null, null],
        ],
        merges: [{ startRow: 0, startCol: 0, endRow: 1, endCol: 0 }],
        rowDefs: new Map([[1, { hidden: true }]]),
      },
      { name: 'Escondida', hidden: true, rows: [[1]] },
    ],
  })
  const parts = unzipSync(new Uint8Array(bytes))
  const sheet = strFromU8(parts['xl/worksheets/sheet1.xml'] ?? new Uint8Array())
  parts['xl/worksheets/sheet1.xml'] = strToU8(
    rowsXml(
      '<row r="3"><c r="A3" t="e"><v>#DIV/0!</v></c><c r="B3"><f>1/3</f></c><c r="C3"><f>1+2</f><v>3</v></c></row>',
    )(sheet),
  )
  const { head, rows } = await read(zipSync(parts))
  expect(rows[0]).toEqual(['x', 1.5, true, { data: '2024-03-05', texto: '05/03/2024', serial: 45_356 }])
  expect(rows[2]).toEqual([{ erro: '#DIV/0!' }, { formula: true }, 3])
  expect(head.folhas).toMatchObject([
    {
      nome: 'Ensaios',
      oculta: false,
      linhas_ocultas: [1],
      mescladas: [{ linha: 0, coluna: 0, linhas: 2, colunas: 1 }],
    },
    { nome: 'Escondida', oculta: true },
  ])
})

test('days are counted from 1904 where the workbook says so', async () => {
  const bytes = await writeXlsx({
    dateSystem: '1904',
    sheets: [{ name: 'A', rows: [['d'], [new Date(Date.UTC(2024, 2, 5))]] }],
  })
  expect((await read(new Uint8Array(bytes))).rows[1]?.[0]).toMatchObject({ data: '2024-03-05' })
})

test('an open document is read, and what it declares of its size is not believed', async () => {
  const bytes = await writeOds({ sheets: [{ name: 'A', rows: [['Cultura'], ['Soja']] }] })
  const parts = unzipSync(new Uint8Array(bytes))
  const content = strFromU8(parts['content.xml'] ?? new Uint8Array()).replace(
    '</table:table>',
    '<table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>',
  )
  const { head } = await read(zipSync({ ...parts, 'content.xml': strToU8(content) }))
  expect(head).toMatchObject({ formato: 'ods', folhas: [{ linhas: 2, colunas: 1 }] })
})

test('what an open document hides is told: rows, columns, sheets', async () => {
  const rows = [
    ['Cultura', 'Ano', 'Nota'],
    ['Soja', 2024, 'a'],
    ['Milho', 2024, 'b'],
    ['Trigo', 2024, 'c'],
  ]
  const bytes = await writeOds({
    sheets: [
      { name: 'A', rows },
      { name: 'B', rows },
    ],
  })
  const parts = unzipSync(new Uint8Array(bytes))
  const written = strFromU8(parts['content.xml'] ?? new Uint8Array())
  let row = 0
  const content = written
    .replace(
      '<office:body>',
      '<office:automatic-styles><style:style style:name="gone" style:family="table"><style:table-properties table:display="false"/></style:style></office:automatic-styles><office:body>',
    )
    .replace('table:name="B"', 'table:name="B" table:style-name="gone"')
    .replace(
      /<table:table table:name="A"[^>]*>/,
      (table) =>
        `${table}<table:table-column table:number-columns-repeated="2"/><table:table-column table:visibility="collapse"/>`,
    )
    .replace(/<table:table-row/g, (tag) => (row++ === 2 ? `${tag} table:visibility="filter"` : tag))
  const { head } = await read(zipSync({ ...parts, 'content.xml': strToU8(content) }))
  expect(head.folhas).toMatchObject([
    { nome: 'A', oculta: false, linhas_ocultas: [2], colunas_ocultas: [2] },
    { nome: 'B', oculta: true, linhas_ocultas: [], colunas_ocultas: [] },
  ])
})

test.each(['xlsx', 'ods'])(
  'what LibreOffice itself wrote as .%s: dates, sums, percents and errors',
  async (ending) => {
    const { rows } = await read(
      readFileSync(new URL(`./test-workbooks/libreoffice.${ending}`, import.meta.url)),
    )
    expect(rows[1]?.slice(0, 6)).toEqual([
      ...['Soja', { data: '2024-03-15', texto: '15/03/2024', serial: 45_366 }, 1.5, 5, '12%', null],
    ])
    expect(rows[2]?.slice(2, 4)).toEqual([1234.5, 3])
    expect(rows.slice(1).map((row) => row[7])).toEqual([{ erro: '#DIV/0!' }, { erro: '#N/A' }])
    expect(rows[2]?.[8]).toBe('com "aspas" e ç ã')
  },
)

test('macros are read past, and it is said', async () => {
  const { head } = await read(zipSync({ ...(await plain()), 'xl/vbaProject.bin': strToU8('x') }))
  expect(head.avisos).toEqual(['As macros foram ignoradas'])
})

test.each<[string, Uint8Array | string, Partial<WorkbookHead>, string[]]>([
  [
    'UTF-8 with its mark',
    '\ufeffPressão;Ano\nSão;1\n',
    { codificacao: 'utf-8', separador: ';' },
    ['Pressão', 'Ano'],
  ],
  [
    'what Windows wrote',
    Buffer.from('Press\xe3o;Ano\nA;1\n', 'latin1'),
    { codificacao: 'windows-1252' },
    ['Pressão', 'Ano'],
  ],
  [
    'UTF-16',
    Buffer.from('\ufeffCultura\tAno\nSoja\t1\n', 'utf16le'),
    { codificacao: 'utf-16le', separador: '\t' },
    ['Cultura', 'Ano'],
  ],
  ['commas', 'Cultura,Ano\n"Soja, precoce",2024\n', { separador: ',' }, ['Cultura', 'Ano']],
  ['bars', 'Cultura|Ano\nSoja|2024\n', { separador: '|' }, ['Cultura', 'Ano']],
  ['old line ends', 'Cultura;Ano\rSoja;2024\r', { separador: ';' }, ['Cultura', 'Ano']],
  ['a NUL', 'Cul\0tura;Ano\nSoja;2024\n', { separador: ';' }, ['Cultura', 'Ano']],
])('a text in %s', async (_name, bytes, head, titles) => {
  const found = await read(bytes)
  expect(found.head).toMatchObject({ formato: 'csv', ...head })
  expect(found.rows[0]).toEqual(titles)
})

test('a text whose lines end in several ways loses none', async () => {
  const { rows } = await read('Cultura;Ano\r\nSoja;1\n"Mi\r\nlho";2\rTrigo;3\r\n')
  expect(rows).toEqual([
    ['Cultura', 'Ano'],
    ['Soja', '1'],
    ['Mi\r\nlho', '2'],
    ['Trigo', '3'],
  ])
})

test.each([['0.0%'], ['0%']])('a share is read as it is shown under %s', async (numFmt) => {
  const { rows } = await read(
    await writeXlsx({
      sheets: [
        {
          name: 'A',
          rows: [
            ['Argila', 'Ano'],
            [0.455, 2024],
          ],
          cells: new Map([['1,0', { value: 0.455, style: { numFmt } }]]),
        },
      ],
    }),
  )
  expect(rows[1]).toEqual(['45,5%', 2024])
})

test('a declared separator is a line of its own, and rows keep their numbers', async () => {
  const { rows, head } = await read('sep=,\nCultura,Ano\nSoja,2024\n')
  expect(head.separador).toBe(',')
  expect(rows[1]).toEqual(['Cultura', 'Ano'])
})

const BLANKS = () => ' '.repeat(64 * 1024)
test.each<[string, () => Promise<Uint8Array | string> | Uint8Array | string, string]>([
  [
    '400 MB of blanks in 400 kB',
    async () => {
      const part = strToU8(BLANKS().repeat(1600))
      return zipSync({
        ...(await plain()),
        'xl/a.xml': part,
        'xl/b.xml': part,
        'xl/c.xml': part,
        'xl/d.xml': part,
      })
    },
    'import.too_large',
  ],
  [
    'a thousand million entities',
    () => withSheet((xml) => xml.replace('<worksheet', '<!DOCTYPE a [<!ENTITY b "c">]><worksheet')),
    'import.invalid',
  ],
  [
    'markup a thousand deep',
    () => withSheet(rowsXml('<a>'.repeat(1000) + '</a>'.repeat(1000))),
    'import.invalid',
  ],
  [
    'a text of a million letters',
    () =>
      withSheet(
        rowsXml(`<row r="9"><c r="A9" t="inlineStr"><is><t>${'x'.repeat(1_000_000)}</t></is></c></row>`),
      ),
    'import.too_large',
  ],
  [
    'an archive within',
    async () => zipSync({ ...(await plain()), 'xl/a.bin': zipSync({ a: strToU8('b') }) }),
    'import.invalid',
  ],
  [
    'a path that leads out',
    async () => zipSync({ ...(await plain()), '../../etc/passwd': strToU8('x') }),
    'import.invalid',
  ],
  [
    'a thousand and one parts',
    async () =>
      zipSync({
        ...(await plain()),
        ...Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`x/${at}`, strToU8('x')])),
      }),
    'import.too_large',
  ],
  ['an archive that is no workbook', () => zipSync({ 'a.txt': strToU8('x') }), 'import.invalid'],
  [
    'a picture',
    () => Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'),
    'import.invalid',
  ],
  ['a workbook of 1995', () => Buffer.from('0904060000001000', 'hex'), 'import.old_format'],
  [
    'a workbook under a password',
    () =>
      writeXlsx({
        sheets: [{ name: 'A', rows: [['x']] }],
        encryption: { password: 'segredo', spinCount: 1000 },
      }).then((bytes) => new Uint8Array(bytes)),
    'import.encrypted',
  ],
  ['60,000 rows', () => `a;b\n${'1;2\n'.repeat(60_000)}`, 'import.too_large'],
  ['201 columns', () => `${'a;'.repeat(201)}z\n1\n`, 'import.too_large'],
  ['a quote that never ends', () => 'a;b\n1;"x\n2;3\n', 'import.invalid'],
  ['nothing but blanks', () => ' \n \n', 'import.empty'],
])(
  '%s is refused',
  async (_name, make, code) => {
    expect(await refusal(await make())).toBe(code)
  },
  60_000,
)

test('one cell at the last row and column is no size', async () => {
  const bytes = await withSheet(rowsXml('<row r="1048576" spans="1:16384"><c r="A1048576" s="0"/></row>'))
  const { head } = await read(bytes)
  expect(head.folhas[0]).toMatchObject({ linhas: 2, colunas: 2 })
}, 200_000)
