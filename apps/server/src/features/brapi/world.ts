import { can, searchable } from '@ensaio/domain'
import {
  type Column,
  columnsOf,
  type Planted,
  type SheetHead,
  type Study,
  studiesOf,
  type Told,
} from '@ensaio/domain/brapi'
import { v5 as uuidOf } from 'uuid'
import type { Handle } from '../../database/handle.ts'
import type { Wall } from '../../database/wall.ts'
import type { Actor } from '../../http/contract-routes.ts'
import type { AccountsFeature } from '../accounts/accounts.feature.ts'
import { lettersOf } from '../field/field-package.ts'
import { MOST_STUDIES, type SheetRow, sheetRows, studyRows } from './brapi.repository.ts'
import { BrapiError } from './brapi-error.ts'

/** Of ids of what has none of its own; it never changes. */
const NAMESPACE = 'b2f1c9de-6d0a-5a5c-9a4e-3f7f1f0c2d11'

/** What one person's organisation sees, as other applications are told of it. */
export interface World {
  handle: Handle
  told: Told
  studies: Study[]
  /** They are all that is seen, and not only those around some. */
  whole: boolean
  sheets(studies: readonly string[]): Promise<Map<string, SheetRow>>
}

export function worldsOf({
  wall,
  siteUrl,
  organizationName,
  mac,
}: {
  wall: Wall
  siteUrl: string
  organizationName(actor: Actor): Promise<string>
  mac: AccountsFeature['mac']
}) {
  /** Who may not change a trial that is assessed blind gets letters for its treatments. */
  const blindTo = (
    actor: Actor,
    { experimento_id, as_cegas, created_by, organizacao_id, tratamentos }: SheetRow,
  ) =>
    as_cegas && !can(actor, 'plots.edit', { owner: created_by, organization: organizacao_id }).allowed
      ? lettersOf(
          experimento_id,
          tratamentos.map(({ numero }) => numero),
          mac,
        )
      : null

  /** @throws BrapiError where all are asked for and are too many */
  return async (actor: Actor, around: readonly string[] | null = null): Promise<World> => {
    const handle = wall.for(actor)
    const rows = await studyRows(handle, around)
    if (rows.length > MOST_STUDIES)
      throw new BrapiError(413, 'Há ensaios demais para esta chamada; informe studyDbId')
    // Many trials hang on few words: each is made into an id once.
    const ids = new Map<string, string>()
    const told: Told = {
      siteUrl,
      organization: await organizationName(actor),
      idOf: (kind, ...words) => {
        const known = JSON.stringify([kind, ...words])
        const held = ids.get(known)
        if (held !== undefined) return held
        const plain = words.map((word) => (typeof word === 'string' ? searchable(word) : word))
        const made = uuidOf(JSON.stringify([actor.organization, kind, ...plain]), NAMESPACE)
        ids.set(known, made)
        return made
      },
    }
    return {
      handle,
      told,
      studies: studiesOf(rows, told),
      whole: around === null,
      sheets: async (studies) =>
        new Map(
          (await sheetRows(handle, studies)).map((row) => [
            row.experimento_id,
            { ...row, letras: blindTo(actor, row) },
          ]),
        ),
    }
  }
}

/** The columns of each study, in its order. */
export const columnsByStudy = (
  sheets: ReadonlyMap<string, SheetRow>,
  options: { derived?: boolean } = {},
): Map<string, Column[]> => new Map([...sheets].map(([id, sheet]) => [id, columnsOf(sheet, options)]))

/** What a study tells of its sheet. */
export const headOf = (
  { delineamento, parcelas, blocos, tratamentos, registro }: SheetRow,
  columns: readonly Column[],
): SheetHead => ({
  ...{ delineamento, parcelas, blocos, tratamentos: tratamentos.length },
  ...{ semeadura: registro?.semeadura ?? null, colheita: registro?.colheita ?? null },
  colunas: columns.map(({ id }) => id),
})

export const plantedOf = (sheet: SheetRow, parcelas: Planted['parcelas']): Planted => ({ ...sheet, parcelas })
