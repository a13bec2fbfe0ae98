/**
 * Learns which name in a report is the house that did the trial, and which one its maker; which of the years, crops,
 * designs and places that it names are the trial's; which way of application is said of all treatments; which documents
 * are no report of one trial:
 * fit-choices.ts FOLDER... [--left-out FILE] [--curve]
 * Writes src/data/choices.json from all reports; with --left-out also, for each source, weights learned without it.
 * With --curve it writes nothing, and tells how well sources left out are told by the number of those learned from.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { sameField, wayOf } from '../../packages/extraction/generator/score.ts'
import { arrange } from '../../packages/extraction/src/document.ts'
import { weigh } from '../../packages/extraction/src/fields/mentions.ts'
import { type HouseField, namesOf } from '../../packages/extraction/src/fields/name-model.ts'
import { findPairs } from '../../packages/extraction/src/fields/pairs.ts'
import { withDocument } from '../../packages/extraction/src/read/pdfium.ts'
import { readPages } from '../../packages/extraction/src/read/read.ts'
import { readDocument } from '../../packages/extraction/src/reading/choose.ts'
import { kindFeatures } from '../../packages/extraction/src/reading/kind.ts'
import { waysOf } from '../../packages/extraction/src/treatments/common-mode.ts'
import {
  type Choice,
  type Features,
  WEIGHED,
  type Weights,
  withWeights,
} from '../../packages/extraction/src/values/choice.ts'
import { minimise } from './minimise.ts'
import { type Report, reportsBelow } from './reports.ts'

const each = <K extends string, T>(keys: readonly K[], of: (key: K) => T): Record<K, T> =>
  // Object.fromEntries forgets which keys it was given.
  Object.fromEntries(keys.map((key) => [key, of(key)])) as Record<K, T>

/** One of the candidates of a document. */
interface Example {
  features: Features
  document: string
  source: string
  right: boolean
}
type Examples = Record<Choice, Example[]>
const CHOICES = ['consultoria', 'marca', 'modalidade', 'outro', ...WEIGHED] as const
/** A feature of fewer documents is chance; of a word, of fewer sources: each has its own subjects. */
const LEAST_DOCUMENTS = 3
const LEAST_SOURCES = 10
/** How strongly weights are held near zero. */
const PENALTY = { modalidade: 1, outro: 3, others: 0.5 }
/** Smaller weights change nothing. */
const LEAST_WEIGHT = 0.02
/** A way is said of all treatments where so many of them have it. */
const MOST_TREATMENTS = 0.6

async function examplesOf(report: Report): Promise<Examples> {
  return await withDocument(readFileSync(report.file), async (library, document) => {
    const arranged = arrange(readPages(library, document, {}))
    const reading = readDocument(arranged, { compare: true })
    const pairs = findPairs(reading.document, reading.tables)
    const own = { document: `${report.source} ${report.name}`, source: report.source }
    const outro = [{ ...own, features: kindFeatures(arranged), right: report.truth.refuse === true }]
    if (report.truth.refuse) return { ...each(CHOICES, () => []), outro }
    const names = namesOf(reading.document, pairs)
    const houses = (field: HouseField): Example[] => {
      const told = [report.truth[field], ...(report.truth.alt?.[field] ?? [])].filter((one) => one != null)
      return names.map(({ key, features }) => ({
        ...own,
        features,
        right: told.some((one) => sameField(field, one, key)),
      }))
    }
    // Where the tables tell each treatment's way, nothing is to be said of all.
    const open = reading.drafts.map(({ control, modalidade }) => !control && !modalidade)
    const way = commonOf(report, open)
    const weighed = weigh(reading.document, pairs)
    return {
      consultoria: houses('consultoria'),
      marca: houses('marca'),
      ...each(WEIGHED, (field) => {
        const told = [report.truth[field], ...(report.truth.alt?.[field] ?? [])].filter((one) => one != null)
        return weighed[field].map(({ value, features }) => ({
          ...own,
          features,
          right: told.some((one) => sameField(field, one, value)),
        }))
      }),
      outro,
      modalidade: (open.includes(true) ? waysOf(reading.document) : []).map(({ value, features }) => ({
        ...own,
        features,
        right: wayOf(value) === way,
      })),
    }
  })
}

