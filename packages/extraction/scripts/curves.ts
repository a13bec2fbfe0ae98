/** A value as it was read: how strong its reading was, and whether it was right. */
export interface Observation {
  path: string
  strength: number
  /** Whether it was right; of a document, the share that was. */
  right: boolean | number
}
type Curves = Record<string, [strength: number, probability: number][]>

/** Reports unlike ours fail more often than ours: so many wrong ones are taken to be among them. */
const DOUBT = { weight: 10, rate: 0.85 }
const NO_DOUBT = { weight: 0, rate: 0 }
const CEILING = 0.99

const KINDS: Readonly<Record<string, string>> = {
  nome: 'nome',
  modalidade: 'modalidade',
  produtividade: 'produtividade',
  custo: 'custo',
  dose: 'dose',
  valor: 'analise',
}

export function kindOf(path: string): string {
  if (!path.includes('.')) return path
  const last = path.slice(path.lastIndexOf('.') + 1)
  if (path.includes('produtos_aplicados'))
    return last === 'nome' ? 'produto' : last === 'custo' ? 'custo_produto' : 'dose'
  return KINDS[last] ?? last
}

/** Pool adjacent violators: the non-decreasing step function closest to the observations. */
function isotonic(points: readonly { x: number; y: number }[]): { x: number; y: number; n: number }[] {
  const blocks: { x: number; y: number; n: number }[] = []
  for (const point of [...points].sort((a, b) => a.x - b.x)) {
    blocks.push({ x: point.x, y: point.y, n: 1 })
    for (;;) {
      const last = blocks.at(-1)
      const before = blocks.at(-2)
      if (!last || !before || before.y < last.y) break
      const n = before.n + last.n
      blocks.splice(-2, 2, {
        x: (before.x * before.n + last.x * last.n) / n,
        y: (before.y * before.n + last.y * last.n) / n,
        n,
      })
    }
  }
  return blocks
}

/** How often a value of each kind is right, by the strength of its reading. */
export function fitCurves(values: readonly Observation[]): Curves {
  const byKind = Map.groupBy(values, ({ path }) => kindOf(path))
  const curves: Curves = {}
  for (const [kind, own] of [...byKind].sort(([a], [b]) => a.localeCompare(b))) {
    let highest = 0
    curves[kind] = isotonic(own.map(({ strength, right }) => ({ x: strength, y: Number(right) }))).map(
      ({ x, y, n }) => {
        const { weight, rate } = kind === 'documento' ? NO_DOUBT : DOUBT
        const doubted = (y * n + rate * weight) / (n + weight)
        highest = Math.max(highest, Number(Math.min(CEILING, doubted).toFixed(3)))
        return [Number(x.toFixed(3)), highest]
      },
    )
  }
  return curves
}
