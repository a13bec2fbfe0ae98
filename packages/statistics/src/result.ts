/**
 * The shapes of an analysis. Keys are the words of the wire (Portuguese without accents), so that nothing is
 * renamed between the kernel and the page. Units: means, errors and intervals are in the unit of the analysed scale;
 * `sq` and `qm` in its square; p, r2 and shares are 0..1; `cv` and `percentual` are %. A number that does not exist
 * is null or carries its reason as `{ motivo }`; it is never NaN.
 */

export interface Absent {
  motivo: string
}

export type Design = 'DIC' | 'DBC' | 'DBI' | 'DQL' | 'PSUB' | 'FAIXAS'
export type FactorKey = 'A' | 'B' | 'C'
export type Transformation = 'nenhuma' | 'log' | 'log1' | 'raiz' | 'raiz_0_5' | 'arcsen' | 'boxcox'
export type PairTest = 't' | 'bonferroni' | 'holm' | 'tukey' | 'snk' | 'duncan'

export interface AnovaRow {
  fonte: string
  rotulo: string
  gl: number
  /** Null where REML gives an F without a sum of squares. */
  sq: number | null
  qm: number | null
  f: number | null
  p: number | null
  /** Degrees of freedom of the error it is tested on. */
  gl_den: number | null
}

export interface ResidualRow {
  chave: 'residuo' | 'residuo_a' | 'residuo_b' | 'residuo_c'
  gl: number
  qm: number
  cv: number | null
  /** That of the same model on the original scale; only where the analysed one is transformed. */
  cv_original?: number | null
}

export interface LevelMean {
  nivel: string
  n: number
  /** Raw mean of the valid plots, on the analysed scale. */
  media: number | null
  /** Adjusted mean (equal weights over blocks and other factors). */
  ajustada: number | null
  ep: number | null
  /** Of the mean's own error; differs between levels only by REML. */
  gl?: number
  ic_baixo: number | null
  ic_alto: number | null
  desvio: number | null
  original?: { media: number; ic_baixo: number | null; ic_alto: number | null }
  /** Raw mean on the original scale, when a transformation was analysed. */
  aritmetica?: number
  /** % of the control; only on the original scale. */
  relativa_percent?: number
  /** Why it was left out of the tests, when it was: it has no letter. */
  fora?: string
}

export interface Pair {
  a: string
  b: string
  /** Adjusted mean of a minus that of b. */
  diferenca: number
  ep: number
  /** Of this difference alone, where pairs of a group have their own: by REML. */
  gl?: number
  t: number | null
  p_t: number | null
  p_bonferroni: number | null
  p_holm: number | null
  p_tukey: number | null
  p_snk: number | null
  p_duncan: number | null
  ic_tukey_baixo: number | null
  ic_tukey_alto: number | null
}

export type Letters = Record<string, string>

export interface Criticals {
  dms_t: number
  q_tukey: number
  dms_tukey: number
  /** Ranges of 2..k means. */
  duncan: number[]
  snk: number[]
}

export interface ScottKnott {
  grupos: Letters
  divisoes: {
    primeiro: string
    ultimo: string
    corte: string
    b0: number
    sigma2: number
    lambda: number
    gl: number
    p: number
  }[]
}

export interface Dunnett {
  exato: boolean
  t_critico: number
  linhas: {
    nivel: string
    diferenca: number
    ep: number
    t: number
    p: number
    ic_baixo: number
    ic_alto: number
    percentual?: number
  }[]
}

/** What comparing the means of one group gives. */
export interface Comparison {
  pares: Pair[]
  letras: Record<'tukey' | 't' | 'bonferroni' | 'duncan' | 'snk', Letters> & { holm?: Letters }
  criticos: Criticals | null
  scott_knott: ScottKnott | Absent | null
  dunnett: Dunnett | Absent | null
}

export interface FTest {
  sq: number | null
  gl: number
  f: number | null
  p: number | null
}

