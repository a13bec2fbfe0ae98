import { randomBytes, randomUUID } from 'node:crypto'
import { LABEL_ALPHABET, LABEL_LENGTH, type TrialSheetInput } from '@ensaio/domain'
import type { SheetBody } from './sheets.repository.ts'

type Parts = Pick<SheetBody, 'parcelas' | 'variaveis' | 'avaliacoes'>

/** A label's code: it opens nothing by itself, and is never given twice. */
const labelCode = (): string =>
  [...randomBytes(LABEL_LENGTH)].map((byte) => LABEL_ALPHABET[byte % LABEL_ALPHABET.length]).join('')

/**
 * Plots, variables and dates under the ids that they had: whoever names one keeps it, else who has the same number or
 * key. An id that the sheet does not know is not taken from who sends it: it might be of another's.
 */
export function withIds(
  before: Parts | null,
  { parcelas, variaveis, avaliacoes }: Pick<TrialSheetInput, keyof Parts>,
): Parts {
  const codes = new Map(before?.parcelas.map(({ id, codigo }) => [id, codigo]))
  return {
    parcelas: kept(before?.parcelas ?? [], parcelas, ({ numero }) => numero).map((plot) => ({
      ...plot,
      codigo: codes.get(plot.id) ?? labelCode(),
    })),
    variaveis: kept(before?.variaveis ?? [], variaveis, ({ chave }) => chave),
    avaliacoes: kept(before?.avaliacoes ?? [], avaliacoes, ({ chave }) => chave),
  }
}

function kept<T extends { id?: string | undefined }>(
  before: readonly (T & { id: string })[],
  now: readonly T[],
  keyOf: (item: T) => string | number,
): (T & { id: string })[] {
  const known = new Set(before.map(({ id }) => id))
  const byKey = new Map(before.map((item) => [keyOf(item), item.id]))
  const taken = new Set<string>()
  const take = (id: string | undefined): string | null => {
    if (id === undefined || !known.has(id) || taken.has(id)) return null
    taken.add(id)
    return id
  }
  // Who names its id comes first: a number that moved to another plot is then free.
  const named = now.map(({ id }) => take(id))
  return now.map((item, at) => ({ ...item, id: named[at] ?? take(byKey.get(keyOf(item))) ?? randomUUID() }))
}
