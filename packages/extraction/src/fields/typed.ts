import type { Document } from '../document.ts'
import { groupLines, makeLines, type Segment } from '../layout/lines.ts'
import { makeRun, wordsIn } from '../layout/run.ts'
import type { Cell } from '../tables/table.ts'
import { findBrands, findCrops } from '../values/lexicon.ts'
import { findPlaces } from '../values/places.ts'
import { fold, foldInPlace } from '../values/text.ts'
import type { Candidate } from './candidate.ts'
import { MAKER_WORD, parseOrganisation } from './houses.ts'
import { parseCultivar } from './parsers.ts'

/** Candidates that need no label: the letterhead's organisation, the brand and the crop of the title. */
export function findTyped(document: Document): Candidate[] {
  const candidates: Candidate[] = []
  document.pages.slice(0, 2).forEach((layout, p) => {
    const { height } = layout.page
    const top = layout.lines
      .filter((line) => line.y1 < (layout.page.width > height ? 0.5 : 0.25) * height)
      .flatMap((line) => line.segments)
    const heads = [...top.slice(0, 6), ...layout.furniture.flatMap((line) => line.segments)]
    for (const segment of heads) organisation(segment, p, candidates)
    for (const line of layout.furniture) for (const segment of line.segments) maker(segment, candidates)
    if (p === 0) for (const segment of top) titlePieces(segment, candidates)
    for (const line of layout.lines)
      houses(
        line.segments.flatMap(({ words }) => words),
        p,
        candidates,
      )
    // A letterhead may stand in a frame.
    if (p === 0)
      for (const table of layout.tables.filter(({ y0 }) => y0 < 0.2 * height))
        for (const cell of new Set(table.rows.slice(0, 3).flat()))
          if (cell && cell.y0 < 0.25 * height) {
            for (const line of groupLines(cell.words)) houses(line, p, candidates)
            letterhead(cell, document, candidates)
          }
    // On a sheet a name runs over the edges of its cells.
    if (p === 0)
      for (const table of layout.tables.filter(({ ruled, y0 }) => ruled && y0 < 0.2 * height))
        for (const row of table.rows.slice(0, 2))
          for (const line of makeLines(
            [...new Set(row)].flatMap((cell) => cell?.words ?? []),
            [],
          ))
            for (const segment of line.segments) houses(segment.words, p, candidates)
    if (p === 0)
      agronomist([...top.slice(0, HEAD_LINES), ...layout.furniture.flatMap((l) => l.segments)], candidates)
    const largest = Math.max(0, ...top.map((s) => s.size))
    for (const segment of top) {
      const title = segment.size > 0.92 * largest && p === 0
      const folded = makeRun(segment.words).folded
      for (const brand of findBrands(folded))
        if (brand.value !== 'Concorrente')
          candidates.push({
            field: 'marca',
            value: brand.value,
            score: title ? 0.72 : 0.58,
            words: segment.words,
            method: 'typed',
          })
      if (!title) continue
      for (const crop of findCrops(folded))
        candidates.push({
          field: 'cultura',
          value: crop.value,
          score: 0.66,
          words: segment.words,
          method: 'typed',
        })
    }
  })
  return candidates
}

/** 'Verdano Nutrição Vegetal | Desenvolvimento de Mercado' on every page: whose slides they are. */
function maker(segment: Segment, candidates: Candidate[]): void {
  const name = segment.text.split(/\s+[|•·–—-]\s+/)[0] ?? ''
  const called = MAKER_WORD.exec(fold(name))
  // Some who do trials are called so, too; they have no market to develop.
  const sells = /\bdesenvolvimento de mercado\b|\bmarketing\b/.test(fold(segment.text))
  const named = sells ? fold(name).replace(MAKER_WORD, '') : fold(name)
  if (!called || called.index < 4 || NAMED.test(named) || /[\d:]/.test(name)) return
  const parsed = parseOrganisation(name)
  if (!parsed || parsed.fit < 0.8) return
  const words = wordsIn(makeRun(segment.words), parsed.start, parsed.end)
  candidates.push({ field: 'marca', value: parsed.value, score: 0.5, words, method: 'typed' })
}

