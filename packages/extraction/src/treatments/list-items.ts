import { makeRun, type Run, sliceRun } from '../layout/run.ts'
import { isControl } from '../values/lexicon.ts'
import { NUMBER_SOURCE, toNumber } from '../values/number.ts'
import { DOSE_UNIT_SOURCE, yieldUnit } from '../values/units.ts'
import { leadingCode } from './draft.ts'

export const YIELD = new RegExp(
  String.raw`(?<![\d.,])(${NUMBER_SOURCE})\s*((?:kg|quilos?|sc|scs|sacas?|sacos?|t|ton|toneladas?|@|arrobas?)(?:\s*de\s*60\s*kg)?\s*(?:\/|por|\.|\s)?\s*(?:ha(?:-1)?|hectare)(?![a-z]))`,
  'g',
)
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
