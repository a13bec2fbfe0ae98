import { type Run, wordsIn } from '../layout/run.ts'
import type { Method } from '../result.ts'
import { toNumber } from '../values/number.ts'
import { printedUnit } from '../values/units.ts'
import { DOSE } from './doses.ts'
import type { Draft, DraftProduct } from './draft.ts'
import { isSubstance, plausibleName } from './product-names.ts'

/** 'Azonord', 'Rizo Max 20': words in capitals, and the figures behind them. */
const NAME =
  /(?<![\p{L}\d])\p{Lu}[\p{L}\d-]{1,30}(?:\s(?:\p{Lu}[\p{L}\d-]{0,30}|pH|\d{1,4}(?!\d|[.,]\d|\s?(?:mL|L|g|kg|m[lg]|l|litros?|gramas?|%|x)(?![\p{L}])|\s?\/)))*/gu
/** 'à base de Azospirillum', 'contendo Mo e Co', 'da Nordbio': of what, and whose, a product is. */
const OF_WHAT =
  /\b(?:base d[eo]|contendo|com|contem|composto (?:de|por)|especie|estirpes?|cepas?|empresa|d[ao])\s$/
/** 'inoculadas com X': what it was given. */
const GIVEN_WITH = /\b(?:inoculad|tratad|pulverizad|adubad)[oa]s? (?:apenas |somente |so )?com (?:o )?$/
/** 'estirpes AbV5 e AbV6' */
const STRAINS = /\b(?:estirpes?|cepas?|isolados?)\s(?:[a-z]+-?[a-z]?\s?\d+(?:,\s|\se\s)){0,4}$/
const STAGE = /^(?:[VRFT]\d\S*|D\.?A\.?[A-Z]?|[OA]s?|N?[OoAa]s?|Em|Por|Com|Toda)$/

/** In kilograms a hectare. */
const MOST_GIVEN = 1_000
/** Longer is no sentence. */
const LONGEST = 2_000
/** 'Produziu 3.812 kg/ha', 'Aplicado a 2 L/ha': a verb that begins a sentence, not a name. */
const VERB = /^\p{L}{3,}(?:ou|iu|eu|[aei]ram|[aei]d[oa]s?|[aei]ndo)$/u
/** Between names that one dose follows. */
const JOINED = /^(?:\s|,|\+|e\b|&)+$/
const OF_EACH = /\b(?:amb[oa]s|cada|[oa]s d[ou][ia]s)\b/

/**
 * The products that a sentence tells of a treatment, each with its dose: 'aplicou-se o X, à base de Azospirillum, na dose
 * de 100 mL/ha'. As many doses as names before them go in their order; else a dose is of the name right before it, or of
 * all where it says so.
 */
export function toldProducts(run: Run, method: Method): DraftProduct[] {
  if (run.text.length > LONGEST) return []
  const doses = dosesIn(run, method)
  const names = namesIn(run)
  const out: DraftProduct[] = []
  const put = (name: RegExpExecArray, dose: Pick<DraftProduct, 'dose' | 'unidade'>): void => {
    const words = wordsIn(run, name.index, name.index + name[0].length)
    out.push({
      nome: { value: name[0], words, score: 0.8, method },
      dose: dose.dose,
      unidade: dose.unidade,
      custo: null,
    })
  }
  let from = 0
  for (let d = 0; d < doses.length; ) {
    const first = doses[d]
    if (!first) break
    const behind = namedBehind(run, first.end, method)
    if (behind && !names.some(({ index }) => index >= from && index < first.at)) {
      out.push({ nome: behind, dose: first.dose, unidade: first.unidade, custo: null })
      from = first.end + behind.value.length
      d++
      continue
    }
    const open = names.filter(({ index }) => index >= from && index < first.at)
    const next = names.find(({ index }) => index > first.at)?.index ?? run.text.length
    const together = doses.filter(({ at }) => at >= first.at && at < next).length
    from = first.at
    if (open.length === together) {
      for (const [i, name] of open.entries()) put(name, doses[d + i] ?? first)
    } else if (open.length > 0) {
      const each = OF_EACH.test(run.folded.slice(open.at(-1)?.index, first.at))
      const joined = open.filter((name, i) => {
        const end = name.index + name[0].length
        return i === open.length - 1 || JOINED.test(run.folded.slice(end, open[i + 1]?.index))
      })
      for (const name of joined)
        put(name, name === open.at(-1) || each ? first : { dose: null, unidade: null })
    }
    d += Math.max(1, together)
  }
  // Tonnes of what is no lime and no manure were harvested.
  return out.filter(
    ({ nome, dose, unidade }) =>
      unidade !== 'kg/ha' || (dose?.value ?? 0) < MOST_GIVEN || isSubstance(nome.value),
  )
}

