import type { RowLabel } from '@ensaio/domain/tables'
import { makeRun, wordsIn } from '../layout/run.ts'
import type { Method } from '../result.ts'
import type { Cell } from '../tables/table.ts'
import { findModes, isControl, readMode } from '../values/lexicon.ts'
import { readCell, readNumber, toNumber } from '../values/number.ts'
import { saysNothing } from '../values/text.ts'
import { inKilos, printedUnit, yieldUnit } from '../values/units.ts'
import type { Column } from './columns.ts'
import { readDoses } from './doses.ts'
import { type Draft, emptyDraft, leadingCode, normalCode, readCode } from './draft.ts'
import { productOfHeading } from './heading-product.ts'
import { signBehind } from './marked-notes.ts'
import type { Row } from './orient.ts'
import { applyCost, applyDoses, readProductCells } from './product-cells.ts'
import { cleanName } from './product-names.ts'
import { readDescription } from './products.ts'
import { fillValues } from './row-values.ts'
import { isShortName } from './short-names.ts'

/** A row with the line that it stands under, and the sum that closes it. */
export interface Entry {
  row: Row
  section: string
  cell: Cell | null
  total?: Cell
  /** What a person says that the row is, or what it was taken for. */
  label?: RowLabel
  given?: boolean
}

/** 'TEST | testemunha', 'METARHIZ_1 | Metarriz WP 500 g/ha': the short names that a program knows treatments by. */
function aliasesAt(entries: readonly Entry[], columns: readonly Column[]): number {
  return columns.findIndex(({ role }, c) => {
    const texts = entries.map(({ row }) => row[c]?.text ?? '')
    return (
      role === 'ignore' &&
      texts.length >= LEAST_ALIASES &&
      new Set(texts).size === texts.length &&
      texts.every((text) => ALIAS.test(text))
    )
  })
}
const ALIAS = /^\p{Lu}[\p{Lu}\d_.+/-]{1,14}$/u
const LEAST_ALIASES = 3

/** Rows become treatments; further rows of one treatment are added to it. */
export function buildDrafts(
  entries: readonly Entry[],
  columns: readonly Column[],
  method: Method,
  title: string,
): Draft[] {
  const index = (role: Column['role']): number => columns.findIndex((column) => column.role === role)
  const code = index('code')
  const name = index('name')
  const product = index('product')
  const key = code >= 0 ? code : name >= 0 ? name : -1
  const alias = name >= 0 ? aliasesAt(entries, columns) : -1
  const symbols = code < 0 && namesBySymbols(entries.flatMap(({ row }) => row[name]?.text || []))
  const drafts: Draft[] = []
  const counted = countsByRow(
    entries.map((entry) => entry.row),
    code,
  )
  let previous: Row = []
  for (const [r, entry] of entries.entries()) {
    const { row, section, cell: sectionCell, total } = entry
    const last = drafts.at(-1)
    const continuation =
      last !== undefined &&
      (entry.given
        ? entry.label === 'more'
        : r > counted &&
          !hasFreshYield(row, previous, columns) &&
          key >= 0 &&
          (continues(row, previous, key) || repeatsCode(row, previous, { code, dose: index('dose') })) &&
          (product >= 0 || name >= 0))
    entry.label = continuation ? 'more' : 'treatment'
    if (continuation && last) extendDraft(last, row, columns, method, previous)
    else {
      const draft = draftFrom(row, columns, { method, title, symbols })
      const short = row[alias]?.text
      if (short) draft.alias = short
      if (!draft.modalidade && sectionCell) {
        const mode = readMode(section)
        if (mode) draft.modalidade = { value: mode, words: sectionCell.words, score: 0.8, method }
      }
      if (
        draft.nome ||
        draft.code ||
        draft.produtividade ||
        draft.produtos.length > 0 ||
        draft.analises.length > 0 ||
        draft.loose ||
        // Where no row has a name, each counts by its place.
        (key < 0 && product < 0)
      )
        drafts.push(draft)
      else entry.label = 'out'
    }
    const closed = drafts.at(-1)
    const sum = total ? readCell(total.text) : null
    if (closed && total && sum !== null)
      closed.custo = { value: sum, words: total.words, score: 0.85, method }
    previous = row
  }
  if (!entries.some(({ given }) => given)) dropStatistics(drafts)
  if (method === 'table' && (code >= 0 || drafts.some((draft) => draft.scanned))) fillCodes(drafts)
  return drafts
}

/** Rows at the end whose label a scan lost: a CV or a DMS is far below any yield. */
function dropStatistics(drafts: Draft[]): void {
  const yields = drafts.flatMap((draft) => draft.produtividade?.value ?? []).sort((a, b) => a - b)
  const usual = yields[Math.floor(yields.length / 2)] ?? 0
  for (let last = drafts.at(-1); last && drafts.length > 2; last = drafts.at(-1)) {
    const named = last.code !== null || last.nome !== null || last.produtos.length > 0
    if (named || !last.produtividade || last.produtividade.value > 0.15 * usual) return
    drafts.pop()
  }
}

