import { remembered } from './remembered.ts'
/**
 * Reads a number as printed in Brazil: '3.845,6' is 3845.6, '3.845' is 3845, '0,5' is 0.5; '2.9' (a plain
 * decimal point) is 2.9. Returns null when the text holds no number.
 */
export function readNumber(text: string): number | null {
  const match = NUMBER.exec(text)
  return match ? toNumber(match[0]) : null
}

export const NUMBER_SOURCE = String.raw`[-−–]?\d{1,3}(?:[.\u00a0]\d{3})+(?:,\d+)?(?![\d])|[-−–]?\d+(?:[.,]\d+)?`
const NUMBER = new RegExp(NUMBER_SOURCE)

export function toNumber(printed: string): number | null {
  let t = printed.replace(/[\s\u00a0]/g, '').replace(/[−–]/g, '-')
  if (/^-?\d{1,3}(\.\d{3})+(,\d+)?$/.test(t)) t = t.replace(/\./g, '').replace(',', '.')
  else if (/^-?\d{1,3}(,\d{3})+\.\d+$/.test(t)) t = t.replace(/,/g, '')
  else if (/,/.test(t)) t = t.replace(/\./g, '').replace(',', '.')
  const value = Number(t)
  // '000' is what a scan left of a number.
  return Number.isFinite(value) && !/^0{2,}$/.test(t) ? value : null
}

/** A cell that is a number with at most a sign, a unit, a currency and Tukey letters around it. */
const CELL = new RegExp(
  String.raw`^(?:r\$|us\$)?\s*[+]?(${NUMBER_SOURCE})\s*(?:%|\*{1,3}|ns)?\s*(?:[a-e]{1,4}[A-E]{0,2}|[A-E]{1,2}[a-e]{0,3})?\s*\*{0,3}$`,
)

/** '8 412 c', '10 104': thousands set apart by a space. Two doses in one cell mostly have three figures each. */
const SPACED = /^[1-9]\d?(?:\s\d{3})+(?=(?:,\d+)?(?:\s*[a-eA-E]{1,4})?$)/

/** How many words of a cell its number takes. */
export const wordsOfNumber = (text: string): number => SPACED.exec(text.trim())?.[0].split(/\s/).length ?? 1

/** The number of a table cell ('58,0 b', 'R$ 64,20', '3.480,5 ab ± 12'), or null. */
export const readCell = remembered((text): number | null => {
  const t = text
    .trim()
    .replace(/±.*$/, '')
    .replace(/^•\s+/, '')
    .replace(/\(\s*[a-eA-E]{1,4}\s*\)$/, '')
    .trim()
    .replace(SPACED, (spaced) => spaced.replace(/\s/g, ''))
  const match = CELL.exec(t.replace(/^R\$/i, 'r$'))
  return match?.[1] ? toNumber(match[1]) : null
})

export function round(value: number, digits: number): number {
  const factor = 10 ** digits
  return Math.round((value + Number.EPSILON * Math.sign(value)) * factor) / factor
}

/** Decimals of a number as it is printed: '6,70' has two, '3.612' none. */
export function decimalsOf(printed: string): number {
  const t = printed.replace(/^[-−–]/, '')
  if (/^\d{1,3}(\.\d{3})+$/.test(t)) return 0
  return /[.,](\d+)$/.exec(t)?.[1]?.length ?? 0
}
