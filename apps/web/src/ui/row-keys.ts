import { useState } from 'react'

/**
 * React keys for the rows of a table. As the answer to another question, each row takes the key of the one in its
 * place: those elements need only other words, which takes less time than new elements. While the question stands,
 * what stays keeps its key and what comes is a new element, so that nothing under a person's finger or focus
 * becomes something else.
 */
export function nextKeys(
  held: ReadonlyMap<string, number>,
  ids: readonly string[],
  { sameQuestion }: { sameQuestion: boolean },
): Map<string, number> {
  const inPlace = [...held.values()]
  let unused = Math.max(-1, ...inPlace) + 1
  return new Map(ids.map((id, place) => [id, (sameQuestion ? held.get(id) : inPlace[place]) ?? unused++]))
}

/** @param question what the rows answer */
export function useRowKeys(rows: readonly { id: string }[], question: string): ReadonlyMap<string, number> {
  const next = (held: ReadonlyMap<string, number>, sameQuestion: boolean) =>
    nextKeys(
      held,
      rows.map(({ id }) => id),
      { sameQuestion },
    )
  const [held, setHeld] = useState(() => ({ rows, question, keys: next(new Map(), false) }))
  if (held.rows === rows) return held.keys
  const keys = next(held.keys, held.question === question)
  setHeld({ rows, question, keys })
  return keys
}
