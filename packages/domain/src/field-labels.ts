/** Sheets and rolls of labels as they are sold; all in millimetres. */
export interface LabelSheet {
  label: string
  page: readonly [width: number, height: number]
  across: number
  down: number
  width: number
  height: number
  top: number
  left: number
  /** Between labels beside each other; below each other they touch. */
  gap: number
}
const A4 = [210, 297] as const
export const LABEL_SHEETS = {
  '2x7': {
    ...{ label: 'A4, 2 × 7 (99,1 × 38,1 mm)', page: A4, across: 2, down: 7, width: 99.1, height: 38.1 },
    ...{ top: 15.15, left: 4.65, gap: 2.5 },
  },
  '3x8': {
    ...{ label: 'A4, 3 × 8 (63,5 × 33,9 mm)', page: A4, across: 3, down: 8, width: 63.5, height: 33.9 },
    ...{ top: 12.9, left: 7.25, gap: 2.5 },
  },
  '4x10': {
    ...{ label: 'A4, 4 × 10 (48,5 × 25,4 mm)', page: A4, across: 4, down: 10, width: 48.5, height: 25.4 },
    ...{ top: 21.5, left: 8, gap: 0 },
  },
  '50x30': {
    ...{ label: 'Térmica, 50 × 30 mm', page: [50, 30], across: 1, down: 1, width: 50, height: 30 },
    ...{ top: 0, left: 0, gap: 0 },
  },
  '60x40': {
    ...{ label: 'Térmica, 60 × 40 mm', page: [60, 40], across: 1, down: 1, width: 60, height: 40 },
    ...{ top: 0, left: 0, gap: 0 },
  },
} as const satisfies Record<string, LabelSheet>
export type LabelSheetKey = keyof typeof LABEL_SHEETS
export const LABEL_SHEET_KEYS = Object.keys(LABEL_SHEETS) as LabelSheetKey[]

/** The code itself is of at least 18 mm; the quiet edge around it, in its own squares, comes on top. */
const CODE_MM = 18.2
export const CODE_EDGE = 2

/** The side of a code with its quiet edge, of so many squares with it. */
export const codeSideMm = (squares: number): number =>
  Number(((CODE_MM * squares) / (squares - 2 * CODE_EDGE)).toFixed(2))

/** The dark squares as one drawing, a row's runs at a time; one unit a square. */
export const codePath = (rows: readonly (readonly boolean[])[]): string =>
  rows
    .flatMap((row, y) =>
      row.flatMap((dark, x) => {
        if (!dark || row[x - 1]) return []
        const end = row.indexOf(false, x)
        const width = (end < 0 ? row.length : end) - x
        return [`M${x} ${y}h${width}v1h-${width}z`]
      }),
    )
    .join('')

/** In capitals, so that the code is small and large-grained. */
export const labelAddress = (site: string, code: string): string => `${site}/q/${code}`.toUpperCase()

/** How many are left out before the first: those that were used of a sheet. */
export function labelsBefore({ across, down }: LabelSheet, start: number): number {
  const each = across * down
  return each === 1 ? 0 : Math.min(each, Math.max(1, start)) - 1
}

/** Where the label in a place of its page lies, from the paper's upper left corner. */
export const labelCorner = (
  { left, top, width, height, gap, across }: LabelSheet,
  at: number,
): { x: number; y: number } => ({
  x: left + (at % across) * (width + gap),
  y: top + Math.floor(at / across) * height,
})

interface LabelledPlot {
  bloco: number | null
  linha: number | null
  coluna: number | null
  tratamento: string
  nome: string | null
}
/** 'Bloco 1 · L1 C2 · T3'; the treatment only where it is known. */
export const labelPlace = (
  { bloco, linha, coluna, tratamento, nome }: LabelledPlot,
  treatment: boolean,
): string =>
  [
    bloco === null ? '' : `Bloco ${bloco}`,
    linha === null ? '' : `L${linha} C${coluna}`,
    treatment && nome !== null ? tratamento : '',
  ]
    .filter(Boolean)
    .join(' · ')
