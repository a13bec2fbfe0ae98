import { formatNumber, parseNumber } from './format.ts'
import type { TrialVariable } from './trial-variable.ts'

type Categories = NonNullable<TrialVariable['categorias']>
interface Categorised {
  tipo: TrialVariable['tipo']
  categorias?: TrialVariable['categorias']
  varias?: TrialVariable['varias']
}

/** A plot may be of several of its categories at once: what it holds is then words. */
export const allowsSeveral = ({ tipo, varias }: Categorised): boolean => tipo === 'nota' && varias === true

/** As they are kept: '1; 3', from the least, each once, so that who chose the same says the same. */
export const severalText = (values: readonly number[]): string =>
  [...new Set(values)]
    .sort((a, b) => a - b)
    .map((value) => formatNumber(value, 6).replaceAll('.', ''))
    .join('; ')

/** The categories of a text, whatever parts them; null where one of them is no number. */
export function severalOf(text: string): number[] | null {
  const values = partsOf(text).map((part) => parseNumber(part))
  return values.every((value) => typeof value === 'number') ? values : null
}
const partsOf = (text: string): string[] =>
  text
    .split(/[;:\n]/)
    .map((part) => part.trim())
    .filter(Boolean)

/** What was typed or chosen, by numbers or words: as it is kept, or why it is not. */
export function readSeveral(
  { categorias }: Pick<Categorised, 'categorias'>,
  text: string,
): { text: string } | { wrong: string } {
  const known: Categories = categorias ?? []
  const values = partsOf(text).map((part) => {
    const word = known.find(({ rotulo }) => rotulo.toLowerCase() === part.toLowerCase())
    return word?.valor ?? parseNumber(part) ?? null
  })
  const missing = values.some((value) => value === null || !known.some(({ valor }) => valor === value))
  if (missing) return { wrong: 'Esta categoria não existe' }
  return { text: severalText(values as number[]) }
}

/** One more of them, or one less. */
export function toggled(text: string, value: number): string {
  const held = severalOf(text) ?? []
  return severalText(held.includes(value) ? held.filter((one) => one !== value) : [...held, value])
}
