import { randomUUID } from 'node:crypto'
import { extract } from '@ensaio/extraction'
import { unzipSync } from 'fflate'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { experimentInput, type Person, startTestServer, type TestServer } from '../../test-server.ts'
import { asking } from '../trials/test-trials.ts'

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

  test('tells the conclusion of a trial, and has no such part without one', async () => {
    const { id, versao } = await made()
    const words = async () =>
      Buffer.from(unzipSync((await report(id, 'formato=docx')).bytes)['word/document.xml'] ?? []).toString()
    expect(await words()).not.toContain('Conclusão')
    await server.call('PUT', `/api/experiments/${id}/conclusion`, {
      token: owner.token,
      body: { texto: 'O produto pagou #[]{}$*_<>@\\ o que custou.\nVale repetir.', versao },
    })
    const written = await words()
    expect(written).toContain('Conclusão')
    expect(written).toContain('Vale repetir.')
    expect((await report(id)).status).toBe(200)
  })

  test('its figure tells how many plots each mean is of, with the errors that they gave, and is read back', async () => {
    const of = asking(server, owner)
    const id = await of.planted()
    const words = async () =>
      Buffer.from(unzipSync((await report(id, 'formato=docx')).bytes)['word/document.xml'] ?? [])
        .toString()
        .replace(/<[^>]+>/g, ' ')
    const note = 'Barras de erro: erro padrão da média; n: parcelas.'
    expect(await words()).not.toContain(note)
    await of.done(of.record(id, { teste: 'tukey', titulo: 'Produtividade' }))
    expect(await words()).toContain(note)
    expect(await words()).toMatch(/Modelo \d/)
    // One table has the yields, their differences, the letters of the test, and what stands below them.
    const told = (await words()).replace(/\s+/g, ' ')
    expect(told).toMatch(/Tabela 2\. Produtividade por tratamento\./)
    expect(told).toMatch(/\d\.\d{3}(?:,\d{1,2})? a\b/)
    expect(told).toMatch(/CV \(%\).*Médias seguidas pela mesma letra .*Tukey a 5 %/)
    expect(told).not.toMatch(/Tabela \d+\. Produtividade em função de tratamentos/)
    const pdf = (await report(id)).bytes
    const { data } = await extract(pdf)
    const { tratamentos } = await of.experiment(id)
    expect(data.tratamentos.map(({ produtividade }) => produtividade)).toEqual(
      tratamentos.map(({ produtividade }: { produtividade: number }) => produtividade),
    )
    const figure = await of.call('GET', `/api/experiments/${id}/figures/produtividade?formato=svg`)
    expect(figure.status).toBe(200)
  })

  test('brings the checklist of a registration behind it where one is asked for, and is read back all the same', async () => {
    const trial = await made({ cultivar: 'NS 7709 IPRO' })
    const wordsOf = async (query: string) =>
      Buffer.from(unzipSync((await report(trial.id, query)).bytes)['word/document.xml'] ?? [])
        .toString()
        .replace(/<[^>]+>/g, ' ')
    const list = await wordsOf('formato=docx&registro=inoculante')
    expect(list).toContain('Para registro no MAPA')
    expect(list).toContain('Registro de: Inoculante.')
    expect(list).toMatch(/quatro locais em uma safra \(2\.2\)/)
    expect(list).toMatch(/lido em \d{2}\/\d{2}\/\d{4}/)
    expect(list).toContain('Quem decide é o MAPA; leia a norma em vigor.')
    expect(await wordsOf('formato=docx')).not.toContain('MAPA')
    const plain = await extract((await report(trial.id)).bytes)
    const listed = await extract((await report(trial.id, 'formato=pdf&registro=fertilizante')).bytes)
    expect(listed.data).toEqual(plain.data)
    expect((await report(trial.id, 'formato=pdf&registro=remedio')).status).toBe(422)
    const other = await made({ ano: trial.ano + 1 })
    const set = await wordsOf(`formato=docx&registro=inoculante&conjunto=${other.id}`)
    expect(set).toMatch(/2 ensaios de \S+: 1 local, 2 safras/)
    expect((await report(trial.id, 'formato=docx&registro=inoculante&conjunto=x')).status).toBe(422)
    expect((await report(trial.id, `formato=docx&registro=inoculante&conjunto=${randomUUID()}`)).status).toBe(
      404,
    )
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
    // Its contents have page numbers before Word works out its own.
    expect(text).toMatch(/PAGEREF(?:(?!PAGEREF).)*?<w:t[^>]*>3<\/w:t>/s)
    expect(text).not.toContain('w:orient="landscape"')
  })

  test('a table that a page has no room for stands on a turned page, and what comes after it on an upright one', async () => {
    const [control, treated] = experimentInput().tratamentos
    const [product] = treated?.produtos_aplicados ?? []
    const word = 'bioestimulanteconcentradoespecial'
    const trial = await made({
      tratamentos: [
        control,
        {
          ...{ ...treated, nome: word, modalidade: word },
          produtos_aplicados: [{ ...product, nome: word, dose: 1.23456789, unidade: 'g/100 kg sementes' }],
        },
      ],
    })
    const text = new TextDecoder().decode(
      unzipSync((await report(trial.id, 'formato=docx')).bytes)['word/document.xml'],
    )
    const pages = [...text.matchAll(/<w:pgSz[^>]*>/g)].map(([page]) => page.includes('landscape'))
    expect(pages).toEqual([false, false, true, false])
    const [turned] = text.split('w:orient="landscape"')
    expect(turned?.lastIndexOf('Tratamentos.')).toBeGreaterThan(
      turned?.lastIndexOf('<w:pgSz w:w="11906"') ?? 0,
    )
    expect(turned).not.toContain('Produtividade por tratamento.')
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

  test('a figure of the dashboard tells its filter, n, organisation and day; its numbers are those of the filter', async () => {
    for (const produtividade of [3600, 2700])
      await made({
        ...{ cultura: 'Cevada', marca: 'Marca Própria' },
        tratamentos: experimentInput().tratamentos.map((one, at) => ({
          ...one,
          produtividade: at === 0 ? 3000 : produtividade,
        })),
      })
    const figure = (query: string, nome = 'marca') =>
      server.call('GET', `/api/dashboard/figures/${nome}?${query}`, { token: owner.token })
    const csv = await figure('cultura=Cevada&formato=csv')
    expect(csv.status).toBe(200)
    expect(csv.bytes.toString()).toContain('"Marca Própria";"2";"3075"')
    const svg = await figure('cultura=Cevada&formato=svg&medida=ganho')
    expect(svg.headers.get('content-type')).toContain('image/svg+xml')
    expect(svg.bytes.toString()).not.toContain('<text')
    expect((await figure('cultura=Cevada&formato=png', 'produto')).bytes.subarray(1, 4).toString()).toBe(
      'PNG',
    )
    expect((await figure('formato=exe')).status).toBe(422)
    expect((await figure('formato=svg&medida=nada')).status).toBe(422)
    expect((await figure('formato=svg', 'nada')).status).toBe(404)
    expect((await server.call('GET', '/api/dashboard/figures/marca?formato=svg')).status).toBe(401)
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

  test('a table that is higher than a page goes on overleaf: no two words stand on one another', async () => {
    const [control, treated] = experimentInput().tratamentos
    const [product] = treated?.produtos_aplicados ?? []
    const words = (n: number, word: string) => Array.from({ length: n }, () => word).join(' ')
    const tall = await made({
      tratamentos: Array.from({ length: 24 }, (_, at) =>
        at === 0
          ? control
          : {
              ...treated,
              nome: `${words(9, 'manejo')} ${at}`,
              modalidade: words(4, 'aplicado'),
              produtos_aplicados: [{ ...product, nome: words(5, 'nutrivia') }],
            },
      ),
    })
    const { lines } = await extract((await report(tall.id)).bytes, { lines: true })
    const places = (lines ?? []).map(({ page, bbox: [x, y] }) => `${page} ${Math.round(x)} ${Math.round(y)}`)
    expect(new Set(places).size).toBe(places.length)
    expect((lines ?? []).filter(({ text }) => text.includes('T24')).length).toBeGreaterThan(0)
  })

  test('a table of whatever length says on each page whether it goes on', async () => {
    const [control, treated] = experimentInput().tratamentos
    const long = await made({
      tratamentos: Array.from({ length: 230 }, (_, at) =>
        at === 0 ? control : { ...treated, nome: `M ${at}` },
      ),
    })
    const { lines = [] } = await extract((await report(long.id)).bytes, { lines: true })
    const marks = lines.flatMap(({ page, text }) => {
      const [, table, mark] = /^(Tabela \d+)\..*\((continua|continuação|conclusão)\)/.exec(text) ?? []
      return table ? [{ table, page, mark }] : []
    })
    const tables = Map.groupBy(marks, ({ table }) => table)
    expect(tables.size).toBeGreaterThan(1)
    for (const [table, own] of tables) {
      expect(own.length, table).toBeGreaterThan(2)
      expect(new Set(own.map(({ page }) => page)).size).toBe(own.length)
      expect(own.map(({ mark }) => mark)).toEqual([
        'continua',
        ...own.slice(2).map(() => 'continuação'),
        'conclusão',
      ])
    }
  })

  test('what cannot be asked for is refused', async () => {
    const { id } = await made()
    for (const query of ['', 'formato=exe', 'formato=pdf&secoes=nada', 'formato=pdf&secoes=local,,'])
      expect((await report(id, query)).status, query).toBe(422)
    expect((await report('0190b3a0-0000-7000-8000-000000000000')).status).toBe(404)
    expect((await server.call('GET', `/api/experiments/${id}/report?formato=pdf`)).status).toBe(401)
  })
})

describe('the brand of an organisation', () => {
  const put = (organization: string, fields: Record<string, string | Blob>, person: Person = owner) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    return server.call('PUT', `/api/organizations/${organization}/brand`, { token: person.token, body: form })
  }
  const svg = (text: string) => new Blob([text], { type: 'image/svg+xml' })
  const DRAWING =
    '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"><rect width="90" height="30" fill="#0a0"/></svg>'

  test('stands on the cover, is drawn anew and can be taken away', async () => {
    const lead = await server.person({ role: 'admin' })
    const { organizacoes } = (await server.call('GET', '/api/organizations', { token: lead.token })).body
    const [{ id }] = organizacoes
    const trial = await made()
    const plain = await report(trial.id)
    const answer = await put(id, { logo: svg(DRAWING), cor: '#1F4D3A' }, lead)
    expect(answer.status).toBe(200)
    expect(answer.body.marca).toMatchObject({ cor: '#1f4d3a' })
    expect(answer.body.marca.logo).toMatch(/^data:image\/png;base64,iVBOR/)
    const signed = await report(trial.id)
    expect(signed.headers.get('etag')).not.toBe(plain.headers.get('etag'))
    expect(signed.bytes.toString('latin1')).toContain('/Subtype /Image')
    expect((await report(trial.id, 'formato=docx')).status).toBe(200)
    const png = Buffer.from(answer.body.marca.logo.split(',')[1], 'base64')
    expect((await put(id, { logo: new Blob([new Uint8Array(png)]) }, lead)).status).toBe(200)
    const without = await put(id, { sem_logo: '1', cor: '' }, lead)
    expect(without.body.marca).toEqual({ cor: null, logo: null })
    expect((await report(trial.id)).bytes.equals(plain.bytes)).toBe(true)
  })

  test('nothing that cannot be drawn, nothing that reaches out, and by nobody else', async () => {
    const lead = await server.person({ role: 'admin' })
    const { organizacoes } = (await server.call('GET', '/api/organizations', { token: lead.token })).body
    const [{ id }] = organizacoes
    for (const hostile of [
      'not a picture',
      '<svg',
      '<svg></svg>',
      '<!DOCTYPE svg [<!ENTITY a "b">]><svg><rect width="9" height="9"/></svg>',
      `<svg>${'<g>'.repeat(5000)}`,
      `\x89PNG\r\n\x1a\n${'0'.repeat(60)}`,
    ])
      expect((await put(id, { logo: svg(hostile) }, lead)).status, hostile.slice(0, 40)).toBe(422)
    expect((await put(id, { logo: svg('x'.repeat(1024 * 1024 + 1)) }, lead)).status).toBe(413)
    expect((await put(id, { cor: 'red' }, lead)).status).toBe(422)
    const reaching = await put(
      id,
      {
        logo: svg(
          '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>x()</script><image href="file:///etc/passwd" width="9" height="9"/><rect width="9" height="9" fill="url(http://a/b#c)" onload="x()"/></svg>',
        ),
      },
      lead,
    )
    expect(reaching.status).toBe(200)
    expect((await put(id, { cor: '#000000' }, await server.person())).status).toBe(403)
    expect((await put('0190b3a0-0000-7000-8000-000000000000', { cor: '#000000' })).status).toBe(404)
    await put(id, { sem_logo: '1', cor: '' }, lead)
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
    }, 200_000)

  test.each(['pdf', 'docx', 'pptx'])('is made of a filter as %s, kept and taken away', async (formato) => {
    for (const ano of [2022, 2023, 2024]) await made({ cultura: 'Girassol', ano })
    await sql`update organizacoes set nome = 'Silva & Filhos <Sul>'`.execute(server.handle)
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
        // The name of an organisation is no mark-up.
        expect(text(/^docProps\/app\.xml$/)).toContain('<Company>Silva &amp; Filhos &lt;Sul&gt;</Company>')
        // Each has a title of its own.
        expect(text(/^ppt\/slides\/slide/).match(/<p:ph\s[^>]*type="title"/g)).toHaveLength(slides.length)
        expect(Object.keys(parts).some((part) => /^ppt\/charts\/chart\d+\.xml$/.test(part))).toBe(true)
      }
    }
    expect((await ask('DELETE', `/api/reports/${id}`)).status).toBe(204)
    expect((await ask('GET', `/api/reports/${id}/file`)).status).toBe(404)
  })

  test('each product has its trials with intervals, each trial a page, and what is left out is left out', async () => {
    for (const [at, yields] of [
      [3000, 3300],
      [3100, 3350],
      [2900, 3150],
    ].entries())
      await made({
        ...{ cultura: 'Aveia', ano: 2020 + at },
        estatistica_informada: { delineamento: 'DBC', repeticoes: 4, cv: 5.2, cv_casas: 1 },
        tratamentos: [
          { nome: 'Testemunha', modalidade: 'Controle', produtividade: yields[0] },
          {
            ...{ nome: 'Aveiol 1 L', modalidade: 'Foliar', produtividade: yields[1] },
            produtos_aplicados: [{ nome: 'Aveiol', dose: 1, unidade: 'L/ha' }],
          },
        ],
      })
    const file = async (formato: string, secoes?: string[]) => {
      const { body } = await ask('POST', '/api/reports', {
        ...{ filtro: { cultura: 'Aveia' }, formato },
        ...(secoes && { secoes }),
      })
      expect((await done(body.relatorio.id)).estado).toBe('pronto')
      return (await ask('GET', `/api/reports/${body.relatorio.id}/file`)).bytes
    }
    const words = async (secoes?: string[]) =>
      new TextDecoder()
        .decode(unzipSync(await file('docx', secoes))['word/document.xml'])
        .replace(/<\/w:p>/g, '\n')
        .replace(/<[^>]*>/g, '')
    const all = await words()
    expect(all).toContain('Aveiol contra a Testemunha, ensaio por ensaio')
    // Ratios of 1.1, 1.081 and 1.086.
    expect(all).toMatch(/Em 3 ensaios, Aveiol rendeu \+8,9 %/)
    expect(all.match(/Aveiol 1 L\nAveiol 1 L\/ha\n/g)).toHaveLength(3)
    expect(all).toMatch(/3\.300\n\+300\n\+10,0\n/)
    expect(await words(['produtos'])).not.toContain('Aveiol 1 L\n')
    // The printed list names the page that each trial begins on.
    const { lines = [] } = await extract(await file('pdf'), { lines: true })
    const begins = lines.filter(({ text }) => /^\d+\.\d+ .*Aveia/.test(text)).map(({ page }) => page)
    const listed = lines.flatMap(({ text }) => {
      const [, page] = / \+\d+,\d +(\d+)$/.exec(text) ?? []
      return page ? [Number(page)] : []
    })
    expect(begins.length).toBe(3)
    expect(listed).toEqual(begins)
    // The list leads to the pages, and without them to the site.
    const parts = unzipSync(await file('docx'))
    const text = new TextDecoder().decode(parts['word/document.xml'])
    const anchors = [...text.matchAll(/w:anchor="(ensaio_\w+)"/g)].map(([, name]) => name)
    expect(new Set(anchors).size).toBe(3)
    for (const name of anchors) expect(text).toMatch(new RegExp(`<w:bookmarkStart[^>]*w:name="${name}"`))
    const alone = unzipSync(await file('docx', ['ensaios']))
    expect(text.match(/PAGEREF ensaio_\w+/g)).toHaveLength(3)
    const links = new TextDecoder().decode(alone['word/_rels/document.xml.rels'])
    expect(links.match(/\/experimentos\/[0-9a-f-]{36}/g)).toHaveLength(3)
  }, 200_000)

  test('brands and products have a synthesis of all trials, a recorded one as long as it stands, and is then told to be outdated', async () => {
    const ids: string[] = []
    for (const [at, marca] of ['Marca Um', 'Marca Um', 'Marca Dois', 'Marca Dois'].entries())
      ids.push(
        (
          await made({
            ...{ cultura: 'Centeio', marca, ano: 2020 + at, teor_argila: at < 2 ? 10 : 40 },
            tratamentos: [
              { nome: 'Testemunha', modalidade: 'Controle', produtividade: 3000 },
              ...[1, 2, 3, 4, 5, 6, 7].map((n) => ({
                ...{ nome: `T ${n}`, modalidade: 'Foliar', produtividade: 3000 + 20 * n + 10 * at },
                produtos_aplicados: [{ nome: `Centeiol ${n}`, dose: 1, unidade: 'L/ha' }],
              })),
            ],
          })
        ).id,
      )
    const filtro = { cultura: 'Centeio' }
    const words = async (asked: object) => {
      const { body } = await ask('POST', '/api/reports', { ...asked, formato: 'docx' })
      expect((await done(body.relatorio.id)).estado).toBe('pronto')
      const file = (await ask('GET', `/api/reports/${body.relatorio.id}/file`)).bytes
      return new TextDecoder()
        .decode(unzipSync(file)['word/document.xml'])
        .replace(/<\/w:p>/g, '\n')
        .replace(/<[^>]*>/g, '')
    }
    const fresh = await words({ filtro })
    expect(fresh).toContain('Síntese por marca contra a Testemunha.')
    // The mean of seven treatments, +80 and +90 kg/ha: one effect a trial.
    expect(fresh).toMatch(/\nMarca Um\n2\n\+2,8 %\n[^\n]+\n2 de 2\n100 % \(34 a 100\)\n/)
    expect(fresh.match(/\nCenteiol \d\n4\n/g)).toHaveLength(7)
    expect(fresh).toMatch(/\d\.\d Produto Centeiol 7\n/)
    expect(fresh).not.toContain('registrada em')
    // As a selection it says the same.
    const chosen = await words({ experimentos: ids })
    expect(chosen).toMatch(/\nMarca Um\n2\n\+2,8 %\n/)
    expect(chosen.match(/\nCenteiol \d\n4\n/g)).toHaveLength(7)
    expect(chosen).toMatch(/Solo arenoso\n2\n/)

    const question = { ...filtro, produto: 'Centeiol 7' }
    const kept = await ask('POST', '/api/syntheses', {
      ...{ ...question, titulo: 'Sete', conclusao: 'Vale em terra leve.' },
    })
    expect(kept.status).toBe(201)
    // Another question's record is not taken for it.
    expect((await ask('POST', '/api/syntheses', { ...question, medida: 'diferenca' })).status).toBe(201)
    const standing = await words({ filtro })
    expect(standing).toMatch(
      /Esta é a síntese “Sete” registrada em \d{2}\/\d{2}\/\d{4} por Ana Souza; nada mudou desde então\./,
    )
    expect(standing).toContain('Vale em terra leve.')
    expect(standing.match(/registrada em/g)).toHaveLength(1)
    await made({ ...filtro, tratamentos: treatmentsOf('Centeiol 7') })
    const later = await words({ filtro })
    expect(later).toMatch(
      /“Sete” registrada em .* ficou desatualizada: Ensaios que entraram: 1.*O que segue é de agora\./,
    )
    expect(later).not.toContain('Vale em terra leve.')
  }, 200_000)

  const treatmentsOf = (nome: string) => [
    { nome: 'Testemunha', modalidade: 'Controle', produtividade: 3000 },
    {
      ...{ nome: 'Outro', modalidade: 'Foliar', produtividade: 3100 },
      produtos_aplicados: [{ nome, dose: 1, unidade: 'L/ha' }],
    },
  ]

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
      [{ filtro: { culturas: 'Soja' }, formato: 'pdf' }, 422],
      [{ filtro: {}, formato: 'pdf', secoes: ['nada'] }, 422],
      [{ filtro: {}, formato: 'pdf', secoes: 'capa' }, 422],
      [{ filtro: { cultura: 'Nenhuma' }, formato: 'pdf' }, 422],
      [{ experimentos: ['0190b3a0-0000-7000-8000-000000000000'], formato: 'pdf' }, 422],
      [{ experimentos: Array(501).fill(one.id), formato: 'pdf' }, 422],
    ] as const)
      expect((await ask('POST', '/api/reports', body)).status, JSON.stringify(body).slice(0, 90)).toBe(status)
  })

  test('nobody keeps so many that there is no room for those of others', async () => {
    const busy = await server.person()
    const trial = await server.call('POST', '/api/experiments', {
      token: busy.token,
      body: experimentInput(),
    })
    await sql`
      insert into relatorios (organizacao_id, pessoa_id, formato, pedido, n, nome, estado)
      select organizacao_id, ${busy.id}, 'pdf', '{}', 1, 'x', 'pronto'
      from experimentos, generate_series(1, 300) where id = ${trial.body.experimento.id}
    `.execute(server.handle)
    const more = await ask('POST', '/api/reports', { filtro: {}, formato: 'pdf' }, busy)
    expect([more.status, more.body.code]).toEqual([429, 'report.too_many_kept'])
  })
})

test('what is left out of reports is kept for a person in an organisation, and is theirs alone', async () => {
  const parts = async (method: string, person: Person, body?: unknown) =>
    server.call(method, '/api/profile/report-parts', {
      token: person.token,
      ...(body !== undefined && { body }),
    })
  const none = { experimento_sem: [], consolidado_sem: [] }
  expect((await parts('GET', owner)).body.partes).toEqual(none)
  const kept = await parts('PUT', owner, { experimento_sem: ['economia', 'anexo'] })
  expect(kept.body.partes).toEqual({ ...none, experimento_sem: ['economia', 'anexo'] })
  await parts('PUT', owner, { consolidado_sem: ['capa'] })
  expect((await parts('GET', owner)).body.partes).toEqual({
    experimento_sem: ['economia', 'anexo'],
    consolidado_sem: ['capa'],
  })
  expect((await parts('GET', await server.person())).body.partes).toEqual(none)
  for (const wrong of [{ experimento_sem: ['nada'] }, { consolidado_sem: 'capa' }])
    expect((await parts('PUT', owner, wrong)).status).toBe(422)
})
