import { strFromU8, unzipSync } from 'fflate'
import { readXlsx } from 'hucre/xlsx'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startTestServer, type TestServer } from '../../test-server.ts'
import { asking, sheet, variable, YIELDS } from '../trials/test-trials.ts'

// What MIAPPE 1.1 and its ISA-Tab configuration ask for, written from their documents.

let server: TestServer
let ana: Person
let study: string
beforeAll(async () => {
  server = await startTestServer()
  ana = await server.person({ name: 'Ana Prado' })
  study = await asking(server, ana).planted(
    {
      variaveis: [...sheet().variaveis, variable('altura', { nome: 'Altura', unidade: 'cm' })],
      valores: [...sheet().valores, { variavel: 'altura', avaliacao: null, valores: YIELDS.map(() => 90) }],
      registro: {
        ...{ semeadura: '2025-10-10', colheita: '2026-02-20', altitude: 620, responsavel: 'Rui Leal' },
        aplicacoes: [{ data: '2025-11-20', estadio: 'V4', volume: 150 }],
      },
    },
    { cultura: 'Soja', cultivar: 'M "8349"\tIPRO', teor_argila: 42 },
  )
})
afterAll(() => server.stop())

async function filesOf(id: string, by: Person = ana): Promise<Record<string, Uint8Array>> {
  const answer = await fetch(`${server.url}/api/experiments/${id}/miappe`, {
    headers: { authorization: `Bearer ${by.token}` },
  })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/zip')
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment/)
  return unzipSync(new Uint8Array(await answer.arrayBuffer()))
}
const textOf = (files: Record<string, Uint8Array>, name: string) => strFromU8(files[name] ?? new Uint8Array())
const tableOf = (text: string): string[][] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t').map((cell) => cell.replace(/^"|"$/g, '')))
/** Fields of the investigation by their names; a section's own line has no value. */
const fieldsOf = (text: string) =>
  new Map(tableOf(text).map(([field = '', ...values]): [string, string[]] => [field, values]))
const lacks = async (id: string): Promise<string[]> =>
  (await asking(server, ana).done(asking(server, ana).call('GET', `/api/experiments/${id}/miappe/missing`)))
    .faltam

test('the zip holds the four files of ISA-Tab, the values and the workbook', async () => {
  expect(Object.keys(await filesOf(study)).sort()).toEqual([
    ...['a_assay.txt', 'data.tsv', 'i_investigation.txt', 'miappe.xlsx', 's_study.txt', 'tdf.tsv'],
  ])
})

test('the investigation tells of the trial, its place, its design and its days', async () => {
  const fields = fieldsOf(textOf(await filesOf(study), 'i_investigation.txt'))
  expect([...fields.keys()].filter((name) => name === name.toUpperCase())).toEqual([
    ...['ONTOLOGY SOURCE REFERENCE', 'INVESTIGATION', 'INVESTIGATION PUBLICATIONS', 'INVESTIGATION CONTACTS'],
    ...['STUDY', 'STUDY DESIGN DESCRIPTORS', 'STUDY PUBLICATIONS', 'STUDY FACTORS', 'STUDY ASSAYS'],
    ...['STUDY PROTOCOLS', 'STUDY CONTACTS'],
  ])
  const told = Object.fromEntries([...fields].map(([name, values]) => [name, values.join('|')]))
  expect(told).toMatchObject({
    'Comment[MIAPPE Version]': '1.1',
    'Study Identifier': study,
    'Comment[Study Start Date]': '2025-10-10',
    'Comment[Study End Date]': '2026-02-20',
    'Comment[Study Country]': 'BR',
    'Comment[Study Altitude]': '620 m',
    'Study Design Type': 'CO_715:0000147',
    'Comment[Study Design Description]': 'Blocos casualizados',
    'Comment[Observation Unit Level Hierarchy]': 'study>block>rep>plot',
    'Comment[Type of Growth Facility]': 'CO_715:0000162',
    'Study Factor Name': 'tratamento|produto|modalidade',
    'Study File Name': 's_study.txt',
    'Study Assay Technology Type': 'plot level analysis',
    'Study Protocol Name': 'Growth|planting|fertilizer|harvest|Phenotyping',
    'Study Protocol Type': 'Growth|Event|Event|Event|Phenotyping',
    'Study Person First Name': 'Ana|Rui',
    'Study Person Last Name': 'Prado|Leal',
  })
  expect(told['Comment[Study Factor Values]']).toContain(
    'T1 - Testemunha;T2 - Produto 2;T3 - Produto 3|Amino Foliar 1,5 L/ha Foliar',
  )
})

