import type { Block } from '../layout/lines.ts'
import { makeRun, type Run, sliceRun, wordsIn } from '../layout/run.ts'
import { findModes, isControl } from '../values/lexicon.ts'
import { type Draft, emptyDraft } from './draft.ts'
import { readDescription } from './products.ts'

export const BULLET = /^[•●▪■◦‣∙·*»>✓➢→–—\uE000-\uF8FF-]\s*/

/** Bullets that each name a treatment before a colon and stand in blocks of their own, as one: a line each. */
export function joinedBullets(blocks: readonly Block[]): Pick<Block, 'segments'>[] {
  const joined: Pick<Block, 'segments'>[] = []
  let open: Block[] = []
  const close = (): void => {
    const items = open.map(({ segments }) => segments.flatMap(({ words }) => words).slice(1))
    const [first] = open[0]?.segments ?? []
    if (first && namedItems(items)) joined.push({ segments: items.map((words) => ({ ...first, words })) })
    else joined.push(...open)
    open = []
  }
  for (const block of blocks) {
    const lone = BULLET.exec(block.text)?.[0].trim() === block.segments[0]?.words[0]?.text
    if (!lone) close()
    if (lone) open.push(block)
    else joined.push(block)
  }
  close()
  return joined
}

/**
 * 'Testemunha: sem adubação / Organo 1,5: OrganoCerrado, 1,5 t/ha, via solo': treatments by their names, one a line, the
 * control first; they count in their order.
 */
export function namedItems(lines: readonly Run['spans'][number]['word'][][]): Draft[] | null {
  const items: Run['spans'][number]['word'][][] = []
  for (const words of lines) {
    if (NAMED_ITEM.test(makeRun(words).text)) items.push([...words])
    else if (items.length === 0) return null
    else items.at(-1)?.push(...words)
  }
  if (items.length < 3) return null
  const drafts = items.map((words, i): Draft => {
    const run = makeRun(words)
    const colon = run.text.indexOf(':')
    const label = sliceRun(run, 0, colon)
    const control = isControl(label.text)
    const rest = sliceRun(run, colon + 2, run.text.length)
    const produtos = readDescription(rest, 'list').produtos.filter(({ dose }) => dose !== null)
    const mode = findModes(rest.folded)[0]
    return {
      ...emptyDraft(),
      code: String(i + 1),
      control,
      nome: {
        value: label.text.replace(/\s*:$/, ''),
        words: label.spans.map(({ word }) => word),
        score: 0.8,
        method: 'list',
      },
      produtos: control ? [] : produtos,
      modalidade:
        control || !mode
          ? null
          : { value: mode.value, words: wordsIn(rest, mode.start, mode.end), score: 0.75, method: 'list' },
    }
  })
  const dosed = drafts.filter(({ produtos }) => produtos.length > 0).length
  return drafts[0]?.control &&
    drafts.filter(({ control }) => control).length === 1 &&
    dosed >= 0.6 * (drafts.length - 1)
    ? drafts
    : null
}
const NAMED_ITEM = /^(?!T\s?\d|\d+[.)])[\p{Lu}\d][^:;.]{1,34}:\s\S/u
