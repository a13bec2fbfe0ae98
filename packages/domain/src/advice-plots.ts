import { type AdviceRule, type AdviceSheet, atCell, type Finding, finding } from './advice-facts.ts'
import { type ModelRow, type PlotModel, type TypedColumn, typedColumns } from './advice-model.ts'
import { ADVICE_LIMITS } from './advice-table.ts'
import { formatNumber, unitBehind } from './format.ts'
import { plotNumber } from './trial-values.ts'
import { holdsText } from './trial-variable.ts'

/** Told of one column, the most striking first. */
const MOST_TOLD = 20

const named = ({
  variable,
  sheet,
  avaliacao,
}: Pick<TypedColumn, 'variable' | 'sheet' | 'avaliacao'>): string => {
  const date = sheet.avaliacoes.find(({ chave }) => chave === avaliacao)?.nome
  return date ? `${variable.nome} (${date})` : variable.nome
}
const withUnit = ({ variable }: TypedColumn, value: number) =>
  `${formatNumber(value)}${unitBehind(variable.unidade)}`

/** `variavel.faixa`: outside what was expected of the variable. */
export const expectedRange: AdviceRule = (facts) =>
  typedColumns(facts.ficha).flatMap((column) => {
    const { esperado_min: least = null, esperado_max: most = null, chave } = column.variable
    if (least === null && most === null) return []
    return column.values
      .flatMap((value, at) => {
        const plot = column.sheet.parcelas[at]
        if (!plot || value === null) return []
        if ((least === null || value >= least) && (most === null || value <= most)) return []
        const range = [
          ...(least === null ? [] : [`de ${formatNumber(least)}`]),
          ...(most === null ? [] : [`até ${formatNumber(most)}`]),
        ].join(' ')
        return [
          finding('variavel.faixa', {
            peso: 'conferir',
            onde: atCell(plot.numero, chave, column.avaliacao),
            texto: `Parcela ${plot.numero}, ${named(column)}: ${withUnit(column, value)} está fora do esperado para esta variável (${range}).`,
            valor: [value, least, most],
          }),
        ]
      })
      .slice(0, MOST_TOLD)
  })

/** `parcela.discrepante`: far from what its treatment and block tell; to check, never removed. */
export const outlyingPlots: AdviceRule = (facts) =>
  typedColumns(facts.ficha).flatMap((column) => {
    const model = column.model()
    const found = model ? farFromModel(model, column.sheet) : farFromQuartiles(column)
    return found.slice(0, MOST_TOLD).map(({ row, why }) =>
      finding('parcela.discrepante', {
        peso: 'conferir',
        onde: atCell(row.numero, column.variable.chave, column.avaliacao),
        texto: `Parcela ${row.numero}, ${named(column)}: ${withUnit(column, row.y)} está ${why}. Confira a anotação; o valor continua na análise.`,
        valor: [row.y],
      }),
    )
  })

type Far = { row: Pick<ModelRow, 'numero' | 'y'>; why: string; size: number }
const bySize = (a: Far, b: Far) => b.size - a.size

/** What the model of each design knows of a plot. */
const EXPECTED_BY: Partial<Record<AdviceSheet['delineamento'], string>> = {
  DIC: 'o tratamento faz',
  DQL: 'o tratamento, a linha e a coluna fazem',
}

function farFromModel({ rows, desvio }: PlotModel, { delineamento }: AdviceSheet): Far[] {
  const by = EXPECTED_BY[delineamento] ?? 'o tratamento e o bloco fazem'
  return rows
    .flatMap((row): Far[] => {
      const size = Math.abs(row.residuo) / desvio
      if (!(size > ADVICE_LIMITS.discrepante.desvios)) return []
      const why = `a ${formatNumber(size, 1)} desvios do que ${by} esperar`
      return [{ row, size, why }]
    })
    .sort(bySize)
}

