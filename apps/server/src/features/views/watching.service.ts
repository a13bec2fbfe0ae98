import {
  type AlertCondition,
  type AskedName,
  beyondExact,
  conditionText,
  type Experiment,
  exactAsked,
  fieldsAsked,
  formatNumber,
  namelessText,
  namesAsked,
  type OrganizationRole,
  Problem,
  passes,
  type ViewQuestion,
  viewQuestion,
} from '@ensaio/domain'
import { apart } from '../../database/apart.ts'
import type { Handle } from '../../database/handle.ts'
import type { Wall } from '../../database/wall.ts'
import type { Actor } from '../../http/contract-routes.ts'
import type { AccountsFeature } from '../accounts/accounts.feature.ts'
import type { Experiments } from '../experiments/experiments.service.ts'
import { endDigest } from './digest.repository.ts'
import { type Letters, lineOf, type Tokens } from './telling.ts'
import {
  addNotices,
  type Candidate,
  candidatesFor,
  candidatesOfSet,
  dueAlerts,
  endAlert,
  exactOf,
  goneNames,
  letterOf,
  letterSent,
  type News,
  newsSeen,
  nextNews,
  noteFailures,
  noticesTold,
  passing,
  pauseAlerts,
  standingAlerts,
  toldOf,
  watchAlone,
} from './watching.repository.ts'

const NEWS_AT_ONCE = 2_000
/** In one statement. */
const QUESTIONS_AT_ONCE = 20
const NOTICES_AT_ONCE = 20_000
/** Of a set that is shared: a letter names ten of them. */
const MOST_OF_SET = 10_000
const NAMED = 10
const FAILED = 'A verificação falhou cinco vezes. Confira a vista e retome o aviso.'
const UNSENT = 'O email falhou cinco vezes. Confira o seu endereço e retome o aviso.'

/** What alerts that stand together ask beyond exact fields, with the trials that have these. */
interface Question extends ViewQuestion {
  alike: readonly Candidate[]
  condition: AlertCondition | null
  ids: readonly string[]
}

/**
 * Finds out what is new to whom and tells them. A trial is looked at in the name of each person, when it is found
 * and again when it is told.
 */
