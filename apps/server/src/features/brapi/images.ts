import { type PhotoPlace, problem } from '@ensaio/domain'
import { type ImageWords, presentImage, type Status } from '@ensaio/domain/brapi'
import { validate as isUuid, v4 as randomId, v5 as uuidOf } from 'uuid'
import { z } from 'zod'
import type { Handle } from '../../database/handle.ts'
import type { Actor } from '../../http/contract-routes.ts'
import type { NewPhoto, Photos, StoredPhoto } from '../photos/photos.service.ts'
import { type Asked, onPage, passes, studiesFor } from './asked.ts'
import { unitPage } from './brapi.repository.ts'
import { BrapiError } from './brapi-error.ts'
import type { Found } from './cores.ts'
import type { World } from './world.ts'

const MOST_IMAGES = 20_000
const MOST_RECORDS = 500
/** Of ids of what is described by other applications: the same sent again has the same. */
const NAMESPACE = '5b0b6f34-0f0e-5f0a-9c86-0d7b1d3a9f21'
const NAMES: Readonly<Record<string, string>> = {
  descriptiveOntologyTerm: 'descriptiveOntologyTerms',
  observationDbId: 'observationDbIds',
}
/** Bounds of a search, by the property that they bound. */
const BOUNDS: Readonly<Record<string, 'imageFileSize' | 'imageHeight' | 'imageWidth'>> = {
  ...{ imageFileSizeMin: 'imageFileSize', imageFileSizeMax: 'imageFileSize' },
  ...{ imageHeightMin: 'imageHeight', imageHeightMax: 'imageHeight' },
  ...{ imageWidthMin: 'imageWidth', imageWidthMax: 'imageWidth' },
}
const TIMES = ['imageTimeStampRangeStart', 'imageTimeStampRangeEnd']

const word = z.string().max(500).nullish()
const Words = z.object({
  additionalInfo: z.record(z.string().max(200), z.unknown()).nullish(),
  copyright: word,
  description: z.string().max(500).nullish(),
  descriptiveOntologyTerms: z.array(z.string().max(200)).max(50).nullish(),
  externalReferences: z
    .array(z.record(z.string().max(100), z.unknown()))
    .max(20)
    .nullish(),
  imageFileName: word,
  imageLocation: z
    .object({
      geometry: z.object({ type: z.string(), coordinates: z.array(z.unknown()).max(1000) }).nullish(),
    })
    .nullish(),
  imageName: word,
  imageTimeStamp: z.string().max(60).nullish(),
  observationDbIds: z.array(z.uuid()).max(100).nullish(),
  observationUnitDbId: z.string().max(100).nullish(),
})
const LONGEST_WORDS = 16_000
const Point = z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)]).rest(z.number())

