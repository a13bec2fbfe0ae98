import type { FieldKey } from '@ensaio/domain/fields'
import { NUMBER_SOURCE } from '../values/number.ts'
import { yieldUnit } from '../values/units.ts'
import { aside } from './candidate.ts'
import { parseMoney, parseShare } from './parsers.ts'
import type { Add, Sentence } from './prose.ts'

const CLAY_OR_OM = new RegExp(
  `(?<![\\d.,])(?:${NUMBER_SOURCE})\\s*(?:%|g\\s*[/.\\s·]?\\s*(?:kg|dm)\\S{0,3}(?:\\s?-?\\s?[13](?!\\d))?|dag\\s*[/.\\s]?\\s*(?:kg|dm)\\S{0,3})`,
  'g',
)
const CLAY = /\bargila\b|\bargilos[oa]\b|\bclay\b|\barg\.(?=:? ?\d)/g
const ORGANIC = /\bmateria organica\b|\bm\. ?o\.|\bmos?\b|\bmat\. org\w*|\bom\b(?=:? ?\d)|\borganic matter\b/g

/** Pairs each share with the nearest of the soil words; a number right before 'de argila' belongs to it. */
export function readSoil({ text, folded }: Sentence, add: Add): void {
  const cues = [
    ...[...folded.matchAll(CLAY)].map((m) => ({
      field: 'teor_argila' as const,
      at: m.index,
      end: m.index + m[0].length,
    })),
    ...[...folded.matchAll(ORGANIC)]
      // Molybdenum
      .filter((m) => text.slice(m.index, m.index + m[0].length) !== 'Mo')
      .map((m) => ({
        field: 'teor_materia_organica' as const,
        at: m.index,
        end: m.index + m[0].length,
      })),
  ]
  if (cues.length === 0) return
  // 'silte 19%, areia 13% e matéria orgânica 35 g/dm³', 'V de 58% e argila de 18%': what is said of other things.
  const others = [...folded.matchAll(/\b(?:areia|silte|saturacao|v(?= (?:de |= ?)?\d))\b/g)].map((m) => ({
    field: null,
    at: m.index,
    end: m.index + m[0].length,
  }))
  const told = inOrder(text, folded, add) || ofParts(text, folded, add)
  // '17 % argila, 1,9 % M.O.': each share stands before what it is of.
  const [leading] = [...folded.matchAll(CLAY_OR_OM)]
  const leads =
    leading !== undefined &&
    cues.every(({ at }) => at > leading.index) &&
    /^\s*(?:argila|m\. ?o\.|mo|materia organica)/.test(folded.slice(leading.index + leading[0].length))
  const numbers = [...folded.matchAll(CLAY_OR_OM)].filter(({ index }) => index >= told)
  // 'argila 63, mo 4,2 (tudo em %)'
  if (numbers.length === 0 && /\bem %|\(%\)/.test(folded))
    for (const { field, end } of cues) {
      const bare = /^\s*:?\s*(\d{1,2}(?:[.,]\d)?)(?!\d|[.,]\d)/.exec(folded.slice(end))
      if (!bare?.[1]) continue
      const at = end + bare[0].length - bare[1].length
      add(field, Number(bare[1].replace(',', '.')), 0.7 * aside(folded), at, at + bare[1].length)
    }
  for (const number of numbers) {
    const start = number.index
    const end = start + number[0].length
    let best: { field: FieldKey | null; gap: number } | undefined
    for (const cue of [...cues, ...others]) {
      const between = cue.at >= end ? folded.slice(end, cue.at) : folded.slice(cue.end, start)
      if (between.length > 60 || /[;.]\s/.test(between)) continue
      const crossed = numbers.some(
        (n) => n !== number && n.index > Math.min(end, cue.end) && n.index < Math.max(start, cue.at),
      )
      const otherCue = cues.some(
        (c) =>
          c !== cue &&
          c.field !== cue.field &&
          c.at >= Math.min(end, cue.end) &&
          c.end <= Math.max(start, cue.at),
      )
      if (otherCue) continue
      // 'X de argila' binds tightest.
      const binds = cue.at >= end && /^\s*(?:de|em)\s*$/.test(between)
      const gap = binds ? -1 : between.length + (crossed ? 40 : 0) + (cue.at >= end === leads ? 0 : 15)
      if (!best || gap < best.gap) best = { field: cue.field, gap }
    }
    if (!best?.field) continue
    const parsed = parseShare(text.slice(start, end), '', best.field === 'teor_argila' ? 'clay' : 'organic')
    if (!parsed) continue
    const around = folded.slice(Math.max(0, start - 45), end + 30)
    // 'Em solos com menos de 20% de argila': of any soil.
    const any = /\b(?:menos|mais|acima|abaixo|inferior(?:es)?|superior(?:es)?) (?:de|do que|que|a) ?$/.test(
      folded.slice(Math.max(0, start - 20), start),
    )
    const deep =
      /\b20\s*(?:-|a|e)\s*40\b|\b40\s*(?:-|a)\s*60\b|subsuperf/.test(around) &&
      !/\b0\s*(?:-|a)\s*20\b/.test(around)
    add(
      best.field,
      parsed.value,
      (best.gap < 30 ? 0.88 : 0.72) *
        (deep || any ? 0.3 : 1) *
        usual(best.field, Number(parsed.value)) *
        aside(around),
      start,
      end,
    )
  }
}

