import type { Analysis } from '@ensaio/statistics'
import { z } from 'zod'
import { ById, EvenSo, endpoint } from './endpoint.ts'
import { LONGEST_RAW, list, shortText } from './text.ts'
import { CellChange, TRIAL_DESIGNS, TrialSheet, TrialSheetInput, TypedValue } from './trial-sheet.ts'

const key = shortText(60)
const decimal = (least: number, most: number, message: string) =>
  z.coerce.number({ error: message }).min(least, message).max(most, message)
const yes = z.enum(['0', '1']).optional()

export const TRANSFORMATIONS = ['nenhuma', 'log', 'log1', 'raiz', 'raiz_0_5', 'arcsen', 'boxcox'] as const
export const ALPHAS = ['0.01', '0.05', '0.1'] as const

/** What is asked of an analysis; all tests come at once, whatever is asked. */
export const AnalysisQuery = z.object({
  /** Key of the variable; without it the yield. */
  variavel: key.optional(),
  /** Key of the date; without it the variable's last. */
  avaliacao: key.optional(),
  agregacao: z.enum(['nenhuma', 'aacpd']).optional(),
  transformacao: z.enum(TRANSFORMATIONS, { error: 'Escolha uma transformação da lista' }).optional(),
  lambda: decimal(-5, 5, 'Informe um número de -5 a 5').optional(),
  covariavel: key.optional(),
  alfa: z.enum(ALPHAS, { error: 'Escolha 0.01, 0.05 ou 0.1' }).optional(),
  eficacia: z.enum(['abbott', 'henderson_tilton']).optional(),
  avaliacao_previa: key.optional(),
  /** Price of the input per unit of dose, and of the product per unit of yield. */
  preco_insumo: decimal(0, 1e9, 'Informe um preço').optional(),
  preco_produto: decimal(0, 1e9, 'Informe um preço').optional(),
  /** Rebuilt from the report's CV, even where plots exist. */
  origem: z.enum(['parcelas', 'reconstruida']).optional(),
  excluir_testemunha: yes,
  excluir_constantes: yes,
  /** One-way over the combinations that exist, where cells of a factorial are empty. */
  ignorar_fatores: yes,
  /** Which of a report's CV and DMS counts, where they disagree. */
  usar: z.enum(['cv', 'dms']).optional(),
})
export type AnalysisQuery = z.output<typeof AnalysisQuery>

/** The numbers of an analysis with what the product says of them. */
export type AnalysisAnswer = Omit<Analysis, 'transformacao'> & {
  transformacao: Analysis['transformacao']['nome']
  lambda: number | null
  /** Version of the kernel that computed it. */
  motor: string
  /** Version of the sheet, or of the trial where it was rebuilt. */
  dados_versao: number
  variavel: {
    chave: string
    nome: string
    unidade: string
    maior_melhor: boolean | null
    tipo: string
    /** It is the trial's yield. */
    produtividade: boolean
  }
  avaliacao: { chave: string; nome: string } | null
  /** Names of the treatments by level: { T1: 'Testemunha' }. */
  nomes: Record<string, string>
  /** Level of the control, 'T1'. */
  testemunha: string | null
  fatores: Partial<Record<'A' | 'B' | 'C', { nome: string; unidade: string; tipo: string }>>
  frases: Record<string, string>
  referencias: string[]
  avisos: { codigo: string; texto: string }[]
}
/** The kernel's shape is checked where it is made; over the wire it goes whole. */
const AnalysisBody = z.looseObject({
  origem: z.enum(['parcelas', 'reconstruida']),
}) as unknown as z.ZodType<AnalysisAnswer>

export const PAIR_TESTS = ['tukey', 't', 'bonferroni', 'duncan', 'snk', 'scott_knott', 'dunnett'] as const
export type PairTestName = (typeof PAIR_TESTS)[number]

