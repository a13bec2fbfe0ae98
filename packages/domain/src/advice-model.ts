import type { AdviceSheet } from './advice-facts.ts'
import { isExcluded, plotNumber } from './trial-values.ts'
import { holdsText, type TrialVariable } from './trial-variable.ts'

/** The additive model of a design by least squares, and what each plot has to say in it. */
export interface PlotModel {
  /** Of the valid plots, in their order. */
  rows: ModelRow[]
  /** Residual sum of squares and its degrees of freedom. */
  sq: number
  gl: number
  /** √QMR */
  desvio: number
  media: number
  /** Share of the fit of plot `a` that plot `b` decides: the hat matrix, as in a balanced trial. */
  hat(a: number, b: number): number
}
export interface ModelRow {
  /** In the sheet's plots. */
  at: number
  numero: number
  tratamento: number
  y: number
  residuo: number
}

const ROUNDS = 60

/** A column of numbers that somebody typed, and its model, made once whoever asks for it. */
export interface TypedColumn {
  sheet: AdviceSheet
  variable: TrialVariable
  avaliacao: string | null
  values: (number | null)[]
  model(): PlotModel | null
}

const known = new WeakMap<AdviceSheet, TypedColumn[]>()
export function typedColumns(sheet: AdviceSheet | null | undefined): TypedColumn[] {
  if (!sheet) return []
  const held = known.get(sheet)
  if (held) return held
  const columns = sheet.valores.flatMap((column): TypedColumn[] => {
    const variable = sheet.variaveis.find(({ chave }) => chave === column.variavel)
    if (!variable || holdsText(variable) || variable.formula) return []
    const values = validNumbers(sheet, column)
    let model: PlotModel | null | undefined
    return [
      {
        ...{ sheet, variable, avaliacao: column.avaliacao, values },
        model: () => {
          if (model === undefined) model = plotModel(sheet, values)
          return model
        },
      },
    ]
  })
  known.set(sheet, columns)
  return columns
}

/** Values of a typed column by plot; what was left out with a reason is null. */
function validNumbers(
  sheet: AdviceSheet,
  { variavel, avaliacao, valores }: AdviceSheet['valores'][number],
): (number | null)[] {
  return sheet.parcelas.map(({ numero }, at) => {
    const value = plotNumber(valores[at] ?? null)
    return value === null || isExcluded(sheet, numero, variavel, avaliacao) ? null : value
  })
}

/**
 * Treatments and blocks (rows and columns in a latin square); null for designs of several errors, and where too few plots
 * are left to tell an error.
 */
export function plotModel(sheet: AdviceSheet, values: readonly (number | null)[]): PlotModel | null {
  const { delineamento, parcelas } = sheet
  if (delineamento === 'PSUB' || delineamento === 'FAIXAS') return null
  const rows: ModelRow[] = []
  values.forEach((y, at) => {
    const plot = parcelas[at]
    if (plot && y !== null) rows.push({ at, numero: plot.numero, tratamento: plot.tratamento, y, residuo: y })
  })
  if (rows.length < 4) return null
  const places = (of: 'bloco' | 'linha' | 'coluna') => rows.map(({ at }) => parcelas[at]?.[of] ?? 0)
  const factors = [
    rows.map(({ tratamento }) => tratamento),
    ...(delineamento === 'DBC' || delineamento === 'DBI' ? [places('bloco')] : []),
    ...(delineamento === 'DQL' ? [places('linha'), places('coluna')] : []),
  ].map(levelsIn)
  const gl = rows.length - 1 - factors.reduce((sum, { sizes }) => sum + sizes.length - 1, 0)
  if (gl < 2) return null
  const media = rows.reduce((sum, { y }) => sum + y, 0) / rows.length
  const residuals = swept(
    rows.map(({ y }) => y - media),
    factors,
  )
  rows.forEach((row, at) => {
    row.residuo = residuals[at] ?? 0
  })
  const sq = residuals.reduce((sum, one) => sum + one * one, 0)
  const scale = rows.reduce((sum, { y }) => sum + y * y, 0)
  // A perfect fit is a typed mean in every plot, not an error.
  if (!(sq > 1e-12 * scale)) return null
  return {
    ...{ rows, sq, gl, media, desvio: Math.sqrt(sq / gl) },
    hat: (a, b) =>
      factors.reduce((sum, { of, sizes }) => {
        const level = of[a] ?? 0
        return sum + (level === of[b] ? 1 / (sizes[level] ?? 1) : 0)
      }, 0) -
      (factors.length - 1) / rows.length,
  }
}

interface Factor {
  /** Of each row, from 0. */
  of: number[]
  sizes: number[]
}
function levelsIn(values: readonly number[]): Factor {
  const known = new Map<number, number>()
  const sizes: number[] = []
  const of = values.map((value) => {
    const level = known.get(value) ?? known.size
    known.set(value, level)
    sizes[level] = (sizes[level] ?? 0) + 1
    return level
  })
  return { of, sizes }
}

/** Takes each factor's means away, in turn, until nothing is left of any: once in a balanced trial. */
function swept(values: number[], factors: readonly Factor[]): number[] {
  const size = Math.sqrt(values.reduce((sum, one) => sum + one * one, 0) / values.length)
  for (let round = 0; round < ROUNDS; round++) {
    let largest = 0
    for (const { of, sizes } of factors) {
      const sums = sizes.map(() => 0)
      values.forEach((value, at) => {
        sums[of[at] ?? 0] = (sums[of[at] ?? 0] ?? 0) + value
      })
      const means = sums.map((sum, level) => sum / (sizes[level] ?? 1))
      for (const mean of means) largest = Math.max(largest, Math.abs(mean))
      of.forEach((level, at) => {
        values[at] = (values[at] ?? 0) - (means[level] ?? 0)
      })
    }
    if (round > 0 && largest <= 1e-9 * size) break
  }
  return values
}
