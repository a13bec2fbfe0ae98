import { form } from '../test-server.ts'
import { word } from './test-canaries.ts'
import { pricesInput, recordInput, sheetInput, type WithPlots } from './test-plots.ts'
import { ADMIN, ALL, MEMBERS, NOBODYS, type Row, row } from './test-row.ts'
import { fresh, recorded, type World } from './test-world.ts'

/** Plots and analyses are seen by whoever sees the trial. */
const SEEN: Record<WithPlots, string> = {
  own: MEMBERS,
  other: MEMBERS,
  shared: '200 200 200 200 200 200 404 404 401',
  open: '200 200 200 200 200 200 404 404 401',
  embargoed: MEMBERS,
  deleted: NOBODYS,
}
/** Prices and what follows from them are seen where costs are. */
const SEEN_WITH_COSTS: Record<WithPlots, string> = {
  ...SEEN,
  shared: '200 200 200 200 403 403 404 404 401',
}
/** Changed by who may edit it: of what the researcher made, of what the dono made, of a received one. */
const EDITED: Record<'own' | 'other' | 'shared', [by: 'P' | 'D', status: string]> = {
  own: ['P', '200 200 200 403 404 404 404 404 401'],
  other: ['D', '200 200 403 403 404 404 404 404 401'],
  shared: ['P', '200 200 200 403 403 403 404 404 401'],
}
const answering = (status: string, code: number) => status.replaceAll('200', String(code))

const params = (world: World, kind: WithPlots) => ({ id: world.ids[kind].trial })
const CELL = { parcela: 101, variavel: 'kz', avaliacao: null, valor: 70, antes: null }
const CSV = 'Parcela;Tratamento;Bloco;Altura (cm)\n101;T1;1;80\n102;T2;1;90\n'
const table = (gravar: '0' | '1') => form({ arquivo: new Blob([CSV], { type: 'text/csv' }), gravar }, 'p.csv')

const READING = (Object.keys(SEEN) as WithPlots[]).flatMap((kind): Row[] => {
  const of = (world: World) => ({ params: params(world, kind) })
  const record = (world: World) => ({ params: { ...params(world, kind), aid: world.records[kind] } })
  return [
    row('getPlots', kind, SEEN[kind], of),
    row('experimentQuality', kind, SEEN[kind], of),
    row('analysis', kind, SEEN[kind], of),
    row('listAnalyses', kind, SEEN[kind], of),
    row('getPrices', kind, SEEN_WITH_COSTS[kind], of),
    row('economicBase', kind, SEEN_WITH_COSTS[kind], of),
    row('economics', kind, SEEN_WITH_COSTS[kind], of),
    row('economics', `${kind} at another price`, SEEN_WITH_COSTS[kind], (world) => ({
      ...of(world),
      query: { preco: 100, kg_por_unidade: 60 },
    })),
    ...(['pdf', 'docx', 'resumo'] as const).map((formato) =>
      row('trialReport', `${kind} as ${formato}`, SEEN[kind], (world) => ({
        ...of(world),
        query: { formato },
      })),
    ),
    row('trialMiappe', kind, SEEN[kind], of),
    row('trialMiappeLacks', kind, SEEN[kind], of),
    ...(['svg', 'png', 'csv'] as const).map((formato) =>
      row('trialFigure', `${kind} as ${formato}`, SEEN[kind], (world) => ({
        params: { ...of(world).params, nome: 'produtividade' },
        query: { formato },
      })),
    ),
    row('getAnalysis', kind, SEEN[kind], record),
    ...(['csv', 'xlsx', 'pdf'] as const).map((formato) =>
      row('analysisFile', `${kind} as ${formato}`, SEEN[kind], (world) => ({
        ...record(world),
        query: { formato },
      })),
    ),
    ...(['csv', 'xlsx'] as const).flatMap((formato) =>
      (['dados', 'ficha_de_campo'] as const).map((tipo) =>
        row('exportPlots', `${kind}, ${tipo} as ${formato}`, SEEN[kind], (world) => ({
          ...of(world),
          query: { formato, tipo },
        })),
      ),
    ),
  ]
})

