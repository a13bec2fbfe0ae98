import { extract } from '@ensaio/extraction'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { experimentInput, type Person, startTestServer, type TestServer } from '../../test-server.ts'

let server: TestServer
let owner: Person
beforeAll(async () => {
  server = await startTestServer()
  owner = await server.person({ name: 'Ana Souza' })
})
afterAll(() => server.stop())

const made = async (change: Record<string, unknown> = {}) => {
  const body = experimentInput(change)
  return (await server.call('POST', '/api/experiments', { token: owner.token, body })).body.experimento
}
const report = (id: string, query = 'formato=pdf', headers: Record<string, string> = {}) =>
  server.call('GET', `/api/experiments/${id}/report?${query}`, { token: owner.token, headers })

describe('the report of one trial', () => {
  test('is the same bytes as long as the trial is the same, and another after a change', async () => {
    const trial = await made()
    const first = await report(trial.id)
    expect(first.status).toBe(200)
    expect(first.headers.get('content-type')).toBe('application/pdf')
    expect(first.headers.get('content-disposition')).toContain('attachment')
    const again = await report(trial.id)
    expect(again.bytes.equals(first.bytes)).toBe(true)
    const etag = first.headers.get('etag') ?? ''
    expect((await report(trial.id, 'formato=pdf', { 'if-none-match': etag })).status).toBe(304)
    await server.call('PUT', `/api/experiments/${trial.id}`, {
      token: owner.token,
      body: { ...experimentInput(), cultivar: 'Outra', versao: trial.versao },
    })
    const changed = await report(trial.id, 'formato=pdf', { 'if-none-match': etag })
    expect(changed.status).toBe(200)
    expect(changed.headers.get('etag')).not.toBe(etag)
  })

  test('says what the trial says, and parts that are left out are not there', async () => {
    const trial = await made({ cultivar: 'NS 7709 IPRO', teor_argila: 31.4 })
    const { data } = await extract((await report(trial.id)).bytes)
    expect(data).toMatchObject({ cultivar: 'NS 7709 IPRO', teor_argila: 31.4, cidade: trial.cidade })
    const without = await extract((await report(trial.id, 'formato=pdf&secoes=local,metodos')).bytes)
    expect(without.data).toMatchObject({ cultivar: 'NS 7709 IPRO', teor_argila: null })
  })

  test('words of any script and of the template stay words', async () => {
    const hostile = '#panic("x") $x$ *b* _i_ <l> @ref \\ {} [] "aspas" 汉字 العربية'
    const trial = await made({
      cultivar: hostile,
      tratamentos: [
        { ...experimentInput().tratamentos[0] },
        { ...experimentInput().tratamentos[1], nome: hostile.slice(0, 180) },
      ],
    })
    const answer = await report(trial.id)
    expect(answer.status).toBe(200)
    const { data } = await extract(answer.bytes)
    expect(data.tratamentos[1]?.nome).toContain('#panic("x") $x$ *b*')
  })

  test('is a Word file too: the same bytes twice, styles, header rows, alternative texts and language', async () => {
    const trial = await made()
    const first = await report(trial.id, 'formato=docx')
    expect(first.status).toBe(200)
    expect(first.headers.get('content-type')).toContain('wordprocessingml')
    await new Promise((done) => setTimeout(done, 1_100))
    expect((await report(trial.id, 'formato=docx')).bytes.equals(first.bytes)).toBe(true)
    const parts = unzipSync(first.bytes)
    const read = (name: string) => new TextDecoder().decode(parts[name])
    const text = read('word/document.xml')
    expect(text).toContain('w:pStyle w:val="Heading1"')
    expect(text).toContain('w:pStyle w:val="Caption"')
    expect(text).toContain('<w:tblHeader')
    expect(text).toContain('Produtividade por tratamento: T2 3.500, T1 3.000 kg/ha')
    expect(read('word/styles.xml')).toContain('w:lang w:val="pt-BR"')
    expect(Object.keys(parts).filter((name) => name.endsWith('.png'))).toHaveLength(2)
  })

  test('in one page, below 100 kB', async () => {
    const trial = await made()
    const answer = await report(trial.id, 'formato=resumo')
    expect(answer.status).toBe(200)
    expect(answer.bytes.length).toBeLessThan(100_000)
    expect(answer.bytes.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1)
  })

  test('a figure alone is a picture without letters of a font, and a table', async () => {
    const trial = await made()
    const figure = (formato: string) =>
      server.call('GET', `/api/experiments/${trial.id}/figures/produtividade?formato=${formato}`, {
        token: owner.token,
      })
    const svg = await figure('svg')
    expect(svg.headers.get('content-type')).toContain('image/svg+xml')
    expect(svg.bytes.toString()).not.toContain('<text')
    expect((await figure('png')).bytes.subarray(1, 4).toString()).toBe('PNG')
    expect((await figure('csv')).bytes.toString()).toMatch(/"T2 \([^"]+\)";"3500"/)
    expect((await figure('exe')).status).toBe(422)
    const other = await server.call('GET', `/api/experiments/${trial.id}/figures/x?formato=svg`, {
      token: owner.token,
    })
    expect(other.status).toBe(404)
  })

  test('500 treatments and nothing optional are a report too', async () => {
    const [control, treated] = experimentInput().tratamentos
    const many = await made({
      tratamentos: Array.from({ length: 500 }, (_, at) => ({
        ...(at === 0 ? control : treated),
        ...{ nome: at === 0 ? 'Testemunha' : `Tratamento ${at}`, produtividade: 3000 + at },
      })),
    })
    expect((await report(many.id)).status).toBe(200)
  })

  test('what cannot be asked for is refused', async () => {
    const { id } = await made()
    for (const query of ['', 'formato=exe', 'formato=pdf&secoes=nada', 'formato=pdf&secoes=local,,'])
      expect((await report(id, query)).status, query).toBe(422)
    expect((await report('0190b3a0-0000-7000-8000-000000000000')).status).toBe(404)
    expect((await server.call('GET', `/api/experiments/${id}/report?formato=pdf`)).status).toBe(401)
  })
})