function farFromQuartiles({ sheet, values }: TypedColumn): Far[] {
  const { delineamento } = sheet
  if (delineamento !== 'PSUB' && delineamento !== 'FAIXAS') return []
  const byTreatment = new Map<number, { numero: number; y: number }[]>()
  values.forEach((y, at) => {
    const plot = sheet.parcelas[at]
    if (!plot || y === null) return
    byTreatment.set(plot.tratamento, [
      ...(byTreatment.get(plot.tratamento) ?? []),
      { numero: plot.numero, y },
    ])
  })
  const { quartis, repeticoes } = ADVICE_LIMITS.discrepante
  return [...byTreatment.values()]
    .filter((plots) => plots.length >= repeticoes)
    .flatMap((plots) => {
      const sorted = plots.map(({ y }) => y).sort((a, b) => a - b)
      const [low, high] = [quantile(sorted, 0.25), quantile(sorted, 0.75)]
      const range = high - low
      if (!(range > 0)) return []
      return plots.flatMap((row) => {
        const size = Math.max(low - row.y, row.y - high) / range
        const why = `a ${formatNumber(size, 1)} amplitudes interquartis das outras parcelas do tratamento`
        return size > quartis ? [{ row, size, why }] : []
      })
    })
    .sort(bySize)
}

/** As Hyndman and Fan number 7. */
function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share
  const below = sorted[Math.floor(place)] ?? 0
  return below + (place - Math.floor(place)) * ((sorted[Math.ceil(place)] ?? below) - below)
}

/** `parcela.vizinha`: two neighbours whose values look exchanged. */
export const exchangedPlots: AdviceRule = (facts) =>
  typedColumns(facts.ficha).flatMap((column) => {
    const model = column.model()
    if (!model) return []
    const best = bestExchange(column.sheet, model)
    if (!best) return []
    const [a, b] = best
    return [
      finding('parcela.vizinha', {
        peso: 'conferir',
        onde: atCell(a.numero, column.variable.chave, column.avaliacao),
        texto: `Parcelas ${a.numero} e ${b.numero}, ${named(column)}: ${withUnit(column, a.y)} e ${withUnit(column, b.y)} parecem trocados entre si; trocados, o erro do ensaio cairia a menos da metade.`,
        valor: [b.numero, a.y, b.y],
      }),
    ]
  })

function bestExchange(
  sheet: AdviceSheet,
  { rows, sq, gl, desvio, hat }: PlotModel,
): [ModelRow, ModelRow] | null {
  if (gl < 4) return null
  let best: [ModelRow, ModelRow] | null = null
  let left = ADVICE_LIMITS.vizinha.resta * sq
  // Both have to be out of their place, and each on the other's side.
  const out = rows.map(({ residuo }) => Math.abs(residuo) >= desvio)
  for (const [i, j] of neighbours(sheet, rows, out)) {
    const [a, b] = [rows[i], rows[j]]
    if (!a || !b || a.tratamento === b.tratamento || a.residuo * b.residuo >= 0) continue
    const change = b.y - a.y
    const own = 2 - hat(i, i) - hat(j, j) + 2 * hat(i, j)
    const after = sq + 2 * change * (a.residuo - b.residuo) + change * change * own
    if (after < left) {
      best = [a, b]
      left = after
    }
  }
  return best
}

/** Pairs of the rows that count, side by side in the field; without a layout, of following numbers in a block. */
function neighbours(
  { parcelas }: AdviceSheet,
  rows: readonly ModelRow[],
  counts: readonly boolean[],
): [number, number][] {
  const placed = rows.every(({ at }) => parcelas[at]?.linha != null && parcelas[at]?.coluna != null)
  const plot = (at: number) => parcelas[rows[at]?.at ?? -1]
  if (!placed)
    return rows.slice(1).flatMap((_, at): [number, number][] => {
      if (!counts[at] || !counts[at + 1]) return []
      const [a, b] = [plot(at), plot(at + 1)]
      return a && b && a.bloco === b.bloco && Math.abs(a.numero - b.numero) === 1 ? [[at, at + 1]] : []
    })
  const counted = rows.flatMap((_, row) => (counts[row] ? [row] : []))
  const at = new Map(counted.map((row) => [`${plot(row)?.linha} ${plot(row)?.coluna}`, row]))
  return counted.flatMap((row): [number, number][] => {
    const { linha = 0, coluna = 0 } = plot(row) ?? {}
    return [`${linha} ${(coluna ?? 0) + 1}`, `${(linha ?? 0) + 1} ${coluna}`].flatMap(
      (key): [number, number][] => {
        const other = at.get(key)
        return other === undefined ? [] : [[row, other]]
      },
    )
  })
}

