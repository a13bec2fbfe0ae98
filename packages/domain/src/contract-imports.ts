import { z } from 'zod'
import { ById, endpoint, Page } from './endpoint.ts'
import { list, shortText } from './text.ts'

/** How a spreadsheet says its trials: a row is a trial, a treatment or a plot, or sheets are joined by their code. */
export const IMPORT_FORMS = ['larga', 'longa', 'folhas', 'parcelas'] as const
export type ImportForm = (typeof IMPORT_FORMS)[number]
export const IMPORT_STATES = [
  'lendo',
  'colunas',
  'conferir',
  'gravando',
  'concluida',
  'desfeita',
  'falhou',
] as const
export type ImportState = (typeof IMPORT_STATES)[number]
export const ROW_STATES = ['novo', 'atualizar', 'igual', 'erro'] as const
export type ImportRowState = (typeof ROW_STATES)[number]

export const IMPORT_MAX_BYTES = 20 * 1024 * 1024
export const IMPORT_MAX_TEXT = 2 * 1024 * 1024
export const IMPORT_MAX_ROWS = 50_000
export const IMPORT_MAX_COLUMNS = 200
export const IMPORT_MAX_TRIALS = 10_000
/** How long an import that is not finished waits, and how long a finished one can be taken back. */
export const IMPORT_DAYS = 30
/** Under it a guessed column is marked 'Confira'. */
export const SURE_COLUMN = 0.8

/** What is wrong in one cell, or worth a look; rows count from 1, as the spreadsheet does. */
export const ImportProblem = z.object({
  /** The sheet's name where several are joined. */
  folha: z.string().nullable(),
  linha: z.number(),
  /** 'F'; null where no column holds it. */
  coluna: z.string().nullable(),
  celula: z.string().nullable(),
  titulo: z.string().nullable(),
  /** A path of the schema, as in `mapa`. */
  campo: z.string().nullable(),
  /** What stands there. */
  valor: z.string().nullable(),
  gravidade: z.enum(['erro', 'aviso']),
  mensagem: z.string(),
  /** What one click puts into the cell. */
  sugestao: z.string().nullable(),
})
export type ImportProblem = z.output<typeof ImportProblem>

export const ImportColumn = z.object({
  /** 'F', with the sheet's name in front where several are joined: 'Tratamentos!F'. */
  coluna: z.string(),
  titulo: z.string(),
  campo: z.string().nullable(),
  /** 0 to 1 */
  confianca: z.number(),
  /** As it stands in the title or under it. */
  unidade: z.string().nullable(),
  /** 'sc/ha será convertido para kg/ha (× 60)' */
  conversao: z.string().nullable(),
  decimal: z.enum([',', '.']).nullable(),
  /** Two cells as they were understood: 'Lido como 1.234'. */
  lido: z.array(z.object({ texto: z.string(), valor: z.string() })),
  exemplos: z.array(z.string()),
})
export type ImportColumn = z.output<typeof ImportColumn>

export const ImportSummary = z.object({
  linhas: z.number(),
  experimentos: z.number(),
  novos: z.number(),
  atualizar: z.number(),
  iguais: z.number(),
  com_erro: z.number(),
  /** Trials with a notice. */
  avisos: z.number(),
})
export type ImportSummary = z.output<typeof ImportSummary>

export const Import = z.object({
  id: z.uuid(),
  nome: z.string(),
  estado: z.enum(IMPORT_STATES),
  problema: z.object({ code: z.string(), detail: z.string() }).nullable(),
  /** Rows that have been read so far, and trials that have been understood or written. */
  progresso: z.object({ linhas: z.number(), experimentos: z.number() }),
  formato: z.enum(['xlsx', 'ods', 'csv', 'texto']).nullable(),
  codificacao: z.string().nullable(),
  separador: z.string().nullable(),
  folhas: z.array(
    z.object({ nome: z.string(), linhas: z.number(), colunas: z.number(), oculta: z.boolean() }),
  ),
  /** The chosen sheet's name; null in a text file, and where several are joined. */
  folha: z.string().nullable(),
  /** From 1. */
  linha_titulos: z.number().nullable(),
  forma: z.enum(IMPORT_FORMS).nullable(),
  mapa: z.array(ImportColumn),
  /** Required fields that no column gives and that have no value for all rows. */
  faltam: z.array(z.object({ campo: z.string(), rotulo: z.string() })),
  /** The first trial as it is understood with these columns, as far as it is; its first treatments. */
  primeiro: z.record(z.string(), z.unknown()).nullable(),
  /** One value for all rows, by field. */
  padroes: z.record(z.string(), z.string()),
  /** The model that was chosen, by its titles or by the person. */
  modelo: z.object({ id: z.uuid(), nome: z.string() }).nullable(),
  safra: z.enum(['colheita', 'plantio']),
  vazias_apagam: z.boolean(),
  ignorar_ocultas: z.boolean(),
  /** What is said of the file as a whole. */
  notas: z.array(z.string()),
  resumo: ImportSummary,
  gravados: z.object({ criados: z.number(), atualizados: z.number() }),
  /** An instant; null where nothing has been written. */
  desfazer_ate: z.string().nullable(),
  criada_por: z.object({ id: z.uuid(), nome: z.string() }).nullable(),
  created_at: z.string(),
})
export type Import = z.output<typeof Import>

