import type { Experiment } from '@ensaio/domain'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { experimentInput, startTestServer, type TestServer } from '../../test-server.ts'
import {
  type Asking,
  asking,
  mean,
  meanOf,
  refusal,
  sheet,
  treatments,
  variable,
  YIELDS,
  yields,
} from './test-trials.ts'

/** What follows from the plots: the treatments' yields, and what is computed of typed columns. */
let server: TestServer
let of: Asking

beforeAll(async () => {
  server = await startTestServer()
  of = asking(server, await server.person())
})
afterAll(() => server.stop())

const produced = async (id: string): Promise<number[]> =>
  (await of.experiment(id)).tratamentos.map(({ produtividade }: { produtividade: number }) => produtividade)
const lost = (treatment: number) => YIELDS.map((value, at) => (at % 3 === treatment - 1 ? null : value))
const edit = async (id: string, change: (of: Experiment) => object) => {
  const experiment = await of.experiment(id)
  const keys = [...Object.keys(experimentInput()), 'versao']
  const input = Object.fromEntries(Object.entries(experiment).filter(([key]) => keys.includes(key)))
  return of.call('PUT', `/api/experiments/${id}`, { ...input, ...change(experiment) })
}

describe('yields', () => {
  test('follow the plots, and figures follow them', async () => {
    const cultura = 'Girassol'
    const id = await of.trial({ cultura, tratamentos: treatments(2000, 2100, 2200) })
    const overview = async () =>
      (await of.done(of.call('GET', `/api/dashboard/overview?cultura=${cultura}`))) as object
    const before = JSON.stringify(await overview())
    const { medias } = await of.done(of.put(id))
    expect(await produced(id)).toEqual([1, 2, 3].map((treatment) => meanOf(treatment)))
    expect(medias.map(({ informada }: { informada: number }) => informada)).toEqual([2000, 2100, 2200])
    const experiment = await of.experiment(id)
    expect(experiment.produtividade_media).toBeCloseTo(mean([1, 2, 3].map((one) => meanOf(one))), 9)
    await expect.poll(async () => JSON.stringify(await overview()), { timeout: 8000 }).not.toBe(before)
  })

  test('are those of the last date with values, of valid plots alone, each plot the mean of its sub-samples', async () => {
    const avaliacoes = [
      { chave: 'd1', nome: 'Colheita 1' },
      { chave: 'd2', nome: 'Colheita 2' },
      { chave: 'd3', nome: 'Colheita 3' },
    ]
    const second = YIELDS.map((value, at) => (at === 0 ? [2000, 4000, 3600] : value))
    const id = await of.planted({
      avaliacoes,
      valores: [
        { variavel: 'produtividade', avaliacao: 'd1', valores: YIELDS.map(() => 1000) },
        { variavel: 'produtividade', avaliacao: 'd2', valores: second },
        { variavel: 'produtividade', avaliacao: 'd3', valores: YIELDS.map(() => null) },
      ],
      exclusoes: [
        { parcela: 401, avaliacao: 'd2', motivo: 'acamamento' },
        { parcela: 102, avaliacao: 'd1', motivo: 'outra data' },
      ],
    })
    expect(await produced(id)).toEqual([mean([3200, 2890, 3105]), meanOf(2), meanOf(3)])
    const { analise } = (await of.analysis(id)).body
    expect(analise.avaliacao.chave).toBe('d2')
    // Never an n of sub-samples.
    expect(analise.n).toMatchObject({ parcelas: 12, validas: 11, excluidas: 1 })
    expect(analise.grupos[0].medias[0]).toMatchObject({ nivel: 'T1', n: 3, media: mean([3200, 2890, 3105]) })
  })

  test('that were typed come back where a treatment lost all its plots, and where the sheet is deleted', async () => {
    const id = await of.planted({}, { tratamentos: treatments(2000, 2100, 2200) })
    const { medias } = await of.done(of.put(id, sheet({ versao: 1, valores: yields(lost(2)) })))
    expect(medias[1]).toEqual({ numero: 2, produtividade: null, informada: 2100 })
    expect(await produced(id)).toEqual([meanOf(1), 2100, meanOf(3)])
    await of.done(of.put(id, sheet({ versao: 2 })))
    expect(await produced(id)).toEqual([meanOf(1), meanOf(2), meanOf(3)])
    await of.done(of.call('DELETE', `/api/experiments/${id}/plots`))
    expect(await produced(id)).toEqual([2000, 2100, 2200])
  })

  test('stay the plots’, whatever the wizard sends; of a lost treatment they are typed', async () => {
    const id = await of.planted({ valores: yields(lost(3)) })
    const answer = await edit(id, ({ tratamentos }) => ({
      tratamentos: tratamentos.map((one) => ({ ...one, produtividade: 9000 })),
    }))
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    expect(await produced(id)).toEqual([meanOf(1), meanOf(2), 9000])
    const { medias } = await of.done(of.put(id, sheet({ versao: 1 })))
    expect(medias[2]).toEqual({ numero: 3, produtividade: meanOf(3), informada: 9000 })
  })

  test('of a trial whose sheet measures no yield stay as typed', async () => {
    const id = await of.planted({
      variaveis: [variable('altura')],
      valores: [{ variavel: 'altura', avaliacao: null, valores: YIELDS }],
    })
    expect(await produced(id)).toEqual([3000, 3300, 3500])
  })

  test('out of any field are refused', async () => {
    const answer = await of.put(await of.trial(), sheet({ valores: yields(YIELDS.map(() => -1)) }))
    expect(answer.status).toBe(422)
    expect(answer.body.fields[0]).toEqual({
      path: 'valores.0.valores.0',
      message: 'Valor fora do intervalo: informe de 0 a 1.000.000 (parcela 101)',
    })
  })
})

