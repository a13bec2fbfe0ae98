import type { FieldKey } from '@ensaio/domain/fields'
import type { Document } from '../document.ts'
import type { Block } from '../layout/lines.ts'
import { makeRun, type Run, runOf, wordsIn } from '../layout/run.ts'
import type { Word } from '../read/page.ts'
import { findBrands, findBusinessUnits } from '../values/lexicon.ts'
import { findAngles, findPlaces } from '../values/places.ts'
import { aside, asideAt, type Candidate, elsewhere } from './candidate.ts'
import { parseCultivar, parseRegional } from './parsers.ts'
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
    readCultivar(sentence, add)
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

const SIGNED_PAIR = /(?<![\d.,])(-\d{1,2}[.,]\d{3,})\s*[;,/]\s*(-\d{2}[.,]\d{3,})(?!\d)/
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

const CULTIVAR =
  /\b(?:cultivar(?:es)?|hibrido|variedade|genotipo|material|clone|cv\.|semente)\s+(?:de (?:soja|milho|trigo|algodao|feijao|arroz|cafe|cana|uva|manga|batata)\s+)?(?:simples |triplo |comercial |escolhid[oa] (?:foi )?[ao]? ?|utilizad[oa] (?:foi )?[ao]? ?|foi [ao] |semead[oa] (?:foi )?[ao]? ?|plantad[oa] (?:foi )?[ao]? ?|usad[oa] (?:foi )?[ao]? ?|era [ao] |:\s*)?["'“]?/g

function readCultivar({ text, folded }: Sentence, add: Add): void {
  for (const match of folded.matchAll(CULTIVAR)) {
    const from = match.index + match[0].length
    const rest = text.slice(from, from + 60)
    const name = /^(?:\p{Lu}|\d)[\p{L}\d./-]*(?:\s+(?:d[aeo]s?\s+)?(?:\p{Lu}|\d)[\p{L}\d./-]*){0,4}/u.exec(
      rest,
    )
    if (!name) continue
    // 'variedade RB855453' and on the next line 'LOCAL: Fazenda'
    const labelled = /^(?:\s+\p{Ll}+){0,3}\s*:/u.test(rest.slice(name[0].length)) ? / +\S+$/ : /$^/
    const value = (name[0].replace(labelled, '').split(/\.\s/)[0] ?? '').replace(/[.,]$/, '')
    if (/^E\s/.test(value)) continue
    const parsed = parseCultivar(value, value.toLowerCase())
    if (parsed) add('cultivar', value, 0.85 * parsed.fit * asideAt(folded, from), from, from + value.length)
  }
  for (const match of folded.replace(/[‘’“”]/g, "'").matchAll(QUOTED)) {
    const start = match.index + match[0].indexOf(match[1] ?? '', 3)
    const value = text.slice(start, start + (match[1]?.length ?? 0))
    if (/^\p{Lu}/u.test(value))
      add('cultivar', value, 0.8 * asideAt(folded, start), start, start + value.length)
  }
  for (const match of [...text.matchAll(FIELD_OF), ...text.matchAll(OF_FRUIT)]) {
    const value = match[1]
    const city =
      value && !/\d/.test(value) && findPlaces(value, value.toLowerCase()).some((place) => place.city)
    if (!value || city) continue
    const start = match.index + match[0].length - value.length
    const parsed = parseCultivar(value, value.toLowerCase())
    if (parsed) add('cultivar', value, 0.6 * parsed.fit * asideAt(folded, start), start, start + value.length)
  }
  for (const match of text.matchAll(BREEDER)) {
    const sown = /\b(?:semead|semeamos|plantad|plantamos|cultivar|colhid)/.test(folded)
    const group = GROUP_BEFORE.exec(text.slice(Math.max(0, match.index - 40), match.index))?.[0] ?? ''
    const value = `${group}${match[1] ?? ''}`
    const at = match.index - group.length
    add('cultivar', value, sown ? 0.6 : 0.45 * asideAt(folded, at), at, at + value.length)
  }
  for (const match of text.matchAll(WITH_TECHNOLOGY)) {
    const value = match[1] ?? ''
    add('cultivar', value, 0.6 * asideAt(folded, match.index), match.index, match.index + value.length)
  }
  // 'Trigo TBIO Sonic': a breeder's letters and a name.
  for (const match of text.matchAll(
    /\b(?:[Ss]oja|[Mm]ilho|[Tt]rigo|[Aa]lgodão|[Ff]eijão|[Aa]rroz|[Bb]atata|[Uu]va)\s+((?:BMX|TBIO|BRS|BRSMG|IAC|IPR|ORS|TMG|DM|NS|FPS|CD|IRGA|ANfc|TAA|FM|IMA|DKB|AG|AS|NK|FS|[A-Z]{2,4})\s+\p{Lu}[\p{L}\d]+(?:\s+[A-Z\d]{2,6})*)/gu,
  )) {
    const value = match[1]
    if (!value) continue
    const start = match.index + match[0].lastIndexOf(value)
    add('cultivar', value, 0.66 * asideAt(folded, start), start, start + value.length)
  }
  for (const match of text.matchAll(
    /\b(?:soja|milho|trigo|algodão|feijão|arroz|café|batata|uva|manga|cana)\s*(?:\(|,\s*)?\s*(?:cv\.|var\.)?\s*((?:[A-Z]\d{3,}|(?:[A-Z]{2,}|\p{Lu}\p{L}+)(?:[\s-]+[\p{Lu}\d][\p{L}\d]*)*[\s-]*\d+)\p{L}*(?:\s+[A-Z\d]{2,})*)/giu,
  )) {
    const value = match[1]
    if (!value || !/^\p{Lu}/u.test(value) || /safra/i.test(value)) continue
    const start = match.index + match[0].lastIndexOf(value)
    add('cultivar', value, 0.62 * asideAt(folded, start), start, start + value.length)
  }
}

/** 'com a IRGA 424 RI semeada em', 'O feijão, BRS Estilo, foi plantado': the letters of a breeder and what follows. */
const BREEDER =
  /(?<![\p{L}\d])((?:BMX|TBIO|BRS|BRSMG|IAC|IPR|ORS|TMG|IRGA|FPS|NEO|DKB|IMAmt|FM|NS|ANfc)\s(?:\p{Lu}\p{L}+|\d{2,4})(?:\s[A-Z\d]{2,5})*)(?=[\s,.;)]|$)/gu

/** 'a soja M 8210 IPRO': a number and the traits that the seed has. */
const WITH_TECHNOLOGY =
  /(?<![\p{L}\d])((?:(?:[A-Z]{1,4}|\p{Lu}\p{Ll}{2,12})\s)?[A-Z]{0,3}\d{2,5}[A-Z]{0,3}\s(?:IPRO|RR2?|I2X|XTD|CE|PRO[234]|VTPRO[234]?|VIP3?|B[23]RF|GLTP?|B2LL))(?![\p{L}\d])/gu

/** 'Catuaí Vermelho IAC 144': of coffee the group stands before the letters of the breeder. */
const GROUP_BEFORE =
  /(?<![\p{L}.])(?:Catua[íi]|Bourbon|Mundo Novo|Acai[áa]|Icatu|Obat[ãa]|Tupi|Catimor|Catigu[áa])(?:\s(?:Vermelho|Amarelo))?\s$/u

/** 'lavoura de Catuaí Vermelho IAC 144 com oito anos'; 'o pomar da Fundação' is somebody's. */
const FIELD_OF =
  /\b(?:(?:lavoura|pomar|cafezal|vinhedo|parreiral|canavial|cafeeiros?)\s+(?:adult[oa]\s+)?(?:de|d[ao](?=\s[^,.;]{0,20}\d))|talh[ãa]o\s+de)\s+((?:\p{Lu}[\p{L}\d-]*)(?:\s+(?:\p{Lu}|\d)[\p{L}\d/-]*){0,4})/gu

/** 'é de laranja Pera Rio sobre limoeiro Cravo', 'laranjeira Pera' */
const OF_FRUIT =
  /\b(?:laranja|laranjeiras?|tangerin(?:a|eira)|lim(?:ão|oeiro)|videiras?|mangueiras?|bananeiras?|macieiras?|pessegueiros?|batata)\s+((?:\p{Lu}\p{Ll}{2,})(?:\s+\p{Lu}\p{Ll}{2,}){0,2})(?=\s+(?:sobre|enxertad|com|em|de|foi)\b)/gu

/** "cafeeiro 'Mundo Novo'" */
const QUOTED =
  /\b(?:soja|milho|trigo|algodao|feijao|arroz|cafe|cafeeiro|videira|uva|mangueira|manga|batata|batateira|cana|banana|bananeira|tomate|laranja|melao|maca)\s+['"]([^'"]{2,30})['"]/g

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
