import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { judge, type Truth } from '../generator/score.ts'
import { extract } from './index.ts'

const folder = new URL('../test/reports/', import.meta.url)

/** Reports written by hand, each as another house would write it, with the right answer beside it. */
for (const name of readdirSync(folder).filter((file) => file.endsWith('.pdf')))
  test(`${name}: every value is right`, async () => {
    const truth: Truth = JSON.parse(readFileSync(new URL(name.replace('.pdf', '.json'), folder), 'utf8'))
    const { data } = await extract(readFileSync(new URL(name, folder)))
    expect(judge(truth, data).filter((judged) => judged.outcome !== 'right')).toEqual([])
    expect(data.tratamentos).toHaveLength(truth.tratamentos.length)
  })
