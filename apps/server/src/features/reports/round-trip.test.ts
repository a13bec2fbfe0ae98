import { type Change, trialReport } from '@ensaio/domain'
import { extract } from '@ensaio/extraction'
import { expect, test } from 'vitest'
import { typeset } from '../../jobs/typeset.ts'
import { printed, UNSIGNED } from './templates.ts'
import { differences, earnedOf, storedTrial, trialOfSeed } from './test-report-trials.ts'

/** Read otherwise once: a cell that is broken in two, a table whose source stands overleaf, a title in two lines. */
const FAILED_ONCE = [1, 11, 46, 48, 113, 270, 292, 312]
const SAMPLE = [...FAILED_ONCE, ...Array.from({ length: 52 }, (_, at) => 5000 + at)]

/** Written down since versions are, and before. */
const HISTORY: Change[] = [3, 2, null].map((versao, at) => ({
  ...{ id: 3 - at, versao, acao: at === 2 ? 'criado' : 'alterado', campos: [] },
  ...{ quem: at === 1 ? null : 'Ana Souza', quando: `2026-0${5 - at}-10T12:30:00Z` },
}))

test.each(SAMPLE)('the report of trial %i is read back as what it was made of', async (seed) => {
  const material = { recorded: null, history: HISTORY, documents: [], author: 'Ana Souza' }
  const experiment = storedTrial(seed)
  const economics = seed % 2 === 0 ? earnedOf(experiment) : null
  const report = trialReport({ experiment, economics, ...material })
  const pdf = await typeset(printed(report, UNSIGNED), 'test')
  expect(differences(trialOfSeed(seed), await extract(pdf))).toEqual([])
})

test.each(['😀 Vigor', 'Raiz 🌱', '𝒳 Plus', 'Soltrix ⚠ 2'])('a treatment may be called %s', async (nome) => {
  const trial = storedTrial(5001)
  const [control, first, ...more] = trial.tratamentos
  if (!control || !first) throw new Error('two treatments')
  const renamed = { ...trial, tratamentos: [control, { ...first, nome }, ...more] }
  const material = { recorded: null, economics: null, history: [], documents: [], author: null }
  const report = trialReport({ experiment: renamed, ...material })
  const { data } = await extract(await typeset(printed(report, UNSIGNED), 'test'))
  expect(data.tratamentos).toHaveLength(trial.tratamentos.length)
  // No font has every picture; what it has is read back.
  expect([nome, nome.replace(/\s*🌱/u, '')]).toContain(data.tratamentos[1]?.nome)
  expect(JSON.stringify(data)).not.toMatch(/\\ud[89a-f]/)
})

test('two reports in one file are not read as one', async () => {
  const material = { recorded: null, economics: null, history: [], documents: [], author: null }
  const [one, other] = [5001, 5003].map((seed) => trialReport({ experiment: storedTrial(seed), ...material }))
  if (!one || !other) throw new Error('two reports')
  const both = { ...one, blocos: [...one.blocos, ...other.blocos] }
  const { data, metadata } = await extract(await typeset(printed(both, UNSIGNED), 'test'))
  expect(data.tratamentos).toEqual([])
  expect(metadata.held).toBe('not_one_trial')
})
