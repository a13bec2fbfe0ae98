import { readFileSync } from 'node:fs'
import { adviseOn } from '@ensaio/domain/advice'
import { afterAll, describe, expect, test } from 'vitest'
import { judge, type Truth } from '../generator/score.ts'
import { extract, stopRecogniser } from './index.ts'

const sample = (name: string): Uint8Array => readFileSync(new URL(`../test/samples/${name}`, import.meta.url))

afterAll(stopRecogniser)

describe('the sample reports', () => {
  for (const name of ['s1_ficha', 's2_texto', 's3_digitalizado']) {
    test(`${name}: every value is right, each with page and box`, {
      timeout: 60_000,
    }, async () => {
      const result = await extract(sample(`${name}.pdf`))
      const truth: Truth = JSON.parse(Buffer.from(sample(`${name}.json`)).toString('utf8'))
      const judged = judge(truth, result.data)
      expect(judged.filter((j) => j.outcome !== 'right')).toEqual([])
      expect(result.data.tratamentos).toHaveLength(truth.tratamentos.length)
      expect(adviseOn(result.data).filter(({ peso }) => peso !== 'nota')).toEqual([])
      for (const path of result.metadata.extracted_fields) {
        const evidence = result.metadata.fields[path]
        expect(evidence?.page).toBe(1)
        const [x0, y0, x1, y1] = evidence?.bbox ?? [0, 0, 0, 0]
        expect(x1).toBeGreaterThan(x0)
        expect(y1).toBeGreaterThan(y0)
        expect(evidence?.text).not.toBe('')
      }
    })
  }

  test('a number without a place in the report is absent, the cost of the control too', {
    timeout: 60_000,
  }, async () => {
    const { data, metadata } = await extract(sample('s2_texto.pdf'))
    const numbers = data.tratamentos.flatMap(({ produtividade, custo }, index) =>
      Object.entries({ produtividade, custo }).map(
        ([name, value]) => [`tratamentos[${index}].${name}`, value] as const,
      ),
    )
    for (const [path, value] of numbers)
      expect([path, value === null]).toEqual([path, !metadata.fields[path]])
    expect(data.tratamentos[0]?.custo).toBeNull()
  })

  test('the same bytes give the same result', { timeout: 60_000 }, async () => {
    const bytes = sample('s1_ficha.pdf')
    expect(await extract(bytes)).toEqual(await extract(bytes))
  })
})

test('bytes that are not a PDF are refused by name', async () => {
  await expect(extract(Buffer.from('<html></html>'))).rejects.toMatchObject({ code: 'extraction.not_pdf' })
})

test('a PDF header without a document behind it is damaged', async () => {
  await expect(extract(Buffer.from('%PDF-1.7\nnothing here'))).rejects.toMatchObject({
    code: 'extraction.damaged',
  })
})
