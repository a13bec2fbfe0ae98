import type { AdviceFacts, AdviceSheet } from './advice-facts.ts'
import { sheetOf } from './test-advice.ts'

export const yields = (cultura: string, ...of: (number | null)[]): AdviceFacts => ({
  cultura,
  tratamentos: of.map((produtividade) => ({ produtividade })),
})
/** Four blocks of five treatments whose error is known, `change` made to them. */
export const BLOCKS = [
  [3000, 3210, 3150, 3330, 3420],
  [3100, 3280, 3270, 3390, 3560],
  [2950, 3130, 3120, 3260, 3330],
  [3050, 3260, 3160, 3420, 3450],
]
export const changed = (block: number, treatment: number, value: number | null) =>
  BLOCKS.map((row, at) => row.map((one, t) => (at === block && t === treatment ? value : one)))
export const dates = (...of: [data: string | null, daa: number | null][]): AdviceSheet['avaliacoes'] =>
  of.map(([data, daa], at) => ({ chave: `a${at}`, nome: `Avaliação ${at + 1}`, data, daa, estadio: null }))
export const registry = (
  semeadura: string | null,
  colheita: string | null,
): NonNullable<AdviceSheet['registro']> => ({
  ...{
    altitude: null,
    semeadura,
    colheita,
    espacamento: null,
    densidade: null,
    parcela: null,
    aplicacoes: [],
  },
  ...{
    alvo: null,
    nivel_antes: null,
    ret_numero: null,
    ret_data: null,
    instituicao: null,
    credenciamento: null,
  },
  ...{ responsavel: null, registro_profissional: null, testemunha_positiva: null },
})
export const product = (nome: string, dose: number | null = 1, custo: number | null = 10) => ({
  ...{ nome, dose, custo },
  unidade: dose === null ? null : 'L/ha',
})
export const control = { produtos_aplicados: [], custo: 0 }
export const withDegrees = (gl_residuo: number | null): AdviceFacts => ({
  estatistica_informada: { repeticoes: null, cv: null, gl_residuo },
})
export const withCv = (cv: number | null, cultura = 'Trigo'): AdviceFacts => ({
  cultura,
  estatistica_informada: { repeticoes: null, cv, gl_residuo: null },
})
export const withRepetitions = (repeticoes: number | null): AdviceFacts => ({
  estatistica_informada: { repeticoes, cv: null, gl_residuo: null },
})
export const sixOf = (last: number) =>
  sheetOf(
    [
      [10, 20],
      [11, 21],
      [12, 22],
      [13, 23],
      [14, 24],
      [last, 25],
    ],
    {
      design: 'PSUB',
    },
  )
export const place = { estado: 'GO', municipio: { latitude: -17.8, longitude: -50.93 } }
export const entries = (of: Partial<NonNullable<AdviceFacts['entradas']>>): AdviceFacts => ({
  entradas: { primeira: '2024-11-01', ultima: '2025-02-01', adiante: 0, no_minuto: 3, ...of },
  ficha: sheetOf(BLOCKS, { registro: registry('2024-10-10', '2025-02-20') }),
})

/** Plots 201 and 202 as if one had been written in the other's place. */
export function exchangedBlocks() {
  const rows = BLOCKS.map((row) => [...row])
  // The second block is laid out as T2, T3, T4, T5, T1: T5 and T1 are side by side.
  const row = rows[1] ?? []
  ;[row[0], row[4]] = [row[4] ?? 0, row[0] ?? 0]
  return rows
}
export function lacking(...of: [block: number, treatment: number][]) {
  return BLOCKS.map((row, block) =>
    row.map((one, treatment) => (of.some(([b, t]) => b === block && t === treatment) ? null : one)),
  )
}
