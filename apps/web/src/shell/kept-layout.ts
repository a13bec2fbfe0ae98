import { TRIAL_DESIGNS, type TrialDesign } from '@ensaio/domain'
import { actingKey } from '../api/acting.ts'
import { lasting } from '../storage/browser-storage.ts'

/** A layout that was drawn for a trial which does not exist yet: the same seed draws it again. */
export type KeptLayout = {
  delineamento: TrialDesign
  tratamentos: number
  repeticoes: number
  a: number
  semente: number
  serpentina: boolean
}

const keyOf = () => `ensaio.croqui.${actingKey()}`

export const keepLayout = (layout: KeptLayout): boolean => lasting.setItem(keyOf(), JSON.stringify(layout))

/** The last one that was handed on, if it is for so many treatments. */
export function keptLayout(treatments: number): KeptLayout | null {
  try {
    const kept = JSON.parse(lasting.getItem(keyOf()) ?? 'null') as KeptLayout | null
    if (kept?.tratamentos !== treatments || !TRIAL_DESIGNS.includes(kept.delineamento)) return null
    return [kept.repeticoes, kept.a, kept.semente].every(Number.isInteger) ? kept : null
  } catch {
    return null
  }
}
