import { isControl } from '../values/lexicon.ts'
import { fold } from '../values/text.ts'
import { type Draft, normalCode } from './draft.ts'

const CONTROL = /\b(?:testemunha|controle|sem aplicacao|sem produto)\b/
const HEADS =
  'trat(?:amento)?s?\\.?|faixas?|parcelas?|talh(?:ao|oes|ão|ões)|lotes?|[aá]reas?|glebas?|manejos?|programas?|amostras?|canteiros?'
/** 'no tratamento 2', '(T3)' */
const CODED = new RegExp(`(?<![a-z\\d])(?:t|numero|${HEADS})[\\s.]?0?(\\d{1,2})(?![a-z\\d]|[.,]\\d)`, 'g')
/** 'o talhão B', 'no A', 'o D': a capital as a word of its own; 'parcelas e' names none. */
const LETTER = new RegExp(
  `(?<=(?:^|[\\s(])(?:[nd]?[oa]|ao?|à|em|com|e|para o|${HEADS})\\s)([A-H])(?![\\p{L}\\d])`,
  'gu',
)
/** What those of several products are called among the others. */
const TOGETHER =
  /\b(?:mistura|associacao|combinacao|conjunto|os dois(?: produtos)?|ambos(?: os produtos)?|usados juntos|produtos juntos)\b/

/** What begins a sentence is written as within it; a letter alone stays what it is. */
const lowered = (text: string): string =>
  text
    .replace(/\p{Lu}[\p{Lu}\p{Ll}]+/gu, (word) => word.toLowerCase())
    .replace(/^[OA](?=\s)/, (word) => word.toLowerCase())

/** Tells which treatment a stretch of text is of: `text` as printed, `folded` the same, letter by letter. */
export type Caller = (text: string, folded: string) => Draft | null

/** Whom texts call, by codes, by names, by all of its products, as the control or as the mixture. */
export function callerOf(drafts: readonly Draft[]): Caller {
  const products = [
    ...new Set(drafts.flatMap(({ produtos }) => produtos.map(({ nome }) => fold(nome.value)))),
  ]
    .filter((name) => name.length > 3)
    .sort((a, b) => b.length - a.length)
  const coded = new Map(
    drafts.flatMap((draft) => (draft.code === null ? [] : [[draft.code, draft] as const])),
  )
  const lettered = [...coded.keys()].some((code) => /^[A-H]$/.test(code))
  const mixtures = drafts.filter(({ produtos }) => produtos.length > 1)
  return (text, folded) => {
    const codes = new Set(
      [
        ...[...folded.matchAll(CODED)].map((match) => normalCode(match[1] ?? '')),
        ...(lettered ? [...lowered(text).matchAll(LETTER)].map((match) => match[1] ?? '') : []),
      ].filter((code) => coded.has(code)),
    )
    if (codes.size > 0) return codes.size === 1 ? (coded.get([...codes][0] ?? '') ?? null) : null
    const called = treatmentIn(folded, drafts, products)
    if (called) return called
    return mixtures.length === 1 && TOGETHER.test(folded) && !products.some((name) => says(folded, name))
      ? (mixtures[0] ?? null)
      : null
  }
}

/** The treatments that a text calls by names of their own; 'Ureia' is no name where 'Ureia + Enxofre' stands. */
function namesIn(text: string, drafts: readonly Draft[]): Draft[] {
  let rest = text
  const names = drafts
    .map((draft) => ({ draft, name: fold(draft.nome?.value ?? '') }))
    .filter(
      ({ draft, name }) =>
        !draft.control && name.length > 4 && !draft.produtos.some(({ nome }) => fold(nome.value) === name),
    )
    .sort((a, b) => b.name.length - a.name.length)
  return names.flatMap(({ draft, name }) => {
    if (!says(rest, name)) return []
    rest = rest.replaceAll(name, ' ')
    return [draft]
  })
}

/** The treatment whose products are just those that a text names. */
function treatmentIn(text: string, drafts: readonly Draft[], products: readonly string[]): Draft | null {
  const called = namesIn(text, drafts)
  if (called.length > 0) return called.length === 1 ? (called[0] ?? null) : null
  let rest = text
  const named = products.filter((name) => {
    const said = says(rest, name)
    if (said) rest = rest.replaceAll(name, ' ')
    return said
  })
  const control = CONTROL.test(rest) || isControl(rest.trim().slice(0, 40))
  const alike = drafts.filter(({ control: own, produtos }) =>
    named.length === 0
      ? control && own
      : !control &&
        !own &&
        produtos.length === named.length &&
        produtos.every(({ nome }) => named.includes(fold(nome.value))),
  )
  if (named.length === 0 && alike.length === 0) return byDoseAlone(text, drafts)
  // The same products in other doses: those that are told.
  const told = (draft: Draft): boolean =>
    draft.produtos.every(({ dose }) =>
      dose?.words.some((word) => new RegExp(`(?<![\\d.,])${escaped(word.text)}(?![\\d]|[.,]\\d)`).test(text)),
    )
  const [only, other] = alike.length > 1 ? alike.filter(told) : alike
  return only && !other ? only : null
}

/** 'e o de 4 L/ha produziu': the only one that got one product in that dose. */
function byDoseAlone(text: string, drafts: readonly Draft[]): Draft | null {
  const [only, other] = drafts.filter(({ control, produtos: [product, more] }) => {
    const amount = product?.dose?.words.find(({ text: word }) => /^\d/.test(word))?.text
    const said =
      amount === undefined ? null : new RegExp(`(?<![\\d.,])${escaped(amount)}\\s?(?:ml|l|kg|g)\\b`)
    return !control && !more && said?.test(text)
  })
  return only && !other ? only : null
}

/** Whether a text has a name as words of its own. */
const says = (text: string, name: string): boolean =>
  text.includes(name) && new RegExp(`(?<![a-z])${escaped(name)}(?![a-z\\d])`).test(text)

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
