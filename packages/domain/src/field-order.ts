/** In which order plots are walked: every second file back, every file from the same side, or by number. */
export const WALK_MODES = {
  serpentina: 'Serpentina',
  fileira: 'Fileira por fileira',
  numero: 'Por número',
} as const
export type WalkMode = keyof typeof WALK_MODES

/** Where one begins, as the layout is drawn: line 1 above, column 1 on the left. */
export const WALK_CORNERS = {
  'cima-esquerda': 'Em cima, à esquerda',
  'cima-direita': 'Em cima, à direita',
  'baixo-esquerda': 'Embaixo, à esquerda',
  'baixo-direita': 'Embaixo, à direita',
} as const
export type WalkCorner = keyof typeof WALK_CORNERS

/** Along which lines of the layout one goes. */
export const WALK_DIRECTIONS = { linhas: 'Ao longo das linhas', colunas: 'Ao longo das colunas' } as const
export type WalkDirection = keyof typeof WALK_DIRECTIONS

export interface Walk {
  modo: WalkMode
  canto: WalkCorner
  direcao: WalkDirection
}
export const FIRST_WALK: Walk = { modo: 'serpentina', canto: 'cima-esquerda', direcao: 'linhas' }

export interface WalkedPlot {
  numero: number
  linha: number | null
  coluna: number | null
}

/** Plots have a place in a layout; without one they are walked by their numbers. */
export const hasLayout = (plots: readonly WalkedPlot[]): boolean =>
  plots.length > 0 && plots.every(({ linha, coluna }) => linha !== null && coluna !== null)

/** The places of plots in their list, as they are walked. */
export function walkPlots(plots: readonly WalkedPlot[], { modo, canto, direcao }: Walk): number[] {
  const all = plots.map((_, at) => at)
  if (modo === 'numero' || !hasLayout(plots))
    return all.sort((a, b) => (plots[a]?.numero ?? 0) - (plots[b]?.numero ?? 0))
  const along = direcao === 'linhas'
  const [fromBelow, fromRight] = [canto.startsWith('baixo'), canto.endsWith('direita')]
  const [filesBack, placesBack] = along ? [fromBelow, fromRight] : [fromRight, fromBelow]
  const files = new Map<number, number[]>()
  for (const at of all) {
    const file = fileOf(plots[at], direcao)
    files.set(file, [...(files.get(file) ?? []), at])
  }
  const place = (at: number) => (along ? plots[at]?.coluna : plots[at]?.linha) ?? 0
  return [...files.keys()]
    .sort((a, b) => (filesBack ? b - a : a - b))
    .flatMap((file, n) => {
      const back = placesBack !== (modo === 'serpentina' && n % 2 === 1)
      return (files.get(file) ?? []).sort((a, b) => (back ? place(b) - place(a) : place(a) - place(b)))
    })
}

const fileOf = (plot: WalkedPlot | undefined, direcao: WalkDirection): number =>
  (direcao === 'linhas' ? plot?.linha : plot?.coluna) ?? 0

/** 'Vire: fileira 2' where the next plot stands in another file than the one before; counted as they are walked. */
export function turnAt(
  plots: readonly WalkedPlot[],
  order: readonly number[],
  at: number,
  walk: Walk,
): string | null {
  if (walk.modo === 'numero' || !hasLayout(plots) || at === 0) return null
  const files = order.slice(0, at + 1).map((index) => fileOf(plots[index], walk.direcao))
  if (files[at] === files[at - 1]) return null
  return `Vire: fileira ${new Set(files).size}`
}

/** All variables of a plot before the next plot, or one variable through all plots. */
export const WALK_STEPS = {
  parcela: 'Todas as variáveis de cada parcela',
  variavel: 'Uma variável em todas as parcelas',
} as const
export type WalkSteps = keyof typeof WALK_STEPS

export interface Step {
  /** In the list of plots. */
  plot: number
  /** In the list of the variables that are collected. */
  variable: number
}

/** Every entry that is to be made, in order. */
export function stepsOf(order: readonly number[], variables: number, steps: WalkSteps): Step[] {
  const upTo = Array.from({ length: variables }, (_, variable) => variable)
  return steps === 'parcela'
    ? order.flatMap((plot) => upTo.map((variable) => ({ plot, variable })))
    : upTo.flatMap((variable) => order.map((plot) => ({ plot, variable })))
}

/** The next step without an entry after one, from the beginning again behind the last; null where there is none. */
export function nextEmpty(
  steps: readonly Step[],
  from: number,
  filled: (step: Step) => boolean,
): number | null {
  for (let n = 1; n <= steps.length; n++) {
    const at = (from + n) % steps.length
    const step = steps[at]
    if (step && !filled(step)) return at
  }
  return null
}
