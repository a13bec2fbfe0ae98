import type { AdviceCode, AdviceFacts } from './advice-facts.ts'
import { sheetOf, variable } from './test-advice.ts'
import {
  BLOCKS,
  changed,
  control,
  entries,
  exchangedBlocks,
  lacking,
  product,
  sixOf,
  withCv,
  withDegrees,
  withRepetitions,
  yields,
} from './test-advice-parts.ts'
import { type Case, VALUES } from './test-advice-values.ts'

/** For each rule: what it finds and how it weighs, what lies beside the limit, and the value missing. */
export const CASES: Record<AdviceCode, Case> = {
  ...VALUES,
  'rendimento.faixa': {
    fires: [
      [yields('Soja', 7001, 3600), 'conferir'],
      [yields('Soja', 600, 3600), 'conferir'],
      [yields('Soja', 0, 3600), 'conferir'],
      [yields('Soja', 10_001), 'problema'],
    ].map(([facts, peso]): [AdviceFacts, string] => [facts as AdviceFacts, peso as string]),
    beside: [yields('Soja', 700, 7000), yields('Trigo', 90_000), yields('Feijão', 230, 4500)],
    missing: [yields('Soja', null), yields('', 90_000)],
  },
  'rendimento.unidade': {
    fires: [
      [yields('Soja', 60), 'problema'],
      [yields('Soja', 3.6), 'problema'],
      [yields('Arroz', 70_710), 'problema'],
    ],
    beside: [yields('Soja', 700), yields('Soja', 7000)],
    missing: [yields('Soja', null), yields('Café', 40)],
  },
  'rendimento.igual': {
    fires: [
      [yields('Soja', 3000, 3000, 3000), 'conferir'],
      [yields('Café', 0, 0, 0), 'conferir'],
      [yields('Soja', 3000, 3100, 3200, 3300), 'conferir'],
    ],
    beside: [yields('Soja', 3000, 3000, 3001), yields('Soja', 3000, 3100, 3200, 3301)],
    missing: [yields('Soja', 3000, null, 3000)],
  },
  'variavel.faixa': {
    fires: [
      [
        { ficha: sheetOf(BLOCKS, { variaveis: [variable({ esperado_min: 2951, esperado_max: 5000 })] }) },
        'conferir',
      ],
    ],
    beside: [
      { ficha: sheetOf(BLOCKS, { variaveis: [variable({ esperado_min: 2950, esperado_max: 3560 })] }) },
    ],
    missing: [{ ficha: sheetOf(BLOCKS) }],
  },
  'parcela.discrepante': {
    fires: [
      // √(20 · 2/3) = 3.65 is the most that one of thirty can reach.
      [{ ficha: sheetOf([...changed(1, 2, 4600), ...BLOCKS.slice(2)]) }, 'conferir'],
      // Quartiles of 10, 11, 12, 13, 14 and x: 11.25 and 13.75; 1.5 of 2.5 above is 17.5.
      [{ ficha: sixOf(17.6) }, 'conferir'],
    ],
    beside: [{ ficha: sheetOf(BLOCKS) }, { ficha: sixOf(17.4) }],
    missing: [{ ficha: sheetOf(changed(1, 2, null)) }, {}],
  },
  'parcela.vizinha': {
    fires: [[{ ficha: sheetOf(exchangedBlocks()) }, 'conferir']],
    beside: [{ ficha: sheetOf(BLOCKS) }],
    missing: [{}, { ficha: sheetOf(BLOCKS.map((row) => row.map(() => null))) }],
  },
  'parcela.digito': {
    fires: [
      [{ ficha: sheetOf(changed(1, 2, 327)) }, 'conferir'],
      [{ ficha: sheetOf(changed(1, 2, 2370)) }, 'conferir'],
    ],
    beside: [{ ficha: sheetOf(BLOCKS) }],
    missing: [{ ficha: sheetOf(changed(1, 2, null)) }],
  },
  'cv.classe': {
    fires: [
      [withCv(20.1), 'conferir'],
      [withCv(30.1), 'problema'],
      [withCv(16.1, 'Soja'), 'conferir'],
    ],
    beside: [withCv(20), withCv(16, 'Soja'), withCv(17, 'Milho')],
    missing: [withCv(null), {}],
  },
  'desenho.gl': {
    fires: [
      [withDegrees(11), 'conferir'],
      [withDegrees(9), 'problema'],
    ],
    beside: [withDegrees(12)],
    missing: [withDegrees(null), {}],
  },
  'desenho.repeticoes': {
    fires: [
      [withRepetitions(2), 'problema'],
      [withRepetitions(3), 'conferir'],
    ],
    beside: [withRepetitions(4)],
    missing: [withRepetitions(null)],
  },
  'desenho.testemunha': {
    fires: [
      [
        { tratamentos: [{ produtos_aplicados: [product('A')] }, { produtos_aplicados: [product('B')] }] },
        'problema',
      ],
      [{ tratamentos: [{ produtos_aplicados: [product('A')] }, control] }, 'problema'],
      [{ tratamentos: [{ ...control, custo: 0.01 }, { produtos_aplicados: [product('A')] }] }, 'problema'],
    ],
    beside: [{ tratamentos: [control, { produtos_aplicados: [product('A')] }] }],
    missing: [{}, { tratamentos: [{ custo: null }, {}] }],
  },
  'desenho.bloco': {
    fires: [
      [
        {
          ficha: sheetOf(BLOCKS, {
            order: [
              [1, 2, 3, 4, 5],
              [2, 1, 4, 3],
              [3, 1, 2, 5, 4],
              [5, 4, 1, 2, 3],
            ],
          }),
        },
        'problema',
      ],
      [
        {
          ficha: sheetOf(BLOCKS, {
            order: [
              [1, 2, 3, 4, 5],
              [2, 1, 4, 3, 5, 5],
              [3, 1, 2, 5, 4],
              [5, 4, 1, 2, 3],
            ],
          }),
        },
        'problema',
      ],
      [{ ficha: sheetOf(BLOCKS, { order: BLOCKS.map(() => [1, 2, 3, 4, 5]) }) }, 'conferir'],
    ],
    beside: [
      { ficha: sheetOf(BLOCKS) },
      {
        ficha: sheetOf(BLOCKS, {
          order: [1, 2, 3, 4].map((at) => (at === 4 ? [2, 1, 3, 4, 5] : [1, 2, 3, 4, 5])),
        }),
      },
    ],
    missing: [{}, { ficha: sheetOf(BLOCKS, { design: 'DIC' }) }],
  },
  'desenho.texto': {
    fires: [
      [{ tipo_estatistica: 'DBC', ficha: sheetOf(BLOCKS, { design: 'DIC' }) }, 'conferir'],
      [{ ...withRepetitions(5), ficha: sheetOf(BLOCKS) }, 'conferir'],
    ],
    beside: [{ tipo_estatistica: 'DBC', ...withRepetitions(4), ficha: sheetOf(BLOCKS) }],
    missing: [{ tipo_estatistica: 'DBC' }, { ficha: sheetOf(BLOCKS) }],
  },
  'valores.faltam': {
    fires: [
      // 3 of 20 are 15 %, 6 are 30 %.
      [{ ficha: sheetOf(lacking([0, 0], [1, 1], [2, 2])) }, 'conferir'],
      [{ ficha: sheetOf(lacking([0, 0], [1, 1], [2, 2], [3, 3], [0, 4], [1, 0])) }, 'problema'],
      [{ ficha: sheetOf(lacking([0, 0], [1, 0], [2, 0], [3, 0])) }, 'problema'],
    ],
    beside: [{ ficha: sheetOf(lacking([0, 0], [1, 1])) }],
    missing: [{ ficha: sheetOf(BLOCKS.map((row) => row.map(() => null))) }, {}],
  },
  'valores.conflitos': { fires: [[{ abertos: 1 }, 'problema']], beside: [{ abertos: 0 }], missing: [{}] },
  'valores.hora': {
    fires: [
      [entries({ primeira: '2024-10-09' }), 'conferir'],
      [entries({ ultima: '2025-02-21' }), 'conferir'],
      [entries({ adiante: 1 }), 'conferir'],
      [entries({ no_minuto: 40 }), 'conferir'],
    ],
    beside: [entries({ primeira: '2024-10-10', ultima: '2025-02-20', no_minuto: 39 })],
    missing: [{ entradas: null }],
  },
}
