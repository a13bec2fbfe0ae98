import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, startTestServer, type TestServer } from '../../test-server.ts'
import {
  type Asking,
  asking,
  fieldsOf,
  mean,
  refusal,
  sheet,
  treatments,
  variable,
  YIELDS,
  yields,
} from './test-trials.ts'

let server: TestServer
let of: Asking

beforeAll(async () => {
  server = await startTestServer()
  of = asking(server, await server.person())
})
afterAll(() => server.stop())

const expectRefused = (answer: Answer, code: string, detail: string, status = 422) =>
  expect(refusal(answer)).toEqual({ status, code, detail })

/** A sheet of other plots than the usual ones: [number, treatment, block, value]. */
const planted = (plots: [number, number, number | null, number | null][], change = {}) =>
  of.planted({
    parcelas: plots.map(([numero, tratamento, bloco]) => ({ numero, tratamento, bloco })),
    valores: yields(plots.map(([, , , value]) => value)),
    ...change,
  })

describe('an analysis is refused', () => {
  test('where a trial has neither plots nor what a report tells', async () => {
    const id = await of.trial()
    expectRefused(await of.analysis(id), 'trial.none', 'Este experimento ainda não tem dados de parcela', 404)
    expectRefused(await of.record(id), 'trial.none', 'Este experimento ainda não tem dados de parcela', 404)
  })

  test('of a variable, a date or a covariate that is not there', async () => {
    const id = await of.planted()
    for (const query of ['?variavel=nada', '?avaliacao=nada', '?covariavel=nada', '?variavel=__proto__'])
      expectRefused(
        await of.analysis(id, query),
        'analysis.unknown_variable',
        'Esta variável não existe neste experimento',
      )
  })

  test('with too few plots, none of them lost or all', async () => {
    const sentence = 'São necessárias pelo menos duas repetições e dois tratamentos com valores'
    const one = await planted([
      [1, 1, 1, 3000],
      [2, 2, 1, 3300],
    ])
    expect(refusal(await of.analysis(one)).detail).toMatch(new RegExp(`^${sentence}`))
    const none = await of.planted({ valores: [] })
    expect(refusal(await of.analysis(none)).detail).toMatch(new RegExp(`^${sentence}`))
    // A page that shows one where there is one is told why there is none, and has asked nothing wrong.
    for (const [id, code] of [
      [none, 'analysis.too_few'],
      [await of.trial(), 'trial.none'],
    ] as const) {
      const { status, body } = await of.analysis(id, '?se_houver=1')
      expect({ status, body }).toEqual({
        status: 200,
        body: { analise: null, recusa: { code, detail: refusal(await of.analysis(id)).detail } },
      })
    }
    expect((await of.analysis(crypto.randomUUID(), '?se_houver=1')).status).toBe(404)
    expect((await of.analysis(none, '?se_houver=0')).status).toBe(422)
    expect((await of.analysis(none, '?se_houver=sim')).status).toBe(422)
    const alone = await of.planted({
      valores: yields(YIELDS.map((value, at) => (at % 3 === 0 ? value : null))),
    })
    expect((await of.analysis(alone)).status).toBe(422)
  })

  test('where every plot is equal', async () => {
    const id = await of.planted({ valores: yields(YIELDS.map(() => 3000)) })
    expectRefused(
      await of.analysis(id),
      'analysis.no_variation',
      'Todas as parcelas têm o mesmo valor: não há o que comparar',
    )
  })

  test('where lost plots leave treatments that cannot be compared, which are named', async () => {
    const id = await planted([
      [1, 1, 1, 3000],
      [2, 2, 1, 3300],
      [3, 1, 2, 3050],
      [4, 2, 2, 3320],
      [5, 3, 3, 3500],
      [6, 3, 4, 3540],
    ])
    const { status, code, detail } = refusal(await of.analysis(id))
    expect({ status, code }).toEqual({ status: 422, code: 'analysis.disconnected' })
    expect(detail).toMatch(
      /^Com as parcelas perdidas, alguns tratamentos não podem ser comparados entre si: .*T3/,
    )
  })

  test('where a cell of the factorial is empty, which is named', async () => {
    const four = treatments(3000, 3100, 3200, 3300)
    const id = await of.trial({ tratamentos: four })
    const levels = ['1', '2'].flatMap((A) => ['x', 'y'].map((B) => ({ A, B })))
    await of.done(
      of.put(
        id,
        sheet({
          fatores: ['A', 'B'].map((chave) => ({ chave, nome: `Fator ${chave}`, tipo: 'qualitativo' })),
          tratamentos: levels.map((niveis, at) => ({ numero: at + 1, niveis })),
          parcelas: [1, 2, 3].flatMap((bloco) =>
            [1, 2, 3, 4].map((tratamento) => ({ numero: bloco * 100 + tratamento, tratamento, bloco })),
          ),
          valores: yields([10, 12, 15, null, 11, 14, 16, null, 9, 13, 14, null]),
        }),
      ),
    )
    const { code, detail } = refusal(await of.analysis(id))
    expect(code).toBe('analysis.empty_cell')
    expect(detail).toMatch(/^Faltam combinações do fatorial: .*2.*×.*y/)
  })

  test('where the plots are no latin square, with the place', async () => {
    const order = [1, 2, 3, 2, 3, 1, 3, 2, 1]
    const id = await of.planted({
      delineamento: 'DQL',
      parcelas: order.map((tratamento, at) => ({
        ...{ numero: at + 1, tratamento, linha: Math.floor(at / 3) + 1, coluna: (at % 3) + 1 },
      })),
      valores: yields(YIELDS.slice(0, 9)),
    })
    const { code, detail } = refusal(await of.analysis(id))
    expect(code).toBe('analysis.layout')
    expect(detail).toMatch(/^O croqui não corresponde a.* quadrado latino.*T2.*(coluna|linha)/)
  })

  test('of a transformation that the values do not bear', async () => {
    const id = await of.planted({ valores: yields([0, ...YIELDS.slice(1)]) })
    const { code, detail } = refusal(await of.analysis(id, '?transformacao=log'))
    expect(code).toBe('analysis.transform')
    expect(detail).toMatch(/log/)
    expect(fieldsOf(await of.analysis(id, '?transformacao=boxcox'))).toEqual({
      lambda: 'Informe o expoente λ',
    })
  })

  test('of strips that lost a plot', async () => {
    const levels = ['1', '2'].flatMap((A) => ['x', 'y'].map((B) => ({ A, B })))
    const id = await of.trial({ tratamentos: treatments(1000, 1000, 1000, 1000) })
    await of.done(
      of.put(
        id,
        sheet({
          delineamento: 'FAIXAS',
          fatores: ['A', 'B'].map((chave) => ({ chave, nome: chave, tipo: 'qualitativo' })),
          tratamentos: levels.map((niveis, at) => ({ numero: at + 1, niveis })),
          parcelas: [1, 2, 3].flatMap((bloco) =>
            [1, 2, 3, 4].map((tratamento) => ({ numero: bloco * 100 + tratamento, tratamento, bloco })),
          ),
          valores: yields([10, 12, 15, 14, 11, 14, 16, 19, 9, 13, 14, null]),
        }),
      ),
    )
    expectRefused(
      await of.analysis(id),
      'analysis.strip_lost',
      'Faixas com parcelas perdidas ainda não são analisadas',
    )
  })

  test('of efficacy where nothing is said to be the control', async () => {
    const id = await of.planted({
      testemunha: null,
      variaveis: [variable('n', { tipo: 'contagem', maior_melhor: false })],
      valores: [
        { variavel: 'n', avaliacao: null, valores: YIELDS.map((value) => Math.round(Number(value) / 50)) },
      ],
    })
    expectRefused(
      await of.analysis(id, '?eficacia=abbott'),
      'analysis.no_control',
      'Indique qual tratamento é a Testemunha',
    )
  })

  test('with options that do not exist, each in its place', async () => {
    const id = await of.planted()
    const query = '?transformacao=cubo&lambda=99&alfa=0.2&preco_insumo=-1&origem=ar'
    const answer = await of.analysis(id, query)
    expect(answer.status).toBe(422)
    expect(Object.keys(fieldsOf(answer)).sort()).toEqual([
      ...['alfa', 'lambda', 'origem', 'preco_insumo', 'transformacao'],
    ])
    expect(JSON.stringify(answer.body)).not.toMatch(/Invalid|expected|received/)
  })
})

