import { fillsCell } from '@ensaio/domain'
import type { OwnEntry } from './database.ts'
import type { Draft } from './entries.ts'
import type { Trial } from './trial.ts'

/** The last entry of this phone that has not been taken back, and the new one that takes it back. */
export function undoOf(trial: Trial): { entry: OwnEntry; draft: Draft } | null {
  const undone = new Set(trial.own.flatMap(({ desfaz }) => desfaz ?? []))
  const entry = trial.own.findLast(
    ({ id, desfaz, registro }) => desfaz === null && !undone.has(id) && fillsCell(registro),
  )
  if (!entry) return null
  const { registro, id } = entry
  const before = trial.told(registro.base)
  const { parcela, variavel, avaliacao, rotulos } = registro
  const draft: Draft = {
    ...{ parcela, variavel, avaliacao, rotulos, base: id, desfaz: id },
    ...(before && before.valor !== null
      ? { tipo: 'valor', valor: before.valor }
      : before?.motivo
        ? { tipo: 'sem_valor', valor: null, motivo: before.motivo }
        : { tipo: 'exclusao', valor: null }),
  }
  return { entry, draft }
}
