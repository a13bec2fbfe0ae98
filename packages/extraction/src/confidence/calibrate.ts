import { readFileSync } from 'node:fs'
import type { FieldKey } from '@ensaio/domain/fields'
import type { Method } from '../result.ts'

export type CalibrationKey =
  | FieldKey
  | 'nome'
  | 'modalidade'
  | 'produtividade'
  | 'custo'
  | 'produto'
  | 'dose'
  | 'custo_produto'
  | 'analise'
  /** A part of the statistics that the report tells; without a curve yet, its strength is its probability. */
  | 'estatistica'
  /** The document as a whole. */
  | 'documento'

export interface Evidence {
  score: number
  margin: number
  /** Recognition confidence of the worst word, 1 for digital text. */
  legible: number
  method: Method
}

/** Points of a rising curve from strength to the share of values that were right. */
type Curve = readonly (readonly [strength: number, probability: number])[]
let curves: Readonly<Record<string, Curve>> | undefined

function curveOf(key: CalibrationKey): Curve {
  curves ??= JSON.parse(readFileSync(new URL('../data/calibration.json', import.meta.url), 'utf8'))
  return curves?.[key] ?? []
}

/** For fitting: confidences come out as raw strengths. */
export function withoutCurves(): void {
  curves = {}
}

/** Raw strength of a value, before calibration. */
export function strength({ score, margin, legible }: Evidence): number {
  const contested = margin < 0.25 ? 0.8 + 0.8 * margin : 1
  return Math.max(0.02, Math.min(1, score) * contested * (0.55 + 0.45 * legible))
}

/** Probability that a value is right: its strength on the curve fitted to reports of our own. */
export function calibrate(key: CalibrationKey, evidence: Evidence): number {
  const x = strength(evidence)
  return Math.round(along(curveOf(key), x) * 1000) / 1000
}

/** Where a curve stands at a strength. */
export function along(curve: Curve, x: number): number {
  const next = curve.findIndex(([at]) => at >= x)
  const after = curve[next]
  const before = next > 0 ? curve[next - 1] : undefined
  if (!after) return curve.at(-1)?.[1] ?? x
  // Below everything observed the strength itself is the best guess.
  if (!before) return Math.min(after[1], after[0] > 0 ? (x / after[0]) * after[1] : after[1])
  const share = (x - before[0]) / Math.max(1e-9, after[0] - before[0])
  return before[1] + share * (after[1] - before[1])
}