describe('an answer', () => {
  test('is known again by its tag until the plots, the trial or the options change', async () => {
    const id = await of.planted()
    const { headers, body } = await of.analysis(id)
    const tag = String(headers.get('etag'))
    expect(tag).toMatch(/^"[\w-]{20,}"$/)
    expect(body.analise).toMatchObject({ origem: 'parcelas', dados_versao: 1, alfa: 0.05 })
    const again = await of.analysis(id, '', { 'if-none-match': `W/${tag}, "x"` })
    expect({ status: again.status, length: again.bytes.length }).toEqual({ status: 304, length: 0 })
    const others = await of.analysis(id, '?alfa=0.01', { 'if-none-match': tag })
    expect(others.status).toBe(200)
    expect(others.headers.get('etag')).not.toBe(tag)
    await of.done(of.patch(id, [{ parcela: 101, variavel: 'produtividade', antes: 3010, valor: 2800 }]))
    const changed = await of.analysis(id, '', { 'if-none-match': tag })
    expect(changed.status).toBe(200)
    expect(changed.body.analise.dados_versao).toBe(2)
    // Somebody who may not see the trial is not told that it is the same.
    const visitor = await server.call('GET', `/api/experiments/${id}/analysis`, {
      headers: { 'if-none-match': String(changed.headers.get('etag')) },
    })
    expect(visitor.status).toBe(401)
  })

  test('leaves the control out where it is asked to, and tells so', async () => {
    const id = await of.planted()
    const { analise } = (await of.analysis(id, '?excluir_testemunha=1')).body
    const control = analise.grupos[0].medias.find(({ nivel }: { nivel: string }) => nivel === 'T1')
    const compared = analise.anova.linhas.find(({ fonte }: { fonte: string }) => fonte === 'tratamento')
    expect(compared.gl).toBe(1)
    if (control) expect(analise.grupos[0].letras.tukey.T1 ?? 'na').toBe('na')
  })

  test('is of the area under the curve, each plot by its own trapezoids', async () => {
    const dates = [7, 14, 28].map((daa, at) => ({ chave: `d${at}`, nome: `${daa} DAA`, daa }))
    const severity = [0, 1, 2].map((date) =>
      YIELDS.map((_, at) => 5 + date * (12 - 3 * (at % 3)) + ((at * 7) % 5)),
    )
    // A plot without one of its dates is lost.
    ;(severity[1] as (number | null)[])[0] = null
    const id = await of.planted({
      variaveis: [variable('sev', { tipo: 'percentual', unidade: '%', maior_melhor: false })],
      avaliacoes: dates,
      valores: severity.map((valores, at) => ({ variavel: 'sev', avaliacao: `d${at}`, valores })),
    })
    const { analise } = await of.done(of.analysis(id, '?variavel=sev&agregacao=aacpd'))
    const area = (at: number) => {
      const [a = 0, b = 0, c = 0] = severity.map((values) => values[at])
      return ((a + b) / 2) * 7 + ((b + c) / 2) * 14
    }
    expect(analise.n).toMatchObject({ parcelas: 12, validas: 11, perdidas: 1 })
    const T2 = analise.grupos[0].medias.find(({ nivel }: { nivel: string }) => nivel === 'T2')
    expect(T2.media).toBeCloseTo(mean([1, 4, 7, 10].map(area)), 9)
    expect(analise.aacpd.duracao).toBe(21)
    const one = await of.planted({ avaliacoes: dates.slice(0, 1) })
    expect((await of.analysis(one, '?agregacao=aacpd')).status).toBe(422)
  })
})

