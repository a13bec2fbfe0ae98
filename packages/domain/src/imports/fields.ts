import { isFieldKey } from '../experiment-fields.ts'
import { searchable } from '../format.ts'
import type { WorkbookCell } from '../workbook.ts'
import {
  businessUnit,
  isAbsent,
  isControlName,
  nearName,
  readNumber,
  readText,
  readYear,
  stateOf,
  statisticsType,
} from './cells.ts'
import { isNumeric } from './columns.ts'
import type { ImportPlan, KnownNames, NameKind, PlanColumn } from './plan.ts'

/** A value with what is to be said of it. */
export interface ReadField {
  value: string | number | null
  error?: string
  notice?: string
  suggestion?: string
}

const NAMES: Readonly<Record<string, NameKind>> = {
  consultoria: 'consultoria',
  marca: 'marca',
  regional: 'regional',
  cultura: 'cultura',
  modalidade: 'modalidade',
  nome_produto: 'produto',
}

/** The last part of a path, which says how it is read: 'tratamentos.2.produtividade' -> 'produtividade'. */
export function kindOf(campo: string): string {
  if (isFieldKey(campo) || campo === 'id' || campo === 'versao') return campo
  if (/^produto\.(\d+\.)?nome$|produtos_aplicados\.\d+\.nome$/.test(campo)) return 'nome_produto'
  return campo.slice(campo.lastIndexOf('.') + 1)
}

/** Reads a cell as its column's field; what is absent is null. */
export function readField(
  column: Pick<PlanColumn, 'campo' | 'decimal' | 'tellDoubtful' | 'factor'>,
  cell: WorkbookCell | undefined,
  { safra, names }: Pick<ImportPlan, 'safra' | 'names'>,
): ReadField {
  if (isAbsent(cell)) return { value: null }
  const { campo } = column
  const kind = kindOf(campo)
  if (kind === 'ano') return plain(readYear(cell, safra))
  if (isNumeric(campo)) {
    const coordinate = kind === 'latitude' || kind === 'longitude'
    if (MONEY.has(kind) && typeof cell === 'string' && cell.slice(0, 60).includes('%'))
      return { value: null, error: 'Informe o valor em R$/ha, não em %' }
    return plain(
      readNumber(cell, {
        decimal: column.decimal,
        tellDoubtful: column.tellDoubtful,
        ...(coordinate && { grouping: false }),
        ...(column.factor !== 1 && { factor: column.factor }),
      }),
    )
  }
  const text = readText(cell, { code: kind === 'codigo' })
  if ('error' in text) return { value: null, error: text.error }
  if (text.value === null) return { value: null }
  return named(kind, text.value, names)
}

const MONEY = new Set(['roi', 'custo', 'custo_protocolo'])

const plain = (read: ReturnType<typeof readNumber>): ReadField =>
  'error' in read
    ? { value: null, error: read.error }
    : { value: read.value, ...(read.notice && { notice: read.notice }) }

function named(kind: string, text: string, names: KnownNames): ReadField {
  if (kind === 'estado') return { value: stateOf(text) ?? text }
  if (kind === 'bu') return { value: businessUnit(text) }
  if (kind === 'tipo_estatistica') return { value: statisticsType(text) }
  const list = Object.hasOwn(NAMES, kind) ? NAMES[kind] : undefined
  if (list === undefined) return { value: text }
  const known = names.spelling(list, searchable(text.slice(0, 300)))
  if (known !== undefined) return { value: known }
  const near = isControlName(text) ? undefined : nearName(text, names.all(list))
  if (near === undefined) return { value: text }
  return {
    value: text,
    notice: `“${text.slice(0, 60)}” não está na lista. Usar “${near}”`,
    suggestion: near,
  }
}

const FIELD =
  /^(?:id|versao|tratamento\.(?:numero|nome|modalidade|produtividade|custo)|produto\.(?:\d{1,2}\.)?(?:nome|dose|unidade|custo)|parcela\.(?:numero|bloco|linha|coluna|area)|analise\.[^\n]{1,200}|tratamentos\.\d{1,3}\.(?:nome|modalidade|produtividade|custo|analise\.[^\n]{1,200}|produtos_aplicados\.\d{1,2}\.(?:nome|dose|unidade|custo)))$/
/** Whether a column may be this. */
export const isField = (campo: string): boolean =>
  isFieldKey(campo) || (campo.length <= 260 && FIELD.test(campo))