export interface Group extends Partial<Comparison> {
  /** 'tratamento', 'A', 'B', 'C' or a crossing such as 'A:B'. */
  efeito: string
  /** The level of the other factor that a simple effect lies in. */
  dentro: Record<string, string> | null
  gl: number | null
  f?: FTest
  medias: LevelMean[]
  /** So many pairs were compared for the letters and are not told one by one. */
  pares_omitidos?: number
}

export interface Assumptions {
  shapiro: { w: number; p: number; n: number } | Absent
  levene: { f: number; gl1: number; gl2: number; p: number } | Absent
  bartlett: { k2: number; gl: number; p: number } | Absent
  aditividade?: { f: number; gl1: number; gl2: number; p: number } | Absent
  /** Largest |residual| / sqrt(QM do resíduo). */
  max_residuo: number
}

export interface FittedPlot {
  parcela: number
  tratamento: number
  observado: number
  ajustado: number
  residuo: number
  padronizado: number
}

export interface BoxCox {
  lambda: number
  ic_baixo: number
  ic_alto: number
  /** The exponent to try, or null: 1 lies within the interval. */
  sugestao: number | null
}

export interface NonParametric {
  teste: 'kruskal' | 'friedman'
  estatistica: number
  gl: number
  p: number
  iman_davenport?: { f: number | null; gl1: number; gl2: number; p: number }
  postos_medios: Record<string, number>
  pares: { a: string; b: string; z?: number; q?: number; p?: number; p_ajustado: number }[]
  letras: Letters
}

export interface Welch {
  f: number
  gl1: number
  gl2: number
  p: number
  pares: { a: string; b: string; diferenca: number; gl: number; p: number }[]
  /** By the p of the pairs; 'a' is the largest mean. */
  letras?: Letters
}

export type DoseModelName = 'linear' | 'quadratico' | 'linear_plato' | 'quadratico_plato'

export interface DoseModel {
  modelo: DoseModelName
  coef: { a: number; b: number; c?: number }
  ep_b?: number
  r2: number
  falta_ajuste: { gl: number; sq: number; f: number; p: number } | null
  aicc?: number
  maximo?: {
    dose: number
    resposta: number
    dentro: boolean
    e_maximo: boolean
    ic_baixo: number | null
    ic_alto: number | null
    metodo: 'fieller'
  }
  economica?: {
    relacao: number
    dose: number
    resposta: number
    ic_baixo: number | null
    ic_alto: number | null
  }
  x0?: number
  plato?: number
  x0_ic_baixo?: number | null
  x0_ic_alto?: number | null
  na_borda?: boolean
}

export interface DoseRegression {
  /** The factor whose levels are the doses; absent when the treatments themselves are. */
  fator?: FactorKey
  /** The level of the other factor, when doses are read within it. */
  dentro: Record<string, string> | null
  doses: number[]
  medias: number[]
  particao: {
    termo: 'linear' | 'quadratico' | 'cubico' | 'desvio'
    gl: number
    sq: number
    f: number
    p: number
  }[]
  modelos: DoseModel[]
  escolhido: { modelo: DoseModelName | null; razao: string }
}

export interface Efficacy {
  metodo: 'abbott' | 'henderson_tilton'
  linhas: { nivel: string; eficacia: number; ic_baixo: number | null; ic_alto: number | null }[]
}

export interface Progress {
  duracao: number
  medias: { nivel: string; aacpd: number; relativa: number; controle: number | null }[]
  avaliacoes: number
}

