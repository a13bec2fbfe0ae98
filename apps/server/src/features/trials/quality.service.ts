import {
  dayInBrasilia,
  type ExperimentInput,
  type KeptRange,
  keptCounts,
  problem,
  type Quality,
  type QualityAdmin,
  type QualityAnswer,
  searchable,
} from '@ensaio/domain'
import {
  ADVICE_CODES,
  ADVICE_SOURCES,
  type AdviceAnswer,
  type AdviceFacts,
  adviseOn,
  agedSource,
  answered,
  type CropRange,
  type Finding,
  openCounts,
  placeKey,
  qualityOf,
  rulesFound,
  rulesVersion,
  sourceOf,
} from '@ensaio/domain/advice'
import type { Handle } from '../../database/handle.ts'
import type { Wall } from '../../database/wall.ts'
import type { Actor } from '../../http/contract-routes.ts'
import type { AccountsFeature } from '../accounts/accounts.feature.ts'
import {
  answersByRule,
  cropRanges,
  factsOf,
  foundByRule,
  type KeptCounts,
  lookAtOthersAgain,
  municipalityPoints,
  ownRange,
  putAnswer,
  putCounts,
  putCropRanges,
  putReferences,
  type References,
  readYields,
  type Scope,
  type StoredAnswer,
  setAside,
  staleTrials,
  usualDoses,
} from './quality.repository.ts'
import { type StoredSheet, sheetOf } from './sheets.repository.ts'
import { plainSheet } from './yields.ts'

/** Trials that are looked at again in one transaction, after the rules have changed. */
const PAGE = 100
/** Of them, as many as are held at a time: one may have 500 treatments. */
const FACTS_AT_ONCE = 20
/** Of a round: what fails so often is no matter of single trials. */
const MOST_FAILURES = 10

/** What is kept of a trial: of its own organisation, and of the others. */
export type KeptQuality = Omit<KeptCounts, 'id'>
type Facts = Awaited<ReturnType<typeof factsOf>>[number]

