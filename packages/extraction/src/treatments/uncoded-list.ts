import { type Run, sliceRun, wordsIn } from '../layout/run.ts'
import { findModes, isControl } from '../values/lexicon.ts'
import { type Draft, emptyDraft, leadingCode } from './draft.ts'
import { readDescription } from './products.ts'

/** What says that treatments follow, one after the other. */
const ANNOUNCED = /\btratamentos\b[^.:;]{0,60}:\s+(?=\S)/
const LEAST = 3
/** The share of those without the control that must tell a dose. */
const DOSED = 0.7
/** A list in a sentence goes on for so long at most. */
const LONGEST = 1500

/**
 * 'Os tratamentos foram: testemunha; X, 3 L/ha; X, 6 L/ha; …': no codes, parted by semicolons, one of them the control;
 * they count in their order.
 */
export function uncodedItems(run: Run): Draft[] | null {
  const lead = ANNOUNCED.exec(run.folded)
  if (!lead) return null
  const from = lead.index + lead[0].length
  const rest = run.folded.slice(from, from + LONGEST)
  // It ends with its sentence.
  const stop = /(?<=[a-z\d)])\.(?=\s+[a-z(]|\s*$)/.exec(rest)
  const end = from + (stop?.index ?? rest.length)
  const cuts = [...run.folded.slice(from, end).matchAll(/;\s+(?:e\s+)?/g)]
  if (cuts.length < LEAST - 1) return null
  const starts = [from, ...cuts.map((cut) => from + cut.index + cut[0].length)]
  const items = starts.map((start, i) => sliceRun(run, start, cuts[i] ? from + cuts[i].index : end))
  if (items.some(({ text }) => text === '' || leadingCode(text) !== null)) return null
  const controls = items.filter(({ text }) => isControl(text.slice(0, 45)))
  if (controls.length !== 1) return null
  const drafts = items.map((item, i): Draft => {
    const control = controls.includes(item)
    const { nome, produtos } = readDescription(item, 'list')
    const mode = control ? undefined : findModes(item.folded)[0]
    return {
      ...emptyDraft(),
      ...{ code: String(i + 1), control, nome, produtos: control ? [] : produtos },
      modalidade: mode
        ? { value: mode.value, words: wordsIn(item, mode.start, mode.end), score: 0.7, method: 'list' }
        : null,
    }
  })
  const others = drafts.filter(({ control }) => !control)
  const dosed = others.filter(({ produtos }) => produtos.some(({ dose }) => dose !== null)).length
  return dosed >= DOSED * others.length ? drafts : null
}
