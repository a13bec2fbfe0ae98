import {
  type EffectRow,
  type Experiment,
  effectRows,
  isYield,
  type JointAnswer,
  type JointQuery,
  jointOf,
  type MaterialTrial,
  matchesFilter,
  measuredVariables,
  medianOf,
  type SynthesisAnswer,
  type SynthesisQuery,
  searchable,
  synthesisOf,
  withoutCompared,
} from '@ensaio/domain'
import { demoExperiments, demoPlots } from '@ensaio/domain/demo'
import * as statistics from '@ensaio/statistics'

/** As the server reads them: oldest first. */
const TRIALS = demoExperiments().sort((a, b) =>
  a.created_at === b.created_at ? (a.id < b.id ? -1 : 1) : a.created_at < b.created_at ? -1 : 1,
)
const NAMED = 20

/** What the server keeps of each trial; made once, at the first question. */
let kept: Map<string, EffectRow[]> | undefined
function effectsOf(id: string): EffectRow[] {
  kept ??= new Map(
    TRIALS.map((trial) => {
      const source = { ...trial, ficha: demoPlots(trial.id), informadas: {} }
      const measured = measuredVariables(source)
      const answered = statistics.answerKernel({
        kind: 'effects',
        inputs: measured.map(({ input }) => input),
      })
      return [trial.id, effectRows(source, { measured, kept: answered, kernel: statistics })]
    }),
  )
  return kept.get(id) ?? []
}

/** Null where no trial of the filter makes the comparison. */
export function demoSynthesis(query: SynthesisQuery): SynthesisAnswer | null {
  const under = TRIALS.filter((trial) => matchesFilter(trial, withoutCompared(query)))
  const compared = under.filter((trial) => trial.tratamentos.some((one, at) => isCompared(one, at, query)))
  const outros = under.filter((trial) => !compared.includes(trial)).slice(0, NAMED)
  return synthesisOf(
    {
      total: under.length,
      outros: outros.map(({ id, nome }) => ({ id, nome })),
      ensaios: compared.map((trial) => materialOf(trial, query)),
      cvs: query.imputar === '1' ? medianCvs() : {},
    },
    query,
    statistics,
  )
}

const holds = (name: string, produto: string) => searchable(name).includes(searchable(produto))

/** The control is looked at for products: a trial whose control has it compares nothing. */
function isCompared(
  { nome, produtos_aplicados }: Experiment['tratamentos'][number],
  at: number,
  { produto = '', tratamento }: SynthesisQuery,
): boolean {
  return tratamento === undefined
    ? produtos_aplicados.some((one) => holds(one.nome, produto))
    : at > 0 && searchable(nome) === searchable(tratamento)
}

function materialOf(trial: Experiment, query: SynthesisQuery): MaterialTrial {
  const effects = effectsOf(trial.id)
  const wanted = searchable(query.variavel ?? '')
  return {
    ...{ id: trial.id, nome: trial.nome, cultura: trial.cultura, ano: trial.ano, marca: trial.marca },
    ...{ cidade: `${trial.cidade}/${trial.estado}`, regional: trial.regional, latitude: trial.latitude },
    ...{ argila: trial.teor_argila, mo: trial.teor_materia_organica },
    ...{ versao: trial.versao, ficha: demoPlots(trial.id) && 1, ve_custos: true },
    ...{ pendente: false, documento: null },
    t: trial.tratamentos.map((one, at) => {
      const own = one.produtos_aplicados.filter(({ nome }) => holds(nome, query.produto ?? ''))
      return {
        ...{ numero: at + 1, y: one.produtividade, p: isCompared(one, at, query) },
        ...{ modalidade: one.modalidade, custo: one.custo },
        outros: one.produtos_aplicados.length - own.length,
        doses: own.flatMap(({ dose, unidade }): [number, string | null][] =>
          dose === null ? [] : [[dose, unidade]],
        ),
      }
    }),
    e:
      effects.find(({ produtividade, variavel, busca }) =>
        isYield(query.variavel)
          ? produtividade || variavel === 'produtividade'
          : variavel === query.variavel || busca === wanted,
      ) ?? null,
  }
}

/** Of each crop: median CV (%) and repetitions of the trials with plots. */
function medianCvs(): Record<string, { cv: number; r: number; n: number }> {
  const known = TRIALS.flatMap(({ id, cultura }) =>
    effectsOf(id).flatMap(({ origem, produtividade, cv, repeticoes }) =>
      origem === 'parcelas' && produtividade && cv !== null ? [{ cultura, cv, r: repeticoes ?? 0 }] : [],
    ),
  )
  return Object.fromEntries(
    [...Map.groupBy(known, ({ cultura }) => cultura)].map(([cultura, members]) => [
      cultura,
      {
        cv: medianOf(members.map(({ cv }) => cv)) ?? 0,
        r: medianOf(members.map(({ r }) => r)) ?? 0,
        n: members.length,
      },
    ]),
  )
}

/** Null where fewer than two trials share three treatments. */
export function demoJoint(query: JointQuery): JointAnswer | null {
  const ensaios = TRIALS.filter((trial) => matchesFilter(trial, query)).flatMap((trial) => {
    const ficha = demoPlots(trial.id)
    const { id, nome, cidade, ano } = trial
    return ficha
      ? [{ id, nome, cidade, ano, ficha, tratamentos: trial.tratamentos.map((one) => one.nome) }]
      : []
  })
  return ensaios.length < 2 ? null : jointOf({ ensaios, total: ensaios.length }, query, statistics)
}
