import { createHash } from 'node:crypto'
import {
  can,
  type DashboardFigure,
  dashboardFigure,
  type EconomicAnswer,
  type Experiment,
  type ExperimentFilter,
  type FigureMeasure,
  isRefusal,
  REPORT_MODEL,
  type RecordedAnalysis,
  type ReportFormat,
  type ReportMaterial,
  type ReportSection,
  trialFigure,
  trialReport,
  trialSummary,
  WORD,
  withoutFormula,
} from '@ensaio/domain'
import { REGISTRATION_KINDS, type RegistrationKind, registrationList } from '@ensaio/domain/advice'
import type { Actor } from '../../http/contract-routes.ts'
import { type Brand, setAs, typeset } from '../../jobs/typeset.ts'
import { shareOf } from '../../places.ts'
import type { Dashboard } from '../dashboard/dashboard.service.ts'
import type { Documents } from '../documents/documents.service.ts'
import type { Experiments } from '../experiments/experiments.service.ts'
import type { History } from '../experiments/history.service.ts'
import type { Analyses } from '../trials/analysis.service.ts'
import type { TrialEconomics } from '../trials/economics.service.ts'
import type { Trials } from '../trials/trials.service.ts'
import { FIGURE, OUTLINES, printed, SUMMARY, safe, TRIAL } from './templates.ts'

const MOST_DOCUMENTS = 50

export interface ReportFile {
  filename: string
  type: string
  /** Of what it says and how it is set: equal where the bytes are. */
  tag: string
  bytes(): Promise<Buffer>
}

