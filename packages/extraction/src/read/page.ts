import type { Chart } from './charts.ts'
import type { Box, Turn } from './geometry.ts'

export interface Glyph extends Box {
  char: string
  /** Baseline. */
  base: number
  size: number
  bold: boolean
  italic: boolean
  turn: Turn
  /** A space was inferred after it from the gap. */
  spaced?: boolean
  /** Second half of a ligature: its box says nothing of where the next glyph starts. */
  ligature?: boolean
}

/** Words live in their page's upright frame. */
export interface Word extends Box {
  text: string
  base: number
  size: number
  bold: boolean
  /** Absent where it is not known, as of a scan. */
  italic?: boolean
  page: number
  /** Recognition confidence 0..1 of an OCR word; absent on digital text. */
  ocr?: number
}

/** A straight line drawn on the page, or the edge of a filled box. */
export interface Ruling extends Box {
  vertical: boolean
  /** An edge of a background, weaker evidence of a cell border than a drawn line. */
  edge: boolean
}

export interface CheckBox extends Box {
  checked: boolean
}

export interface Page {
  /** From 0. */
  index: number
  /** Size in the upright frame. */
  width: number
  height: number
  turn: Turn
  /** Size as displayed. */
  displayed: { width: number; height: number }
  words: Word[]
  rulings: Ruling[]
  checkBoxes: CheckBox[]
  /** Round or square marks that may be bullets. */
  bullets: Box[]
  images: Box[]
  /** Boxes with round corners, as wide and high as what holds several lines. */
  panels?: Box[]
  /** Bars that are drawn on it. */
  charts?: Chart[]
  scanned: boolean
  /** Where a box of this frame lies on the page as displayed. */
  project(box: Box): Box
}