/** Shares, in percent, that a field of crops hardly has less or more of. */
const USUAL: Partial<Record<FieldKey, readonly [least: number, most: number]>> = {
  teor_argila: [5, 90],
  teor_materia_organica: [0.3, 10],
}
function usual(field: FieldKey, value: number): number {
  const [least, most] = USUAL[field] ?? [-Infinity, Infinity]
  return value < least || value > most ? 0.4 : 1
}

const SHARES = new RegExp(
  String.raw`(${NUMBER_SOURCE}),\s*(${NUMBER_SOURCE})\s+e\s+(${NUMBER_SOURCE})\s*(%|g\s*[/.\s]?\s*kg\S{0,3})\s*(?:d[eao]\s+)?((?:argila|areia|silte)[^.;]{0,30}?),?\s*respectivamente`,
)

/** 'argila 412, silte 98 e areia 490 g/kg': the unit once, behind the last. */
const PARTS_OF_SOIL = new RegExp(
  String.raw`(?:(?:argila|silte|areia)(?: total)?:? ?(?:${NUMBER_SOURCE})(?:, ?| e )){2}(?:argila|silte|areia)(?: total)?:? ?(?:${NUMBER_SOURCE})\s*(%|g\s*[/.\s·]?\s*kg)`,
)
const CLAY_OF_PARTS = new RegExp(`argila:? ?(${NUMBER_SOURCE})`)

function ofParts(text: string, folded: string, add: Add): number {
  const match = PARTS_OF_SOIL.exec(folded)
  const clay = match && CLAY_OF_PARTS.exec(match[0])
  const parsed = clay?.[1] ? parseShare(`${clay[1]} ${match?.[1]}`, '', 'clay') : null
  if (!match || !clay?.[1] || !parsed) return 0
  const end = match.index + clay.index + clay[0].length
  add('teor_argila', parsed.value, 0.85 * aside(text), end - clay[1].length, end)
  return match.index + match[0].length
}

/** '524, 96 e 380 g kg-1 de argila, silte e areia, respectivamente': the names follow the order of the figures. Answers where that ends. */
function inOrder(text: string, folded: string, add: Add): number {
  const match = SHARES.exec(folded)
  const place = match?.[5]?.match(/argila|areia|silte/g)?.indexOf('argila') ?? -1
  const printed = match?.[place + 1]
  if (!match || place < 0 || !printed) return 0
  const before = match.slice(1, place + 1).reduce((sum, other) => sum + other.length, 0)
  const start = folded.indexOf(printed, match.index + before)
  const parsed = parseShare(`${printed} ${match[4]}`, '', 'clay')
  if (parsed) add('teor_argila', parsed.value, 0.85 * aside(text), start, start + printed.length)
  return parsed ? match.index + match[0].length : 0
}

