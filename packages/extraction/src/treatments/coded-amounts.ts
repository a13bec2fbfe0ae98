import type { Document } from '../document.ts'
import type { Block, Line } from '../layout/lines.ts'
import { makeRun, type Run, wordsIn } from '../layout/run.ts'
import { COSTS, GAINS, RETURNS, YIELDS } from '../values/headings.ts'
import { NUMBER_SOURCE, toNumber } from '../values/number.ts'
import { fold } from '../values/text.ts'
import { inKilos, yieldUnit } from '../values/units.ts'
import { splitUnit } from '../values/variables.ts'
import type { Draft, Found } from './draft.ts'

/** 'T1 288', 'Faixa 2: R$ 21,00', '1 = 171 g', '2 ➜ 63,0 sc/ha', '(T3) chegamos a 11.690 kg/ha'. */
const ENTRY = new RegExp(
  String.raw`(?<![\p{L}\d,./-])(?:(?:t|trat\.?|tratamento|faixa|parcela|area|lote)\s?0?(\d{1,2})\)?\s*(?:[=:>→➜➔–|-]\s*|(?:[a-z]+\s){0,3}a?\s?)|0?(\d{1,2})\s*[=:>→➜➔]\s*)(r\$\s*)?(${NUMBER_SOURCE})(?![\d/])\s*((?:kg|sc|scs|sacas?|sacos?|t|@)\s*(?:\/|por)\s*(?:ha|hectare)|%|[a-zµ°º]{1,3}(?:\/[a-z\d²]{1,6})?(?![a-z]))?`,
  'gu',
)
/** What may stand between two of them. */
const BETWEEN = /^[\s|;,.•·/]*(?:e\s|ja\s(?:o|a)\s)?[^\d:;.•|]{0,24}$/

interface Entry {
  code: string
  money: boolean
  printed: string
  unit: string
  start: number
  end: number
  at: number
}

/** One amount a treatment, code by code in their order, behind a word that says of what. */
export function fillCodedAmounts(document: Document, drafts: readonly Draft[]): void {
  if (drafts.length < 2) return
  fillLettered(document, drafts)
  for (const { blocks } of document.pages) {
    const run = textOf(blocks)
    let end = 0
    fillSingle(run, drafts)
    for (const list of listsIn(run, drafts)) {
      const [first] = list
      if (first) fill(run, list, labelBefore(run.text.slice(end, first.start)), drafts)
      end = list.at(-1)?.end ?? end
    }
  }
}

const texts = new WeakMap<readonly Block[], Run>()
const known = new WeakMap<Run, Entry[]>()

/** The text of a page, put together once however often its tables are read. */
function textOf(blocks: readonly Block[]): Run {
  const run =
    texts.get(blocks) ?? makeRun(blocks.flatMap(({ segments }) => segments.flatMap(({ words }) => words)))
  texts.set(blocks, run)
  return run
}

const byCode = (drafts: readonly Draft[], code: string): Draft | undefined =>
  drafts.some((draft) => draft.code !== null)
    ? drafts.find((draft) => draft.code === code)
    : drafts[Number(code) - 1]

function entriesIn(run: Run): Entry[] {
  const entries = known.get(run) ?? findEntries(run)
  known.set(run, entries)
  return entries
}

const findEntries = (run: Run): Entry[] =>
  [...run.folded.matchAll(ENTRY)].map((match) => {
    const printed = match[4] ?? ''
    const start = match.index
    const end = start + match[0].length
    const unit = match[5] ?? ''
    const at =
      end -
      unit.length -
      (match[0].slice(0, match[0].length - unit.length).match(/\s*$/)?.[0].length ?? 0) -
      printed.length
    return {
      code: String(Number(match[1] ?? match[2])),
      money: match[3] !== undefined,
      printed,
      unit,
      start,
      end,
      at,
    }
  })

/** Runs of entries whose codes count on, one for each treatment or for all but the control. */
function listsIn(run: Run, drafts: readonly Draft[]): Entry[][] {
  const lists: Entry[][] = []
  for (const entry of entriesIn(run)) {
    const { start } = entry
    const open = lists.at(-1)
    const last = open?.at(-1)
    const next =
      last &&
      Number(entry.code) === Number(last.code) + 1 &&
      BETWEEN.test(run.folded.slice(last.end, start).replace(/\([^()]*\)/g, ''))
    if (open && next && entry.money === last.money) open.push(entry)
    else lists.push([entry])
  }
  return lists.filter(
    (list) =>
      list.length >= 2 && list.length >= drafts.length - 1 && list.every(({ code }) => byCode(drafts, code)),
  )
}

