/**
 * What a treatment pays, per hectare. Small on purpose: it is loaded by the browser with the distributions alone.
 * Symbols: Y adjusted mean (kg/ha), Δ its difference from the control, w kg per trading unit, P price (R$/unit),
 * C cost beyond the control's (R$/ha), SE and gl of Δ. Gain GL = Δ P/w - C is linear in P. Losses are shown.
 */
import { studentQuantile, studentUpper } from './distributions.ts'
import { type Dominance, dominance } from './frontier.ts'
import { type Proportion, wilson } from './proportion.ts'
import type { Absent } from './result.ts'

export { type Crossing, crossings, type Dominance, dominance, type MarginLine, ranking } from './frontier.ts'
export type { Proportion } from './proportion.ts'

export interface EconomicTreatment {
  nivel: string
  /** Adjusted mean, kg/ha. */
  media_kg_ha: number
  /** R$/ha; null: not said. */
  custo_rs_ha: number | null
  /** Standard error of the difference from the control, kg/ha, and its degrees of freedom; null: unknown. */
  ep_diferenca?: number | null
  gl?: number | null
}

export interface EconomicInput {
  /** In treatment order, the control among them. */
  tratamentos: readonly EconomicTreatment[]
  /** Level of the control. */
  testemunha: string
  /** R$ per trading unit; the likely one of a range. */
  preco: number
  kg_por_unidade: number
  preco_baixo?: number | null
  preco_alto?: number | null
  /** How much lower than in plots the yield of a field is, %; lowers the net benefit of the dominance only. */
  ajuste_percent?: number | null
  /** Least marginal rate of return that a step must give, %. */
  taxa_minima?: number | null
  alfa?: number
}

/** Fields of the control end at `margem_rs_ha`; null: it does not exist (no cost, C not above 0, Δ not above 0). */
export interface EconomicLine {
  nivel: string
  produtividade_kg_ha: number
  produtividade_un_ha: number
  receita_rs_ha: number
  custo_rs_ha: number | null
  margem_rs_ha: number | null
  incremento_kg_ha?: number
  incremento_un_ha?: number
  incremento_percent?: number | null
  receita_incremental_rs_ha?: number
  custo_incremental_rs_ha?: number | null
  ganho_liquido_rs_ha?: number | null
  ganho_liquido_un_ha?: number | null
  ganho_ic_baixo_rs_ha?: number | null
  ganho_ic_alto_rs_ha?: number | null
  roi_percent?: number | null
  beneficio_custo?: number | null
  ponto_equilibrio_un_ha?: number | null
  ponto_equilibrio_kg_ha?: number | null
  preco_equilibrio_rs_un?: number | null
  /** 0..1. */
  prob_ganho_positivo?: number | Absent
  /** Its mean over the triangular distribution of the price; only with a range. */
  prob_ganho_positivo_faixa?: number | Absent
}

export interface Economics {
  preco: number
  kg_por_unidade: number
  linhas: EconomicLine[]
  dominancia: Dominance | Absent
}

const NO_ERROR = 'sem erro experimental: não se sabe se a diferença é real'
const NO_COST = 'falta o custo do tratamento ou da Testemunha'

/** The uncertain gain: GL = (Δ - C w/P) P/w with the error of Δ. */
interface Gain {
  delta: number
  custo: number
  ep: number
  gl: number
  w: number
}

/**
 * Economics of each treatment against the control, with dominance among those whose cost is known.
 * @throws RangeError for a price, unit or range that is none, or a control that is not among the treatments
 */
export function economics(input: EconomicInput): Economics {
  const { preco, kg_por_unidade: w, alfa = 0.05 } = input
  const control = input.tratamentos.find((t) => t.nivel === input.testemunha)
  if (!control) throw new RangeError(`No control ${input.testemunha}`)
  if (!(preco > 0 && preco < Infinity && w > 0 && w < Infinity)) {
    throw new RangeError(`No such price: ${preco} per ${w} kg`)
  }
  const range = rangeOf(input)
  const linhas = input.tratamentos.map((t): EconomicLine => {
    const line = ownLine(t, preco, w)
    return t === control ? line : { ...line, ...against(t, control, { preco, w, alfa, range }) }
  })
  return { preco, kg_por_unidade: w, linhas, dominancia: dominanceOf(input, linhas) }
}

interface PriceRange {
  low: number
  high: number
}