const COST =
  /(?<!\bsobre o )(?<!\bsobre )\binvesti\w+|\bcust\w+(?! (?:de producao|operaciona\w+|fix\w+|d[aeo]s? (?:aplic|opera|frete|transport|colheita|mao\b|entrada)))|\bdesembols\w+|\bgast\w+|\bpreco (?=d[oe] (?:protocolo|programa|pacote|manejo))|\b(?:pos|colocou|aplicou|pagou)(?= r\$)|\bsa(?:i|iu|em) (?:por|a)\b|\b(?:manejo|programa|pacote|protocolo)\b(?: (?!foi\b|d[aeo]\b)\w+)?(?:,? (?:de|a|por)(?= r\$)| (?=\(r\$))/g
const GAIN =
  /\broi\b|\br\.o\.i\b|\bretorn\w+|\blucro\b|\bganho\b|\brentabil\w+|\bsaldo\b|\bdevolv\w+|\bvolt(?:ou|aram|am|a)\b|\blucr(?:ou|aram)\b|\bmargem\b|\bsobr\w+|\b(?:ficam?|ficou|deixou|deixam?)\b(?= r\$)|\breceita liquida\b|\bresultado (?:liquido|economico|financeiro)|\brend\w+ (?:liquid|r\$)/g
const PROTOCOL = /\b(?:protocolo|programa|pacote|manejo|tecnologia|posicionamento|recomendacao)\b/

const LEFT_OUT =
  /\bn(?:ao|em) (?:esta|estao|foi|foram|se|inclui|considera)\w*(?: \w+)? ?(?:inclu|consider|comput)|\bn(?:ao|em) (?:inclu|consider)/

/** 'O custo do Aminofol é de R$ 44,00': of a product and not of the protocol. */
const OF_A_NAME = /^\s{1,3}d[oa]s?\s{1,3}\p{Lu}\p{Ll}{2}/u

export function readMoney({ run, start: at, text, folded }: Sentence, add: Add): void {
  const amounts = [
    ...folded.matchAll(
      new RegExp(`r\\$\\s*(?:${NUMBER_SOURCE})(?:\\s*(?:/|por|p/)\\s*(?:ha|hectare)\\w*)?`, 'g'),
    ),
  ]
  const plain = [
    ...folded.matchAll(
      new RegExp(`(?<![\\d.,$] ?)(?:${NUMBER_SOURCE})\\s*reais(?:\\s*(?:/|por)\\s*(?:ha|hectare)\\w*)?`, 'g'),
    ),
  ]
  const all = [...amounts, ...plain]
  if (all.length === 0) return
  const cues = [
    ...[...folded.matchAll(COST)].map((m) => ({
      field: 'custo_protocolo' as const,
      at: m.index,
      end: m.index + m[0].length,
      named: OF_A_NAME.test(text.slice(m.index + m[0].length, m.index + m[0].length + 16)),
    })),
    ...[...folded.matchAll(GAIN)].map((m) => ({
      field: 'roi' as const,
      at: m.index,
      end: m.index + m[0].length,
      named: false,
    })),
  ]
  // What it cost and what it gave, in one sentence without a treatment's code.
  const balance =
    all.length === 2 && new Set(cues.map((cue) => cue.field)).size === 2 && !/\bt\d{1,2}\b/.test(folded)
  // 'o programa T7 custou R$ 412,00, o T6, R$ 268,00, o T5, …' tells of treatments.
  const codes = new Set(folded.match(/\bt\d{1,2}\b/g))
  const protocol = (PROTOCOL.test(folded) && codes.size < 2) || balance
  for (const amount of all) {
    const start = amount.index
    const end = start + amount[0].length
    let best: { field: FieldKey; gap: number; named: boolean } | undefined
    for (const cue of cues) {
      const before = cue.end <= start
      const between = before ? folded.slice(cue.end, start) : folded.slice(end, cue.at)
      const crossed = all.some(
        (o) =>
          o !== amount && (before ? o.index > cue.end && o.index < start : o.index > end && o.index < cue.at),
      )
      const ofOne =
        !before &&
        /^\s*(?:por hectare|\/ha|\/hectare)?\s*(?:de|em|como|a titulo de)\s+(?:investimento|custo|retorno|lucro|ganho|roi|saldo|\w+ de )?\s*$/.test(
          between,
        )
      const gap = ofOne ? 2 : between.length + (crossed ? 60 : 0) + (before ? 0 : 45)
      if (!best || gap < best.gap) best = { field: cue.field, gap, named: cue.named }
    }
    if (!best || best.gap > 75) continue
    const parsed = parseMoney(text.slice(start, end), '')
    if (!parsed) continue
    if (
      /^\s*d[aeo]\s+(?:operac|frete|aplicac|diesel|mao de obra)/.test(folded.slice(end)) ||
      /^\s*(?:por|a cada)\s+(?:aplicac|pulverizac|entrada|passada|operac|voo|hora|dia\b)/.test(
        folded.slice(end),
      ) ||
      /^\s*(?:por|\/|p\/|[ao](?= ))?\s*(?:saca|saco|sc|kg|tonelada|t\b|litro|l\b|dolar|@)/.test(
        folded.slice(end),
      )
    )
      continue
    // A bullet about one treatment: it begins with its code or tells its yield.
    const item =
      /^\W*(?:t(?:rat\w*)?\.?|faixa)\s?\d{1,2}\b/.test(run.folded) ||
      (best.field === 'custo_protocolo' &&
        /^\s*(?:(?:por|\/)\s?(?:ha|hectare)\w*)?\s*\(?(?:em|n[oa]|d[oa]|para o)?\s*(?:t|faixa|tratamento)\s?\d{1,2}\b/.test(
          folded.slice(end),
        )) ||
      (!protocol && yieldUnit(run.folded.slice(Math.max(0, at - 120), at + start)) !== null)
    const single =
      item ||
      best.named ||
      // 'R$ 41,60 para o Abamax', 'não está incluído'
      /^\s*(?:(?:por|\/)\s?(?:ha|hectare)\w*,?)?\s*para [ao]s?\s+\p{Lu}\p{Ll}{2}/u.test(text.slice(end)) ||
      LEFT_OUT.test(folded) ||
      (/\bt\d{1,2}\b|\btratamento \d|\bdose\b/.test(folded.slice(Math.max(0, start - 60), start)) &&
        !protocol)
    if (best.field === 'roi' && /^\s*d[oe] (?:programa|protocolo|manejo|pacote)\b/.test(folded.slice(end)))
      best = { ...best, field: 'custo_protocolo' }
    const base = best.field === 'roi' ? 0.84 : protocol ? 0.87 : 0.6
    add(
      best.field,
      parsed.value,
      (best.gap < 30 ? base : base * 0.85) * (single ? 0.35 : 1) * aside(folded),
      start,
      end,
    )
  }
}