/** Codes count on: one that could not be read between '04' and '06' is '5', and '13' between T2 and T4 is '3'. */
function fillCodes(drafts: readonly Draft[]): void {
  const place = (value: string): number => (/^\d+$/.test(value) ? Number(value) : value.charCodeAt(0))
  const known = drafts.flatMap((draft, i) => (draft.code === null ? [] : [{ code: draft.code, at: i }]))
  const offsets = known.map(({ code, at }) => place(code) - at)
  const offset = [...offsets].sort((a, b) => a - b)[Math.floor(offsets.length / 2)]
  const example = known.find((_, i) => offsets[i] === offset)?.code
  if (offset === undefined || !example || known.length < 2) return
  const agree = offsets.filter((value) => value === offset).length
  const misread = known.filter((_, i) => offsets[i] !== offset).map(({ at }) => drafts[at])
  const scanned = misread.every((draft) => draft?.scanned)
  // Counting from 1, or from A, two that agree are enough.
  const begins = offset === 1 || offset === 65
  if (!scanned || agree < 2 || agree < (begins ? 0.4 : 0.6) * drafts.length || misread.length > 1) return
  drafts.forEach((draft, i) => {
    draft.code = /^\d+$/.test(example) ? String(offset + i) : String.fromCharCode(offset + i)
  })
}

/** 'Maxi Adere 100 mL/ha ..... 309 @/ha' in one cell: what ends it is the yield. */
function yieldInName(draft: Draft, cell: Cell, method: Method): void {
  const tail = /(?:^|\s)(\d[\d.,]*)\s*(\S{1,6}\s?\/\s?ha)$/.exec(cell.text)
  const unit = tail?.[2] ? yieldUnit(tail[2]) : null
  const value = tail?.[1] ? readNumber(tail[1]) : null
  if (!tail?.[1] || !unit || value === null || value * unit.factor < 400) return
  const words = cell.words.filter((word) => word.text === tail[1])
  draft.produtividade = {
    ...inKilos(value, unit),
    words: words.slice(-1),
    score: 0.8,
    method,
  }
  const spoilt = draft.produtos.findIndex((product) => product.dose?.value === value)
  if (spoilt >= 0) draft.produtos.splice(spoilt, 1)
  if (draft.nome) draft.nome = { ...draft.nome, value: cleanName(draft.nome.value.replace(tail[0], '')) }
}

/** 'Organomineral 4-14-08, 1,0 t/ha' beside a yield of its own: what was applied. */
function tonnesInName(draft: Draft, cell: Cell, method: Method): void {
  const tail = TONNES.exec(cell.text)
  const value = toNumber(tail?.[1] ?? '')
  const [product] = draft.produtos
  if (!tail || value === null || draft.produtos.length > 1 || product?.dose) return
  const nome = cleanName((product?.nome.value ?? cell.text).replace(TONNES, ''))
  const words = cell.words.filter(({ text }) => text.replace(/^[(,]|[),]$/g, '') === tail[1])
  if ((nome.match(/\p{L}/gu)?.length ?? 0) < 3) return
  const of = product?.nome ?? { value: nome, words: cell.words, score: 0.8, method }
  draft.produtos = [
    {
      nome: { ...of, value: nome },
      dose: { value: 1000 * value, words: words.slice(-1), score: 0.85, method },
      ...{ unidade: 'kg/ha', custo: null },
    },
  ]
  if (draft.nome && cleanName(draft.nome.value) === '') draft.nome = { ...draft.nome, value: nome }
}
const TONNES = /[\s,;(–-]+(\d{1,2}(?:[.,]\d{1,2})?)\s?t(?:on)?(?:\s?\/\s?ha|\sha\s?[-−–]\s?1)\)?$/

/** A row with a yield of its own is a treatment of its own, even where its code was not read. */
export function hasFreshYield(row: Row, previous: Row, columns: readonly Column[]): boolean {
  return columns.some((column, c) => {
    const cell = row[c]
    return (
      column.role === 'yield' &&
      cell !== null &&
      cell !== undefined &&
      cell !== previous[c] &&
      readCell(cell.text) !== null &&
      (previous[c]?.text ?? '') !== ''
    )
  })
}

