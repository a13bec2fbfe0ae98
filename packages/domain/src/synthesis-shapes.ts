import type {
  Absent,
  EffectMeasure,
  ErrorSource,
  MetaRegression,
  Proportion,
  StoredEffects,
  Subgroups,
  Synthesis,
} from '@ensaio/statistics'
import type { Moderator, Subgroup } from './contract-synthesis.ts'

/** A treatment of a trial, as a comparison looks at it; what is optional comes where the query asks for it. */
export interface MaterialTreatment {
  numero: number
  /** kg/ha, as it stands in the trial. */
  y: number
  /** It is what is compared: it has the product, or the name. */
  p: boolean
  /** Of subgroups by modality. */
  modalidade?: string
  /** Of a price: R$/ha; null where it is unknown or hidden. */
  custo?: number | null
  /** Of `sozinho`: products beside it. */
  outros?: number
  /** Of a range of doses. */
  doses?: [dose: number, unidade: string | null][]
}

/** What is kept of a trial's variable (table `efeitos`). */
export interface MaterialEffects {
  produtividade: boolean
  unidade: string
  umidade: number | null
  origem: 'parcelas' | 'reconstruida' | 'ausente'
  testemunha: number | null
  n_parcelas: number
  repeticoes: number | null
  cv: number | null
  dados: StoredEffects
}

/** A trial under the filter that has the product or the treatment, oldest first. */
export interface MaterialTrial {
  id: string
  nome: string
  cultura: string
  ano: number
  cidade: string
  regional: string
  marca: string
  argila: number | null
  mo: number | null
  latitude: number | null
  versao: number
  ficha: number | null
  ve_custos: boolean
  /** Its effects are yet to be computed. */
  pendente: boolean
  /** Fingerprint of the first of its documents that are seen. */
  documento: string | null
  t: MaterialTreatment[]
  e: MaterialEffects | null
}

/** What a synthesis is made from. */
export interface SynthesisMaterial {
  /** Trials under the filter, whether they have the comparison or not. */
  total: number
  ensaios: MaterialTrial[]
  /** Some of the trials without it, to be named. */
  outros: { id: string; nome: string }[]
  /** By crop: median CV (%) and repetitions of the trials with plots, where they are asked for. */
  cvs: Record<string, { cv: number; r: number; n: number }>
}

export type LeftOutReason =
  | 'sem_produto'
  | 'sem_testemunha'
  | 'na_testemunha'
  | 'acompanhado'
  | 'dose'
  | 'variavel'
  | 'sem_media'
  | 'unidade'
  | 'umidade'
  | 'razao'
  | 'retirado'
  | 'duplicado'

export interface LeftOut {
  experimento_id: string
  nome: string
  codigo: LeftOutReason
  motivo: string
  /** The trial that counts in its place. */
  repete?: string
}

export interface ComparedTrial {
  /** From 1, the oldest first. */
  ordem: number
  experimento_id: string
  nome: string
  cultura: string
  ano: number
  regional: string
  argila: number | null
  /** In the unit of the measure; lnrr as ln. */
  efeito: number
  ep: number | null
  gl: number | null
  ic_baixo: number | null
  ic_alto: number | null
  origem_ep: ErrorSource
  peso: number | null
  n_plots: number
  /** Adjusted means, in the variable's unit. */
  testemunha: number
  tratamento: number
  /** Of the control, %. */
  percentual: number | null
  /** Treatments that were averaged, by number. */
  tratamentos: number[]
  /** Of the moderator and the subgroup that were asked for. */
  x: number | null
  grupo: string | null
  /** Control below 5 % of the median of the crop. */
  testemunha_baixa: boolean
}

export interface SynthesisEconomics {
  /** R$ per trading unit of so many kg. */
  preco: number
  kg_por_unidade: number
  /** Trials whose costs are seen and known, of all that are compared. */
  com_custos: number
  de: number
  /** Of them, those whose costs are not shown. */
  ocultos: number
  /** Gain above zero. */
  vitorias: Proportion | null
  /** R$/ha; a median, and sums over trials. */
  ganho_mediano: number | null
  ganho_total: number | null
  custo_total: number | null
  /** Median extra cost over the price: trading units, and kg/ha, that pay it. */
  empate: number | null
  empate_kg: number | null
}

type Kept = Omit<Synthesis, 'ensaios' | 'influencia' | 'avisos'>
export interface SynthesisAnswer extends Kept {
  /** What was compared, as it was asked for. */
  produto: string
  variavel: { nome: string; unidade: string; produtividade: boolean }
  medida: EffectMeasure
  /** Nobody asked for this measure. */
  medida_automatica: boolean
  /** The estimate as % of the control, whatever the measure; null without one. */
  percentual_medio: number | null
  ensaios: ComparedTrial[]
  influencia: (Extract<Synthesis['influencia'], { minimo: number }> & { experimento_id: string }) | Absent
  /** Under the filter; `ensaios` and `fora_contagem` add up to it. */
  total: number
  fora: LeftOut[]
  fora_contagem: { codigo: LeftOutReason; motivo: string; n: number }[]
  moderador?: Moderator
  subgrupo?: Subgroup
  metarregressao?: MetaRegression | Absent
  subgrupos?: Subgroups
  economia?: SynthesisEconomics
  /** Version of the kernel. */
  motor: string
  frases: Record<string, string>
  avisos: { codigo: string; texto: string }[]
}
