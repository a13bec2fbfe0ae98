import { matchLabel } from '../fields/labels.ts'
import { makeRun } from '../layout/run.ts'
import type { Method } from '../result.ts'
import type { Cell, Table } from '../tables/table.ts'
import { findModes, isControl, readMode } from '../values/lexicon.ts'
import { readCell, readNumber, round } from '../values/number.ts'
import { fold, hasLetters, saysNothing } from '../values/text.ts'
import { doseUnit, yieldUnit } from '../values/units.ts'
import { type Column, MEANS, readMeasured, splitUnit, typeColumns } from './columns.ts'
import { type Draft, emptyDraft, type Found, leadingCode, normalCode, readCode } from './draft.ts'
import { headerText, orient, type Row, spansAll } from './orient.ts'
import { applyCost, applyDoses, readProductCells } from './product-cells.ts'
import { cleanName, readDescription, readDoses } from './products.ts'

/** What one table says of the treatments. */
export interface TreatmentTable {
  drafts: Draft[]
  columns: Column[]
  /** Whether rows are named or numbered, so that they can be joined by more than their order. */
  keyed: boolean
  /** Rows of means, CV and the like that were left out. */
  dropped: number
  title: string
  page: number
  score: number
  /** Where the table itself begins, below lists that were caught with it. */
  y0: number
}

const STATISTICS =
  /^(?:medias?(?: geral(?: .*)?| d[aeo]s? .*)?|c{1,2}\.? ?v\.?(?: ?\(?%?\)?)?.*|coef\w*.*|d\.?m\.?s\.?.*|f(?: ?calc\w*| ?cal\.?| ?\(.*\)| tratamentos?| ?trat.*)?|fc|p|pr ?> ?f.*|p-?valor.*|p ?[<>=].*|valor[- ]?(?:de )?p|teste .*|erro.*|desvio.*|totais?|total .*|signific\w*.*|r2|r²|minimo|maximo|amplitude.*|tukey.*|q\.?m\.?.*|g\.?l\.?|residuo|blocos?|somas?|soma .*|fonte.*|nota.*|medias seguidas.*|\*.*|ns.*|obs.*|incremento.*|ganho.*|diferenca.*)$/

/** Turns a table into treatments if it is one of treatments; null otherwise. */
export function readTreatmentTable(table: Table, method: Method): TreatmentTable | null {
  const upright = orient(table)
  if (!upright) return null
  const { header, body } = upright
  if (listsLabels(body)) return null
  if (body.length === 0) return null
  const width = Math.max(...body.map((row) => row.length))
  const headers = Array.from({ length: width }, (_, c) => headerText(header, c))
  const sections: { row: Row; section: string; cell: Cell | null }[] = []
  let section = ''
  let dropped = 0
  let sectionCell: Cell | null = null
  for (const row of body) {
    const cells = [...new Set(row)].filter((cell): cell is Cell => cell !== null && cell.text !== '')
    const only = cells[0]
    const first = cells.find((cell) => hasLetters(cell.text))?.text ?? ''
    if (cells.length === 0) continue
    if (STATISTICS.test(fold(first)) && !isControl(first)) {
      dropped++
      continue
    }
    if (
      cells.length === 1 &&
      only &&
      width > 2 &&
      hasLetters(only.text) &&
      !isControl(only.text) &&
      (row[0] === only || spansAll(row)) &&
      body.length > 2
    ) {
      if (
        /^(?:fonte|nota|obs|\*|medias? seguid|legenda|letras)/.test(fold(only.text)) ||
        only.words.length > 9
      )
        continue
      if (looksLikeSection(only.text)) {
        section = only.text
        sectionCell = only
        continue
      }
    }
    sections.push({ row, section, cell: sectionCell })
  }
  const rows = sections.map((entry) => entry.row)
  const columnsCells = headers.map((_, c) => [
    ...new Set(rows.map((row) => row[c]).filter((cell): cell is Cell => cell != null)),
  ])
  const columns = typeColumns(headers, columnsCells, table.title, rows.length)
  refineCosts(columns, rows)
  const score = likelihood(columns, rows, table.title)
  if (score < 0.5 && !isKeyless(columns, rows)) return null
  const drafts = buildDrafts(sections, columns, method, table.title)
  if (drafts.length < 1) return null
  const keyed = columns.some((column) => ['code', 'name', 'product'].includes(column.role))
  return {
    drafts,
    columns,
    keyed,
    dropped,
    title: table.title,
    page: table.page,
    score,
    y0: topOf([...header, ...body], table),
  }
}

