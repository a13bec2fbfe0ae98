import { Readable } from 'node:stream'
import { contract, problem } from '@ensaio/domain'
import type { Wall } from '../../database/wall.ts'
import { subscriber } from '../../http/client-address.ts'
import type { Actor, Route } from '../../http/contract-routes.ts'
import { onceClosed } from '../../http/once-closed.ts'
import { keepReading } from '../../http/reader-pace.ts'
import { places } from '../../places.ts'
import type { Documents } from '../documents/documents.service.ts'
import type { Experiments } from '../experiments/experiments.service.ts'
import { shortSheet, xlsx } from '../experiments/export.ts'
import type { Photos } from '../photos/photos.service.ts'
import { KEPT_KINDS, type Kept, keptAfter, ownTrials } from './export.repository.ts'
import { type ExportFile, jsonList, zipOf } from './export.ts'
import { membersOf } from './members.repository.ts'
import { activities, note } from './organizations.repository.ts'
import { MEMBERS_NOT_FOUND, type Organizations } from './organizations.service.ts'

const EXPORTS = { atOnce: 2, perPerson: 1, perGroup: 2, inLine: 10, patienceMs: 20_000 }
const PAGE = 500

/** Everything that an organisation has, for its owner to take along. */
export function exportRoutes(
  route: Route,
  {
    wall,
    organizations,
    experiments,
    documents,
    photos,
  }: {
    wall: Wall
    organizations: Organizations
    experiments: Experiments
    documents: Documents
    photos: Photos
  },
): void {
  const exporting = places(EXPORTS)

  async function* allActivities(handle: ReturnType<Wall['for']>) {
    let below: number | null = null
    do {
      const page = await activities(handle, { below, limit: PAGE })
      yield* page.events
      below = page.next
    } while (below !== null)
  }

  async function* allKept(handle: ReturnType<Wall['for']>, kind: Kept) {
    for (let after: string | null = ''; after !== null; ) {
      const page: Awaited<ReturnType<typeof keptAfter>> = await keptAfter(handle, kind, after)
      yield* page.rows
      after = page.next
    }
  }

  route(
    contract.exportOrganization,
    async ({ actor: asking, params: { id }, request, reply }) => {
      const organization = await organizations.one(asking, id)
      if (organization.papel !== 'dono') throw problem('permission.denied')
      const actor: Actor = { ...asking, organization: id, papel: 'dono' }
      const handle = wall.for(actor)
      const members = await membersOf(handle, id)
      onceClosed(reply, await exporting.enter(actor.id, subscriber(request.ip)))
      keepReading(reply, () => exporting.counts().inLine > 0)
      await note(handle, id, 'export.made', { n: await ownTrials(handle) })

      async function* files(): AsyncGenerator<ExportFile> {
        yield {
          name: 'organizacao.json',
          async *content() {
            yield JSON.stringify({
              exportado_em: new Date().toISOString(),
              organizacao: organization,
              membros: members,
            })
          },
        }
        yield { name: 'atividade.json', content: () => jsonList(allActivities(handle)) }
        for (const kind of KEPT_KINDS)
          yield { name: `${kind}.json`, content: () => jsonList(allKept(handle, kind)) }
        yield { name: 'experimentos.json', content: () => jsonList(experiments.ownedBy(actor)) }
        yield {
          name: 'experimentos.xlsx',
          content: () => xlsx(shortSheet(experiments.ownPages(actor))),
          packed: true,
        }
        for await (const document of documents.ownedBy(actor))
          yield {
            name: `documentos/${document.id}-${document.filename.replace(/[\\/:*?"<>|]/g, '_')}`,
            content: async function* () {
              yield* await documents.open(document)
            },
            packed: true,
          }
        for await (const { id, experimento_id, armazenado } of photos.ownedBy(actor))
          yield {
            name: `fotos/${experimento_id}/${id}.jpg`,
            content: async function* () {
              yield* await photos.bytesOf(armazenado)
            },
            packed: true,
          }
      }
      return reply
        .type('application/zip')
        .header('content-disposition', 'attachment; filename="organizacao.zip"')
        .header('cache-control', 'no-store')
        .send(Readable.from(zipOf(files())))
    },
    MEMBERS_NOT_FOUND,
  )
}
