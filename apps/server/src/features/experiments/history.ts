import { isDeepStrictEqual } from 'node:util'
import type { StoredExperiment } from './experiments.repository.ts'

/** Columns that change with every write and tell a reader nothing. */
const SILENT: ReadonlySet<string> = new Set([
  'id',
  'nome',
  'versao',
  'created_at',
  'updated_at',
  'created_by',
  'n_tratamentos',
  'dados',
  'analise_estatistica',
  'organizacao_id',
  'organizacao_nome',
  've_custos',
  've_documentos',
  've_comentarios',
])

/** What differs between two states of an experiment, field by field. */
export function changedFields(before: StoredExperiment, after: StoredExperiment) {
  const old = new Map<string, unknown>(Object.entries(before))
  const changed = Object.entries(after).filter(
    ([field, value]) => !SILENT.has(field) && !isDeepStrictEqual(old.get(field), value),
  )
  return {
    antes: Object.fromEntries(changed.map(([field]) => [field, old.get(field)])),
    depois: Object.fromEntries(changed),
  }
}
