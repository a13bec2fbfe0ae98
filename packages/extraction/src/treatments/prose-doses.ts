import type { Document } from '../document.ts'
import type { Block } from '../layout/lines.ts'
import { type Run, runOf, sliceRun, wordsIn } from '../layout/run.ts'
import { findModes } from '../values/lexicon.ts'
import { NUMBER_SOURCE, toNumber } from '../values/number.ts'
import { fold } from '../values/text.ts'
import { DOSE_UNIT_SOURCE, printedUnit } from '../values/units.ts'
import type { Draft, DraftProduct } from './draft.ts'
import { toldProducts } from './told-products.ts'

interface Told {
  name: string
  dose: NonNullable<DraftProduct['dose']>
  unidade: DraftProduct['unidade']
}

const BESIDE = new RegExp(
  // 'X (1,5 % de Co) foi pulverizado sobre as folhas em V4, a 150 mL/ha'
  String.raw`^(?:\s*\([^()]{1,60}\))?(?:\s+(?:foi|foram)\s+[a-z]+(?:[ ,]+(?![àa]\s|n[ao] )[a-z][a-z\d]*){0,8})?[\s,]*(?:\((?:na )?(?:dose de |a )?|[àa]s?\s|na dose (?:de )?|em dose de |de )?\s*(${NUMBER_SOURCE})\s*(${DOSE_UNIT_SOURCE})`,
)

const CUMULATIVE = /\b(?:acresc\w+|adicion\w+|somad\w+|alem d\w+|mais o|incorporou-se)\b/
const OF_BEFORE = /\banterior\w*\b|\bao (?:manejo|programa|pacote|tratamento|mesmo)\b/

/**
 * Treatments that a table only names ('Básico', 'Completo') and sentences describe: 'No manejo Básico usou-se
 * X a 2,0 L/ha. No Completo acrescentou-se Y a 1,0 kg/ha ao anterior.'
 */
export function fillProductsFromProse(document: Document, drafts: readonly Draft[]): void {
  const open = drafts.filter(
    (draft) => !draft.control && draft.nome && draft.produtos.every((product) => product.dose === null),
  )
  if (open.length < 2) return
  const sentences = document.pages.flatMap((layout) =>
    layout.blocks.flatMap((block) => sentencesOf(runOf(block))),
  )
  // 'X a 2 mL/kg e Y a 3 mL/kg' beside 'X + Y': of products, and not of a treatment.
  const mixed = drafts
    .flatMap(({ produtos }) => (produtos.length > 1 ? produtos.map(({ nome }) => fold(nome.value)) : []))
    .filter((other) => other.length > 2)
  drafts.forEach((draft, i) => {
    if (!open.includes(draft)) return
    const name = fold(draft.nome?.value ?? '')
    if (name.length < 3) return
    for (const sentence of sentences) {
      const at = sentence.folded.search(new RegExp(`(?<![a-z])${escaped(name)}(?![a-z])`))
      const rest = at < 0 ? null : sliceRun(sentence, at + name.length, sentence.text.length)
      if (!rest || !new RegExp(DOSE_UNIT_SOURCE).test(rest.folded)) continue
      // The sentence goes on to another treatment: it tells of several at once.
      if (open.some((other) => other !== draft && rest.folded.includes(fold(other.nome?.value ?? '-'))))
        continue
      if (mixed.some((other) => !name.includes(other) && rest.folded.includes(other))) continue
      const produtos = toldProducts(rest, 'prose')
      if (produtos.length === 0) continue
      const before = drafts[i - 1]?.produtos ?? []
      const grows = CUMULATIVE.test(rest.folded) && OF_BEFORE.test(rest.folded)
      draft.produtos = grows ? [...before, ...produtos] : produtos
      // 'Sementes: X (150 mL/ha)': the first way told is that of the treatment.
      const mode = grows ? undefined : findModes(rest.folded)[0]
      if (mode) {
        const words = wordsIn(rest, mode.start, mode.end)
        draft.modalidade ??= { value: mode.value, words, score: 0.7, method: 'prose' }
      }
      break
    }
  })
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

function sentencesOf(run: Run): Run[] {
  const cuts = [...run.text.matchAll(/(?<=[\p{L}\d)])[.;]\s+(?=\p{Lu})/gu)].map((m) => m.index + 1)
  return [0, ...cuts].map((from, i) => sliceRun(run, from, cuts[i] ?? run.text.length))
}

/**
 * Fills in doses that only the running text tells: 'testemunha; X a 200 mL/ha; X 200 mL/ha + Y 0,5 L/ha'.
 * A passage that names just the products of a treatment is its own; else a product has its one dose.
 */
