import {
  type ConsolidatedMaterial,
  consolidatedReport,
  type Experiment,
  type ExperimentFilter,
  filterText,
  isRefusal,
  type ManyReport,
  type ManyReportInput,
  MOST_NAMED_TRIALS,
  MOST_PAGE_ROWS,
  overviewOf,
  problem,
  type SoilGroup,
  soilFilters,
  soilGroups,
} from '@ensaio/domain'
import type { Handle } from '../../database/handle.ts'
import { oneAtATime } from '../../database/one-at-a-time.ts'
import type { Wall } from '../../database/wall.ts'
import type { Actor } from '../../http/contract-routes.ts'
import { type Brand, setAs } from '../../jobs/typeset.ts'
import { shareOf } from '../../places.ts'
import type { AccountsFeature } from '../accounts/accounts.feature.ts'
import type { Dashboard } from '../dashboard/dashboard.service.ts'
import type { Experiments } from '../experiments/experiments.service.ts'
import { createReportSyntheses, type SynthesisSources } from './many-syntheses.ts'
import {
  finishReport,
  forgetReports,
  insertReport,
  noteProgress,
  noteReceived,
  ownReports,
  placesOf,
  removeReport,
  reportById,
  reportFile,
  type StoredReport,
  trialsOfFilter,
  visibleOf,
} from './reports.repository.ts'
import { FIGURE, OUTLINES, printed, safe } from './templates.ts'

const KEEP_DAYS = 7
/** In the making at once, of one person. */
const MOST_AT_WORK = 2
/** Of one person. */
const MOST_KEPT = { count: 300, bytes: 2 * 1024 ** 3 }
const MOST_POINTS = 2_000
const EVERY = 25
/** Received trials that a report remembers one by one. */
const MOST_RECEIVED = 10_000

