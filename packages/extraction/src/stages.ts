/**
 * What a reading is made of beside its lines, grids and columns. Each can be left out, to see what it is worth:
 * bench/extraction/judge.ts --without.
 */
export const STAGES = {
  weights: 'names, years, crops, places and ways are weighed by what stands around them',
  hypotheses: 'each table in the other ways in which it may have been meant',
  headings: 'headings that stand above what was caught of a table',
  cards: 'cards with codes and the boxes of a form as one table',
  captions: 'letters and variables that captions and notes explain',
  pages: 'tables that go on over pages',
  lists: 'bullets, numbered items and sentences that describe treatments',
  records: 'treatments under a heading each',
  sentences: 'doses, products and costs that sentences tell of treatments in tables',
  bars: 'figures over the bars of a chart',
  prices: 'what products cost',
  common: 'what is said of all treatments at once',
  holding: 'what is hardly one trial is held back',
} as const
export type Stage = keyof typeof STAGES

let out: ReadonlySet<Stage> = new Set()
/** For judging alone. */
export function leaveOut(stages: readonly Stage[]): void {
  out = new Set(stages)
}
export const isOn = (stage: Stage): boolean => !out.has(stage)
