import type { PhotoPlace } from '@ensaio/domain'
import { sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'

export interface StoredPhoto {
  experimento_id: string
  id: string
  pessoa_id: string | null
  origem: 'campo' | 'brapi'
  coletor: string | null
  parcela: string
  /** Null where the plot is no more. */
  numero: number | null
  variavel: string | null
  avaliacao: string | null
  quando: Date
  posicao: PhotoPlace | null
  descricao: string | null
  dados: Record<string, unknown>
  tamanho_enviado: number | null
  sha256_enviado: string | null
  armazenado: string | null
  sha256: string | null
  tamanho: number | null
  largura: number | null
  altura: number | null
}
export interface NewPhoto {
  id: string
  pessoa_id: string
  origem: 'campo' | 'brapi'
  coletor: string | null
  aparelho: string | null
  parcela: string
  variavel: string | null
  avaliacao: string | null
  quando: Date
  posicao: PhotoPlace | null
  descricao: string | null
  dados: Record<string, unknown>
  tamanho_enviado: number | null
  sha256_enviado: string | null
}
/** A picture that was made anew, and where it lies. */
export interface KeptPicture {
  armazenado: string
  sha256: string
  tamanho: number
  largura: number
  altura: number
  miniatura: Buffer
}

const COLUMNS = sql`
  f.experimento_id, f.id, f.pessoa_id, f.origem, f.coletor, f.parcela, p.numero, f.variavel, f.avaliacao, f.quando,
  f.posicao, f.descricao, f.dados, f.tamanho_enviado, f.sha256_enviado, f.armazenado, f.sha256, f.tamanho, f.largura,
  f.altura
`
const FROM = sql`
  from fotos f join visto.experimentos e on e.id = f.experimento_id and e.deleted_at is null
  left join parcelas p on p.id = f.parcela and p.experimento_id = f.experimento_id
`

export async function photoOf(handle: Handle, experiment: string, id: string): Promise<StoredPhoto | null> {
  const { rows } = await sql<StoredPhoto>`
    select ${COLUMNS} ${FROM} where f.experimento_id = ${experiment} and f.id = ${id}
  `.execute(handle)
  return rows[0] ?? null
}

/** The same for who asks by a signed address: nobody's right but the signer's. */
export async function livingPhoto(
  owner: Handle,
  experiment: string,
  id: string,
): Promise<StoredPhoto | null> {
  const { rows } = await sql<StoredPhoto>`
    select ${COLUMNS} from fotos f join experimentos e on e.id = f.experimento_id and e.deleted_at is null
    left join parcelas p on p.id = f.parcela and p.experimento_id = f.experimento_id
    where f.experimento_id = ${experiment} and f.id = ${id}
  `.execute(owner)
  return rows[0] ?? null
}

/** What there is of some trials, plots or ids, also what has no picture yet; the oldest first. */
export async function describedPhotos(
  handle: Handle,
  {
    trials,
    ids,
    units,
    limit,
  }: {
    /** Null: of all that are seen. */
    trials: readonly string[] | null
    ids: readonly string[] | null
    units: readonly string[] | null
    limit: number
  },
): Promise<StoredPhoto[]> {
  const { rows } = await sql<StoredPhoto>`
    select ${COLUMNS} ${FROM}
    where (${trials === null}::boolean or f.experimento_id = any (${[...(trials ?? [])]}::uuid[]))
      and (${ids === null}::boolean or f.id = any (${[...(ids ?? [])]}::uuid[]))
      and (${units === null}::boolean or f.parcela = any (${[...(units ?? [])]}::uuid[]))
    order by f.quando, f.id limit ${limit}
  `.execute(handle)
  return rows
}

/** A whole one, small. */
export async function smallPhoto(handle: Handle, experiment: string, id: string): Promise<Buffer | null> {
  const { rows } = await sql<{ miniatura: Buffer | null }>`
    select f.miniatura from fotos f join visto.experimentos e on e.id = f.experimento_id and e.deleted_at is null
    where f.experimento_id = ${experiment} and f.id = ${id}
  `.execute(handle)
  return rows[0]?.miniatura ?? null
}

/** Photos by their ids, whichever trials they are of. */
export async function photosByIds(handle: Handle, ids: readonly string[]): Promise<StoredPhoto[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<StoredPhoto>`
    select ${COLUMNS} ${FROM} where f.id = any (${[...ids]}::uuid[])
  `.execute(handle)
  return rows
}

/** A person's own, whole ones, behind an id. */
export async function photosOfPerson(
  handle: Handle,
  { person, after, limit }: { person: string; after: string; limit: number },
): Promise<StoredPhoto[]> {
  const { rows } = await sql<StoredPhoto>`
    select ${COLUMNS} ${FROM}
    where f.pessoa_id = ${person} and f.armazenado is not null and f.id > ${after} order by f.id limit ${limit}
  `.execute(handle)
  return rows
}

/** Those of a plot, whole or still coming; a photo that is only described counts. */
export async function countOfPlot(handle: Handle, experiment: string, plot: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from fotos f where f.experimento_id = ${experiment} and f.parcela = ${plot}
  `.execute(handle)
  return rows[0]?.n ?? 0
}

/** Bytes that a device has announced or brought within a day. */
export async function bytesOfDay(
  handle: Handle,
  { person, device }: { person: string; device: string },
): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(coalesce(f.tamanho_enviado, f.tamanho)), 0)::float8 as bytes from fotos f
    where f.pessoa_id = ${person} and f.criada_em > now() - interval '1 day' and f.aparelho = ${device}
  `.execute(handle)
  return rows[0]?.bytes ?? 0
}

/** Whole ones of a trial, the newest first, from behind one. */
export async function photosOf(
  handle: Handle,
  experiment: string,
  { after, limit }: { after: { quando: string; id: string } | null; limit: number },
): Promise<StoredPhoto[]> {
  const { rows } = await sql<StoredPhoto>`
    select ${COLUMNS} ${FROM}
    where f.experimento_id = ${experiment} and f.armazenado is not null
      and (${after === null}::boolean or (f.quando, f.id) < (${after?.quando ?? null}::timestamptz, ${after?.id ?? null}::uuid))
    order by f.quando desc, f.id desc limit ${limit}
  `.execute(handle)
  return rows
}
export async function countPhotos(handle: Handle, experiment: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from fotos f where f.experimento_id = ${experiment} and f.armazenado is not null
  `.execute(handle)
  return rows[0]?.n ?? 0
}

/** Nothing where it is there already. */
export async function addPhoto(handle: Handle, experiment: string, photo: NewPhoto): Promise<void> {
  await sql`
    insert into fotos (experimento_id, id, pessoa_id, origem, coletor, aparelho, parcela, variavel, avaliacao, quando,
      posicao, descricao, dados, tamanho_enviado, sha256_enviado)
    values (${experiment}, ${photo.id}, ${photo.pessoa_id}, ${photo.origem}, ${photo.coletor}, ${photo.aparelho},
      ${photo.parcela}, ${photo.variavel}, ${photo.avaliacao}, ${photo.quando}, ${JSON.stringify(photo.posicao)}::jsonb,
      ${photo.descricao}, ${JSON.stringify(photo.dados)}::jsonb, ${photo.tamanho_enviado}, ${photo.sha256_enviado})
    on conflict do nothing
  `.execute(handle)
}

/** What another application says of one anew. */
export async function describePhoto(
  handle: Handle,
  experiment: string,
  photo: Pick<NewPhoto, 'id' | 'parcela' | 'quando' | 'posicao' | 'descricao' | 'dados'>,
): Promise<void> {
  await sql`
    update fotos set parcela = ${photo.parcela}, quando = ${photo.quando},
      posicao = ${JSON.stringify(photo.posicao)}::jsonb, descricao = ${photo.descricao},
      dados = ${JSON.stringify(photo.dados)}::jsonb
    where experimento_id = ${experiment} and id = ${photo.id}
  `.execute(handle)
}

/** Bytes that have come of one. */
export async function receivedOf(handle: Handle, experiment: string, id: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select coalesce(sum(length(t.conteudo)), 0)::integer as n from fotos_partes t
    where t.experimento_id = ${experiment} and t.foto_id = ${id}
  `.execute(handle)
  return rows[0]?.n ?? 0
}
export async function addPart(
  handle: Handle,
  experiment: string,
  { id, from, bytes }: { id: string; from: number; bytes: Buffer },
): Promise<void> {
  await sql`
    insert into fotos_partes (experimento_id, foto_id, de, conteudo) values (${experiment}, ${id}, ${from}, ${bytes})
  `.execute(handle)
}
export async function partsOf(handle: Handle, experiment: string, id: string): Promise<Buffer[]> {
  const { rows } = await sql<{ conteudo: Buffer }>`
    select t.conteudo from fotos_partes t where t.experimento_id = ${experiment} and t.foto_id = ${id} order by t.de
  `.execute(handle)
  return rows.map(({ conteudo }) => conteudo)
}
export async function dropParts(handle: Handle, experiment: string, id: string): Promise<void> {
  await sql`delete from fotos_partes where experimento_id = ${experiment} and foto_id = ${id}`.execute(handle)
}

/** The picture of one; the name of the one before, for its file to go. */
export async function keepPicture(
  handle: Handle,
  experiment: string,
  { id, ...picture }: KeptPicture & { id: string },
): Promise<{ before: string | null } | null> {
  const { rows } = await sql<{ before: string | null }>`
    update fotos f set armazenado = ${picture.armazenado}, sha256 = ${picture.sha256}, tamanho = ${picture.tamanho},
      largura = ${picture.largura}, altura = ${picture.altura}, miniatura = ${picture.miniatura}
    from (select b.armazenado from fotos b where b.experimento_id = ${experiment} and b.id = ${id} for update) b
    where f.experimento_id = ${experiment} and f.id = ${id}
    returning b.armazenado as before
  `.execute(handle)
  return rows[0] ?? null
}

/** Returns the stored name, for the file to follow; undefined where there is no such photo. */
export async function deletePhoto(
  handle: Handle,
  experiment: string,
  id: string,
): Promise<string | null | undefined> {
  const { rows } = await sql<{ armazenado: string | null }>`
    delete from fotos where experimento_id = ${experiment} and id = ${id} returning armazenado
  `.execute(handle)
  return rows[0]?.armazenado
}

/** Those whose picture has not come for so long. */
export async function forgetUnfinished(owner: Handle, days: number): Promise<void> {
  await sql`
    delete from fotos where armazenado is null and criada_em < now() - make_interval(days => ${days}::integer)
  `.execute(owner)
}

/** Whole photos of the acting organisation's own living trials, by id, after one. */
export async function ownPhotos(
  handle: Handle,
  after: string | null,
  limit: number,
): Promise<{ id: string; armazenado: string; experimento_id: string }[]> {
  const { rows } = await sql<{ id: string; armazenado: string; experimento_id: string }>`
    select f.id, f.armazenado, f.experimento_id
    from fotos f join visto.experimentos e on e.id = f.experimento_id and e.deleted_at is null
    where e.organizacao_id = (select organizacao_atual()) and f.armazenado is not null
      and (${after === null}::boolean or f.id > ${after}::uuid)
    order by f.id limit ${limit}
  `.execute(handle)
  return rows
}