/** Lines that a letterhead has at the most. */
const HEAD_LINES = 4
const PERSON = String.raw`((?:\p{Lu}[\p{L}'’.]*)(?:\s(?:d[aeo]s?\s)?\p{Lu}[\p{L}'’.]*){1,4})`
/** 'Eng. Agr. Wanderley Prado – CREA-GO 11.207/D' at the head of a letter. */
const AGRONOMIST = new RegExp(
  String.raw`^(?:Eng\.?[ªº]?\s?Agr\.?[ªº]?|Engenheir[oa]\s(?:Agr[ôo]nom[oa]))\.?\s${PERSON}(?=\s[-–—|•·]|,|$)`,
  'u',
)
/** 'ANSELMO R. VIDIGAL' over 'ENGENHEIRO AGRÔNOMO', 'GERHARDT & DAL MOLIN' over 'engenheiros agrônomos associados' */
const SURNAMES = String.raw`\p{Lu}[\p{L}'’.]*(?:\s\p{Lu}[\p{L}'’.]*){0,3}`
const ALONE = new RegExp(String.raw`^(?:${PERSON}|${SURNAMES}\s(?:&|e)\s${SURNAMES})$`, 'u')

/** Who works alone is called by name in the letterhead: where no house is. */
function agronomist(segments: readonly Segment[], candidates: Candidate[]): void {
  segments.forEach((segment, i) => {
    const run = makeRun(segment.words)
    const below = fold(segments[i + 1]?.text ?? '')
    const titled = AGRONOMIST.exec(run.text)?.[1]
    const over = /^engenheir[oa]s? agronom[oa]s?/.test(below) ? ALONE.exec(run.text)?.[0] : undefined
    const name = titled ?? over
    if (!name) return
    const at = run.text.indexOf(name)
    const words = wordsIn(run, at, at + name.length)
    candidates.push({ field: 'consultoria', value: name, score: 0.43, words, method: 'typed' })
  })
}

const LONGEST_NAME = 60
/** Pages on which a house that heads the report is looked for again. */
const PAGES_OF_NAMES = 5

/**
 * The cell of a letterhead, its name set over several lines: a house by its words ('Estação / Experimental / CHAPADA'),
 * or what the report says again elsewhere ('MOGIANA / CANA TÉCNICA', '… autorização da Mogiana Cana Técnica').
 */
function letterhead(cell: Cell, document: Document, candidates: Candidate[]): void {
  const lines = groupLines(cell.words)
  const text = lines.map((line) => line.map((word) => word.text).join(' ')).join(' ')
  if (text.length > LONGEST_NAME || /[\d:]/.test(text) || !text.includes(' ') || NO_NAME.test(fold(text)))
    return
  if (!/^(?:\p{Lu}[\p{L}.&’'-]*|d[aeo]s?|e|&)(?: (?:\p{Lu}[\p{L}.&’'-]*|d[aeo]s?|e|&))+$/u.test(text)) return
  const parsed = parseOrganisation(text)
  if (!parsed || parsed.fit < 0.8) return
  const own = new Set(cell.words)
  const again = document.pages
    .slice(0, PAGES_OF_NAMES)
    .flatMap((page) => [...page.lines, ...page.furniture])
    .flatMap((line) => line.segments)
    .filter(({ words }) => !words.some((word) => own.has(word)))
    .map((segment) => ({ segment, at: foldInPlace(segment.text).indexOf(fold(text)) }))
    .find(({ at }) => at >= 0)
  const house = lines.length > 1 && NAMED.test(fold(text))
  if (!again && !house) return
  const value = again ? again.segment.text.slice(again.at, again.at + text.length) : parsed.value
  candidates.push({
    field: 'consultoria',
    value,
    score: again ? 0.6 : 0.54,
    words: cell.words,
    method: 'typed',
  })
}

