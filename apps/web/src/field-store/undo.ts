import { type CellValue, fillsCell } from '@ensaio/domain'
import type { OwnEntry } from './database.ts'
import type { Draft } from './entries.ts'
import type { Trial } from './trial.ts'

/**
 * The last entry of this phone that has not been taken back, and the new one that takes it back. Null where there is
 * none: what others have changed since stays, and so does what stood before if this phone does not know it.
 */
export function undoOf(trial: Trial): { entry: OwnEntry; draft: Draft } | null {
  const byId = new Map(trial.own.map((entry) => [entry.id, entry]))
  const undone = new Set(trial.own.flatMap(({ desfaz }) => desfaz ?? []))
  /** What an undoing brought back stands for what it was then. */
  const meant = (id: string | null): string | null => {
    const undoing = id === null ? undefined : byId.get(id)?.desfaz
    return undoing ? meant(byId.get(undoing)?.registro.base ?? null) : id
  }
  const entry = trial.own.findLast(
    ({ id, desfaz, estado, registro }) =>
      desfaz === null &&
      !undone.has(id) &&
      estado !== 'recusado' &&
      (fillsCell(registro) || registro.tipo === 'nota'),
  )
  if (!entry) return null
  const { tipo, parcela, variavel, avaliacao, rotulos, base } = entry.registro
  if (parcela === null) return null
  // A note that says nothing, of the one that it takes back.
  if (tipo === 'nota')
    return { entry, draft: { tipo, parcela, valor: null, base: entry.id, rotulos, desfaz: entry.id } }
  if (!variavel) return null
  const { id: stands } = trial.cell({ parcela, variavel, avaliacao: avaliacao ?? null }).atual
  if (meant(stands) !== entry.id) return null
  const before: { valor: CellValue; motivo: string | null } | undefined =
    byId.get(base ?? '')?.registro ?? trial.told(base)
  if (base !== null && !before) return null
  return {
    entry,
    draft: {
      ...{ parcela, variavel, avaliacao, rotulos, base: stands, desfaz: entry.id },
      ...(before && before.valor !== null
        ? { tipo: 'valor', valor: before.valor }
        : before?.motivo
          ? { tipo: 'sem_valor', valor: null, motivo: before.motivo }
          : { tipo: 'exclusao', valor: null }),
    },
  }
}