/** A value of a trial that an update would change. */
export const ImportChange = z.object({ campo: z.string(), antes: z.unknown(), depois: z.unknown() })

export const ImportRow = z.object({
  /** The trial's place in the import, from 1. */
  n: z.number(),
  linhas: z.array(z.number()),
  estado: z.enum(ROW_STATES),
  /** The trial that it is, or that was made of it. */
  id: z.uuid().nullable(),
  chave: z.string().nullable(),
  /** As far as it was understood, in the shape of what a trial is made of. */
  dados: z.record(z.string(), z.unknown()),
  mudancas: z.array(ImportChange),
  problemas: z.array(ImportProblem),
  /** The cells of its rows, as they stand now: texts by column. */
  celulas: z.array(
    z.object({
      /** Its sheet's name, where several are joined. */
      folha: z.string().nullable(),
      linha: z.number(),
      valores: z.record(z.string(), z.string()),
    }),
  ),
  gravado: z.boolean(),
})
export type ImportRow = z.output<typeof ImportRow>

const cellText = shortText(32_767, { tooLong: 'O texto da célula é longo demais' })
/** What a person puts into a cell; of a program a number or nothing, too. */
const cell = z.preprocess(
  (value) => (value === null ? '' : typeof value === 'number' ? String(value).replace('.', ',') : value),
  cellText,
) as z.ZodType<string, string | number | null>
const column = shortText(300)
const field = shortText(300)

