import { groupLines } from '../layout/lines.ts'
import { makeRun, type Run, sliceRun, wordsIn } from '../layout/run.ts'
import type { Word } from '../read/page.ts'
import type { Method } from '../result.ts'
import { findModes, isControl } from '../values/lexicon.ts'
import { NUMBER_SOURCE, toNumber } from '../values/number.ts'
import { FORMULA, fold, hasLetters, isBalanced, saysNothing } from '../values/text.ts'
import { printedUnit } from '../values/units.ts'
import { behindSentence, withoutEquivalents } from './description-asides.ts'
import { DOSE } from './doses.ts'
import type { DraftProduct, Found } from './draft.ts'
import { cleanName, isOnlyJoined, JOINT, plausibleName } from './product-names.ts'

/** A description taken apart: products with doses, and the name without them. */
interface Description {
  nome: Found<string> | null
  produtos: DraftProduct[]
}

/** Takes apart 'Nutrivia Raiz 0,5 L/ha + Nutrivia Pleno 1,0 L/ha'. */
export function readDescription(source: Run, method: Method): Description {
  let run = source
  let title: Run | null = null
  // 'Programa A: X 0,5 L/ha + Y' and 'Manejo A (X 0,5 L/ha + Y 1 L/ha)' name the treatment before its products.
  const announced = /^([^:(]{2,40})(?::\s+|\s[–—]\s+(?=(?:[oa]\smesm[oa]\s)?\p{Lu}[^–—]*\d))(?=\S)/u.exec(
    run.text,
  )
  // 'X + Y: 1,0 L/ha + 0,3 L/ha': behind them stand their doses alone.
  const dosesAlone = announced !== null && !hasName(run.text.slice(announced[0].length))
  if (announced?.[1] && !dosesAlone && !DOSE_TEST.test(fold(announced[1]))) {
    title = sliceRun(run, 0, announced[1].length)
    run = sliceRun(run, announced[0].length, run.text.length)
  } else {
    // Of a list in a sentence: '…); e'
    const wrapped = /^([^(]{3,50}?)\s*\((.+)\)\s*(?:[;,.]\s*(?:e\s*)?)?$/.exec(run.text)
    if (
      wrapped?.[1] &&
      wrapped[2] &&
      isBalanced(wrapped[2]) &&
      hasName(wrapped[2]) &&
      (fold(wrapped[2]).match(DOSE)?.length ?? 0) >= 1
    ) {
      const open = run.text.indexOf('(')
      title = sliceRun(run, 0, wrapped[1].length)
      run = sliceRun(run, open + 1, open + 1 + wrapped[2].length)
    }
  }
  run = withoutEquivalents(run)
  const produtos = readProducts(run, method)
  const nameRun = title ?? run
  let nome = title ? cleanName(title.text) : nameWithoutDoses(withoutPrices(run))
  // 'X, 2 L/ha, no sulco, e Y, 1 L/ha, via foliar': what stands between must not cut off the others.
  const [first] = title ? [] : run.folded.matchAll(DOSE)
  const ahead = first !== undefined && first.index > 0 && ACT_OF.test(run.text.slice(0, first.index))
  if (
    !title &&
    produtos.length > (ahead ? 0 : 1) &&
    produtos.every((p) => p.dose) &&
    (ahead || nome === produtos[0]?.nome.value || isOnlyJoined(nome, produtos))
  )
    nome = produtos.map((product) => product.nome.value).join(' + ')
  const words = nameRun.spans.map((span) => span.word)
  return {
    nome: nome === '' ? null : { value: nome, words, score: 0.95, method },
    produtos: isControl(source.text) && produtos.every((p) => p.dose === null) ? [] : produtos,
  }
}

function withoutPrices(run: Run): Run {
  const prices = [...run.folded.matchAll(MONEY)]
  if (prices.length === 0) return run
  const priced = new Set(prices.flatMap((match) => wordsIn(run, match.index, match.index + match[0].length)))
  return makeRun(run.spans.map(({ word }) => word).filter((word) => !priced.has(word)))
}

const DOSE_TEST = new RegExp(DOSE.source)

/** Whether letters remain once doses are taken away. */
function hasName(text: string): boolean {
  const rest = fold(text).replace(DOSE, ' ')
  const ways = findModes(rest).reduce((t, mode) => t.replace(rest.slice(mode.start, mode.end), ' '), rest)
  return /\p{L}{3}/u.test(
    ways.replace(/\b(?:via|dose|plantio|semeadura|aplicad[oa]s?|por|para|cada|das?|dos?|de)\b/g, ' '),
  )
}

function nameWithoutDoses(run: Run): string {
  let out = ''
  let at = 0
  for (const match of run.folded.matchAll(DOSE)) {
    out += `${run.text.slice(at, match.index).replace(/\s(?:a|à|com|na dose(?: de)?|de)\s*$/i, '')} `
    at = match.index + match[0].length
  }
  const tail = run.text.slice(at)
  const aside = /^\s*\(\p{L}[^()\d]*\)\s*$/u.test(tail) && findModes(fold(tail)).length === 0
  if (at === 0 || aside || (JOINT.test(tail) && /\p{L}{3}/u.test(tail))) out += tail
  return cleanName(out)
}

/** A price that is set apart from what stands before it: 'X (0,5 L/ha; R$ 40,00/ha)'. */
const MONEY = new RegExp(
  String.raw`(?<=[;,(|/-]\s*)r\$\s*(${NUMBER_SOURCE})(?:\s*(?:\/|por)?\s*(?:ha(?:-1)?|hectare)(?![a-z]))?`,
  'g',
)

/** 'Kemvera Duo 300 EC (0,5)': of which unit the caption says. */
const BARE_DOSE = /\p{L}.*\s\(\d{1,4}(?:[.,]\d{1,3})?\)$/u

/** 'Raiz Max 150 mL/ha, nas sementes / Amino Verde 0,5 L/ha, foliar em V4': a product with its dose in each line. */
function productLines(run: Run): Run[] | null {
  const lines = groupLines(run.spans.map(({ word }) => word)).map(makeRun)
  if (lines.length < 2) return null
  const whole = lines.every(({ text, folded }, i) => {
    if (!/^\p{Lu}/u.test(text)) return false
    if (BARE_DOSE.test(text)) return true
    const dose = [...folded.matchAll(DOSE)].filter((match) => match[1] !== undefined && match[2]).at(-1)
    if (!dose) return false
    // What goes on behind the dose is how and when, and no further product.
    return (
      i === lines.length - 1 ||
      /^\s*(?:[,(–-]\s*)?(?:(?:\p{Ll}|[VR]\d)[^+]*)?$/u.test(text.slice(dose.index + dose[0].length))
    )
  })
  return whole ? lines : null
}

/** The products of a text, with the doses and the prices beside their names. */
export function readProducts(run: Run, method: Method): DraftProduct[] {
  const lines = productLines(run)
  if (lines) return lines.flatMap((line) => readProducts(line, method))
  const prices = [...run.folded.matchAll(MONEY)]
  if (prices.length === 0) return namedProducts(run, method)
  const products = namedProducts(withoutPrices(run), method)
  const place = new Map(run.spans.map(({ word, start }) => [word, start]))
  for (const match of prices) {
    const value = toNumber(match[1] ?? '')
    // The product that was named last before its price.
    const own = products.findLast(({ nome }) => (place.get(nome.words[0] as Word) ?? Infinity) < match.index)
    if (!own || own.custo || value === null) continue
    const at = match.index + match[0].indexOf(match[1] ?? '')
    own.custo = { value, words: wordsIn(run, at, at + (match[1]?.length ?? 0)), score: 0.9, method }
  }
  return products
}

/** 'por litro', 'para 50 kg de sementes': of what none of our units is. */
const PER_OTHER =
  /^\s*(?:por|p\/|para)\s*(?:cada\s*)?(?:(?:l|litro)\b|(?!100\b)\d{1,4}(?:\.\d{3})?\s*(?:kg|sementes)\b)/

/** The nutrient right behind an amount. */
function nutrientBehind(run: Run, end: number): [number, number] | null {
  const nutrient = NUTRIENT_BEHIND.exec(run.text.slice(end))
  return nutrient?.[1] ? [end + nutrient[0].length - nutrient[1].length, end + nutrient[0].length] : null
}

/** The product of which an amount is, as far as the next sign of a sum. */
function nameBehind(run: Run, end: number, stop: number): [number, number] | null {
  const rest = run.text.slice(end, stop)
  const of = /^\s*d[eoa]\s+(?=\p{Lu}[\p{L}\d]{2})/u.exec(rest)?.[0]
  if (of === undefined) return null
  const sum = rest.indexOf(' + ', of.length)
  return nameRange(run, end + of.length, sum === -1 ? stop : end + sum)
}

function namedProducts(run: Run, method: Method): DraftProduct[] {
  const doses = [...run.folded.matchAll(DOSE)].filter(
    // '100 mL para 50 kg de sementes': what it is of is no dose.
    (m) =>
      m[1] !== undefined &&
      !/\b(?:para|por|p\/|cada)\s*$/.test(run.folded.slice(Math.max(0, m.index - 8), m.index)),
  )
  if (doses.length === 0) return readNames(run, method)
  const ahead = dosesAhead(run, doses, method)
  if (ahead) return ahead
  const products: DraftProduct[] = []
  let at = 0
  const pending: [number, number][] = []
  for (const [i, match] of doses.entries()) {
    const before: [number, number] = [at, match.index]
    const end = match.index + match[0].length
    const dose = toNumber(match[1] ?? '')
    // '(0,4 + 0,5 L/ha)': the unit is printed once.
    const printed = match[2] || doses.slice(i).find((later) => later[2])?.[2]
    // '2 g por litro de calda' is of no unit that is kept.
    const unit = printedUnit(printed ?? '')
    const unidade = PER_OTHER.test(run.folded.slice(end)) ? null : unit.unidade
    const numberAt = match.index + match[0].indexOf(match[1] ?? '')
    const found: Found<number> | null =
      dose === null
        ? null
        : {
            value: dose * unit.factor,
            words: wordsIn(run, numberAt, numberAt + (match[1]?.length ?? 0)),
            score: 0.95,
            method,
          }
    const own = nutrientBehind(run, end) ?? nameBehind(run, end, doses[i + 1]?.index ?? run.text.length)
    if (own && /\+\s*$/.test(run.text.slice(...before))) {
      // 'Rizofix + 40 kg/ha N', 'Rizofix + 75 mL/ha de Comolyx'
      const others = nameRange(run, ...before)
      for (const [from, to] of others ? splitNames(run, ...others) : [])
        products.push({ nome: nameFound(run, from, to, method), dose: null, unidade: null, custo: null })
      at = own[1]
      products.push({ nome: nameFound(run, ...own, method), dose: found, unidade, custo: null })
      continue
    }
    let range: [number, number] | null = nameRange(run, ...before)
    let next = end
    if (!range) {
      // '0,5 L/ha de Nutrivia Raiz'
      const following = /^\s*(?:de|do|da)\s+/.exec(run.folded.slice(end))
      const stop = doses[i + 1]?.index ?? run.text.length
      if (following) {
        range = nameRange(run, end + following[0].length, stop)
        next = stop
      }
    }
    at = next
    if (!range) {
      if (found) shareDoses(products, found, unidade)
      continue
    }
    pending.push(range)
    const names = splitNames(run, ...range)
    names.forEach(([from, to], k) => {
      const last = k === names.length - 1
      products.push({
        nome: nameFound(run, from, to, method),
        dose: last ? found : null,
        unidade: last ? unidade : null,
        ...(last && unit.bare && { bare: unit.bare }),
        custo: null,
      })
    })
  }
  const rest = nameRange(run, at, run.text.length)
  if (rest && JOINT.test(run.text.slice(at))) {
    for (const [from, to] of splitNames(run, ...rest))
      products.push({ nome: nameFound(run, from, to, method), dose: null, unidade: null, custo: null })
  }
  return products
    .map(withoutRole)
    .filter(
      ({ nome, dose }) =>
        plausibleName(nome.value) ||
        (dose !== null && (MARKET.test(nome.value) || NUTRIENT.test(nome.value))),
    )
}

const NUTRIENT_BEHIND = /^\s*(?:de\s+)?(N|P|K|S|B|P2O5|K2O)(?![\p{L}\d])/u
/** '40 kg/ha de N' */
const NUTRIENT = /^(?:N|P|K|S|B)$/

/** What may stand before an amount that is told before its product: 'aplicação foliar de', 'seguida de', 'e'. */
const ACT_OF =
  /^[\s;,]*(?:(?:e|mais|seguid[oa]s?|com|de|d[oa]s?|uma?|duas|foliar|via|em|n[oa]|aplica\p{L}+|pulveriza\p{L}+|aduba\p{L}+|inocula\p{L}+|tratamento|uso|sementes?|sulco|cobertura|solo)(?:[\s:,]+|$))*$/u
/** 'do redutor Talo Firme', 'de ureia em V4', 'de Bacillus subtilis no sulco' */
const BEHIND = /^\s*d[eoa]s?\s+(?:\p{Ll}{5,}\s+(?=\p{Lu}))?/u
/** Where the name behind an amount ends: how, when, and what comes next. */
const NAME_ENDS =
  /\s*(?:[,;(]|\s(?:n[oa]s?|em|aos?|às?|via|por|durante|seguid\p{L}*|dividid\p{L}*|aplicad\p{L}*)(?:\s|$)|\s(?:e|mais|com|\+)(?:\s+de)?\s*$|\.(?:\s|$))/u

/** '60 kg/ha de N, na forma de ureia' */
const FORM_OF = /^[\s,(]*(?:na forma de|como|via|fonte:?|sob a forma de)\s+(\p{L}{4,}(?:\sde\s\p{L}{4,})?)/u

/** 'aplicação de 1,5 L/ha de X no perfilhamento, seguida de 2,0 L/ha de Y': each amount before its product. */
function dosesAhead(run: Run, doses: readonly RegExpExecArray[], method: Method): DraftProduct[] | null {
  const [first] = doses
  if (!first || !ACT_OF.test(run.text.slice(0, first.index))) return null
  const products: DraftProduct[] = []
  for (const [i, match] of doses.entries()) {
    const end = match.index + match[0].length
    const rest = run.text.slice(end, doses[i + 1]?.index ?? run.text.length)
    const lead = BEHIND.exec(rest)?.[0]
    const body = lead === undefined ? '' : rest.slice(lead.length)
    const named = body.slice(0, NAME_ENDS.exec(body)?.index ?? body.length).trimEnd()
    const value = toNumber(match[1] ?? '')
    const several = /\+|\s(?:e|mais)\s/.test(named)
    if (!/\p{L}/u.test(named) || several || value === null || !match[2]) return null
    const behind = end + (lead?.length ?? 0) + named.length
    const form = NUTRIENT.test(named) ? FORM_OF.exec(run.text.slice(behind)) : null
    const name = form?.[1] ?? named
    const from = behind + (form ? form[0].length : 0) - name.length
    const at = match.index + match[0].indexOf(match[1] ?? '')
    const { unidade, factor } = printedUnit(match[2])
    const words = wordsIn(run, at, at + (match[1]?.length ?? 0))
    products.push({
      nome: nameFound(run, from, from + name.length, method),
      dose: { value: value * factor, words, score: 0.95, method },
      ...{ unidade, custo: null },
    })
  }
  return products
}

/** With a dose of its own, 'Padrão de mercado A' is a product whose name is not told. */
const MARKET = /^padr[ãa]o (?:de )?mercado\b/i

/** 'Padrão fazenda – Mancozeb': what the product is in the trial is not its name. */
function withoutRole(product: DraftProduct): DraftProduct {
  const sentence = /^\p{Ll}[^()]*\(\p{Lu}/u.test(product.nome.value)
  if (plausibleName(product.nome.value) && !sentence) return product
  // 'o concorrente (Turbofol)'
  const inner = /^\p{Ll}[^()]*\((\p{Lu}[^()]{2,})\)$/u.exec(product.nome.value)?.[1]
  const own = inner?.split(',')[0]?.replace(/[®™]/g, '').trim()
  if (own) return { ...product, nome: { ...product.nome, value: own } }
  const tail = /(?:\s[–—-]\s|:\s)\s*(\p{Lu}[^–—:]+)$/u.exec(product.nome.value)?.[1]
  return tail ? { ...product, nome: { ...product.nome, value: tail } } : product
}

/** 'X + Y (100 mL/ha + 0,5 L/ha)': the doses of a group follow the order of its names. */
function shareDoses(
  products: readonly DraftProduct[],
  dose: Found<number>,
  unidade: DraftProduct['unidade'],
): void {
  const open = products.findLastIndex((product) => product.dose === null)
  if (open < 0 || open === products.length - 1) return
  for (let k = open; k + 1 < products.length; k++) {
    const [one, next] = [products[k], products[k + 1]]
    if (!one || !next) return
    one.dose = next.dose
    one.unidade = next.unidade
  }
  const last = products.at(-1)
  if (!last) return
  last.dose = dose
  last.unidade = unidade
}

/** 'Nitroguard 46 (ureia com inibidor)' */
const ROLE_IN_WORDS = /^(\p{Lu}\S{3}[^()]{0,60}?)\s?\(\p{Ll}{3,}(?:\s\p{Ll}{2,}){1,4}\)$/u
/** 'X (referência comercial)': what the product is in the trial. */
const ROLE =
  /\s*\((?:produto )?(?:refer[êe]ncia|padr[ãa]o|comparativo|concorrente|comercial|em teste|testado|fungicida|inseticida|nematicida|herbicida|acaricida|bactericida|inoculante|bioestimulante|enraizador|adjuvante|pol[íi]mero|fertilizante|biol[óo]gico)[^)]*\)?$/iu

function nameFound(run: Run, from: number, to: number, method: Method): Found<string> {
  const name = cleanName(run.text.slice(from, to)).replace(ROLE, '').replace(ROLE_IN_WORDS, '$1')
  return { value: name, words: wordsIn(run, from, to), score: 0.95, method }
}

/** 'Padrão 2 (X + Y) *' */
const STANDARD =
  /^(\s*(?:[Pp]adr[ãa]o|[Rr]efer[êe]ncia|[Cc]omparativo)(?:\s[\p{L}\d]{1,12}){0,2}\s?\()(?=\p{Lu})[^()]+\)[\s*†‡]*$/u

const isName = (text: string): boolean => hasLetters(text) || FORMULA.test(text)

const AT_STAGE = /^\s*(?:em|no|na)\s+[VR]\d{1,2}(?:\s*(?:e|\/)\s*[VR]\d{1,2})?,?\s+(?=(?:\+|mais|e)\s)/

function nameRange(run: Run, from: number, to: number): [number, number] | null {
  let start = from
  const text = run.text.slice(from, to)
  const standard = STANDARD.exec(text)
  if (standard?.[1]) return [from + standard[1].length, from + text.lastIndexOf(')')]
  start +=
    /^[\s)\].,;]*(?:\((?:idem|igual|mesm[oa]|como)\b[^()]{0,20}\)[\s,;]*)?(?:\([VR]\d{1,2}[^()]{0,16}\)[\s,;]*)?(?:(?:via |n[oa] |em )?\p{Ll}[\p{Ll} ]{1,24}\)[\s,;]*)?/u.exec(
      text,
    )?.[0].length ?? 0
  // 'X a 0,8 L/ha em V5 mais o Y': when the one before was applied.
  start += AT_STAGE.exec(run.text.slice(start, to))?.[0].length ?? 0
  // 'O que o cooperado costuma fazer. Nitrofol 32': a sentence before the name.
  start += behindSentence(run.text.slice(start, to))
  const joint = JOINT.exec(run.text.slice(start, to))
  if (joint) start += joint[0].length
  const body = run.text.slice(start, to)
  const tail = /[\s(@:,;–-]*$/.exec(body)?.[0].length ?? 0
  return isName(body) && body.length - tail > 1 ? [start, to - tail] : null
}

// 'Zn+B' without a space is what one product holds.
const SEPARATOR =
  /\s*(?:\s\+\s|(?!(?<=(?<!\p{L})(?:N|P|K|S|B|Ca|Mg|Zn|Mn|Cu|Mo|Co|Fe|Ni|Si|Se))\+(?:N|P|K|S|B|Ca|Mg|Zn|Mn|Cu|Mo|Co|Fe|Ni|Si|Se)(?!\p{L}))(?<!\d)\+|(?<=\d)\+(?!\d)|;|\s&\s|\s\/\s|\s(?:e|mais|somad[oa]s? (?:a|ao)|associad[oa]s? (?:a|ao|com)|combinad[oa]s? (?:a|ao|com)|em mistura com|junto (?:a|com)|acrescid[oa]s? de|adicionad[oa]s? de|aliad[oa]s? (?:a|ao)|seguid[oa]s? (?:de|por))\s(?=(?!Cia\b|Filhos\b|Irmãos\b)[\p{Lu}\d])|,\s(?=\p{Lu}))\s*/gu

/** Within brackets that close: 'silicate (X, of the maker Y)'. */
const isInside = (text: string, at: number): boolean =>
  text.lastIndexOf('(', at) > text.lastIndexOf(')', at) && text.indexOf(')', at) > 0

function splitNames(run: Run, from: number, to: number): [number, number][] {
  const parts: [number, number][] = []
  const text = run.text.slice(from, to)
  let at = 0
  for (const match of text.matchAll(SEPARATOR)) {
    if (isInside(text, match.index)) continue
    parts.push([from + at, from + match.index])
    at = match.index + match[0].length
  }
  parts.push([from + at, to])
  return parts.filter(([a, b]) => isName(run.text.slice(a, b)))
}

/** Names without doses: a list of products, if they look like names of products. */
function readNames(run: Run, method: Method): DraftProduct[] {
  if (isControl(run.text) || saysNothing(run.text)) return []
  const range = nameRange(run, 0, run.text.length)
  if (!range) return []
  return splitNames(run, ...range)
    .map(([from, to]) => ({ nome: nameFound(run, from, to, method), dose: null, unidade: null, custo: null }))
    .filter((product) => plausibleName(product.nome.value))
}