/** 'Dose de X (L/ha)' over 0, 2, 4: a curve of doses of one product, which the heading names. */
function nameByDose(draft: Draft, columns: readonly Column[], method: Method): void {
  const named = columns.filter(({ role, header }) => role === 'dose' && productOfHeading(header) !== null)
  const [column] = named
  const name = column && named.length === 1 ? productOfHeading(column.header) : null
  const first = draft.loose?.[0]
  if (!column?.words || name === null || !first?.dose || first.dose.value === 0) return
  const nome = { value: name, words: column.words, score: 0.8, method }
  draft.nome = nome
  draft.produtos = [{ nome, dose: first.dose, unidade: first.unidade, custo: null }]
}

/** Longer cells are sentences, which may name the control among others. */
const LONGEST_NAME = 90

const isRecognised = (cell: Cell): boolean => cell.words.some((word) => word.ocr !== undefined)

/**
 * The last row of recognised codes that count on row by row, -1 if they do not: a row among them whose code was
 * lost is no further row of the one above.
 */
function countsByRow(rows: readonly Row[], code: number): number {
  const known = rows.flatMap((row, r) => {
    const cell = code >= 0 ? row[code] : null
    const value = cell && isRecognised(cell) ? Number(readCode(cell.text)) : Number.NaN
    return Number.isInteger(value) ? [{ offset: value - r, r }] : []
  })
  const regular = new Set(known.map(({ offset }) => offset)).size === 1
  return regular && known.length >= 3 && known.length >= 0.5 * rows.length ? (known.at(-1)?.r ?? -1) : -1
}

/** 'C', 'N80', 'R', 'R+A' of one column are names that the text explains, and none of them a code. */
function namesBySymbols(texts: readonly string[]): boolean {
  const letters = texts.filter((text) => /^[A-Z]$/.test(text)).join('')
  return (
    texts.length >= 3 &&
    texts.every(isShortName) &&
    texts.some((text) => readCode(text) === null) &&
    !'ABCDEFGH'.startsWith(letters || '-')
  )
}

/** 'Com inoculação, 40 kg/ha de N' beside its products: a level of each factor. */
const LEVELS = /^(?:Sem|Com|Aus[êe]ncia|Presen[çc]a)\s(?:d[aeo]\s)?\p{L}+,\s\d/u

function draftFrom(
  row: Row,
  columns: readonly Column[],
  { method, title, symbols }: { method: Method; title: string; symbols: boolean },
): Draft {
  const draft = emptyDraft()
  let inName: Draft['modalidade'] = null
  const at = (role: Column['role']): Cell[] =>
    columns.flatMap((column, c) => (column.role === role && row[c] && row[c].text !== '' ? [row[c]] : []))
  const [codeCell] = at('code')
  if (codeCell) {
    draft.scanned = isRecognised(codeCell)
    const code = readCode(codeCell.text)
    draft.code = code ? normalCode(code) : null
    // '6 - TEST.'
    draft.control = code !== null && isControl(codeCell.text)
  }
  const [nameCell] = at('name')
  const [productCell] = at('product')
  // '120 kg/ha de N com redutor' beside what it consists of
  const matrix = columns.some(({ role }) => role === 'productDose')
  if (nameCell) {
    let run = makeRun(nameCell.words)
    const lead = leadingCode(run.text)
    if (isRecognised(nameCell)) draft.scanned = true
    if (lead) {
      draft.code ??= lead.code
      run = makeRun(run.spans.filter((span) => span.start >= lead.end).map((span) => span.word))
    }
    const bare = readCode(nameCell.text)
    // Beside a number of its own, 'A' or 'P1' stands for a product.
    const letter = /^(?!T)[A-Z]\d{0,2}$/.test(nameCell.text) && /^\d/.test(draft.code ?? '')
    if (bare && !lead && !letter && !symbols) draft.code ??= normalCode(bare)
    else if (productCell ? LEVELS.test(run.text) : matrix && /^\d/.test(run.text)) {
      const words = run.spans.map(({ word }) => word)
      draft.nome = { value: run.text, words, score: 0.9, method }
      draft.control = isControl(run.text)
    } else {
      const described = readDescription(run, method)
      draft.nome = described.nome
      // 'Controle + X 1 L/ha' is what the control gets and more.
      draft.control =
        run.text.length < LONGEST_NAME &&
        isControl(run.text) &&
        described.produtos.every((product) => product.dose === null)
      if (!productCell) draft.produtos = described.produtos
      const named = new Set(described.produtos.flatMap((product) => product.nome.words))
      const way = described.produtos.some((product) => product.dose !== null) ? findModes(run.folded) : []
      const mode = way
        .map((found) => ({ value: found.value, words: wordsIn(run, found.start, found.end) }))
        .find(({ words }) => !words.every((word) => named.has(word)))
      // 'X (100 mL/ha, sulco)'
      if (mode && !draft.control) inName = { ...mode, score: 0.7, method }
    }
  }
  // '300 mL* + 1.500 g': behind a dose, too.
  const doses = at('dose')[0]?.text.split(/\s\+\s/) ?? []
  const [sign] = [(productCell ?? nameCell)?.text ?? '', ...doses].flatMap((text) => signBehind(text) ?? [])
  if (sign !== undefined) draft.sign = sign
  const measured = columns.some(({ role }, c) => role === 'yield' && readCell(row[c]?.text ?? '') !== null)
  if (nameCell && measured) tonnesInName(draft, nameCell, method)
  else if (nameCell) yieldInName(draft, nameCell, method)
  readProductCells(draft, row, columns, method)
  // 'Só a adubação da fazenda' is no product of the control.
  if (draft.control) draft.produtos = draft.produtos.filter((product) => product.dose !== null)
  const [doseCell] = at('dose')
  if (
    doseCell &&
    (!nameCell || (readCode(nameCell.text) && draft.produtos.length === 0)) &&
    !productCell &&
    !saysNothing(doseCell.text)
  ) {
    const header = columns.find((column) => column.role === 'dose')?.header ?? ''
    draft.loose = readDoses(makeRun(doseCell.words), printedUnit(header.replace(/\bdos\w+/gi, '')), method)
    nameByDose(draft, columns, method)
    applyCost(draft, row, columns, method)
  }
  if (productCell && isControl(productCell.text)) {
    draft.control = true
    draft.nome ??= { value: productCell.text, words: productCell.words, score: 0.9, method }
  }
  fillValues(draft, row, columns, method, title)
  draft.modalidade ??= inName ?? onSeeds(row, columns, method) ?? inHeading(draft, columns, method)
  const naming = row.find((c) => c && c.text.length < LONGEST_NAME && isControl(c.text))
  if (!draft.control && !draft.nome && naming) {
    draft.control = true
    draft.nome = { value: naming.text, words: naming.words, score: 0.85, method }
  }
  return draft
}

