import { createHash } from 'node:crypto'
import {
  type AnalysisAnswer,
  type AnalysisQuery,
  type AnalysisRecord,
  describedAnalysis,
  Problem,
  problem,
  questionOf,
  type RecordedAnalysis,
  rebuildQuestionOf,
} from '@ensaio/domain'
import { type DoseRegression, ENGINE, type Refusal } from '@ensaio/statistics'
import type { Handle } from '../../database/handle.ts'
import type { Reader, Wall } from '../../database/wall.ts'
import type { Actor } from '../../http/contract-routes.ts'
import type { Kernel } from '../../jobs/kernel.ts'
import { shareOf } from '../../places.ts'
import type { AccountsFeature } from '../accounts/accounts.feature.ts'
import type { Experiments } from '../experiments/experiments.service.ts'
import {
  cvBands,
  insertRecord,
  recordById,
  recordByKey,
  recordsOf,
  type StoredRecord,
  versionsOf,
  withdraw,
} from './analyses.repository.ts'
import type { Trials } from './trials.service.ts'

/** Answers that are kept, and the pairs of treatments of the longest that is: about a megabyte. */
const KEPT_ANSWERS = 100
const MOST_PAIRS_KEPT = 2500

/** Why there is no analysis, in the words of F.6. */
function refusalOf({ problema, detalhes }: Refusal): Problem {
  const [what = '', ...rest] = detalhes
  if (problema === 'analysis.layout')
    return problem(problema, { detail: `O croqui não corresponde a ${what}: ${rest.join(', ')}` })
  if (problema === 'analysis.transform')
    return problem(problema, { detail: `A transformação ${what} exige valores ${rest.join(', ')}` })
  return problem(problema, { about: detalhes.join(', ') })
}

