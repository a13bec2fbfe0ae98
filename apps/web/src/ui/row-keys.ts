import { useState } from 'react'

/**
 * React keys for the rows of a table. A row that stays keeps its key. When most rows give way to others, as under
 * another filter, each takes the key of the one in its place: those elements need only other words, which takes
 * less time than new elements. A single new row is a new element, so that nothing under a person's finger or focus
 * becomes something else.
 */
export function nextKeys(held: ReadonlyMap<string, number>, ids: readonly string[]): Map<string, number> {
  const inPlace = [...held.values()]
  const anotherList = ids.filter((id) => held.has(id)).length < ids.length / 2
  let unused = Math.max(-1, ...inPlace) + 1
  return new Map(ids.map((id, place) => [id, (anotherList ? inPlace[place] : held.get(id)) ?? unused++]))
}

export function useRowKeys(rows: readonly { id: string }[]): ReadonlyMap<string, number> {
  const [held, setHeld] = useState(() => ({ rows, keys: nextKeys(new Map(), idsOf(rows)) }))
  if (held.rows === rows) return held.keys
  const keys = nextKeys(held.keys, idsOf(rows))
  setHeld({ rows, keys })
  return keys
}

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)
