import type { Plot, TrialDesign, TrialSheet } from './trial-sheet.ts'

/** Which of the demo's experiments carry plots, and their design: each design once. */
export const DEMO_DESIGNS: Readonly<Record<number, TrialDesign>> = {
  0: 'DBC',
  6: 'DIC',
  7: 'PSUB',
  9: 'FAIXAS',
  39: 'DQL',
  51: 'DBI',
}

/** Deviations of plots in thousandths of the mean: a table, so that the set is the same for everybody. */
const DEVIATIONS = [12, -31, 22, 7, -18, 35, -9, -26, 16, 28, -14, -22, 5, 19, -33, 10, 24, -6, -29, 13]
/** Of blocks, rows and whole plots. */
const GRADIENT = [-24, 9, 21, -6, 15, -17, 4, -11, 19, -8]

type Place = Pick<Plot, 'tratamento'> &
  Partial<Pick<Plot, 'bloco' | 'linha' | 'coluna' | 'parcela_principal'>>

function placesOf(design: TrialDesign, k: number): Place[] {
  const each = Array.from({ length: k }, (_, at) => at + 1)
  const blocks = [1, 2, 3, 4]
  switch (design) {
    case 'DIC':
      return [...blocks, 5].flatMap((row) =>
        each.map((t, at) => ({ tratamento: t, linha: row, coluna: ((at + row) % k) + 1 })),
      )
    case 'DQL':
      return each.flatMap((row) =>
        each.map((column) => ({ tratamento: ((row + column) % k) + 1, linha: row, coluna: column })),
      )
    case 'DBI': {
      // Every three of the treatments meet in one block.
      const triples = each.flatMap((a) =>
        each.flatMap((b) => each.flatMap((c) => (a < b && b < c ? [[a, b, c]] : []))),
      )
      return triples.flatMap((triple, block) =>
        triple.map((tratamento) => ({ tratamento, bloco: block + 1 })),
      )
    }
    case 'DBC':
      // Each block in an order of its own.
      return blocks.flatMap((bloco) => each.map((t) => ({ tratamento: ((t + bloco) % k) + 1, bloco })))
    default:
      return blocks.flatMap((bloco) =>
        each.map((tratamento) => ({
          tratamento,
          bloco,
          ...(design === 'PSUB' && { parcela_principal: (bloco - 1) * 2 + Math.ceil(tratamento / 2) }),
        })),
      )
  }
}

/** The plots of a demo experiment: their means are the yields that it tells, to the kilogram's thousandth. */
export function demoSheet(
  index: number,
  { tratamentos }: { tratamentos: readonly { produtividade: number }[] },
): TrialSheet | null {
  const design = DEMO_DESIGNS[index]
  if (!design) return null
  const places = placesOf(design, tratamentos.length)
  const raw = places.map(({ tratamento, bloco, linha, parcela_principal }, at) => {
    const mean = tratamentos[tratamento - 1]?.produtividade ?? 0
    const deviation =
      (DEVIATIONS[(at * 7 + tratamento * 3 + at * at * 3) % DEVIATIONS.length] ?? 0) +
      (GRADIENT[((bloco ?? linha ?? 1) - 1) % GRADIENT.length] ?? 0) +
      (parcela_principal == null ? 0 : (GRADIENT[(parcela_principal * 3) % GRADIENT.length] ?? 0) / 2)
    return mean * (1 + deviation / 1000)
  })
  const valores = places.map(({ tratamento }, at) => {
    const own = raw.filter((_, other) => places[other]?.tratamento === tratamento)
    const off =
      own.reduce((sum, value) => sum + value, 0) / own.length -
      (tratamentos[tratamento - 1]?.produtividade ?? 0)
    return Math.round(((raw[at] ?? 0) - off) * 10) / 10
  })
  // What rounding left over goes to each treatment's last plot.
  tratamentos.forEach(({ produtividade }, t) => {
    const own = places.flatMap(({ tratamento }, at) => (tratamento === t + 1 ? [at] : []))
    const last = own.at(-1)
    if (last === undefined) return
    const others = own.slice(0, -1).reduce((sum, at) => sum + (valores[at] ?? 0), 0)
    valores[last] = Math.round((produtividade * own.length - others) * 1000) / 1000
  })
  const crossed = design === 'PSUB' || design === 'FAIXAS'
  return {
    versao: 1,
    delineamento: design,
    testemunha: 1,
    fatores: crossed
      ? [
          { chave: 'A', nome: 'Adubação', tipo: 'qualitativo', unidade: '' },
          { chave: 'B', nome: 'Foliar', tipo: 'qualitativo', unidade: '' },
        ]
      : [],
    tratamentos: tratamentos.map((_, at) => ({
      numero: at + 1,
      nome: null,
      niveis: crossed ? { A: at < 2 ? 'Padrão' : 'Reforçada', B: at % 2 === 0 ? 'sem' : 'com' } : null,
    })),
    variaveis: [
      {
        chave: 'produtividade',
        nome: 'Produtividade',
        unidade: 'kg/ha',
        tipo: 'continua',
        papel: 'resposta',
        maior_melhor: true,
        produtividade: true,
        escala: null,
        formula: null,
      },
    ],
    avaliacoes: [],
    parcelas: places.map((place, at) => ({
      numero: (place.bloco ?? place.linha ?? 1) * 100 + (at % 100) + 1,
      bloco: null,
      linha: null,
      coluna: null,
      parcela_principal: null,
      area_m2: null,
      observacao: null,
      ...place,
    })),
    valores: [{ variavel: 'produtividade', avaliacao: null, valores }],
    exclusoes: [],
    semente: null,
    croqui: null,
    alterada_em: '2025-06-15T12:00:00.000Z',
    alterada_por: null,
  }
}
