/**
 * Is an answer what a case expects? Lists are matched by their key; tolerances are those of the specification of the
 * analysis (acceptance). An expected null or missing value only asks that no scalar stands there.
 */
const KEYS = [
  'ordem',
  'fonte',
  'chave',
  'efeito',
  'nivel',
  'modelo',
  'termo',
  'ambiente',
  'grupo',
  'r',
  'a',
  'primeiro',
  'de',
]
const OTHER: Record<string, string> = { a: 'b', primeiro: 'ultimo', efeito: 'dentro', de: 'para' }

/** Path pattern, relative and absolute tolerance; the first that fits. */
const RULES: [RegExp, number, number][] = [
  [/\/box_cox\//, 1e-5, 1e-5],
  [/\/modelos\/(linear|quadratico)_plato\//, 1e-5, 1e-9],
  [/\/(maximo|economica)\//, 1e-8, 1e-9],
  [/\/shapiro\/p$/, 1e-6, 1e-10],
  [/\/shapiro\/w$/, 1e-8, 0],
  [
    /\/(p_tukey|p_snk|p_duncan|p_ajustado|q_tukey|dms_tukey|ic_tukey_\w+)$|\/(duncan|snk)\/\d+$|\/welch\/pares\//,
    1e-7,
    1e-10,
  ],
  [/\/(metarregressao|subgrupos)\//, 1e-5, 1e-9],
  [/\/sintese\//, 1e-6, 1e-10],
  [/\/prob_ganho_positivo_faixa$/, 0, 1e-6],
  [/\/p$|\/p_\w+$|\/prob_\w+$/, 1e-8, 1e-14],
]

interface Context {
  dunnettExact: boolean
}

type Item = Record<string, unknown>

/** Differences as sentences; empty = right. `scale` is the size of the response, for values that should be near zero. */
export function compare(
  expected: unknown,
  actual: unknown,
  { scale = 1, reml = false }: { scale?: number; reml?: boolean } = {},
): string[] {
  const found: string[] = []
  walk(expected, actual, '', { dunnettExact: true })
  return found

  function tolerance(path: string, context: Context): [number, number] {
    if (/\/dunnett\//.test(path)) {
      if (context.dunnettExact) return [1e-6, 1e-9]
      return /\/p$/.test(path) ? [0, 1e-3] : [1e-9, 1e-9 * scale]
    }
    if (reml) {
      if (/\/gl(_den)?$/.test(path)) return [1e-2, 0]
      return /\/p$/.test(path) ? [3e-2, 1e-8] : [1e-4, 1e-6 * scale]
    }
    const rule = RULES.find(([pattern]) => pattern.test(path))
    return rule ? [rule[1], rule[2]] : [1e-9, 1e-9 * scale]
  }

  function walk(e: unknown, a: unknown, path: string, context: Context): void {
    if (e === null || e === undefined) {
      if (a !== null && a !== undefined && typeof a !== 'object') {
        found.push(`${path}: expected nothing, got ${String(a)}`)
      }
      return
    }
    if (typeof e === 'number') {
      const value = Array.isArray(a) && a.length === 1 ? a[0] : a
      if (typeof value !== 'number') {
        found.push(`${path}: expected ${e}, got ${String(JSON.stringify(value)).slice(0, 80)}`)
        return
      }
      const [relative, absolute] = tolerance(path, context)
      if (!(Math.abs(value - e) <= Math.max(relative * Math.abs(e), absolute))) {
        found.push(`${path}: expected ${e}, got ${value}`)
      }
      return
    }
    if (typeof e !== 'object') {
      if (a !== e) found.push(`${path}: expected ${String(e)}, got ${String(JSON.stringify(a)).slice(0, 80)}`)
      return
    }
    if (a === null || a === undefined || typeof a !== 'object') {
      found.push(`${path}: missing`)
      return
    }
    if (Array.isArray(e)) list(e, a, path, context)
    else {
      const item = e as Item
      const inner = 'exato' in item ? { dunnettExact: item.exato === true } : context
      for (const key of Object.keys(item)) walk(item[key], (a as Item)[key], `${path}/${key}`, inner)
    }
  }

  function list(e: unknown[], a: unknown, path: string, context: Context): void {
    if (!Array.isArray(a)) {
      found.push(`${path}: expected a list`)
      return
    }
    const first = e[0]
    if (first === null || typeof first !== 'object' || Array.isArray(first)) {
      if (a.length !== e.length) found.push(`${path}: ${a.length} values instead of ${e.length}`)
      const sort = typeof first === 'string'
      const left = sort ? [...e].sort() : e
      const right = sort ? [...a].sort() : a
      left.forEach((value, i) => {
        walk(value, right[i], `${path}/${i}`, context)
      })
      return
    }
    const key = KEYS.find((name) => name in first) ?? ''
    const other = OTHER[key]
    const same = (x: Item, y: Item): boolean =>
      String(x[key]) === String(y[key]) &&
      (!other || JSON.stringify(x[other] ?? null) === JSON.stringify(y[other] ?? null))
    for (const item of e as Item[]) {
      const label = `${path}/${String(item[key])}${other && item[other] ? `~${JSON.stringify(item[other])}` : ''}`
      let twin = (a as Item[]).find((candidate) => same(item, candidate))
      if (!twin && key === 'a') {
        const mirrored = (a as Item[]).find((candidate) => candidate.a === item.b && candidate.b === item.a)
        if (mirrored) twin = swapped(mirrored)
      }
      if (twin) walk(item, twin, label, context)
      else found.push(`${label}: missing`)
    }
  }
}

function swapped(pair: Item): Item {
  return {
    ...pair,
    a: pair.b,
    b: pair.a,
    diferenca: negative(pair.diferenca),
    t: negative(pair.t),
    z: negative(pair.z),
    ic_tukey_baixo: negative(pair.ic_tukey_alto),
    ic_tukey_alto: negative(pair.ic_tukey_baixo),
  }
}

function negative(value: unknown): unknown {
  return typeof value === 'number' ? -value : value
}