/** 'Unaí-MG, 2024 | Terra Boa P&D | Dimicron – Proteção': the piece that is nothing else names who did it. */
function titlePieces(segment: Segment, candidates: Candidate[]): void {
  const run = makeRun(segment.words)
  const parts = [...run.text.matchAll(/[^|•·]+/g)].map((m) => ({ text: m[0].trim(), at: m.index }))
  if (parts.length < 2) return
  const known = parts.map((part) => {
    const folded = foldInPlace(part.text)
    if (findBrands(folded).length > 0) return 'brand'
    if (findPlaces(part.text, folded).some((place) => place.state)) return 'place'
    if (findCrops(folded).length > 0) return 'crop'
    return /\d/.test(part.text) ? 'figure' : 'name'
  })
  parts.forEach((part, i) => {
    const words = wordsIn(run, part.at, part.at + part.text.length)
    if (known[i] === 'name' && known.includes('brand') && known.includes('place')) {
      const parsed = parseOrganisation(part.text)
      if (parsed && parsed.fit > 0.8)
        candidates.push({ field: 'consultoria', value: parsed.value, score: 0.55, words, method: 'typed' })
    }
    if (known[i] === 'figure' && known[i - 1] === 'crop') {
      const parsed = parseCultivar(part.text, foldInPlace(part.text))
      if (parsed && !/20\d\d/.test(part.text))
        candidates.push({ field: 'cultivar', value: parsed.value, score: 0.55, words, method: 'typed' })
    }
  })
}

const NAMED =
  /\b(?:centro universitario|consultori\w*|consultores|agro\w*|pesquisas? agr\w+|assessoria|planejamento|experimenta\w+|solucoes agr\w+|estacao experimental|fundacao|coop\w+|associacao|instituto|agricol\w+|pesquisas?|universidade|faculdade|nucleo|usina|research|fitotecni\w+|coper\w+|laboratorio)\b/

const NO_NAME =
  /^(?:relat|ensaio|experimento|efeito|avalia|resultad|boletim|protocolo|ficha|memor|laudo|teste|desempenho|resposta|eficien|eficac|informe|campo\b|dados|painel|resumo)/

/** 'Informativo técnico da Cooperativa X': the paper, not who did the trial. */
const PAPER =
  /^(?:informativo|boletim|revista|jornal|circular|informe|publicacao|publicação|relat[óo]rio|laudo|comunicado)(?:\s+\p{L}+){0,3}?\s+d[ao]s?\s+(?=\p{Lu})/iu

const TRADE =
  /^(?:(?:pesquisas?|consultoria|assessoria|planejamento|experimentacao|desenvolvimento|tecnologia|solucoes|servicos|estudos|agronomic[ao]s?|agricolas?|agropecuari[ao]s?|aplicad[ao]s?|tecnic[ao]s?|rural|rurais|de campo|protecao|plantas|cultivos|fitossanidade|nutricao|d[aeo]s?|e|em|&)\s*)+$/

function organisation(segment: Segment, page: number, candidates: Candidate[]): void {
  const placed = /^(\p{Lu}[^,|]{3,45}?)\s*[-–—,|]\s*\p{Lu}[\p{L} ']+\s*(?:,|\/|-|–)\s*[A-Z]{2}\b/u.exec(
    segment.text,
  )?.[1]
  const text = segment.text.replace(PAPER, '')
  const parts = text.split(/\s+[|•·–—-]\s+|\s*[|•·]\s*/)
  const named = parts.findIndex((part) => NAMED.test(fold(part)) && !NO_NAME.test(fold(part)))
  // 'Instituto X – IX': the short name belongs to it.
  const short = /^[A-Z]{3,8}$/.test(parts[named + 1] ?? '') && parts.length === named + 2
  // 'Terra Boa – Pesquisa Agrícola': what it does stands behind its name.
  const lead = parts[named - 1] ?? ''
  const trade = lead !== '' && TRADE.test(fold(parts[named] ?? '')) && !NO_NAME.test(fold(lead))
  const begin = text.indexOf(trade ? lead : (parts[named] ?? ''))
  const behind = parts[named + 1] ?? ''
  const last = TRADE.test(fold(behind)) ? behind : (parts[named] ?? '')
  const end = text.lastIndexOf(last) + last.length
  const whole = short ? text.slice(begin) : text.slice(begin, end)
  const first = placed ?? whole
  if (first === '' || NO_NAME.test(fold(first))) return
  if ((!placed && !NAMED.test(fold(first))) || first.split(' ').length > 9 || /[:]/.test(first)) return
  const capitals = first.split(/\s+/).filter((word) => word.length > 3)
  // A title is a phrase; a name has its words in capitals.
  if (capitals.some((word) => /^\p{Ll}/u.test(word))) return
  const parsed = parseOrganisation(first)
  if (!parsed || parsed.fit < 0.8) return
  const run = makeRun(segment.words)
  const at = Math.max(0, run.text.indexOf(first))
  const words = wordsIn(run, at, at + first.length)
  candidates.push({
    field: 'consultoria',
    value: parsed.value,
    score: page === 0 ? 0.56 : 0.5,
    words,
    method: 'typed',
  })
}