describe('a treatment with plots', () => {
  const IN_USE = {
    status: 409,
    code: 'trial.treatment_in_use',
    detail: 'Este tratamento tem parcelas. Retire-as antes de excluí-lo.',
  }
  const take = (list: Experiment['tratamentos'], ...order: number[]) =>
    order.map((at) => list[at]) as Experiment['tratamentos']

  test('is not taken away, nor moved', async () => {
    const id = await of.planted()
    // The first is the control, whatever it is called.
    for (const order of [
      [0, 1],
      [0, 2],
      [1, 2],
      [0, 2, 1],
      [0, 2, 0, 1],
    ])
      expect(
        refusal(await edit(id, ({ tratamentos }) => ({ tratamentos: take(tratamentos, ...order) }))),
        String(order),
      ).toEqual(IN_USE)
    expect((await of.experiment(id)).tratamentos).toHaveLength(3)
  })

  test('is not taken away where what stands behind it has no plots and moves up', async () => {
    const two = sheet().parcelas.filter(({ tratamento }) => tratamento < 3)
    const id = await of.planted({
      parcelas: two,
      valores: yields(YIELDS.filter((_, at) => at % 3 < 2)),
    })
    const removed = await edit(id, ({ tratamentos }) => ({ tratamentos: take(tratamentos, 0, 2) }))
    expect(refusal(removed)).toEqual(IN_USE)
    // The one without plots may go.
    const last = await edit(id, ({ tratamentos }) => ({ tratamentos: take(tratamentos, 0, 1) }))
    expect(last.status).toBe(200)
  })

  test('is renamed, and others are added behind it', async () => {
    const id = await of.planted()
    const answer = await edit(id, ({ tratamentos }) => ({
      tratamentos: [
        ...tratamentos.map((one, at) => ({ ...one, nome: at === 1 ? 'Outro nome' : one.nome })),
        ...treatments(0, 0, 0, 4000).slice(3),
      ],
    }))
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    expect(await produced(id)).toEqual([meanOf(1), meanOf(2), meanOf(3), 4000])
    const { analise } = (await of.analysis(id)).body
    expect(analise.nomes).toMatchObject({ T2: 'Outro nome' })
    expect(analise.grupos[0].medias).toHaveLength(3)
  })
})

