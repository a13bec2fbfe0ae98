import type { AnalysisOptions, FactorKey, Refusal, TrialInput } from './result.ts'
import { allowed, type Scale, scaleOf } from './transform.ts'

/** One treatment as the model sees it. */
export interface Cell {
  numero: number
  nivel: string
  /** Null: outside the factorial. */
  niveis: Partial<Record<FactorKey, string>> | null
}

/** Valid plots in an order of their own (so that the order of entry changes nothing), on both scales. */
export interface Prepared {
  trial: TrialInput
  alfa: number
  scale: Scale
  lambda: number | null
  cells: Cell[]
  /** Treatments left out of the tests and why, with their valid values. */
  fora: { cell: Cell; motivo: string; y: number[] }[]
  /** Index of the control among the cells, when it is analysed. */
  control: number | null
  factors: { chave: FactorKey; tipo: 'qualitativo' | 'quantitativo'; niveis: string[] }[]
  plots: {
    numero: number
    tratamento: number
    bloco: number
    linha: number
    coluna: number
    principal: number
  }[]
  cell: Int32Array
  /** Values on the original and on the analysed scale. */
  y: Float64Array
  z: Float64Array
  covariavel: Float64Array | null
  previa: (number | null)[] | null
  n: { parcelas: number; validas: number; perdidas: number; excluidas: number }
}

const DESIGN_NAME: Record<TrialInput['delineamento'], string> = {
  DIC: 'inteiramente casualizado',
  DBC: 'blocos casualizados',
  DBI: 'blocos incompletos',
  DQL: 'quadrado latino',
  PSUB: 'parcela subdividida',
  FAIXAS: 'faixas',
}

export function refuse(problema: Refusal['problema'], ...detalhes: string[]): Refusal {
  return { problema, detalhes }
}

export function layoutRefusal(trial: TrialInput, ...detalhes: string[]): Refusal {
  return { problema: 'analysis.layout', detalhes: [DESIGN_NAME[trial.delineamento], ...detalhes] }
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'problema' in value
}

