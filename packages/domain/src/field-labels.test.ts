import { describe, expect, test } from 'vitest'
import {
  CODE_EDGE,
  codePath,
  codeSideMm,
  LABEL_SHEET_KEYS,
  LABEL_SHEETS,
  type LabelSheet,
  labelAddress,
  labelCorner,
  labelPlace,
  labelsBefore,
} from './field-labels.ts'

describe('labels of plots', () => {
  test.each(LABEL_SHEET_KEYS)('lie beside each other on their paper: %s', (key) => {
    const sheet: LabelSheet = LABEL_SHEETS[key]
    const each = sheet.across * sheet.down
    const { x, y } = labelCorner(sheet, each - 1)
    // The last one ends as far from the paper's edge as the first one begins.
    expect(x + sheet.width + sheet.left).toBeCloseTo(sheet.page[0], 6)
    expect(y + sheet.height + sheet.top).toBeCloseTo(sheet.page[1], 6)
    expect(labelCorner(sheet, 0)).toEqual({ x: sheet.left, y: sheet.top })
  })

  test('begin at the label that is not used yet', () => {
    expect([0, 1, 5, 99].map((start) => labelsBefore(LABEL_SHEETS['3x8'], start))).toEqual([0, 0, 4, 23])
    expect(labelsBefore(LABEL_SHEETS['50x30'], 7)).toBe(0)
  })

  test('tell the treatment only where it is known and wanted', () => {
    const plot = { bloco: 1, linha: 2, coluna: 3, tratamento: 'T4', nome: 'Produto 4' }
    expect(labelPlace(plot, true)).toBe('Bloco 1 · L2 C3 · T4')
    expect(labelPlace(plot, false)).toBe('Bloco 1 · L2 C3')
    expect(labelPlace({ ...plot, tratamento: 'B', nome: null }, true)).toBe('Bloco 1 · L2 C3')
    expect(labelPlace({ ...plot, bloco: null, linha: null, coluna: null }, false)).toBe('')
  })

  test('have codes of 18 mm at least, in capitals', () => {
    expect(labelAddress('https://ensaio.exemplo.com.br', 'A1B2C3D4E5')).toBe(
      'HTTPS://ENSAIO.EXEMPLO.COM.BR/Q/A1B2C3D4E5',
    )
    for (const squares of [25, 29, 33, 37])
      expect((codeSideMm(squares + 2 * CODE_EDGE) * squares) / (squares + 2 * CODE_EDGE)).toBeGreaterThan(18)
  })

  test('have codes that are drawn run by run, every dark square once', () => {
    const rows = ['##.#', '....', '.###', '#..#'].map((row) => [...row].map((sign) => sign === '#'))
    expect(codePath(rows)).toBe('M0 0h2v1h-2zM3 0h1v1h-1zM1 2h3v1h-3zM0 3h1v1h-1zM3 3h1v1h-1z')
  })
})
