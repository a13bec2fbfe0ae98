import { LAYOUT_ALIKE, likeness } from '@ensaio/domain'
import { z } from 'zod'
import type { Handle } from '../../database/handle.ts'
import { ago, NOW } from '../../database/now.ts'
import { type LearntLayout, Template } from '../../jobs/template.ts'

/** Of so many, the last used, one is looked for. */
const LOOKED_THROUGH = 1000
/** A new layout takes the place of one as like as this. */
const SAME = 0.8
/** One person keeps so many; the longest unused go. */
const MOST_OF_ONE = 300

const Print = z.array(z.number())
const Row = z.object({ id: z.uuid(), mapa: Template })

/** The kept layout that a report is most alike, if it is alike at all. */
export async function layoutLike(handle: Handle, print: readonly number[]): Promise<LearntLayout | null> {
  const [best] = await nearest(handle, print)
  if (!best || best.share < LAYOUT_ALIKE) return null
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

/** Keeps a layout; the same person's earlier one of the same layout gives way. */
export async function keepLayout(
  handle: Handle,
  layout: { print: readonly number[]; template: Template; engine: string; userId: string },
): Promise<string> {
  const { print, template, engine, userId } = layout
  const earlier = (await nearest(handle, print)).filter(
    ({ share, criado_por }) => share >= SAME && criado_por === userId,
  )
  return await handle.transaction().execute(async (transaction) => {
    if (earlier.length > 0)
      await transaction
        .deleteFrom('layouts')
        .where(
          'id',
          'in',
          earlier.map(({ id }) => id),
        )
        .execute()
    const { id } = await transaction
      .insertInto('layouts')
      .values({
        impressao: JSON.stringify(print),
        mapa: JSON.stringify(template),
        motor: engine,
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
