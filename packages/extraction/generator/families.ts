import { composed } from './families/composed.ts'
import { calc, writer } from './families/office.ts'
import { badLayer, pasted, scan } from './families/pictures.ts'
import type { Family } from './families/report.ts'
import { fixedWidth, memo, paper, prose } from './families/running.ts'
import { checks, dashboard, keyValue, long, sheet, slides } from './families/sheets.ts'
import { merged, rotated, split, transposed } from './families/tables.ts'

export const FAMILIES: Readonly<Record<string, Family>> = {
  keyValue,
  prose,
  paper,
  sheet,
  slides,
  transposed,
  merged,
  split,
  rotated,
  long,
  memo,
  checks,
  dashboard,
  fixedWidth,
  pasted,
  scan,
  badLayer,
  writer,
  calc,
  composed,
}
