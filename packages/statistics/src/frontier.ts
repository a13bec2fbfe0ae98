/**
 * Which treatment pays best: by price (margins are linear in it) and by cost (dominance, marginal rate of return).
 * Prices are R$ per trading unit, costs and benefits R$/ha, yields trading units per ha.
 */

/** A treatment as a line over the price: margin = yield x price - cost. */
export interface MarginLine {
  nivel: string
  /** Yield (or gain over the control), trading units per ha. */
  unidades_ha: number
  /** Cost (or cost beyond the control's), R$/ha. */
  custo_rs_ha: number
}

export interface Crossing {
  /** R$ per unit at which both are worth the same. */
  preco: number
  /** Best below this price. */
  de: string
  /** Best above it. */
  para: string
}

/** Margin at a price, R$/ha. */
function margin(line: MarginLine, price: number): number {
  return line.unidades_ha * price - line.custo_rs_ha
}

/** Lines with their margin at `price`, the best first; equal ones in their own order. */
export function ranking(
  lines: readonly MarginLine[],
  price: number,
): { nivel: string; margem_rs_ha: number }[] {
  return lines
    .map((line) => ({ nivel: line.nivel, margem_rs_ha: margin(line, price) }))
    .sort((a, b) => b.margem_rs_ha - a.margem_rs_ha)
}

/**
 * The exact prices, rising, at which the best line changes: corners (c_j - c_i) / (y_j - y_i) of the upper envelope
 * between `low` and `high`. At a corner the line with the larger yield takes over. Of identical lines the first counts.
 */
export function crossings(lines: readonly MarginLine[], low = 0, high = Infinity): Crossing[] {
  const found: Crossing[] = []
  let best: MarginLine | undefined
  for (const line of lines) {
    const ahead = best ? margin(line, low) - margin(best, low) : 1
    if (!best || ahead > 0 || (ahead === 0 && line.unidades_ha > best.unidades_ha)) best = line
  }
  while (best) {
    const from: MarginLine = best
    let next: MarginLine | undefined
    let at = high
    for (const line of lines) {
      const more = line.unidades_ha - from.unidades_ha
      if (!(more > 0)) continue
      const price = (line.custo_rs_ha - from.custo_rs_ha) / more
      if (price < at || (next && price === at && line.unidades_ha > next.unidades_ha)) {
        next = line
        at = price
      }
    }
    if (next) found.push({ preco: Math.max(at, low), de: from.nivel, para: next.nivel })
    best = next
  }
  return found
}

export interface Option {
  nivel: string
  custo_rs_ha: number
  /** Net benefit, R$/ha. */
  beneficio_liquido_rs_ha: number
}

export interface Dominance {
  dominados: string[]
  /** Between neighbours of the frontier, by rising cost; %. */
  tmr: { de: string; para: string; percentual: number }[]
  recomendado: string | null
  /** By rising cost, to be drawn. */
  curva: (Option & { dominado: boolean })[]
}

/**
 * Dominance and marginal rate of return (CIMMYT 1988): by rising cost, an option whose net benefit is not above that of
 * a cheaper (or equally dear) one is dominated; TMR = 100 x difference in benefit / difference in cost between neighbours
 * of the rest. Recommended is the last step whose rate over the last accepted one reaches `minimum` (%).
 */
export function dominance(options: readonly Option[], minimum = 100): Dominance {
  const order = options
    .map((option, i) => ({ option, i }))
    .sort(
      (a, b) =>
        a.option.custo_rs_ha - b.option.custo_rs_ha ||
        b.option.beneficio_liquido_rs_ha - a.option.beneficio_liquido_rs_ha ||
        a.i - b.i,
    )
    .map(({ option }) => option)
  let most = -Infinity
  const curva = order.map((option) => {
    const dominado = option.beneficio_liquido_rs_ha <= most
    if (!dominado) most = option.beneficio_liquido_rs_ha
    return { ...option, dominado }
  })
  const frontier = curva.filter((option) => !option.dominado)
  const rate = (a: Option, b: Option): number =>
    (100 * (b.beneficio_liquido_rs_ha - a.beneficio_liquido_rs_ha)) / (b.custo_rs_ha - a.custo_rs_ha)
  const tmr: Dominance['tmr'] = []
  let accepted: Option | undefined
  let before: Option | undefined
  for (const option of frontier) {
    if (before) tmr.push({ de: before.nivel, para: option.nivel, percentual: rate(before, option) })
    if (!accepted || rate(accepted, option) >= minimum) accepted = option
    before = option
  }
  return {
    dominados: curva.filter((option) => option.dominado).map(({ nivel }) => nivel),
    tmr,
    recomendado: accepted?.nivel ?? null,
    curva: curva.map(({ nivel, custo_rs_ha, beneficio_liquido_rs_ha, dominado }) => ({
      nivel,
      custo_rs_ha,
      beneficio_liquido_rs_ha,
      dominado,
    })),
  }
}