test('every plot is a sample of the study and of the assay, with its factors', async () => {
  const files = await filesOf(study)
  const [header = [], ...rows] = tableOf(textOf(files, 's_study.txt'))
  expect(rows).toHaveLength(YIELDS.length)
  for (const row of rows) expect(row).toHaveLength(header.length)
  const cell = (row: string[] | undefined, name: string) => row?.[header.indexOf(name)]
  expect(cell(rows[1], 'Characteristics[Organism]')).toBe('NCBITaxon:3847')
  expect(cell(rows[1], 'Characteristics[Infraspecific Name]')).toBe("cv. M '8349' IPRO")
  expect(cell(rows[1], 'Factor Value[tratamento]')).toBe('T2 - Produto 2')
  expect(cell(rows[0], 'Factor Value[produto]')).toBe('')
  expect(cell(rows[1], 'Parameter Value[Teor de argila]')).toBe('42 %')
  expect(cell(rows[1], 'Characteristics[Spatial Distribution]')).toMatch(/^block:1; rep:1; plot:102/)
  const [assay = [], ...assays] = tableOf(textOf(files, 'a_assay.txt'))
  expect(assays.map((row) => row[assay.indexOf('Sample Name')])).toEqual(
    rows.map((row) => cell(row, 'Sample Name')),
  )
})

test('the values are those of observations/table, to the byte, and their variables are defined', async () => {
  const files = await filesOf(study)
  const table = await fetch(`${server.url}/brapi/v2/observations/table?studyDbId=${study}`, {
    headers: { authorization: `Bearer ${ana.token}`, accept: 'text/tsv' },
  })
  expect(textOf(files, 'data.tsv')).toBe(await table.text())
  const [, ...defined] = tableOf(textOf(files, 'tdf.tsv'))
  expect(defined.map(([, name]) => name)).toEqual(['Produtividade (kg/ha)', 'Altura (cm)'])
  const [ids = []] = tableOf(textOf(files, 'data.tsv'))
  for (const [id = ''] of defined) expect(ids.join()).toContain(id)
})

test('the workbook has a sheet for each section of the checklist', async () => {
  const { 'miappe.xlsx': bytes = new Uint8Array() } = await filesOf(study)
  const { sheets } = await readXlsx(bytes)
  expect(sheets.map(({ name }) => name)).toEqual([
    ...['Investigation', 'Study', 'Person', 'Data file', 'Biological Material', 'Sample'],
    ...['Observation Unit', 'Factor', 'Environment', 'Event', 'Observed Variable'],
  ])
  const rowsOf = (name: string) => sheets.find((one) => one.name === name)?.rows ?? []
  expect(rowsOf('Observation Unit')).toHaveLength(YIELDS.length + 1)
  expect(rowsOf('Event').map((row) => [row[2], row[5]])).toEqual([
    ['Event type', 'Event date'],
    ['planting', '2025-10-10'],
    ['fertilizer', '2025-11-20'],
    ['fertilizer', '2025-11-20'],
    ['harvest', '2026-02-20'],
  ])
})

test('what the checklist asks for in any case and nobody told is named', async () => {
  expect(await lacks(study)).toEqual([])
  const bare = await asking(server, ana).trial({ ano: 2021, cultivar: 'Não informado' })
  expect(await lacks(bare)).toEqual([
    ...['data de semeadura', 'delineamento', 'parcelas', 'cultivar', 'espécie', 'variáveis'],
  ])
  // It is a file all the same.
  expect(tableOf(textOf(await filesOf(bare), 's_study.txt'))).toHaveLength(1)
})

test('who may not know the treatments of a blind trial reads letters alone', async () => {
  const of = asking(server, ana)
  const id = await of.planted({ registro: { aplicacoes: [{ data: '2025-11-20' }] } })
  await of.done(of.call('PUT', `/api/experiments/${id}/field-settings`, { as_cegas: true }))
  const reader = await server.person({ name: 'Lia Reis' })
  await sql`update membros set papel = 'leitor' where pessoa_id = ${reader.id}`.execute(server.handle)
  const files = await filesOf(id, reader)
  const { sheets } = await readXlsx(files['miappe.xlsx'] ?? new Uint8Array())
  const all = [JSON.stringify(sheets), ...Object.keys(files).map((name) => textOf(files, name))].join()
  expect(all).toContain('Código ')
  for (const name of ['Testemunha', 'Produto 2', 'Amino Foliar']) expect(all).not.toContain(name)
})
