import { z } from 'zod'
import { ExperimentFilter } from './dashboard.ts'
import { ById, EvenSo, endpoint, Page } from './endpoint.ts'
import {
  Change,
  Document,
  Experiment,
  ExperimentInput,
  ExperimentSummary,
  ExperimentUpdate,
} from './experiment.ts'
import { ExtractionResult } from './extraction.ts'
import { list, shortText } from './text.ts'

export const SORT_KEYS = [
  'created_at',
  'consultoria',
  'regional',
  'cultura',
  'marca',
  'produtividade_media',
  'roi',
  'ano',
] as const
export const ExperimentListQuery = ExperimentFilter.extend({
  ...Page.shape,
  /** Contained in consultoria, cidade, cultura or marca, whatever the case. */
  busca: z.string().max(200).optional(),
  ordem: z.enum(SORT_KEYS).optional(),
  sentido: z.enum(['asc', 'desc']).optional(),
  /** '1': only experiments with a document. */
  com_documento: z.enum(['1', '0']).optional(),
})
export type ExperimentListQuery = z.output<typeof ExperimentListQuery>

export const ExportQuery = ExperimentListQuery.omit({ cursor: true, limit: true }).extend({
  formato: z.enum(['csv', 'xlsx'], { error: 'Escolha csv ou xlsx' }),
  /** 'completo': every treatment, product, dose, yield and analysis, as the import takes it back. */
  conteudo: z.enum(['resumo', 'completo'], { error: 'Escolha resumo ou completo' }).optional(),
})

export const Conclusion = z.object({
  texto: shortText(10_000).trim().max(5000, 'Use no máximo 5.000 caracteres'),
  versao: ExperimentUpdate.shape.versao,
})
export type Conclusion = z.output<typeof Conclusion>

/** File names that are matched with trials at once. */
export const MOST_MATCHED = 50

/** A trial whose code is in a file's name. */
const MatchedTrial = z.object({
  id: z.uuid(),
  nome: z.string(),
  codigo: z.string(),
  /** It has a report already; another one is added beside it. */
  tem_relatorio: z.boolean(),
  /** The asker may attach to it. */
  permitido: z.boolean(),
})
export type MatchedTrial = z.output<typeof MatchedTrial>

