import {
  type AnalysisQuery,
  correlationOf,
  describedAnalysis,
  detailOf,
  type Experiment,
  type ExperimentListQuery,
  economicBase,
  filterOptionsOf,
  LACKS,
  type Lack,
  lacksOf,
  MAP_CENTRE,
  mapViewOf,
  matchesFilter,
  moreFilterOptionsOf,
  overviewOf,
  PROBLEMS,
  Problem,
  questionOf,
  type SORT_KEYS,
  type SynthesisQuery,
  searchable,
  yieldMeans,
} from '@ensaio/domain'
import { demoExperiments, demoPlots, demoPrices, demoQuality } from '@ensaio/domain/demo'
import { ApiError, type CallOf } from '../../api/client.ts'
import { fetchStatic, type Source, serverSource } from '../../api/source.ts'

const EXPERIMENTS = demoExperiments()
const PAGE = 25
const MOST_PRODUCTS = 50

/** What the demo answers itself; everything else is still the server's. */
const ANSWERS = {
  overview: ({ query }: CallOf<'overview'>) => overviewOf(EXPERIMENTS, query ?? {}),
  filterOptions: ({ query }: CallOf<'filterOptions'>) => filterOptionsOf(EXPERIMENTS, query ?? {}),
  moreFilterOptions: ({ query }: CallOf<'moreFilterOptions'>) =>
    moreFilterOptionsOf(EXPERIMENTS, query ?? {}),
  mapView: ({ query }: CallOf<'mapView'>) => mapViewOf(EXPERIMENTS, query ?? {}, placeOf),
  correlation: ({ query }: CallOf<'correlation'>) => {
    if (!query) throw notFound()
    return correlationOf(EXPERIMENTS, query, query.x, query.y, Number(query.pontos ?? 500))
  },
  listExperiments: ({ query }: CallOf<'listExperiments'>) => listOf((query ?? {}) as ExperimentListQuery),
  incompleteExperiments: ({ query }: CallOf<'incompleteExperiments'>) => incompleteOf(query ?? {}),
  getExperiment: ({ params }: CallOf<'getExperiment'>) => {
    const experimento = EXPERIMENTS.find(({ id }) => id === params.id)
    if (!experimento) throw notFound()
    return { experimento }
  },
  experimentQuality: ({ params }: CallOf<'experimentQuality'>) => {
    const quality = demoQuality(params.id)
    if (!quality) throw notFound()
    return quality
  },
  getPlots: ({ params }: CallOf<'getPlots'>) => {
    const ficha = demoPlots(params.id)
    if (!ficha) throw notFound()
    return {
      ficha,
      medias: (yieldMeans(ficha) ?? []).map((mean) => ({ ...mean, informada: null })),
    }
  },
  analysis: ({ params, query }: CallOf<'analysis'>) => analysisOf(params.id, (query ?? {}) as AnalysisQuery),
  getPrices: ({ params }: CallOf<'getPrices'>) => {
    const experiment = EXPERIMENTS.find(({ id }) => id === params.id)
    if (!experiment) throw notFound()
    return demoPrices(experiment)
  },
  economicBase: async ({ params }: CallOf<'economicBase'>) => {
    const experiment = EXPERIMENTS.find(({ id }) => id === params.id)
    if (!experiment) throw notFound()
    const sheet = demoPlots(params.id)
    const analysis = sheet && (await analysisOf(params.id, {})).analise
    return { base: economicBase({ experiment, sheet, analysis }) }
  },
  synthesis: async ({ query }: CallOf<'synthesis'>) => {
    const { demoSynthesis } = await import('./demo-synthesis.ts')
    // The page asks with numbers; the wire takes them as text too.
    const sintese = demoSynthesis((query ?? {}) as SynthesisQuery)
    if (sintese) return { sintese }
    const what = query?.tratamento ?? query?.produto
    throw refused('synthesis.none', `Nenhum ensaio do filtro compara ${what} com a Testemunha`)
  },
  synthesisProducts: ({ query }: CallOf<'synthesisProducts'>) => productsUnder(query ?? {}),
  jointAnalysis: async ({ query }: CallOf<'jointAnalysis'>) => {
    const { demoJoint } = await import('./demo-synthesis.ts')
    const conjunta = demoJoint(query ?? {})
    if (!conjunta) throw refused('synthesis.no_joint')
    return { conjunta }
  },
  listSyntheses: () => ({ registros: [] }),
  listAnalyses: () => ({ registros: [] }),
  experimentHistory: () => ({ alteracoes: [] }),
  listDocuments: ({ query }: CallOf<'listDocuments'>) => {
    const experiment = EXPERIMENTS.find(({ id, pdf_filename }) => id === query?.experimentId && pdf_filename)
    if (!experiment?.pdf_filename) return { documents: [] }
    const { id, pdf_filename: filename, created_at } = experiment
    return { documents: [{ id, filename, experimento_id: id, tamanho: 0, sha256: '', created_at }] }
  },
}

const notFound = () =>
  new ApiError('Experimento não encontrado', { status: 404, code: 'experiment.not_found' })

/** As the server says it. */
const refused = (code: keyof typeof PROBLEMS, detail: string = PROBLEMS[code].detail) =>
  new ApiError(detail, { status: PROBLEMS[code].status, code })