export const ImportMapping = z.object({
  folha: shortText(300).nullish(),
  /** 0 where there are none. */
  linha_titulos: z.number().int().min(0).max(IMPORT_MAX_ROWS).optional(),
  forma: z.enum(IMPORT_FORMS, { error: 'Escolha a forma da planilha' }).optional(),
  mapa: z.record(column, field.nullable()).optional(),
  padroes: z.record(field, shortText(1000)).optional(),
  decimal: z.record(column, z.enum([',', '.'])).optional(),
  codificacao: z.enum(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252']).optional(),
  separador: z.enum([';', ',', '\t', '|']).optional(),
  modelo: z.uuid().nullish(),
  safra: z.enum(['colheita', 'plantio']).optional(),
  vazias_apagam: z.boolean().optional(),
  ignorar_ocultas: z.boolean().optional(),
})
export type ImportMapping = z.output<typeof ImportMapping>

export const ImportCells = z.object({
  alteracoes: list(
    z.object({
      /** Its sheet by name, where several are joined; or before the column: 'Tratamentos!F'. */
      folha: shortText(200).nullish(),
      linha: z.number().int().min(1),
      coluna: column,
      valor: cell,
    }),
    { most: 1000, message: 'Use no máximo 1.000 células de uma vez' },
  ),
  /** The same change in every cell of the column that holds the same. */
  iguais: z.boolean().optional(),
  /** Trials to be updated although they were changed after the export. */
  mesmo_assim: list(z.number().int().min(1), {
    most: 1000,
    message: 'Use no máximo 1.000 experimentos de uma vez',
  }).optional(),
})

export const ImportTemplate = z.object({
  id: z.uuid(),
  nome: z.string(),
  forma: z.enum(IMPORT_FORMS),
  /** Field by title. */
  mapa: z.record(z.string(), z.string().nullable()),
  padroes: z.record(z.string(), z.string()),
  created_at: z.string(),
})
export type ImportTemplate = z.output<typeof ImportTemplate>
export const ImportTemplateInput = z.object({
  nome: shortText(60, { required: 'Nome é obrigatório' }).min(1, 'Nome é obrigatório'),
  forma: z.enum(IMPORT_FORMS, { error: 'Escolha a forma da planilha' }),
  mapa: z.record(column, field.nullable()),
  padroes: z.record(field, shortText(1000)).default({}),
})

const one = z.object({ importacao: Import })
const kept = z.object({
  importacao: Import,
  /** Trials that were changed after the import and stayed as they are. */
  mantidos: z.array(z.object({ id: z.uuid(), nome: z.string() })),
})

/** Trials out of spreadsheets (import-and-reports.md, part 1). */
export const importsContract = {
  createImport: endpoint('createImport', {
    access: 'session',
    summary: 'Lê uma planilha (multipart com arquivo, ou { texto } colado)',
    query: z.object({ repetir: z.enum(['0', '1']).optional() }),
    multipart: { arquivo: 'planilha .xlsx, .ods ou .csv de até 20 MB' },
    status: 201,
    output: one,
    others: { 200: { description: 'A mesma planilha já foi enviada: a importação de antes', output: one } },
  }),
  listImports: endpoint('listImports', {
    access: 'session',
    summary: 'Importações que a pessoa vê, as últimas primeiro',
    status: 200,
    output: z.object({ importacoes: z.array(Import) }),
  }),
  getImport: endpoint('getImport', {
    access: 'session',
    summary: 'Uma importação',
    params: ById,
    status: 200,
    output: one,
  }),
  importEvents: endpoint('importEvents', {
    access: 'session',
    summary: 'O andamento de uma importação, em eventos progress e changed',
    params: ById,
    status: 200,
    media: ['text/event-stream'],
  }),
  mapImport: endpoint('mapImport', {
    access: 'session',
    summary: 'Diz o que é cada coluna; o que não é dado fica como está',
    params: ById,
    body: ImportMapping,
    status: 200,
    output: one,
  }),
  importRows: endpoint('importRows', {
    access: 'session',
    summary: 'Os ensaios da planilha como foram entendidos, em páginas',
    params: ById,
    query: Page.extend({
      estado: z.enum([...ROW_STATES, 'aviso']).optional(),
      /** Of a problem: its field and its sentence. */
      campo: z.string().max(300).optional(),
      mensagem: z.string().max(1000).optional(),
    }),
    status: 200,
    output: z.object({ experimentos: z.array(ImportRow), next_cursor: z.string().nullable() }),
  }),
  importProblems: endpoint('importProblems', {
    access: 'session',
    summary: 'Todos os problemas, ou a própria planilha com a coluna Problemas',
    params: ById,
    query: z.object({ formato: z.enum(['json', 'xlsx'], { error: 'Escolha json ou xlsx' }).optional() }),
    status: 200,
    output: z.object({ problemas: z.array(ImportProblem) }),
    media: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  }),
  correctImport: endpoint('correctImport', {
    access: 'session',
    summary: 'Corrige células; responde com os ensaios que mudaram',
    params: ById,
    body: ImportCells,
    status: 200,
    output: z.object({
      importacao: Import,
      experimentos: z.array(ImportRow),
      /** What stood in every cell that was changed: put back, it is as before. */
      anteriores: z.array(z.object({ linha: z.number(), coluna: z.string(), valor: z.string() })),
    }),
  }),
  commitImport: endpoint('commitImport', {
    access: 'session',
    summary: 'Grava os ensaios sem erro',
    params: ById,
    body: z.object({
      atualizar: z.boolean({ error: 'Diga se os experimentos que já existem devem ser atualizados' }),
      so: list(z.number().int().min(1), {
        most: IMPORT_MAX_TRIALS,
        message: 'Use no máximo 10.000 experimentos',
      }).optional(),
    }),
    status: 202,
    output: one,
  }),
  undoImport: endpoint('undoImport', {
    access: 'session',
    summary: 'Desfaz o que a importação gravou e ninguém mudou desde então',
    params: ById,
    status: 200,
    output: kept,
  }),
  redoImport: endpoint('redoImport', {
    access: 'session',
    summary: 'Refaz uma importação desfeita',
    params: ById,
    status: 200,
    output: kept,
  }),
  removeImport: endpoint('removeImport', {
    access: 'session',
    summary: 'Descarta uma importação que não foi gravada',
    params: ById,
    status: 204,
  }),
  importTemplateWorkbook: endpoint('importTemplateWorkbook', {
    access: 'session',
    summary: 'A planilha modelo',
    query: z.object({
      formato: z.enum(['xlsx', 'ods', 'csv'], { error: 'Escolha xlsx, ods ou csv' }).optional(),
    }),
    status: 200,
    media: [
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'application/vnd.oasis.opendocument.spreadsheet',
      'text/csv',
    ],
  }),
  listImportTemplates: endpoint('listImportTemplates', {
    access: 'session',
    summary: 'Modelos de planilha da organização',
    status: 200,
    output: z.object({ modelos: z.array(ImportTemplate) }),
  }),
  createImportTemplate: endpoint('createImportTemplate', {
    access: 'session',
    summary: 'Guarda um modelo de planilha',
    body: ImportTemplateInput,
    status: 201,
    output: z.object({ modelo: ImportTemplate }),
  }),
  changeImportTemplate: endpoint('changeImportTemplate', {
    access: 'session',
    summary: 'Altera um modelo de planilha',
    params: ById,
    body: ImportTemplateInput,
    status: 200,
    output: z.object({ modelo: ImportTemplate }),
  }),
  removeImportTemplate: endpoint('removeImportTemplate', {
    access: 'session',
    summary: 'Apaga um modelo de planilha',
    params: ById,
    status: 204,
  }),
}
