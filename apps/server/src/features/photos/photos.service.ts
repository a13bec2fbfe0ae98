import { createHash, timingSafeEqual } from 'node:crypto'
import {
  MOST_PLOT_PHOTOS,
  PHOTO_MAX_BYTES,
  type Photo,
  type PhotoPlace,
  type PhotoProgress,
  Problem,
  problem,
} from '@ensaio/domain'
import { v7 as uuid } from 'uuid'
import type { Handle } from '../../database/handle.ts'
import type { Reader, Wall } from '../../database/wall.ts'
import type { Actor } from '../../http/contract-routes.ts'
import { inDarkroom, type Picture, pictureOf } from '../../jobs/pictures.ts'
import { shareOf } from '../../places.ts'
import { type DocumentStore, MissingDocument } from '../../storage/document-store.ts'
import type { AccountsFeature } from '../accounts/accounts.feature.ts'
import type { Experiments } from '../experiments/experiments.service.ts'
import type { Trials } from '../trials/trials.service.ts'
import { withExif } from './exif.ts'
import {
  addPart,
  addPhoto,
  bytesOfDay,
  countOfPlot,
  countPhotos,
  deletePhoto,
  describedPhotos,
  describePhoto,
  dropParts,
  forgetUnfinished,
  keepPicture,
  livingPhoto,
  type NewPhoto,
  ownPhotos,
  partsOf,
  photoOf,
  photosByIds,
  photosOf,
  photosOfPerson,
  receivedOf,
  type StoredPhoto,
  smallPhoto,
} from './photos.repository.ts'

/** Of one device. */
const MOST_BYTES_A_DAY = 2 * 1024 ** 3
const FLOOD_WAIT_S = 3600
/** A picture that does not come for so long is not waited for. */
const WAIT_DAYS = 7
/** How long an address that was handed out is good; the same one is given for a while, so that it may be kept. */
const LINK_MS = 3_600_000
const LINK_STEP_MS = 300_000
const PAGE = 60
const OWN_PAGE = 200

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Of a trial that is not seen a photo is not found, as one that is not there. */
const asPhoto = (error: unknown): never => {
  throw error instanceof Problem && error.code === 'experiment.not_found' ? problem('photo.not_found') : error
}

