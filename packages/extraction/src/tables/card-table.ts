import { groupLines, textOf } from '../layout/lines.ts'
import { union } from '../read/geometry.ts'
import type { Word } from '../read/page.ts'
import { isControl } from '../values/lexicon.ts'
import { fold } from '../values/text.ts'
import { tellsApplication } from './apart.ts'
import { makeCell } from './lattice.ts'
import type { Cell, Table } from './table.ts'

/** Cards of so many treatments at least are no chance. */
export const LEAST_CARDS = 3
/** The share of the cards that must tell what one of them tells, for it to be a column. */
const MOST_OF_THEM = 0.6
/** The share of the cards that must tell doses or ways of applying. */
const LEAST_DOSED = 0.4

/** What a card tells under a name of its own: 'Peneira 17: 24 %', '16,9 mm' over or under what was measured. */
export interface Item {
  label: string
  labelWords: readonly Word[]
  value: readonly Word[]
}
export interface Card {
  name: Word[]
  /** What is neither its name nor a value: products and doses. */
  told: Word[]
  items: Item[]
}

/** One of them is the control by its name, or by what stands below a name in bold. */
export const hasControl = (cards: readonly Card[], bold: boolean): boolean =>
  cards.some(
    ({ name, told }) =>
      isControl(textOf(name)) ||
      (bold && groupLines(told).some((line) => isControl(textOf(line).replace(/^;\s*/, '')))),
  )

const FIGURE = /^[-+−]?\d[\d.,]*$/

/** One row a card, its columns what most of them tell; null where they share nothing. */
export function tableOf(cards: readonly Card[], page: number): Table | null {
  const labels = Map.groupBy(
    cards.flatMap(({ items }) => items),
    ({ label }) => fold(label),
  )
  const shared = [...labels.values()].filter((own) => own.length >= MOST_OF_THEM * cards.length)
  if (shared.length === 0) return null
  const cell = (words: readonly Word[]): Cell | null =>
    words.length > 0 ? makeCell(words, union([...words]), page) : null
  const headings = shared.map(([one]) => {
    const labelWords = one?.labelWords ?? []
    const units = new Set(shared.find(([first]) => first === one)?.map(({ value }) => unitOf(value)))
    const [unit] = units
    const own = cell(labelWords) as Cell
    return { ...own, text: units.size === 1 && unit ? `${one?.label} (${unit})` : (one?.label ?? '') }
  })
  const [first] = cards
  const top = cell(first?.name ?? [])
  if (!top) return null
  // What tells no doses is a remark.
  const dosed = cards.filter(({ told }) => tellsApplication(told)).length >= LEAST_DOSED * cards.length
  const rows = cards.map(({ name, told, items }) => [
    cell(name),
    cell(dosed ? told : []),
    ...shared.map((own) => {
      const item = items.find((one) => own.includes(one))
      const unit = item ? unitOf(item.value) : ''
      return item ? cell(unit === '' ? item.value : item.value.filter(({ text }) => FIGURE.test(text))) : null
    }),
  ])
  const all = rows.flat().filter((one): one is Cell => one !== null)
  return {
    ...union(all),
    ...{ page, ruled: true, title: '', head: 1, columns: 2 + shared.length },
    rows: [[{ ...top, text: 'Tratamento', words: [] }, null, ...headings], ...rows],
  }
}

/** What stands behind a figure by itself; '' where it is no figure and its unit. */
function unitOf(words: readonly Word[]): string {
  const [figure, ...unit] = words.map(({ text }) => text)
  return figure !== undefined && FIGURE.test(figure) && unit.length <= 2 ? unit.join(' ') : ''
}