/** Reports of many trials, made behind the answer, under their asker's right, and kept for a week. */
export function createManyReports({
  wall,
  owner,
  experiments,
  dashboard,
  syntheses,
  synthesisRecords,
  organizationName,
  brand,
  tell,
  siteUrl,
  log,
}: {
  wall: Wall
  owner: Handle
  experiments: Pick<Experiments, 'get'>
  dashboard: Pick<Dashboard, 'overview'>
  organizationName(actor: Actor): Promise<string>
  brand(actor: Actor): Promise<Brand>
  tell: AccountsFeature['tell']
  siteUrl: string
  log(error: unknown): void
} & SynthesisSources) {
  const synthesesOf = createReportSyntheses({ syntheses, synthesisRecords })
  const atWork = new Set<Promise<void>>()

  /** Of more trials than are named: an overview of each class of soil that the filter lets through. */
  const soilsOf = async (actor: Actor, filter: ExperimentFilter): Promise<SoilGroup[]> => {
    const groups: SoilGroup[] = []
    for (const { chave, filtro } of soilFilters(filter)) {
      const { total, ganho } = await dashboard.overview(actor, filtro)
      if (total > 0) groups.push({ chave, n: total, ganho })
    }
    return groups
  }

  const materialOf = async (
    actor: Actor,
    asked: ManyReportInput,
    step: (done: number) => Promise<void>,
  ): Promise<ConsolidatedMaterial> => {
    const handle = wall.for(actor)
    const filter = asked.filtro
    const found = filter
      ? await trialsOfFilter(handle, filter, MOST_NAMED_TRIALS)
      : await visibleOf(handle, asked.experimentos ?? []).then((ids) => ({ ids, total: ids.length }))
    const ensaios: Experiment[] = []
    if (found.total <= MOST_NAMED_TRIALS)
      for (const [at, id] of found.ids.entries()) {
        if (at % EVERY === 0) await step((0.6 * at) / found.total)
        const trial = await experiments.get(actor, id).catch((error: unknown) => {
          // What was deleted meanwhile is left out; what could not be asked about makes the report fail.
          if (isRefusal(error)) return null
          throw error
        })
        if (trial) ensaios.push(trial)
      }
    await step(0.6)
    const overview =
      ensaios.length > 0 || !filter ? overviewOf(ensaios, {}) : await dashboard.overview(actor, filter)
    const told = await synthesesOf(actor, {
      ...{ asked, overview, ensaios, format: asked.formato },
      step: (share) => step(0.6 + 0.3 * share),
    })
    await step(0.9)
    return {
      pergunta: filter ? filterText(filter) : 'Ensaios escolhidos',
      organizacao: await organizationName(actor),
      quando: new Date().toISOString(),
      overview,
      ensaios,
      pontos: filter
        ? await placesOf(handle, filter, MOST_POINTS)
        : ensaios.flatMap(({ longitude, latitude }) =>
            longitude === null || latitude === null ? [] : [[longitude, latitude] as const],
          ),
      ...told,
      solos: ensaios.length > 0 || !filter ? soilGroups(ensaios) : await soilsOf(actor, filter),
      site: siteUrl,
    }
  }

  const make = async (actor: Actor, id: string, asked: ManyReportInput): Promise<void> => {
    const handle = wall.for(actor)
    const step = async (done: number) => {
      if (!(await noteProgress(handle, id, done))) throw new Removed()
    }
    try {
      await noteReceived(handle, id, asked, MOST_RECEIVED)
      const material = await materialOf(actor, asked, step)
      await noteReceived(handle, id, asked, MOST_RECEIVED)
      const report = consolidatedReport(
        material,
        asked.secoes,
        MOST_PAGE_ROWS[asked.formato === 'docx' ? 'docx' : 'pdf'],
      )
      const sign = await brand(actor)
      const who = shareOf(actor)
      const figures = report.blocos
        .filter(({ tipo }) => tipo === 'barras' || tipo === 'mapa' || tipo === 'floresta')
        .map((figure) => ({ ...figure, titulo: '', linhas: [], contornos: OUTLINES }))
      const content =
        asked.formato === 'pdf'
          ? await setAs({ as: 'pdf', ...printed(report, sign) }, who)
          : asked.formato === 'docx'
            ? await setAs({ as: 'docx', report, template: FIGURE, figures, logo: sign.logo }, who)
            : await setAs(
                {
                  ...{ as: 'pptx', template: FIGURE, material, brand: sign },
                  map: figures.find(({ tipo }) => tipo === 'mapa') ?? null,
                },
                who,
              )
      await finishReport(handle, id, content)
      await owner
        .transaction()
        .execute((transaction) =>
          tell(
            transaction,
            actor.id,
            `report ${JSON.stringify({ report: id, person: actor.id, organization: actor.organization })}`,
          ),
        )
    } catch (error) {
      if (error instanceof Removed) return
      log(error)
      await finishReport(handle, id, null)
    }
  }

  const stored = async (actor: Actor, id: string): Promise<StoredReport> => {
    const report = await reportById(wall.for(actor), id)
    if (!report) throw problem('report.not_found')
    return report
  }

  return {
    /** Begins one. @throws report.none where nothing is found, report.too_many, report.too_many_kept */
    async begin(actor: Actor, asked: ManyReportInput): Promise<ManyReport> {
      const handle = wall.for(actor)
      const n = asked.filtro
        ? (await trialsOfFilter(handle, asked.filtro, 1)).total
        : (await visibleOf(handle, asked.experimentos ?? [])).length
      if (n === 0) throw problem('report.none')
      const name = safe(
        `Relatório consolidado - ${asked.filtro ? filterText(asked.filtro) : 'Ensaios escolhidos'}`,
      )
      const id = await handle.transaction().execute(async (transaction) => {
        await oneAtATime(transaction, 'relatorios', actor.id)
        const { fazendo, guardados, bytes } = await ownReports(transaction)
        if (fazendo >= MOST_AT_WORK) throw problem('report.too_many')
        if (guardados >= MOST_KEPT.count || bytes >= MOST_KEPT.bytes) throw problem('report.too_many_kept')
        return insertReport(transaction, {
          ...{ person: actor.id, formato: asked.formato, pedido: asked, n },
          nome: `${name.slice(0, 120)}.${asked.formato}`,
        })
      })
      const work = make(actor, id, asked)
        .catch(log)
        .finally(() => atWork.delete(work))
      atWork.add(work)
      return present(await stored(actor, id))
    },

    get: async (actor: Actor, id: string): Promise<ManyReport> => present(await stored(actor, id)),

    /** @throws report.not_found, also while it is being made, and when what it shows is not all seen any more */
    async file(actor: Actor, id: string) {
      const { nome, formato } = await stored(actor, id)
      const content = await reportFile(wall.for(actor), id)
      if (!content) throw problem('report.not_found')
      return { filename: nome, formato, content }
    },

    /** Ends what is being made, too. @throws report.not_found */
    async remove(actor: Actor, id: string): Promise<void> {
      if (!(await removeReport(wall.for(actor), id))) throw problem('report.not_found')
    },

    forget: () => forgetReports(owner, KEEP_DAYS),
    /** Resolves when what is at work has ended. */
    async settled(): Promise<void> {
      while (atWork.size > 0) await Promise.all(atWork)
    },

    letters: {
      async told(reference: string) {
        // Of `tell`, sealed since.
        const { report, person, organization } = JSON.parse(reference) as Record<
          'report' | 'person' | 'organization',
          string
        >
        const ready = await reportById(wall.for({ id: person, organization }), report)
        if (ready?.estado !== 'pronto') return null
        const link = `${siteUrl}/relatorios/${report}?org=${organization}`
        return {
          ...{ person, subject: 'O seu relatório está pronto', about: 'Relatório pronto' },
          sections: [{ title: null, lines: [{ text: `${ready.nome}, guardado por ${KEEP_DAYS} dias` }] }],
          action: { label: 'Baixar o relatório', link },
        }
      },
      sent: async () => undefined,
      failed: async () => undefined,
    },
  }
}
export type ManyReports = ReturnType<typeof createManyReports>

/** Whoever asked for it does not want it any more. */
class Removed extends Error {}

const present = ({ id, formato, estado, n, progresso }: StoredReport): ManyReport => ({
  ...{ id, formato, estado, n, progresso },
})
