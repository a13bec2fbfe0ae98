import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import piexif from 'piexifjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pictureHead } from '../../jobs/picture-head.ts'
import { pictureOf } from '../../jobs/pictures.ts'
import { type Person, startTestServer, type TestServer } from '../../test-server.ts'
import { asking } from '../trials/test-trials.ts'
import { forgetUnfinished } from './photos.repository.ts'
import { pngOf } from './test-pictures.ts'

let server: TestServer
let ana: Person
let lia: Person
let photo: Buffer
beforeAll(async () => {
  server = await startTestServer()
  ana = await server.person({ name: 'Ana Prado' })
  lia = await server.person({ name: 'Lia Reis' })
  await sql`update membros set papel = 'leitor' where pessoa_id = ${lia.id}`.execute(server.handle)
  const made = await pictureOf(pngOf(1600, 1200))
  // Behind the end of a JPEG may stand anything; it makes this one longer than a part.
  photo = Buffer.concat([Buffer.from(made?.jpeg ?? []), randomBytes(600_000)])
})
afterAll(() => server.stop())

const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const PART = 256 * 1024
const PLACE = { lat: -12.5, lng: -55.25, precisao_m: 4, quando: '2026-03-12T12:00:00-03:00' }

async function planted() {
  const of = asking(server, ana)
  const id = await of.planted({})
  const pack = await of.done(of.call('GET', `/api/experiments/${id}/field-package`))
  return { id, pack }
}
type Planted = Awaited<ReturnType<typeof planted>>

/** One phone, which says of a photo that there is one before it sends it. */
function phone({ id, pack }: Planted, token = ana.token) {
  const aparelho = randomUUID()
  let seq = 0
  const announce = async (bytes: Buffer, given: Record<string, unknown> = {}) => {
    seq += 1
    const entry = {
      ...{ v: 1, id: randomUUID(), aparelho, seq, experimento: id, pacote: pack.versao, tipo: 'foto' },
      ...{ parcela: pack.parcelas[0].id, valor: null, quando: '2026-03-12T12:00:00-03:00', posicao: PLACE },
      arquivo: { sha256: sha(bytes), tamanho: bytes.length },
      ...given,
    }
    const { body } = await server.call('POST', '/api/field/changes', {
      token,
      body: { aparelho, registros: [entry] },
    })
    return { entry, result: body.resultados?.[0] }
  }
  const part = (entry: string, bytes: Buffer, de: number | string, by = token) => {
    const form = new FormData()
    form.set('de', String(de))
    form.set('parte', new Blob([new Uint8Array(bytes)]), 'parte')
    return server.call('PUT', `/api/experiments/${id}/photos/${entry}/part`, { token: by, body: form })
  }
  const whole = async (entry: string, bytes: Buffer) => {
    let answer = await part(entry, Buffer.alloc(0), 0)
    for (let de = 0; de < bytes.length; de += PART)
      answer = await part(entry, bytes.subarray(de, de + PART), de)
    return answer
  }
  return { announce, part, whole, aparelho }
}
const listed = async (id: string, token = ana.token) =>
  (await server.call('GET', `/api/experiments/${id}/photos`, { token })).body
const fetched = (id: string, entry: string, token = ana.token) =>
  server.call('GET', `/api/experiments/${id}/photos/${entry}`, { token })

