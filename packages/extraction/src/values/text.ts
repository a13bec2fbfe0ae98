import { remembered } from './remembered.ts'
/** Lower case without accents, spaces collapsed: the form in which all matching is done. */
export const fold = remembered((text): string => {
  if (PLAIN.test(text)) return text.replace(/"/g, "'").toLowerCase().replace(/\s+/g, ' ').trim()
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[“”"'’‘´`]/g, "'")
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
})

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
const PLAIN = /^[\x00-\x7f]*$/

/** Same length as the input, so that positions in the folded text are positions in the original. */
export function foldInPlace(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase()
  let out = ''
  for (const char of text) {
    if (char <= '\x7f') {
      out += char.toLowerCase()
      continue
    }
    const plain = char.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
    if (plain.length === char.length) out += /[\u2010-\u2015\u2212]/.test(plain) ? '-' : plain
    else out += char.length === 1 && plain.length > 0 ? plain.charAt(0) : ' '.repeat(char.length)
  }
  return out
}

/** Trims separators and stray punctuation that surround a value on paper. */
export function tidy(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/\.{3,}|…|_{2,}/g, ' ')
    .trim()
    .replace(/^[\s:;,.·•|=>–—-]+(?=[^\d\s])/, '')
    .replace(/^[:;,·•|=>\s]+/, '')
    .replace(/[\s:;,·•|–—-]+$/, '')
    .replace(/(?<=[^.A-Z]{2})\.$/, '')
    .trim()
}

const LETTER = /\p{L}/u
/** '04-14-08': a fertiliser that is called by what it holds. */
export const FORMULA = /(?<![\d.,/-])\d{1,2}-\d{1,2}-\d{1,2}(?![\d/-])/

export const hasLetters = (text: string): boolean => LETTER.test(text)

/** A cross or tick in a cell: what the heading names is there. */
export const isMark = (text: string): boolean => /^(?:[x●•■✓✔√☑☒]|sim)$/i.test(text.trim())

/** A dash, 'n/a', 'não informado' and the like: a cell that says that nothing is said. */
export const saysNothing = remembered((text): boolean => {
  const t = fold(text)
  return (
    t === '' ||
    /^[-–—./*x_ ]+$/.test(t) ||
    /^(n\/?[ai]|n\.? ?[ad]\.?|nd|ns|nao (informad|dispon|se aplica|avaliad|medid|realizad|determinad|houve|consta)\w*|sem (informacao|dado|registro)\w*|ausente|nenhum[ao]?|vazio|nao)$/.test(
      t,
    )
  )
})

/** Edit distance capped at `limit` + 1. */
export function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    let best = i
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      const value = Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + cost)
      current.push(value)
      if (value < best) best = value
    }
    if (best > limit) return limit + 1
    previous = current
  }
  return previous[b.length] ?? limit + 1
}

/** Whether brackets inside the text open before they close. */
export function isBalanced(text: string): boolean {
  let depth = 0
  for (const char of text) {
    if (char === '(') depth++
    if (char === ')' && --depth < 0) return false
  }
  return depth === 0
}