function rangeOf({ preco, preco_baixo, preco_alto }: EconomicInput): PriceRange | null {
  if (typeof preco_baixo !== 'number' && typeof preco_alto !== 'number') return null
  const low = preco_baixo ?? preco
  const high = preco_alto ?? preco
  if (!(low > 0 && low <= preco && preco <= high && high < Infinity)) {
    throw new RangeError(`No such range of prices: ${low}, ${preco}, ${high}`)
  }
  return { low, high }
}

function ownLine(t: EconomicTreatment, preco: number, w: number): EconomicLine {
  const receita = (t.media_kg_ha / w) * preco
  return {
    nivel: t.nivel,
    produtividade_kg_ha: t.media_kg_ha,
    produtividade_un_ha: t.media_kg_ha / w,
    receita_rs_ha: receita,
    custo_rs_ha: t.custo_rs_ha,
    margem_rs_ha: t.custo_rs_ha === null ? null : receita - t.custo_rs_ha,
  }
}

function against(
  t: EconomicTreatment,
  control: EconomicTreatment,
  at: { preco: number; w: number; alfa: number; range: PriceRange | null },
): Partial<EconomicLine> {
  const { preco, w, alfa, range } = at
  const delta = t.media_kg_ha - control.media_kg_ha
  const units = delta / w
  const revenue = units * preco
  const line: Partial<EconomicLine> = {
    incremento_kg_ha: delta,
    incremento_un_ha: units,
    incremento_percent: control.media_kg_ha === 0 ? null : (100 * delta) / control.media_kg_ha,
    receita_incremental_rs_ha: revenue,
  }
  if (t.custo_rs_ha === null || control.custo_rs_ha === null) {
    const nothing = { motivo: NO_COST }
    return {
      ...line,
      ...{ custo_incremental_rs_ha: null, ganho_liquido_rs_ha: null, ganho_liquido_un_ha: null },
      ...{ ganho_ic_baixo_rs_ha: null, ganho_ic_alto_rs_ha: null, roi_percent: null, beneficio_custo: null },
      ...{ ponto_equilibrio_un_ha: null, ponto_equilibrio_kg_ha: null, preco_equilibrio_rs_un: null },
      prob_ganho_positivo: nothing,
      ...(range ? { prob_ganho_positivo_faixa: nothing } : {}),
    }
  }
  const custo = t.custo_rs_ha - control.custo_rs_ha
  const gain = revenue - custo
  const ep = t.ep_diferenca ?? 0
  const gl = t.gl ?? 0
  const known = ep > 0 && ep < Infinity && gl > 0
  const half = known ? (studentQuantile(1 - alfa / 2, gl) * ep * preco) / w : 0
  const uncertain: Gain = { delta, custo, ep, gl, w }
  return {
    ...line,
    custo_incremental_rs_ha: custo,
    ganho_liquido_rs_ha: gain,
    ganho_liquido_un_ha: gain / preco,
    ganho_ic_baixo_rs_ha: known ? gain - half : null,
    ganho_ic_alto_rs_ha: known ? gain + half : null,
    roi_percent: custo > 0 ? (100 * gain) / custo : null,
    beneficio_custo: custo > 0 ? revenue / custo : null,
    ponto_equilibrio_un_ha: custo / preco,
    ponto_equilibrio_kg_ha: (custo * w) / preco,
    preco_equilibrio_rs_un: delta > 0 ? custo / units : null,
    prob_ganho_positivo: known ? payingProbability(uncertain, preco) : { motivo: NO_ERROR },
    ...(range
      ? {
          prob_ganho_positivo_faixa: known
            ? meanProbability(uncertain, range.low, preco, range.high)
            : { motivo: NO_ERROR },
        }
      : {}),
  }
}

/** P(gain > 0) = T_gl(GL / (SE P/w)). */
function payingProbability({ delta, custo, ep, gl, w }: Gain, price: number): number {
  return studentUpper(-(delta - (custo * w) / price) / ep, gl)
}

// Abscissas and weights of Gauss and Legendre with eight points, one half of them.
const NODES = [0.1834346424956498, 0.525532409916329, 0.7966664774136267, 0.9602898564975363]
const WEIGHTS = [0.362683783378362, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763]

/**
 * Mean of the probability over a triangular price. The probability turns where Δ = C w/P within some SE, so that the
 * range is cut where its t is 0, ±1, ±2, ±4, ±8…, at the likely price and at each doubling; Gauss-Legendre in between. Error < 1e-7.
 */