/** Photos of plots: what phones bring in parts, and other applications whole. */
export function createPhotos({
  wall,
  owner,
  store,
  experiments,
  trials,
  namesOf,
  mac,
  siteUrl,
}: {
  wall: Wall
  owner: Handle
  store: DocumentStore
  experiments: Experiments
  trials: Trials
  namesOf: AccountsFeature['namesOf']
  mac: AccountsFeature['mac']
  siteUrl: string
}) {
  /** Inside the transaction that locked the trial. @throws photo.plot_full, photo.too_large, request.too_many */
  const admit = async (handle: Handle, experiment: string, photo: NewPhoto): Promise<void> => {
    if ((photo.tamanho_enviado ?? 0) > PHOTO_MAX_BYTES) throw problem('photo.too_large')
    if ((await countOfPlot(handle, experiment, photo.parcela)) >= MOST_PLOT_PHOTOS)
      throw problem('photo.plot_full')
    const { pessoa_id: person, aparelho: device } = photo
    if (device !== null && (await bytesOfDay(handle, { person, device })) > MOST_BYTES_A_DAY)
      throw problem('request.too_many', { retryAfter: FLOOD_WAIT_S })
    await addPhoto(handle, experiment, photo)
  }

  /**
   * What a phone's entry announced. @throws photo.not_found where it is of nobody, or of somebody else, photo.taken_back
   */
  const announced = async (
    handle: Handle,
    actor: Actor,
    experiment: string,
    id: string,
  ): Promise<NewPhoto> => {
    const entry = await trials.cells.entry(handle, experiment, id)
    const mine =
      entry?.tipo === 'foto' &&
      entry.pessoa_id === actor.id &&
      (!actor.guest || entry.aparelho === actor.guest.device)
    const { arquivo, posicao } = (entry?.extra ?? {}) as {
      arquivo?: { sha256: string; tamanho: number }
      posicao?: PhotoPlace
    }
    if (!mine || !arquivo || entry.parcela === null) throw problem('photo.not_found')
    if (await trials.cells.isTakenBack(handle, experiment, id)) throw problem('photo.taken_back')
    return {
      ...{ id, pessoa_id: actor.id, origem: 'campo', coletor: entry.coletor, aparelho: entry.aparelho },
      ...{ parcela: entry.parcela, variavel: entry.variavel, avaliacao: entry.avaliacao },
      ...{ quando: entry.quando, posicao: posicao ?? null, dados: {} },
      descricao: typeof entry.valor === 'string' ? entry.valor : null,
      ...{ tamanho_enviado: arquivo.tamanho, sha256_enviado: arquivo.sha256 },
    }
  }

  /** Put where documents are. @throws photo.invalid */
  const kept = async (picture: Picture | null) => {
    if (!picture) throw problem('photo.invalid')
    const armazenado = `${uuid()}.jpg`
    await store.put(armazenado, picture.jpeg)
    return {
      ...{ armazenado, sha256: sha256Of(picture.jpeg), tamanho: picture.jpeg.length },
      ...{ largura: picture.largura, altura: picture.altura, miniatura: Buffer.from(picture.small) },
    }
  }

  /** Gives a kept picture its row; the sweep takes the file where that did not come to be. */
  const name = async (
    actor: Actor,
    experiment: string,
    id: string,
    picture: Awaited<ReturnType<typeof kept>>,
  ): Promise<void> => {
    const found = await wall
      .for(actor)
      .transaction()
      .execute(async (handle) => {
        await experiments.lockFor(handle, actor, 'plots.collect', experiment)
        await dropParts(handle, experiment, id)
        return keepPicture(handle, experiment, { id, ...picture })
      })
    if (!found) throw problem('photo.not_found')
    if (found.before !== null) await store.remove(found.before)
  }

  const progress = (photo: StoredPhoto, recebido: number): PhotoProgress => ({
    recebido,
    pronto: photo.armazenado !== null,
    sha256: photo.armazenado === null ? null : photo.sha256_enviado,
  })

  const sign = ({ id, experimento_id }: Pick<StoredPhoto, 'id' | 'experimento_id'>, ate: string): string =>
    mac('photo', `${experimento_id} ${id} ${ate}`).toString('base64url')

  /** Photos whose pictures are being made: trial and id, which a phone chose. */
  const finishing = new Set<string>()

  /** All parts are there. What is damaged, or is no picture, is forgotten. */
  const finished = async (actor: Actor, experiment: string, photo: StoredPhoto): Promise<PhotoProgress> => {
    const handle = wall.for(actor)
    const made = await inDarkroom(async () => {
      const whole = Buffer.concat(await partsOf(handle, experiment, photo.id))
      return sha256Of(whole) === photo.sha256_enviado ? { picture: await pictureOf(whole) } : null
    }, shareOf(actor))
    if (!made?.picture)
      await handle.transaction().execute(async (inside) => {
        await experiments.lockFor(inside, actor, 'plots.collect', experiment)
        await dropParts(inside, experiment, photo.id)
      })
    if (!made) return progress(photo, 0)
    await name(actor, experiment, photo.id, await kept(made.picture))
    return { recebido: photo.tamanho_enviado ?? 0, pronto: true, sha256: photo.sha256_enviado }
  }

  /** One that is not the asker's own by another application is changed by who may change the trial's plots. */
  const mayChange = async (handle: Handle, actor: Actor, experiment: string, photo: StoredPhoto) => {
    if (photo.origem === 'brapi' && photo.pessoa_id === actor.id) return
    await experiments.lockFor(handle, actor, 'plots.edit', experiment)
  }

  const seen = async (actor: Actor, experiment: string, id: string): Promise<StoredPhoto> => {
    await experiments.authorise(actor, 'experiment.history', experiment).catch(asPhoto)
    const photo = await photoOf(wall.for(actor), experiment, id)
    if (!photo) throw problem('photo.not_found')
    return photo
  }

  const read = async (photo: StoredPhoto): Promise<Buffer> => {
    if (photo.armazenado === null) throw problem('photo.not_found')
    const stream = await store.read(photo.armazenado).catch((cause: unknown) => {
      throw cause instanceof MissingDocument ? problem('photo.not_found', { cause }) : cause
    })
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks)
  }

  return {
    /**
     * One part of a phone's photo. What does not follow what has come is not taken: the answer says from where to go
     * on. The last one makes the picture; where that was cut off, a part without bytes asks for it again.
     * @throws photo.not_found, photo.taken_back, photo.invalid, photo.wrong_part, photo.plot_full, permission.denied,
     * share.received
     */
    async part(
      actor: Actor,
      { id: experiment, photo: id }: { id: string; photo: string },
      { from, bytes }: { from: number; bytes: Buffer },
    ): Promise<PhotoProgress> {
      if (actor.guest && actor.guest.experiment !== experiment.toLowerCase()) throw problem('photo.not_found')
      const got = await wall
        .for(actor)
        .transaction()
        .execute(async (handle) => {
          await experiments.lockFor(handle, actor, 'plots.collect', experiment).catch(asPhoto)
          const entry = await announced(handle, actor, experiment, id)
          if (!(await photoOf(handle, experiment, id))) await admit(handle, experiment, entry)
          const photo = await photoOf(handle, experiment, id)
          if (!photo) throw problem('photo.not_found')
          const whole = photo.tamanho_enviado ?? 0
          if (photo.armazenado !== null) return { photo, received: whole, whole: false }
          const before = await receivedOf(handle, experiment, id)
          if (from !== before) return { photo, received: before, whole: false }
          if (before + bytes.length > whole) throw problem('photo.wrong_part')
          if (bytes.length > 0) await addPart(handle, experiment, { id, from, bytes })
          const received = before + bytes.length
          return { photo, received, whole: received === whole }
        })
      const { photo, received } = got
      // Somebody else's request makes the picture: this one is asked again.
      const key = `${experiment} ${id}`
      if (!got.whole || finishing.has(key)) return progress(photo, received)
      finishing.add(key)
      try {
        return await finished(actor, experiment, photo)
      } finally {
        finishing.delete(key)
      }
    },

    /** All of them or none: told anew by another application, or for the first time; its bytes come by themselves. */
    async describe(actor: Actor, all: readonly { experiment: string; photo: NewPhoto }[]): Promise<void> {
      await wall
        .for(actor)
        .transaction()
        .execute(async (handle) => {
          // In one order, so that two who write to the same trials never wait for each other.
          for (const experiment of [...new Set(all.map((one) => one.experiment))].sort())
            await experiments.lockFor(handle, actor, 'plots.collect', experiment)
          for (const { experiment, photo } of all) {
            const held = await photoOf(handle, experiment, photo.id)
            if (!held) {
              await admit(handle, experiment, photo)
              continue
            }
            await mayChange(handle, actor, experiment, held)
            if (
              held.parcela !== photo.parcela &&
              (await countOfPlot(handle, experiment, photo.parcela)) >= MOST_PLOT_PHOTOS
            )
              throw problem('photo.plot_full')
            await describePhoto(handle, experiment, photo)
          }
        })
    },
    described: describedPhotos,
    byIds: photosByIds,

    /** Its bytes, in the place of those before. @throws photo.invalid, photo.too_large, photo.not_found */
    async replace(actor: Actor, experiment: string, id: string, bytes: Buffer): Promise<void> {
      if (bytes.length > PHOTO_MAX_BYTES) throw problem('photo.too_large')
      const handle = wall.for(actor)
      await experiments.authorise(actor, 'plots.collect', experiment)
      const photo = await photoOf(handle, experiment, id)
      if (!photo) throw problem('photo.not_found')
      await handle.transaction().execute((inside) => mayChange(inside, actor, experiment, photo))
      await name(actor, experiment, id, await kept(await inDarkroom(() => pictureOf(bytes), shareOf(actor))))
    },

    /** @throws experiment.not_found, share.received */
    async list(
      actor: Actor,
      experiment: string,
      { after, limit = PAGE }: { after: { quando: string; id: string } | null; limit?: number },
    ): Promise<{ fotos: Photo[]; total: number; next: { quando: string; id: string } | null }> {
      await experiments.authorise(actor, 'experiment.history', experiment)
      const handle = wall.for(actor)
      const rows = await photosOf(handle, experiment, { after, limit: limit + 1 })
      const shown = rows.slice(0, limit)
      const names = await namesOf(handle, [...new Set(shown.flatMap(({ pessoa_id }) => pessoa_id ?? []))])
      const last = rows.length > limit ? shown.at(-1) : undefined
      return {
        fotos: shown.map((row) => present(row, names)),
        total: await countPhotos(handle, experiment),
        next: last ? { quando: last.quando.toISOString(), id: last.id } : null,
      }
    },

    /** A whole one, with plot, time and place written into it. @throws photo.not_found */
    async open(actor: Actor, experiment: string, id: string): Promise<{ filename: string; bytes: Buffer }> {
      const photo = await seen(actor, experiment, id)
      return { filename: filenameOf(photo), bytes: withExif(await read(photo), photo) }
    },

    async small(actor: Actor, experiment: string, id: string): Promise<{ filename: string; bytes: Buffer }> {
      const photo = await seen(actor, experiment, id)
      const bytes = await smallPhoto(wall.for(actor), experiment, id)
      if (!bytes) throw problem('photo.not_found')
      return { filename: filenameOf(photo), bytes }
    },

    /** From where a whole one may be fetched without signing in, for an hour; null for one that is not whole. */
    signedUrl(photo: StoredPhoto): string | null {
      if (photo.armazenado === null) return null
      const ate = String(Math.ceil((Date.now() + LINK_MS) / LINK_STEP_MS) * LINK_STEP_MS)
      const query = new URLSearchParams({ ensaio: photo.experimento_id, ate, sinal: sign(photo, ate) })
      return `${siteUrl}/api/photos/${photo.id}?${query}`
    },
    /** @throws photo.not_found where it was not signed so, or is over, or is no more */
    async openSigned({ id, ensaio, ate, sinal }: Record<'id' | 'ensaio' | 'ate' | 'sinal', string>) {
      const wanted = Buffer.from(sign({ id, experimento_id: ensaio }, ate))
      const given = Buffer.from(sinal)
      if (given.length !== wanted.length || !timingSafeEqual(given, wanted) || Number(ate) < Date.now())
        throw problem('photo.not_found')
      const photo = await livingPhoto(owner, ensaio, id)
      if (!photo) throw problem('photo.not_found')
      return { filename: filenameOf(photo), bytes: withExif(await read(photo), photo) }
    },

    /** @throws photo.not_found, permission.denied, share.received */
    async remove(actor: Actor, experiment: string, id: string): Promise<void> {
      const stored = await wall
        .for(actor)
        .transaction()
        .execute(async (handle) => {
          await experiments.lockFor(handle, actor, 'plots.edit', experiment).catch(asPhoto)
          return deletePhoto(handle, experiment, id)
        })
      if (stored === undefined) throw problem('photo.not_found')
      if (stored !== null) await store.remove(stored)
    },

    /** Pictures go that entries have taken back; those of others stay, whatever an entry says. */
    async takeBack(actor: Actor, experiment: string, ids: readonly string[]): Promise<void> {
      const stored = await wall
        .for(actor)
        .transaction()
        .execute(async (handle) => {
          await experiments.lockFor(handle, actor, 'plots.collect', experiment)
          const files: string[] = []
          for (const id of ids) {
            if (!(await trials.cells.isTakenBack(handle, experiment, id))) continue
            const file = await deletePhoto(handle, experiment, id)
            if (file) files.push(file)
          }
          return files
        })
      for (const file of stored) await store.remove(file)
    },

    /** What a person's own pictures are of, for the export of their account; the pictures lie at their addresses. */
    async *takenBy(reader: Reader) {
      const handle = wall.for(reader)
      for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
        const page = await photosOfPerson(handle, { person: reader.id, after, limit: OWN_PAGE })
        for (const { experimento_id: experimento, id, numero, quando, posicao, descricao, coletor } of page)
          yield {
            ...{ experimento, id, parcela: numero, quando, posicao, descricao, coletor },
            endereco: `/api/experiments/${experimento}/photos/${id}`,
          }
        const last = page.at(-1)
        if (!last) return
        after = last.id
      }
    },

    /** Every whole photo of the acting organisation's own trials, for its export. */
    async *ownedBy(reader: Reader) {
      for (let after: string | null = null; ; ) {
        const rows = await ownPhotos(wall.for(reader), after, OWN_PAGE)
        yield* rows
        after = rows.at(-1)?.id ?? null
        if (rows.length < OWN_PAGE) return
      }
    },
    bytesOf: (armazenado: string) => store.read(armazenado),

    forget: () => forgetUnfinished(owner, WAIT_DAYS),
  }
}
export type Photos = ReturnType<typeof createPhotos>
export type { NewPhoto, StoredPhoto }

const filenameOf = ({ id, numero, quando }: StoredPhoto): string =>
  `parcela-${numero ?? 'removida'}-${quando.toISOString().slice(0, 10)}-${id.slice(-6)}.jpg`

const present = (row: StoredPhoto, names: ReadonlyMap<string, string | null>): Photo => ({
  ...{ id: row.id, parcela: row.parcela, numero: row.numero, variavel: row.variavel },
  ...{ avaliacao: row.avaliacao, descricao: row.descricao, quando: row.quando.toISOString() },
  quem: row.coletor ?? names.get(row.pessoa_id ?? '') ?? null,
  ...{ posicao: row.posicao, tamanho: row.tamanho ?? 0 },
  ...{ largura: row.largura ?? 0, altura: row.altura ?? 0 },
})
