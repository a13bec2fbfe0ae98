import type { CellValue, ChangeKind } from './field.ts'

/** What the merge looks at of a change, on the phone and on the server. */
export interface MergedChange {
  id: string
  tipo: ChangeKind
  aparelho: string | null
  seq: number | null
  valor: CellValue
  motivo: string | null
  base: string | null
  decide?: readonly string[] | null
}
type Standing = Pick<MergedChange, 'aparelho' | 'seq' | 'valor' | 'motivo'> & {
  /** Null: nothing was ever entered, or it was before changes were kept. */
  id: string | null
}
export interface CellState {
  atual: Standing
  /** Changes that said the same as stands: who saw one of them saw what stands. */
  iguais: readonly string[]
  /** Values that others entered without knowing of the one that stands. */
  abertos: readonly MergedChange[]
}

export const EMPTY_CELL: CellState = {
  atual: { id: null, aparelho: null, seq: null, valor: null, motivo: null },
  iguais: [],
  abertos: [],
}

export const sameCellValue = (a: CellValue, b: CellValue): boolean =>
  a === b || (Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((x, i) => x === b[i]))

/** Samples are told to other tools as their mean: what comes back as that says the same. */
const saysTheSame = (standing: CellValue, given: CellValue): boolean =>
  sameCellValue(standing, given) ||
  (Array.isArray(standing) &&
    typeof given === 'number' &&
    Math.abs(standing.reduce((sum, one) => sum + one, 0) / standing.length - given) <=
      1e-9 * Math.max(1, Math.abs(given)))

type Merged = { cell: CellState; estado: 'aplicado' | 'igual' | 'conflito' }

/**
 * One change on one cell. It is applied by who saw what stands, or by the device whose earlier value stands; what says
 * the same changes nothing; of all others the standing value stays and both are kept. Never the last writer, never by
 * a clock.
 */
export function mergeChange(cell: CellState, change: MergedChange): Merged {
  const { atual } = cell
  const own = atual.id !== null && atual.aparelho !== null && atual.aparelho === change.aparelho
  const seen = change.base === atual.id || (change.base !== null && cell.iguais.includes(change.base))
  const later = own && (change.seq ?? 0) > (atual.seq ?? 0)
  if (sameCellValue(atual.valor, change.valor) && atual.motivo === change.motivo)
    return {
      cell: { ...cell, iguais: [...cell.iguais, change.id], abertos: leftOpen(cell, change) },
      estado: 'igual',
    }
  if (seen || later) return { cell: standing(change, leftOpen(cell, change)), estado: 'aplicado' }
  // It came late: the same phone has said another since.
  if (own) return { cell, estado: 'igual' }
  return { cell: { ...cell, abertos: withOpen(cell.abertos, change) }, estado: 'conflito' }
}

const standing = (change: MergedChange, abertos: readonly MergedChange[]): CellState => ({
  atual: {
    ...{ id: change.id, aparelho: change.aparelho, seq: change.seq },
    ...{ valor: change.valor, motivo: change.motivo },
  },
  iguais: [],
  abertos,
})

/** A decision closes what it decided; any other change leaves conflicts as they are. */
const leftOpen = ({ abertos }: CellState, { tipo, decide }: MergedChange): readonly MergedChange[] =>
  tipo === 'decisao' ? abertos.filter(({ id }) => decide != null && !decide.includes(id)) : abertos

/** What a phone or person says anew takes the place of what they said before. */
function withOpen(open: readonly MergedChange[], change: MergedChange): readonly MergedChange[] {
  const older = open.filter(({ aparelho }) => aparelho !== null && aparelho === change.aparelho)
  if (older.some(({ seq }) => (seq ?? 0) > (change.seq ?? 0))) return open
  return [...open.filter(({ id }) => id !== change.base && !older.some((one) => one.id === id)), change]
}

/** Which cell a change is of: its sample counts. */
export const cellOf = (change: {
  parcela: string | null
  variavel: string | null
  avaliacao: string | null
  amostra: number | null
}): string => `${change.parcela} ${change.variavel} ${change.avaliacao ?? ''} ${change.amostra ?? ''}`

/**
 * The cells of a trial from its changes in whatever order and however often they came: the server's numbers say in
 * which order they were taken, and each counts once.
 */
export function mergeAll<C extends MergedChange & Parameters<typeof cellOf>[0] & { ordem: number }>(
  changes: readonly C[],
): Map<string, CellState> {
  const once = new Map(changes.map((change) => [change.id, change]))
  const cells = new Map<string, CellState>()
  for (const change of [...once.values()].sort((a, b) => a.ordem - b.ordem)) {
    const key = cellOf(change)
    cells.set(key, mergeChange(cells.get(key) ?? EMPTY_CELL, change).cell)
  }
  return cells
}

/** Of an application that does not say what it saw: when it was measured, by whom, and whether it names the record. */
export interface UnbasedChange extends MergedChange {
  pessoa: string | null
  quando: number
  /** It was sent to a record by its name. */
  named: boolean
}

/**
 * The rule where nothing tells what the person saw: an empty cell is filled; the same device and account count by
 * their time; who names the record and is later changes it; everything else is a conflict.
 */
export function mergeUnbased(
  cell: CellState,
  change: UnbasedChange,
  by: { pessoa: string | null; quando: number | null },
): Merged {
  const { atual } = cell
  if (saysTheSame(atual.valor, change.valor) && atual.motivo === change.motivo)
    return { cell: { ...cell, iguais: [...cell.iguais, change.id] }, estado: 'igual' }
  const own =
    atual.aparelho !== null &&
    atual.aparelho === change.aparelho &&
    by.pessoa !== null &&
    by.pessoa === change.pessoa
  const later = by.quando === null || change.quando > by.quando
  const empty = atual.valor === null && atual.motivo === null
  if (empty || ((own || change.named) && later))
    return { cell: standing(change, cell.abertos), estado: 'aplicado' }
  if (own) return { cell, estado: 'igual' }
  return { cell: { ...cell, abertos: withOpen(cell.abertos, change) }, estado: 'conflito' }
}
