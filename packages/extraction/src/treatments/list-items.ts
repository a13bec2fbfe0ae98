import type { Block } from '../layout/lines.ts'
import { makeRun, type Run, runOf, sliceRun } from '../layout/run.ts'
import { isControl } from '../values/lexicon.ts'
import { NUMBER_SOURCE, toNumber } from '../values/number.ts'
import { fold } from '../values/text.ts'
import { DOSE_UNIT_SOURCE, yieldUnit } from '../values/units.ts'
import { leadingCode, normalCode } from './draft.ts'

/** The unit of a yield behind its amount: 'kg/ha', 'caixas de 22 kg por hectare'. */
export const YIELD_UNIT_SOURCE = String.raw`(?:kg|quilos?|sc|scs|sacas?|sacos?|caixas?|cxs?|t|ton|toneladas?|@|arrobas?)(?:\s*de\s*\d\d(?:[.,]\d)?\s*kg)?\s*(?:\/|por|\.|\s)?\s*(?:ha(?:-1)?|hectare)(?![a-z])`
export const YIELD = new RegExp(String.raw`(?<![\d.,])(${NUMBER_SOURCE})\s*(${YIELD_UNIT_SOURCE})`, 'g')
export const DOSED = new RegExp(`\\d\\s*${DOSE_UNIT_SOURCE}`)

/** In a scan bullets are lost or misread: lines that each tell a yield are items. */
export function linesAsItems(lines: readonly Run['spans'][number]['word'][][]): Run[] | null {
  if (lines.length < 3 || lines.some((words) => words.some((word) => word.ocr === undefined))) return null
  const items: Run[] = []
  let open: Run['spans'][number]['word'][] = []
  for (const words of lines) {
    open = [...open, ...words]
    const run = makeRun(open)
    if (!tellsYield(run.folded)) continue
    items.push(withoutMisread(run))
    open = []
  }
  return items.length >= 3 && items.length >= 0.6 * lines.length ? items : null
}

/** In kg/ha: less is a dose. */
const LEAST_YIELD = 150
function tellsYield(folded: string): boolean {
  return [...folded.matchAll(YIELD)].some(
    ([, value = '', unit = '']) => (toNumber(value) ?? 0) * (yieldUnit(unit)?.factor ?? 0) >= LEAST_YIELD,
  )
}

/** A short word that is hardly sure, where a scan's bullet was. */
function withoutMisread(run: Run): Run {
  const [first, ...rest] = run.spans.map(({ word }) => word)
  const misread = first && first.text.length <= 3 && !/\d/.test(first.text) && (first.ocr ?? 1) < 0.8
  return misread && rest.length > 0 ? makeRun(rest) : run
}

const COUNTED = /^(?:(\p{L}{2,12}\.?)\s)?\(?([A-H]|0?\d{1,2})\)?\s*[-–—:.)=]\s*(?=\p{L})/u
/** '1 Vigoril Max – aplicação foliar', its number in a circle. */
const NAMED_BEHIND = /^(\d{1,2})\s+(?=\p{Lu}\p{L}{2}[^–—]{0,60}\s[–—]\s)/u
const LONGEST_FRONT = 80
/** 'não foi inoculado nem recebeu nitrogênio, servindo de testemunha' */
export const SERVES =
  /\bserv\w+ (?:de|como) (?:a )?(?:testemunha|controle)\b|\bsendo [oa] (?:testemunha|controle)\b/
/** So many letters of a line say what it begins with. */
const FRONT = 24

/** What a line counts, in front of what it says; bare numbers count other things than treatments, too. */
function countAt(text: string): { word: string; code: string; length: number } | null {
  const [bare, number] = NAMED_BEHIND.exec(text.slice(0, LONGEST_FRONT)) ?? []
  if (bare && number) return { word: '', code: number, length: bare.length }
  const [front, word = '', code = ''] = COUNTED.exec(text.slice(0, FRONT)) ?? []
  return front && (word !== '' || /[A-H]/.test(code))
    ? { word: fold(word), code: normalCode(code), length: front.length }
    : null
}
const isNext = (before: string, after: string): boolean =>
  /\d/.test(before)
    ? Number(after) === Number(before) + 1
    : after === String.fromCharCode(before.charCodeAt(0) + 1)

