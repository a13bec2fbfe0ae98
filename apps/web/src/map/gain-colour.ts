/** Left and right of zero, from loss to gain, %: told apart without red and green, readable in both themes. */
const STEPS = [
  { below: -5, colour: '#9a3412', text: 'abaixo de −5 %' },
  { below: 0, colour: '#e8935a', text: '−5 a 0 %' },
  { below: 5, colour: '#9dc3c1', text: '0 a 5 %' },
  { below: 10, colour: '#3d8b86', text: '5 a 10 %' },
  { below: Number.POSITIVE_INFINITY, colour: '#134e4a', text: '10 % ou mais' },
] as const
const UNKNOWN = { colour: '#8a8680', text: 'sem comparação' }

export const gainColour = (percent: number | null): string =>
  percent === null ? UNKNOWN.colour : (STEPS.find(({ below }) => percent < below)?.colour ?? UNKNOWN.colour)

export const GAIN_LEGEND: readonly { colour: string; text: string }[] = [...STEPS, UNKNOWN]
