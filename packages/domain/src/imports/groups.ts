import { searchable } from '../format.ts'
import { brokenCell, isAbsent, isSummaryRow, textOf } from './cells.ts'
import { type ImportPlan, isTrialField, type PlanColumn, type SheetRow } from './plan.ts'

/** Returns that may differ between rows of one trial: they contradict each other, and part nothing. */
const NO_KEY = new Set(['roi', 'custo_protocolo', 'versao'])
const LONGEST_KEY = 2000

/**
 * Says of row after row which trial it belongs to, from 1: the same code, the same trial columns, or empty ones under
 * those of the row before. Remembers a key for each trial and no row.
 */
export function grouper(plan: Pick<ImportPlan, 'forma' | 'colunas'>): (row: SheetRow) => number {
  const trialColumns = plan.colunas.filter(({ campo }) => isTrialField(campo))
  const byKey = new Map<string, number>()
  let count = 0
  let current = 0
  let currentTexts = new Map<string, string>()

  if (plan.forma === 'larga')
    return (row) => {
      if (count === 0 || summaryCell(row, plan) === null) count += 1
      return count
    }

  const begin = (key: string, texts: Map<string, string>): number => {
    count += 1
    byKey.set(key, count)
    current = count
    currentTexts = texts
    return count
  }

  return (row) => {
    // A total or a mean is told where it stands, and makes no trial.
    if (current !== 0 && plan.forma !== 'folhas' && summaryCell(row, plan) !== null) return current
    const columns = trialColumns.filter(({ folha }) => folha === row.folha)
    const identity = texts(
      row,
      columns.filter(({ campo }) => campo === 'id' || campo === 'codigo'),
    )
    const content = texts(
      row,
      columns.filter(({ campo }) => !NO_KEY.has(campo)),
    )
    const code = identity.get('id') ?? identity.get('codigo')
    if (code !== undefined || plan.forma === 'folhas') {
      const key = `codigo ${code ?? `linha ${row.folha} ${row.linha}`}`.slice(0, LONGEST_KEY)
      const known = byKey.get(key)
      if (known === undefined) return begin(key, content)
      current = known
      currentTexts = content
      return known
    }
    const fits = [...content].every(([campo, text]) => {
      const held = currentTexts.get(campo)
      return held === undefined ? campo !== 'codigo' : held === text
    })
    if (current !== 0 && fits) return current
    const key = `conteudo ${[...content].flat().join('\u0000')}`.slice(0, LONGEST_KEY)
    const known = byKey.get(key)
    if (known !== undefined) {
      current = known
      currentTexts = content
      return known
    }
    return begin(key, content)
  }
}

function texts(row: SheetRow, columns: readonly PlanColumn[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const { campo, index } of columns) {
    const cell = row.celulas[index]
    // A cell that shows an error says nothing of which trial its row is of.
    if (!isAbsent(cell) && brokenCell(cell) === null) found.set(campo, searchable(textOf(cell).slice(0, 300)))
  }
  return found
}

/** Where a row's treatment, or else its first text, is the name of a total. */
export function summaryCell(
  row: SheetRow,
  { colunas }: Pick<ImportPlan, 'colunas'>,
): { index: number; text: string } | null {
  // What our own export numbers or names by its id is no total, however it is called.
  const own = colunas.some(
    ({ campo, folha, index }) =>
      (campo === 'id' || campo === 'tratamento.numero') &&
      folha === row.folha &&
      !isAbsent(row.celulas[index]),
  )
  if (own) return null
  const name = colunas.find(({ campo, folha }) => campo === 'tratamento.nome' && folha === row.folha)
  const first = row.celulas.findIndex((cell) => !isAbsent(cell))
  for (const index of name ? [name.index, first] : [first]) {
    const cell = row.celulas[index]
    if (typeof cell === 'string' && isSummaryRow(cell.trim())) return { index, text: cell.trim() }
  }
  return null
}
