import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestServer, type TestServer } from '../../test-server.ts'
import { type Asking, asking, fieldsOf, refusal, sheet, variable, YIELDS, yields } from './test-trials.ts'

let server: TestServer
let ana: Person
let of: Asking

beforeAll(async () => {
  server = await startTestServer()
  ana = await server.person()
  of = asking(server, ana)
})
afterAll(() => server.stop())

const PLOTS = sheet().parcelas
const withPlot = (at: number, change: object) =>
  PLOTS.map((plot, index) => (index === at ? { ...plot, ...change } : plot))
const column = (variavel: string, valores: unknown[], avaliacao: string | null = null) => ({
  variavel,
  avaliacao,
  valores,
})
const blank = YIELDS.map(() => null)
const first = (...values: unknown[]) => [...values, ...blank.slice(values.length)]

describe('the model refuses', () => {
  const cases: [string, Record<string, unknown>, Record<string, string | RegExp>][] = [
    [
      'a percentage above 100 and below 0, each in its cell with the number of the plot',
      { variaveis: [variable('sev', { tipo: 'percentual' })], valores: [column('sev', first(101, 50, -1))] },
      {
        'valores.0.valores.0': 'Valor fora do intervalo: informe de 0 a 100 (parcela 101)',
        'valores.0.valores.2': 'Valor fora do intervalo: informe de 0 a 100 (parcela 103)',
      },
    ],
    [
      'a count below 0, a score off its scale, and a sub-sample out of range',
      {
        variaveis: [
          variable('n', { tipo: 'contagem' }),
          variable('nota', { tipo: 'nota', escala: [1, 5] }),
          variable('sev', { tipo: 'percentual' }),
        ],
        valores: [column('n', first(-1)), column('nota', first(6)), column('sev', first([10, 120]))],
      },
      {
        'valores.0.valores.0': /^Valor fora do intervalo.*0.*parcela 101/,
        'valores.1.valores.0': 'Valor fora do intervalo: informe de 1 a 5 (parcela 101)',
        'valores.2.valores.0': 'Valor fora do intervalo: informe de 0 a 100 (parcela 101)',
      },
    ],
    [
      'plots without the block that the design asks for',
      { parcelas: withPlot(3, { bloco: null }) },
      { 'parcelas.3.bloco': 'Parcela 201: informe o bloco' },
    ],
    [
      'a latin square without rows and columns',
      { delineamento: 'DQL' },
      {
        'parcelas.0.linha': 'Parcela 101: informe a linha',
        'parcelas.0.coluna': 'Parcela 101: informe a coluna',
      },
    ],
    [
      'a number on two stakes, and a treatment that is not there',
      { parcelas: withPlot(1, { numero: 101, tratamento: 9 }) },
      {
        'parcelas.1.numero': 'Já existe uma parcela com este número',
        'parcelas.1.tratamento': 'Parcela 101: este tratamento não existe',
      },
    ],
    [
      'two plots in one place',
      {
        parcelas: PLOTS.map((plot, at) => ({
          ...plot,
          linha: plot.bloco,
          coluna: at === 1 ? 1 : (at % 3) + 1,
        })),
      },
      { 'parcelas.1.linha': 'As parcelas 101 e 102 estão no mesmo lugar do croqui' },
    ],
    [
      'two yields, two variables of one key, and a yield in another unit',
      {
        variaveis: [
          variable('a', { produtividade: true, unidade: 'kg/ha' }),
          variable('b', { produtividade: true, unidade: 'sc/ha' }),
          variable('a'),
        ],
        valores: [],
      },
      {
        'variaveis.1.produtividade': 'Só uma variável pode ser a produtividade',
        'variaveis.1.unidade': 'A produtividade é em kg/ha',
        'variaveis.2.chave': 'Já existe uma variável com esta chave',
      },
    ],
    [
      'values that are not aligned with the plots, of a variable or date that is not there',
      { valores: [column('produtividade', [1, 2]), column('x', blank), column('produtividade', blank, 'd')] },
      {
        'valores.0.valores': 'Informe um valor (ou vazio) para cada parcela',
        'valores.1.variavel': 'Esta variável não existe',
        'valores.2.avaliacao': 'Esta avaliação não existe',
      },
    ],
    [
      'an exclusion of no plot, and of no variable',
      { exclusoes: [{ parcela: 999, variavel: 'x', motivo: 'acamamento' }] },
      {
        'exclusoes.0.parcela': 'A parcela 999 não existe',
        'exclusoes.0.variavel': 'Esta variável não existe',
      },
    ],
    [
      'an exclusion without a reason',
      { exclusoes: [{ parcela: 101, motivo: ' aí  ' }] },
      { 'exclusoes.0.motivo': 'Diga o motivo em 5 a 200 caracteres' },
    ],
    [
      'a control that is none of the treatments, and a treatment that the trial has not',
      { testemunha: 7, tratamentos: [{ numero: 1 }, { numero: 2 }, { numero: 3 }] },
      { testemunha: 'A Testemunha não está entre os tratamentos' },
    ],
    [
      'a split plot without its two factors',
      { delineamento: 'PSUB' },
      { fatores: 'Este delineamento tem dois fatores, A e B' },
    ],
    [
      'levels that are missing, or no numbers where they are doses',
      {
        fatores: [{ chave: 'A', nome: 'Dose', tipo: 'quantitativo' }],
        tratamentos: [
          { numero: 1, niveis: { A: 'zero' } },
          { numero: 2, niveis: {} },
          { numero: 3, niveis: null },
        ],
      },
      { 'tratamentos.0.niveis.A': 'Informe um número', 'tratamentos.1.niveis.A': 'Informe o nível de Dose' },
    ],
    [
      'a formula of a variable that is not there, a yield without areas, values of what is computed',
      {
        variaveis: [
          variable('p', { formula: { tipo: 'rendimento', peso: 'kg' } }),
          variable('kg'),
          variable('c', { formula: { tipo: 'percentual_testemunha', de: 'nada' } }),
        ],
        valores: [column('p', blank)],
      },
      {
        'variaveis.2.formula': 'A fórmula usa uma variável que não existe',
        'parcelas.0.area_m2': 'Parcela 101: informe a área',
        'valores.0.variavel': 'Esta variável é calculada de outras',
      },
    ],
    ['no plots', { parcelas: [], valores: [] }, { parcelas: 'Adicione pelo menos uma parcela' }],
    ['no variables', { variaveis: [], valores: [] }, { variaveis: 'Adicione pelo menos uma variável' }],
  ]
  test.each(cases)('%s', async (_what, change, expected) => {
    const id = await of.trial()
    const answer = await of.put(id, sheet(change))
    expect(refusal(answer)).toMatchObject({ status: 422, code: 'validation.failed' })
    const told = fieldsOf(answer)
    for (const [path, sentence] of Object.entries(expected))
      if (sentence instanceof RegExp) expect(told[path], path).toMatch(sentence)
      else expect(told[path], JSON.stringify(told)).toBe(sentence)
    expect((await of.call('GET', `/api/experiments/${id}/plots`)).body.code).toBe('trial.none')
  })

  test('treatments that the trial has not', async () => {
    const id = await of.trial()
    const answer = await of.put(id, sheet({ tratamentos: [1, 2, 3, 4].map((numero) => ({ numero })) }))
    expect(answer.status).toBe(422)
    expect(fieldsOf(answer)).toEqual({ 'tratamentos.3.numero': 'O experimento não tem o tratamento T4' })
  })

  test('what is no number, in Portuguese', async () => {
    const id = await of.trial()
    for (const value of ['12', true, {}, [], [null], [[1]], 1e308, -1e308, 1e13]) {
      const answer = await of.put(id, sheet({ valores: yields(first(value) as never) }))
      expect(answer.status, JSON.stringify(value)).toBe(422)
      const [[path, sentence] = []] = Object.entries(fieldsOf(answer))
      expect(path).toMatch(/^valores\.0\.valores\.0/)
      expect(sentence, JSON.stringify(value)).toMatch(/^(Informe|Valor fora|Use)/)
    }
  })

  test('more plots, variables, dates and values than a sheet holds', async () => {
    const id = await of.trial()
    const many = Array.from({ length: 2001 }, (_, at) => ({ numero: at + 1, tratamento: 1, bloco: 1 }))
    const plots = await of.put(id, sheet({ parcelas: many, valores: [] }))
    expect(fieldsOf(plots)).toEqual({ parcelas: 'Use no máximo 2.000 parcelas' })
    const variaveis = Array.from({ length: 41 }, (_, at) => variable(`v${at}`))
    expect(fieldsOf(await of.put(id, sheet({ variaveis, valores: [] })))).toEqual({
      variaveis: 'Use no máximo 40 variáveis',
    })
    const avaliacoes = Array.from({ length: 31 }, (_, at) => ({ chave: `d${at}`, nome: `${at} DAA` }))
    expect(fieldsOf(await of.put(id, sheet({ avaliacoes })))).toEqual({
      avaliacoes: 'Use no máximo 30 avaliações',
    })
    const full = Array.from({ length: 51 }, (_, at) =>
      column(`v${at % 40}`, Array(2000).fill(at), at < 40 ? null : 'd0'),
    )
    const values = await of.put(
      id,
      sheet({
        parcelas: many.slice(0, 2000),
        variaveis: variaveis.slice(0, 40),
        avaliacoes: avaliacoes.slice(0, 1),
        valores: full,
      }),
    )
    expect(values.status, JSON.stringify(values.body).slice(0, 300)).toBe(422)
    expect(fieldsOf(values)).toEqual({ valores: 'Um ensaio guarda no máximo 100.000 valores' })
  })
})

