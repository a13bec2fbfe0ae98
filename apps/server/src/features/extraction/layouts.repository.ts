import { LAYOUT_ALIKE, likeness } from '@ensaio/domain'
import { z } from 'zod'
import type { Handle } from '../../database/handle.ts'
import { ago, NOW } from '../../database/now.ts'
import { type LearntLayout, Template } from '../../jobs/template.ts'

/** Of so many, the last used, one is looked for. */
const LOOKED_THROUGH = 1000
/** One person keeps so many; the longest unused go. */
const MOST_OF_ONE = 300

const Print = z.array(z.number())
const Row = z.object({ id: z.uuid(), mapa: Template })

/** The kept layout that a report is most alike, if it is alike at all; one's own goes before anybody else's. */
export async function layoutLike(
  handle: Handle,
  { print, userId }: { print: readonly number[]; userId: string },
): Promise<LearntLayout | null> {
  const alike = (await nearest(handle, print)).filter(({ share }) => share >= LAYOUT_ALIKE)
  const best = alike.find(({ criado_por }) => criado_por === userId) ?? alike[0]
  if (!best) return null
  const row = await handle
    .updateTable('layouts')
    .set({ usado_em: NOW })
    .where('id', '=', best.id)
    .returning(['id', 'mapa'])
    .executeTakeFirst()
  const known = Row.safeParse(row)
  return known.success ? { id: known.data.id, template: known.data.mapa } : null
}

async function nearest(
  handle: Handle,
  print: readonly number[],
): Promise<{ id: string; criado_por: string | null; share: number }[]> {
  const rows = await handle
    .selectFrom('layouts')
    .select(['id', 'impressao', 'criado_por'])
    .orderBy('usado_em', 'desc')
    .limit(LOOKED_THROUGH)
    .execute()
  return rows
    .map(({ id, impressao, criado_por }) => ({
      id,
      criado_por,
      share: likeness(Print.catch([]).parse(impressao), print),
    }))
    .sort((a, b) => b.share - a.share)
}

/** Keeps a layout; the same person's earlier ones of it go into it, as far as nothing newer is said. */
export async function keepLayout(
  handle: Handle,
  layout: { print: readonly number[]; template: Template; userId: string },
): Promise<string> {
  const { print, userId } = layout
  const earlier = (await nearest(handle, print)).filter(
    ({ share, criado_por }) => share >= LAYOUT_ALIKE && criado_por === userId,
  )
  return await handle.transaction().execute(async (transaction) => {
    let { template } = layout
    for (const { id } of earlier) {
      const gone = await transaction
        .deleteFrom('layouts')
        .where('id', '=', id)
        .returning('mapa')
        .executeTakeFirst()
      const known = Template.safeParse(gone?.mapa)
      if (known.success) template = merged(template, known.data)
    }
    const { id } = await transaction
      .insertInto('layouts')
      .values({
        impressao: JSON.stringify(print),
        mapa: JSON.stringify(template),
        criado_por: userId,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await transaction
      .deleteFrom('layouts')
      .where('id', 'in', (of) =>
        of
          .selectFrom('layouts')
          .select('id')
          .where('criado_por', '=', userId)
          .orderBy('usado_em', 'desc')
          .offset(MOST_OF_ONE),
      )
      .execute()
    return id
  })
}

const merged = (newer: Template, older: Template): Template => ({
  tables: newer.tables.length > 0 ? newer.tables : older.tables,
  fields: [
    ...newer.fields,
    ...older.fields.filter(({ field }) => !newer.fields.some((own) => own.field === field)),
  ],
})

/** Answers whether there was one that this person may forget: `anybodys` for an administrator. */
export async function forgetLayout(
  handle: Handle,
  { id, userId, anybodys }: { id: string; userId: string; anybodys: boolean },
): Promise<boolean> {
  const { numDeletedRows } = await handle
    .deleteFrom('layouts')
    .where('id', '=', id)
    .$if(!anybodys, (query) => query.where('criado_por', '=', userId))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function forgetOldLayouts(handle: Handle, unusedDays: number): Promise<void> {
  await handle
    .deleteFrom('layouts')
    .where('usado_em', '<', ago(`${unusedDays} days`))
    .execute()
}
