import type { Cell } from '../tables/table.ts'
import { YIELDS } from '../values/headings.ts'
import { fold, hasLetters } from '../values/text.ts'
import { yieldUnit } from '../values/units.ts'
import { isUnit } from '../values/variables.ts'
import { guessUnit } from './column-content.ts'
import type { Column } from './columns.ts'

// What the caption of a table says of all its columns.

export const FORAGE =
  /\b(?:capim|pasto|pastagens?|forrag\w+|braquiaria|brachiaria|urochloa|panicum|megathyrsus|tifton|silagem|alfafa|milheto)\b/

/** Under 'Produtividade por classe (t/ha)', 'Massa seca por corte (kg/ha)' the total is the harvest, the others its parts. */
export function settleTotal(typed: Column[], columns: readonly (readonly Cell[])[], title: string): void {
  const said = [...title.matchAll(/\(([^()]{2,16})\)/g)].find(([, own = '']) =>
    yieldUnit(own.replace(/ de m\.?s\.?/i, '')),
  )?.[1]
  const t = fold(title)
  const harvest =
    YIELDS.test(t) || (/massa seca|materia seca/.test(t) && (FORAGE.test(t) || /\bcortes?\b/.test(t)))
  const bare = typed.filter(
    ({ role, header }) =>
      role === 'analysis' && hasLetters(header) && !/[(%\d/]/.test(header.replace(/^\d+\s?[ºª°]/, '')),
  )
  const total = bare.find(({ header }) => /^total\b/.test(fold(header)))
  // Without a unit in the caption thousands are kilograms.
  const thousands = total && FORAGE.test(t) && guessUnit(columns[typed.indexOf(total)] ?? [])?.factor === 1
  const unit = said ?? (thousands ? 'kg/ha' : undefined)
  if (!unit || !harvest || !total || bare.length < 3 || typed.some(({ role }) => role === 'yield')) return
  for (const column of bare) column.header = `${column.header} (${unit})`
  Object.assign(total, { role: 'yield', score: 0.9 })
}

/** 'Alto | Médio | Baixo' under 'Depósito do corante (µL/cm²) por terço da copa': the caption's unit is of all. */
export function settleUnits(typed: readonly Column[], title: string): void {
  const units = [...title.matchAll(/\(([^()]{1,14})\)/g)].filter(([, said = '']) => isUnit(said))
  // Of several variables it would be the last one's.
  if (/[,;]|\be\b/.test(title.slice(0, units[0]?.index))) return
  const measured = typed.filter(({ role }) => role === 'analysis')
  const [[, unit] = [], other] = units
  const bare = measured.every(({ header }) => hasLetters(header) && !/[(%\d/,]/.test(header))
  const harvest = typed.some(({ role }) => role === 'yield')
  if (!unit || other !== undefined || measured.length < LEAST_ALIKE || !bare || harvest) return
  for (const column of measured) column.header = `${column.header} (${unit})`
}
const LEAST_ALIKE = 3
