/**
 * Ids that can be taken back to what they are made of, so that a value has one without a row of its own: the 60 random
 * bits of one id beside 60 of another, as a UUID of version 8.
 */
const bitsOf = (id: string): string => {
  const hex = id.replaceAll('-', '')
  return hex.slice(0, 12) + hex.slice(13, 16)
}
const dashed = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
const joined = (a: string, b: string): string => dashed(`${a.slice(0, 12)}8${a.slice(12)}a${b}`)

/** Of a column: its variable's own, or that of the variable on a date. */
export const columnId = (variable: string, date: string | null): string =>
  date === null ? variable : joined(bitsOf(variable), bitsOf(date))

const mixed = (variable: string, date: string | null): string => {
  if (date === null) return bitsOf(variable)
  const other = bitsOf(date)
  return [...bitsOf(variable)]
    .map((digit, at) => (Number.parseInt(digit, 16) ^ Number.parseInt(other[at] ?? '0', 16)).toString(16))
    .join('')
}

/** Of the value of a plot in a column: known before there is one, and never another. */
export const observationId = (plot: string, variable: string, date: string | null): string =>
  joined(bitsOf(plot), mixed(variable, date))

/** Between which ids the plot of an observation's id lies. */
export function plotRange(observation: string): [string, string] {
  const bits = bitsOf(observation)
  const plot = (version: string, rest: string) => dashed(bits.slice(0, 12) + version + bits.slice(12) + rest)
  return [plot('0', '0'.repeat(16)), plot('f', 'f'.repeat(16))]
}