/** `parcela.digito`: a factor of ten, or two digits exchanged, and the right one would fit. */
export const slippedDigits: AdviceRule = (facts) =>
  typedColumns(facts.ficha).flatMap((column) => {
    const model = column.model()
    if (!model || model.gl < ADVICE_LIMITS.digito.gl) return []
    const { fora, dentro } = ADVICE_LIMITS.digito
    const raw = rawOf(column)
    return model.rows
      .flatMap((row, at) => {
        if (Array.isArray(raw?.[row.at])) return []
        // Without this plot: what the others expect of it, and their error.
        const free = 1 - model.hat(at, at)
        if (!(free > 0.05)) return []
        const away = row.residuo / free
        const error = Math.sqrt(
          Math.max(0, model.sq - (row.residuo * row.residuo) / free) / (model.gl - 1) / free,
        )
        const floor = Math.abs(row.y - away) * 1e-6
        const off = (value: number) => Math.abs(value - (row.y - away)) / Math.max(error, floor)
        if (off(row.y) <= fora) return []
        const meant = readings(row.y)
          .filter(({ value }) => off(value) < dentro)
          .sort((a, b) => off(a.value) - off(b.value))[0]
        if (!meant) return []
        return [
          finding('parcela.digito', {
            peso: 'conferir',
            onde: atCell(row.numero, column.variable.chave, column.avaliacao),
            texto: `Parcela ${row.numero}, ${named(column)}: ${withUnit(column, row.y)} não combina com as outras; ${withUnit(column, meant.value)} combinaria. ${meant.why}`,
            valor: [row.y],
          }),
        ]
      })
      .slice(0, MOST_TOLD)
  })

const rawOf = ({ sheet, variable, avaliacao }: TypedColumn) =>
  sheet.valores.find((one) => one.variavel === variable.chave && one.avaliacao === avaliacao)?.valores

/** What may have been meant by a number. */
function readings(value: number): { value: number; why: string }[] {
  const digits = String(value)
  const swapped = [...digits].flatMap((digit, at) => {
    const next = digits[at + 1]
    if (next === undefined || digit === next || !/\d/.test(digit) || !/\d/.test(next)) return []
    const other = Number(digits.slice(0, at) + next + digit + digits.slice(at + 2))
    return other === value ? [] : [{ value: other, why: 'Dois algarismos trocados?' }]
  })
  return [
    { value: value * 10, why: 'Falta um algarismo ou a vírgula está fora do lugar?' },
    { value: value / 10, why: 'Sobra um algarismo ou a vírgula está fora do lugar?' },
    ...swapped,
  ]
}

/** `valores.faltam`: empty cells of a variable that has been taken, and treatments that lost all. */
export const missingValues: AdviceRule = ({ ficha: sheet }) => {
  if (!sheet) return []
  return sheet.valores.flatMap((column): Finding[] => {
    const variable = sheet.variaveis.find(({ chave }) => chave === column.variavel)
    if (!variable || holdsText(variable)) return []
    const there = sheet.parcelas.map((_, at) => plotNumber(column.valores[at] ?? null) !== null)
    const filled = there.filter(Boolean).length
    if (filled === 0) return []
    const name = named({ sheet, variable, avaliacao: column.avaliacao })
    const share = 100 * (1 - filled / there.length)
    const { conferir, problema } = ADVICE_LIMITS.faltam
    const onde = atCell(null, column.variavel, column.avaliacao)
    const empty = [...new Set(sheet.parcelas.map(({ tratamento }) => tratamento))].filter((tratamento) =>
      sheet.parcelas.every((plot, at) => plot.tratamento !== tratamento || !there[at]),
    )
    if (empty.length > 0)
      return [
        finding('valores.faltam', {
          peso: 'problema',
          onde,
          texto: `${name}: ${empty.length === 1 ? 'o tratamento' : 'os tratamentos'} ${empty.map((one) => `T${one}`).join(', ')} não ${empty.length === 1 ? 'tem' : 'têm'} nenhum valor.`,
          valor: [empty, filled],
        }),
      ]
    if (!(share > conferir)) return []
    return [
      finding('valores.faltam', {
        peso: share > problema ? 'problema' : 'conferir',
        onde,
        texto: `${name}: faltam ${formatNumber(share, 1)} % dos valores (${there.length - filled} de ${there.length} parcelas).`,
        valor: [filled, there.length],
      }),
    ]
  })
}
