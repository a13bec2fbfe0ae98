/** Where north is on a layout as it is drawn, the first line above and the first column at the left. */
const NORTHS = {
  0: 'para cima',
  45: 'para cima, à direita',
  90: 'à direita',
  135: 'para baixo, à direita',
  180: 'para baixo',
  225: 'para baixo, à esquerda',
  270: 'à esquerda',
  315: 'para cima, à esquerda',
} as const
const STEP = 45

/** Degrees, clockwise from above, and what is said of each. */
export const NORTH_CHOICES: readonly { degrees: number; said: string }[] = Object.entries(NORTHS).map(
  ([degrees, said]) => ({ degrees: Number(degrees), said }),
)

/** 'Norte: para cima, à direita' of whatever angle, by the nearest of the eight. */
export const northSaid = (degrees: number): string => {
  const nearest = (Math.round(degrees / STEP) * STEP) % 360
  return `Norte: ${NORTHS[nearest as keyof typeof NORTHS]}`
}
