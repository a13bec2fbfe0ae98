import { type CellValue, fillsCell, takesBack } from '@ensaio/domain'
import type { OwnEntry } from './database.ts'
import type { Draft } from './entries.ts'
import type { Trial } from './trial.ts'

/**
 * The last entry of this phone that has not been taken back, and the new one that takes it back. Null where there is
 * none: what others have changed since stays, and so does what stood before if this phone does not know it.
 */
export function undoOf(trial: Trial): { entry: OwnEntry; draft: Draft } | null {
  const byId = new Map(trial.own.map((entry) => [entry.id, entry]))
  /** What an undoing brought back stands for what it was then. */
  const meant = (id: string | null): string | null => {
    const undoing = id === null ? undefined : byId.get(id)?.desfaz
    return undoing ? meant(byId.get(undoing)?.registro.base ?? null) : id
  }
  const entry = lastOf(trial)
  if (!entry) return null
  const { tipo, parcela, variavel, avaliacao, rotulos, base } = entry.registro
  if (parcela === null) return null
  // A note that says nothing, or a photo without a picture, of the one that it takes back.
  if (!fillsCell(entry.registro)) {
    const place = { parcela, variavel, avaliacao }
    return { entry, draft: { tipo, ...place, valor: null, base: entry.id, rotulos, desfaz: entry.id } }
  }
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

/** The last entry of this phone that has not been taken back. */
function lastOf(trial: Trial): OwnEntry | undefined {
  const undone = new Set(trial.own.flatMap(({ desfaz }) => desfaz ?? []))
  return trial.own.findLast(
    ({ id, desfaz, estado, decidido, registro }) =>
      desfaz === null && !decidido && !undone.has(id) && estado !== 'recusado' && !takesBack(registro),
  )
}

/** Why nothing can be taken back, in a sentence. */
export function whyNoUndo(trial: Trial): string {
  const last = lastOf(trial)
  if (!last) return 'Não há o que desfazer neste aparelho.'
  const { parcela, variavel, avaliacao, rotulos } = last.registro
  const plot = `o último valor, da parcela ${rotulos.parcela},`
  if (last.estado === 'guardado')
    return `Não dá para desfazer: ${plot} está guardado no servidor, aguardando decisão.`
  const open =
    parcela !== null && variavel
      ? trial.cell({ parcela, variavel, avaliacao: avaliacao ?? null }).abertos
      : []
  return open.some(({ id }) => id === last.id)
    ? `Não dá para desfazer: ${plot} está em conflito. Decida em Conflitos.`
    : `Não dá para desfazer: ${plot} foi mudado depois por outra pessoa.`
}