type Lines = Pick<Block, 'segments'>
/** Where its lines begin in the text of a block. */
export function lineStarts(run: Run, { segments }: Lines): number[] {
  const firsts = new Set(segments.map(({ words }) => words[0]))
  return run.spans.flatMap(({ word, start }) => (firsts.has(word) ? [start] : []))
}

/**
 * 'Talhão A – testemunha', 'Lote B: X 2 L/ha': lines that begin alike and count up, one of them the control's, are items,
 * whatever the treatments are called.
 */
export function countedItems(run: Run, lines: readonly number[]): { code: string; item: Run }[] | null {
  const found = lines.flatMap((index) => {
    const count = countAt(run.text.slice(index))
    return count ? [{ index, ...count }] : []
  })
  const own = found.filter(({ word }) => word === found[0]?.word)
  const first = own[0]?.code
  const counts = own.every(({ code }, i) => i === 0 || isNext(own[i - 1]?.code ?? '', code))
  if (own.length < LEAST_TOLD || !counts || (first !== 'A' && first !== '1')) return null
  const items = own.map(({ code, index, length }, i) => ({
    code,
    item: sliceRun(run, index + length, own[i + 1]?.index ?? run.text.length),
  }))
  return items.some(({ item }) => isControl(item.text.slice(0, 45)) || SERVES.test(item.folded))
    ? items
    : null
}

/** Blocks that count on from one another, as one where they are such items. */
export function joinedCounts(blocks: readonly Lines[]): Lines[] {
  const joined: Lines[] = []
  let open: { block: Lines; word: string; code: string }[] = []
  const close = (): void => {
    const whole = { segments: open.flatMap(({ block }) => block.segments) }
    const run = open.length > 1 ? runOf(whole) : null
    joined.push(
      ...(run && countedItems(run, lineStarts(run, whole)) ? [whole] : open.map(({ block }) => block)),
    )
    open = []
  }
  for (const block of blocks) {
    const counts = block.segments.flatMap(({ text }) => countAt(text) ?? [])
    const [first] = counts
    const begins = first !== undefined && countAt(block.segments[0]?.text ?? '') !== null
    const last = open.at(-1)
    if (!begins || (last && (last.word !== first.word || !isNext(last.code, first.code)))) close()
    if (begins) open.push({ block, word: first.word, code: counts.at(-1)?.code ?? first.code })
    else joined.push(block)
  }
  close()
  return joined
}

/** Passages that begin with a bullet, a code or the control's name; a paragraph may hold several. `lines`: where its lines begin. */
export function itemsOf(run: Run, lines: readonly number[] = []): Run[] {
  const numbers = numberedItems(run, lines)
  if (numbers.length >= 3)
    return numbers.map((start, i) => sliceRun(run, start, numbers[i + 1] ?? run.text.length))
  const told = codedSentences(run)
  if (told.length >= LEAST_TOLD) return told.map(({ from, to }) => sliceRun(run, from, to))
  const letters = letteredItems(run, lines)
  if (letters.length >= 2)
    return letters.map((start, i) => sliceRun(run, start, letters[i + 1] ?? run.text.length))
  const starts = [
    ...run.text.matchAll(
      /(?:^|(?<=[.;:,]\s)|(?<=\s[-–•]\s)|(?<=\s))(?<!\s(?:a|ao|do|que|como|idem|em)\s)(?:(?:(?:T|Trat\.?|Tratamento)\s?0?\d{1,2}(?!\s*\+)\s*(?:[-–—:.)(=,]|\s)|(?:Trat\.?|Tratamento)\s[A-H]\s*[-–—:)=]|tratamento \d{1,2}\s*[-–—:=]|Faixa \d{1,2}\s*[-–—:]|(?<=[:;.]\s)(?:Testemunha|Controle)\b))/g,
    ),
  ].map((m) => m.index)
  if (starts.length === 0) return sentencesOf(withoutMisread(run))
  if (starts[0] !== 0) starts.unshift(0)
  return starts.map((start, i) => sliceRun(run, start, starts[i + 1] ?? run.text.length))
}

/**
 * 'No primeiro (T1) … . No segundo (T2), … . Em T4 … . O tratamento T5 …': sentences each of which begins with the code of
 * a treatment, in order; what follows up to the next one is of it.
 */
