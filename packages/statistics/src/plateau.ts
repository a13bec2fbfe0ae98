import { minimiseFrom, root, spaced } from './numeric.ts'
import { regress, type WeightedMeans } from './polynomial.ts'
import type { DoseModel } from './result.ts'

/**
 * Plateau models by profile: for each x0 between the second dose and the last the model is linear,
 * y = a + b min(x, x0), or y = a + b (u - u^2/(2 x0)) with u = min(x, x0). The interval of x0 holds the x0 whose
 * weighted RSS exceeds the least one by no more than F(1, gl) QM; an end beyond the doses is null.
 */
export function plateauModel(
  data: WeightedMeans,
  modelo: 'linear_plato' | 'quadratico_plato',
  relacao: number | undefined,
): { model: Omit<DoseModel, 'r2' | 'falta_ajuste' | 'aicc'>; rss: number } {
  const low = data.x[0] as number
  const start = data.x[1] as number
  const high = data.x[data.x.length - 1] as number
  const ones = new Float64Array(data.x.length).fill(1)
  const shape = (x: number, x0: number): number => {
    const u = Math.min(x, x0)
    return modelo === 'linear_plato' || x0 === 0 ? u : u - (u * u) / (2 * x0)
  }
  const at = (x0: number) => regress(data, [ones, data.x.map((x) => shape(x, x0))])
  const loss = (x0: number): number => at(x0).rss
  const best = minimiseFrom(loss, grid(data.x, start, high))
  const x0 = best.x
  const [a0, b] = at(x0).coefficients as [number, number]
  const a = a0 + data.centre
  const limit = best.value + data.t * data.t * data.qm
  const over = (value: number): number => loss(value) - limit
  const edge = (value: number): boolean => Math.abs(x0 - value) < 1e-6 * (high - low)
  const plato = a + b * shape(x0, x0)
  const model: Omit<DoseModel, 'r2' | 'falta_ajuste' | 'aicc'> = {
    modelo,
    coef: modelo === 'linear_plato' ? { a, b } : { a, b, c: -b / (2 * x0) },
    x0,
    plato,
    x0_ic_baixo: over(start) > 0 ? crossing(over, x0, start) : null,
    x0_ic_alto: over(high) > 0 ? crossing(over, x0, high) : null,
    na_borda: edge(high) || edge(start),
  }
  if (relacao !== undefined) {
    const c = -b / (2 * x0)
    const wanted =
      modelo === 'linear_plato'
        ? b > relacao
          ? x0
          : low
        : b > 0
          ? Math.max(low, (relacao - b) / (2 * c))
          : low
    model.economica = {
      relacao,
      dose: wanted,
      resposta: a + b * shape(wanted, x0),
      ic_baixo: null,
      ic_alto: null,
    }
  }
  return { model, rss: best.value }
}

/** Points between the second dose and the last: fine enough within each gap, for the profile may have one dip a gap. */
function grid(x: Float64Array, start: number, high: number): number[] {
  const points: number[] = []
  for (let i = 1; i < x.length - 1; i++) {
    const part = spaced(x[i] as number, x[i + 1] as number, 25)
    points.push(...(i === 1 ? part : part.slice(1)))
  }
  return points.length > 0 ? points : [start, high]
}

/** Where the profile first passes the limit on the way from the best x0 to an end. */
function crossing(over: (x: number) => number, from: number, end: number): number | null {
  let inside = from
  for (const point of spaced(from, end, 60).slice(1)) {
    if (over(point) > 0) return root(over, Math.min(inside, point), Math.max(inside, point))
    inside = point
  }
  return null
}