/** A list of labels and values, not of treatments. */
function listsLabels(body: readonly Row[]): boolean {
  const labels = body.filter((row) =>
    matchLabel(row[0]?.text ?? '').some((m) => m.target !== 'other' && m.score >= 0.8 && m.cover > 0.5),
  )
  return body.length >= 3 && labels.length > 0.5 * body.length
}

function topOf(rows: readonly Row[], table: Table): number {
  const cells = rows
    .flat()
    .filter((cell): cell is Cell => cell !== null && cell.page === table.page && cell.text !== '')
  return cells.length > 0 ? Math.max(table.y0, Math.min(...cells.map((cell) => cell.y0)) - 2) : table.y0
}

function looksLikeSection(text: string): boolean {
  return !/\d\s*(?:ml|l|kg|g)\s*\/?/i.test(text) || findModes(fold(text)).length > 0
}

/** A cost column with a different value beside every product of a merged treatment is a product's cost. */
function refineCosts(columns: Column[], rows: readonly Row[]): void {
  const key = columns.findIndex((column) => column.role === 'code' || column.role === 'name')
  const product = columns.findIndex((column) => column.role === 'product')
  columns.forEach((column, c) => {
    if (column.role !== 'cost') return
    if (
      /\bprodutos?\b|\bunit\w*|\bitem\b|\binsumo\b/.test(fold(column.header)) &&
      !/tratamento|total/.test(fold(column.header))
    ) {
      column.role = 'productCost'
      return
    }
    if (key < 0 || (product < 0 && columns[key]?.role !== 'code')) return
    let continued = 0
    let own = 0
    rows.forEach((row, r) => {
      if (
        r === 0 ||
        !continues(row, rows[r - 1] ?? [], key) ||
        hasFreshYield(row, rows[r - 1] ?? [], columns)
      )
        return
      continued++
      const cell = row[c]
      if (cell && cell.text !== '' && cell !== rows[r - 1]?.[c]) own++
    })
    if (continued > 0 && own > 0.6 * continued && !/tratamento|total/.test(fold(column.header)))
      column.role = 'productCost'
  })
}

function continues(row: Row, previous: Row, key: number): boolean {
  const cell = row[key]
  return !cell || cell.text === '' || cell === previous[key]
}

function likelihood(columns: readonly Column[], rows: readonly Row[], title: string): number {
  const has = (role: Column['role']): boolean => columns.some((column) => column.role === role)
  const control = rows.some((row) =>
    row.some((cell) => cell && isControl(cell.text) && cell.text.length < 70),
  )
  let score = 0
  if (control) score += 0.5
  const codes = columns.find((column) => column.role === 'code')
  if (codes) score += codes.score > 0.9 ? 0.3 : 0.2
  if (codes && (has('cost') || has('analysis'))) score += /^trat/.test(fold(codes.header)) ? 0.2 : 0.1
  if (has('name')) score += 0.15
  if (has('product')) score += 0.2
  if (has('dose')) score += 0.2
  if (has('yield')) score += 0.3
  if (has('mode')) score += 0.15
  if (has('cost')) score += 0.1
  if (/tratament|produtiv|rendiment/.test(fold(title))) score += 0.1
  if (!has('name') && !has('code') && !has('product')) score -= control ? 0.1 : 0.35
  if (rows.length < 2) score -= 0.3
  return score
}

