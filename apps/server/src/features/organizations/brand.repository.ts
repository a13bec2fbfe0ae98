import type { Handle } from '../../database/handle.ts'

export interface StoredBrand {
  /** '#1f4d3a' */
  cor: string | null
  /** A PNG that we drew. */
  logo: Buffer | null
}

/** How the acting organisation signs its reports. */
export async function brandOf(handle: Handle, organization: string): Promise<StoredBrand> {
  const row = await handle
    .selectFrom('marcas_graficas')
    .select(['cor', 'logo'])
    .where('organizacao_id', '=', organization)
    .executeTakeFirst()
  return row ?? { cor: null, logo: null }
}

/** Only what is given changes. */
export async function putBrand(
  handle: Handle,
  organization: string,
  brand: Partial<StoredBrand>,
): Promise<void> {
  await handle
    .insertInto('marcas_graficas')
    .values({ organizacao_id: organization, ...brand })
    .onConflict((conflict) =>
      conflict.column('organizacao_id').doUpdateSet({ ...brand, updated_at: new Date() }),
    )
    .execute()
}