/** Reads the sheet: valid plots, levels in the order of the treatments, the analysed scale. Errors: F.6 of the specification. */
export function prepare(trial: TrialInput, options: AnalysisOptions): Prepared | Refusal {
  const scale = scaleOf(options.transformacao ?? 'nenhuma', options.lambda ?? 1)
  const cells: Cell[] = trial.tratamentos.map((t) => ({
    numero: t.numero,
    nivel: t.codigo ?? `T${t.numero}`,
    niveis: t.niveis,
  }))
  const indexOf = new Map(cells.map((c, i) => [c.numero, i]))
  const layout = checkBlocks(trial)
  if (layout) return layout

  const valid: number[] = []
  const n = { parcelas: trial.parcelas.length, validas: 0, perdidas: 0, excluidas: 0 }
  trial.parcelas.forEach((plot, i) => {
    const value = trial.y[i]
    const covariable = trial.covariavel ? trial.covariavel[i] : 0
    if (plot.excluida) n.excluidas++
    else if (!isNumber(value) || !isNumber(covariable) || !indexOf.has(plot.tratamento)) n.perdidas++
    else valid.push(i)
  })
  n.validas = valid.length

  const values = new Map<number, number[]>()
  for (const i of valid) {
    const treatment = plotAt(trial, i).tratamento
    const list = values.get(treatment)
    if (list) list.push(trial.y[i] as number)
    else values.set(treatment, [trial.y[i] as number])
  }
  const left = leftOut(trial, options, cells, values)
  if (isRefusal(left)) return left
  const analysed = cells.filter((c) => !left.has(c.numero))
  const order = new Map(analysed.map((c, i) => [c.numero, i]))
  const rows = valid.filter((i) => order.has(plotAt(trial, i).tratamento))
  if (analysed.length < 2 || rows.length < 3) return refuse('analysis.too_few')
  const coded = code(trial, rows, order)

  const y = Float64Array.from(coded, ({ i }) => trial.y[i] as number)
  if (!allowed(scale, y)) return refuse('analysis.transform', scale.nome, scale.exige)
  const ignored = options.ignorar_fatores === true
  return {
    trial,
    alfa: options.alfa ?? 0.05,
    scale,
    lambda: scale.nome === 'boxcox' ? (options.lambda ?? 1) : null,
    cells: analysed,
    fora: cells
      .filter((c) => left.has(c.numero))
      .map((cell) => ({ cell, motivo: left.get(cell.numero) ?? '', y: values.get(cell.numero) ?? [] })),
    control: trial.testemunha === null ? null : (order.get(trial.testemunha) ?? null),
    factors: (ignored ? [] : trial.fatores).map((f) => ({ ...f, niveis: levelsOf(analysed, f.chave) })),
    plots: coded.map(({ plot }) => plot),
    cell: Int32Array.from(coded, ({ cell }) => cell),
    y,
    z: y.map((value) => scale.forward(value)),
    covariavel: trial.covariavel
      ? Float64Array.from(coded, ({ i }) => (trial.covariavel as (number | null)[])[i] as number)
      : null,
    previa: trial.previa ? coded.map(({ i }) => numberOrNull((trial.previa as (number | null)[])[i])) : null,
    n,
  }
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

function numberOrNull(value: number | null | undefined): number | null {
  return isNumber(value) ? value : null
}

function plotAt(trial: TrialInput, i: number): TrialInput['parcelas'][number] {
  return trial.parcelas[i] as TrialInput['parcelas'][number]
}

/** Levels in the order in which the treatments first name them. */
export function levelsOf(cells: readonly Cell[], chave: FactorKey): string[] {
  const levels = new Set<string>()
  for (const c of cells) {
    const level = c.niveis?.[chave]
    if (level !== undefined) levels.add(level)
  }
  return [...levels]
}

/** Blocks, rows and columns that the design needs must be there. */
function checkBlocks(trial: TrialInput): Refusal | null {
  const needs: ('bloco' | 'linha' | 'coluna')[] =
    trial.delineamento === 'DIC'
      ? []
      : trial.delineamento === 'DQL'
        ? ['linha', 'coluna']
        : trial.delineamento === 'PSUB' && trial.parcelas.every((p) => isNumber(p.parcela_principal))
          ? []
          : ['bloco']
  const missing: string[] = []
  for (const plot of trial.parcelas) {
    for (const name of needs) if (!isNumber(plot[name])) missing.push(`parcela ${plot.numero} sem ${name}`)
  }
  return missing.length > 0 ? layoutRefusal(trial, ...missing.slice(0, 5)) : null
}

/** Treatments left out by choice, or for want of values where factors are ignored; each with its reason. */
function leftOut(
  trial: TrialInput,
  options: AnalysisOptions,
  cells: readonly Cell[],
  values: ReadonlyMap<number, number[]>,
): Map<number, string> | Refusal {
  const out = new Map<number, string>()
  if (options.excluir_testemunha) {
    if (trial.testemunha === null) return refuse('analysis.no_control')
    out.set(trial.testemunha, 'Testemunha deixada fora da análise')
  }
  for (const c of cells) {
    const list = values.get(c.numero) ?? []
    if (options.excluir_constantes && list.length > 0 && list.every((value) => value === list[0])) {
      if (list.length > 1) out.set(c.numero, 'sem variação entre as parcelas')
    }
    if (options.ignorar_fatores && list.length === 0) out.set(c.numero, 'sem parcelas com valor')
  }
  return out
}

interface Coded {
  i: number
  cell: number
  plot: Prepared['plots'][number]
}

function code(trial: TrialInput, rows: readonly number[], order: ReadonlyMap<number, number>): Coded[] {
  const coded = rows.map((i) => {
    const p = plotAt(trial, i)
    return {
      i,
      cell: order.get(p.tratamento) as number,
      plot: {
        numero: p.numero,
        tratamento: p.tratamento,
        bloco: p.bloco ?? 0,
        linha: p.linha ?? 0,
        coluna: p.coluna ?? 0,
        principal: p.parcela_principal ?? 0,
      },
    }
  })
  return coded.sort(
    (a, b) =>
      a.cell - b.cell ||
      a.plot.bloco - b.plot.bloco ||
      a.plot.linha - b.plot.linha ||
      a.plot.coluna - b.plot.coluna ||
      a.plot.principal - b.plot.principal ||
      (trial.y[a.i] as number) - (trial.y[b.i] as number) ||
      a.plot.numero - b.plot.numero,
  )
}

/** Level codes 0..levels-1 of values, in rising order. */
export function codesOf(values: readonly number[]): { codes: Int32Array; levels: number[] } {
  const levels = [...new Set(values)].sort((a, b) => a - b)
  const index = new Map(levels.map((value, i) => [value, i]))
  return { codes: Int32Array.from(values, (value) => index.get(value) as number), levels }
}

/** Indices of the plots of each cell. */
export function plotsByCell(prepared: Pick<Prepared, 'cells' | 'cell'>): number[][] {
  const lists: number[][] = prepared.cells.map(() => [])
  prepared.cell.forEach((c, i) => {
    lists[c]?.push(i)
  })
  return lists
}