/** '178 kg/ha de ureia', '100 mL/50 kg de Azofix': what the amount is of. */
function namedBehind(run: Run, end: number, method: Method): DraftProduct['nome'] | null {
  const [said, of = '', name = ''] = BEHIND.exec(run.text.slice(end, end + LONGEST_BEHIND)) ?? []
  if (said === undefined || (/^\p{Ll}/u.test(name) && !isSubstance(name)) || !plausibleName(name)) return null
  const at = end + of.length
  const value = name.charAt(0).toUpperCase() + name.slice(1)
  return { value, words: wordsIn(run, at, at + name.length), score: 0.8, method }
}
const BEHIND =
  /^(\s?d[eo]s?\s)(\p{Lu}\p{L}{3,30}(?:\s\p{Lu}[\p{L}\d]{1,20})?|\p{Ll}{4,14}(?: d[eo] \p{Ll}{4,14})?)(?![\p{L}\d])/u
const LONGEST_BEHIND = 60

function namesIn(run: Run): RegExpExecArray[] {
  return [...run.text.matchAll(NAME)].filter(
    ({ 0: name, index }) =>
      !STAGE.test(name) &&
      !FORMULATION.test(name) &&
      !(VERB.test(name) && /(?:^|[.;:])\s*$/.test(run.text.slice(Math.max(0, index - 3), index))) &&
      (GIVEN_WITH.test(run.folded.slice(Math.max(0, index - 40), index)) ||
        !OF_WHAT.test(run.folded.slice(Math.max(0, index - 20), index))) &&
      !STRAINS.test(run.folded.slice(Math.max(0, index - 60), index)) &&
      !isAside(run.folded, index) &&
      plausibleName(name),
  )
}
/** '(Bioterra Insumos)', '(estirpes Ab-V5 e Ab-V6)': brackets without an amount say whose or of what it is. */
function isAside(text: string, at: number): boolean {
  const from = Math.max(0, at - LONGEST_ASIDE)
  const open = from + text.slice(from, at).lastIndexOf('(')
  if (open < Math.max(1, from) || text.slice(open, at).includes(')')) return false
  const end = text.slice(at, at + LONGEST_ASIDE).indexOf(')')
  return end >= 0 && text.slice(open, at + end).search(DOSE) < 0
}
/** Brackets are looked for so far on each side of a name. */
const LONGEST_ASIDE = 160
/** Of a name whose figure stands before it: 'Priori 200 SC'. */
const FORMULATION = /^(?:SC|EC|CE|EW|SL|CS|OD|SE|ME|FS|ZC|WG|WP|SP|SG|DF|GR)$/

/** Every dose of the sentence; '100 + 200 mL/ha' has its unit once. */
function dosesIn(
  run: Run,
  method: Method,
): { at: number; end: number; dose: DraftProduct['dose']; unidade: DraftProduct['unidade'] }[] {
  const found = [...run.folded.matchAll(DOSE)].filter(({ 1: amount }) => amount)
  return found.flatMap((match, i) => {
    const unit = match[2] || found.slice(i + 1).find((later) => later[2])?.[2]
    const value = toNumber(match[1] ?? '')
    if (!unit || value === null) return []
    const at = match.index + match[0].indexOf(match[1] ?? '')
    const words = wordsIn(run, at, at + (match[1]?.length ?? 0))
    const { unidade, factor } = printedUnit(unit)
    return [
      {
        at,
        end: match.index + match[0].length,
        unidade,
        dose: { value: value * factor, words, score: 0.85, method },
      },
    ]
  })
}

/** In a sentence products are what stands in capitals before the doses. */
export function toldDescription(run: Run, method: Method): Pick<Draft, 'nome' | 'produtos'> {
  const produtos = toldProducts(run, method)
  const [first] = produtos
  const nome = first && { ...first.nome, value: produtos.map(({ nome }) => nome.value).join(' + ') }
  return { nome: nome ?? null, produtos }
}
