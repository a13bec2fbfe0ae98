import type { Raster } from './raster.ts'

const CELL = 12
const DARK = 122
const SMALLEST_CELLS = 18

interface Patch {
  c0: number
  r0: number
  c1: number
  r1: number
  cells: number
}

/** Turns dark boxes with light text (headings of tables) into light ones with dark text; level pages only. */
export function invertDarkBoxes(raster: Raster): Raster {
  const { width, height, pixels } = raster
  const columns = Math.floor(width / CELL)
  const rows = Math.floor(height / CELL)
  const dark = new Uint8Array(columns * rows)
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < columns; c++) {
      let below = 0
      let seen = 0
      for (let y = r * CELL; y < (r + 1) * CELL; y += 2)
        for (let x = c * CELL; x < (c + 1) * CELL; x += 2) {
          seen++
          if ((pixels[y * width + x] ?? 255) < DARK) below++
        }
      if (below > 0.62 * seen) dark[r * columns + c] = 1
    }
  const patches = findPatches(dark, columns, rows)
  if (patches.length === 0) return raster
  const out = Uint8Array.from(pixels)
  for (const patch of patches) invert(out, width, height, patch)
  return { width, height, pixels: out }
}

function findPatches(dark: Uint8Array, columns: number, rows: number): Patch[] {
  const patches: Patch[] = []
  for (let start = 0; start < dark.length; start++) {
    if (dark[start] !== 1) continue
    const patch: Patch = { c0: columns, r0: rows, c1: 0, r1: 0, cells: 0 }
    const open = [start]
    dark[start] = 2
    while (open.length > 0) {
      const at = open.pop() ?? 0
      const c = at % columns
      const r = Math.floor(at / columns)
      patch.c0 = Math.min(patch.c0, c)
      patch.c1 = Math.max(patch.c1, c)
      patch.r0 = Math.min(patch.r0, r)
      patch.r1 = Math.max(patch.r1, r)
      patch.cells++
      for (const [dc, dr] of [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
      ] as const) {
        const next = (r + dr) * columns + c + dc
        if (c + dc < 0 || c + dc >= columns || r + dr < 0 || r + dr >= rows || dark[next] !== 1) continue
        dark[next] = 2
        open.push(next)
      }
    }
    const box = (patch.c1 - patch.c0 + 1) * (patch.r1 - patch.r0 + 1)
    if (
      patch.cells >= SMALLEST_CELLS &&
      patch.c1 - patch.c0 >= 4 &&
      patch.r1 - patch.r0 >= 1 &&
      patch.cells > 0.55 * box
    )
      patches.push(patch)
  }
  return patches
}

/** Inverts a box up to its true edges, and whitens the rim that belongs to neither side. */
function invert(pixels: Uint8Array, width: number, height: number, patch: Patch): void {
  const reach = CELL + 4
  const left = Math.max(0, patch.c0 * CELL - reach)
  const right = Math.min(width, (patch.c1 + 1) * CELL + reach)
  const top = Math.max(0, patch.r0 * CELL - reach)
  const bottom = Math.min(height, (patch.r1 + 1) * CELL + reach)
  const rowIsDark = (y: number): boolean => {
    let below = 0
    const from = patch.c0 * CELL
    const to = (patch.c1 + 1) * CELL
    for (let x = from; x < to; x += 3) if ((pixels[y * width + x] ?? 255) < DARK + 20) below++
    return below > 0.4 * ((to - from) / 3)
  }
  const columnIsDark = (x: number): boolean => {
    let below = 0
    const from = patch.r0 * CELL
    const to = (patch.r1 + 1) * CELL
    for (let y = from; y < to; y += 2) if ((pixels[y * width + x] ?? 255) < DARK + 20) below++
    return below > 0.4 * ((to - from) / 2)
  }
  let y0 = top
  while (y0 < bottom && !rowIsDark(y0)) y0++
  let y1 = bottom - 1
  while (y1 > y0 && !rowIsDark(y1)) y1--
  let x0 = left
  while (x0 < right && !columnIsDark(x0)) x0++
  let x1 = right - 1
  while (x1 > x0 && !columnIsDark(x1)) x1--
  const rim = 3
  for (let y = Math.max(0, y0 - rim); y <= Math.min(height - 1, y1 + rim); y++)
    for (let x = Math.max(0, x0 - rim); x <= Math.min(width - 1, x1 + rim); x++) {
      const i = y * width + x
      const inside = y >= y0 + rim && y <= y1 - rim && x >= x0 + rim && x <= x1 - rim
      pixels[i] = inside ? 255 - (pixels[i] ?? 0) : 255
    }
}
