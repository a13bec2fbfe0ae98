// Checks the evidence of digital reports against another reader's words: evidence.ts FOLDER [--split test]
// Needs pdftotext. A value counts as inside its box when the words there hold it as printed.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { extract, stopRecogniser } from '../../packages/extraction/src/index.ts'

interface Placed {
  x0: number
  y0: number
  x1: number
  y1: number
  text: string
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { split: { type: 'string', default: 'test' }, families: { type: 'string' } },
})
const root = join(positionals[0] ?? 'reports', values.split)
const PICTURES = new Set(['scan', 'badLayer', 'pasted'])
let inside = 0
let tight = 0
let total = 0
let ours = 0
let theirs = 0
for (const family of values.families?.split(',') ?? readdirSync(root)) {
  if (PICTURES.has(family)) continue
  let own = 0
  let held = 0
  for (const file of readdirSync(join(root, family)).filter((name) => name.endsWith('.pdf'))) {
    const path = join(root, family, file)
    const bytes = readFileSync(path)
    await extract(bytes)
    let started = performance.now()
    const { metadata } = await extract(bytes)
    ours += performance.now() - started
    started = performance.now()
    const pages = wordsOf(path)
    theirs += performance.now() - started
    for (const { page, bbox, text } of Object.values(metadata.fields)) {
      const [x0, y0, x1, y1] = bbox
      const words = (pages[page - 1] ?? []).filter((word) => {
        const x = (word.x0 + word.x1) / 2
        const y = (word.y0 + word.y1) / 2
        return x > x0 - 2 && x < x1 + 2 && y > y0 - 2 && y < y1 + 2
      })
      const there = compact(words.map((word) => word.text).join(''))
      own++
      if (
        compact(text)
          .split('')
          .every((char) => there.includes(char)) &&
        overlapShare(compact(text), there) > 0.8
      )
        held++
      if ((x1 - x0) * (y1 - y0) < 595 * 842 * 0.05) tight++
    }
  }
  console.log(
    `${family.padEnd(13)} ${own} values, ${((100 * held) / Math.max(1, own)).toFixed(1)} % inside their box`,
  )
  inside += held
  total += own
}
await stopRecogniser()
console.log(
  `all: ${((100 * inside) / total).toFixed(2)} % inside, ${((100 * tight) / total).toFixed(2)} % of boxes under 5 % of the page`,
)
console.log(`time: ${(ours / theirs).toFixed(2)} of pdftotext -bbox with its start`)

function wordsOf(path: string): Placed[][] {
  const html = execFileSync('pdftotext', ['-bbox', path, '-'], { encoding: 'utf8', maxBuffer: 1 << 28 })
  return html
    .split('<page ')
    .slice(1)
    .map((page) =>
      [...page.matchAll(/xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">([^<]*)</g)].map(
        (m) => ({
          x0: Number(m[1]),
          y0: Number(m[2]),
          x1: Number(m[3]),
          y1: Number(m[4]),
          text: (m[5] ?? '')
            .replace(/&amp;/g, '&')
            .replace(/&quot;/g, '"')
            .replace(/&apos;|&#39;/g, "'")
            .replace(/&lt;/g, '<'),
        }),
      ),
    )
}

function compact(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\s]/gu, '')
    .replace(/[‐-―−]/g, '-')
    .toLowerCase()
}

/** Share of the pairs of letters of `text` that `there` holds too. */
function overlapShare(text: string, there: string): number {
  if (text.length < 2) return there.includes(text) ? 1 : 0
  let common = 0
  for (let i = 0; i + 1 < text.length; i++) if (there.includes(text.slice(i, i + 2))) common++
  return common / (text.length - 1)
}
