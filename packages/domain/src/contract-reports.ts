import { z } from 'zod'
import { CONSOLIDATED_SECTIONS, MOST_NAMED_TRIALS } from './consolidated-report.ts'
import { ExperimentFilter } from './dashboard.ts'
import { DASHBOARD_FIGURES, FIGURE_MEASURES } from './dashboard-figures.ts'
import { ById, endpoint } from './endpoint.ts'
import { REGISTRATION_KINDS, type RegistrationKind } from './registration-kinds.ts'
import { list, shortText } from './text.ts'
import { REPORT_SECTIONS, type ReportSection } from './trial-report.ts'
import { TRIAL_FIGURES } from './trial-summary.ts'

const FIGURE_FORMAT = z.enum(['svg', 'png', 'csv'], { error: 'Escolha svg, png ou csv' })

const REPORT_FORMATS = ['pdf', 'docx', 'resumo'] as const
export type ReportFormat = (typeof REPORT_FORMATS)[number]
/** Trials that a registration is asked for together. */
export const MOST_TOGETHER = 30
export const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

const isSection = (text: string): text is ReportSection =>
  (REPORT_SECTIONS as readonly string[]).includes(text)

/** Section names joined by commas; the ones that are named. */
export const sectionsIn = (text: string | undefined): readonly ReportSection[] =>
  text === undefined ? REPORT_SECTIONS : text.split(',').filter(isSection)

export const SLIDES = 'application/vnd.openxmlformats-officedocument.presentationml.presentation'
/** A report of many trials, as it stands. */
export const ManyReport = z.object({
  id: z.uuid(),
  formato: z.enum(['pdf', 'docx', 'pptx']),
  estado: z.enum(['fazendo', 'pronto', 'falhou']),
  /** Trials in it. */
  n: z.number(),
  /** From 0 to 1. */
  progresso: z.number(),
})
export type ManyReport = z.output<typeof ManyReport>
export const ManyReportInput = z
  .object({
    // A filter that is not understood would report on everything.
    filtro: z
      .strictObject(ExperimentFilter.shape, {
        error: ({ code }) => (code === 'unrecognized_keys' ? 'Use só os filtros do dashboard' : undefined),
      })
      .optional(),
    experimentos: list(z.uuid({ error: 'Identificador inválido' }), {
      most: MOST_NAMED_TRIALS,
      message: `Use no máximo ${MOST_NAMED_TRIALS} ensaios`,
    }).optional(),
    formato: z.enum(['pdf', 'docx', 'pptx'], { error: 'Escolha pdf, docx ou pptx' }),
    /** Without it all; of slides all of them. */
    secoes: list(z.enum(CONSOLIDATED_SECTIONS, { error: 'Escolha seções da lista' }), {
      most: CONSOLIDATED_SECTIONS.length,
      message: `Use no máximo ${CONSOLIDATED_SECTIONS.length} seções`,
    }).optional(),
  })
  .refine(({ filtro, experimentos }) => (filtro === undefined) !== (experimentos === undefined), {
    error: 'Informe um filtro ou os experimentos',
    path: ['filtro'],
  })
export type ManyReportInput = z.output<typeof ManyReportInput>

const leftOut = <S extends string>(sections: readonly [S, ...S[]]) =>
  list(z.enum(sections, { error: 'Escolha seções da lista' }), {
    most: sections.length,
    message: `Use no máximo ${sections.length} seções`,
  })
/** What one leaves out of reports on behalf of an organisation: of one trial, and of many. */
export const ReportParts = z.object({
  experimento_sem: leftOut(REPORT_SECTIONS),
  consolidado_sem: leftOut(CONSOLIDATED_SECTIONS),
})
export type ReportParts = z.output<typeof ReportParts>
const ReportPartsInput = ReportParts.partial()
export type ReportPartsInput = z.output<typeof ReportPartsInput>

