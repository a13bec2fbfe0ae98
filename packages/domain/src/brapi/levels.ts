import type { TrialDesign } from '../trial-sheet.ts'

interface Level {
  levelName: string
  levelOrder: number
}
const inOrder = (...names: string[]): Level[] =>
  names.map((levelName, levelOrder) => ({ levelName, levelOrder }))

export const isSplit = (design: TrialDesign | undefined): boolean => design === 'PSUB' || design === 'FAIXAS'

/** The levels of a design's plots: whole plots and strips stand between blocks and plots. */
export const levelsOf = (design?: TrialDesign): readonly Level[] =>
  isSplit(design)
    ? inOrder('study', 'block', 'sub-block', 'rep', 'plot')
    : inOrder('study', 'block', 'rep', 'plot')
