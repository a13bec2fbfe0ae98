import { groupLines } from '../layout/lines.ts'
import { makeRun, wordsIn } from '../layout/run.ts'
import type { Word } from '../read/page.ts'
import type { Method } from '../result.ts'
import type { Cell } from '../tables/table.ts'
import { findModes, isControl, readMode } from '../values/lexicon.ts'
import { NUMBER_SOURCE, readCell, readNumber, toNumber } from '../values/number.ts'
import { fold, isMark, saysNothing } from '../values/text.ts'
import { type AmountUnit, doseUnit, printedUnit, unitByFormulation } from '../values/units.ts'
import type { Column } from './columns.ts'
import { dosesIn, readDoses } from './doses.ts'
import type { Draft, DraftProduct } from './draft.ts'
import { productOfHeading } from './heading-product.ts'
import { codesOf } from './product-codes.ts'
import { isClass } from './product-names.ts'
import { readProducts } from './products.ts'

type Row = readonly (Cell | null)[]

/** 'X, 1,0 L/ha, na folha': the one way that is told beside the products with their doses. */
function wayBeside(cell: Cell, products: readonly DraftProduct[], method: Method): Draft['modalidade'] {
  if (!products.some(({ dose }) => dose !== null)) return null
  const named = new Set(products.flatMap(({ nome }) => nome.words))
  const run = makeRun(cell.words)
  const [first, ...more] = findModes(run.folded)
    .map(({ value, start, end }) => ({ value, words: wordsIn(run, start, end) }))
    .filter(({ words }) => !words.every((word) => named.has(word)))
  return first && more.every(({ value }) => value === first.value) ? { ...first, score: 0.75, method } : null
}