/** Reports of single trials, as their asker sees the trial. */
export function createReports({
  experiments,
  analyses,
  trials,
  economics,
  documents,
  history,
  brand,
  dashboard,
  organizationName,
}: {
  experiments: Pick<Experiments, 'get'>
  analyses: Pick<Analyses, 'list' | 'record'>
  trials: Pick<Trials, 'get'>
  economics: Pick<TrialEconomics, 'answer'>
  documents: Pick<Documents, 'list'>
  history: History
  /** How the acting organisation signs what it hands out. */
  brand(actor: Actor): Promise<Brand>
  dashboard: Pick<Dashboard, 'overview'>
  organizationName(actor: Actor): Promise<string>
}) {
  /** The latest recorded analysis of the yield that was not withdrawn. */
  const recordedOf = async (actor: Actor, id: string): Promise<RecordedAnalysis | null> => {
    const stands = (await analyses.list(actor, id)).filter(
      ({ retirada, variavel }) => retirada === null && variavel === 'produtividade',
    )
    const latest = stands.sort((a, b) => (a.quando < b.quando ? 1 : -1))[0]
    return latest ? analyses.record(actor, id, latest.id) : null
  }
  /** Null where there is no price, no cost or nothing to reckon with. */
  const economicsOf = async (actor: Actor, id: string): Promise<EconomicAnswer | null> => {
    try {
      return await economics.answer(actor, id, {})
    } catch (error) {
      if (isRefusal(error)) return null
      throw error
    }
  }

  const registrationOf = async (
    actor: Actor,
    experiment: Experiment,
    { kind, together }: { kind: RegistrationKind; together: readonly string[] },
  ) => {
    const { ficha } =
      experiment.dados === 'parcelas' ? await trials.get(actor, experiment.id) : { ficha: null }
    const others: Experiment[] = []
    for (const id of new Set(kind === 'inoculante' ? together : []))
      if (id !== experiment.id) others.push(await experiments.get(actor, id))
    const lines = registrationList(kind, { ...experiment, ficha }, [experiment, ...others])
    return { kind: REGISTRATION_KINDS[kind], lines }
  }

  const materialOf = async (actor: Actor, id: string): Promise<ReportMaterial> => {
    const experiment = await experiments.get(actor, id)
    const { permissoes: rights } = experiment
    const subject = { owner: experiment.created_by, organization: experiment.organizacao.id }
    return {
      experiment,
      recorded: await recordedOf(actor, id),
      economics: rights.ver_custos ? await economicsOf(actor, id) : null,
      history: can(actor, 'experiment.history', subject).allowed ? await history(actor, id) : [],
      documents: rights.ver_documentos
        ? await documents.list(actor, { experimentId: id, sha256: undefined, limit: MOST_DOCUMENTS })
        : [],
      author: experiment.created_by_name,
    }
  }

  return {
    /** @throws experiment.not_found, server.busy */
    async trial(
      actor: Actor,
      id: string,
      {
        format,
        sections,
        registration,
        together,
      }: {
        format: ReportFormat
        sections: readonly ReportSection[]
        registration: RegistrationKind | null
        /** Trials that are handed in with it. */
        together: readonly string[]
      },
    ): Promise<ReportFile> {
      const material = await materialOf(actor, id)
      const who = shareOf(actor)
      if (format === 'resumo') {
        const data = trialSummary(material)
        return {
          ...{ filename: `${safe(data.titulo)}.pdf`, type: 'application/pdf', tag: tagOf(SUMMARY, data) },
          bytes: () => typeset({ template: SUMMARY, data: { ...data, contornos: OUTLINES } }, who),
        }
      }
      const sign = await brand(actor)
      const listed =
        registration && (await registrationOf(actor, material.experiment, { kind: registration, together }))
      const report = trialReport({ ...material, registration: listed }, sections)
      const logo = sign.logo && createHash('sha256').update(sign.logo).digest('hex')
      const tag = (kind: string) => tagOf(kind, [report, sign.cor, logo])
      if (format === 'pdf')
        return {
          ...{ filename: `${safe(report.titulo)}.pdf`, type: 'application/pdf', tag: tag(TRIAL) },
          bytes: () => typeset(printed(report, sign), who),
        }
      const figures = report.blocos
        .filter((block) => block.tipo === 'barras' || block.tipo === 'mapa')
        .map((figure) => ({ ...figure, titulo: '', linhas: [], contornos: OUTLINES }))
      return {
        ...{ filename: `${safe(report.titulo)}.docx`, type: WORD, tag: tag(`docx ${FIGURE}`) },
        bytes: () => setAs({ as: 'docx', report, template: FIGURE, figures, logo: sign.logo }, who),
      }
    },

    /** A figure alone, or its numbers. @throws experiment.not_found, server.busy */
    async figure(actor: Actor, id: string, format: FigureFormat): Promise<ReportFile> {
      return figureFile(trialFigure(await experiments.get(actor, id)), {
        ...{ format, name: `Produtividade - ${id}`, who: shareOf(actor) },
      })
    },

    /** The same of what the dashboard shows under a filter. @throws server.busy */
    async dashboardFigure(
      actor: Actor,
      filtro: ExperimentFilter,
      { nome, medida, format }: { nome: DashboardFigure; medida: FigureMeasure; format: FigureFormat },
    ): Promise<ReportFile> {
      const of = { filtro, organizacao: await organizationName(actor), quando: new Date().toISOString() }
      const figure = dashboardFigure(await dashboard.overview(actor, filtro), { nome, medida }, of)
      return figureFile(figure, { format, name: safe(figure.titulo), who: shareOf(actor) })
    },
  }
}
export type Reports = ReturnType<typeof createReports>

type FigureFormat = 'svg' | 'png' | 'csv'
const FIGURE_TYPES = { svg: 'image/svg+xml', png: 'image/png', csv: 'text/csv; charset=utf-8' }

function figureFile(
  { tabela, ...data }: { titulo: string; tabela: readonly (readonly string[])[] },
  { format, name, who }: { format: FigureFormat; name: string; who: string },
): ReportFile {
  return {
    filename: `${name}.${format}`,
    type: FIGURE_TYPES[format],
    tag: tagOf(`${format} ${FIGURE}`, [data, tabela]),
    bytes: async () =>
      format === 'csv'
        ? Buffer.from(`\ufeff${tabela.map(csvLine).join('\r\n')}\r\n`)
        : setAs({ as: format, template: FIGURE, data }, who),
  }
}

/** A cell that a spreadsheet would take for a formula is a text all the same. */
const csvLine = (cells: readonly string[]) =>
  cells.map((cell) => `"${withoutFormula(cell).replaceAll('"', '""')}"`).join(';')

const tagOf = (template: string, data: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([REPORT_MODEL, template, data]))
    .digest('base64url')