/** An analysis as a person recorded it: options, answer, versions, who and when. */
export const RecordedAnalysis = z.object({
  id: z.uuid(),
  /** 1 for the first of its variable; a second says that it is the second. */
  ordem: z.number(),
  variavel: z.string(),
  avaliacao: z.string().nullable(),
  opcoes: AnalysisQuery,
  teste: z.enum(PAIR_TESTS),
  titulo: z.string(),
  conclusao: z.string(),
  analise: AnalysisBody,
  dados_versao: z.number(),
  motor: z.string(),
  quem: z.string().nullable(),
  quando: z.string(),
  /** The sheet has changed since. */
  desatualizada: z.boolean(),
  retirada: z.object({ quem: z.string().nullable(), quando: z.string(), motivo: z.string() }).nullable(),
})
export type RecordedAnalysis = z.output<typeof RecordedAnalysis>

const AnalysisRecord = AnalysisQuery.extend({
  teste: z.enum(PAIR_TESTS, { error: 'Escolha o teste' }).default('tukey'),
  titulo: shortText(LONGEST_RAW).trim().max(200, 'Use no máximo 200 caracteres').default(''),
  /** Of the data that the person has read; an answer of others is not recorded under their conclusion. */
  dados_versao: z.number().int().min(1).optional(),
  conclusao: shortText(10_000).trim().max(5000, 'Use no máximo 5.000 caracteres').default(''),
})
export type AnalysisRecord = z.output<typeof AnalysisRecord>

const count = (least: number, most: number, message: string) =>
  z.coerce.number({ error: message }).int(message).min(least, message).max(most, message)

const LayoutBody = z.object({
  delineamento: z.enum(TRIAL_DESIGNS, { error: 'Escolha o delineamento' }),
  tratamentos: count(2, 500, 'Informe de 2 a 500 tratamentos').optional(),
  repeticoes: count(1, 100, 'Informe de 1 a 100 repetições').default(4),
  a: count(2, 50, 'Informe de 2 a 50 níveis').optional(),
  b: count(2, 50, 'Informe de 2 a 50 níveis').optional(),
  semente: count(0, 4_294_967_295, 'Informe um número de 0 a 4.294.967.295').optional(),
  serpentina: z.boolean().default(false),
})
const DrawnLayout = z.object({
  semente: z.number(),
  ordem: z.array(z.array(z.number())),
  parcelas: z.array(
    z.object({
      numero: z.number(),
      tratamento: z.number(),
      bloco: z.number().nullable(),
      linha: z.number(),
      coluna: z.number(),
      parcela_principal: z.number().nullable(),
    }),
  ),
})

const SheetAnswer = z.object({
  ficha: TrialSheet,
  medias: z.array(
    z.object({
      numero: z.number(),
      /** kg/ha, of the plots; null when all are lost */
      produtividade: z.number().nullable(),
      /** kg/ha, as it was typed before plots were there */
      informada: z.number().nullable(),
    }),
  ),
})
export type SheetAnswer = z.output<typeof SheetAnswer>

export const ExportPlotsQuery = z.object({
  formato: z.enum(['csv', 'xlsx'], { error: 'Escolha csv ou xlsx' }),
  tipo: z.enum(['dados', 'ficha_de_campo']).default('dados'),
  serpentina: yes,
  /** Names of the treatments are left out. */
  as_cegas: yes,
})
export type ExportPlotsQuery = z.output<typeof ExportPlotsQuery>

export const ImportMap = z.object({
  forma: z.enum(['larga', 'longa']),
  /** What each column of the file is. */
  colunas: list(
    z.object({
      coluna: z.string(),
      papel: z.enum([
        'ignorar',
        'parcela',
        'tratamento',
        'bloco',
        'linha',
        'coluna',
        'area',
        'variavel',
        'avaliacao',
        'valor',
        'medida',
      ]),
      /** Of a 'medida': the variable and date that its numbers are of. */
      variavel: z.string().max(200).nullable().default(null),
      unidade: z.string().max(100).nullable().default(null),
      avaliacao: z.string().max(100).nullable().default(null),
    }),
    { most: 200, message: 'A planilha tem colunas demais' },
  ),
})
export type ImportMap = z.output<typeof ImportMap>