const LEAST_LETTERS = 3

/** 'SPAD: A 41,2  B 42,0  C 39,8', whichever gaps its lines have: every treatment's letter, and its amount. */
function fillLettered({ pages }: Document, drafts: readonly Draft[]): void {
  const codes = drafts.flatMap(({ code }) => (code !== null && /^[A-H]$/.test(code) ? [code] : [])).sort()
  if (codes.length < LEAST_LETTERS || codes.length < drafts.length) return
  const every = new RegExp(
    String.raw`(?<![\p{L}\d])${codes.map((code) => String.raw`${code}\s*[:=]?\s*(?:${NUMBER_SOURCE})`).join(String.raw`[\s;,|]{1,4}`)}(?![\p{L}\d])`,
    'gu',
  )
  const one = new RegExp(String.raw`([A-H])\s*[:=]?\s*(${NUMBER_SOURCE})`, 'g')
  for (const { lines } of pages) {
    const run = linedUp(lines)
    for (const { 0: text, index } of run.text.matchAll(every)) {
      const list = [...text.matchAll(one)].map(({ 0: said, 1: code = '', 2: printed = '', index: from }) => {
        const [start, end] = [index + from, index + from + said.length]
        return { code, money: false, printed, unit: '', start, end, at: end - printed.length }
      })
      const label = labelBefore(run.text.slice(Math.max(0, index - LONGEST_LABEL), index))
      fill(run, list, label.replace(/^\d{1,2}\/\d{1,2}(?:\/\d{2,4})?\s+/, ''), drafts)
    }
  }
}
const LONGEST_LABEL = 90

const linedTexts = new WeakMap<readonly Line[], Run>()

/** The lines of a page one behind the other, put together once. */
function linedUp(lines: readonly Line[]): Run {
  const run = linedTexts.get(lines) ?? makeRun(lines.flatMap(({ words }) => words))
  linedTexts.set(lines, run)
  return run
}

const CONTROL_YIELD = new RegExp(
  String.raw`\b(?:testemunha|controle)(?:\s\(t\d\))?(?:\s[a-z]+){0,3}\s(?:produziu|rendeu|colheu|fechou|ficou|entregou|deu|alcancou|atingiu)(?:\s(?:com|em|a))?\s(${NUMBER_SOURCE})\s*((?:kg|sc|sacas?|t|@)\s*(?:\/|por)\s*(?:ha|hectare))`,
  'g',
)

/** 'O controle produziu 11.240 kg/ha; (T2) rendeu 11.395 kg/ha': yields told one by one, each with its unit. */
function fillSingle(run: Run, drafts: readonly Draft[]): void {
  const put = (draft: Draft | undefined, printed: string, said: string, from: number): void => {
    const unit = yieldUnit(`${printed} ${said}`)
    const value = toNumber(printed)
    const around =
      run.folded.slice(Math.max(0, from - 30), from) +
      run.folded.slice(from + printed.length, from + printed.length + 26)
    if (!draft || !unit || value === null || value * unit.factor < 250 || MORE.test(around)) return
    const words = wordsIn(run, from, from + printed.length)
    draft.produtividade ??= {
      ...inKilos(value, unit),
      words,
      score: 0.7,
      method: 'prose',
    }
  }
  for (const match of run.folded.matchAll(CONTROL_YIELD)) {
    const from = match.index + match[0].length - (match[2]?.length ?? 0)
    const at = run.folded.lastIndexOf(match[1] ?? '', from)
    put(
      drafts.find(({ control }) => control),
      match[1] ?? '',
      match[2] ?? '',
      at,
    )
  }
  for (const { draft, printed, unit, at } of namedYields(run, drafts)) put(draft, printed, unit, at)
  for (const entry of entriesIn(run)) put(byCode(drafts, entry.code), entry.printed, entry.unit, entry.at)
}