describe('rebuilt from a report', () => {
  const told = { delineamento: 'DBC', repeticoes: 4, cv: 6.2, cv_casas: 1 }
  const reported = (estatistica_informada: object, change = {}) =>
    of.trial({ estatistica_informada, tratamentos: treatments(3000, 3400, 3500, 3150), ...change })

  test('with its mark in every sentence, and of plots where there are any unless asked', async () => {
    const id = await reported(told)
    const { analise } = await of.done(of.analysis(id))
    expect(analise).toMatchObject({ origem: 'reconstruida', anova: { tipo: 'reconstruida' } })
    const all = mean([3000, 3400, 3500, 3150])
    const [error] = analise.residuos
    expect(error).toMatchObject({ gl: 9 })
    expect(error.qm).toBeCloseTo(((6.2 / 100) * all) ** 2, 6)
    expect(analise.frases.reconstruida).toBe(
      'Análise reconstruída a partir das médias, do CV e do número de repetições do relatório; não há dados de parcela.',
    )
    expect(analise.pressupostos ?? null).toBe(null)
    await of.done(of.put(id))
    expect((await of.done(of.analysis(id))).analise.origem).toBe('parcelas')
    expect((await of.done(of.analysis(id, '?origem=reconstruida'))).analise.origem).toBe('reconstruida')
  })

  test.each([
    ['no repetitions', { ...told, repeticoes: null }, /repetições/],
    ['one repetition', { ...told, repeticoes: 1 }, /repetiç/],
    ['no design', { ...told, delineamento: null }, /delineamento/],
    ['neither CV nor DMS', { ...told, cv: null }, /CV/],
    ['a CV that no trial has', { ...told, cv: 80 }, /CV/],
    ['a CV of nothing', { ...told, cv: 0.01 }, /CV/],
    [
      'a CV and a DMS that disagree',
      { ...told, dms: 20, dms_teste: 'tukey' },
      /O CV e a DMS do relatório não concordam/,
    ],
  ])('not with %s, and the reason is told', async (_what, statistics, reason) => {
    const { status, code, detail } = refusal(await of.analysis(await reported(statistics)))
    expect({ status, code }).toEqual({ status: 422, code: 'rebuilt.not_allowed' })
    expect(detail).toMatch(/^Não é possível reconstruir a análise: /)
    expect(detail).toMatch(reason)
  })

  test('a CV and a DMS that agree within their rounding', async () => {
    const { analise } = await of.done(of.analysis(await reported(told)))
    const dms = Math.round(analise.grupos[0].criticos.dms_tukey)
    const both = await of.analysis(await reported({ ...told, dms, dms_teste: 'tukey' }))
    expect(both.status, JSON.stringify(both.body).slice(0, 300)).toBe(200)
  })

  test('what a report tells is refused where it cannot be', async () => {
    for (const wrong of [{ repeticoes: 0 }, { cv: -1 }, { delineamento: 'PSUB' }, { dms_teste: 'x' }]) {
      const body = {
        ...(await of.experiment(await of.trial())),
        estatistica_informada: { ...told, ...wrong },
      }
      const answer = await of.call('POST', '/api/experiments', body)
      expect(answer.status, JSON.stringify(wrong)).toBe(422)
    }
  })
})

test('another treatment than the first in the place of the control is called by its name', async () => {
  const plots: [number, number, number, number][] = [1, 2, 3, 4].flatMap((block) => [
    [block * 100 + 1, 1, block, 3000 + 10 * block],
    [block * 100 + 2, 2, block, 4000 + 12 * block],
    [block * 100 + 3, 3, block, 4005 + 9 * block],
  ])
  const said = async (testemunha: number) =>
    (await of.done(of.analysis(await planted(plots, { testemunha })))).analise.frases.dunnett_sig
  expect(await said(1)).toMatch(/superou a Testemunha em/)
  const sentence = await said(2)
  expect(sentence).toMatch(/^T1 \(.+\) ficou abaixo de T2 \(.+\) em /)
  expect(sentence).not.toContain('da Testemunha')
})
