import { randomUUID } from 'node:crypto'
import { type CellValue, holdsText, MOST_VALUES, type PlotColumn } from '@ensaio/domain'
import type { NewChange } from './changes.repository.ts'
import { sameValue } from './sheet-changes.ts'
import type { SheetBody, StoredColumn, StoredSheet } from './sheets.repository.ts'

/** Cells of one save that the history keeps one by one; of more, the save is told as one. */
const MOST_DESK_CHANGES = 5000

const at = <T>(items: readonly { chave: string; id: T }[], key: string | null): T | null =>
  items.find(({ chave }) => chave === key)?.id ?? null

/** Whose column it is, whatever it is called now. */
export const columnIds = (
  { variaveis, avaliacoes }: Pick<SheetBody, 'variaveis' | 'avaliacoes'>,
  { variavel, avaliacao }: { variavel: string; avaliacao: string | null },
): { variavel: string | null; avaliacao: string | null } => ({
  variavel: at(variaveis, variavel),
  avaliacao: avaliacao === null ? null : at(avaliacoes, avaliacao),
})
const keyOf = (body: SheetBody, column: { variavel: string; avaliacao: string | null }): string => {
  const { variavel, avaliacao } = columnIds(body, column)
  return `${variavel} ${avaliacao ?? ''}`
}

/**
 * Columns of numbers with the entries and texts that their plots had before, in the order of the plots now. One that is
 * left out while its variable stays is emptied and not forgotten: its entries go on, and its words are not of a save.
 */
export function withEntries(
  before: StoredSheet | null,
  body: SheetBody,
  columns: readonly PlotColumn[],
): StoredColumn[] {
  const rows = new Map(before?.corpo.parcelas.map(({ id }, row) => [id, row]))
  const places = body.parcelas.map(({ id }) => rows.get(id) ?? -1)
  const old = new Map(before?.valores.map((column) => [keyOf(before.corpo, column), column]))
  const texts = new Map(body.variaveis.map((variable) => [variable.chave, holdsText(variable)]))
  const kept = [...columns, ...(before ? leftOut(before, body, columns) : [])]
  return kept.map((column) => {
    const was = old.get(keyOf(body, column))
    return {
      ...{ variavel: column.variavel, avaliacao: column.avaliacao, valores: column.valores },
      registros: places.map((row) => was?.registros[row] ?? null),
      textos: texts.get(column.variavel) ? places.map((row) => was?.textos?.[row] ?? null) : null,
    }
  })
}

/** Columns that something was entered in and that are not given, empty, as many as a sheet holds. */
function leftOut(before: StoredSheet, body: SheetBody, given: readonly PlotColumn[]): PlotColumn[] {
  const keys = new Set(given.map((column) => keyOf(body, column)))
  const lost = before.valores.flatMap((column): PlotColumn[] => {
    const ids = columnIds(before.corpo, column)
    const variable = body.variaveis.find(({ id }) => id === ids.variavel)
    const date = body.avaliacoes.find(({ id }) => id === ids.avaliacao)
    const entered = [column.registros, column.valores].some((items) => items.some((one) => one !== null))
    if (!variable || (ids.avaliacao !== null && !date) || !entered || keys.has(keyOf(before.corpo, column)))
      return []
    return [
      { variavel: variable.chave, avaliacao: date?.chave ?? null, valores: body.parcelas.map(() => null) },
    ]
  })
  return lost.slice(0, Math.max(0, Math.floor(MOST_VALUES / body.parcelas.length) - given.length))
}

/** What a cell of a column holds, a number or a text. */
export const cellValue = (column: StoredColumn | undefined, row: number): CellValue =>
  column?.textos?.[row] ?? column?.valores[row] ?? null

/**
 * What a save at the desk changed, as entries like those of a phone; the columns get their ids. Cells that an entry
 * has put there already are left alone.
 */
export function deskChanges(
  before: StoredSheet | null,
  next: StoredSheet,
  person: string,
): { columns: StoredColumn[]; changes: NewChange[] } {
  const rows = new Map(before?.corpo.parcelas.map(({ id }, row) => [id, row]))
  const old = new Map(before?.valores.map((column) => [keyOf(before.corpo, column), column]))
  const changed = next.valores.map((column) => {
    const was = old.get(keyOf(next.corpo, column))
    return next.corpo.parcelas.flatMap(({ id }, row) => {
      const place = rows.get(id) ?? -1
      const [value, stood] = [column.valores[row] ?? null, was?.valores[place] ?? null]
      const marked = (column.registros[row] ?? null) !== (was?.registros[place] ?? null)
      return marked || sameValue(value, stood) ? [] : [row]
    })
  })
  const many = changed.reduce((sum, { length }) => sum + length, 0) > MOST_DESK_CHANGES
  const save = randomUUID()
  const changes: NewChange[] = []
  const quando = new Date().toISOString()
  const columns = next.valores.map((column, which) => {
    if (changed[which]?.length === 0) return column
    const registros = [...column.registros]
    for (const row of changed[which] ?? []) {
      const entry = many ? save : randomUUID()
      const base = registros[row] ?? null
      registros[row] = entry
      const plot = next.corpo.parcelas[row]
      if (many || !plot) continue
      const valor = column.valores[row] ?? null
      changes.push({
        ...{ id: entry, pessoa_id: person, origem: 'mesa', aparelho: null, seq: null, coletor: null },
        ...{ tipo: valor === null ? 'exclusao' : 'valor', parcela: plot.id },
        ...columnIds(next.corpo, column),
        ...{ amostra: null, valor, motivo: null, base, quando, confirmado: false, fora: false },
        ...{ estado: 'aplicado', revisao: entry, extra: null },
      })
    }
    return { ...column, registros }
  })
  return { columns, changes }
}