const HARVESTED = '(?:produz|rend|colh|fech|fic|entreg|alcanc|ating|cheg)[a-z]+|deu'
const TOLD = new RegExp(
  String.raw`^(?:\s\([^()]*\))?,?(?:\s(?!que\b|nao\b)[a-z]+){0,2}?\s(?:${HARVESTED})(?:\s(?!mais\b|menos\b)[a-z]+){0,3}?\s(${NUMBER_SOURCE})\s*((?:kg|sc|sacas?|t|@)\s*(?:\/|por)\s*(?:ha|hectare))`,
)
const LEAST_NAME = 6
/** So often one name is looked at on a page. */
const MOST_TIMES = 40

/** 'Com silício no colmo colhemos 8,55 t/ha': yields told of treatments by their names. */
function namedYields(
  run: Run,
  drafts: readonly Draft[],
): { draft: Draft; printed: string; unit: string; at: number }[] {
  const names = drafts
    .filter(({ produtividade, nome }) => produtividade === null && (nome?.value.length ?? 0) >= LEAST_NAME)
    .map((draft) => ({ draft, name: fold(draft.nome?.value ?? '') }))
    .sort((a, b) => b.name.length - a.name.length)
  let taken: [number, number][] = []
  return names.flatMap(({ draft, name }) => {
    let at = run.folded.indexOf(name)
    for (let times = 0; at >= 0 && times < MOST_TIMES; times++, at = run.folded.indexOf(name, at + 1)) {
      const end = at + name.length
      const inLonger = taken.some(([from, to]) => at >= from && end <= to)
      if (inLonger || /[a-z\d]/.test(run.folded[at - 1] ?? '')) continue
      taken = [...taken, [at, end]]
      const told = TOLD.exec(run.folded.slice(end, end + 120))
      if (!told?.[1] || !told[2]) continue
      const from = end + told[0].length - told[2].length
      return [{ draft, printed: told[1], unit: told[2], at: run.folded.lastIndexOf(told[1], from) }]
    }
    return []
  })
}
const MORE =
  /\bmais\b|\bacima\b|\bsuperior|\bganh|\bincrement|\bdiferenc|\bacresc|\ba menos\b|\bdose|\bsobre [ao]s?\b|\bsomou\b/

function labelBefore(text: string): string {
  const label =
    text
      .replace(/[\s:*=–—>-]+$/, '')
      .split(/[.;:•|!?]\s|\n|(?<=\d)\s(?=\p{Lu})|\*/u)
      .at(-1)
      ?.trim() ?? ''
  return label.length > 60 ? '' : label
}

function fill(run: Run, list: readonly Entry[], label: string, drafts: readonly Draft[]): void {
  const h = fold(label)
  if (GAINS.test(h) || RETURNS.test(h)) return
  const money = list.every((entry) => entry.money) || (COSTS.test(h) && list.every(({ unit }) => unit === ''))
  const unit =
    list.map(({ printed, unit }) => yieldUnit(`${printed} ${unit}`)).find((u) => u !== null) ??
    yieldUnit(label)
  const { nome, unidade } = splitUnit(label)
  // A column of measurements under its own heading is no harvest.
  const measured = new Set(drafts.flatMap(({ analises }) => analises.flatMap(({ valor }) => valor.words)))
  if (
    list.some(({ at, printed }) => wordsIn(run, at, at + printed.length).some((word) => measured.has(word)))
  )
    return
  for (const { code, printed, at, unit: beside } of list) {
    const draft = byCode(drafts, code)
    const value = toNumber(printed)
    if (!draft || value === null) continue
    const found: Found<number> = {
      value,
      words: wordsIn(run, at, at + printed.length),
      score: 0.75,
      method: 'list',
    }
    if (money) {
      if (COSTS.test(h) || /\binvest/.test(h)) draft.custo ??= found
    } else if (unit && (YIELDS.test(h) || value * unit.factor >= 250)) {
      draft.produtividade ??= { ...found, ...inKilos(value, unit) }
    } else if (!unit && /\p{L}{2}/u.test(nome) && isNew(draft, nome, found))
      draft.analises.push({ nome, unidade: unidade ?? (beside === '' ? null : beside), valor: found })
  }
}

const isNew = ({ analises }: Draft, nome: string, { words }: Found<number>): boolean =>
  !analises.some((known) => fold(known.nome) === fold(nome) || known.valor.words[0] === words[0])
