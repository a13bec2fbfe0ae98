import type { Document } from '../document.ts'
import { fold } from '../values/text.ts'

/** How many smallest hashes stand for a layout. */
const HASHES = 64
/** Columns and rows into which a page is divided: what stands there in every report of a maker is its layout. */
const ACROSS = 24
const MOST_WORDS = 6

/**
 * What is fixed in a layout, as min-hashes of phrases without figures and the place across the page where they begin:
 * headings, labels, running titles. Values differ from report to report and weigh little.
 */
export function fingerprint(document: Document): number[] {
  const phrases = new Set<string>()
  for (const { page, lines, tables, furniture } of document.pages) {
    const add = (text: string, x: number): void => {
      const phrase = phraseOf(text)
      if (phrase !== '') phrases.add(`${phrase}@${Math.round((ACROSS * x) / page.width)}`)
    }
    for (const line of [...lines, ...furniture])
      for (const { text, x0 } of line.segments) add(text.split(':')[0] ?? '', x0)
    for (const { rows } of tables)
      for (const cell of new Set(rows.slice(0, 3).flat())) if (cell) add(cell.text, cell.x0)
  }
  const hashes = [...phrases].map(hash)
  return Array.from({ length: HASHES }, (_, i) =>
    hashes.reduce((least, value) => Math.min(least, mixed(value, i)), 0xffffffff),
  )
}

/** The words of a label, a heading, a title: none where it is a sentence or a figure. */
export function phraseOf(text: string, least = 3): string {
  const plain = fold(text)
    .replace(/[^a-z ]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return plain.length < least || plain.split(' ').length > MOST_WORDS ? '' : plain
}

/** What is kept of a phrase: it is known again, and tells nobody what it says. '' for none. */
export const printOf = (phrase: string): string =>
  phrase === '' ? '' : `${phrase.split(' ').length}:${hash(phrase).toString(36)}`

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return value >>> 0
}

/** One of many hashes made of one. */
function mixed(value: number, seed: number): number {
  let x = (value ^ Math.imul(seed + 1, 0x9e3779b1)) >>> 0
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return (x ^ (x >>> 16)) >>> 0
}