const ImportError = z.object({ linha: z.number(), coluna: z.string(), mensagem: z.string() })
export type ImportError = z.output<typeof ImportError>

const ById2 = ById.extend({ aid: z.uuid({ error: 'Identificador inválido' }) })
const PowerRow = z.object({
  r: z.number(),
  gl: z.number(),
  poder_f: z.number(),
  poder_t: z.number(),
  dif_detectavel_80: z.number(),
})

const limit = z
  .number({ error: 'Informe um número' })
  .min(0.1, 'Informe de 0,1 a 1000')
  .max(1000, 'Informe de 0,1 a 1000')
/** From which CV on, in %, it is called 'médio', 'alto' and 'muito alto', for a crop, a variable or both. */
export const CvBand = z.object({
  /** Empty: every crop. */
  cultura: shortText(200).trim(),
  /** Name of the variable; empty: every variable. */
  variavel: shortText(80).trim(),
  limites: z
    .tuple([limit, limit, limit])
    .refine(([low, middle, high]) => low < middle && middle < high, 'Os limites crescem'),
})
export type CvBand = z.output<typeof CvBand>

/** Plots, their analysis, and planning. */
export const analysisContract = {
  getPlots: endpoint('getPlots', {
    access: 'session',
    summary: 'A ficha de parcelas de um experimento',
    params: ById,
    status: 200,
    output: SheetAnswer,
  }),
  putPlots: endpoint('putPlots', {
    access: 'session',
    summary: 'Grava a ficha inteira a partir da versão que se leu (0 na primeira vez)',
    params: ById,
    body: TrialSheetInput,
    status: 200,
    output: SheetAnswer,
  }),
  patchCells: endpoint('patchCells', {
    access: 'session',
    summary: 'Altera valores de parcelas, um por um; o que outra pessoa mudou antes volta em 409',
    params: ById,
    body: z.object({
      versao: z.number({ error: 'Este campo é obrigatório' }).int().min(1),
      celulas: list(CellChange, { most: 5000, message: 'Use no máximo 5.000 valores por vez' }).min(
        1,
        'Envie pelo menos um valor',
      ),
    }),
    status: 200,
    output: z.object({ versao: z.number() }),
  }),
  deletePlots: endpoint('deletePlots', {
    access: 'session',
    summary:
      'Exclui a ficha; as análises registradas ficam, marcadas. O que celulares ainda não enviaram é perguntado antes',
    params: ById,
    query: EvenSo,
    status: 204,
  }),
  importPlots: endpoint('importPlots', {
    access: 'session',
    summary: 'Lê uma planilha de parcelas (CSV ou XLSX); grava tudo ou nada',
    params: ById,
    multipart: {
      arquivo: 'planilha de até 5 MB',
      mapa: 'JSON: o que é cada coluna; sem ele, como se adivinha',
      aba: 'nome da aba, em XLSX; sem ele, a primeira',
      gravar: '1 grava; 0 só mostra',
    },
    status: 200,
    output: z.object({
      mapa: ImportMap,
      abas: z.array(z.string()),
      previa: z.array(z.array(z.string())),
      ficha: TrialSheetInput.nullable() as unknown as z.ZodType<z.input<typeof TrialSheetInput> | null>,
      versao: z.number().nullable(),
      erros: z.array(ImportError),
      /** What was understood in one of two possible ways. */
      avisos: z.array(z.string()),
    }),
  }),
  exportPlots: endpoint('exportPlots', {
    access: 'session',
    summary: 'Os valores por parcela, ou a ficha de campo para preencher',
    params: ById,
    query: ExportPlotsQuery,
    status: 200,
    media: ['text/csv', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  }),
  drawLayout: endpoint('drawLayout', {
    access: 'session',
    summary: 'Sorteia um croqui, sem o gravar; a mesma semente dá sempre o mesmo',
    params: ById,
    body: LayoutBody,
    status: 200,
    output: DrawnLayout,
  }),
  analysis: endpoint('analysis', {
    access: 'session',
    summary: 'A análise de uma variável, com todos os testes',
    params: ById,
    // A page that shows an analysis where there is one asks 'se_houver', and is answered why there is none.
    query: AnalysisQuery.extend({ se_houver: yes }),
    status: 200,
    output: z.object({
      analise: AnalysisBody.nullable(),
      recusa: z.object({ code: z.string(), detail: z.string() }).optional(),
    }),
    others: { 304: { description: 'A mesma que o navegador já tem' } },
  }),
  recordAnalysis: endpoint('recordAnalysis', {
    access: 'session',
    summary: 'Registra uma análise com as suas opções, para publicar',
    params: ById,
    body: AnalysisRecord,
    status: 201,
    output: z.object({ registro: RecordedAnalysis }),
  }),
  listAnalyses: endpoint('listAnalyses', {
    access: 'session',
    summary: 'As análises registradas de um experimento, também as retiradas',
    params: ById,
    status: 200,
    output: z.object({ registros: z.array(RecordedAnalysis.omit({ analise: true })) }),
  }),
  getAnalysis: endpoint('getAnalysis', {
    access: 'session',
    summary: 'Uma análise registrada, inteira',
    params: ById2,
    status: 200,
    output: z.object({ registro: RecordedAnalysis }),
  }),
  withdrawAnalysis: endpoint('withdrawAnalysis', {
    access: 'session',
    summary: 'Retira uma análise registrada; ela continua na lista, riscada',
    params: ById2,
    body: z.object({
      motivo: shortText(LONGEST_RAW).trim().max(500, 'Use no máximo 500 caracteres').default(''),
    }),
    status: 204,
  }),
  analysisFile: endpoint('analysisFile', {
    access: 'session',
    summary: 'Uma análise registrada como arquivo',
    params: ById2,
    query: z.object({ formato: z.enum(['pdf', 'xlsx', 'csv'], { error: 'Escolha pdf, xlsx ou csv' }) }),
    status: 200,
    media: [
      'application/pdf',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'text/csv',
    ],
  }),
  power: endpoint('power', {
    access: 'session',
    summary: 'Poder e diferença detectável por número de repetições',
    query: z.object({
      delineamento: z.enum(['DIC', 'DBC'], { error: 'Escolha DIC ou DBC' }).default('DBC'),
      tratamentos: count(2, 500, 'Informe de 2 a 500 tratamentos'),
      cv: decimal(0.01, 1000, 'Informe o CV, em %'),
      diferenca: decimal(0.01, 1000, 'Informe a diferença, em % da média'),
      alfa: z.enum(ALPHAS, { error: 'Escolha 0.01, 0.05 ou 0.1' }).default('0.05'),
    }),
    status: 200,
    output: z.object({ poder: z.object({ linhas: z.array(PowerRow), sugerido: z.number().nullable() }) }),
  }),
  adminCvBands: endpoint('adminCvBands', {
    access: 'admin',
    summary: 'Faixas do CV por cultura e variável, além das gerais',
    status: 200,
    output: z.object({ faixas: z.array(CvBand) }),
  }),
  adminPutCvBands: endpoint('adminPutCvBands', {
    access: 'admin',
    summary: 'Substitui as faixas do CV',
    body: z.object({ faixas: list(CvBand, { most: 500, message: 'Use no máximo 500 faixas' }) }),
    status: 200,
    output: z.object({ faixas: z.array(CvBand) }),
  }),
  cvHistory: endpoint('cvHistory', {
    access: 'session',
    summary: 'Coeficientes de variação dos ensaios com parcelas de uma cultura',
    query: z.object({ cultura: shortText(200), variavel: key.optional() }),
    status: 200,
    output: z.object({
      n: z.number(),
      mediana: z.number().nullable(),
      p25: z.number().nullable(),
      p75: z.number().nullable(),
    }),
  }),
} as const

/** A cell that somebody else changed first: what it is now, in `current` of a 409. */
export const CellConflict = CellChange.omit({ valor: true, antes: true }).extend({ atual: TypedValue })
export type CellConflict = z.output<typeof CellConflict>