describe('the report of many trials', () => {
  const ask = (method: string, path: string, body?: unknown, person: Person = owner) =>
    server.call(method, path, { token: person.token, ...(body !== undefined && { body }) })
  const done = async (id: string) =>
    vi.waitFor(async () => {
      const { relatorio } = (await ask('GET', `/api/reports/${id}`)).body
      expect(relatorio.estado).not.toBe('fazendo')
      return relatorio
    }, 30_000)

  test.each(['pdf', 'docx', 'pptx'])('is made of a filter as %s, kept and taken away', async (formato) => {
    for (const ano of [2022, 2023, 2024]) await made({ cultura: 'Girassol', ano })
    const begun = await ask('POST', '/api/reports', { filtro: { cultura: 'Girassol' }, formato })
    expect(begun.status).toBe(202)
    expect(begun.body.relatorio).toMatchObject({ estado: 'fazendo', formato })
    const { id } = begun.body.relatorio
    expect(await done(id)).toMatchObject({ estado: 'pronto', progresso: 1 })
    const file = await ask('GET', `/api/reports/${id}/file`)
    expect(file.status).toBe(200)
    expect(file.headers.get('content-disposition')).toContain(`.${formato}`)
    if (formato === 'pdf') expect(file.bytes.subarray(0, 5).toString()).toBe('%PDF-')
    else {
      const parts = unzipSync(file.bytes)
      const text = (name: RegExp) =>
        Object.entries(parts)
          .filter(([part]) => name.test(part))
          .map(([, bytes]) => new TextDecoder().decode(bytes))
          .join('')
      if (formato === 'docx') expect(text(/^word\/document\.xml$/)).toContain('Cultura: Girassol')
      else {
        const slides = Object.keys(parts).filter((part) => /^ppt\/slides\/slide\d+\.xml$/.test(part))
        expect(slides.length).toBeGreaterThanOrEqual(8)
        expect(slides.length).toBeLessThanOrEqual(12)
        expect(text(/^ppt\/slides\//)).toContain('firstRow="1"')
        expect(Object.keys(parts).some((part) => /^ppt\/charts\/chart\d+\.xml$/.test(part))).toBe(true)
      }
    }
    expect((await ask('DELETE', `/api/reports/${id}`)).status).toBe(204)
    expect((await ask('GET', `/api/reports/${id}/file`)).status).toBe(404)
  })

  test('of chosen trials, and nothing that cannot be asked for', async () => {
    const [one, other] = [await made(), await made()]
    const begun = await ask('POST', '/api/reports', { experimentos: [one.id, other.id], formato: 'pdf' })
    expect(begun.body.relatorio.n).toBe(2)
    expect((await done(begun.body.relatorio.id)).estado).toBe('pronto')
    const stranger = await server.person()
    expect((await ask('GET', `/api/reports/${begun.body.relatorio.id}`, undefined, stranger)).status).toBe(
      404,
    )
    for (const [body, status] of [
      [{ formato: 'pdf' }, 422],
      [{ filtro: {}, experimentos: [one.id], formato: 'pdf' }, 422],
      [{ filtro: {}, formato: 'exe' }, 422],
      [{ filtro: { cultura: 'Nenhuma' }, formato: 'pdf' }, 422],
      [{ experimentos: ['0190b3a0-0000-7000-8000-000000000000'], formato: 'pdf' }, 422],
      [{ experimentos: Array(501).fill(one.id), formato: 'pdf' }, 422],
    ] as const)
      expect((await ask('POST', '/api/reports', body)).status, JSON.stringify(body).slice(0, 90)).toBe(status)
  })
})