describe('a photo of a plot', () => {
  test('comes in parts that go on where they stopped, and is made anew with plot, time and place', async () => {
    const trial = await planted()
    const { announce, part } = phone(trial)
    const { entry, result } = await announce(photo)
    expect(result.estado).toBe('aplicado')
    expect((await part(entry.id, photo.subarray(0, PART), 0)).body).toEqual({
      ...{ recebido: PART, pronto: false, sha256: null },
    })
    // Sent again, out of order, or from too far on: the answer says from where to go on, and nothing is taken twice.
    for (const de of [0, 2 * PART])
      expect((await part(entry.id, photo.subarray(0, PART), de)).body.recebido).toBe(PART)
    expect((await listed(trial.id)).fotos).toEqual([])
    await part(entry.id, photo.subarray(PART, 2 * PART), PART)
    const last = await part(entry.id, photo.subarray(2 * PART), 2 * PART)
    expect(last.body).toEqual({ recebido: photo.length, pronto: true, sha256: sha(photo) })
    // The answer was lost: the same again.
    expect((await part(entry.id, photo.subarray(2 * PART), 2 * PART)).body).toEqual(last.body)

    const { fotos, total } = await listed(trial.id)
    expect(total).toBe(1)
    expect(fotos[0]).toMatchObject({
      ...{ id: entry.id, numero: 101, quem: 'Ana Prado', quando: '2026-03-12T15:00:00.000Z' },
      ...{ largura: 1600, altura: 1200, posicao: { lat: -12.5, lng: -55.25 } },
    })
    const answer = await fetched(trial.id, entry.id)
    expect(answer.headers.get('content-type')).toBe('image/jpeg')
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename=parcela-101-2026-03-12/)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    const { bytes } = answer
    expect(bytes.length).toBeLessThan(100_000)
    const small = await server.call('GET', `/api/experiments/${trial.id}/photos/${entry.id}?pequena=1`, {
      token: ana.token,
    })
    expect(pictureHead(small.bytes)).toMatchObject({ width: 320, height: 240 })
    const exif = piexif.load(bytes.toString('latin1'))
    expect(exif['0th']?.[piexif.ImageIFD.ImageDescription]).toBe('Parcela 101')
    expect(exif.Exif?.[piexif.ExifIFD.DateTimeOriginal]).toBe('2026:03:12 12:00:00')
    expect(exif.GPS?.[piexif.GPSIFD.GPSLatitudeRef]).toBe('S')
    expect(exif.GPS?.[piexif.GPSIFD.GPSLatitude]).toEqual([
      [12, 1],
      [30, 1],
      [0, 100],
    ])
  })

  test('that was damaged on the way is sent from its beginning; what is no picture is refused', async () => {
    const trial = await planted()
    const { announce, part, whole } = phone(trial)
    const { entry } = await announce(photo)
    const damaged = Buffer.from(photo)
    damaged[5000] = (damaged[5000] ?? 0) ^ 1
    expect((await whole(entry.id, damaged)).body).toEqual({ recebido: 0, pronto: false, sha256: null })
    expect((await whole(entry.id, photo)).body.pronto).toBe(true)

    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    const bomb = pngOf(8, 8)
    bomb.writeUInt32BE(100_000, 16)
    for (const bytes of [svg, bomb, Buffer.from('ftypheic'), photo.subarray(0, 200)]) {
      const { entry: bad } = await announce(bytes)
      const answer = await whole(bad.id, bytes)
      expect([answer.status, answer.body.detail]).toEqual([415, 'Envie JPEG, PNG ou WebP'])
    }
    const vast = pngOf(8, 8)
    vast.writeUInt32BE(6000, 16)
    vast.writeUInt32BE(6000, 20)
    const { entry: large } = await announce(vast)
    const refused = await whole(large.id, vast)
    expect([refused.status, refused.body.detail]).toEqual([422, 'A foto passa de 25 megapixels'])
    const { entry: longer } = await announce(photo.subarray(0, 100))
    expect((await part(longer.id, photo.subarray(0, 200), 0)).status).toBe(422)
    expect((await part(longer.id, Buffer.alloc(PART + 1), 0)).status).toBe(413)
    expect((await part(longer.id, Buffer.alloc(10), 'x')).status).toBe(422)
    expect((await listed(trial.id)).total).toBe(1)
  })

  test('asked for by two at once is made once, and one that is no picture leaves nothing behind', async () => {
    const trial = await planted()
    const { announce, part, whole } = phone(trial)
    const { entry } = await announce(photo)
    for (let de = 0; de + PART < photo.length; de += PART)
      await part(entry.id, photo.subarray(de, de + PART), de)
    const rest = Math.floor(photo.length / PART) * PART
    await Promise.all([0, 1, 2, 3].map(() => part(entry.id, photo.subarray(rest), rest)))
    await expect
      .poll(async () => (await part(entry.id, Buffer.alloc(0), photo.length)).body.pronto, {
        timeout: 10_000,
      })
      .toBe(true)
    expect((await listed(trial.id)).total).toBe(1)
    const junk = randomBytes(1000)
    const { entry: bad } = await announce(junk)
    expect((await whole(bad.id, junk)).status).toBe(415)
    expect((await part(bad.id, Buffer.alloc(0), 0)).body.recebido).toBe(0)
  })

  test('is nobody else’s to send, and seen by its organisation alone', async () => {
    const trial = await planted()
    const { announce, part, whole } = phone(trial)
    const { entry } = await announce(photo)
    const bruno = await server.person({ name: 'Bruno Reis', role: 'admin' })
    await sql`update membros set papel = 'dono' where pessoa_id = ${bruno.id}`.execute(server.handle)
    // One who may record there all the same, but did not announce it.
    expect((await part(entry.id, photo.subarray(0, PART), 0, bruno.token)).status).toBe(404)
    expect((await part(entry.id, photo.subarray(0, PART), 0, lia.token)).status).toBe(403)
    expect((await part(randomUUID(), photo.subarray(0, PART), 0)).status).toBe(404)
    await whole(entry.id, photo)
    expect((await listed(trial.id, lia.token)).total).toBe(1)
    const path = `/api/experiments/${trial.id}/photos/${entry.id}`
    expect((await server.call('DELETE', path, { token: lia.token })).status).toBe(403)
    expect((await server.call('DELETE', path, { token: ana.token })).status).toBe(204)
    expect((await server.call('DELETE', path, { token: ana.token })).status).toBe(404)
    expect((await listed(trial.id)).total).toBe(0)
  })

  test('is taken back by who took it: its picture goes, and what comes of it later is refused', async () => {
    const trial = await planted()
    const { announce, part, whole } = phone(trial)
    const undo = (of: { id: string }, by = announce) =>
      by(Buffer.alloc(0), { valor: null, arquivo: null, base: of.id })
    const { entry } = await announce(photo)
    await whole(entry.id, photo)
    const lies = () =>
      readdirSync(join(server.dataDir, 'documents'), { recursive: true }).filter((name) =>
        String(name).endsWith('.jpg'),
      )
    expect((await listed(trial.id)).total).toBe(1)
    const before = lies().length
    expect((await undo(entry)).result.estado).toBe('aplicado')
    expect((await listed(trial.id)).total).toBe(0)
    expect(lies()).toHaveLength(before - 1)
    expect((await fetched(trial.id, entry.id)).status).toBe(404)
    // Sent again, the same photo stays away; the answer ends it on the phone.
    expect((await part(entry.id, photo.subarray(0, PART), 0)).body.code).toBe('photo.taken_back')
    // Both stand in the history.
    const { body } = await server.call('GET', `/api/experiments/${trial.id}/field-changes`, {
      token: ana.token,
    })
    const photos = body.registros.filter(({ tipo }: { tipo: string }) => tipo === 'foto')
    expect(photos.map(({ base }: { base: string | null }) => base)).toEqual([null, entry.id])

    // One of which a part has come.
    const half = await announce(photo)
    await part(half.entry.id, photo.subarray(0, PART), 0)
    await undo(half.entry)
    expect((await part(half.entry.id, photo.subarray(PART, 2 * PART), PART)).body.code).toBe(
      'photo.taken_back',
    )

    // By somebody else who may record there it stays.
    const bruno = await server.person({ name: 'Bruno Reis', role: 'admin' })
    await sql`update membros set papel = 'dono' where pessoa_id = ${bruno.id}`.execute(server.handle)
    const third = await announce(photo)
    await whole(third.entry.id, photo)
    expect((await undo(third.entry, phone(trial, bruno.token).announce)).result.estado).toBe('aplicado')
    expect((await listed(trial.id)).total).toBe(1)
    // A photo that is none and takes none back is no entry.
    const nothing = await announce(Buffer.alloc(0), { arquivo: null })
    expect(nothing.result.estado).toBe('recusado')
  })

  test('is one of 20 of a plot, and of 10 MB at most', async () => {
    const trial = await planted()
    const { announce, part } = phone(trial)
    for (let n = 0; n < 20; n += 1) {
      const { entry } = await announce(photo)
      expect((await part(entry.id, photo.subarray(0, 10), 0)).status).toBe(200)
    }
    const { entry } = await announce(photo)
    const answer = await part(entry.id, photo.subarray(0, 10), 0)
    expect([answer.status, answer.body.detail]).toEqual([422, 'Uma parcela guarda no máximo 20 fotos'])
    const { entry: large } = await announce(photo, {
      parcela: trial.pack.parcelas[1].id,
      arquivo: { sha256: sha(photo), tamanho: 11_000_000 },
    })
    expect((await part(large.id, photo.subarray(0, 10), 0)).status).toBe(413)
  })

  test('is turned as its camera says, loses what else came with it, and is never larger than 3,000 pixels', async () => {
    const upright = await pictureOf(pngOf(400, 300))
    const sideways = piexif.insert(
      piexif.dump({
        '0th': { [piexif.ImageIFD.Orientation]: 6, [piexif.ImageIFD.Make]: 'Câmera de alguém' },
        GPS: { [piexif.GPSIFD.GPSLatitudeRef]: 'N' },
      }),
      Buffer.from(upright?.jpeg ?? []).toString('latin1'),
    )
    const turned = await pictureOf(Buffer.from(sideways, 'latin1'))
    expect([turned?.largura, turned?.altura]).toEqual([300, 400])
    expect(Buffer.from(turned?.jpeg ?? []).toString('latin1')).not.toMatch(/Exif|alguém/)
    const large = await pictureOf(pngOf(3600, 1800))
    expect([large?.largura, large?.altura]).toEqual([3000, 1500])
    expect(pictureHead(Buffer.from(large?.jpeg ?? []))).toMatchObject({ width: 3000, height: 1500 })
  })
})

