import type { TrialDesign } from './trial-sheet.ts'

/** What a layout is drawn for; PSUB and FAIXAS take `a` and `b` levels, the others a number of treatments. */
export interface LayoutRequest {
  delineamento: TrialDesign
  tratamentos: number
  repeticoes: number
  a: number
  b: number
  semente: number
  serpentina: boolean
}

/** mulberry32: a 32-bit seed to numbers in [0, 1). The drawing is fixed, so that anyone can repeat it. */
function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Fisher-Yates from the last place down. */
function shuffled<T>(items: readonly T[], next: () => number): T[] {
  const order = [...items]
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(next() * (last + 1))
    const held = order[last] as T
    order[last] = order[other] as T
    order[other] = held
  }
  return order
}

const upTo = (n: number) => Array.from({ length: n }, (_, at) => at + 1)

/**
 * Numbers of the treatments in field order, block after block (DQL: row after row; DIC: one run of all). In PSUB and
 * FAIXAS level i of A with level j of B is treatment (i - 1) b + j. Null: the design is not drawn here.
 */
export function drawOrder(of: Omit<LayoutRequest, 'serpentina'>): number[][] | null {
  const { delineamento, tratamentos, repeticoes, a, b } = of
  const next = generator(of.semente)
  const draw = (n: number) => shuffled(upTo(n), next)
  switch (delineamento) {
    case 'DIC':
      return [
        shuffled(
          upTo(tratamentos).flatMap((one) => Array<number>(repeticoes).fill(one)),
          next,
        ),
      ]
    case 'DBC':
      return upTo(repeticoes).map(() => draw(tratamentos))
    case 'DQL': {
      const [rows, columns, names] = [draw(tratamentos), draw(tratamentos), draw(tratamentos)]
      return rows.map((row) => columns.map((column) => names[(row + column - 2) % tratamentos] as number))
    }
    case 'PSUB':
      return upTo(repeticoes).map(() => draw(a).flatMap((i) => draw(b).map((j) => (i - 1) * b + j)))
    case 'FAIXAS':
      return upTo(repeticoes).map(() => {
        const [rows, columns] = [draw(a), draw(b)]
        return rows.flatMap((i) => columns.map((j) => (i - 1) * b + j))
      })
    default:
      return null
  }
}

export interface DrawnPlot {
  numero: number
  tratamento: number
  bloco: number | null
  linha: number
  coluna: number
  parcela_principal: number | null
}

/**
 * The plots of a drawn order: a block (or row) is a line of the field, numbered 101, 102, … from the left; a strip
 * plot is a rectangle of a rows by b columns in each block. Walked in serpentine, every second line runs back.
 */
export function drawnPlots(
  order: readonly (readonly number[])[],
  { delineamento, a, b, serpentina, tratamentos }: LayoutRequest,
): DrawnPlot[] {
  // A long run of a completely random trial is laid in lines of one repetition.
  const lines = delineamento === 'DIC' ? inLines(order[0] ?? [], tratamentos) : order
  const big = Math.max(...lines.map((line) => line.length)) > 99 ? 1000 : 100
  return lines.flatMap((line, block) =>
    line.map((tratamento, at) => {
      const strips = delineamento === 'FAIXAS'
      const back = serpentina && block % 2 === 1
      return {
        numero: (block + 1) * big + at + 1,
        tratamento,
        bloco: delineamento === 'DIC' || delineamento === 'DQL' ? null : block + 1,
        linha: strips ? block * a + Math.floor(at / b) + 1 : block + 1,
        coluna: strips ? (at % b) + 1 : back ? line.length - at : at + 1,
        parcela_principal: delineamento === 'PSUB' ? block * a + Math.floor(at / b) + 1 : null,
      }
    }),
  )
}

const inLines = (run: readonly number[], length: number): number[][] =>
  Array.from({ length: Math.ceil(run.length / length) }, (_, at) => run.slice(at * length, (at + 1) * length))

/** Plots as one walks them: by line and column where the layout is known, every second line back in serpentine. */
export function walkOrder(
  parcelas: readonly { linha: number | null; coluna: number | null }[],
  serpentine: boolean,
): number[] {
  const order = parcelas.map((_, at) => at)
  if (parcelas.some(({ linha, coluna }) => linha === null || coluna === null)) return order
  return order.sort((a, b) => {
    const [left, right] = [parcelas[a], parcelas[b]]
    if (!left || !right) return 0
    const line = (left.linha ?? 0) - (right.linha ?? 0)
    if (line !== 0) return line
    const back = serpentine && (left.linha ?? 0) % 2 === 0 ? -1 : 1
    return back * ((left.coluna ?? 0) - (right.coluna ?? 0))
  })
}
