import type { Transformation } from './result.ts'

/**
 * Transformations of the analysed scale and their way back (specification of the analysis, transformations). `low` and
 * `high` bound the original values that are allowed; `openLow` when the bound itself is not.
 */
export interface Scale {
  nome: Transformation
  forward(y: number): number
  /** Back to the original scale; null where the transformed value has no original one. */
  back(z: number): number | null
  low: number
  openLow: boolean
  high: number
  /** In the sentence 'exige valores ...'. */
  exige: string
}

const HALF_PI = Math.PI / 2

/** The scale of a name; `lambda` is the exponent of Box-Cox. */
export function scaleOf(nome: Transformation, lambda = 1): Scale {
  const base = {
    nome,
    low: Number.NEGATIVE_INFINITY,
    openLow: false,
    high: Number.POSITIVE_INFINITY,
    exige: '',
  }
  switch (nome) {
    case 'nenhuma':
      return { ...base, forward: (y) => y, back: (z) => z }
    case 'log':
      return {
        ...base,
        low: 0,
        openLow: true,
        exige: 'maiores que zero',
        forward: Math.log,
        back: (z) => finite(Math.exp(z)),
      }
    case 'log1':
      return {
        ...base,
        low: -1,
        openLow: true,
        exige: 'maiores que −1',
        forward: Math.log1p,
        back: (z) => finite(Math.expm1(z)),
      }
    case 'raiz':
      return {
        ...base,
        low: 0,
        exige: 'iguais ou maiores que zero',
        forward: Math.sqrt,
        // A square would rise again below zero.
        back: (z) => Math.max(z, 0) ** 2,
      }
    case 'raiz_0_5':
      return {
        ...base,
        low: -0.5,
        exige: 'iguais ou maiores que −0,5',
        forward: (y) => Math.sqrt(y + 0.5),
        back: (z) => Math.max(z, 0) ** 2 - 0.5,
      }
    case 'arcsen':
      return {
        ...base,
        low: 0,
        high: 100,
        exige: 'de 0 a 100',
        forward: (y) => Math.asin(Math.sqrt(y / 100)),
        back: (z) => 100 * Math.sin(Math.min(Math.max(z, 0), HALF_PI)) ** 2,
      }
    case 'boxcox':
      return {
        ...base,
        low: 0,
        openLow: true,
        exige: 'maiores que zero',
        forward: (y) => power(y, lambda),
        back: (z) => powerBack(z, lambda),
      }
  }
}

/** Whether every value is in the domain of the scale. */
export function allowed(scale: Scale, values: ArrayLike<number>): boolean {
  for (let i = 0; i < values.length; i++) {
    const y = values[i] as number
    if (y > scale.high || y < scale.low || (scale.openLow && y === scale.low)) return false
    if (!Number.isFinite(scale.forward(y))) return false
  }
  return true
}

/** (y^lambda - 1)/lambda, and ln y at 0. */
export function power(y: number, lambda: number): number {
  return Math.abs(lambda) < 1e-10 ? Math.log(y) : Math.expm1(lambda * Math.log(y)) / lambda
}

function powerBack(z: number, lambda: number): number | null {
  if (Math.abs(lambda) < 1e-10) return finite(Math.exp(z))
  const inner = lambda * z + 1
  return inner > 0 ? finite(inner ** (1 / lambda)) : inner === 0 && lambda > 0 ? 0 : null
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null
}
