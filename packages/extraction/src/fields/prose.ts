import type { FieldKey } from '@ensaio/domain/fields'
import type { Document } from '../document.ts'
import type { Block } from '../layout/lines.ts'
import { makeRun, type Run, runOf, wordsIn } from '../layout/run.ts'
import type { Word } from '../read/page.ts'
import { findBrands, findBusinessUnits } from '../values/lexicon.ts'
import { findAngles } from '../values/places.ts'
import { aside, asideAt, type Candidate, elsewhere } from './candidate.ts'
import { parseRegional } from './parsers.ts'
import { readMoney, readSoil } from './prose-amounts.ts'

export interface Sentence {
  run: Run
  start: number
  text: string
  folded: string
  /** Share of the document that came before, 0..1. */
  place: number
}

/** Candidates from running text: what is said near which words. */
export function findInProse(document: Document): Candidate[] {
  const candidates: Candidate[] = []
  const sentences = sentencesOf(document)
  for (const sentence of sentences) {
    const add = (field: FieldKey, value: string | number, score: number, from: number, to: number): void => {
      candidates.push({
        field,
        value,
        score,
        words: wordsIn(sentence.run, sentence.start + from, sentence.start + to),
        method: 'prose',
      })
    }
    readAngles(sentence, add)
    readBrand(sentence, add)
    readUnit(sentence, add)
    readSoil(sentence, add)
    readMoney(sentence, add)
    readRegional(sentence, add)
  }
  return candidates
}

export type Add = (field: FieldKey, value: string | number, score: number, from: number, to: number) => void

/** The entries of a list; one that ends with a comma goes on: '(-18,9439,' over '-46,9925)'. */
function entriesOf({ segments }: Block): Run[] {
  const entries: Word[][] = []
  for (const { words } of segments) {
    const open = entries.at(-1)
    if (open?.at(-1)?.text.endsWith(',')) open.push(...words)
    else entries.push([...words])
  }
  return entries.map(makeRun)
}

/** 'Unidade Adjuvantes' */
const UNIT_CELL = /^(?:unidade|divis[ãa]o|bu)\s\p{L}+$/iu
/** 'LVd, argila 45,5%' */
const SOIL_CELL = /\b(?:argila|mat[ée]ria org\p{L}+)\s*:?\s\d/iu

function sentencesOf(document: Document): Sentence[] {
  const runs: Run[] = []
  for (const layout of document.pages) {
    for (const block of layout.blocks) {
      // Lines of a few words are entries of a list, not sentences that run on.
      const words = block.segments.reduce((sum, s) => sum + s.words.length, 0)
      if (block.segments.length > 2 && words / block.segments.length < 4.6) runs.push(...entriesOf(block))
      else runs.push(runOf(block))
    }
    for (const table of layout.tables)
      for (const cell of new Set(table.rows.flat()))
        if (cell && (cell.words.length > 3 || SOIL_CELL.test(cell.text) || UNIT_CELL.test(cell.text)))
          runs.push(makeRun(cell.words))
  }
  const total = runs.reduce((sum, run) => sum + run.text.length, 1)
  const sentences: Sentence[] = []
  let before = 0
  for (const run of runs) {
    let start = 0
    const end = /(?<=[\p{Ll}\d)%"”'¹²³][\d)¹²³]?)[.!?](?=\s+[\p{Lu}"“(]|\s*$)|;\s(?=\p{L})/gu
    const cuts = [...run.text.matchAll(end)]
      .filter(
        (m) =>
          !/\b(?:Av|Dr|Eng|Agr|Sr|Prof|Faz|cv|var|ex|Lat|Long|Fig|Tab|al|n)$/.test(
            run.text.slice(0, m.index),
          ),
      )
      .map((m) => m.index + 1)
    // Options to tick are not statements.
    if (/[☐☑☒]|\(\s?[xX]?\s?\)|\[\s?[xX]?\s?\]/.test(run.text)) continue
    for (const cut of [...cuts, run.text.length]) {
      if (cut <= start) continue
      const text = run.text.slice(start, cut)
      sentences.push({
        run,
        start,
        text,
        folded: run.folded.slice(start, cut),
        place: (before + start) / total,
      })
      start = cut
    }
    before += run.text.length
  }
  return sentences
}