/** Analyses of one trial: computed beside the loop, kept while nothing changes, recorded before they are published. */
export function createAnalyses({
  wall,
  experiments,
  trials,
  kernel,
  namesOf,
}: {
  wall: Wall
  experiments: Experiments
  trials: Trials
  kernel: Kernel
  namesOf: AccountsFeature['namesOf']
}) {
  /** By tag: what an answer depends on decides it, and whoever is given it has been shown the trial first. */
  const kept = new Map<string, AnalysisAnswer | Problem>()
  const keep = (tag: string, answer: AnalysisAnswer | Problem) => {
    // Counted: to write the longest one out only to measure it holds everybody up.
    if (
      !(answer instanceof Problem) &&
      answer.grupos.reduce((sum, { pares }) => sum + (pares?.length ?? 0), 0) > MOST_PAIRS_KEPT
    )
      return
    kept.set(tag, answer)
    for (const oldest of kept.keys()) {
      if (kept.size <= KEPT_ANSWERS) break
      kept.delete(oldest)
    }
  }

  const tagOf = async (actor: Actor, id: string, query: AnalysisQuery): Promise<string> => {
    const versions = await versionsOf(wall.for(actor), id)
    if (!versions) throw problem('experiment.not_found')
    const { versao, ficha, conflitos } = versions
    const asked = Object.entries(query).sort(([a], [b]) => (a < b ? -1 : 1))
    return createHash('sha256')
      .update(JSON.stringify([id, versao, ficha, conflitos, asked, ENGINE]))
      .digest('base64url')
  }

  const compute = async (actor: Actor, id: string, query: AnalysisQuery): Promise<AnalysisAnswer> => {
    const { experiment, sheet, informed, conflicts } = await trials.forAnalysis(actor, id)
    const rebuilt = query.origem === 'reconstruida' || !sheet
    if (!sheet && !experiment.estatistica_informada) throw problem('trial.none')
    const question = rebuilt ? rebuildQuestionOf(experiment, query, informed) : questionOf(sheet, query)
    const analysis = await kernel.ask(question.kernel, shareOf(actor))
    if ('problema' in analysis) throw refusalOf(analysis)
    return describedAnalysis(analysis, {
      experiment,
      sheet,
      question,
      motor: ENGINE,
      faixas: await cvBands(wall.for(actor)),
      conflitos: conflicts,
    })
  }

  const answer = async (actor: Actor, id: string, query: AnalysisQuery, tag: string) => {
    const before = kept.get(tag)
    if (before instanceof Problem) throw before
    if (before) return before
    try {
      const made = await compute(actor, id, query)
      keep(tag, made)
      return made
    } catch (error) {
      // Why there is none is asked by every page of a trial without values.
      if (error instanceof Problem && error.code.startsWith('analysis.')) keep(tag, error)
      throw error
    }
  }

  const present = async (handle: Handle, actor: Actor, rows: readonly StoredRecord[]) => {
    const own = rows.filter((row) => row.organizacao_id === actor.organization)
    const people = own.flatMap(({ quem, retirada_por }) => [quem, retirada_por].filter((one) => one !== null))
    const names = await namesOf(handle, [...new Set(people)])
    const name = (row: StoredRecord, person: string | null) =>
      row.organizacao_id === actor.organization && person ? (names.get(person) ?? null) : null
    return rows.map(
      (row): Omit<RecordedAnalysis, 'analise'> => ({
        id: row.id,
        ordem: row.ordem,
        variavel: row.variavel,
        avaliacao: row.avaliacao,
        opcoes: row.opcoes,
        teste: row.teste,
        titulo: row.titulo,
        conclusao: row.conclusao,
        dados_versao: row.dados_versao,
        motor: row.motor,
        desatualizada: row.desatualizada,
        quem: name(row, row.quem),
        quando: row.quando.toISOString(),
        retirada: row.retirada_em && {
          quem: name(row, row.retirada_por),
          quando: row.retirada_em.toISOString(),
          motivo: row.retirada_motivo ?? '',
        },
      }),
    )
  }

  const recordWithTrial = async (actor: Actor, id: string, aid: string) => {
    const experiment = await experiments.get(actor, id)
    const handle = wall.for(actor)
    const row = await recordById(handle, id, aid)
    if (!row) throw problem('analysis.not_found')
    const [registro] = await present(handle, actor, [row])
    if (!registro) throw problem('analysis.not_found')
    const whole = { ...registro, analise: row.resposta }
    return { experiment, registro: experiment.permissoes.ver_custos ? whole : withoutPrices(whole) }
  }
  const record = async (actor: Actor, id: string, aid: string): Promise<RecordedAnalysis> =>
    (await recordWithTrial(actor, id, aid)).registro

  return {
    /** What was said of CVs before is said anew. */
    forget: () => kept.clear(),

    /** What an answer depends on, as a tag. @throws experiment.not_found */
    tagOf,
    answer,
    record,
    recordWithTrial,

    /** The recorded analyses of all trials that a person created, for the export of their account. */
    async *createdBy(reader: Reader) {
      const handle = wall.for(reader)
      for (const experimento of await experiments.idsCreatedBy(reader))
        for (const { id } of await recordsOf(handle, experimento)) {
          const row = await recordById(handle, experimento, id)
          if (!row) continue
          // Other people's ids are not the person's to take along.
          const { quem: _, retirada_por: __, organizacao_id: ___, resposta, ...record } = row
          yield { experimento, ...record, analise: resposta }
        }
    },

    async list(actor: Actor, id: string): Promise<Omit<RecordedAnalysis, 'analise'>[]> {
      const { permissoes } = await experiments.get(actor, id)
      const handle = wall.for(actor)
      const records = await present(handle, actor, await recordsOf(handle, id))
      if (permissoes.ver_custos) return records
      return records.map(({ opcoes: { preco_insumo: _, preco_produto: __, ...opcoes }, ...rest }) => ({
        ...rest,
        opcoes,
      }))
    },

    /** A repeated key gives the record that it made. @throws request.key_reused where that said something else */
    async keep(
      actor: Actor,
      id: string,
      { teste, titulo, conclusao, dados_versao, ...opcoes }: AnalysisRecord,
      key: string | null,
    ): Promise<RecordedAnalysis> {
      await experiments.authorise(actor, 'analysis.record', id)
      const content = { opcoes, teste, titulo, conclusao }
      const earlier = async (handle: Handle): Promise<string | null> => {
        const made = key === null ? null : await recordByKey(handle, id, { key, by: actor.id, content })
        if (made && !made.same) throw problem('request.key_reused')
        return made?.id ?? null
      }
      const before = await earlier(wall.for(actor))
      if (before) return record(actor, id, before)
      const analise = await answer(actor, id, opcoes, await tagOf(actor, id, opcoes))
      // The conclusion was written under numbers that somebody has changed since.
      if (dados_versao !== undefined && dados_versao !== analise.dados_versao) throw problem('trial.stale')
      const made = await wall
        .for(actor)
        .transaction()
        .execute(async (transaction) => {
          await experiments.lockFor(transaction, actor, 'analysis.record', id)
          const meanwhile = await earlier(transaction)
          return meanwhile ?? insertRecord(transaction, id, { ...content, analise, by: actor.id, key })
        })
      if (!made) throw tooMany()
      return record(actor, id, made)
    },

    async withdraw(actor: Actor, id: string, aid: string, motivo: string): Promise<void> {
      const found = await wall
        .for(actor)
        .transaction()
        .execute(async (transaction) => {
          await experiments.lockFor(transaction, actor, 'analysis.record', id)
          if (await withdraw(transaction, id, { id: aid, by: actor.id, motivo })) return true
          return (await recordById(transaction, id, aid)) !== null
        })
      if (!found) throw problem('analysis.not_found')
    },
  }
}
export type Analyses = ReturnType<typeof createAnalyses>

/** Where costs are hidden, so is what they can be told from. */
function withoutPrices(record: RecordedAnalysis): RecordedAnalysis {
  const { preco_insumo: _, preco_produto: __, ...opcoes } = record.opcoes
  const { regressao, regressoes } = record.analise
  const bare = (one: DoseRegression): DoseRegression => ({
    ...one,
    modelos: one.modelos.map(({ economica: ___, ...model }) => model),
  })
  return {
    ...record,
    opcoes,
    analise: {
      ...record.analise,
      ...(regressao && { regressao: bare(regressao) }),
      ...(regressoes && { regressoes: regressoes.map(bare) }),
    },
  }
}

const tooMany = () =>
  new Problem('validation.failed', {
    fields: [{ path: 'registro', message: 'Um experimento guarda no máximo 500 análises registradas' }],
  })
