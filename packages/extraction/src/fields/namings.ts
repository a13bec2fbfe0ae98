import type { Document } from '../document.ts'
import { type Run, wordsIn } from '../layout/run.ts'
import type { Word } from '../read/page.ts'
import { SOIL_ORDER } from '../values/lexicon.ts'
import { isCity } from '../values/places.ts'
import { fold } from '../values/text.ts'
import { matchLabel } from './labels.ts'
import type { Pair } from './pair.ts'
import { type Place, piecesOf } from './pieces.ts'

/** What was taken off or put to the words in capitals: a name's bounds are not always those of its capitals. */
type Cut = 'none' | 'joint' | 'tail' | 'line' | 'title' | 'label' | 'dash' | 'lines'

/** A name as it stands in one place of the document. */
export interface Naming {
  name: string
  words: Word[]
  place: Place
  cut: Cut
  /** Whether nothing else stands on its line, in its cell or beside its label. */
  whole: boolean
  page: number
  /** Share of the page above it, 0..1. */
  y: number
  /** Pieces of text that came before it. */
  order: number
  /** Size of type beside the usual one of the page, and beside its largest. */
  size: { usual: number; largest: number }
  /** Folded text around it, of the same piece. */
  before: string
  after: string
  /** The lines above and below, where it stands on a line. */
  above: string
  below: string
  label: { text: string; kind: Pair['kind'] } | null
}

/** 'S/A' is a word, too. */
const CAPITAL = String.raw`(?:S\/[AS](?![\p{L}\d])|(?:\p{Lu}|\d{1,4}(?=\p{Lu}))[\p{L}\d&.'’-]{0,40})`
const JOINT = '(?:d[aeo]s?|e|&|em|para)'
/** A stop behind a whole word ends a sentence, and the name. */
const NAME = new RegExp(
  String.raw`(?<![\p{L}\d])${CAPITAL}(?:(?<!\p{L}{4}\.)\s(?:${JOINT}\s)?${CAPITAL}){0,7}`,
  'gu',
)
/** 'Terra Boa – Pesquisa Agrícola' */
const BEHIND_DASH = new RegExp(String.raw`^\s[-–—]\s${CAPITAL}(?:\s(?:${JOINT}\s)?${CAPITAL}){0,4}`, 'u')
/** 'Eng. Agr. X', 'Relatório X', 'Equipe X' */
const TITLE =
  /^(?:Eng[.ªº]*(?: ?Agr[.ªºôo]*n?[ôo]?m?[oa]?)?|Engenheir[oa] Agr[ôo]nom[oa]|Dra?\.?|Prof[.ªa]*|Sra?\.?|T[ée]cnicos?|Equipe|Laudo|Relat[óo]rio|Boletim|Pesquisador(?:a|es)?|Consultoria|Empresa)\s+(?=\p{Lu})/u
const LONGEST = 70
/** 'T1 T2 T3' below a chart. */
const CODES = /^(?:T\d{1,2}\s*)+$/
/** A document of more names tells nothing by them. */
const MOST_NAMES = 2_000
const SHORTEST = 3
const AROUND = 60

const MONTH =
  /^(?:janeiro|fevereiro|mar[çc]o|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro)$/i

/** What computed the statistics is no house. */
const PROGRAM =
  /^(?:software |programa )?(?:sisvar|agroestat|assistat|genes|r ?bio|speed ?stat|statistica|winstat|sasm|sanest|minitab|excel|r core)\b/

/** Every name in capitals of the first pages and of the last one. */
export function findNamings(document: Document, pairs: readonly Pair[]): Naming[] {
  const out: Naming[] = []
  const seen = new Set<string>()
  for (const { run, place, page, height, order, sizes, ...around } of piecesOf(document, pairs))
    for (const { name, at, cut } of namesIn(run)) {
      if (out.length >= MOST_NAMES) return out
      if (MONTH.test(name) || SOIL_ORDER.test(fold(name)) || PROGRAM.test(fold(name))) continue
      const words = wordsIn(run, at, at + name.length)
      const [first] = words
      const key = `${page} ${around.label?.text} ${Math.round(first?.x0 ?? 0)} ${Math.round(first?.y0 ?? 0)} ${name}`
      if (!first || seen.has(key)) continue
      seen.add(key)
      out.push({
        ...{ name, words, place, cut, page, order, ...around },
        whole: name.length >= run.text.length - 2,
        y: first.y0 / height,
        size: { usual: first.size / sizes.usual, largest: first.size / sizes.largest },
        before: run.folded.slice(Math.max(0, at - AROUND), at),
        after: run.folded.slice(at + name.length, at + name.length + AROUND),
      })
    }
  return [...out, ...overTrades(out)]
}

/** In sizes of type: so far below a name stands what its house does. */
const FARTHEST = 2.8

