import { nice, ticks } from 'd3-array'

/** A quantity along one side of a picture: its marks, and where a value stands, in pixels. */
export type Scale = { marks: readonly number[]; place: (value: number) => number }

/**
 * A scale over the values, from one round mark to another; `ends` are the pixels of its first and its last mark.
 * Where no decimals are shown, no two marks read the same.
 */
export function scaleOf(
  values: readonly number[],
  { about, decimals, ends: [from, to] }: { about: number; decimals: number; ends: readonly [number, number] },
): Scale {
  let low = values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY)
  let high = values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)
  if (!(low <= high)) [low, high] = [0, 1]
  const least = 10 ** -decimals
  if (high - low < least) [low, high] = [low - (low === 0 ? 0 : least), high + least]
  const count = Math.max(1, Math.min(about, Math.floor((high - low) / least)))
  const [first, last] = nice(low, high, count)
  const marks = ticks(first, last, count)
  return { marks, place: (value) => from + ((value - first) / (last - first)) * (to - from) }
}
