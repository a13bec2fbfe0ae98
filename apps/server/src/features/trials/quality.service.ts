import {
  dayInBrasilia,
  type ExperimentInput,
  keptCounts,
  problem,
  type Quality,
  type QualityAnswer,
  searchable,
} from '@ensaio/domain'
import {
  ADVICE_VERSION,
  type AdviceAnswer,
  type AdviceFacts,
  adviseOn,
  answered,
  type Finding,
  openCounts,
  placeKey,
  qualityOf,
} from '@ensaio/domain/advice'
import type { Handle } from '../../database/handle.ts'
import type { Wall } from '../../database/wall.ts'
import type { Actor } from '../../http/contract-routes.ts'
import type { AccountsFeature } from '../accounts/accounts.feature.ts'
import {
  factsOf,
  municipalityPoints,
  putAnswer,
  putCounts,
  type Scope,
  type StoredAnswer,
  staleTrials,
} from './quality.repository.ts'
import { sheetOf } from './sheets.repository.ts'
import { plainSheet } from './yields.ts'

/** Trials that are looked at again in one transaction, after the rules have changed. */
const PAGE = 100

/** What is kept of a trial: of its own organisation, and of the others. */
export interface KeptQuality {
  apontamentos: number
  apontamentos_vistos: number
  regras: number
}

/** The light of trials: counted with every write, told with reasons, answered by people. */
export async function createQuality({ owner }: { owner: Handle }) {
  const points = new Map(
    (await municipalityPoints(owner)).map(({ nome, estado, ...point }) => [`${estado} ${nome}`, point]),
  )
  const municipio = (cidade: string, estado: string) => points.get(`${estado} ${searchable(cidade)}`) ?? null

  const kept = (findings: readonly Finding[], answers: readonly AdviceAnswer[] = []): KeptQuality => ({
    apontamentos: keptCounts(openCounts(findings, answers)),
    apontamentos_vistos: keptCounts(openCounts(findings.filter(open), answers)),
    regras: ADVICE_VERSION,
  })

  const look = async (handle: Handle, id: string, scope: Scope) => {
    const row = await factsOf(handle, id, scope)
    if (!row) return null
    const { cidade, respostas, ficha_versao, ...known } = row
    const stored = ficha_versao === null ? null : await sheetOf(handle, id)
    const facts: AdviceFacts = {
      ...known,
      municipio: municipio(cidade, row.estado ?? ''),
      ...(stored && { ficha: plainSheet(stored), informadas: stored.informadas }),
    }
    return { findings: adviseOn(facts), answers: respostas }
  }

  return {
    /** Of a trial that is being made: it has no sheet, and nobody has answered. */
    ofInput: (input: ExperimentInput): KeptQuality =>
      kept(
        adviseOn({
          ...input,
          estatistica_informada: input.estatistica_informada ?? null,
          municipio: municipio(input.cidade, input.estado),
        }),
      ),

    /** After a change of a trial, in its transaction. */
    async keep(handle: Handle, id: string, scope: Scope = 'visto'): Promise<void> {
      const seen = await look(handle, id, scope)
      if (seen) await putCounts(handle, id, kept(seen.findings, seen.answers))
    },

    /** What the asking person may know of it; null where they do not see the trial. */
    look: (handle: Handle, id: string) => look(handle, id, 'visto'),

    /** Looks again at what other rules found, and at what was there before them. */
    async settle(): Promise<void> {
      for (let found = PAGE; found === PAGE; )
        found = await owner.transaction().execute(async (transaction) => {
          const ids = await staleTrials(transaction, ADVICE_VERSION, PAGE)
          for (const id of ids) {
            const seen = await look(transaction, id, 'public')
            if (seen) await putCounts(transaction, id, kept(seen.findings, seen.answers))
          }
          return ids.length
        })
    },
  }
}
export type QualityKeeper = Awaited<ReturnType<typeof createQuality>>

const open = ({ reservado }: Finding): boolean => !reservado

/** The page of findings, and answers to them. */
export function createQualityPage({
  wall,
  quality,
  experiments,
  namesOf,
}: {
  wall: Wall
  quality: QualityKeeper
  experiments: {
    get(actor: Actor, id: string, handle?: Handle): Promise<{ relacao: 'propria' | 'compartilhada' }>
    lockFor(handle: Handle, actor: Actor, action: 'experiment.edit', id: string): Promise<unknown>
  }
  namesOf: AccountsFeature['namesOf']
}) {
  const present = async (actor: Actor, id: string, handle: Handle): Promise<Quality> => {
    const own = (await experiments.get(actor, id, handle)).relacao === 'propria'
    const seen = await quality.look(handle, id)
    if (!seen) throw problem('experiment.not_found')
    const findings = own ? seen.findings : seen.findings.filter(open)
    const people = seen.answers.flatMap(({ quem }) => quem ?? [])
    const names = own ? await namesOf(handle, [...new Set(people)]) : new Map<string, string>()
    return qualityOf(findings, {
      today: dayInBrasilia(),
      resposta: (finding) => answerOf(answered<StoredAnswer>(finding, seen.answers), own, names),
    })
  }

  return {
    /** @throws experiment.not_found */
    get: (actor: Actor, id: string) => present(actor, id, wall.for(actor)),

    /** @throws quality.gone where what is answered is no more, permission.denied */
    answer: (
      actor: Actor,
      { id, codigo }: { id: string; codigo: string },
      { lugar, valor, texto }: QualityAnswer,
    ): Promise<Quality> =>
      wall
        .for(actor)
        .transaction()
        .execute(async (handle) => {
          await experiments.lockFor(handle, actor, 'experiment.edit', id)
          const seen = await quality.look(handle, id)
          const named = (one: Finding) =>
            one.codigo === codigo && placeKey(one.onde) === lugar && one.valor === valor
          if (!seen?.findings.some(named)) throw problem('quality.gone')
          await putAnswer(handle, id, { codigo, lugar, valor, texto, quem: actor.id })
          await quality.keep(handle, id)
          return present(actor, id, handle)
        }),
  }
}
export type QualityPage = ReturnType<typeof createQualityPage>

function answerOf(answer: StoredAnswer | null, own: boolean, names: ReadonlyMap<string, string>) {
  if (!answer) return null
  return {
    texto: own ? answer.texto : null,
    quem: names.get(answer.quem ?? '') ?? null,
    quando: new Date(answer.quando).toISOString(),
  }
}
