import { promisify } from 'node:util'
import { problem } from '@ensaio/domain'
import {
  columnsOf,
  DATA_FILE,
  eventsOf,
  isaFiles,
  type MiappeMaterial,
  miappeLacks,
  miappeSheets,
  presentGermplasm,
  presentLocation,
  presentStudy,
  presentVariable,
} from '@ensaio/domain/brapi'
import { type AsyncZippable, strToU8, zip } from 'fflate'
import { writeXlsx } from 'hucre/xlsx'
import type { Actor } from '../../http/contract-routes.ts'
import { places, shareOf } from '../../places.ts'
import type { AccountsFeature } from '../accounts/accounts.feature.ts'
import type { Experiments } from '../experiments/experiments.service.ts'
import { plotRows, treatmentRows } from './brapi.repository.ts'
import type { BrapiLists } from './lists.ts'
import { asTable } from './table-text.ts'
import { headOf, plantedOf, type World } from './world.ts'

/** In a thread of its own: a table of values may be large. */
const packed = promisify((files: AsyncZippable, done: (error: Error | null, bytes: Uint8Array) => void) =>
  zip(files, done),
)

/** Each writes a workbook of up to 2,000 plots. */
const PLACES = { atOnce: 2, perPerson: 1, perGroup: 1, inLine: 50, perPersonInLine: 5, patienceMs: 20_000 }
const MOST_ROWS = 100_000

/** A trial by the MIAPPE 1.1 checklist, as ISA-Tab and as a workbook; without costs, as its asker sees the trial. */
export function createMiappe({
  worldOf,
  lists,
  experiments,
  namesOf,
}: {
  worldOf(actor: Actor, around: readonly string[]): Promise<World>
  lists: BrapiLists
  experiments: Pick<Experiments, 'get'>
  namesOf: AccountsFeature['namesOf']
}) {
  const { run } = places(PLACES)

  const materialOf = async (world: World, id: string): Promise<MiappeMaterial> => {
    const { handle, told } = world
    const study = world.studies.find((one) => one.id === id)
    // It may have gone since it was looked up.
    if (!study) throw problem('experiment.not_found')
    const sheet = (await world.sheets([id])).get(id)
    const columns = sheet ? columnsOf(sheet) : []
    const names = await namesOf(handle, study.created_by === null ? [] : [study.created_by])
    const [planted] = await plotRows(handle, [id])
    const [made] = await treatmentRows(handle, [id])
    return {
      study: presentStudy(study, {
        sheet: sheet ? headOf(sheet, columns) : null,
        contact: names.get(study.created_by ?? '') ?? null,
        told,
      }),
      location: presentLocation(study),
      germplasm: study.germplasmDbId === null ? null : presentGermplasm(study, told),
      units: await lists.units(world, id),
      variables: columns.map((column) => presentVariable(column, { crop: study.cultura, told })),
      events: sheet
        ? eventsOf(
            study,
            { ...plantedOf(sheet, planted?.parcelas ?? []), registro: sheet.registro },
            made?.tratamentos ?? [],
            told,
          )
        : [],
      registry: sheet?.registro ?? null,
    }
  }

  return {
    /** What the checklist asks for in any case and the trial does not tell. @throws experiment.not_found */
    async lacks(actor: Actor, id: string): Promise<string[]> {
      await experiments.get(actor, id)
      return run(
        async () => miappeLacks(miappeSheets(await materialOf(await worldOf(actor, [id]), id))),
        actor.id,
        shareOf(actor),
      )
    },

    /** @throws experiment.not_found, server.busy */
    async file(actor: Actor, id: string): Promise<{ filename: string; content: Uint8Array }> {
      const { nome } = await experiments.get(actor, id)
      const content = await run(
        async () => {
          const world = await worldOf(actor, [id])
          const material = await materialOf(world, id)
          const sheets = miappeSheets(material)
          const asked = {
            ...{ filters: new Map([['studyDbId', [id]]]), page: 0, size: MOST_ROWS },
            ...{ warnings: [], withValues: false },
          }
          const table = await lists.table(world, asked, true)
          const workbook = await writeXlsx({
            sheets: sheets.map(({ name, header, rows }) => ({ name, rows: [[...header], ...rows] })),
          })
          const texts = { ...isaFiles(material, sheets), [DATA_FILE]: asTable(table, '\t') }
          return packed({
            ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, strToU8(text)])),
            // It is packed already.
            'miappe.xlsx': [workbook, { level: 0 }],
          })
        },
        actor.id,
        shareOf(actor),
      )
      return { filename: `MIAPPE - ${nome}.zip`, content }
    },
  }
}
export type Miappe = ReturnType<typeof createMiappe>
