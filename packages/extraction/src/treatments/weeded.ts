import { fold } from '../values/text.ts'
import type { Draft } from './draft.ts'

/** 'Testemunha capinada': it got nothing, either, and is not what the others are compared with. */
export const isWeeded = ({ nome }: Draft): boolean => WEEDED.test(fold(nome?.value ?? ''))
const WEEDED =
  /\b(?:testemunha|controle)\b.*\b(?:capinad[oa]|(?:com|sob) capina|no limpo|limp[oa]|sem mato|sem (?:plantas? daninhas?|interferencia))\b/

/** Of 'Testemunha infestada' and 'Testemunha capinada' the first is the control. */
export function tellWeededApart(drafts: readonly Draft[]): void {
  const controls = drafts.filter(({ control }) => control)
  const weeded = controls.filter(isWeeded)
  if (weeded.length < controls.length) for (const draft of weeded) draft.control = false
}
