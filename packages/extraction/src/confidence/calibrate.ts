import type { HeaderField, Method } from '../result.ts'

export type CalibrationKey =
  | HeaderField
  | 'nome'
  | 'modalidade'
  | 'produtividade'
  | 'custo'
  | 'produto'
  | 'dose'
  | 'custo_produto'
  | 'analise'

export interface Evidence {
  score: number
  margin: number
  /** Recognition confidence of the worst word, 1 for digital text. */
  legible: number
  method: Method
}

/** Raw strength of a value, before calibration. */
export function strength({ score, margin, legible }: Evidence): number {
  const contested = margin < 0.25 ? 0.8 + 0.8 * margin : 1
  return Math.min(1, score) * contested * (0.55 + 0.45 * legible)
}

/** Probability that a value is right. */
export function calibrate(_key: CalibrationKey, evidence: Evidence): number {
  return Math.round(Math.max(0.02, Math.min(0.995, strength(evidence))) * 1000) / 1000
}
