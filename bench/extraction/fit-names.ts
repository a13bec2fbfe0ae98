/**
 * Learns which name in a report is the house that did the trial and which one its maker: fit-names.ts FOLDER... [--left-out FILE]
 * Writes src/data/names.json from all reports; with --left-out also, for each source of reports, weights learned without it.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { sameField } from '../../packages/extraction/generator/score.ts'
import { arrange } from '../../packages/extraction/src/document.ts'
import {
  type Features,
  featuresOf,
  groupNamings,
} from '../../packages/extraction/src/fields/name-features.ts'
import type { HouseField, NameWeights } from '../../packages/extraction/src/fields/name-model.ts'
import { findNamings } from '../../packages/extraction/src/fields/namings.ts'
import { findPairs } from '../../packages/extraction/src/fields/pairs.ts'
import { withDocument } from '../../packages/extraction/src/read/pdfium.ts'
import { readPages } from '../../packages/extraction/src/read/read.ts'
import { readDocument } from '../../packages/extraction/src/reading/choose.ts'
import { minimise } from './minimise.ts'
import { type Report, reportsBelow } from './reports.ts'

interface Example {
  features: Features
  document: string
  source: string
  right: Record<HouseField, boolean>
}
const FIELDS = ['consultoria', 'marca'] as const
/** A feature of fewer documents is chance. */
const LEAST_DOCUMENTS = 3
/** How strongly weights are held near zero. */
const PENALTY = 0.5
/** Smaller weights change nothing. */
const LEAST_WEIGHT = 0.02

async function examplesOf(report: Report): Promise<Example[]> {
  return await withDocument(readFileSync(report.file), async (library, document) => {
    const arranged = arrange(readPages(library, document, {}))
    const reading = readDocument(arranged, { compare: true })
    const others = groupNamings(findNamings(reading.document, findPairs(reading.document, reading.tables)))
    const says = (field: HouseField, key: string): boolean =>
      [report.truth[field], ...(report.truth.alt?.[field] ?? [])].some(
        (one) => one != null && sameField(field, one, key),
      )
    return [...others.groups].map(([key, namings]) => ({
      features: featuresOf(key, namings, others),
      document: `${report.source} ${report.name}`,
      source: report.source,
      right: { consultoria: says('consultoria', key), marca: says('marca', key) },
    }))
  })
}

/**
 * Of the names of each document one is the house, or none: the choice is fitted, weights held near zero.
 * Features of too few documents are left out.
 */
function fit(examples: readonly Example[], field: HouseField): Record<string, number> {
  const documents = new Map<string, Set<string>>()
  for (const { features, document } of examples)
    for (const name of features.keys()) {
      const own = documents.get(name) ?? new Set()
      documents.set(name, own.add(document))
    }
  const names = [...documents].filter(([, own]) => own.size >= LEAST_DOCUMENTS).map(([name]) => name)
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
        right: right[field],
      }
    })
    return { rows, none: !rows.some(({ right }) => right) }
  })
  const weights = minimise(names.length, (w, gradient) => {
    let loss = 0
    w.forEach((weight, i) => {
      loss += (PENALTY / 2) * weight * weight
      gradient[i] = PENALTY * weight
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
const fitBoth = (examples: readonly Example[]): NameWeights => ({
  consultoria: fit(examples, 'consultoria'),
  marca: fit(examples, 'marca'),
})

/** How often the surest name is the right one. */
function share(
  examples: readonly Example[],
  weights: NameWeights,
  field: HouseField,
): [right: number, of: number] {
  let right = 0
  let of = 0
  for (const own of Map.groupBy(examples, ({ document }) => document).values()) {
    if (!own.some((one) => one.right[field])) continue
    const sums = own.map((one) => ({
      one,
      sum: [...one.features].reduce((sum, [name, value]) => sum + value * (weights[field][name] ?? 0), 0),
    }))
    const best = sums.reduce((a, b) => (b.sum > a.sum ? b : a))
    of++
    if (best.one.right[field]) right++
  }
  return [right, of]
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'left-out': { type: 'string' } },
})
const examples: Example[] = []
for (const report of positionals.flatMap(reportsBelow))
  if (!report.scanned && !report.truth.refuse) examples.push(...(await examplesOf(report)))
if (options['left-out']) {
  const without: Record<string, NameWeights> = {}
  const total = { consultoria: [0, 0], marca: [0, 0] }
  for (const source of new Set(examples.map((one) => one.source))) {
    const weights = fitBoth(examples.filter((one) => one.source !== source))
    without[source] = weights
    const own = examples.filter((one) => one.source === source)
    const line = FIELDS.map((field) => {
      const [right, of] = share(own, weights, field)
      total[field] = [(total[field][0] ?? 0) + right, (total[field][1] ?? 0) + of]
      return `${field} ${right}/${of}`
    })
    console.log(`${source} left out: ${line.join(', ')}`)
  }
  console.log(`all: ${FIELDS.map((field) => `${field} ${total[field].join('/')}`).join(', ')}`)
  writeFileSync(options['left-out'], JSON.stringify(without))
}
const all = fitBoth(examples)
writeFileSync(
  new URL('../../packages/extraction/src/data/names.json', import.meta.url),
  `${JSON.stringify(all)}\n`,
)
console.log(
  `${examples.length} names; ${FIELDS.map((field) => `${field}: ${Object.keys(all[field]).length} weights`).join(', ')}`,
)
process.exit(0)
