// Fits src/data/calibration.json: how often a value of each kind is right, by the strength of its reading.
// Usage: fit-calibration.ts MEASURED.json, written by the benchmark (--json --raw) on the calibration split.
import { readFileSync, writeFileSync } from 'node:fs'

interface Observation {
  path: string
  confidence: number
  right: boolean
}

/** Reports unlike ours fail more often than ours: so many wrong ones are taken to be among them. */
const DOUBT = { weight: 10, rate: 0.85 }
const CEILING = 0.99

const KINDS: Readonly<Record<string, string>> = {
  nome: 'nome',
  modalidade: 'modalidade',
  produtividade: 'produtividade',
  custo: 'custo',
  dose: 'dose',
  valor: 'analise',
}

function kindOf(path: string): string {
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

const measured: { confidences: Observation[] }[] = JSON.parse(
  readFileSync(process.argv[2] ?? 'measured.json', 'utf8'),
)
const byKind = new Map<string, { x: number; y: number }[]>()
for (const { confidences } of measured)
  for (const { path, confidence, right } of confidences) {
    const kind = kindOf(path)
    const list = byKind.get(kind) ?? []
    list.push({ x: confidence, y: right ? 1 : 0 })
    byKind.set(kind, list)
  }
const curves: Record<string, [number, number][]> = {}
for (const [kind, points] of [...byKind].sort(([a], [b]) => a.localeCompare(b))) {
  curves[kind] = isotonic(points).map(({ x, y, n }) => {
    const doubted = (y * n + DOUBT.rate * DOUBT.weight) / (n + DOUBT.weight)
    return [Number(x.toFixed(3)), Number(Math.min(CEILING, doubted).toFixed(3))]
  })
  let highest = 0
  for (const point of curves[kind] ?? []) {
    highest = Math.max(highest, point[1])
    point[1] = highest
  }
}
writeFileSync(new URL('../src/data/calibration.json', import.meta.url), `${JSON.stringify(curves)}\n`)
