import {
  type ExperimentFilter,
  type JointQuery,
  problem,
  type SynthesisQuestion,
  withoutCompared,
} from '@ensaio/domain'
import type { Handle } from '../../database/handle.ts'
import type { Reader, Wall } from '../../database/wall.ts'
import type { Kernel } from '../../jobs/kernel.ts'
import { places, shareOf } from '../../places.ts'
import {
  countFiltered,
  medianCvs,
  othersOf,
  productsOf,
  sheetsOf,
  trialsOf,
  triedProducts,
  type Within,
} from './synthesis.repository.ts'

/** Each reads tens of thousands of rows: as the dashboard's, in turn, and no one person holds all places. */
const HEAVY_READS = {
  atOnce: 3,
  perPerson: 1,
  perGroup: 2,
  inLine: 60,
  perPersonInLine: 10,
  patienceMs: 20_000,
}

/** One answer of many trials: what the reader sees of them, read in their name and computed in a thread. */
export function createSyntheses({
  wall,
  kernel,
  fresh,
}: {
  wall: Wall
  kernel: Kernel
  /** Resolves when what the person wrote before shows in the narrow rows that filters look at. */
  fresh(userId: string): Promise<void>
}) {
  const { run } = places(HEAVY_READS)
  const inTurn = async <T>(reader: Reader, work: (handle: Handle) => Promise<T>): Promise<T> => {
    await fresh(reader.id)
    return run(() => work(wall.for(reader)), reader.id, shareOf(reader))
  }

  return {
    /**
     * The answer as JSON, of the query's filter without what it compares, or of the trials that are named.
     * @throws validation.failed, synthesis.none, synthesis.too_many
     */
    answer(
      reader: Reader,
      query: SynthesisQuestion,
      within: Within = withoutCompared(query),
    ): Promise<string> {
      checkQuery(query)
      return inTurn(reader, async (handle) => {
        const trials = await trialsOf(handle, query, within)
        if (!trials) throw problem('synthesis.too_many')
        const none = () =>
          problem('synthesis.none', {
            detail: `Nenhum ensaio do filtro compara ${query.todos ?? query.tratamento ?? query.produto} com a Testemunha`,
          })
        if (trials.n === 0) throw none()
        const total = await countFiltered(handle, within)
        const others = total > trials.n ? await othersOf(handle, query, within) : []
        const cvs = query.imputar === '1' ? await medianCvs(handle) : {}
        // The trials are JSON already, and stay a text until the thread has them.
        const material = `{"total":${Math.max(total, trials.n + others.length)},"outros":${JSON.stringify(others)},"cvs":${JSON.stringify(cvs)},"ensaios":${trials.json}}`
        const answer = await kernel.ask({ kind: 'synthesis', material, query }, shareOf(reader))
        if (answer === null) throw none()
        return answer
      })
    },

    /** @throws synthesis.no_joint */
    joint: (reader: Reader, query: JointQuery): Promise<string> =>
      inTurn(reader, async (handle) => {
        const { n, total, json, filtro, sem } = await sheetsOf(handle, query)
        const material = `{"total":${total},"filtro":${filtro},"sem":${sem},"ensaios":${json}}`
        const answer = n < 2 ? null : await kernel.ask({ kind: 'joint', material, query }, shareOf(reader))
        if (answer === null) throw problem('synthesis.no_joint')
        return answer
      }),

    /** Products that are compared in `least` of the trials or more, the most tried first, and how many such there are. */
    tried: (reader: Reader, within: Within, bounds: { least: number; most: number }) =>
      inTurn(reader, (handle) => triedProducts(handle, within, bounds)),

    products: (reader: Reader, filter: ExperimentFilter, busca: string | undefined) =>
      inTurn(reader, async (handle) => ({
        produtos: await productsOf(handle, filter, busca),
        total: await countFiltered(handle, filter),
      })),
  }
}
export type Syntheses = ReturnType<typeof createSyntheses>

/** All that is wrong with it, at once. @throws validation.failed */
function checkQuery({
  produto,
  tratamento,
  dose_min,
  dose_max,
  preco,
  kg_por_unidade,
  todos,
}: SynthesisQuestion): void {
  const fields = [
    ...(!produto?.trim() && !tratamento?.trim() && todos === undefined
      ? [{ path: 'produto', message: 'Informe o produto ou o tratamento' }]
      : []),
    ...(dose_min !== undefined && dose_max !== undefined && dose_min > dose_max
      ? [{ path: 'dose_max', message: 'A dose maior deve ser pelo menos a menor' }]
      : []),
    ...(kg_por_unidade !== undefined && preco === undefined
      ? [{ path: 'preco', message: 'Informe o preço' }]
      : []),
  ]
  if (fields.length > 0) throw problem('validation.failed', { fields })
}
