import { wordsIn } from '../layout/run.ts'
import { findAngles } from '../values/places.ts'
import { fold } from '../values/text.ts'
import type { Candidate } from './candidate.ts'
import type { Pair } from './pair.ts'
import { brazilian } from './prose.ts'

/** Latitude, longitude or both, as the label that they stand behind says. */
export function coordinates(
  pair: Pair,
  target: string,
  { score, method }: Pick<Candidate, 'score' | 'method'>,
  candidates: Candidate[],
): void {
  if (pair.value.text.length > 70 || /%|r\$/.test(pair.value.folded)) return
  const angles = findAngles(pair.value.folded, pair.value.text)
  const put = (axis: 'latitude' | 'longitude', angle: (typeof angles)[number]): void => {
    candidates.push({
      field: axis,
      value: brazilian(angle.value, axis),
      score,
      words: wordsIn(pair.value, angle.start, angle.end),
      method,
    })
  }
  const [one, two] = angles
  if (!one) {
    const integer = /^-?\d{1,2}$/.exec(pair.value.text.trim())
    if (integer && (target === 'latitude' || target === 'longitude'))
      put(target, { value: Number(integer[0]), axis: null, start: 0, end: pair.value.text.length })
    return
  }
  if (target !== 'coordenadas') {
    const own =
      angles.find((a) => a.axis === target) ?? (one.axis === null || one.axis === target ? one : undefined)
    if (own) put(target === 'latitude' ? 'latitude' : 'longitude', own)
    if (two && !own) return
    if (
      two &&
      target === 'latitude' &&
      (two.axis ?? 'longitude') === 'longitude' &&
      /lon/.test(fold(pair.label))
    )
      put('longitude', two)
    return
  }
  if (!two) return
  if (one.axis === 'longitude' || two.axis === 'latitude') {
    put('latitude', two)
    put('longitude', one)
  } else {
    put('latitude', one)
    put('longitude', two)
  }
}