/** The way of most treatments that are left open, where each treatment was found; else of most of them all. */
function commonOf({ truth }: Report, open: readonly boolean[]): string | null {
  const found = open.length === truth.tratamentos.length
  const treated = truth.tratamentos.filter((_, i) => (found ? open[i] : i > 0))
  const groups = Map.groupBy(treated, ({ modalidade }) => wayOf(modalidade))
  const [way, own] = [...groups].sort(([, a], [, b]) => b.length - a.length)[0] ?? ['', []]
  return way !== '' && own.length >= MOST_TREATMENTS * treated.length ? way : null
}

/**
 * Of the candidates of each document one is right, or none: the choice is fitted, weights held near zero.
 * Features of too few documents are left out.
 */
function fit(
  examples: readonly Example[],
  { penalty, by, least }: { penalty: number; by: 'document' | 'source'; least: number },
): Record<string, number> {
  const documents = new Map<string, Set<string>>()
  for (const example of examples)
    for (const name of example.features.keys()) {
      const own = documents.get(name) ?? new Set()
      documents.set(name, own.add(example[by]))
    }
  const names = [...documents].filter(([, own]) => own.size >= least).map(([name]) => name)
  const place = new Map(names.sort().map((name, i) => [name, i]))
  const choices = [...Map.groupBy(examples, ({ document }) => document).values()].map((own) => {
    const rows = own.map(({ features, right }) => {
      const known = [...features].flatMap(([name, value]) => {
        const at = place.get(name)
        return at === undefined ? [] : [{ at, value }]
      })
      return {
        at: Int32Array.from(known, (k) => k.at),
        values: Float64Array.from(known, (k) => k.value),
        right,
      }
    })
    return { rows, none: !rows.some(({ right }) => right) }
  })
  const weights = minimise(names.length, (w, gradient) => {
    let loss = 0
    w.forEach((weight, i) => {
      loss += (penalty / 2) * weight * weight
      gradient[i] = penalty * weight
    })
    for (const { rows, none } of choices) {
      const sums = rows.map(({ at, values }) => {
        let sum = 0
        for (let i = 0; i < at.length; i++) sum += (w[at[i] ?? 0] ?? 0) * (values[i] ?? 0)
        return sum
      })
      const most = Math.max(0, ...sums)
      const shares = sums.map((sum) => Math.exp(sum - most))
      const all = shares.reduce((a, b) => a + b, Math.exp(-most))
      const right = none ? Math.exp(-most) : shares.reduce((a, b, r) => a + (rows[r]?.right ? b : 0), 0)
      loss += Math.log(all) - Math.log(right)
      rows.forEach(({ at, values, right: own }, r) => {
        const slope = (shares[r] ?? 0) * (1 / all - (own ? 1 / right : 0))
        for (let i = 0; i < at.length; i++) {
          const k = at[i] ?? 0
          gradient[k] = (gradient[k] ?? 0) + slope * (values[i] ?? 0)
        }
      })
    }
    return loss
  })
  return Object.fromEntries(
    names
      .map((name, i): [string, number] => [name, Number((weights[i] ?? 0).toFixed(3))])
      .filter(([, weight]) => Math.abs(weight) >= LEAST_WEIGHT),
  )
}
const fitAll = (examples: Examples, from: (one: Example) => boolean = () => true): Weights =>
  each(CHOICES, (choice) =>
    fit(
      examples[choice].filter(from),
      choice === 'outro'
        ? { penalty: PENALTY.outro, by: 'source', least: LEAST_SOURCES }
        : {
            penalty: choice === 'modalidade' ? PENALTY.modalidade : PENALTY.others,
            by: 'document',
            least: LEAST_DOCUMENTS,
          },
    ),
  )

