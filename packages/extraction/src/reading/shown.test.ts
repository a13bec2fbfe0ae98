import { readdirSync, readFileSync } from 'node:fs'
import { FIELD_KEYS } from '@ensaio/domain/fields'
import { COLUMN_ROLES, LAYOUT_ALIKE, likeness } from '@ensaio/domain/tables'
import { expect, test } from 'vitest'
import { type ExtractionResult, extract } from '../index.ts'
import type { GivenTable } from '../result.ts'

const folder = new URL('../../test/reports/', import.meta.url)
const bytesOf = (name: string) => new Uint8Array(readFileSync(new URL(name, folder)))
const usedIn = ({ metadata }: ExtractionResult) => metadata.tables.filter(({ used }) => used)

const TABULAR = readdirSync(folder).filter((name) => /^(?:01|16|25|33|40|47|56|63).*\.pdf$/.test(name))

test.each(TABULAR)(
  '%s: its tables as they are told give the same treatments, told by a person or learnt',
  async (name) => {
    const bytes = bytesOf(name)
    const own = await extract(bytes)
    const tables = usedIn(own)
    expect(tables.length).toBeGreaterThan(0)
    const told = await extract(bytes, { tables, learn: {} })
    expect(told.data.tratamentos).toEqual(own.data.tratamentos)
    const learnt = await extract(bytes, { template: told.learnt })
    expect(learnt.data.tratamentos).toEqual(own.data.tratamentos)
  },
)

const one = '33-soja-ranking.pdf'
const changed = async (change: (table: GivenTable) => GivenTable) => {
  const bytes = bytesOf(one)
  const own = await extract(bytes)
  return { own, told: await extract(bytes, { tables: usedIn(own).map(change) }) }
}

test('a row that a person leaves out is no treatment, and one that goes on adds to the one above', async () => {
  const relabel = (label: 'out' | 'more') => (table: GivenTable) => ({
    ...table,
    rows: table.rows.map((row, r) => (r === table.rows.length - 1 ? { ...row, label } : row)),
  })
  for (const label of ['out', 'more'] as const) {
    const { own, told } = await changed(relabel(label))
    const last = usedIn(own)[0]?.rows.at(-1)
    const fewer = last?.label === 'treatment' ? 1 : 0
    expect(told.data.tratamentos).toHaveLength(own.data.tratamentos.length - fewer)
  }
})

test('a table cut in two and one put together again are read as they are described', async () => {
  const bytes = bytesOf(one)
  const own = await extract(bytes)
  const [table] = usedIn(own)
  if (!table) throw new Error('no table')
  const headings = table.rows.filter(({ label }) => label === 'heading')
  const body = table.rows.filter(({ label }) => label !== 'heading')
  const upper = { ...table, rows: [...headings, ...body.slice(0, 3)] }
  const cut = await extract(bytes, { tables: [upper] })
  expect(cut.data.tratamentos).toHaveLength(3)
  const whole = await extract(bytes, { tables: [{ ...upper, rows: [...upper.rows, ...body.slice(3)] }] })
  expect(whole.data.tratamentos).toEqual(own.data.tratamentos)
})

test('two reports that one hand set are alike, those of others are not', async () => {
  const layouts = await Promise.all(
    ['16-milho-lado-a-lado.pdf', '17-milho-lado-a-lado-sem-grade.pdf', one].map(
      async (name) => (await extract(bytesOf(name))).metadata.layout,
    ),
  )
  const [a = [], b = [], c = []] = layouts
  expect(likeness(a, b)).toBeGreaterThanOrEqual(LAYOUT_ALIKE)
  expect(likeness(a, c)).toBeLessThan(0.2)
  expect(likeness(b, c)).toBeLessThan(0.2)
})

test('a field is found again behind, beside or at the place where a person said that it stands', async () => {
  const bytes = bytesOf('16-milho-lado-a-lado.pdf')
  const own = await extract(bytes)
  // 'Realizador | Campo Norte …': whatever it was taken for, the label is remembered.
  const learn = { consultoria: 'Campo Norte Avaliações Agronômicas', cultivar: 'AG 9025 PRO4' }
  const { learnt } = await extract(bytes, { learn })
  expect(learnt?.fields.map(({ field, how }) => [field, how])).toEqual([
    ['consultoria', 'beside'],
    ['cultivar', 'beside'],
  ])
  const next = await extract(bytesOf('17-milho-lado-a-lado-sem-grade.pdf'), { template: learnt })
  expect(next.data).toMatchObject(learn)
  expect(own.data).toMatchObject(learn)
})

test.each(TABULAR)('%s: what is learnt of it holds no word of it', async (name) => {
  const bytes = bytesOf(name)
  const own = await extract(bytes)
  const values = Object.fromEntries(
    FIELD_KEYS.flatMap((key) => (own.data[key] === null ? [] : [[key, own.data[key]]])),
  )
  const { learnt } = await extract(bytes, { tables: usedIn(own), learn: values })
  const said: string[] = []
  JSON.stringify(learnt, (_, value) => {
    if (typeof value === 'string') said.push(value)
    return value
  })
  const ours = new Set<string>([...FIELD_KEYS, ...COLUMN_ROLES, 'behind', 'beside', 'below', 'place'])
  // Prints of phrases, kinds of characters ('9a'), a sign behind a value.
  const open = said.filter(
    (text) => !ours.has(text) && !/^(?:\d+:[0-9a-z]+|(?:[9Aa]|[^\p{L}\d]){0,20})$/u.test(text),
  )
  expect(open).toEqual([])
})