function meanProbability(gain: Gain, low: number, likely: number, high: number): number {
  if (low === high) return payingProbability(gain, likely)
  const { delta, custo, ep, w } = gain
  const cuts = [low, likely, high]
  const cut = (price: number): void => {
    if (price > low && price < high) cuts.push(price)
  }
  for (let price = 2 * low; price < high; price *= 2) cut(price)
  if (custo !== 0) {
    const at = (t: number): number => (custo * w) / (delta - t * ep)
    cut(at(0))
    for (let t = 1; t <= 65536; t *= 2) {
      cut(at(t))
      cut(at(-t))
    }
  }
  cuts.sort((a, b) => a - b)
  const density = (price: number): number =>
    price < likely
      ? (2 * (price - low)) / ((high - low) * (likely - low))
      : price > likely
        ? (2 * (high - price)) / ((high - low) * (high - likely))
        : 2 / (high - low)
  let sum = 0
  for (let i = 1; i < cuts.length; i++) {
    const from = cuts[i - 1] as number
    const half = ((cuts[i] as number) - from) / 2
    if (!(half > 0)) continue
    for (let n = 0; n < NODES.length; n++) {
      const step = half * (NODES[n] as number)
      const middle = from + half
      const value = (price: number): number => density(price) * payingProbability(gain, price)
      sum += half * (WEIGHTS[n] as number) * (value(middle - step) + value(middle + step))
    }
  }
  return Math.min(1, Math.max(0, sum))
}

function dominanceOf(input: EconomicInput, lines: readonly EconomicLine[]): Dominance | Absent {
  const kept = 1 - (input.ajuste_percent ?? 0) / 100
  const options = lines.flatMap(({ nivel, custo_rs_ha, receita_rs_ha }) =>
    custo_rs_ha === null
      ? []
      : [{ nivel, custo_rs_ha, beneficio_liquido_rs_ha: receita_rs_ha * kept - custo_rs_ha }],
  )
  if (options.length < 2) return { motivo: 'é preciso o custo de pelo menos dois tratamentos' }
  return dominance(options, input.taxa_minima ?? 100)
}

/** Gain at prices and yields around the present ones. */
export interface GainGrid {
  /** Changes in %, of price (columns) and of yield (rows). */
  precos_percent: number[]
  rendimentos_percent: number[]
  /** R$/ha, by rows. */
  ganhos_rs_ha: number[][]
  /** Share of the cells with gain above 0, 0..1. */
  paga: number
}

/**
 * Gain Δ(1 + y) P(1 + p)/w - C for changes y of the yield of treatment and control alike, and p of the price.
 * @param units Δ/w, trading units per ha
 */
export function gainGrid(
  { unidades_ha, custo_rs_ha, preco }: { unidades_ha: number; custo_rs_ha: number; preco: number },
  span = 20,
  step = 5,
): GainGrid {
  const count = Math.floor(span / step + 1e-9)
  const changes = Array.from({ length: 2 * count + 1 }, (_, i) => (i - count) * step)
  const ganhos_rs_ha = changes.map((y) =>
    changes.map((p) => unidades_ha * (1 + y / 100) * preco * (1 + p / 100) - custo_rs_ha),
  )
  const cells = ganhos_rs_ha.flat()
  return {
    precos_percent: changes,
    rendimentos_percent: [...changes],
    ganhos_rs_ha,
    paga: cells.filter((gain) => gain > 0).length / cells.length,
  }
}

export interface EconomicTotals {
  n: number
  ganho_total_rs_ha: number
  custo_total_rs_ha: number
  /** 100 x total gain / total cost, %; never a mean of ROIs. Null without a cost above 0. */
  roi_percent: number | null
  ganho_mediano_rs_ha: number
  /** Trials whose gain is above 0, with Wilson's interval. */
  positivos: Proportion
}

/** Gains and costs (beyond the control's, R$/ha) of many trials in one figure; null without a trial. */
export function economicTotals(
  trials: readonly { ganho_rs_ha: number; custo_rs_ha: number }[],
  alfa = 0.05,
): EconomicTotals | null {
  const n = trials.length
  if (n === 0) return null
  const gains = trials.map((t) => t.ganho_rs_ha).sort((a, b) => a - b)
  const total = gains.reduce((sum, gain) => sum + gain, 0)
  const cost = trials.reduce((sum, t) => sum + t.custo_rs_ha, 0)
  const middle = n >> 1
  const upper = gains[middle] as number
  return {
    n,
    ganho_total_rs_ha: total,
    custo_total_rs_ha: cost,
    roi_percent: cost > 0 ? (100 * total) / cost : null,
    ganho_mediano_rs_ha: n % 2 === 1 ? upper : ((gains[middle - 1] as number) + upper) / 2,
    positivos: wilson(gains.filter((gain) => gain > 0).length, n, alfa),
  }
}
