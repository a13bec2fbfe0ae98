import type { AdviceCode, AdviceFacts } from './advice-facts.ts'
import { sheetOf } from './test-advice.ts'
import { BLOCKS, control, dates, place, product, registry, yields } from './test-advice-parts.ts'

export interface Case {
  fires: [AdviceFacts, string][]
  beside: AdviceFacts[]
  missing: AdviceFacts[]
}

const told = [{ nome: 'Nutri A', produtividade: 3000 }]
const usual = { nome: 'A', unidade: 'L/ha', mediana: 1, ensaios: 8 }

/** Products, costs, soil, place and dates. */
export const VALUES = {
  'produto.dobrado': {
    fires: [
      [
        {
          tratamentos: [
            control,
            { produtos_aplicados: [product('Nutrivia Raiz'), product('NUTRIVIA-RAIZ', 2)] },
          ],
        },
        'conferir',
      ],
      [
        {
          tratamentos: [
            control,
            { modalidade: 'Foliar', produtos_aplicados: [product('A')] },
            { modalidade: 'Foliar', produtos_aplicados: [product('A')] },
          ],
        },
        'conferir',
      ],
    ],
    beside: [
      {
        tratamentos: [control, { produtos_aplicados: [product('Nutrivia Raiz'), product('Nutrivia Pleno')] }],
      },
      {
        tratamentos: [
          control,
          { produtos_aplicados: [product('A')] },
          { produtos_aplicados: [product('A', 2)] },
        ],
      },
      {
        tratamentos: [
          control,
          { modalidade: 'Foliar', produtos_aplicados: [product('A')] },
          { modalidade: 'Solo', produtos_aplicados: [product('A')] },
        ],
      },
    ],
    missing: [{ tratamentos: [control, { produtos_aplicados: [product(''), product('')] }] }],
  },
  'produto.dose': {
    fires: [
      [{ tratamentos: [control, { produtos_aplicados: [product('A', null)] }] }, 'conferir'],
      [
        { tratamentos: [control, { produtos_aplicados: [{ nome: 'A', dose: 1, unidade: null }] }] },
        'conferir',
      ],
      [{ tratamentos: [control, { produtos_aplicados: [product('A', 10.1)] }], doses: [usual] }, 'conferir'],
      [{ tratamentos: [control, { produtos_aplicados: [product('a', 0.09)] }], doses: [usual] }, 'conferir'],
    ],
    beside: [
      { tratamentos: [control, { produtos_aplicados: [product('A')] }] },
      { tratamentos: [control, { produtos_aplicados: [product('A', 10)] }], doses: [usual] },
      { tratamentos: [control, { produtos_aplicados: [product('A', 0.1)] }], doses: [usual] },
      // Seven trials are too few, and another unit is another amount.
      {
        tratamentos: [control, { produtos_aplicados: [product('A', 99)] }],
        doses: [{ ...usual, ensaios: 7 }],
      },
      {
        tratamentos: [control, { produtos_aplicados: [product('A', 99)] }],
        doses: [{ ...usual, unidade: 'mL/ha' }],
      },
    ],
    missing: [{ tratamentos: [control, { produtos_aplicados: [{ nome: '' }] }] }],
  },
  'custo.sem_preco': {
    fires: [
      [{ tratamentos: [control, { produtos_aplicados: [product('A'), product('B', 1, null)] }] }, 'conferir'],
      [
        {
          tratamentos: [
            control,
            { custo: 60, produtos_aplicados: [product('A', 1, 51), product('B', 1, null)] },
          ],
        },
        'conferir',
      ],
      [{ tratamentos: [control, { custo: 101.1, produtos_aplicados: [product('A', 1, 100)] }] }, 'conferir'],
    ],
    beside: [{ tratamentos: [control, { custo: 101, produtos_aplicados: [product('A', 1, 100)] }] }],
    missing: [{ tratamentos: [control, { custo: null, produtos_aplicados: [product('A', 1, null)] }] }],
  },
  'roi.sem_custo': {
    fires: [
      [{ roi: 100, tratamentos: [{ custo: null }] }, 'conferir'],
      [{ roi: 2001, tratamentos: [{ custo: 0 }, { custo: 100 }] }, 'conferir'],
    ],
    beside: [{ roi: 2000, tratamentos: [{ custo: 0 }, { custo: 100 }] }],
    missing: [{ roi: null, tratamentos: [] }],
  },
  'solo.classe': {
    fires: [
      [{ teor_argila: 14.9, teor_materia_organica: 6.1 }, 'conferir'],
      [{ teor_argila: 380 }, 'conferir'],
      [
        {
          teor_argila: 40,
          tratamentos: [{ analises_adicionais: [{ nome: 'Areia', valor: 70, unidade: '%' }] }],
        },
        'conferir',
      ],
    ],
    beside: [
      { teor_argila: 15, teor_materia_organica: 6.1 },
      { teor_argila: 14.9, teor_materia_organica: 6 },
      { teor_argila: 99 },
      {
        teor_argila: 40,
        tratamentos: [{ analises_adicionais: [{ nome: 'Areia', valor: 60, unidade: '%' }] }],
      },
    ],
    missing: [{ teor_argila: null, teor_materia_organica: 7 }],
  },
  'local.municipio': {
    fires: [
      // 65 km north of its town, still in Goiás.
      [{ ...place, latitude: -17.8 + 65 / 111.2, longitude: -50.93 }, 'conferir'],
      // 30 km from a town of 100 km², whose disc reaches 18.5.
      [
        {
          ...{ ...place, municipio: { ...place.municipio, area: 100 } },
          ...{ latitude: -17.8 + 30 / 111.2, longitude: -50.93 },
        },
        'conferir',
      ],
      [{ ...place, latitude: -23.5, longitude: -46.6 }, 'problema'],
      [{ ...place, latitude: -20, longitude: -35 }, 'problema'],
      [{ ...place, latitude: -50.93, longitude: -17.8 }, 'problema'],
      [{ ...place, latitude: 17.8, longitude: -50.93 }, 'problema'],
    ],
    beside: [
      { ...place, latitude: -17.8 + 55 / 111.2, longitude: -50.93 },
      // 1.5 radii of a disc of 5,027 km² are 60 km, and 10 more: the same place is its own.
      {
        ...place,
        municipio: { ...place.municipio, area: 5027 },
        latitude: -17.8 + 65 / 111.2,
        longitude: -50.93,
      },
    ],
    missing: [
      { ...place, latitude: null, longitude: -50 },
      { latitude: -17.8, longitude: -50.93 },
    ],
  },
  'data.ordem': {
    fires: [
      [{ ficha: sheetOf(BLOCKS, { avaliacoes: dates(['2025-01-10', 7], ['2025-01-03', 14]) }) }, 'conferir'],
      [
        { cultura: 'Soja', ficha: sheetOf(BLOCKS, { registro: registry('2024-10-10', '2024-12-08') }) },
        'conferir',
      ],
      [{ ano: 2022, ficha: sheetOf(BLOCKS, { avaliacoes: dates(['2024-01-10', 7]) }) }, 'conferir'],
      [
        { ficha: sheetOf(BLOCKS, { avaliacoes: dates(['2025-01-10', null], ['2025-01-03', null]) }) },
        'conferir',
      ],
    ],
    beside: [
      { ficha: sheetOf(BLOCKS, { avaliacoes: dates(['2025-01-03', 7], ['2025-01-10', 14]) }) },
      { cultura: 'Soja', ficha: sheetOf(BLOCKS, { registro: registry('2024-10-10', '2024-12-09') }) },
      { cultura: 'Café', ficha: sheetOf(BLOCKS, { registro: registry('2024-10-10', '2024-11-08') }) },
      { ano: 2023, ficha: sheetOf(BLOCKS, { avaliacoes: dates(['2024-01-10', 7]) }) },
    ],
    missing: [{ ano: 2022 }, { ficha: sheetOf(BLOCKS, { avaliacoes: dates([null, 14], [null, 7]) }) }],
  },
  'relatorio.difere': {
    fires: [
      [{ ...yields('Soja', 3017), informadas: { 1: 3000 } }, 'conferir'],
      [{ tratamentos: [{ nome: 'NUTRI-A', produtividade: 3017 }], lidas: told }, 'conferir'],
    ],
    beside: [
      { ...yields('Soja', 3015), informadas: { 1: 3000 } },
      { tratamentos: [{ nome: 'Nutri A', produtividade: 3015 }], lidas: told },
      // Of two of one name nobody knows which it is.
      { tratamentos: [{ nome: 'Nutri A', produtividade: 4000 }], lidas: [...told, ...told] },
    ],
    missing: [yields('Soja', 3017), { ...yields('Soja', null), informadas: { 1: 3000 } }],
  },
  completo: {
    fires: [[{ cultivar: 'BMX' }, 'nota']],
    beside: [
      {
        ...{ cultivar: 'BMX', latitude: -17, longitude: -50, tipo_estatistica: 'DBC' },
        tratamentos: [{ modalidade: 'Foliar' }],
        ficha: sheetOf(BLOCKS, { avaliacoes: dates(['2025-01-03', 7]) }),
      },
    ],
    missing: [],
  },
} satisfies Partial<Record<AdviceCode, Case>>