/** What one trial's plots of one variable say. `P` adds what only plots (not rebuilt means) can give. */
export interface Analysis {
  origem: 'parcelas' | 'reconstruida'
  delineamento: Design
  /** The model in words of its terms: 'bloco + tratamento'. */
  modelo: string
  transformacao: { nome: Transformation; lambda?: number }
  alfa: number
  n: { parcelas: number; validas: number; perdidas: number; excluidas: number }
  completo: boolean
  anova: {
    tipo: 'I' | 'III' | 'reconstruida'
    metodo: 'mq' | 'reml'
    linhas: AnovaRow[]
    total: { gl: number; sq: number } | null
  }
  residuos: ResidualRow[]
  media_geral: number
  r2: number | null
  grupos: Group[]
  pressupostos?: Assumptions
  ajuste?: FittedPlot[]
  box_cox?: BoxCox | Absent
  nao_parametrico?: NonParametric | Absent
  welch?: Welch | Absent
  covariavel?: {
    coeficiente: number
    ep: number
    p: number
    media: number
    inclinacoes?: { f: number; gl1: number; gl2: number; p: number }
  }
  componentes?: { parcela: number; residuo: number }
  regressao?: DoseRegression
  /** Doses within each level of the other factor. */
  regressoes?: DoseRegression[]
  eficacia?: Efficacy | Absent
  aacpd?: Progress
  arredondamento?: {
    qm_baixo: number
    qm_alto: number
    f_baixo: number
    f_alto: number
    p_baixo: number
    p_alto: number
    letras_estaveis: boolean
  }
  /** Letters as a report prints them against those of the rebuilt analysis. */
  letras_impressas?: {
    teste: PairTest | 'scott_knott'
    conferem: boolean
    divergencias: {
      a: string
      b: string
      impresso: 'igual' | 'diferente'
      calculado: 'igual' | 'diferente'
    }[]
  }
  /** Difference between two treatments seen with 80 % power, in the analysed unit. */
  diferenca_detectavel?: number | null
  /** Residual variance is zero though means differ: every letter is 'na'. */
  variancia_zero?: boolean
}

export type ProblemCode =
  | 'analysis.too_few'
  | 'analysis.no_variation'
  | 'analysis.disconnected'
  | 'analysis.empty_cell'
  | 'analysis.layout'
  | 'analysis.transform'
  | 'analysis.strip_lost'
  | 'analysis.no_control'
  | 'rebuilt.not_allowed'

/** Why there is no analysis: a code of the problem catalogue and the particulars that its sentence names. */
export interface Refusal {
  problema: ProblemCode
  /** Such as ['T3', 'T5'] or ['A2 × B3']. */
  detalhes: string[]
}

/** One trial, one variable (and date) as numbers and tags. Rows of `parcelas` and `y` are aligned. */
export interface TrialInput {
  delineamento: Design
  /** Number of the treatment that is the control. */
  testemunha: number | null
  fatores: { chave: FactorKey; tipo: 'qualitativo' | 'quantitativo' }[]
  /** `niveis` null: outside the factorial (additional). A quantitative level reads as a number. */
  tratamentos: {
    numero: number
    niveis: Partial<Record<FactorKey, string>> | null
    /** Name of its level in the answer, where the sheet numbers it otherwise; 'T' and `numero` when absent. */
    codigo?: string
  }[]
  parcelas: {
    numero: number
    tratamento: number
    bloco?: number | null
    linha?: number | null
    coluna?: number | null
    parcela_principal?: number | null
    /** Left out by a person: counted, not analysed. */
    excluida?: boolean
  }[]
  /** Plot values on the original scale; null = lost. */
  y: (number | null)[]
  covariavel?: (number | null)[]
  /** Values of the earlier date, for Henderson-Tilton. */
  previa?: (number | null)[]
  /** `y` is an area under the progress curve over so many days and dates. */
  progresso?: { duracao: number; avaliacoes: number }
}

export interface AnalysisOptions {
  alfa?: number
  transformacao?: Transformation
  lambda?: number
  /** Smaller is better when false. Efficacy is offered only then. */
  maior_melhor?: boolean | null
  eficacia?: 'abbott' | 'henderson_tilton'
  /** Price of a unit of the dose over price of a unit of the product. */
  relacao_preco?: number
  excluir_testemunha?: boolean
  excluir_constantes?: boolean
  /** One-way analysis over the treatments that have values, offered where cells of the factorial are empty. */
  ignorar_fatores?: boolean
}