/** How often the surest candidate is the right one, none where none is. */
function share(
  examples: readonly Example[],
  weights: Readonly<Record<string, number>>,
): [right: number, of: number] {
  let right = 0
  let of = 0
  for (const own of Map.groupBy(examples, ({ document }) => document).values()) {
    const sums = own.map((one) => ({
      one,
      sum: [...one.features].reduce((sum, [name, value]) => sum + value * (weights[name] ?? 0), 0),
    }))
    const best = sums.reduce((a, b) => (b.sum > a.sum ? b : a))
    of++
    if (best.sum > 0 ? best.one.right : !own.some((one) => one.right)) right++
  }
  return [right, of]
}

const FOLDS = 6
const LEARNED_FROM = [2, 4, 8, 16, 24]

/** Each source is left out once, with others; of the rest so many are learned from, spread over all of them. */
function learningCurve(): void {
  const sources = [...new Set(examples.outro.map(({ source }) => source))]
  for (const most of [...LEARNED_FROM, sources.length]) {
    const total = each(CHOICES, () => ({ right: 0, of: 0 }))
    for (let fold = 0; fold < FOLDS; fold++) {
      const others = sources.filter((_, i) => i % FOLDS !== fold)
      const step = Math.max(1, others.length / most)
      const taken = new Set(Array.from({ length: most }, (_, i) => others[Math.floor(i * step)]))
      const weights = fitAll(examples, ({ source }) => taken.has(source))
      for (const choice of CHOICES) {
        const own = examples[choice].filter(({ source }) => !others.includes(source))
        const [right, of] = share(own, weights[choice])
        total[choice].right += right
        total[choice].of += of
      }
    }
    const told = CHOICES.map(
      (choice) => `${choice} ${((100 * total[choice].right) / total[choice].of).toFixed(1)}`,
    )
    console.log(
      `learned from ${Math.min(most, Math.floor((sources.length * (FOLDS - 1)) / FOLDS))}: ${told.join(', ')}`,
    )
  }
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'left-out': { type: 'string' }, curve: { type: 'boolean' } },
})
// Each document is to show what it leaves open.
withWeights(each(CHOICES, () => ({})))
const examples: Examples = each(CHOICES, () => [])
for (const report of positionals.flatMap(reportsBelow))
  if (!report.scanned) {
    const own = await examplesOf(report)
    for (const choice of CHOICES) examples[choice].push(...own[choice])
  }
if (options['left-out']) {
  const without: Record<string, Weights> = {}
  const total = each(CHOICES, () => [0, 0])
  for (const source of new Set(examples.outro.map((one) => one.source))) {
    const weights = fitAll(examples, (one) => one.source !== source)
    without[source] = weights
    const line = CHOICES.map((choice) => {
      const own = examples[choice].filter((one) => one.source === source)
      const [right, of] = share(own, weights[choice])
      total[choice] = [(total[choice][0] ?? 0) + right, (total[choice][1] ?? 0) + of]
      return `${choice} ${right}/${of}`
    })
    console.log(`${source} left out: ${line.join(', ')}`)
  }
  console.log(`all: ${CHOICES.map((choice) => `${choice} ${total[choice].join('/')}`).join(', ')}`)
  writeFileSync(options['left-out'], JSON.stringify(without))
}
if (options.curve) {
  learningCurve()
  process.exit(0)
}
const all = fitAll(examples)
writeFileSync(
  new URL('../../packages/extraction/src/data/choices.json', import.meta.url),
  `${JSON.stringify(all)}\n`,
)
console.log(CHOICES.map((choice) => `${choice}: ${Object.keys(all[choice]).length} weights`).join(', '))
process.exit(0)