const made = (world: World, kind: keyof typeof EDITED) => fresh(world, kind, EDITED[kind][0])
const withPlots = async (world: World, kind: keyof typeof EDITED) => {
  const id = await made(world, kind)
  return { id, aid: (await recorded(world, kind, id)).id }
}

const WRITING = (['own', 'other', 'shared'] as const).flatMap((kind): Row[] => {
  const [, status] = EDITED[kind]
  return [
    row('putPlots', kind, status, async (world) => ({
      params: { id: await made(world, kind) },
      body: sheetInput(kind),
    })),
    row('patchCells', kind, status, async (world) => ({
      params: { id: (await withPlots(world, kind)).id },
      body: {
        versao: 1,
        celulas: [{ ...CELL, antes: sheetInput(kind).valores[0]?.valores[0] }],
      },
    })),
    row('putPrices', kind, status, async (world) => ({
      params: { id: await made(world, kind) },
      body: pricesInput(kind),
    })),
    // What is answered has to be there: whoever may is told that it is not.
    row('answerQuality', kind, answering(status, 409), (world) => ({
      params: { ...params(world, kind), codigo: 'cv.classe' },
      body: { lugar: 'ficha', valor: 'x', texto: 'Está certo assim' },
    })),
    row('deletePlots', kind, answering(status, 204), async (world) => ({
      params: { id: (await withPlots(world, kind)).id },
    })),
    row('importPlots', `${kind}, looked at`, status, async (world) => ({
      params: { id: await made(world, kind) },
      body: table('0'),
    })),
    row('importPlots', `${kind}, written`, status, async (world) => ({
      params: { id: await made(world, kind) },
      body: table('1'),
    })),
    row('drawLayout', kind, SEEN[kind], async (world) => ({
      params: { id: await made(world, kind) },
      body: { delineamento: 'DBC', repeticoes: 4 },
    })),
    row('recordAnalysis', kind, answering(status, 201), async (world) => ({
      params: { id: (await withPlots(world, kind)).id },
      body: recordInput(kind),
    })),
    row('withdrawAnalysis', kind, answering(status, 204), async (world) => ({
      params: await withPlots(world, kind),
      body: { motivo: 'Feita por engano' },
    })),
  ]
})

/** Of a received trial nobody of the recipient's changes anything; its own organisation's answer is not asked. */
const RECEIVED = '409|404 409|404 403 403 403 403 404 404 401'

export const TRIAL_ROWS: Row[] = [
  ...READING,
  ...WRITING,
  row('putPlots', 'received by itself', RECEIVED, (world) => ({
    params: params(world, 'open'),
    body: sheetInput('open', 99),
  })),
  row('putPrices', 'received by itself', RECEIVED, (world) => ({
    params: params(world, 'open'),
    body: pricesInput('open', 99),
  })),
  row('putPrices', 'deleted', NOBODYS, (world) => ({
    params: params(world, 'deleted'),
    body: pricesInput('deleted', 1),
  })),
  row('putPlots', 'deleted', NOBODYS, (world) => ({
    params: params(world, 'deleted'),
    body: sheetInput('deleted', 1),
  })),
  row('recordAnalysis', 'deleted', NOBODYS, (world) => ({
    params: params(world, 'deleted'),
    body: recordInput('deleted'),
  })),
  row('cropRanges', 'of the installation', ALL),
  row('adminQuality', 'of the installation', ADMIN),
  row('adminPutCropRanges', 'of the installation', ADMIN, {
    body: {
      faixas: [
        {
          ...{
            cultura: 'Soja',
            media: 3621,
            safra: '2024/25',
            fonte: 'CONAB',
            endereco: null,
            publicada: '2025',
          },
          ...{ abaixo: 700, acima: 7000, impossivel: 10_000, ligada: true },
        },
      ],
    },
  }),
  row('adminCvBands', 'of the installation', ADMIN),
  row('adminPutCvBands', 'of the installation', ADMIN, { body: { faixas: [] } }),
  row('power', 'of a plan', ALL, { query: { tratamentos: 6, cv: 10, diferenca: 15 } }),
  ...(['own', 'shared'] as const).map((kind) =>
    row('cvHistory', `of the crop of ${kind}`, ALL, {
      query: { cultura: word(kind, 'cultura'), variavel: 'kz' },
    }),
  ),
]