test('a photo whose picture does not come for a week is not waited for, and its parts go', async () => {
  const trial = await planted()
  const { announce, part, whole } = phone(trial)
  const { entry } = await announce(photo)
  await part(entry.id, photo.subarray(0, PART), 0)
  await sql`update fotos set criada_em = now() - interval '8 days' where id = ${entry.id}`.execute(
    server.handle,
  )
  await forgetUnfinished(server.handle, 7)
  const { rows } = await sql`select from fotos_partes where foto_id = ${entry.id}`.execute(server.handle)
  expect(rows).toEqual([])
  // Its phone comes back all the same.
  expect((await whole(entry.id, photo)).body.pronto).toBe(true)
})

test('files of photos that are deleted go, and no sweep takes those that are there', async () => {
  const files = () =>
    readdirSync(join(server.dataDir, 'documents'), { recursive: true }).filter((name) =>
      String(name).endsWith('.jpg'),
    )
  const trial = await planted()
  const { announce, whole } = phone(trial)
  const before = files()
  const { entry } = await announce(photo)
  await whole(entry.id, photo)
  expect(files()).toHaveLength(before.length + 1)
  const path = `/api/experiments/${trial.id}/photos/${entry.id}`
  await server.call('DELETE', path, { token: ana.token })
  expect(files()).toHaveLength(before.length)
})

test('who takes their account along has their entries and the addresses of their photos, and nobody else has them', async () => {
  const place = await planted()
  const { announce, whole } = phone(place)
  const { entry } = await announce(photo)
  await whole(entry.id, photo)
  const exported = async (token: string) =>
    (await server.call('GET', '/api/profile/export', { token })).body as Record<string, { id: string }[]>
  const own = await exported(ana.token)
  expect(own['registros_de_campo']).toContainEqual(
    expect.objectContaining({ experimento: place.id, id: entry.id, tipo: 'foto' }),
  )
  const taken = own['fotos']?.find(({ id }) => id === entry.id) as { endereco?: string } | undefined
  const file = await fetch(`${server.url}${taken?.endereco}`, {
    headers: { authorization: `Bearer ${ana.token}` },
  })
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  const others = await exported(lia.token)
  expect([others['registros_de_campo'], others['fotos']]).toEqual([[], []])
})