const SIGNED_PAIR = /(?<![\d.,])(-\d{1,2}[.,]\d{3,})(?:\s*[;,/]\s*|\se\s)(-\d{2}[.,]\d{3,})(?!\d)/
/** '25.0916 S, 50.1668 W' */
const BARE_ANGLES = /\d[.,]\d{3,}\s*[ns]\b[\s,;/]+\d+[.,]\d{3,}\s*[wo]\b/

function readAngles({ text, folded }: Sentence, add: Add): void {
  // '(-28,2956; -52,7933; 603 m)'
  const pair = SIGNED_PAIR.exec(folded)
  if (pair?.[1] && pair[2]) {
    const at = pair.index + pair[0].indexOf(pair[1])
    const then = pair.index + pair[0].lastIndexOf(pair[2])
    add('latitude', Number(pair[1].replace(',', '.')), 0.8, at, at + pair[1].length)
    add('longitude', Number(pair[2].replace(',', '.')), 0.8, then, then + pair[2].length)
    return
  }
  if (!/\blat|\blon|coordenad|[°º◦˚∘]|gps|georref/.test(folded) && !BARE_ANGLES.test(folded)) return
  const angles = findAngles(folded, text)
  // Where an office or a university is nobody tells in degrees.
  const off = elsewhere(folded)
  const labelled = (at: number): 'latitude' | 'longitude' | null => {
    const before = folded.slice(Math.max(0, at - 28), at)
    const lat = before.lastIndexOf('lat')
    const lon = before.lastIndexOf('lon')
    return lat < 0 && lon < 0 ? null : lat > lon ? 'latitude' : 'longitude'
  }
  const known = angles
    .map((a) => ({ ...a, axis: a.axis ?? labelled(a.start) }))
    .filter((a) => a.axis !== null || /coordenad|gps|georref/.test(folded))
  const [one, two] = known
  if (one && two && (one.axis === null || two.axis === null || one.axis === two.axis)) {
    one.axis = 'latitude'
    two.axis = 'longitude'
  }
  for (const angle of known)
    if (angle.axis) add(angle.axis, brazilian(angle.value, angle.axis), 0.9 * off, angle.start, angle.end)
}

/** Brazil lies west of Greenwich and, but for its tip, south of the equator: an unsigned angle is negative. */
export function brazilian(value: number, axis: 'latitude' | 'longitude'): number {
  return value > (axis === 'latitude' ? 5.3 : 0) ? -value : value
}

const COMPARISON =
  /\bcomparativ\w+|\bconcorren\w+|\breferencia\b|\bpadrao\b|\bcompetid\w+|\bterceir\w+|\boutra marca\b|\bcontraste\b/
const BRAND_CUE =
  /(?:marca|parceria com|produtos? d[aeo]|protocolo d[aeo]|programa d[aeo]|linha|solucoes d[aeo]|portfolio d[aeo]|tecnologias? d[aeo]|demanda d[aeo]|pedido d[aeo]|solicitacao d[aeo]|patrocin\w+|apoio d[aeo]|encomend\w+ (?:pel[ao])|contrata\w+ (?:pel[ao])|cliente|da empresa|fornecid\w+ pel[ao]|manejo|para a|recomendacao d[aeo]|desenvolvid\w+ pel[ao]|fabricad\w+ pel[ao]|d[aeo])\s*:?\s*(?:a |o |empresa |marca )?$/

function readBrand({ folded, place }: Sentence, add: Add): void {
  const found = findBrands(folded)
  for (const brand of found) {
    const before = folded.slice(Math.max(0, brand.start - 45), brand.start)
    const after = folded.slice(brand.end, brand.end + 60)
    if (brand.value === 'Concorrente' && !/marca\s*:?\s*$/.test(before)) continue
    const cue = BRAND_CUE.test(before)
    const against = COMPARISON.test(before) || COMPARISON.test(after) || aside(folded) < 0.35
    const base = cue ? 0.74 : 0.6
    add('marca', brand.value, against ? 0.15 : base + (place < 0.25 ? 0.08 : 0), brand.start, brand.end)
  }
}