describe('derived', () => {
  test('yield is of weight, moisture and area, null where any of them is', async () => {
    const kg = [4.2, 4.6, null, 4.1, 4.5, 4.9, 4.3, 4.4, 5, 4.0, 4.7, 4.8]
    const moisture = [14, 15, 14, 13, null, 14, 15, 14, 13, 14, 15, 13]
    const id = await of.planted({
      parcelas: sheet().parcelas.map((plot, at) => ({ ...plot, area_m2: at % 2 ? 12 : 12.5 })),
      variaveis: [
        variable('kg', { unidade: 'kg' }),
        variable('umidade', { tipo: 'percentual', unidade: '%' }),
        variable('prod', {
          unidade: 'kg/ha',
          produtividade: true,
          formula: { tipo: 'rendimento', peso: 'kg', umidade: 'umidade' },
        }),
      ],
      valores: [
        { variavel: 'kg', avaliacao: null, valores: kg },
        { variavel: 'umidade', avaliacao: null, valores: moisture },
      ],
    })
    const expected = kg.map((weight, at) => {
      const water = moisture[at]
      if (weight === null || water === null || water === undefined) return null
      return ((weight * 10_000) / (at % 2 ? 12 : 12.5)) * ((100 - water) / (100 - 13))
    })
    const T = (treatment: number) =>
      mean(expected.filter((one, at): one is number => at % 3 === treatment - 1 && one !== null))
    const found = await produced(id)
    for (const treatment of [1, 2, 3]) expect(found[treatment - 1]).toBeCloseTo(T(treatment), 8)
    const { analise } = (await of.analysis(id)).body
    expect(analise.n).toMatchObject({ validas: 10, perdidas: 2 })
    expect((await of.ficha(id)).valores).toHaveLength(2)
  })

  test('% of the control is within the block, and null where the block’s control is lost', async () => {
    const values = YIELDS.map((value, at) => (at === 10 ? null : value))
    const id = await of.planted({
      variaveis: [
        ...sheet().variaveis,
        variable('rel', { unidade: '%', formula: { tipo: 'percentual_testemunha', de: 'produtividade' } }),
      ],
      valores: yields(values),
    })
    const { analise } = await of.done(of.analysis(id, '?variavel=rel'))
    expect(analise.n).toMatchObject({ validas: 11, perdidas: 1 })
    const T2 = mean([3320 / 3010, 3260 / 2890, 3410 / 3105].map((ratio) => 100 * ratio))
    const found = analise.grupos[0].medias.find(({ nivel }: { nivel: string }) => nivel === 'T2')
    expect(found.media).toBeCloseTo(T2, 9)
    const control = analise.grupos[0].medias.find(({ nivel }: { nivel: string }) => nivel === 'T1')
    expect(control).toMatchObject({ n: 4, media: 100 })
    // Without the control of block 4 nothing of that block is left.
    await of.done(of.patch(id, [{ parcela: 401, variavel: 'produtividade', antes: 2995, valor: null }]))
    expect(refusal(await of.analysis(id, '?variavel=rel'))).toMatchObject({
      status: 422,
      code: 'analysis.disconnected',
    })
  })
})

test('erasing a trial erases its sheet, values and records', async () => {
  const id = await of.planted()
  await of.done(of.record(id))
  await of.done(of.call('DELETE', `/api/experiments/${id}`))
  for (const path of ['plots', 'analysis', 'analyses'])
    expect(refusal(await of.call('GET', `/api/experiments/${id}/${path}`))).toMatchObject({
      status: 404,
      code: 'experiment.not_found',
    })
  expect((await of.put(id, sheet({ versao: 1 }))).status).toBe(404)
  await server.handle.deleteFrom('experimentos').where('id', '=', id).execute()
  for (const table of ['fichas', 'valores', 'analises'] as const)
    expect(
      await server.handle
        .selectFrom(table)
        .select('experimento_id')
        .where('experimento_id', '=', id)
        .execute(),
    ).toEqual([])
})

test('the export of the account carries sheets and records', async () => {
  const own = asking(server, await server.person({ name: 'Dora' }))
  const id = await own.planted({ exclusoes: [{ parcela: 101, motivo: 'acamamento' }] })
  const { registro } = await own.done(own.record(id, { titulo: 'Para o relatório' }))
  const exported = await own.done(own.call('GET', '/api/profile/export'))
  expect(exported.fichas).toMatchObject([
    { experimento: id, versao: 1, delineamento: 'DBC', exclusoes: [{ parcela: 101, motivo: 'acamamento' }] },
  ])
  expect(exported.fichas[0].valores).toEqual(sheet().valores)
  expect(exported.fichas[0].parcelas).toHaveLength(12)
  expect(exported.analises).toMatchObject([{ id: registro.id, experimento: id, titulo: 'Para o relatório' }])
  expect(exported.analises[0].analise).toEqual(registro.analise)
})

test('means that the plots give are what the sheet answers with', async () => {
  const id = await of.trial()
  const { medias } = await of.done(of.put(id))
  expect(medias).toEqual(
    [1, 2, 3].map((numero) => ({
      numero,
      produtividade: meanOf(numero),
      // 3000, 3300 and 3500 were typed, of which the first is the mean of its plots to the last digit.
      informada: [null, 3300, 3500][numero - 1],
    })),
  )
})
