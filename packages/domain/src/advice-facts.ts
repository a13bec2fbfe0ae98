import type { CropRange, NamedSource } from './advice-table.ts'
import { searchable } from './format.ts'
import type { TrialSheet } from './trial-sheet.ts'
import type { AnalysedSheet } from './trial-values.ts'

export const ADVICE_WEIGHTS = ['problema', 'conferir', 'nota'] as const
export type AdviceWeight = (typeof ADVICE_WEIGHTS)[number]

/** Where a finding is: a field of the form by its path, or a cell, column or plot of the sheet. */
export interface AdvicePlace {
  campo: string | null
  parcela: number | null
  variavel: string | null
  avaliacao: string | null
}

/** What is said of a value: a reason, never a refusal. */
export interface Finding {
  codigo: AdviceCode
  peso: AdviceWeight
  onde: AdvicePlace
  texto: string
  fonte: NamedSource
  /** Of what it was found in: an answer holds for this and nothing else. */
  valor: string
  /** It rests on costs or on what only the own organisation sees. */
  reservado: boolean
  /** One click puts these numbers in these fields. */
  correcao: { rotulo: string; valores: { campo: string; valor: number }[] } | null
}

export const ADVICE_CODES = [
  ...(['rendimento.faixa', 'rendimento.unidade', 'rendimento.igual', 'variavel.faixa'] as const),
  ...(['parcela.discrepante', 'parcela.vizinha', 'parcela.digito', 'cv.classe'] as const),
  ...(['desenho.gl', 'desenho.repeticoes', 'desenho.testemunha', 'desenho.bloco', 'desenho.texto'] as const),
  ...(['valores.faltam', 'valores.conflitos', 'valores.hora', 'produto.dobrado', 'produto.dose'] as const),
  ...(['custo.sem_preco', 'roi.sem_custo', 'solo.classe', 'local.municipio', 'data.ordem'] as const),
  ...(['relatorio.difere', 'completo'] as const),
] as const
/** A bit for each rule that found something, in the order of the codes, which is kept: a new code goes to the end. */
export const rulesFound = (findings: readonly Finding[]): number =>
  findings.reduce((bits, { codigo }) => bits | (1 << ADVICE_CODES.indexOf(codigo)), 0)
export type AdviceCode = (typeof ADVICE_CODES)[number]

type Text = string | null | undefined
type Number_ = number | null | undefined
export interface AdviceTreatment {
  nome?: Text
  modalidade?: Text
  /** kg/ha */
  produtividade?: Number_
  /** R$/ha */
  custo?: Number_
  produtos_aplicados?: readonly { nome?: Text; dose?: Number_; unidade?: Text; custo?: Number_ }[] | undefined
  analises_adicionais?: readonly { nome?: Text; valor?: Number_; unidade?: Text }[] | undefined
}

/** What the own organisation usually gives of a product. */
export interface UsualDose {
  nome: string
  unidade: string
  mediana: number
  /** Of how many trials. */
  ensaios: number
}

export type AdviceSheet = AnalysedSheet & { registro?: TrialSheet['registro'] }

/** What the rules look at; whatever is not known is left out, and a rule that needs it is silent. */
export interface AdviceFacts {
  /** Ranges of yields that hold here; those that are shipped where they are left out. */
  faixas?: readonly CropRange[] | undefined
  cultura?: Text
  cultivar?: Text
  ano?: Number_
  estado?: Text
  latitude?: Number_
  longitude?: Number_
  teor_argila?: Number_
  teor_materia_organica?: Number_
  tipo_estatistica?: Text
  custo_protocolo?: Number_
  roi?: Number_
  tratamentos?: readonly AdviceTreatment[] | undefined
  estatistica_informada?:
    | { delineamento?: Text; repeticoes: number | null; cv: number | null; gl_residuo: number | null }
    | null
    | undefined
  ficha?: AdviceSheet | null | undefined
  /** Medians of the own organisation's trials, by product and unit. */
  doses?: readonly UsualDose[] | undefined
  /** Yields that the report tells, kg/ha, by the names of its treatments in their order. */
  lidas?: readonly { nome: string | null; produtividade: number | null }[] | undefined
  /** Yields that were typed before the plots gave others, kg/ha, by the treatment's number. */
  informadas?: Readonly<Record<string, number>> | undefined
  /** The municipality's own point, and its area in km² where it is known. */
  municipio?: { latitude: number; longitude: number; area?: number | null | undefined } | null | undefined
  /** Open conflicts and parked records of the plots. */
  abertos?: number | undefined
  /** When values were entered: the first and last day ('aaaa-mm-dd'), those ahead of their arrival, the most a minute. */
  entradas?: { primeira: string; ultima: string; adiante: number; no_minuto: number } | null | undefined
}

export type AdviceRule = (facts: AdviceFacts) => Finding[]

export const atField = (campo: string): AdvicePlace => ({
  campo,
  parcela: null,
  variavel: null,
  avaliacao: null,
})
export const atCell = (
  parcela: number | null,
  variavel: string | null,
  avaliacao: string | null = null,
): AdvicePlace => ({ campo: null, parcela, variavel, avaliacao })

/** A place as one text, for answers to be found by. */
export const placeKey = ({ campo, parcela, variavel, avaliacao }: AdvicePlace): string =>
  campo ?? ['ficha', parcela ?? '', variavel ?? '', avaliacao ?? ''].join(':')

/** A short mark of values: another value is another mark (FNV-1a, twice). */
export function markOf(...values: unknown[]): string {
  const text = JSON.stringify(values)
  let [a, b] = [0x811c9dc5, 0x01000193]
  for (let at = 0; at < text.length; at++) {
    a = Math.imul(a ^ text.charCodeAt(at), 0x01000193)
    b = Math.imul(b ^ text.charCodeAt(text.length - 1 - at), 0x85ebca6b)
  }
  return (a >>> 0).toString(36) + (b >>> 0).toString(36)
}

type Given = Pick<Finding, 'peso' | 'onde' | 'texto'> & {
  valor: readonly unknown[]
  fonte?: NamedSource
  reservado?: boolean
  correcao?: Finding['correcao']
}
export const finding = (
  codigo: AdviceCode,
  { valor, fonte = 'nossa', reservado = false, correcao = null, ...of }: Given,
): Finding => ({ ...of, codigo, fonte, reservado, correcao, valor: markOf(...valor) })

export const isNumber = (value: Number_): value is number =>
  typeof value === 'number' && Number.isFinite(value)

/** Letters and digits alone: 'NUTRIVIA-RAIZ' is 'Nutrivia Raiz'. */
export const bareName = (name: Text): string => searchable(name ?? '').replace(/[^\p{L}\p{N}]/gu, '')