const WORDS = String.raw`(?:\s+(?:(?:d[aeo]s?|e|&)\s+)?\p{Lu}[\p{L}\d&.'’-]*)`
/** Names that begin or end as those of houses do that make trials. */
const HOUSE = new RegExp(
  `(?<![\\p{L}\\d&.'’-])(?:${[
    String.raw`(?:Universidade|Faculdade|Centro Universit[áa]rio|Instituto|Funda[çc][ãa]o|FUNDA[ÇC][ÃA]O|INSTITUTO|USINA|COOPERATIVA|Esta[çc][ãa]o Experimental|Centro de Pesquisas?|N[úu]cleo|Usina)(?:\s+d[aeo]s?)?${WORDS}{1,6}`,
    String.raw`\p{Lu}[\p{L}\d&.'’-]*${WORDS}{0,4}?\s+(?:Consultoria|Assessoria|Pesquisas?|Ensaios|Research|Experimenta[çc][ãa]o|Agroci[êe]ncias?)${WORDS}{0,3}`,
    String.raw`\p{Lu}[\p{L}\d&.'’-]*${WORDS}{1,6}?\s+(?:Ltda\.?|LTDA\.?|S/A|EIRELI)`,
    String.raw`[A-ZÀ-Ü\d&.]{3,}(?:\s[A-ZÀ-Ü\d&.]{2,}){0,3}\s(?:CONSULTORIA|ASSESSORIA|PESQUISAS?|ENSAIOS|EXPERIMENTA[ÇC][ÃA]O)(?:\s[A-ZÀ-Ü&]{1,}){0,3}`,
  ].join('|')})`,
  'gu',
)
/** Longer lines are no letterhead and no line of a letter. */
const LONGEST_LINE = 300
/** Who paid, sells or grows is not who made the trial. */
const NOT_MAKER =
  /\b(?:cliente|solicitante|contratante|apoio|patrocin\w+|fabricante|fornecedor\w*|produtor\w*|fazenda|proprietari\w+|parceir\w+|cedid\w+)\b/
const CITED = /\b(?:literatura|et al|revista|congresso)\b/

/** Where what stands between two bars begins and ends. */
function pieceAround(text: string, at: number, end: number): [from: number, to: number] {
  const bars = [...text.matchAll(/\s[|•·]\s/g)].map(({ index }) => index)
  return [bars.findLast((bar) => bar < at) ?? 0, Math.min(end, bars.find((bar) => bar >= at) ?? end)]
}

/** A house named anywhere: surer the more often it is. */
export function houses(words: Segment['words'], page: number, candidates: Candidate[]): void {
  const run = makeRun(words)
  if (run.text.length > LONGEST_LINE || CITED.test(run.folded)) return
  for (const match of run.text.matchAll(HOUSE)) {
    // 'Fundação X, com apoio da Y': what is said of the next one says nothing of it.
    const behind = run.folded.slice(match.index + match[0].length)
    const own = /^,?\s+com (?:o )?apoio d/.test(behind) ? match[0].length + match.index : run.folded.length
    // 'Oriza Consultoria | Cliente: Aderex Adjuvantes': nor what stands behind a bar.
    const [from, to] = pieceAround(run.text, match.index, own)
    if (NOT_MAKER.test(run.folded.slice(from, to))) continue
    if (NO_NAME.test(fold(match[0])) || match[0].split(/\s+/).length < 2) continue
    const parsed = parseOrganisation(match[0])
    if (!parsed || parsed.fit < 0.8) continue
    candidates.push({
      field: 'consultoria',
      value: parsed.value,
      score: page === 0 ? 0.47 : 0.42,
      words: wordsIn(run, match.index, match.index + match[0].length),
      method: 'typed',
    })
  }
}