/** Computed here, by the kernel that the server uses; it comes when it is first asked. */
async function analysisOf(id: string, query: AnalysisQuery) {
  const experiment = EXPERIMENTS.find((one) => one.id === id)
  const sheet = demoPlots(id)
  if (!experiment || !sheet) throw notFound()
  const { answerKernel, ENGINE } = await import('@ensaio/statistics')
  try {
    const question = questionOf(sheet, query)
    const analysis = answerKernel(question.kernel)
    if ('problema' in analysis) throw new Problem(analysis.problema, { about: analysis.detalhes.join(', ') })
    return { analise: describedAnalysis(analysis, { experiment, sheet, question, motor: ENGINE }) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { analise: null, recusa: { code: error.code, detail: detailOf(error) } }
  }
}

export const demoSource: Source = {
  name: 'demo',
  read: async (name, input, options) => {
    const answer = (ANSWERS as Record<string, ((input: unknown) => unknown) | undefined>)[name]
    // Each answer above has the shape of its endpoint's own output.
    return answer ? (answer(input) as never) : serverSource.read(name, input, options)
  },
  document: () => fetchStatic('/relatorio-demonstracao.pdf'),
}

const CITIES = new Map(
  EXPERIMENTS.flatMap(({ cidade, estado, latitude, longitude }) =>
    latitude === null || longitude === null
      ? []
      : [[`${cidade}/${estado}`, { lat: latitude, lng: longitude }]],
  ),
)

function placeOf({ cidade, estado, latitude, longitude }: Experiment) {
  if (latitude !== null && longitude !== null) return { lat: latitude, lng: longitude, aproximada: false }
  const city = CITIES.get(`${cidade}/${estado}`)
  return city
    ? { ...city, aproximada: false }
    : { lat: MAP_CENTRE.latitude, lng: MAP_CENTRE.longitude, aproximada: true }
}

const productsOf = ({ tratamentos }: Experiment): string[] =>
  tratamentos.flatMap(({ produtos_aplicados }) => produtos_aplicados.map(({ nome }) => nome))

function listOf(query: ExperimentListQuery) {
  const wanted = searchable(query.busca ?? '')
  const found = EXPERIMENTS.filter(
    (experiment) =>
      matchesFilter(experiment, query) &&
      (query.com_documento !== '1' || experiment.pdf_filename !== null) &&
      [
        experiment.consultoria,
        experiment.cidade,
        experiment.cultura,
        experiment.marca,
        // The search of documents is specified without products.
        ...(query.com_documento === '1' ? [] : productsOf(experiment)),
      ].some((text) => searchable(text).includes(wanted)),
  )
  const key = query.ordem ?? 'created_at'
  const direction = query.sentido === 'asc' || (query.ordem && query.sentido !== 'desc') ? 1 : -1
  found.sort((a, b) => direction * compare(a, b, key) || (a.id < b.id ? -1 : 1))
  const start = Number(query.cursor || 0)
  const end = start + Number(query.limit ?? PAGE)
  return {
    experimentos: found.slice(start, end),
    total: found.length,
    next_cursor: end < found.length ? String(end) : null,
  }
}

/** Products of the trials under the filter, the most tried first. */
function productsUnder({ busca, ...filter }: NonNullable<CallOf<'synthesisProducts'>['query']>) {
  const under = EXPERIMENTS.filter((experiment) => matchesFilter(experiment, filter))
  const wanted = searchable(busca ?? '')
  const tried = Map.groupBy(
    under.flatMap((experiment) => [...new Set(productsOf(experiment))]),
    (produto) => produto,
  )
  return {
    produtos: [...tried]
      .map(([produto, { length: ensaios }]) => ({ produto, ensaios }))
      .filter(({ produto }) => searchable(produto).includes(wanted))
      .sort((a, b) => b.ensaios - a.ensaios || (a.produto < b.produto ? -1 : 1))
      .slice(0, MOST_PRODUCTS),
    total: under.length,
  }
}

function incompleteOf({
  falta,
  cursor,
  limit,
  ...filter
}: NonNullable<CallOf<'incompleteExperiments'>['query']>) {
  const all = EXPERIMENTS.filter((experiment) => matchesFilter(experiment, filter))
    .map((experiment) => ({ ...experiment, faltas: lacksOf(experiment) }))
    .filter(({ faltas }) => faltas.length > 0)
  const found = all.filter(({ faltas }) => !falta || faltas.includes(falta as Lack))
  const start = Number(cursor || 0)
  const end = start + Number(limit ?? PAGE)
  return {
    experimentos: found.slice(start, end),
    total: all.length,
    contagens: Object.fromEntries(
      LACKS.map((lack) => [lack, all.filter(({ faltas }) => faltas.includes(lack)).length]),
    ),
    next_cursor: end < found.length ? String(end) : null,
  }
}

function compare(a: Experiment, b: Experiment, key: (typeof SORT_KEYS)[number]): number {
  const [x, y] = [a[key], b[key]]
  if (typeof x === 'string' && typeof y === 'string') return x.localeCompare(y, 'pt-BR')
  return (
    (typeof x === 'number' ? x : Number.NEGATIVE_INFINITY) -
    (typeof y === 'number' ? y : Number.NEGATIVE_INFINITY)
  )
}
