import { deflateRawSync } from 'node:zlib'
import { strToU8, unzipSync, type Zippable, zipSync } from 'fflate'
import { writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { form, startTestServer, type TestServer } from '../../test-server.ts'
import { type Asking, asking, refusal } from './test-trials.ts'

/** Files that are made to cost much or to hide something. */
let server: TestServer
let of: Asking
let trial: string
beforeAll(async () => {
  server = await startTestServer()
  of = asking(server, await server.person())
  trial = await of.trial()
})
afterAll(() => server.stop())

const bring = async (file: Uint8Array | string, parts: Record<string, string> = {}) => {
  const started = Date.now()
  const answer = await of.call(
    'POST',
    `/api/experiments/${trial}/plots/import`,
    form({ ...parts, arquivo: new Blob([file as never]) }, 'parcelas.xlsx'),
  )
  return { ...answer, ms: Date.now() - started }
}
const UNREADABLE = { status: 422, code: 'import.unreadable', detail: 'Não foi possível ler a planilha' }
const TOO_LARGE = {
  status: 413,
  code: 'import.too_large',
  detail: 'A planilha passa de 5 MB ou de 20.000 linhas',
}

/** A workbook with one of its parts made anew. */
async function withPart(name: RegExp, change: (text: string) => string): Promise<Uint8Array> {
  const parts = unzipSync(
    await writeXlsx({
      sheets: [
        {
          name: 'A',
          rows: [
            ['Tratamento', 'Bloco', 'Altura'],
            ['T1', 1, 5],
          ],
        },
      ],
    }),
  )
  const changed: Zippable = {}
  for (const [part, bytes] of Object.entries(parts))
    changed[part] = name.test(part) ? strToU8(change(Buffer.from(bytes).toString())) : bytes
  return zipSync(changed)
}
const sheetOf = (data: string) =>
  withPart(/sheet1\.xml$/, (text) =>
    text.replace(/<sheetData>.*<\/sheetData>/s, `<sheetData>${data}</sheetData>`),
  )

describe('is no spreadsheet', () => {
  test.each([
    ['nothing', ''],
    ['blanks', ' \n\n ; ; \n'],
    ['a PDF', '%PDF-1.7\n1 0 obj\0\n'],
    ['bytes', Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919) % 256))],
    ['the beginning of an archive', Buffer.from('PK\u0003\u0004zzzz')],
    ['an archive of something else', zipSync({ 'a.txt': strToU8('olá') })],
    ['an empty archive', zipSync({})],
  ])('%s', async (_what, file) => {
    expect(refusal(await bring(file))).toEqual(UNREADABLE)
  })
  test('an old workbook, or one that is cut off', async () => {
    const whole = await writeXlsx({ sheets: [{ name: 'A', rows: [['Tratamento'], ['T1']] }] })
    expect(refusal(await bring(whole.subarray(0, whole.length / 2)))).toEqual(UNREADABLE)
    expect(refusal(await bring(Buffer.from('d0cf11e0a1b11ae100000000', 'hex')))).toEqual({
      ...{ status: 422, code: 'import.old_format' },
      detail: 'O formato .xls antigo não é aceito. Salve como .xlsx.',
    })
  })
  test('no file at all, a file in another field, two files', async () => {
    const address = `/api/experiments/${trial}/plots/import`
    expect(refusal(await of.call('POST', address, form({ gravar: '1' })))).toEqual(UNREADABLE)
    const pdf = new Blob(['a;b'])
    expect((await of.call('POST', address, form({ pdf }))).body.code).toBe('document.wrong_field')
    const two = form({ arquivo: pdf })
    two.append('arquivo', pdf, 'b.csv')
    expect((await of.call('POST', address, two)).status).toBe(422)
    expect((await of.call('POST', address, { arquivo: 'x' })).status).toBe(415)
  })
})

