import {
  type Experiment,
  type ExperimentFilter,
  filterValues,
  isRefusal,
  type ManyReportInput,
  type Overview,
  type SynthesesOfReport,
  type SynthesisAnswer,
  type ToldSynthesis,
} from '@ensaio/domain'
import type { Actor } from '../../http/contract-routes.ts'
import type { SynthesisRecords } from '../synthesis/records.service.ts'
import type { Syntheses } from '../synthesis/synthesis.service.ts'

/** Of each kind of file, how many brands and products are told: a figure each, which has to fit in pages and memory. */
const MOST = {
  pdf: { marcas: 10, produtos: 20 },
  docx: { marcas: 6, produtos: 12 },
  pptx: { marcas: 0, produtos: 1 },
} as const
/** One trial is no synthesis. */
const LEAST_TRIALS = 2
/** After so long no further one is begun. */
const LONGEST_MS = 60_000

export interface SynthesisSources {
  syntheses: Pick<Syntheses, 'answer' | 'tried'>
  synthesisRecords: Pick<SynthesisRecords, 'matching'>
}

/** The syntheses that a report of many trials tells: of brands and of products, recorded ones where they still stand. */
export function createReportSyntheses({ syntheses, synthesisRecords }: SynthesisSources) {
  return async (
    actor: Actor,
    {
      asked,
      overview,
      ensaios,
      format,
      step,
    }: {
      asked: Pick<ManyReportInput, 'filtro' | 'experimentos'>
      overview: Overview
      /** The trials, where they are few enough to be named. */
      ensaios: readonly Experiment[]
      format: ManyReportInput['formato']
      step(share: number): Promise<void>
    },
  ): Promise<SynthesesOfReport> => {
    const { filtro } = asked
    const within = filtro ?? { ids: ensaios.map(({ id }) => id) }
    const most = MOST[format]
    const brands = overview.por_marca
      .filter(({ ganho }) => (ganho?.n ?? 0) >= LEAST_TRIALS)
      .sort((a, b) => b.n - a.n)
    const tried = await syntheses.tried(actor, within, { least: LEAST_TRIALS, most: most.produtos })
    const recorded = await synthesisRecords.matching(actor)

    /** Made by the kernel, as the synthesis's own route sends it; null where nothing can be compared. */
    const answerOf = async (...of: Parameters<Syntheses['answer']>): Promise<SynthesisAnswer | null> => {
      try {
        return JSON.parse(await syntheses.answer(...of)) as SynthesisAnswer
      } catch (error) {
        if (isRefusal(error)) return null
        throw error
      }
    }
    const ofBrand = async (marca: string): Promise<ToldSynthesis | null> => {
      const resposta = await answerOf(
        ...[actor, { todos: marca }],
        filtro
          ? withBrand(filtro, marca)
          : { ids: ensaios.filter((one) => one.marca === marca).map(({ id }) => id) },
      )
      return resposta && { de: 'marca', resposta, registro: null }
    }
    const ofProduct = async (produto: string): Promise<ToldSynthesis | null> => {
      const now = await answerOf(actor, { produto }, within)
      const match =
        now && filtro && asksAlone(filtro, produto) ? await recorded({ ...filtro, produto }, now) : null
      if (!match) return now && { de: 'produto', resposta: now, registro: null }
      const { titulo, conclusao, quem, quando } = match.registro
      return {
        de: 'produto',
        resposta: match.mudou.length === 0 ? match.sintese : (now ?? match.sintese),
        registro: { titulo, conclusao, quem, quando, mudou: match.mudou },
      }
    }

    const work = [
      ...brands.slice(0, most.marcas).map(({ chave }) => ({ nome: chave, make: ofBrand })),
      ...tried.produtos.map((nome) => ({ nome, make: ofProduct })),
    ]
    const sinteses: ToldSynthesis[] = []
    const sem_comparacao: string[] = []
    const started = performance.now()
    let begun = 0
    for (const { nome, make } of work) {
      if (performance.now() - started > LONGEST_MS) break
      await step(begun++ / work.length)
      const told = await make(nome)
      if (told) sinteses.push(told)
      else sem_comparacao.push(nome)
    }
    return { sinteses, sem_comparacao, sinteses_de: { marca: brands.length, produto: tried.de } }
  }
}

/** Whether a synthesis of the product, as it is asked for alone, is over the trials of the filter. */
const asksAlone = (filter: ExperimentFilter, produto: string): boolean =>
  (!filter.produto || filter.produto === produto) && !filterValues(filter.nao).includes('produto')

const withBrand = ({ nao, ...filter }: ExperimentFilter, marca: string): ExperimentFilter => {
  const turned = filterValues(nao).filter((key) => key !== 'marca') as Extract<typeof nao, unknown[]>
  return { ...filter, marca, ...(turned.length > 0 && { nao: turned }) }
}
