import { round } from '../values/number.ts'
import type { Draft } from './draft.ts'

/** Yields in kg/ha that a crop can have, wide. */
export const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  Soja: [500, 8000],
  Milho: [1000, 18_000],
  Trigo: [500, 9000],
  Algodão: [900, 8000],
  Feijão: [300, 6000],
  Arroz: [1200, 14_000],
  Café: [300, 9000],
  'Cana-de-açúcar': [30_000, 220_000],
  Batata: [8000, 90_000],
  Uva: [3000, 90_000],
  Manga: [3000, 90_000],
}

/** Kilograms in the units of yield, the usual ones of a crop first. */
const FACTORS: Readonly<Record<string, readonly number[]>> = { Algodão: [1, 15, 1000, 60] }
const USUAL = [1, 60, 1000, 15]

/** Where no unit is printed, the unit is the one that gives yields which the crop can have. */
export function settleGuessedYields(drafts: readonly Draft[], crop: string | null): void {
  const range = crop ? RANGES[crop] : undefined
  const printed = drafts.map((draft) => draft.produtividade?.printed).filter((value) => value !== undefined)
  if (!range || printed.length === 0) return
  const mean = printed.reduce((sum, value) => sum + value, 0) / printed.length
  const factor = (FACTORS[crop ?? ''] ?? USUAL).find((f) => mean * f >= range[0] && mean * f <= range[1])
  if (factor === undefined) return
  for (const { produtividade } of drafts)
    if (produtividade?.printed !== undefined) produtividade.value = round(produtividade.printed * factor, 2)
}
