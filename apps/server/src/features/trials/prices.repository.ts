import type { PricesInput } from '@ensaio/domain'
import type { Handle } from '../../database/handle.ts'
import { NOW } from '../../database/now.ts'

export type PricesBody = Omit<PricesInput, 'versao'>
export interface StoredPrices {
  versao: number
  corpo: PricesBody
  alterado_em: Date
  alterado_por: string | null
}

/** A trial's prices; null when it has none, or they are not shown to who asks. */
export async function pricesOf(handle: Handle, experimentId: string): Promise<StoredPrices | null> {
  const row = await handle
    .selectFrom('cenarios')
    .select(['versao', 'corpo', 'alterado_em', 'alterado_por'])
    .where('experimento_id', '=', experimentId)
    .executeTakeFirst()
  // The schema of the contract has checked what was put.
  return row ? { ...row, corpo: row.corpo as unknown as PricesBody } : null
}

export async function putPrices(
  handle: Handle,
  experimentId: string,
  { versao, corpo, by }: { versao: number; corpo: PricesBody; by: string },
): Promise<void> {
  const row = { versao, corpo: JSON.stringify(corpo), alterado_por: by }
  await handle
    .insertInto('cenarios')
    .values({ experimento_id: experimentId, ...row })
    .onConflict((conflict) => conflict.column('experimento_id').doUpdateSet({ ...row, alterado_em: NOW }))
    .execute()
}