/** The light of trials: counted with every write, told with reasons, answered by people. */
export async function createQuality({ owner }: { owner: Handle }) {
  const points = new Map(
    (await municipalityPoints(owner)).map(({ nome, estado, ...point }) => [`${estado} ${nome}`, point]),
  )
  // A write with ranges that are no more says so by its version, and is looked at again.
  let ranges = await cropRanges(owner)
  const municipio = (cidade: string, estado: string) => points.get(`${estado} ${searchable(cidade)}`) ?? null

  const kept = (findings: readonly Finding[], answers: readonly AdviceAnswer[] = []): KeptQuality => ({
    apontamentos: keptCounts(openCounts(findings, answers)),
    apontamentos_vistos: keptCounts(openCounts(findings.filter(open), answers)),
    regras: rulesVersion(ranges.versao),
    achados: rulesFound(findings),
  })

  /**
   * @param fresh what it was not held against yet is asked for, instead of being left out
   * @param sheet as it was just written, where it is at hand: the largest is 12,000 values
   */
  const look = async (
    handle: Handle,
    id: string,
    scope: Scope,
    { fresh = false, sheet }: { fresh?: boolean; sheet?: StoredSheet } = {},
  ) => {
    const [row] = await factsOf(handle, [id], scope)
    return row ? lookAt(handle, row, { fresh, ...(sheet && { sheet }) }) : null
  }

  const lookAt = async (
    handle: Handle,
    { id, cidade, respostas, ficha_versao, referencias, ...known }: Facts,
    { fresh = false, sheet }: { fresh?: boolean; sheet?: StoredSheet } = {},
  ) => {
    const stored =
      ficha_versao === null ? null : sheet?.versao === ficha_versao ? sheet : await sheetOf(handle, id)
    const facts: AdviceFacts = {
      ...known,
      ...(referencias ?? (fresh ? (await referencesOf(handle, [id]))[0] : null)),
      faixas: ranges.faixas,
      municipio: municipio(cidade, known.estado ?? ''),
      ...(stored && { ficha: plainSheet(stored), informadas: stored.informadas }),
    }
    return { findings: adviseOn(facts), answers: respostas }
  }

  const referencesOf = async (
    handle: Handle,
    ids: readonly string[],
  ): Promise<(References & { id: string })[]> => {
    const [doses, lidas] = [await usualDoses(handle, ids), await readYields(handle, ids)]
    return ids.map((id) => ({ id, doses: doses.get(id) ?? [], lidas: lidas.get(id) ?? [] }))
  }

  const settlePage = (most: number): Promise<number> =>
    owner.transaction().execute(async (transaction) => {
      const version = rulesVersion(ranges.versao)
      const ids = await staleTrials(transaction, version, most)
      await putReferences(transaction, await referencesOf(transaction, ids))
      for (let at = 0; at < ids.length; at += FACTS_AT_ONCE) {
        const counts: KeptCounts[] = []
        for (const facts of await factsOf(transaction, ids.slice(at, at + FACTS_AT_ONCE), 'public')) {
          const { findings, answers } = await lookAt(transaction, facts)
          counts.push({ id: facts.id, ...kept(findings, answers) })
        }
        await putCounts(transaction, counts, { settled: true })
      }
      await lookAtOthersAgain(transaction, ids)
      return ids.length
    })

  /** One of a page could not be looked at: the first alone; where it is the one, it keeps what it has. @throws why */
  const settleOne = async (): Promise<void> => {
    const version = rulesVersion(ranges.versao)
    const [id] = await staleTrials(owner, version, 1)
    if (id === undefined) return
    try {
      await settlePage(1)
    } catch (error) {
      await setAside(owner, id, version)
      throw error
    }
  }

  return {
    /** Of a trial that is being made: it has no sheet, and nobody has answered. */
    ofInput: (input: ExperimentInput): KeptQuality => ({
      ...kept(
        adviseOn({
          ...input,
          estatistica_informada: input.estatistica_informada ?? null,
          faixas: ranges.faixas,
          municipio: municipio(input.cidade, input.estado),
        }),
      ),
      // Its doses are held against the others' a moment later.
      ...(isDosed(input) && { regras: 0 }),
    }),

    /** After a change of a trial, in its transaction. */
    async keep(handle: Handle, id: string, sheet?: StoredSheet): Promise<void> {
      const seen = await look(handle, id, 'visto', sheet && { sheet })
      if (seen) await putCounts(handle, [{ id, ...kept(seen.findings, seen.answers) }])
    },

    /** What the asking person may know of it; null where they do not see the trial. */
    look: (handle: Handle, id: string, how: { fresh?: boolean } = {}) => look(handle, id, 'visto', how),

    ranges: () => ranges,

    /** Once a change of the ranges is there for everybody. */
    async refresh(): Promise<void> {
      ranges = await cropRanges(owner)
    },

    /** Looks again at what other rules found, and at what was there before them. @throws why one was set aside, at the end */
    async settle(): Promise<void> {
      ranges = await cropRanges(owner)
      const failures: unknown[] = []
      for (let found = PAGE; found === PAGE && failures.length < MOST_FAILURES; )
        found = await settlePage(PAGE).catch(async () => {
          await settleOne().catch((error) => failures.push(error))
          return PAGE
        })
      if (failures.length > 0) throw new AggregateError(failures, 'trials that could not be looked at')
    },
  }
}
export type QualityKeeper = Awaited<ReturnType<typeof createQuality>>

const isDosed = ({ tratamentos }: ExperimentInput): boolean =>
  tratamentos.some(({ produtos_aplicados }) =>
    produtos_aplicados?.some(({ dose, unidade }) => dose != null && dose > 0 && unidade != null),
  )

const open = ({ reservado }: Finding): boolean => !reservado

