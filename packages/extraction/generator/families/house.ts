import { esc } from '../pieces.ts'
import { seeded } from '../random.ts'

/**
 * A house: each of its habits is a choice of its own, drawn by its name, so that any combination may come and two
 * reports of one house agree in all of them.
 */
export interface House {
  seed: number
  pick<T>(habit: string, of: readonly T[]): T
  chance(habit: string, p: number): boolean
}

export function houseOf(seed: number): House {
  const draw = (habit: string): number => {
    let hash = seed >>> 0
    for (let i = 0; i < habit.length; i++) hash = Math.imul(hash ^ habit.charCodeAt(i), 0x01000193) >>> 0
    return seeded(hash).next()
  }
  return {
    seed,
    // A draw is below 1, so that the place is one of the list's.
    pick: (habit, of) => of[Math.floor(draw(habit) * of.length)] as (typeof of)[number],
    chance: (habit, p) => draw(habit) < p,
  }
}

/** The heading of a section, as the house sets them. */
export function section(house: House, name: string, number: number): string {
  const kind = house.pick('sections', ['none', 'plain', 'numbered', 'capitals'])
  if (kind === 'none') return ''
  const text = kind === 'numbered' ? `${number}. ${name}` : kind === 'capitals' ? name.toUpperCase() : name
  return `<h2>${esc(text)}</h2>`
}
