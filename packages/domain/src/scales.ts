import type { TrialVariable } from './trial-variable.ts'

type Categories = NonNullable<TrialVariable['categorias']>

/** A scale that comes with the product: what its notes mean, and the diagram of each. */
export interface Scale {
  nome: string
  /** Of its notes where they are shares. */
  unidade: string
  categorias: Categories
}

const shares = (figure: string, notes: readonly (readonly [percent: number, word: string])[]): Categories =>
  notes.map(([valor, rotulo]) => ({ valor, rotulo, figura: `${figure}:${valor}` }))

export const SCALES: readonly Scale[] = [
  {
    nome: 'Notas de 1 a 9',
    unidade: '',
    categorias: [
      'Sem sintomas',
      'Traços',
      'Muito pouco',
      'Pouco',
      'Médio',
      'Acima do médio',
      'Muito',
      'Muito intenso',
      'Máximo',
    ].map((rotulo, at) => ({ valor: at + 1, rotulo, figura: `nivel:${at + 1}` })),
  },
  {
    nome: 'Severidade na folha',
    unidade: '%',
    categorias: shares('folha', [
      [0, 'Sem lesões'],
      [1, 'Traços'],
      [5, 'Poucas lesões'],
      [10, 'Um décimo da folha'],
      [25, 'Um quarto'],
      [50, 'Metade'],
      [75, 'Três quartos'],
      [100, 'Toda a folha'],
    ]),
  },
  {
    nome: 'Desfolha',
    unidade: '%',
    categorias: shares('desfolha', [
      [0, 'Folha inteira'],
      [5, 'Poucos furos'],
      [15, 'Até um sexto'],
      [30, 'Quase um terço'],
      [50, 'Metade'],
      [75, 'Três quartos'],
      [100, 'Sem folha'],
    ]),
  },
  {
    nome: 'Cobertura do solo',
    unidade: '%',
    categorias: shares('quadro', [
      [0, 'Solo nu'],
      [10, 'Plantas isoladas'],
      [25, 'Um quarto'],
      [50, 'Metade'],
      [75, 'Três quartos'],
      [90, 'Quase fechado'],
      [100, 'Fechado'],
    ]),
  },
]

/** Squares of a diagram in its width and height. */
export const DIAGRAM = { width: 60, height: 28 } as const
/** Of so many levels a bar is the highest. */
export const LEVELS_OF_BAR = 9

export type Diagram =
  | { kind: 'nivel'; level: number }
  | { kind: 'folha' | 'desfolha' | 'quadro'; percent: number }

/** 'folha:25'; null for what is drawn by nobody here. */
export function diagramOf(figura: string | null | undefined): Diagram | null {
  const [, kind, number] = /^(nivel|folha|desfolha|quadro):(\d{1,3})$/.exec(figura ?? '') ?? []
  const value = Number(number)
  if (kind === 'nivel') return value >= 1 && value <= LEVELS_OF_BAR ? { kind, level: value } : null
  if (kind !== 'folha' && kind !== 'desfolha' && kind !== 'quadro') return null
  return value <= 100 ? { kind, percent: value } : null
}

/** Where spots begin: as seeds stand in a sunflower, none beside another. */
const SPOTS = 14
const GOLDEN = Math.PI * (3 - Math.sqrt(5))

/** A leaf, pointed at both ends, or the whole of a square. */
function squaresOf(kind: 'folha' | 'quadro'): (readonly [x: number, y: number])[] {
  const { width, height } = DIAGRAM
  const squares: (readonly [number, number])[] = []
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const along = (2 * (x + 0.5)) / width - 1
      const across = (2 * (y + 0.5)) / height - 1
      if (kind === 'quadro' || Math.abs(across) <= 1 - along * along) squares.push([x, y])
    }
  return squares
}

/** The squares of a diagram's outline, and those of them that are covered: as large a share as it says. */
export function drawn({ kind, percent }: Exclude<Diagram, { kind: 'nivel' }>): {
  outline: readonly (readonly [x: number, y: number])[]
  covered: readonly (readonly [x: number, y: number])[]
} {
  const { width, height } = DIAGRAM
  const outline = squaresOf(kind === 'quadro' ? 'quadro' : 'folha')
  const spots = Array.from({ length: SPOTS }, (_, i) => {
    const far = Math.sqrt((i + 0.5) / SPOTS)
    const turn = i * GOLDEN
    return [
      width * (0.5 + 0.42 * far * Math.cos(turn)),
      height * (0.5 + 0.34 * far * Math.sin(turn)),
      // No two spots are as large.
      0.6 + 0.8 * (((i * 7) % SPOTS) / SPOTS),
    ] as const
  })
  const nearness = ([x, y]: readonly [number, number]): number =>
    Math.min(...spots.map(([sx, sy, size]) => ((x + 0.5 - sx) ** 2 + (y + 0.5 - sy) ** 2) / size))
  const inOrder = outline
    .map((square) => ({ square, near: nearness(square) }))
    .sort((a, b) => a.near - b.near || a.square[1] - b.square[1] || a.square[0] - b.square[0])
  const count = Math.round((percent / 100) * outline.length)
  return { outline, covered: inOrder.slice(0, count).map(({ square }) => square) }
}
