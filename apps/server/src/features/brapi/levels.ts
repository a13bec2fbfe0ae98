import { BrapiError } from './brapi-error.ts'

/** A level that a search names: what it says of one is looked for in one; null where it says nothing. */
export interface LevelAsked {
  name: string | null
  order: string | null
  code: string | null
  unit: string | null
}
/** What plots are looked for by: their own level, and those that they are in. */
export interface LevelsAsked {
  own: readonly LevelAsked[] | null
  related: readonly LevelAsked[] | null
}

/** @throws BrapiError for what is no list of levels */
export const levelsIn = (property: string, values: readonly unknown[]): LevelAsked[] =>
  values.map((value) => {
    if (typeof value !== 'object' || value === null) throw new BrapiError(400, `Valor inválido: ${property}s`)
    const given = value as Record<string, unknown>
    const word = (name: string) => (given[name] == null ? null : String(given[name]))
    return {
      ...{ name: word('levelName'), order: word('levelOrder'), code: word('levelCode') },
      unit: word('observationUnitDbId'),
    }
  })

/** Whether a level is one of those that are asked for. */
export const isLevel = (
  level: {
    levelName: string
    levelOrder: number
    levelCode: string
    observationUnitDbId?: string | null | undefined
  },
  asked: readonly LevelAsked[],
): boolean =>
  asked.some(
    ({ name, order, code, unit }) =>
      (name === null || name === level.levelName) &&
      (order === null || order === String(level.levelOrder)) &&
      (code === null || code === level.levelCode) &&
      (unit === null || unit === level.observationUnitDbId),
  )

/** Whether every plot is at the level that is asked for. */
export const isAnyPlot = ({ name, order, code, unit }: LevelAsked): boolean =>
  (name === null || name === 'plot') && order === null && code === null && unit === null