function readUnit({ folded }: Sentence, add: Add): void {
  for (const unit of findBusinessUnits(folded)) {
    const before = folded.slice(Math.max(0, unit.start - 40), unit.start)
    const named = /^bu/.test(folded.slice(unit.start, unit.end))
    const cue =
      /(?:\bbu|business unit|unidade(?: de negocios?)?|divisao|linha|area|segmento|portfolio|categoria|vertical|frente|divisao|diretoria|nucleo|carteira|plataforma)\s*(?:d[aeo]|:|-|em)?\s*["'(]?$/.test(
        before,
      )
    const beside = findBrands(before).some((b) => /^\s*[-–—|/(:,]\s*$/.test(before.slice(b.end)))
    if (named || cue || beside) add('bu', unit.value, named ? 0.85 : 0.78, unit.start, unit.end)
  }
}

/** 'Regional Matopiba' over 'Agosto de 2024' */
const MONTH_BEHIND =
  /\s(?:Janeiro|Fevereiro|Mar[çc]o|Abril|Maio|Junho|Julho|Agosto|Setembro|Outubro|Novembro|Dezembro|Safra)(?!\p{L}).*$/u

/** 'na região Sudoeste de Goiás', 'na região Nordeste do Brasil' */
const IN_REGION =
  /\b[Nn]a [Rr]egi[ãa]o (?:d[aeo] )?((?:Norte|Nordeste|Noroeste|Centro-Oeste|Sudeste|Sudoeste|Sul|Oeste|Leste|M[ée]dio[- ]Norte)(?: (?:d[aeo] )(?!Brasil)\p{Lu}\p{L}+(?: (?:d[aeo] )?\p{Lu}\p{L}+)?)?)(?!\p{L})/u

function readRegional({ text, folded }: Sentence, add: Add): void {
  // Where the trial was, or what it was made for.
  const own = /\b(?:conduzid|instalad|realizad|implantad)[oa]s?\b|\bobjetiv\w+|\bavaliar\b/.test(folded)
  const within = own ? IN_REGION.exec(text) : null
  if (within?.[1]) {
    const start = within.index + within[0].length - within[1].length
    add('regional', within[1], 0.45 * asideAt(folded, start), start, start + within[1].length)
  }
  const served =
    /\bregional\b[^.;]{3,40}?\s(?:é|foi|era)\s(?:[ao]\s)?((?:\p{Lu}[\p{L}-]*)(?:\s+(?:d[aeo]\s+)?\p{Lu}[\p{L}-]*){0,2})/u.exec(
      text,
    )
  if (served?.[1] && parseRegional(served[1])) {
    const start = served.index + served[0].lastIndexOf(served[1])
    add('regional', served[1], 0.78 * elsewhere(folded), start, start + served[1].length)
  }
  for (const match of text.matchAll(
    /\b(?:[Rr]egional|[Pp]raça|[Gg]erência(?: [Rr]egional)?|[Rr]egião [Cc]omercial)\s+(?:d[aeo]\s+)?((?:\p{Lu}[\p{L}-]*)(?:\s+(?:d[aeo]\s+)?\p{Lu}[\p{L}-]*){0,2})/gu,
  )) {
    // 'regional Paraná Norte Data: 20/11': the last word is the next label.
    const labelled = /^\s*:/.test(text.slice(match.index + match[0].length))
    // 'Na praça de X os 60 kg saíam por R$ 252,00': where prices were asked.
    if (/^pra/i.test(match[0]) && folded.includes('r$')) continue
    const name = (labelled ? match[1]?.replace(/\s+\S+$/, '') : match[1])?.replace(MONTH_BEHIND, '')
    if (!name || /^(?:de|da|do)$/i.test(name) || !parseRegional(name)) continue
    const start = match.index + match[0].indexOf(name, 6)
    // What is said of other years behind it is not said of it.
    const said = elsewhere(folded.slice(0, start + name.length))
    add('regional', name, 0.8 * said, start, start + name.length)
  }
}