/** 'O que foi aplicado em cobertura' over the names */
function inHeading({ control }: Draft, columns: readonly Column[], method: Method): Draft['modalidade'] {
  const column = columns.find(({ role }) => role === 'name')
  const value = column && !control ? readMode(column.header) : null
  return column?.words && value ? { value, words: column.words, score: 0.7, method } : null
}

/** 'Dose (mL/60.000 sementes)' says where it goes, also where its unit is none of ours. */
function onSeeds(row: Row, columns: readonly Column[], method: Method): Draft['modalidade'] {
  const at = columns.findIndex(({ role, header }) => role === 'dose' && /\bsementes?\b/i.test(header))
  const cell = row[at]
  if (!cell || saysNothing(cell.text)) return null
  return { value: 'Sementes', words: columns[at]?.words ?? cell.words, score: 0.75, method }
}

/** A further row of the same treatment: its product, dose and whatever the first row left open. */
function extendDraft(
  draft: Draft,
  row: Row,
  columns: readonly Column[],
  method: Method,
  previous: Row,
): void {
  const fresh = row.map((cell, c) => (cell && cell !== previous[c] ? cell : null))
  const part = emptyDraft()
  readProductCells(part, fresh, columns, method)
  const nameAt = columns.findIndex((column) => column.role === 'name')
  const nameCell = nameAt >= 0 ? fresh[nameAt] : null
  if (nameCell && part.produtos.length === 0) {
    const described = readDescription(makeRun(nameCell.words), method)
    part.produtos = described.produtos
    if (described.nome && draft.nome && !draft.control)
      draft.nome = {
        ...draft.nome,
        value: `${draft.nome.value} + ${described.nome.value}`,
        words: [...draft.nome.words, ...described.nome.words],
      }
    applyDoses(
      part.produtos,
      fresh,
      columns,
      columns.flatMap((column, c) => (column.role === 'dose' ? [c] : [])),
      method,
    )
    applyCost(part, fresh, columns, method)
  }
  fillValues(part, fresh, columns, method, '')
  draft.produtos.push(...part.produtos)
  draft.produtividade ??= part.produtividade
  draft.custo ??= part.custo
  draft.modalidade ??= part.modalidade
  for (const analysis of part.analises)
    if (!draft.analises.some((known) => known.nome === analysis.nome)) draft.analises.push(analysis)
}

/** Whether the row is a further row of the treatment above it. */
/** '3 | X | 1,0' and '3 | Y | 5,0' below each other: a product a row. */
function repeatsCode(row: Row, previous: Row, { code, dose }: { code: number; dose: number }): boolean {
  const own = code < 0 || dose < 0 ? null : readCode(row[code]?.text ?? '')
  return own !== null && own === readCode(previous[code]?.text ?? '') && row[dose] !== previous[dose]
}

export function continues(row: Row, previous: Row, key: number): boolean {
  const cell = row[key]
  return !cell || cell.text === '' || cell === previous[key]
}