const SOIL = /\bargila\b|\bph\b|\bctc\b|\bareia\b|\bsilte\b|\bprofundidade\b|\bp \(|\bm\.?o\.?\b/

/** Only measurements, row by row: columns of a sheet whose first columns are on another page. */
function isKeyless(columns: readonly Column[], rows: readonly Row[]): boolean {
  if (
    rows.length < 3 ||
    columns.some((column) => ['code', 'name', 'product', 'replicate'].includes(column.role))
  )
    return false
  if (columns.some((column) => SOIL.test(fold(column.header)))) return false
  return columns.some(
    ({ role, score }) =>
      role === 'yield' ||
      role === 'cost' ||
      role === 'analysis' ||
      ((role === 'dose' || role === 'mode') && score >= 0.85),
  )
}

function buildDrafts(
  entries: readonly { row: Row; section: string; cell: Cell | null }[],
  columns: readonly Column[],
  method: Method,
  title: string,
): Draft[] {
  const index = (role: Column['role']): number => columns.findIndex((column) => column.role === role)
  const code = index('code')
  const name = index('name')
  const product = index('product')
  const key = code >= 0 ? code : name >= 0 ? name : -1
  const drafts: Draft[] = []
  let previous: Row = []
  for (const { row, section, cell: sectionCell } of entries) {
    const last = drafts.at(-1)
    const continuation =
      last !== undefined &&
      !hasFreshYield(row, previous, columns) &&
      key >= 0 &&
      continues(row, previous, key) &&
      (product >= 0 || name >= 0)
    if (continuation && last) extendDraft(last, row, columns, method, previous)
    else {
      const draft = draftFrom(row, columns, method, title)
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
    }
    previous = row
  }
  if (code >= 0 && method === 'table') fillCodes(drafts)
  return drafts
}

/** Codes count on: one that could not be read between '04' and '06' is '5'. */
function fillCodes(drafts: readonly Draft[]): void {
  const place = (value: string): number => (/^\d+$/.test(value) ? Number(value) : value.charCodeAt(0))
  const known = drafts.filter((draft) => draft.code !== null)
  const first = drafts.findIndex((draft) => draft.code !== null)
  const start = drafts[first]?.code
  if (!start || known.length === drafts.length || known.length < 0.6 * drafts.length || known.length < 2)
    return
  const offset = place(start) - first
  if (!drafts.every((draft, i) => draft.code === null || place(draft.code) === offset + i)) return
  drafts.forEach((draft, i) => {
    draft.code ??= /^\d+$/.test(start) ? String(offset + i) : String.fromCharCode(offset + i)
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
    value: round(value * unit.factor, 2),
    words: words.slice(-1),
    score: 0.8,
    method,
    rank: unit.rank,
  }
  const spoilt = draft.produtos.findIndex((product) => product.dose?.value === value)
  if (spoilt >= 0) draft.produtos.splice(spoilt, 1)
  if (draft.nome) draft.nome = { ...draft.nome, value: cleanName(draft.nome.value.replace(tail[0], '')) }
}

/** A row with a yield of its own is a treatment of its own, even where its code was not read. */
function hasFreshYield(row: Row, previous: Row, columns: readonly Column[]): boolean {
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

function draftFrom(row: Row, columns: readonly Column[], method: Method, title: string): Draft {
  const draft = emptyDraft()
  const at = (role: Column['role']): Cell[] =>
    columns.flatMap((column, c) => (column.role === role && row[c] && row[c].text !== '' ? [row[c]] : []))
  const [codeCell] = at('code')
  if (codeCell) {
    const code = readCode(codeCell.text)
    draft.code = code ? normalCode(code) : null
  }
  const [nameCell] = at('name')
  const [productCell] = at('product')
  if (nameCell) {
    let run = makeRun(nameCell.words)
    const lead = leadingCode(run.text)
    if (lead) {
      draft.code ??= lead.code
      run = makeRun(run.spans.filter((span) => span.start >= lead.end).map((span) => span.word))
    }
    const bare = readCode(nameCell.text)
    if (bare && !lead) draft.code ??= normalCode(bare)
    else {
      const described = readDescription(run, method)
      draft.nome = described.nome
      // 'Controle + X 1 L/ha' is what the control gets and more.
      draft.control = isControl(run.text) && described.produtos.every((product) => product.dose === null)
      if (!productCell) draft.produtos = described.produtos
    }
  }
  if (nameCell) yieldInName(draft, nameCell, method)
  readProductCells(draft, row, columns, method)
  const [doseCell] = at('dose')
  if (doseCell && !nameCell && !productCell && !saysNothing(doseCell.text)) {
    const header = columns.find((column) => column.role === 'dose')?.header ?? ''
    draft.loose = readDoses(makeRun(doseCell.words), doseUnit(header.replace(/\bdos\w+/gi, '')), method)
  }
  if (productCell && isControl(productCell.text)) {
    draft.control = true
    draft.nome ??= { value: productCell.text, words: productCell.words, score: 0.9, method }
  }
  fillValues(draft, row, columns, method, title)
  if (!draft.control && !draft.nome && row.some((cell) => cell && isControl(cell.text))) {
    const cell = row.find((c) => c && isControl(c.text))
    if (cell) {
      draft.control = true
      draft.nome = { value: cell.text, words: cell.words, score: 0.85, method }
    }
  }
  return draft
}

function fillValues(draft: Draft, row: Row, columns: readonly Column[], method: Method, title: string): void {
  const replicates: { value: number; cell: Cell }[] = []
  columns.forEach((column, c) => {
    const cell = row[c]
    if (!cell || cell.text === '') return
    if (column.role === 'mode') {
      const mode = readMode(cell.text)
      if (mode && !draft.modalidade)
        draft.modalidade = { value: mode, words: cell.words, score: column.score, method }
      return
    }
    const value = numberOf(cell)
    if (value === null) return
    const found = (amount: number, score: number): Found<number> => ({
      value: amount,
      words: numberWords(cell),
      score,
      method,
    })
    if (column.role === 'yield') {
      const unit = yieldUnit(cell.text) ?? column.yieldUnit
      if (!unit || value < 0) return
      const rank = unit.rank + column.score
      if (!draft.produtividade || rank > draft.produtividade.rank)
        draft.produtividade = {
          ...found(round(value * unit.factor, 2), column.score * (column.guessed ? 0.7 : 1)),
          rank,
          ...(column.guessed && { printed: value }),
        }
    } else if (column.role === 'cost') {
      if (!draft.custo || /total/.test(fold(column.header))) draft.custo = found(value, column.score)
    } else if (column.role === 'replicate') replicates.push({ value, cell })
    else if (column.role === 'analysis') {
      const { nome, unidade } = splitUnit(
        MEANS.test(fold(column.header)) ? captionVariable(title) : column.header,
      )
      const printed = unidade ?? (readMeasured(cell.text) === null ? null : unitOf(cell.text))
      if (nome !== '') draft.analises.push({ nome, unidade: printed, valor: found(value, column.score) })
    }
  })
  if (!draft.produtividade && replicates.length >= 3) averageReplicates(draft, replicates, title, method)
}

const unitOf = (text: string): string | null => /[a-zµ°º%²³][^\d]*$/i.exec(text.trim())?.[0] ?? null

/** The variable that a caption names: 'Tabela 2 - Altura de plantas (cm) por bloco'. */
function captionVariable(title: string): string {
  return (
    title.replace(/^(?:tabela|quadro)\s*\d*\s*[-–.:]*\s*/i, '').split(/\s(?:por|em|nos|das|dos)\s/i)[0] ?? ''
  )
}

/** Plots without their mean: the mean is what the treatment yielded. */
function averageReplicates(
  draft: Draft,
  replicates: readonly { value: number; cell: Cell }[],
  title: string,
  method: Method,
): void {
  const unit = yieldUnit(title)
  if (!unit) return
  const mean = replicates.reduce((sum, r) => sum + r.value, 0) / replicates.length
  draft.produtividade = {
    value: round(mean * unit.factor, 1),
    words: replicates.flatMap((r) => r.cell.words),
    score: 0.6,
    method,
    rank: unit.rank,
  }
}

function numberOf(cell: Cell): number | null {
  if (saysNothing(cell.text)) return null
  const strict = readCell(cell.text)
  if (strict !== null) return strict
  return /^\s*(?:R\$)?\s*[-+]?\d/.test(cell.text) && cell.text.length < 28
    ? readNumber(cell.text.replace(/^\s*R\$\s*/, ''))
    : null
}

/** The words of a cell that hold its number, without Tukey letters. */
function numberWords(cell: Cell): Cell['words'] {
  const numbers = cell.words.filter((word) => /\d/.test(word.text))
  return numbers.length > 0 ? numbers.slice(0, 1) : cell.words
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