describe('versions', () => {
  test('two people: the second is told what stands, by name', async () => {
    const admin = await server.person({ role: 'admin', name: 'Bia Adm' })
    const id = await of.planted()
    const other = asking(server, admin)
    await other.done(other.put(id, sheet({ versao: 1, valores: yields([3000, ...YIELDS.slice(1)]) })))
    const stale = await of.put(id, sheet({ versao: 1 }))
    expect(refusal(stale)).toEqual({
      status: 409,
      code: 'trial.stale',
      detail: 'As parcelas foram alteradas por outra pessoa depois que você as abriu',
    })
    expect(stale.body.current.ficha).toMatchObject({ versao: 2, alterada_por: 'Bia Adm' })
    expect(stale.body.current.ficha.valores[0].valores[0]).toBe(3000)
    expect((await of.ficha(id)).valores[0].valores[0]).toBe(3000)
  })

  test('at once: one of two is written, the other is refused', async () => {
    const id = await of.trial()
    const answers = await Promise.all([of.put(id), of.put(id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('the first says 0, and who says more of a trial without plots is refused', async () => {
    const id = await of.trial()
    expect(refusal(await of.put(id, sheet({ versao: 3 })))).toMatchObject({
      status: 409,
      code: 'trial.stale',
    })
    expect((await of.put(id)).body.ficha.versao).toBe(1)
  })

  test('a sheet that is made after a deletion goes on counting: nothing old is taken for it', async () => {
    const id = await of.planted()
    const before = await of.analysis(id)
    const tag = before.headers.get('etag')
    expect((await of.call('DELETE', `/api/experiments/${id}/plots`)).status).toBe(204)
    const lower = yields(YIELDS.map((value, at) => Number(value) - at * at))
    const { ficha } = await of.done(of.put(id, sheet({ valores: lower })))
    expect(ficha.versao).toBe(2)
    const after = await of.analysis(id, '', { 'if-none-match': tag })
    expect(after.status).toBe(200)
    expect(after.body.analise.media_geral).not.toBe(before.body.analise.media_geral)
  })
})

describe('cells', () => {
  const cell = (parcela: number, antes: unknown, valor: unknown, variavel = 'produtividade') => ({
    ...{ parcela, variavel, avaliacao: null, antes, valor },
  })

  test('are merged one by one, whatever version they were read at', async () => {
    const id = await of.planted()
    expect(await of.done(of.patch(id, [cell(101, 3010, 3100)]))).toEqual({ versao: 2 })
    expect(await of.done(of.patch(id, [cell(102, 3320, [3300, 3310]), cell(403, 3455, null)]))).toEqual({
      versao: 3,
    })
    const [{ valores }] = (await of.ficha(id)).valores
    expect(valores).toEqual([3100, [3300, 3310], ...YIELDS.slice(2, 11), null])
  })

  test('that somebody else changed come back, and none of the others is written', async () => {
    const id = await of.planted()
    await of.done(of.patch(id, [cell(101, 3010, 3100)]))
    const answer = await of.patch(id, [cell(101, 3010, 3050), cell(102, 3320, 3333)])
    expect(refusal(answer)).toMatchObject({ status: 409, code: 'trial.stale' })
    expect(answer.body.current.celulas).toEqual([
      { parcela: 101, variavel: 'produtividade', avaliacao: null, atual: 3100 },
    ])
    expect((await of.ficha(id)).valores[0].valores.slice(0, 2)).toEqual([3100, 3320])
  })

  test('that are sent twice are written once', async () => {
    const id = await of.planted()
    const cells = [cell(101, 3010, 3100)]
    expect(await of.done(of.patch(id, cells))).toEqual({ versao: 2 })
    expect(await of.done(of.patch(id, cells))).toEqual({ versao: 2 })
  })

  test('open a column that was empty, and are held to the same rules', async () => {
    const variaveis = [...sheet().variaveis, variable('sev', { tipo: 'percentual' })]
    const id = await of.planted({ variaveis })
    await of.done(of.patch(id, [cell(201, null, 40, 'sev')]))
    expect((await of.ficha(id)).valores[1]).toEqual(column('sev', [null, null, null, 40, ...blank.slice(4)]))
    const answer = await of.patch(id, [cell(202, null, 140, 'sev')], 2)
    expect(fieldsOf(answer)).toEqual({
      'valores.1.valores.4': 'Valor fora do intervalo: informe de 0 a 100 (parcela 202)',
    })
    for (const wrong of [cell(999, null, 1), cell(101, null, 1, 'nada')])
      expect((await of.patch(id, [wrong], 2)).status).toBe(422)
    expect((await of.patch(id, [], 2)).status).toBe(422)
    expect((await of.patch(id, Array(5001).fill(cell(101, 3010, 1)), 2)).status).toBe(422)
  })

  test('of a trial without plots are no cells', async () => {
    expect(refusal(await of.patch(await of.trial(), [cell(101, null, 1)]))).toEqual({
      status: 404,
      code: 'trial.none',
      detail: 'Este experimento ainda não tem dados de parcela',
    })
  })
})

describe('exclusions and deletion', () => {
  test('a plot that is left out keeps its value, with who left it out and when', async () => {
    const exclusoes = [{ parcela: 103, motivo: 'acamamento', quem: 'Outra', quando: '2001-01-01' }]
    const id = await of.planted({ exclusoes })
    const admin = asking(server, await server.person({ role: 'admin', name: 'Caio Adm' }))
    const before = await of.ficha(id)
    expect(before.exclusoes).toMatchObject([
      { parcela: 103, variavel: null, avaliacao: null, motivo: 'acamamento', quem: 'Ana Prado' },
    ])
    expect(Date.now() - Date.parse(before.exclusoes[0].quando)).toBeLessThan(60_000)
    const more = [...before.exclusoes, { parcela: 101, variavel: 'produtividade', motivo: 'daninhas' }]
    await admin.done(admin.put(id, { ...before, exclusoes: more }))
    const after = await of.ficha(id)
    expect(after.exclusoes[0]).toEqual(before.exclusoes[0])
    expect(after.exclusoes[1]).toMatchObject({ parcela: 101, quem: 'Caio Adm' })
    expect(after.valores).toEqual(before.valores)
    const { analise } = (await of.analysis(id)).body
    expect(analise.n).toMatchObject({ parcelas: 12, validas: 10, excluidas: 2 })
    expect(analise.frases.excluidas).toContain('103')
    expect(analise.frases.excluidas).toContain('acamamento')
    const T3 = [3400, 3610, 3455]
    expect((await of.experiment(id)).tratamentos[2].produtividade).toBeCloseTo(
      T3.reduce((sum, one) => sum + one) / 3,
      9,
    )
  })

  test('a deleted sheet leaves its recorded analyses, marked', async () => {
    const id = await of.planted()
    const { registro } = await of.done(of.record(id))
    expect((await of.call('DELETE', `/api/experiments/${id}/plots`)).status).toBe(204)
    expect(refusal(await of.call('GET', `/api/experiments/${id}/plots`))).toMatchObject({
      code: 'trial.none',
    })
    expect(refusal(await of.call('DELETE', `/api/experiments/${id}/plots`))).toMatchObject({ status: 404 })
    const { registros } = await of.done(of.call('GET', `/api/experiments/${id}/analyses`))
    expect(registros).toMatchObject([{ id: registro.id, desatualizada: true, retirada: null }])
    const again = await of.done(of.call('GET', `/api/experiments/${id}/analyses/${registro.id}`))
    expect(again.registro.analise).toEqual(registro.analise)
    await of.done(of.put(id))
    const list = await of.done(of.call('GET', `/api/experiments/${id}/analyses`))
    expect(list.registros[0].desatualizada).toBe(true)
  })

  test('the history tells which cells changed, also those that went', async () => {
    const variaveis = [...sheet().variaveis, variable('sev')]
    const id = await of.planted({ variaveis, valores: [...sheet().valores, column('sev', first(7))] })
    await of.done(of.put(id, sheet({ versao: 1, valores: yields([3100, ...YIELDS.slice(1)]) })))
    const { alteracoes } = await of.done(of.call('GET', `/api/experiments/${id}/history`))
    const change = alteracoes[0].campos.find(({ campo }: { campo: string }) => campo === 'parcelas')
    expect(alteracoes[0]).toMatchObject({ acao: 'alterado', quem: 'Ana Prado' })
    expect(change.antes).toEqual([
      { parcela: 101, variavel: 'produtividade', avaliacao: null, valor: 3010 },
      { parcela: 101, variavel: 'sev', avaliacao: null, valor: 7 },
      { fato: 'Variáveis', valor: expect.stringMatching(/, sev/) },
    ])
    expect(change.depois.map(({ valor }: { valor: unknown }) => valor)).toEqual([
      3100,
      null,
      expect.not.stringMatching(/, sev/),
    ])
  })

  test('the history tells who was left out and why, and what of the structure is another', async () => {
    const id = await of.planted()
    const out = { parcela: 101, variavel: null, avaliacao: null, motivo: 'acamamento na borda' }
    await of.done(of.put(id, sheet({ versao: 1, exclusoes: [out], testemunha: 2 })))
    await of.done(of.put(id, sheet({ versao: 2, testemunha: 2 })))
    const { alteracoes } = await of.done(of.call('GET', `/api/experiments/${id}/history`))
    const plots = alteracoes.map(({ campos }: { campos: { campo: string }[] }) =>
      campos.find(({ campo }) => campo === 'parcelas'),
    )
    const exclusion = 'Deixado fora · parcela 101'
    expect(plots[0]).toMatchObject({
      antes: [{ fato: exclusion, valor: out.motivo }],
      depois: [{ fato: exclusion, valor: null }],
    })
    expect(plots[1]).toMatchObject({
      antes: [
        { fato: 'Testemunha', valor: 'T1' },
        { fato: exclusion, valor: null },
      ],
      depois: [
        { fato: 'Testemunha', valor: 'T2' },
        { fato: exclusion, valor: out.motivo },
      ],
    })
    expect(plots[2]).toMatchObject({ antes: null })
  })
})