/** The page of findings, and answers to them. */
export function createQualityPage({
  wall,
  owner,
  quality,
  experiments,
  namesOf,
}: {
  wall: Wall
  owner: Handle
  quality: QualityKeeper
  experiments: {
    get(
      actor: Actor,
      id: string,
      handle?: Handle,
    ): Promise<{ relacao: 'propria' | 'compartilhada'; cultura: string | null }>
    lockFor(handle: Handle, actor: Actor, action: 'experiment.edit', id: string): Promise<unknown>
  }
  namesOf: AccountsFeature['namesOf']
}) {
  const present = async (actor: Actor, id: string, handle: Handle): Promise<Quality> => {
    const trial = await experiments.get(actor, id, handle)
    const own = trial.relacao === 'propria'
    const seen = await quality.look(handle, id, { fresh: own })
    if (!seen) throw problem('experiment.not_found')
    const findings = own ? seen.findings : seen.findings.filter(open)
    const people = seen.answers.flatMap(({ quem }) => quem ?? [])
    const names = own ? await namesOf(handle, [...new Set(people)]) : new Map<string, string>()
    const range = own && trial.cultura ? await ownRange(handle, trial.cultura) : null
    const told = qualityOf(findings, {
      today: dayInBrasilia(),
      versao: rulesVersion(quality.ranges().versao),
      resposta: (finding) => answerOf(answered<StoredAnswer>(finding, seen.answers), own, names),
    })
    return { ...told, faixa_propria: ownRangeOf(range, trial.cultura) }
  }

  const overview = async (): Promise<QualityAdmin> => {
    const [answers, found] = await Promise.all([answersByRule(owner), foundByRule(owner)])
    const today = dayInBrasilia()
    const { faixas } = quality.ranges()
    const sources = [...Object.values(ADVICE_SOURCES), ...faixas.map(({ fonte }) => sourceOf(fonte))]
    const aged = sources.flatMap((source) => {
      const antiga = agedSource(source, today)
      return antiga ? [{ titulo: source.titulo, endereco: source.endereco, antiga }] : []
    })
    return {
      faixas: faixas.map(keptRange),
      regras: oftenAnswered(answers, found),
      fontes: [...new Map(aged.map((source) => [source.titulo, source])).values()],
    }
  }

  return {
    /** The ranges that hold, for who types a yield. */
    ranges: (): KeptRange[] => quality.ranges().faixas.map(keptRange),

    /** What an administrator looks after: ranges, rules that people keep answering, sources that grow old. */
    overview,

    /** @throws validation.failed */
    async putRanges(actor: Actor, faixas: readonly KeptRange[]): Promise<QualityAdmin> {
      const names = faixas.map(({ cultura }) => searchable(cultura))
      if (new Set(names).size !== names.length)
        throw problem('validation.failed', {
          fields: [{ path: 'faixas', message: 'Cada cultura aparece uma vez' }],
        })
      await wall
        .for(actor)
        .transaction()
        .execute((handle) => putCropRanges(handle, faixas))
      await quality.refresh()
      return overview()
    },

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
          const seen = await quality.look(handle, id, { fresh: true })
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

/** A range as it is kept and changed, with its source in words. */
function keptRange({ fonte, ...range }: CropRange): KeptRange {
  const { titulo, endereco, data } = sourceOf(fonte)
  const { cultura, media, safra, abaixo, acima, impossivel } = range
  return {
    ...{ cultura, media, safra, abaixo, acima, impossivel, ligada: range.ligada !== false },
    fonte: titulo,
    endereco,
    publicada: data,
  }
}

/** A rule makes people blind that is answered so often, of so many trials in which it found something. */
const ANSWERED_OFTEN = 0.3
const LEAST_CASES = 20

const oftenAnswered = (
  answers: ReadonlyMap<string, number>,
  found: ReadonlyMap<string, number>,
): QualityAdmin['regras'] =>
  ADVICE_CODES.flatMap((codigo) => {
    const [respondidos, casos] = [answers.get(codigo) ?? 0, found.get(codigo) ?? 0]
    return casos >= LEAST_CASES && respondidos > ANSWERED_OFTEN * casos
      ? [{ codigo, respondidos, casos }]
      : []
  })

/** Fewer trials than these tell no range. */
const LEAST_TRIALS = 30

function ownRangeOf(
  range: Awaited<ReturnType<typeof ownRange>> | null,
  cultura: string | null,
): Quality['faixa_propria'] {
  if (!range || cultura === null || range.ensaios < LEAST_TRIALS || range.de === null || range.ate === null)
    return null
  return { cultura, ensaios: range.ensaios, de: Math.round(range.de), ate: Math.round(range.ate) }
}

function answerOf(answer: StoredAnswer | null, own: boolean, names: ReadonlyMap<string, string>) {
  if (!answer) return null
  return {
    texto: own ? answer.texto : null,
    quem: names.get(answer.quem ?? '') ?? null,
    quando: new Date(answer.quando).toISOString(),
  }
}