/** Photos of plots, as BrAPI has them. */
export function createImages({
  handleOf,
  photos,
  mayBring,
}: {
  handleOf(actor: Actor): Handle
  photos: Photos
  mayBring(person: string): Promise<void>
}) {
  const told = (photo: StoredPhoto) =>
    presentImage({ ...photo, dados: photo.dados as ImageWords, url: photos.signedUrl(photo) })

  const list = async (world: World, asked: Asked): Promise<Found> => {
    const { filters } = asked
    const studies = studiesFor(world.studies, asked)
    const ids = filters.get('imageDbId')?.filter((id) => isUuid(id)) ?? null
    const units = filters.get('observationUnitDbId')?.filter((id) => isUuid(id)) ?? null
    const rows = await photos.described(world.handle, {
      trials: world.whole && studies.length === world.studies.length ? null : studies.map(({ id }) => id),
      ...{ ids, units, limit: MOST_IMAGES + 1 },
    })
    if (rows.length > MOST_IMAGES)
      throw new BrapiError(413, 'Há imagens demais para esta chamada; informe observationUnitDbId')
    const [from, to] = TIMES.map((name) => filters.get(name)?.[0])
    const renamed = new Map([...filters].map(([name, values]) => [NAMES[name] ?? name, values]))
    const records = rows.map(told).filter((record) => {
      const time = Date.parse(record.imageTimeStamp)
      return (
        passes(referenced(record), { ...asked, filters: renamed }, [...Object.keys(BOUNDS), ...TIMES]) &&
        [...filters].every(([name, [bound]]) => {
          const of = BOUNDS[name]
          const size = of ? record[of] : null
          return (
            !of || (size !== null && (name.endsWith('Min') ? size >= Number(bound) : size <= Number(bound)))
          )
        }) &&
        (from === undefined || time >= Date.parse(from)) &&
        (to === undefined || time < Date.parse(to))
      )
    })
    return { rows: onPage(records, asked), total: records.length }
  }

  /** What was sent, for its plot. @throws BrapiError that names the record */
  const read = (actor: Actor, given: unknown, at: number, held: StoredPhoto | null) => {
    const parsed = Words.safeParse(given)
    const wrong = (field: string) => new BrapiError(400, `Registro ${at + 1}: valor inválido em ${field}`)
    if (!parsed.success) throw wrong(parsed.error.issues[0]?.path.join('.') || 'imagem')
    const { data } = parsed
    const time = data.imageTimeStamp ? Date.parse(data.imageTimeStamp) : Date.now()
    if (Number.isNaN(time) || Math.abs(time) > 4e15) throw wrong('imageTimeStamp')
    const unit = data.observationUnitDbId ?? held?.parcela ?? null
    if (unit === null || !isUuid(unit)) throw wrong('observationUnitDbId')
    const point = Point.safeParse(data.imageLocation?.geometry?.coordinates)
    const dados: ImageWords = {
      ...(data.imageName != null && { imageName: data.imageName }),
      ...(data.imageFileName != null && { imageFileName: data.imageFileName }),
      ...(data.copyright != null && { copyright: data.copyright }),
      ...(data.descriptiveOntologyTerms && { descriptiveOntologyTerms: data.descriptiveOntologyTerms }),
      ...(data.externalReferences && { externalReferences: data.externalReferences }),
      ...(data.additionalInfo && { additionalInfo: data.additionalInfo }),
      ...(data.observationDbIds && { observationDbIds: data.observationDbIds }),
    }
    if (JSON.stringify(dados).length > LONGEST_WORDS) throw wrong('additionalInfo')
    const named = data.imageTimeStamp != null || data.imageFileName != null
    const same = [actor.id, unit, data.imageName, data.imageFileName, data.imageTimeStamp]
    const posicao: PhotoPlace | null = point.success
      ? { lng: point.data[0], lat: point.data[1], precisao_m: null, quando: null }
      : (held?.posicao ?? null)
    const photo: NewPhoto = {
      id: held?.id ?? (named ? uuidOf(JSON.stringify(same), NAMESPACE) : randomId()),
      ...{ pessoa_id: actor.id, origem: 'brapi', coletor: null, aparelho: null },
      ...{ parcela: unit, variavel: held?.variavel ?? null, avaliacao: held?.avaliacao ?? null },
      quando: held && data.imageTimeStamp == null ? held.quando : new Date(time),
      posicao,
      descricao: data.description ?? held?.descricao ?? null,
      dados: { ...held?.dados, ...dados },
      ...{ tamanho_enviado: null, sha256_enviado: null },
    }
    return photo
  }

  /** @param of the trial of one that is there already */
  const store = async (actor: Actor, given: readonly NewPhoto[], of: string | null): Promise<unknown[]> => {
    const ids = [...new Set(given.map(({ parcela }) => parcela))]
    const { rows } = await unitPage(handleOf(actor), {
      ...{ studies: null, ids, names: null, offset: 0, limit: ids.length + 1 },
    })
    const trialOf = new Map(rows.map((row) => [row.id, row.experimento_id]))
    const placed = given.map((photo, at) => {
      const experiment = trialOf.get(photo.parcela)
      // A photo stays in its trial.
      if (!experiment || (of !== null && experiment !== of))
        throw new BrapiError(400, `Registro ${at + 1}: a parcela não existe`)
      return { experiment, photo }
    })
    await photos.describe(actor, placed)
    const kept = await photos.byIds(
      handleOf(actor),
      given.map(({ id }) => id),
    )
    const byId = new Map(kept.map((row) => [row.id, row]))
    return given.flatMap(({ id }) => {
      const row = byId.get(id)
      return row ? [told(row)] : []
    })
  }

  const held = async (actor: Actor, id: string): Promise<StoredPhoto> => {
    const [photo] = isUuid(id) ? await photos.byIds(handleOf(actor), [id]) : []
    if (!photo) throw problem('request.not_found')
    return photo
  }

  return {
    list,

    /** Of which trials photos are, so that no others are read; none for what is no photo. */
    async trialsOf(actor: Actor, id: string): Promise<string[]> {
      const rows = isUuid(id) ? await photos.byIds(handleOf(actor), [id]) : []
      return rows.map(({ experimento_id }) => experimento_id)
    },

    async write(
      { path, id }: { path: string; id: string | null },
      actor: Actor,
      body: unknown,
    ): Promise<{ rows: unknown[]; status: Status[] }> {
      if (id === null) {
        if (!Array.isArray(body)) throw new BrapiError(400, 'O corpo é uma lista de imagens')
        if (body.length > MOST_RECORDS)
          throw new BrapiError(413, `Envie no máximo ${MOST_RECORDS} imagens por vez`)
        return {
          rows: await store(
            actor,
            body.map((one, at) => read(actor, one, at, null)),
            null,
          ),
          status: [],
        }
      }
      const photo = await held(actor, id)
      if (path.endsWith('/imagecontent')) {
        if (!Buffer.isBuffer(body)) throw problem('photo.invalid')
        await mayBring(actor.id)
        await photos.replace(actor, photo.experimento_id, photo.id, body)
        return { rows: [told(await held(actor, id))], status: [] }
      }
      const rows = await store(actor, [read(actor, body, 0, photo)], photo.experimento_id)
      return { rows, status: [] }
    },
  }
}
export type BrapiImages = ReturnType<typeof createImages>

/** With what references are found by. */
const referenced = (record: ReturnType<typeof presentImage>) => {
  const ids = record.externalReferences.map((one) => one.referenceId ?? one.referenceID)
  return {
    ...record,
    ...{ externalReferenceId: ids, externalReferenceID: ids },
    externalReferenceSource: record.externalReferences.map((one) => one.referenceSource),
  }
}