export function fillDosesFromProse(document: Document, drafts: readonly Draft[]): void {
  for (const { produtos } of drafts) for (const product of produtos) takeNumber(document, product)
  const open = drafts.filter((draft) => draft.produtos.some((product) => product.dose === null))
  if (open.length === 0) return
  const names = [...new Set(drafts.flatMap((draft) => draft.produtos.map((p) => fold(p.nome.value))))]
    .filter((name) => name.length > 2)
    .sort((a, b) => b.length - a.length)
  // 'Sem diferença para X (3.985 kg/ha)' tells what was harvested.
  const yields = new Set(drafts.map(({ produtividade }) => produtividade?.value))
  const passages = document.pages.flatMap((layout) =>
    layout.blocks
      .flatMap((block) => passagesOf(runOf(block), names))
      .map((told) => told.filter(({ dose, unidade }) => unidade !== 'kg/ha' || !yields.has(dose.value))),
  )
  for (const draft of open) {
    const wanted = draft.produtos.map((product) => fold(product.nome.value))
    const own = passages.find(
      (told) => told.length === wanted.length && wanted.every((name) => told.some((t) => t.name === name)),
    )
    for (const product of draft.produtos) {
      if (product.dose) continue
      const name = fold(product.nome.value)
      const everywhere = passages.flat().filter((t) => t.name === name)
      const same = everywhere.every((t) => t.dose.value === everywhere[0]?.dose.value)
      const found = own?.find((t) => t.name === name) ?? (same ? everywhere[0] : undefined)
      if (!found) continue
      product.dose = found.dose
      product.unidade = found.unidade
    }
  }
}

/** A longer name ends in no dose of its own. */
const LONGEST_NAME = 120

/** 'Solvita G 200', where the text says 'Solvita G 200 kg/ha': the number is its dose and not of its name. */
function takeNumber({ pages }: Document, product: DraftProduct): void {
  const { nome, dose } = product
  if (nome.value.length > LONGEST_NAME) return
  const [, name = '', printed = ''] = /^(.*\p{L}.*?)\s(\d{1,4}(?:[.,]\d{1,3})?)$/u.exec(nome.value) ?? []
  const value = toNumber(printed)
  if (dose || name === '' || value === null) return
  const unit = unitBehind(pages, fold(name), printed)
  if (unit === null) return
  const { unidade, factor } = printedUnit(unit)
  product.nome = { ...nome, value: name }
  product.dose = { value: value * factor, words: nome.words.slice(-1), score: 0.75, method: nome.method }
  product.unidade = unidade
}

const units = new WeakMap<readonly Block[], Map<string, string | null>>()

/** The unit of the amount that a page tells behind a name: looked for once, however often its tables are read. */
function unitBehind(pages: Document['pages'], name: string, printed: string): string | null {
  const key = `${name} ${printed}`
  let said: RegExp | null = null
  for (const { blocks } of pages) {
    const own = units.get(blocks) ?? new Map<string, string | null>()
    units.set(blocks, own)
    if (!own.has(key)) {
      said ??= new RegExp(
        `(?<![a-z\\d])${escaped(name)},?\\s+(?:a |na dose de )?${escaped(printed)}\\s*(${DOSE_UNIT_SOURCE})`,
      )
      const behind = said
      own.set(key, blocks.flatMap((block) => behind.exec(runOf(block).folded)?.[1] ?? [])[0] ?? null)
    }
    const unit = own.get(key)
    if (unit) return unit
  }
  return null
}

/** 'Tuberon + Calciplus' without doses, where each has one and the same in the other treatments. */
export function fillDosesFromOthers(drafts: readonly Draft[]): void {
  const known = new Map<string, DraftProduct[]>()
  for (const product of drafts.flatMap(({ produtos }) => produtos))
    if (product.dose) {
      const name = fold(product.nome.value)
      known.set(name, [...(known.get(name) ?? []), product])
    }
  for (const { produtos, nome } of drafts) {
    if (produtos.length < 2 || produtos.some(({ dose }) => dose)) continue
    if (/\bmei[ao]\b|\bmetade\b|½|\breduzid|\bdobro\b|%/.test(fold(nome?.value ?? ''))) continue
    const told = produtos.map((product) => known.get(fold(product.nome.value)) ?? [])
    const alike = told.every(
      ([first, ...more]) =>
        first !== undefined &&
        more.every(({ dose, unidade }) => dose?.value === first.dose?.value && unidade === first.unidade),
    )
    if (!alike) continue
    produtos.forEach((product, i) => {
      const [first] = told[i] ?? []
      if (!first?.dose) return
      product.dose = { ...first.dose, score: Math.min(first.dose.score, 0.6) }
      product.unidade = first.unidade
      product.custo ??= first.custo
    })
  }
}

function passagesOf(run: Run, names: readonly string[]): Told[][] {
  const bounds = [...run.text.matchAll(/[;:]\s|(?<=[\p{L}\d)])\.\s+(?=\p{Lu})/gu)].map((m) => m.index + 1)
  return [0, ...bounds].map((from, i) => toldIn(run, from, bounds[i] ?? run.text.length, names))
}

/** So far behind a name its dose may stand. */
const FARTHEST = 140

function toldIn(run: Run, from: number, to: number, names: readonly string[]): Told[] {
  const told: Told[] = []
  for (let at = from; at < to; at++) {
    const name = names.find((n) => run.folded.startsWith(n, at))
    if (!name || /[a-z]/.test(run.folded.charAt(at - 1)) || /[a-z]/.test(run.folded.charAt(at + name.length)))
      continue
    const end = at + name.length
    const match = BESIDE.exec(run.folded.slice(end, end + FARTHEST))
    const value = match?.[1] ? toNumber(match[1]) : null
    if (match?.[1] && value !== null) {
      const unit = printedUnit(match[2] ?? '')
      const start = end + match[0].lastIndexOf(match[1], match[0].length - (match[2]?.length ?? 0))
      told.push({
        name,
        dose: {
          value: value * unit.factor,
          words: wordsIn(run, start, start + match[1].length),
          score: 0.8,
          method: 'prose',
        },
        unidade: unit.unidade,
      })
    }
    at = end - 1
  }
  return told
}
