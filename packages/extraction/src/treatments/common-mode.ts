import type { Document } from '../document.ts'
import { pairsOfCheckBoxes } from '../fields/check-boxes.ts'
import type { Pair } from '../fields/pair.ts'
import { groupLines } from '../layout/lines.ts'
import { makeRun, type Run, runOf, wordsIn } from '../layout/run.ts'
import type { Word } from '../read/page.ts'
import { findModes, readMode } from '../values/lexicon.ts'
import { fold } from '../values/text.ts'
import type { Draft } from './draft.ts'
import { spansAll } from './orient.ts'

/** A way of application said of all treatments at once. */
export function readCommonMode(document: Document): Draft['modalidade'] {
  return (
    readSaidMode(document) ?? readLabelledMode(document) ?? readTitleMode(document) ?? readSprayed(document)
  )
}

function readSaidMode(document: Document): Draft['modalidade'] {
  for (const layout of document.pages) {
    const ticked: Pair[] = []
    pairsOfCheckBoxes(layout, ticked)
    const ways = ticked.filter(({ label }) => /\baplica|\bmodalidade\b/.test(fold(label)))
    const [way] = ways
    const value = way && ways.length === 1 ? readMode(way.value.text) : null
    if (way && value)
      return { value, words: way.value.spans.map(({ word }) => word), score: 0.85, method: 'checkbox' }
    const headings = layout.lines
      .flatMap((line): { text: string; words: Word[] }[] => line.segments)
      .concat(layout.tables.flatMap((table) => table.rows.filter(spansAll).flatMap((row) => row[0] ?? [])))
      .filter((s) => /\btod[oa]s\b|^(?:[\d.]+\s*)?tratamentos\b.*\baplica/i.test(s.text))
    for (const words of [
      ...layout.blocks.map((b) => b.segments.flatMap((s) => s.words)),
      ...headings.map((s) => s.words),
    ]) {
      const run = makeRun(words)
      for (const sentence of run.folded.matchAll(
        /\b(?:tod[oa]s|ambos|tudo)\b[^.;:]+|[^.;]+?(?=\b(?:tod[oa]s|ambos|tudo)\b|[.;]|$)/g,
      )) {
        const text = sentence[0]
        if (
          !/\b(?:tod[oa]s?|ambos|tudo|aplicac\w+|produtos|tratamentos|pulveriza\w+)\b|(?:^|\s)[ao]s? (?:doses?|n|fertilizantes?|adubos?)\b[^,]{0,30}\bfo(?:i|ram) aplicad/.test(
            text,
          ) ||
          // 'Os produtos foram todos no sulco de semeadura'
          !/\baplica\w+|\bpulveriz\w+|\bforam\b|\bdistribu\w+|\bincorpora\w+|\bmodalidade|\bvia\b|^(?:tod[oa]s|tudo) (?:n[oa]s?|em|a) /.test(
            text,
          )
        )
          continue
        if (/\bt\d\b|herbicid|inseticid|fungicid|dessec|adubacao de base|adubacao/.test(text)) continue
        const modes = [...new Map(findModes(text).map((mode) => [mode.value, mode])).values()]
        const [mode] = modes
        if (!mode || modes.length > 1) continue
        const at = sentence.index
        return {
          value: mode.value,
          words: wordsIn(run, at + mode.start, at + mode.end),
          score: /tod[oa]s/.test(text) ? 0.85 : 0.65,
          method: 'prose',
        }
      }
    }
  }
  return null
}