function codedSentences(run: Run): { from: number; to: number }[] {
  const ends = [...run.text.matchAll(/(?<=[\p{L}\d)])[.;]\s+(?=\p{Lu})/gu)].map((m) => m.index + m[0].length)
  const starts = [0, ...ends].flatMap((start) => {
    const lead = CODE_IN_SENTENCE.exec(run.text.slice(start, start + LONGEST_LEAD))
    return lead
      ? [{ start, at: start + lead[0].length - (lead[1]?.length ?? 0), number: Number(lead[2]) }]
      : []
  })
  const first = starts.findIndex(({ number }) => number === 1)
  const own = starts.slice(Math.max(0, first))
  if (first < 0 || !own.every(({ number }, i) => number === i + 1)) return []
  // Where all begin with it, they are items of a list.
  if (own.every(({ start, at }) => start === at)) return []
  return own.map(({ at }, i) => ({ from: at, to: own[i + 1]?.start ?? run.text.length }))
}
const CODE_IN_SENTENCE =
  /^(?:(?:N[oa]|Em|O|A|Por fim,|J[áa]|Finalmente,|tratamento|primeir[oa]|segund[oa]|terceir[oa]|quart[oa]|quint[oa]|sext[oa]|s[ée]tim[oa]|oitav[oa]|[úu]ltim[oa]|em|n[oa]|o|a)\s)*(\(?T\s?0?(\d{1,2})\)?[,:]?\s)/u
const LONGEST_LEAD = 60
const LEAST_TOLD = 3

/** 'A: Testemunha. B: X (0,3 L/ha).': where letters count up from A. */
function letteredItems(run: Run, lines: readonly number[]): number[] {
  // 'Amostra A Controle', each on a line of its own
  const worded = lines.filter((index) =>
    leadingCode(run.text.slice(index, index + 24))?.code.match(/^[A-H]$/),
  )
  const codes = worded.map((index) => leadingCode(run.text.slice(index, index + 24))?.code)
  if (codes.length >= 3 && codes.every((code, i) => code === String.fromCharCode(65 + i))) return worded
  const found = [
    ...run.text.matchAll(
      /(?:^(?:[¹²³*]\s*)?|(?<=[.;,:)]\s+(?:e\s)?))(?:\(?([A-H])\)?\s*(?:[:=)]\s*(?=\p{L})|[–—]\s*(?=\p{Lu}))|\(?([a-h])\)\s*(?=\p{L}))/gu,
    ),
  ]
  const order = found.filter(
    (match, i) => (match[1] ?? match[2])?.toUpperCase() === String.fromCharCode(65 + i),
  )
  return order.length === found.length ? order.map((match) => match.index) : []
}

/** '(1) Controle; (2) X, 100 mL/ha; (3) ...': where numbers count up from 1. */
function numberedItems(run: Run, lines: readonly number[]): number[] {
  const inText = [
    ...run.text.matchAll(
      /(?:^|(?<=[.;,:]\s+(?:e\s)?)|(?<=\s)(?=\d{1,2} = ))\(?0?(\d{1,2})\s*(?:\)|=|[.:–-](?!\d))\s*(?=\p{L})/gu,
    ),
  ]
  const atLines = lines.flatMap((index) => {
    const number = /^\(?0?(\d{1,2})\s*(?:\)|=|[.:–-](?!\d))\s*(?=\p{L})/u.exec(
      run.text.slice(index, index + 12),
    )?.[1]
    return number === undefined ? [] : [{ 1: number, index }]
  })
  const found = atLines.length > inText.length ? atLines : inText
  // A numbered heading may stand in front.
  const first = found.findIndex((match) => Number(match[1]) === 1)
  const order = found.slice(Math.max(0, first)).filter((match, i) => Number(match[1]) === i + 1)
  const treats = isControl(run.text.slice(order[0]?.index)) || DOSED.test(run.folded)
  return treats && order.length >= found.length - 1 ? order.map((match) => match.index) : []
}

/** Without codes, sentences are items if several of them tell a yield. */
function sentencesOf(run: Run): Run[] {
  const cuts = [
    ...run.text.matchAll(/(?<=[\p{L}\d)])[;.]\s+(?=[\p{Lu}•])(?!(?:Produziu|Rendeu|Colheu)\b)/gu),
  ].map((m) => m.index + m[0].length)
  const parts = [0, ...cuts].map((start, i) => sliceRun(run, start, cuts[i] ?? run.text.length))
  const telling = parts.filter(({ folded }) => tellsYield(folded)).length
  return telling >= 2 ? parts : [run]
}