/** Products and doses of one row: from the product columns, or the doses beside a name without them. */
export function readProductCells(draft: Draft, row: Row, columns: readonly Column[], method: Method): void {
  const indexes = (role: Column['role']): number[] =>
    columns.flatMap((column, c) => (column.role === role ? [c] : []))
  const matrix = indexes('productDose')
  if (matrix.length > 0) {
    readMatrix(draft, row, columns, matrix, method)
    applyCost(draft, row, columns, method)
    return
  }
  const products = indexes('product')
  const doses = indexes('dose')
  products.forEach((at, i) => {
    const cell = row[at]
    if (!cell || cell.text === '' || saysNothing(cell.text) || isControl(cell.text)) return
    const shared = columns[at]?.dose ?? doseUnit((columns[at]?.header ?? '').replace(/^[^,(]*[,(]/, ''))
    const found = readProducts(makeRun(cell.words), method).map((product) => withBareDose(product, shared))
    draft.produtos.push(...found)
    // 'Sementes | V4 (foliar)': the columns of a programme tell the ways.
    const way = found.length > 0 ? readMode(columns[at]?.header ?? '') : null
    if (way && !draft.modalidade)
      draft.modalidade = { value: way, words: columns[at]?.words ?? cell.words, score: 0.75, method }
    draft.modalidade ??= wayBeside(cell, found, method)
    // 'Produto 1 | Dose 1 | Produto 2 | Dose 2': each product has the dose column that follows it.
    if (products.length < 2) return
    const next = products[i + 1] ?? Infinity
    applyDoses(
      found,
      row,
      columns,
      doses.filter((c) => c > at && c < next),
      method,
    )
  })
  // The same product at two times is one product of the treatment.
  if (products.length > 1)
    draft.produtos = draft.produtos.filter(
      (one, i, all) => all.findIndex((other) => isSame(one, other)) === i,
    )
  const dose = row[doses[0] ?? -1]
  if (dose && products.length < 2 && (readNumber(dose.text) ?? 0) !== 0) nameAsProduct(draft)
  if (products.length < 2) {
    splitStacked(draft, row, columns, method)
    applyDoses(draft.produtos, row, columns, doses, method)
  }
  applyCost(draft, row, columns, method)
}

const isSame = (a: DraftProduct, b: DraftProduct): boolean =>
  fold(a.nome.value) === fold(b.nome.value) && a.dose?.value === b.dose?.value && a.unidade === b.unidade

/** 'Nexus 0,50' or 'Nexus (400)' under 'Fungicida (L/ha)': the heading has the unit of the number behind the name. */
function withBareDose(product: DraftProduct, unidade: DraftProduct['unidade']): DraftProduct {
  const { nome } = product
  const bare = new RegExp(`^(.*\\p{L}.*?)\\s+\\(?(${NUMBER_SOURCE})\\)?$`, 'u').exec(nome.value)
  const value = bare?.[2] ? toNumber(bare[2]) : null
  const open = unidade === null && !nome.value.endsWith(')')
  if (product.dose || open || !bare?.[1] || value === null || nome.words.length < 2) return product
  return {
    ...product,
    nome: { ...nome, value: bare[1], words: nome.words.slice(0, -1) },
    dose: { ...nome, value, words: nome.words.slice(-1) },
    unidade,
  }
}

/**
 * Products as headings, doses in the cells; an empty cell or a zero is a product left out. Where cells are only
 * marked, the heading tells the dose.
 */
function readMatrix(
  draft: Draft,
  row: Row,
  columns: readonly Column[],
  matrix: readonly number[],
  method: Method,
): void {
  draft.produtos = matrix.flatMap((c) => {
    const [cell, column] = [row[c], columns[c]]
    const name = column ? productOfHeading(column.header) : null
    if (!cell || !column || name === null) return []
    const marked = isMark(cell.text)
    if (!marked && saysNothing(cell.text)) return []
    const words = column.words ?? cell.words
    const [dose] = marked
      ? dosesIn(makeRun(words), method)
      : readDoses(makeRun(cell.words), printedUnit(column.header), method)
    if (!marked && (!dose?.dose || dose.dose.value === 0)) return []
    const way = readMode(column.header)
    if (way && !draft.modalidade) draft.modalidade = { value: way, words, score: 0.75, method }
    return [
      {
        nome: { value: name, words, score: 0.85, method },
        dose: dose?.dose ?? null,
        unidade: dose?.unidade ?? null,
        custo: null,
      },
    ]
  })
}

/** A product's own cost stands beside it; with several products in the row it cannot be told whose it is. */
export function applyCost(draft: Draft, row: Row, columns: readonly Column[], method: Method): void {
  if (columns.filter(({ role }) => role === 'productCost').length > 1) {
    applyEachCost(draft, row, columns, method)
    return
  }
  const cost = row[columns.findIndex((column) => column.role === 'productCost')]
  const only = draft.produtos.length === 1 ? draft.produtos[0] : undefined
  // Costs set one under the other follow the products.
  const lines = cost ? groupLines(cost.words) : []
  const values = lines.map((line) => readCell(line.map((word) => word.text).join(' ')))
  if (lines.length > 1 && lines.length === draft.produtos.length && values.every((value) => value !== null))
    draft.produtos.forEach((product, i) => {
      const value = values[i]
      if (value != null) product.custo = { value, words: lines[i] ?? [], score: 0.85, method }
    })
  if (!cost || !only) return
  const value = readCell(cost.text) ?? readNumber(cost.text)
  if (value !== null) only.custo = { value, words: cost.words, score: 0.85, method }
}

/** Of products in columns of their own: the cost behind each. */
function applyEachCost(draft: Draft, row: Row, columns: readonly Column[], method: Method): void {
  columns.forEach(({ role }, c) => {
    const cell = role === 'productCost' ? row[c] : null
    const value = cell ? readCell(cell.text) : null
    const named = row[columns.findLastIndex((column, k) => k < c && column.role === 'product')]
    const own = draft.produtos.find(({ nome }) => nome.words.some((word) => named?.words.includes(word)))
    if (own && cell && value !== null) own.custo ??= { value, words: cell.words, score: 0.85, method }
  })
}

/** Products set one under the other in a cell, each on the line of its dose. */
function splitStacked(draft: Draft, row: Row, columns: readonly Column[], method: Method): void {
  if (draft.control) return
  const dose = row[columns.findIndex((column) => column.role === 'dose')]
  const at = columns.findIndex((column) => column.role === 'product')
  const cell = row[at >= 0 ? at : columns.findIndex((column) => column.role === 'name')]
  if (!dose || !cell || cell === dose) return
  const doses = groupLines(dose.words)
  const names = joinWrapped(groupLines(cell.words), doses.length)
  if (names.length < 2 || names.length !== doses.length) return
  if (
    !doses.every((line) => /^\d/.test(line[0]?.text ?? '')) ||
    names.some((line) => /^[+&]|[+&]$/.test(line.map((w) => w.text).join(' ')))
  )
    return
  if (dose.words.some((word) => word.text === '+')) return
  draft.produtos = names.flatMap((line) => readProducts(makeRun(line), method))
  if (draft.nome && at < 0)
    draft.nome = { ...draft.nome, value: draft.produtos.map((p) => p.nome.value).join(' + ') }
  draft.produtos.forEach((product, i) => {
    const unit = unitBeside(
      row,
      columns,
      columns.findIndex((column) => column.role === 'dose'),
      { line: i, of: doses.length },
    )
    const found = readDoses(makeRun(doses[i] ?? []), unit, method)[0]
    product.dose = found?.dose ?? null
    product.unidade = found?.unidade ?? null
  })
}

/** Names of which some take two lines, beside fewer doses: what looks most like the rest of a line is one. */
function joinWrapped(lines: readonly Word[][], count: number): Word[][] {
  const joined = lines.map((line) => [...line])
  const text = (line: readonly Word[]): string => line.map((word) => word.text).join(' ')
  while (count >= 2 && joined.length > count && joined.length <= count + 2) {
    const rest = joined.slice(1).map((line, i) => ({
      at: i + 1,
      size: /^[\p{Ll}(\d]/u.test(text(line)) ? 0 : text(line).length,
    }))
    const { at } = rest.reduce((a, b) => (b.size < a.size ? b : a))
    joined[at - 1]?.push(...(joined[at] ?? []))
    joined.splice(at, 1)
  }
  return joined
}

/** A name with a dose beside it is a product, however generic it sounds. */
function nameAsProduct(draft: Draft): void {
  if (draft.produtos.length > 0 || draft.control || !draft.nome) return
  // 'A + C': letters that a legend explains, each with its dose.
  const codes = codesOf(draft.nome.value)
  if (codes) {
    const { nome } = draft
    for (const code of codes)
      draft.produtos.push({ nome: { ...nome, value: code }, dose: null, unidade: null, custo: null })
    return
  }
  const inner = /\(([^)]{3,40})\)\s*$/.exec(draft.nome.value)
  draft.produtos.push({
    nome: { ...draft.nome, value: inner?.[1] ?? draft.nome.value },
    dose: null,
    unidade: null,
    custo: null,
  })
}

/** The unit of a column of doses: of the column beside it, line by line where it has as many, or of its heading. */
function unitBeside(
  row: Row,
  columns: readonly Column[],
  dose: number,
  stacked?: { line: number; of: number },
): AmountUnit | null {
  const at = columns[dose + 1]?.role === 'unit' ? dose + 1 : columns.findIndex(({ role }) => role === 'unit')
  const header = (columns[dose]?.header ?? '').replace(/\bdos\w+/gi, '')
  const lines = stacked && groupLines(row[at]?.words ?? [])
  const own = lines && lines.length === stacked.of ? makeRun(lines[stacked.line] ?? []).text : row[at]?.text
  return [own ?? '', header].map(printedUnit).find(({ unidade }) => unidade) ?? null
}

export function applyDoses(
  products: Draft['produtos'],
  row: Row,
  columns: readonly Column[],
  doseColumns: readonly number[],
  method: Method,
): void {
  for (const c of doseColumns) {
    const cell = row[c]
    if (!cell || cell.text === '' || saysNothing(cell.text)) continue
    const header = columns[c]?.header ?? ''
    const doses = readDoses(makeRun(cell.words), unitBeside(row, columns, c), method)
    // Doses in a single cell follow the order of the products that have none yet.
    const open = products.filter((product) => product.dose === null)
    const wanting = open.length > doses.length ? open.filter((product) => !isClass(product.nome.value)) : open
    wanting.forEach((product, i) => {
      const dose = doses.length === 1 && wanting.length > 1 && i > 0 ? undefined : doses[i]
      if (!dose?.dose) return
      product.dose = dose.dose
      product.unidade = dose.unidade ?? unitByFormulation(header, product.nome.value)
    })
  }
}
