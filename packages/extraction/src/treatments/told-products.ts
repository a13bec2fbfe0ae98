import { type Run, wordsIn } from '../layout/run.ts'
import type { Method } from '../result.ts'
import { DOSE, dosesIn } from './doses.ts'
import type { Draft, DraftProduct } from './draft.ts'
import { plausibleName } from './product-names.ts'

/** 'Azonord', 'Rizo Max 20': words in capitals, and the figures behind them. */
const NAME =
  /(?<![\p{L}\d])\p{Lu}[\p{L}\d-]{1,30}(?:\s(?:\p{Lu}[\p{L}\d-]{0,30}|pH|\d{1,4}(?!\s?[\p{L}%])))*/gu
/** 'à base de Azospirillum', 'contendo Mo e Co', 'da Nordbio': of what, and whose, a product is. */
const OF_WHAT =
  /\b(?:base d[eo]|contendo|com|contem|composto (?:de|por)|especie|estirpes?|cepas?|empresa|d[ao])\s$/
const STAGE = /^(?:[VRFT]\d\S*|D\.?A\.?[A-Z]?|[OA]s?|N?[OoAa]s?|Em|Por|Com|Toda)$/

/**
 * The products that a sentence tells of a treatment, each with its dose: 'aplicou-se o X, à base de Azospirillum, na dose
 * de 100 mL/ha'. As many doses as names before them go in their order; else a dose is of the name right before it.
 */
export function toldProducts(run: Run, method: Method): DraftProduct[] {
  const doses = [...run.folded.matchAll(DOSE)].filter(({ 1: amount, 2: unit }) => amount && unit)
  const found = dosesIn(run, method)
  if (doses.length !== found.length) return []
  const names = [...run.text.matchAll(NAME)].filter(({ 0: name, index }) => {
    const inDose = doses.some((dose) => index >= dose.index && index < dose.index + dose[0].length)
    return (
      !inDose &&
      !STAGE.test(name) &&
      !OF_WHAT.test(run.folded.slice(Math.max(0, index - 20), index)) &&
      plausibleName(name)
    )
  })
  const out: DraftProduct[] = []
  let from = 0
  for (let d = 0; d < doses.length; ) {
    const at = doses[d]?.index ?? 0
    const open = names.filter(({ index }) => index >= from && index < at)
    const next = names.find(({ index }) => index > at)?.index ?? run.text.length
    const together = doses.filter(({ index }) => index >= at && index < next).length
    const own = open.length === together ? open : open.slice(-1)
    for (const [i, name] of own.entries()) {
      const dose = found[d + i]
      if (!dose) continue
      const words = wordsIn(run, name.index, name.index + name[0].length)
      out.push({ nome: { value: name[0], words, score: 0.8, method }, ...dose, custo: null })
    }
    d += Math.max(1, together)
    from = at
  }
  return out
}

/** In a sentence products are what stands in capitals before the doses. */
export function toldDescription(run: Run, method: Method): Pick<Draft, 'nome' | 'produtos'> {
  const produtos = toldProducts(run, method)
  const [first] = produtos
  const nome = first && { ...first.nome, value: produtos.map(({ nome }) => nome.value).join(' + ') }
  return { nome: nome ?? null, produtos }
}
