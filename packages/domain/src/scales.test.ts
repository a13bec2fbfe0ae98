import { expect, test } from 'vitest'
import { diagramOf, drawn, SCALES } from './scales.ts'
import { TrialVariable } from './trial-variable.ts'

test('every shipped scale is a scale of notes, and each of its notes has a diagram', () => {
  expect(SCALES.map(({ nome }) => nome)).toContain('Notas de 1 a 9')
  for (const { nome, categorias } of SCALES) {
    expect(TrialVariable.safeParse({ chave: 'nota', nome, tipo: 'nota', categorias }).success).toBe(true)
    for (const { figura } of categorias) expect(diagramOf(figura), figura ?? '').not.toBeNull()
  }
})

test('a diagram covers the share of its area that it stands for, and a greater share covers more of it', () => {
  for (const kind of ['folha', 'desfolha', 'quadro'] as const) {
    let before = new Set<string>()
    for (const percent of [0, 1, 5, 10, 25, 50, 75, 100]) {
      const { outline, covered } = drawn({ kind, percent })
      expect(Math.abs((100 * covered.length) / outline.length - percent), `${kind} ${percent}`).toBeLessThan(
        0.1,
      )
      const own = new Set(covered.map(String))
      expect([...before].every((square) => own.has(square))).toBe(true)
      before = own
    }
  }
})

test.each(['', 'folha:101', 'nivel:0', 'nivel:10', '../folha:5', 'javascript:1', null])(
  'nothing is drawn for %s',
  (figura) => {
    expect(diagramOf(figura)).toBeNull()
  },
)