export const experimentsContract = {
  // experiments
  listExperiments: endpoint('listExperiments', {
    access: 'session',
    summary: 'Lista de experimentos, em páginas',
    query: ExperimentListQuery,
    status: 200,
    output: z.object({
      experimentos: z.array(ExperimentSummary),
      total: z.number(),
      next_cursor: z.string().nullable(),
    }),
  }),
  createExperiment: endpoint('createExperiment', {
    access: 'session',
    summary:
      'Cria um experimento (JSON; ou multipart com pdf e dados); multipart só com pdf extrai e nada cria',
    body: ExperimentInput,
    multipart: { pdf: 'arquivo PDF de até 10 MB', dados: 'o experimento em JSON' },
    status: 201,
    output: z.object({ experimento: Experiment }),
    others: { 200: { description: 'O que se leu do relatório', output: ExtractionResult } },
  }),
  exportExperiments: endpoint('exportExperiments', {
    access: 'session',
    summary: 'O que o filtro mostra, como planilha (CSV com ponto e vírgula, ou XLSX)',
    query: ExportQuery,
    status: 200,
    media: ['text/csv', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  }),
  getExperiment: endpoint('getExperiment', {
    access: 'session',
    summary: 'Um experimento, inteiro',
    params: ById,
    status: 200,
    output: z.object({ experimento: Experiment }),
  }),
  updateExperiment: endpoint('updateExperiment', {
    access: 'session',
    summary: 'Altera um experimento a partir da versão que se leu',
    params: ById,
    body: ExperimentUpdate,
    multipart: { pdf: 'arquivo PDF que substitui o atual', dados: 'o experimento em JSON, com versao' },
    status: 200,
    output: z.object({ experimento: Experiment }),
  }),
  concludeExperiment: endpoint('concludeExperiment', {
    access: 'session',
    summary: 'Guarda a conclusão de um experimento, a partir da versão que se leu; vazia, ela sai',
    params: ById,
    body: Conclusion,
    status: 200,
    output: z.object({ experimento: Experiment }),
  }),
  deleteExperiment: endpoint('deleteExperiment', {
    access: 'session',
    summary: 'Exclui um experimento; o que celulares ainda não enviaram é perguntado antes',
    params: ById,
    query: EvenSo,
    status: 204,
  }),
  restoreExperiment: endpoint('restoreExperiment', {
    access: 'session',
    summary:
      'Restaura um experimento excluído, por 30 dias; com desfazer, quem acabou de excluir o seu o toma de volta por 2 minutos',
    params: ById,
    query: z.object({ desfazer: z.enum(['true', 'false']).optional() }),
    status: 200,
    output: z.object({ experimento: Experiment }),
  }),
  listDeletedExperiments: endpoint('listDeletedExperiments', {
    access: 'session',
    summary: 'Experimentos excluídos que ainda podem ser restaurados, a quem pode restaurá-los',
    status: 200,
    output: z.object({
      experimentos: z.array(
        ExperimentSummary.extend({ deleted_at: z.string(), deleted_by_name: z.string().nullable() }),
      ),
    }),
  }),
  experimentHistory: endpoint('experimentHistory', {
    access: 'session',
    summary: 'Quem mudou o quê, o mais recente primeiro',
    params: ById,
    status: 200,
    output: z.object({ alteracoes: z.array(Change) }),
  }),

  // documents
  uploadDocument: endpoint('uploadDocument', {
    access: 'session',
    summary: 'Anexa um PDF a um experimento',
    multipart: { pdf: 'arquivo PDF de até 10 MB', experimentId: 'o experimento' },
    status: 201,
    output: z.object({ document: Document }),
  }),
  uploadBulk: endpoint('uploadBulk', {
    access: 'session',
    summary: 'Anexa até 20 PDFs, com uma resposta para cada um',
    multipart: { pdf: 'até 20 arquivos PDF', experimentId: 'o experimento' },
    status: 200,
    output: z.object({
      results: z.array(
        z.object({ filename: z.string(), document: Document.nullable(), error: z.string().nullable() }),
      ),
    }),
  }),
  matchDocuments: endpoint('matchDocuments', {
    access: 'session',
    summary: 'Diz de que experimento da própria organização é cada arquivo, pelo código no nome dele',
    body: z.object({
      nomes: list(shortText(300), {
        most: MOST_MATCHED,
        message: `Use no máximo ${MOST_MATCHED} arquivos por vez`,
      }),
    }),
    status: 200,
    output: z.object({
      /** In the order of the names: the trial of the longest code in each, null where there is none. */
      experimentos: z.array(MatchedTrial.nullable()),
    }),
  }),
  listDocuments: endpoint('listDocuments', {
    access: 'session',
    summary: 'Documentos de um experimento',
    query: z.object({
      experimentId: z.uuid({ error: 'Identificador inválido' }).optional(),
      sha256: shortText(64)
        .regex(/^[0-9a-f]{64}$/)
        .optional(),
      limit: z.coerce.number().int().min(1).max(50).optional(),
    }),
    status: 200,
    output: z.object({ documents: z.array(Document) }),
  }),
  getDocument: endpoint('getDocument', {
    access: 'session',
    summary: 'O arquivo PDF',
    params: ById,
    status: 200,
    media: ['application/pdf'],
    others: {
      206: { description: 'A parte pedida em Range' },
      304: { description: 'O mesmo que o navegador já tem' },
    },
  }),
  deleteDocument: endpoint('deleteDocument', {
    access: 'session',
    summary: 'Exclui um documento',
    params: ById,
    status: 204,
  }),

  // extraction; the multipart create without `dados` answers the same
  extract: endpoint('extract', {
    access: 'session',
    summary: 'Lê um relatório e responde por eventos: progress, result ou problem',
    multipart: {
      pdf: 'arquivo PDF de até 10 MB',
      tabelas:
        'JSON: as tabelas dos tratamentos como uma pessoa as descreve; sem ele, como o leitor as entende',
    },
    status: 200,
    media: ['text/event-stream'],
  }),
  rememberLayout: endpoint('rememberLayout', {
    access: 'session',
    summary: 'Guarda como se lê o layout de um relatório que uma pessoa corrigiu',
    multipart: {
      pdf: 'arquivo PDF de até 10 MB',
      tabelas: 'JSON: as tabelas dos tratamentos',
      campos: 'JSON: os campos corrigidos, por nome',
    },
    status: 201,
    output: z.object({ layout: z.object({ id: z.uuid() }) }),
  }),
  forgetLayout: endpoint('forgetLayout', {
    access: 'session',
    summary: 'Esquece um layout que a própria pessoa guardou; um administrador, qualquer um',
    params: ById,
    status: 204,
  }),
} as const