describe('is too large', () => {
  test('5 MB, or 20,000 rows', async () => {
    expect(refusal(await bring(`Tratamento;Bloco\n${'x'.repeat(5 * 1024 * 1024)}`))).toEqual(TOO_LARGE)
    expect(refusal(await bring(`Tratamento;Bloco\n${'T1;1\n'.repeat(20_001)}`))).toEqual(TOO_LARGE)
  })

  test('64 MB unpacked, which is told before they are', async () => {
    const bomb = await sheetOf(
      `<row r="1"><c r="A1" t="inlineStr"><is><t>${'a'.repeat(100_000_000)}</t></is></c></row>`,
    )
    expect(bomb.length).toBeLessThan(1024 * 1024)
    const answer = await bring(bomb)
    expect(refusal(answer)).toEqual(TOO_LARGE)
    expect(answer.ms).toBeLessThan(5000)
  })

  test('a small part that the table of contents does not name, with a great one inside of it', async () => {
    const inner = strToU8('<worksheet><sheetData/></worksheet>')
    expect([413, 422]).toContain((await bring(hidden('xl/worksheets/sheet1.xml', inner))).status)
    const file = hidden('xl/worksheets/sheet1.xml', Buffer.alloc(400_000_000, 'a'))
    const started = process.memoryUsage().rss
    const answer = await bring(file)
    expect([413, 422]).toContain(answer.status)
    expect(process.memoryUsage().rss - started).toBeLessThan(300_000_000)
  })

  test('a long text that very many cells name', async () => {
    const cells = '<c t="s"><v>0</v></c>'.repeat(300)
    const rows = Array.from({ length: 4000 }, () => `<row>${cells}</row>`).join('')
    const sheet = await sheetOf(rows)
    const parts = unzipSync(sheet)
    parts['xl/sharedStrings.xml'] = strToU8(
      `<sst count="1" uniqueCount="1"><si><t>${'x'.repeat(30_000)}</t></si></sst>`,
    )
    const answer = await bring(zipSync(parts))
    expect(refusal(answer)).toEqual(TOO_LARGE)
    expect(answer.ms).toBeLessThan(20_000)
  })

  test('cells in the last column of every row, or a row after a million', async () => {
    const far = Array.from(
      { length: 19_000 },
      (_, at) => `<row r="${at + 1}"><c r="XFD${at + 1}"><v>1</v></c></row>`,
    )
    const answer = await bring(await sheetOf(far.join('')))
    expect([413, 422]).toContain(answer.status)
    const late = await bring(await sheetOf('<row r="1048576"><c r="A1048576"><v>1</v></c></row>'))
    expect([413, 422]).toContain(late.status)
  })

  test('more columns than are read, of which none is dropped without a word', async () => {
    const wide = (n: number) =>
      `Tratamento;Bloco;${Array.from({ length: n }, (_, at) => `v${at}`).join(';')}\nT1;1;${'1;'.repeat(n)}`
    expect(refusal(await bring(wide(500)))).toEqual(TOO_LARGE)
    const { status, body } = await bring(wide(250))
    expect(status).toBe(200)
    expect(body.erros).toEqual([{ linha: 1, coluna: '', mensagem: 'Use no máximo 200 colunas' }])
    const variables = await bring(wide(60))
    expect(variables.body.erros[0].mensagem).toBe('Use no máximo 40 variáveis')
    // Blank columns that a program leaves behind are none.
    expect(
      (await bring(`Tratamento;Bloco;Altura${';'.repeat(600)}\nT1;1;5${';'.repeat(600)}`)).body.erros,
    ).toEqual([])
  })
})

describe('names an entity', () => {
  const dtd = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">]>'
  test.each([
    ['in front', (text: string) => text.replace('?>', `?>${dtd}`)],
    ['behind a long comment', (text: string) => text.replace('?>', `?><!--${'-x'.repeat(5000)}-->${dtd}`)],
  ])('%s', async (_what, change) => {
    for (const part of [/sheet1\.xml$/, /sharedStrings\.xml$/, /workbook\.xml$/])
      expect(refusal(await bring(await withPart(part, change))), String(part)).toEqual(UNREADABLE)
  })
})

test('a heavy table is read beside the loop: others are answered meanwhile', async () => {
  const columns = Array.from({ length: 190 }, (_, at) => `v${at % 39} (cm) – ${Math.floor(at / 39)} DAA`)
  const rows = Array.from({ length: 19_000 }, (_, at) => `${at + 1};T1;1;${'1;'.repeat(100)}`)
  const heavy = bring(`Parcela;Tratamento;Bloco;${columns.join(';')}\n${rows.join('\n')}`)
  const waits: number[] = []
  let over = false
  void heavy.finally(() => {
    over = true
  })
  while (!over) {
    const started = Date.now()
    await server.call('GET', '/healthz')
    waits.push(Date.now() - started)
    await new Promise((done) => setTimeout(done, 20))
  }
  const { status, body } = await heavy
  expect(status).toBe(200)
  expect(body.erros.length).toBeGreaterThan(0)
  console.log(
    'longest wait',
    Math.max(...waits),
    'of',
    waits.length,
    JSON.stringify(body.erros[0]),
    (await heavy).ms,
  )
  expect(Math.max(...waits)).toBeLessThan(2000)
})

/** An archive whose table of contents points into the middle of its one stored part. */
function hidden(name: string, content: Uint8Array): Uint8Array {
  const packed = deflateRawSync(content)
  const local = (file: string, method: number, bytes: Uint8Array, size: number) => {
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50, 0)
    head.writeUInt16LE(20, 4)
    head.writeUInt16LE(method, 8)
    head.writeUInt32LE(bytes.length, 18)
    head.writeUInt32LE(size, 22)
    head.writeUInt16LE(file.length, 26)
    return Buffer.concat([head, Buffer.from(file), bytes])
  }
  const inner = local(name, 8, packed, content.length)
  const outer = local('a.bin', 0, inner, inner.length)
  const at = outer.length - inner.length
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(8, 10)
  entry.writeUInt32LE(packed.length, 20)
  entry.writeUInt32LE(content.length, 24)
  entry.writeUInt16LE(name.length, 28)
  entry.writeUInt32LE(at, 42)
  const directory = Buffer.concat([entry, Buffer.from(name)])
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(outer.length, 16)
  return Buffer.concat([outer, directory, end])
}