export const reportsContract = {
  getReportParts: endpoint('getReportParts', {
    access: 'session',
    summary: 'As partes que você deixa fora dos relatórios nesta organização',
    status: 200,
    output: z.object({ partes: ReportParts }),
  }),
  setReportParts: endpoint('setReportParts', {
    access: 'session',
    summary: 'Guarda as partes que você deixa fora dos relatórios nesta organização',
    body: ReportPartsInput,
    status: 200,
    output: z.object({ partes: ReportParts }),
  }),
  createReport: endpoint('createReport', {
    access: 'session',
    summary: 'Começa um relatório consolidado de um filtro ou de ensaios escolhidos',
    body: ManyReportInput,
    status: 202,
    output: z.object({ relatorio: ManyReport }),
  }),
  getReport: endpoint('getReport', {
    access: 'session',
    summary: 'Como está um relatório consolidado',
    params: ById,
    status: 200,
    output: z.object({ relatorio: ManyReport }),
  }),
  reportFile: endpoint('reportFile', {
    access: 'session',
    summary: 'O arquivo de um relatório consolidado, por sete dias',
    params: ById,
    status: 200,
    media: ['application/pdf', WORD, SLIDES],
  }),
  removeReport: endpoint('removeReport', {
    access: 'session',
    summary: 'Apaga um relatório consolidado; o que está sendo feito termina',
    params: ById,
    status: 204,
  }),
  trialReport: endpoint('trialReport', {
    access: 'session',
    summary: 'O relatório do experimento; a mesma versão dá sempre os mesmos bytes',
    params: ById,
    query: z.object({
      formato: z.enum(REPORT_FORMATS, { error: 'Escolha pdf, docx ou resumo' }),
      /** Parts of it, joined by commas; without it all. */
      secoes: shortText(200)
        .refine((text) => text.split(',').every(isSection), 'Escolha seções da lista')
        .optional(),
      /** With the checklist of such a registration behind it. */
      registro: z
        .enum(Object.keys(REGISTRATION_KINDS) as RegistrationKind[], { error: 'Escolha o tipo de registro' })
        .optional(),
      /** Other trials that would be handed in with it, ids joined by commas. */
      conjunto: shortText(MOST_TOGETHER * 37, { tooLong: `Use no máximo ${MOST_TOGETHER} ensaios` })
        .refine(
          (text) => text.split(',').every((id) => z.uuid().safeParse(id).success),
          'Identificador inválido',
        )
        .optional(),
    }),
    status: 200,
    media: ['application/pdf', WORD],
    others: { 304: { description: 'O mesmo que quem pede já tem (If-None-Match)' } },
  }),
  trialMiappe: endpoint('trialMiappe', {
    access: 'session',
    summary: 'O experimento segundo o MIAPPE 1.1: ISA-Tab, valores e planilha num zip; sem custos',
    params: ById,
    status: 200,
    media: ['application/zip'],
  }),
  trialMiappeLacks: endpoint('trialMiappeLacks', {
    access: 'session',
    summary: 'O que o MIAPPE exige e o experimento não tem',
    params: ById,
    status: 200,
    output: z.object({ faltam: z.array(z.string()) }),
  }),
  dashboardFigure: endpoint('dashboardFigure', {
    access: 'session',
    summary:
      'Uma figura do dashboard sob um filtro, com título, n, filtro, data e organização nela; ou os números',
    params: z.object({ nome: z.enum(DASHBOARD_FIGURES) }),
    query: ExperimentFilter.extend({
      formato: FIGURE_FORMAT,
      /** Without it the yield; of products the gain. */
      medida: z.enum(FIGURE_MEASURES, { error: 'Escolha produtividade, ganho ou experimentos' }).optional(),
    }),
    status: 200,
    media: ['image/svg+xml', 'image/png', 'text/csv'],
    others: { 304: { description: 'O mesmo que quem pede já tem (If-None-Match)' } },
  }),
  trialFigure: endpoint('trialFigure', {
    access: 'session',
    summary: 'Uma figura do experimento, com título, n, data e origem nela; ou os números dela',
    params: ById.extend({ nome: z.enum(TRIAL_FIGURES) }),
    query: z.object({ formato: FIGURE_FORMAT }),
    status: 200,
    media: ['image/svg+xml', 'image/png', 'text/csv'],
    others: { 304: { description: 'O mesmo que quem pede já tem (If-None-Match)' } },
  }),
}
