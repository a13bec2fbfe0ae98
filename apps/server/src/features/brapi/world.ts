import { can, searchable } from '@ensaio/domain'
import {
  type Column,
  columnsOf,
  type Planted,
  type SheetHead,
  type Study,
  studyOf,
  type Told,
} from '@ensaio/domain/brapi'
import { v5 as uuidOf } from 'uuid'
import type { Handle } from '../../database/handle.ts'
import type { Wall } from '../../database/wall.ts'
import type { Actor } from '../../http/contract-routes.ts'
import { places, shareOf } from '../../places.ts'
import type { AccountsFeature } from '../accounts/accounts.feature.ts'
import { lettersOf } from '../field/field-package.ts'
import type { Asked } from './asked.ts'
import {
  MOST_STUDIES,
  projectSeasons,
  type SeasonRow,
  type SheetRow,
  seasonRows,
  sheetRows,
  studyRows,
} from './brapi.repository.ts'
import { MOST_PLANTED, type Narrowed, narrow, tooMany } from './narrowing.ts'

/** Of ids of what has none of its own; it never changes. */
const NAMESPACE = 'b2f1c9de-6d0a-5a5c-9a4e-3f7f1f0c2d11'

/** Readings of very many trials hold much memory: one after the other, and few wait, in a place that others want. */
const WHOLES = { atOnce: 1, inLine: 3, perPersonInLine: 1, patienceMs: 5_000 }

/** What one person's organisation sees, as other applications are told of it. */
export interface World {
  handle: Handle
  told: Told
  studies: Study[]
  /** They are all that is seen, and not only those around some. */
  whole: boolean
  sheets(studies: readonly string[]): Promise<Map<string, SheetRow>>
  /** When they were in the field, of those of which it is known. */
  seasons(studies: readonly string[]): Promise<Map<string, SeasonRow>>
  /** The same of all that is seen of a trial's project, by the trial. */
  projectSeasons(trials: readonly string[]): Promise<Map<string, SeasonRow>>
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
  const wholes = places(WHOLES)

  /** Who may not change a trial that is assessed blind gets letters for its treatments. */
  const blindTo = (
    actor: Actor,
    { experimento_id, as_cegas, created_by, organizacao_id, tratamentos }: SheetRow,
  ) =>
    as_cegas &&
    !can({ ...actor, closed: false }, 'plots.edit', { owner: created_by, organization: organizacao_id })
      .allowed
      ? lettersOf(
          experimento_id,
          tratamentos.map(({ numero }) => numero),
          mac,
        )
      : null

  const toldFor = async (actor: Actor): Promise<Told> => {
    // Many trials hang on few words: each is made into an id once.
    const ids = new Map<string, string>()
    return {
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
  }
  const worldFrom = async (
    actor: Actor,
    told: Told,
    { trials, named, whole }: { trials: readonly string[] | null; named: boolean; whole: boolean },
  ): Promise<World> => {
    const handle = wall.for(actor)
    const rows = await studyRows(handle, { trials, named })
    if (rows.length > MOST_STUDIES) throw tooMany()
    return {
      ...{ handle, told, whole },
      studies: rows.map((row) => studyOf(row, told)),
      sheets: async (studies) =>
        new Map(
          (await sheetRows(handle, studies)).map((row) => [
            row.experimento_id,
            { ...row, letras: blindTo(actor, row) },
          ]),
        ),
      seasons: async (studies) =>
        new Map((await seasonRows(handle, studies)).map((row) => [row.experimento_id, row])),
      projectSeasons: async (trials) =>
        new Map((await projectSeasons(handle, trials)).map((row) => [row.experimento_id, row])),
    }
  }

  return {
    /** Of some trials. */
    of: async (actor: Actor, trials: readonly string[]): Promise<World> =>
      worldFrom(actor, await toldFor(actor), { trials, named: true, whole: false }),

    /** What a list is answered from. @throws BrapiError where that is too much */
    async forList(actor: Actor, list: string, asked: Asked): Promise<{ world: World } & Narrowed> {
      const told = await toldFor(actor)
      const narrowed = await narrow(wall.for(actor), told, list, asked)
      const { trials } = narrowed
      const read = () => worldFrom(actor, told, narrowed)
      const many = trials === null || trials.length > MOST_PLANTED
      return { world: await (many ? wholes.run(read, actor.id, shareOf(actor)) : read()), ...narrowed }
    },
  }
}
export type Worlds = ReturnType<typeof worldsOf>

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
  parcela: registro?.parcela ?? null,
  colunas: columns.map(({ id }) => id),
})

export const plantedOf = (sheet: SheetRow, parcelas: Planted['parcelas']): Planted => ({ ...sheet, parcelas })
