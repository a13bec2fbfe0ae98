import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startTestServer, type TestServer } from '../../test-server.ts'
import { asking, sheet } from '../trials/test-trials.ts'

let server: TestServer
let ana: Person
beforeAll(async () => {
  server = await startTestServer()
  ana = await server.person({ name: 'Ana Prado' })
})
afterAll(() => server.stop())

interface Plot {
  numero: number
  tratamento: string
  nome: string | null
}

test('assessed blind, phones get letters in no order that tells; the editor sees which is which', async () => {
  const of = asking(server, ana)
  const id = await of.planted({ parcelas: [...sheet().parcelas].reverse(), valores: [] })
  const pack = () => of.done(of.call('GET', `/api/experiments/${id}/field-package`))
  const open = await pack()
  expect(open.parcelas.every(({ nome }: Plot) => nome !== null)).toBe(true)
  const settings = `/api/experiments/${id}/field-settings`
  const { as_cegas, letras } = await of.done(of.call('PUT', settings, { as_cegas: true }))
  expect(as_cegas).toBe(true)
  const blind = await pack()
  const names = letras.map(({ nome }: { nome: string }) => nome)
  expect(names.length).toBeGreaterThan(1)
  for (const name of names) expect(JSON.stringify(blind)).not.toContain(name)
  const letterOf = new Map(
    letras.map((one: { tratamento: number; letra: string }) => [`T${one.tratamento}`, one.letra]),
  )
  const byNumber = new Map(open.parcelas.map((plot: Plot) => [plot.numero, letterOf.get(plot.tratamento)]))
  expect(new Map(blind.parcelas.map((plot: Plot) => [plot.numero, plot.tratamento]))).toEqual(byNumber)
  const numbers = blind.parcelas.map(({ numero }: Plot) => numero)
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
  expect(await of.done(of.call('GET', settings))).toMatchObject({ as_cegas: true, letras })
})

test('the letters of a trial are for who edits it alone', async () => {
  const of = asking(server, ana)
  const id = await of.planted({})
  const reader = await server.person({ name: 'Lia Reis' })
  await sql`update membros set papel = 'leitor' where pessoa_id = ${reader.id}`.execute(server.handle)
  const answer = await server.call('GET', `/api/experiments/${id}/field-settings`, { token: reader.token })
  expect(answer.status).toBe(403)
})

test('who may not change a blind trial gets letters over BrAPI, and no control is told', async () => {
  const of = asking(server, ana)
  const id = await of.planted({})
  const reader = await server.person({ name: 'Rui Leal' })
  await sql`update membros set papel = 'leitor' where pessoa_id = ${reader.id}`.execute(server.handle)
  const units = async (person: Person) =>
    (await server.call('GET', `/brapi/v2/observationunits?studyDbId=${id}`, { token: person.token })).body
      .result.data as { observationUnitPosition: { entryType: string }; treatments: { modality: string }[] }[]
  const named = await units(reader)
  expect(named.map(({ treatments }) => treatments[0]?.modality)).toContain('T1 - Testemunha')
  const { letras } = await of.done(
    of.call('PUT', `/api/experiments/${id}/field-settings`, { as_cegas: true }),
  )
  const blind = await units(reader)
  expect(blind).toHaveLength(named.length)
  const letters = new Map(
    letras.map((one: { tratamento: number; letra: string }) => [one.tratamento, one.letra]),
  )
  for (const [at, { treatments, observationUnitPosition }] of blind.entries()) {
    const number = Number(/^T(\d+)/.exec(named[at]?.treatments[0]?.modality ?? '')?.[1])
    expect(treatments).toEqual([{ factor: 'tratamento', modality: `Código ${letters.get(number)}` }])
    expect(observationUnitPosition.entryType).toBe('TEST')
  }
  expect(await units(ana)).toEqual(named)
})

test('who may not change a blind trial gets letters in its files, too', async () => {
  const of = asking(server, ana)
  const id = await of.planted({})
  const { letras } = await of.done(
    of.call('PUT', `/api/experiments/${id}/field-settings`, { as_cegas: true }),
  )
  const reader = await server.person({ name: 'Zoe Lima' })
  await sql`update membros set papel = 'leitor' where pessoa_id = ${reader.id}`.execute(server.handle)
  const file = async ({ token }: Person) => {
    const url = `${server.url}/api/experiments/${id}/plots/export?formato=csv&tipo=ficha_de_campo`
    return (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).text()
  }
  const names = letras.map(({ nome }: { nome: string }) => nome)
  const [own, blind] = [await file(ana), await file(reader)]
  for (const name of names) expect(own).toContain(name)
  for (const name of names) expect(blind).not.toContain(name)
  expect(blind).not.toMatch(/;T\d+/)
  for (const { letra } of letras) expect(blind).toContain(`;${letra}`)
})