/** 'Aplicação | foliar, V4, 150 L/ha de calda': the label's one way. */
function readLabelledMode({ pages }: Document): Draft['modalidade'] {
  for (const { tables, lines } of pages) {
    const pairs = [
      ...tables.flatMap(({ rows }) =>
        rows.flatMap((row) =>
          row.slice(1).map((cell, c) => ({ label: row[c]?.text ?? '', words: cell?.words ?? [] })),
        ),
      ),
      ...lines.flatMap(({ segments }) =>
        segments.slice(1).map(({ words }, i) => ({ label: segments[i]?.text ?? '', words })),
      ),
      // A label over its value in one box of a form.
      ...tables.flatMap(({ ruled, rows }) =>
        !ruled
          ? []
          : [...new Set(rows.flat())].flatMap((cell) => {
              const [first, ...more] = groupLines(cell?.words ?? [])
              return first && more.length > 0
                ? [{ label: first.map(({ text }) => text).join(' '), words: more.flat() }]
                : []
            }),
      ),
      // 'APLICACAO.: foliar, CO2, 150 L/ha' in one piece
      ...[
        ...lines.flatMap(({ segments }) => segments),
        ...tables.flatMap(({ rows }) => [...new Set(rows.flat())]),
      ].flatMap((piece) => {
        const words = piece?.words ?? []
        const colon = words.findIndex(({ text }) => text.endsWith(':'))
        const label = words.slice(0, colon + 1).map(({ text }) => text)
        return colon < 0 || colon > 3
          ? []
          : [{ label: label.join(' ').replace(/[\s.]+:$/, ':'), words: words.slice(colon + 1) }]
      }),
    ]
    for (const { label, words } of pairs) {
      if (
        !/^(?:(?:modo|forma|metodo|via|tipo|modalidade) d[ae] )?aplicac(?:ao|oes)\s*:?$|^modalidade\s*:?$|^(?:application )?(?:method|placement)\s*:?$|^application\s*:?$/.test(
          fold(label),
        )
      )
        continue
      const found = onlyMode(makeRun(words), 'label', 0.75)
      if (found) return found
    }
  }
  return null
}

/** 'Micronutrientes via foliar em soja': what the report's title says, where nothing in it says otherwise. */
function readTitleMode({ pages }: Document): Draft['modalidade'] {
  const [first] = pages
  const largest = Math.max(0, ...(first?.lines.map(({ size }) => size) ?? []))
  const titles = first?.lines.filter(({ size }) => size > TITLE * largest).slice(0, MOST_TITLE_LINES) ?? []
  const ways = new Set(textsOf(pages).flatMap((text) => findModes(text).map(({ value }) => value)))
  if (ways.size > 1) return null
  for (const { segments } of titles) {
    const found = onlyMode(makeRun(segments.flatMap(({ words }) => words)), 'prose', 0.6)
    if (found) return found
  }
  return null
}
const TITLE = 0.92
const MOST_TITLE_LINES = 4

const SPRAYED = /\bpulveriza(?:dor|cao|coes)\b|\bbarra de pulveriza|\bpontas? (?:de jato|xr|tt|leque)/
const STAGE =
  /\b[vr]\d\b|\bperfilham|\bemborrach|\bflorescim|\bfloracao\b|\bfolhas? trifoliolad|\bpos[- ]emerg|\bespigam|\bantese\b/
const NOT_LEAVES = /\bsulco\b|\bsementes?\b|\bpre[- ]emerg|\bpre[- ]plantio|\bdessec|\bno solo\b|\bdrench\b/

/** Sprayed on a standing crop, and nothing said of seeds, furrow or soil: on its leaves. */
function readSprayed({ pages }: Document): Draft['modalidade'] {
  for (const { blocks } of pages)
    for (const block of blocks) {
      const run = runOf(block)
      const cue = SPRAYED.exec(run.folded)
      if (!cue || !STAGE.test(run.folded) || NOT_LEAVES.test(run.folded)) continue
      return {
        value: 'Foliar',
        words: wordsIn(run, cue.index, cue.index + cue[0].length),
        score: 0.55,
        method: 'prose',
      }
    }
  return null
}

const textsOf = (pages: Document['pages']): string[] =>
  pages.flatMap(({ blocks }) => blocks.map((block) => runOf(block).folded))

/** The way that a short text names, where it names one only. */
function onlyMode(run: Run, method: 'label' | 'prose', score: number): Draft['modalidade'] {
  const [mode, ...others] = new Map(findModes(run.folded).map((found) => [found.value, found])).values()
  if (!mode || others.length > 0) return null
  return { value: mode.value, words: wordsIn(run, mode.start, mode.end), score, method }
}