export function createWatching({
  wall,
  owner,
  experiments,
  accounts,
  tokens,
  siteUrl,
  log,
}: {
  wall: Wall
  owner: Handle
  experiments: Pick<Experiments, 'get'>
  accounts: Pick<AccountsFeature, 'tell' | 'wakePost'>
  tokens: Tokens
  siteUrl: string
  log(error: unknown): void
}) {
  /** Who changes nothing and sees what the person sees. */
  const readerOf = ({
    pessoa_id: id,
    organizacao_id: organization,
  }: Pick<Candidate, 'pessoa_id' | 'organizacao_id'>): Actor => ({
    ...{ id, organization, name: null, role: 'user', sessionId: '', closed: false, several: true },
    papel: 'leitor' satisfies OrganizationRole,
  })

  /**
   * Notices of the candidates' trials, as many as their people see and as pass. What a person sees is what their
   * organisation sees. Thousands of alerts differ in a crop, a state or a year alone: these are compared here with the
   * trials that are seen, and what is left of the questions is asked once each.
   */
  const look = async (
    transaction: Handle,
    candidates: readonly Candidate[],
    stands: (candidate: Candidate, experiment: string, reader: Actor) => Promise<boolean> = async () => true,
  ) => {
    for (const own of Map.groupBy(candidates, ({ organizacao_id }) => organizacao_id).values()) {
      const [first] = own
      if (!first) continue
      const reader = readerOf(first)
      const handle = wall.for(reader)
      const seen = await exactOf(handle, [...new Set(own.flatMap(({ experimentos }) => experimentos))])
      const questions = Array.from(
        Map.groupBy(own, ({ estado, condicao }) => JSON.stringify([estado, condicao])).values(),
        (alike) => {
          const question = viewQuestion(alike[0]?.estado ?? {})
          const exact = exactAsked(question)
          const ids = [...new Set(alike.flatMap(({ experimentos }) => experimentos))].filter((id) => {
            const trial = seen.get(id)
            return trial !== undefined && exact.every(([key, value]) => trial[key] === value)
          })
          return { alike, condition: alike[0]?.condicao ?? null, ids, ...beyondExact(question) }
        },
      )
      const rests = [
        ...Map.groupBy(questions, ({ filter, search, condition }) =>
          JSON.stringify([filter, search, condition]),
        ).values(),
      ]
      for (let at = 0; at < rests.length; at += QUESTIONS_AT_ONCE) {
        const asked = rests.slice(at, at + QUESTIONS_AT_ONCE)
        try {
          await apart(transaction, () => ask(transaction, { reader, handle, asked, stands }))
        } catch {
          // Only the question at fault counts as failed.
          for (const alike of asked)
            try {
              await apart(transaction, () => ask(transaction, { reader, handle, asked: [alike], stands }))
            } catch (error) {
              log(error)
              await noteFailures(
                transaction,
                alike.flatMap(({ alike }) => alike.map(({ id }) => id)),
                FAILED,
              )
            }
        }
      }
    }
  }

  /** Questions that ask the same beyond exact fields stand together; all are of one organisation. */
  const ask = async (
    transaction: Handle,
    {
      reader,
      handle,
      asked,
      stands,
    }: {
      reader: Actor
      handle: Handle
      asked: readonly (readonly Question[])[]
      stands(candidate: Candidate, experiment: string, reader: Actor): Promise<boolean>
    },
  ) => {
    const rests = asked.map((alike) => {
      const { filter = {}, search = '', condition = null } = alike[0] ?? {}
      return { filter, search, condition, among: [...new Set(alike.flatMap(({ ids }) => ids))] }
    })
    const passed = await passing(handle, rests)
    const standing: { alert: string; experiment: string }[] = []
    for (const [at, questions] of asked.entries())
      for (const { alike, ids } of questions) {
        const pass = new Set(ids.filter((id) => passed[at]?.has(id)))
        for (const candidate of alike)
          for (const experiment of candidate.experimentos)
            if (pass.has(experiment) && (await stands(candidate, experiment, reader)))
              standing.push({ alert: candidate.id, experiment })
      }
    for (let at = 0; at < standing.length; at += NOTICES_AT_ONCE)
      await addNotices(transaction, standing.slice(at, at + NOTICES_AT_ONCE))
  }

  /** Changed trials pass newly only if they did not pass as they were before the first of the changes. */
  const newlyPassing = (changes: readonly News[]) => {
    const before = new Map<string, { keys: Set<string>; values: Record<string, unknown> }>()
    for (const { experimento_id: id, antes, depois } of changes) {
      if (id === null) continue
      const kept = before.get(id) ?? { keys: new Set<string>(), values: {} }
      for (const key of Object.keys(depois ?? {})) kept.keys.add(key)
      before.set(id, { keys: kept.keys, values: { ...antes, ...kept.values } })
    }
    return async ({ estado, condicao }: Candidate, id: string, reader: Actor) => {
      const was = before.get(id)
      const question = viewQuestion(estado)
      const asked = fieldsAsked(question, condicao)
      if (!was || ![...was.keys].some((key) => asked.has(key))) return false
      const now = await experiments.get(reader, id).catch((error: unknown) => {
        // Deleted, or not shared any more, since it was found.
        if (error instanceof Problem && error.code === 'experiment.not_found') return null
        throw error
      })
      return now !== null && !passes({ ...now, ...shownOf(was.values, now) }, question, condicao)
    }
  }

  /** Looks at what may be new, once; false when another server does or there is nothing. */
  const lookOnce = (): Promise<boolean> =>
    owner.transaction().execute(async (transaction) => {
      if (!(await watchAlone(transaction))) return false
      const news = await nextNews(transaction, NEWS_AT_ONCE)
      if (news.length === 0) return false
      const ids = (of: (one: News) => boolean) => news.filter(of).map(({ id }) => id)
      const changes = news.filter(({ acao }) => acao === 'alterado')
      await look(
        transaction,
        await candidatesFor(
          transaction,
          ids(({ acao }) => acao === 'criado' || acao === 'restaurado'),
        ),
      )
      await look(
        transaction,
        await candidatesFor(
          transaction,
          ids(({ acao, experimento_id }) => acao === null && experimento_id !== null),
        ),
      )
      for (const { organizacao_id: organization, acervo_id: set, quando: since } of news)
        if (organization !== null && set !== null)
          await look(
            transaction,
            await candidatesOfSet(transaction, { organization, set, since, most: MOST_OF_SET }),
          )
      await look(
        transaction,
        await candidatesFor(
          transaction,
          changes.map(({ id }) => id),
        ),
        newlyPassing(changes),
      )
      await newsSeen(
        transaction,
        news.map(({ id }) => id),
      )
      return news.length === NEWS_AT_ONCE
    })

  const referenceOf = (alert: string, person: string, organization: string, at: Date) =>
    `alert ${JSON.stringify({ alert, person, organization, at: at.toISOString() })}`
  // Of `referenceOf`, sealed since.
  const parsed = (reference: string) =>
    JSON.parse(reference) as { alert: string; person: string; organization: string; at: string }

  const letters: Letters = {
    async told(reference) {
      const { alert, person, organization, at } = parsed(reference)
      const handle = wall.for({ id: person, organization })
      const letter = await letterOf(handle, alert, new Date(at))
      if (!letter || letter.experimentos.length === 0) return null
      const [kept] = await passing(handle, [
        { condition: letter.condicao, among: letter.experimentos, ...viewQuestion(letter.estado) },
      ])
      const ids = letter.experimentos.filter((id) => kept?.has(id))
      if (ids.length === 0) return null
      const named = await toldOf(handle, ids.slice(0, NAMED))
      const more = ids.length - named.length
      return {
        person,
        subject: `${formatNumber(ids.length, 0)} ${ids.length === 1 ? 'novo ensaio' : 'novos ensaios'} em “${letter.vista}”`,
        about: 'Novos ensaios em uma vista',
        sections: [
          {
            title: letter.condicao && conditionText(letter.condicao),
            lines: [
              ...named.map((trial) => ({
                text: lineOf(trial),
                link: `${siteUrl}/experimentos/${trial.id}?org=${organization}`,
              })),
              ...(more > 0 ? [{ text: `e mais ${formatNumber(more, 0)}` }] : []),
            ],
          },
        ],
        action: { label: 'Abrir a vista', link: `${siteUrl}/v/${letter.vista_id}?org=${organization}` },
        end: { label: 'Encerrar este aviso', link: `${siteUrl}/encerrar-aviso/${tokens.of(alert)}` },
        unsubscribe: `${siteUrl}/api/alerts/unsubscribe/${tokens.of(alert)}`,
      }
    },
    sent: (reference) => letterSent(owner, parsed(reference).alert),
    failed: (reference) => noteFailures(owner, [parsed(reference).alert], UNSENT),
  }

  return {
    letters,
    /** Finds out what is new since the last time. */
    async look(): Promise<void> {
      while (await lookOnce());
    },
    /** Queues the letters that are due. */
    async tell(now = new Date()): Promise<void> {
      const due = await dueAlerts(owner, now)
      for (const { id, pessoa_id, organizacao_id } of due)
        await owner.transaction().execute(async (transaction) => {
          await noticesTold(transaction, id, now)
          await accounts.tell(transaction, pessoa_id, referenceOf(id, pessoa_id, organizacao_id, now))
        })
      if (due.length > 0) accounts.wakePost()
    },
    /** Pauses alerts that ask for a name which nothing has any more, and says which. */
    async pauseNameless(): Promise<void> {
      const asked = (await standingAlerts(owner)).map(({ id, estado }) => ({
        id,
        names: namesAsked(viewQuestion(estado)),
      }))
      const key = ({ tipo, nome }: AskedName) => JSON.stringify([tipo, nome])
      const all = new Map(asked.flatMap(({ names }) => names.map((name) => [key(name), name] as const)))
      if (all.size === 0) return
      const gone = new Set((await goneNames(owner, [...all.values()])).map(key))
      await pauseAlerts(
        owner,
        asked.flatMap(({ id, names }) => {
          const first = names.find((name) => gone.has(key(name)))
          return first ? [{ id, why: namelessText(first) }] : []
        }),
      )
    },

    /** Ends what a letter is of; asked again, it has ended. @throws alert.not_found for a token that is not ours */
    async unsubscribe(token: string): Promise<void> {
      const [subject = '', organization] = tokens.subjectOf(token).split('_')
      if (organization === undefined) await endAlert(owner, subject)
      else await endDigest(owner, { person: subject, organization })
    },
  }
}
export type Watching = ReturnType<typeof createWatching>

/** Of what a trial was before, what its reader is shown of it now: what is hidden tells nothing by having changed. */
function shownOf(values: Record<string, unknown>, { ocultos }: Experiment): Partial<Experiment> {
  const hidden = new Set<string>(ocultos)
  const known: Partial<Experiment> = Object.fromEntries(
    Object.entries(values).filter(([field]) => !hidden.has(field)),
  )
  if (hidden.has('tratamentos.custo') && known.tratamentos)
    known.tratamentos = known.tratamentos.map((treatment) => ({
      ...treatment,
      custo: null,
      produtos_aplicados: treatment.produtos_aplicados.map((product) => ({ ...product, custo: null })),
    }))
  return known
}