/** 'COXILHA VERDE' over 'Pesquisa Agrícola': a letterhead's name with what the house does, as one. */
function overTrades(namings: readonly Naming[]): Naming[] {
  const lines = namings.filter(({ place, cut }) => place === 'line' && cut === 'none')
  return lines.flatMap((trade) => {
    const [first] = trade.words
    if (!first || trade.before.trim() !== '' || !isTrade(trade.name)) return []
    const over = lines.filter(({ name, whole, page, words: [word, ...more] }) => {
      const drop = word ? first.base - word.base : 0
      const level = word && word.x0 < (trade.words.at(-1)?.x1 ?? 0) && (more.at(-1) ?? word).x1 > first.x0
      return (
        whole &&
        page === trade.page &&
        level &&
        drop > 0 &&
        drop < FARTHEST * Math.max(word.size, first.size) &&
        !isTrade(name)
      )
    })
    const own = over.sort((a, b) => (b.words[0]?.base ?? 0) - (a.words[0]?.base ?? 0))[0]
    if (!own || own.name.length + trade.name.length >= LONGEST) return []
    const { after, below, whole } = trade
    const words = [...own.words, ...trade.words]
    return [{ ...own, name: `${own.name} ${trade.name}`, words, cut: 'lines', after, below, whole }]
  })
}

/** The names of a piece of text, each with what it is called when parts are taken off. */
function namesIn(run: Run): { name: string; at: number; cut: Cut }[] {
  const out: { name: string; at: number; cut: Cut }[] = []
  for (const match of run.text.matchAll(NAME)) {
    const behind = run.text.slice(match.index + match[0].length)
    // A word before a colon is the next label.
    const labelled = /^\s?:/.test(behind)
    const name = labelled ? match[0].replace(/(?:^|\s)\S+$/, '') : match[0]
    if (name === '') continue
    const found = new Map<string, { from: number; cut: Cut }>([
      [name, { from: 0, cut: labelled ? 'label' : 'none' }],
    ])
    const cut = (how: Cut, from: number, to = name.length): void => {
      const part = name.slice(from, to)
      if (part !== '' && !found.has(part)) found.set(part, { from, cut: how })
    }
    for (const joint of name.matchAll(/\s(e|&|em|para|d[aeo]s?)\s/g)) {
      if (!joint[1]?.startsWith('d')) cut('joint', 0, joint.index)
      cut('tail', joint.index + joint[0].length)
    }
    const spans = run.spans.filter(({ start, end }) => start < match.index + name.length && end > match.index)
    spans.forEach(({ word, end }, i) => {
      const next = spans[i + 1]
      if (!next || Math.abs(next.word.base - word.base) < 0.5 * word.size) return
      cut('line', 0, end - match.index)
      cut('line', next.start - match.index)
    })
    // '1Instituto X': the mark of a footnote.
    const mark = /^\d+(?=\p{Lu})/u.exec(name)?.[0]
    if (mark) cut('title', mark.length)
    // Of these the whole is never the name: '1Instituto X', 'Solux em Perdizes'.
    const place = /\sem\s(.+)$/.exec(name)?.[1]
    if ((mark && /^\d+\p{Lu}\p{Ll}/u.test(name)) || (place && isCity(place))) found.delete(name)
    const title = TITLE.exec(name)?.[0]
    if (title) cut('title', title.length)
    const parts = name.split(' ')
    for (const last of [1, 2])
      if (parts.length > last && matchLabel(parts.slice(-last).join(' '))[0]?.cover === 1)
        cut('label', 0, parts.slice(0, -last).join(' ').length)
    const trade = labelled ? null : BEHIND_DASH.exec(behind)?.[0]
    if (trade) found.set(name + trade, { from: 0, cut: 'dash' })
    for (const [part, { from, cut: how }] of found) {
      const plain = part.replace(/[,'’-]+$|(?<=\p{L}{2})[.,'’-]+$/u, '')
      if (plain.length >= SHORTEST && plain.length <= LONGEST && !CODES.test(plain))
        out.push({ name: plain, at: match.index + from, cut: how })
    }
  }
  return out
}

const TRADE =
  /^(?:cooperativas?|agroindustria(?:l|is)?|pesquisas?|agronomic[oa]s?|agricolas?|consultoria|assessoria|assistencia|tecnic[oa]s?|experimentac(?:ao|oes)|experimental|ensaios?|laboratorio|eficacia|diagnosticos?|fitossanitari[oa]s?|fitossanidade|desenvolvimento|inovacao|servicos?|solucoes|tecnologias?|fertilizantes?|especiais|especialidades|nutricao|nutrientes|vegeta(?:l|is)|plantas|protecao|cultivos|defensivos|bioinsumos|biologicos?|biotecnologia|insumos|sementes|inoculantes|mineracao|quimica|agropecuari[oa]s?|agro|agrociencias?|industria|comercio|ltda|hortalicas|planejamento|rura(?:l|is)|projetos|engenharia|estacao|centro|instituto|fundacao|departamento|unidade|campo|contratada|inteligencia|ambiente|analises|producao|d[aeo]s?|em|e|para|s|a|me)$/
/** What a house does, in words that many share, and none of its own: 'Cooperativa Agroindustrial'. */
export const isTrade = (name: string): boolean =>
  keyOf(name)
    .split(' ')
    .every((word) => TRADE.test(word))

/** What two spellings of one name share. */
export const keyOf = (name: string): string =>
  fold(name)
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
