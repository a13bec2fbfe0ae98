import type { DoseUnit } from '@ensaio/domain'
import type { Word } from '../read/page.ts'
import type { Method } from '../result.ts'

/** A value with the words that show it and how sure its reading is. */
export interface Found<T> {
  value: T
  words: Word[]
  score: number
  method: Method
}

export interface DraftProduct {
  nome: Found<string>
  dose: Found<number> | null
  unidade: DoseUnit | null
  /** Its unit is printed without of what: 'mL'. */
  bare?: true
  custo: Found<number> | null
}

export interface DraftAnalysis {
  nome: string
  unidade: string | null
  valor: Found<number>
}

/** A treatment as one table or passage shows it; several are joined to the whole. */
export interface Draft {
  /** '2' of 'T2', 'Trat. 2' or '2'. */
  code: string | null
  nome: Found<string> | null
  control: boolean
  modalidade: Found<string> | null
  /** kg/ha, with the preference of its unit; `printed` is the bare figure where the unit is only a guess, `sacks` how many of a weight that is not said beside it. */
  produtividade: (Found<number> & { rank: number; printed?: number; sacks?: number }) | null
  custo: Found<number> | null
  produtos: DraftProduct[]
  analises: DraftAnalysis[]
  /** Amounts that its cost is the sum of, in their order. */
  parts?: Found<number>[]
  /** What each product costs, by its name: 'X: 31,20 + Y: 42,75'. */
  named?: { name: string; custo: Found<number> }[]
  /** What tables that come later call it: 'METARHIZ_1'. */
  alias?: string
  /** It is what was sown, and no product. */
  sown?: true
  /** The sign of a note behind its name. */
  sign?: string
  /** Only a number stands before it, as before a part of the report or a conclusion. */
  numbered?: true
  /** Its code was recognised in a picture. */
  scanned?: boolean
  /** Doses of products that another part of a sheet names, in their order. */
  loose?: Pick<DraftProduct, 'dose' | 'unidade'>[]
}

export function emptyDraft(): Draft {
  return {
    code: null,
    nome: null,
    control: false,
    modalidade: null,
    produtividade: null,
    custo: null,
    produtos: [],
    analises: [],
  }
}

const CODE =
  /^\(?(?:(?:t|ts|trat|tratamento|tr|n|p|m|manejo|programa|faixa|amostra)\s*[.ºo°-]?\s*)?0?(\d{1,2})\)?\s*[.)ª°º:–-]?$/i
/** 'Faixa 1 (padrão)', '6 - TEST.' */
const ROLE_BEHIND =
  /(?<=^(?:t|trat\.?|faixa)\s?\d{1,2})\s*\((?:padr[ãa]o|testemunha|controle)[^()]*\)$|(?<=^\d{1,2})\s*[-–]\s*(?:testemunha|controle|test\.)$/i
const LETTER_CODE = /^(?:(?:trat(?:amento)?|t)\.?\s+)?([A-L])[.)]?$/
/** Reads a treatment code: 'T2', '02', 'Trat. 2', 'B'. */
export function readCode(text: string): string | null {
  const t = text.trim().replace(ROLE_BEHIND, '')
  return CODE.exec(t)?.[1] ?? LETTER_CODE.exec(t)?.[1] ?? null
}

const LEADING =
  /^\(?((?:T|Trat\.?|Tratamento|TRAT\.?|TRATAMENTO|tratamento|N[º°])\s?[-.]?\s?0?(\d{1,2}))\)?\s*(?:[-–—:.)=|/·•,→]\s*|\s+)(?=[^\s+])/
/** Manejos and programmes count with other letters, always with a sign behind them. */
const LEADING_OTHER =
  /^\(?(?:M|P|Faixa|Manejo|Programa|Prog\.|Protocolo)\s?0?(\d{1,2})\)?\s*[-–—:.)=|/·•]\s*(?=\S)/
const LEADING_NUMBER = /^\(?(0?(\d{1,2}))\s*(?:[)–—:=·•]|,(?=\s+\p{Lu})|[.-](?!\d))\s*(?=\p{L})/u
const LEADING_LETTER =
  /^(?:([A-H])\.\s+(?=\p{Lu}\p{Ll}{3})|(?:(?:Trat\.?|Tratamento|TRATAMENTO)\s)?\(?([A-H])\)?\s*(?:[:=)]\s*(?=\p{L})|[–—]\s*(?=\p{Lu}|(?:n[ãa]o|nada|nenhum\p{L}*|sem|s[óo]|testemunha|controle)\s))|\(?([a-h])\)\s*(?=\p{L}))/u
/** 'Amostra B Zincal 15: 1,5 L/ha' */
const LEADING_WORD = /^(?:Amostra|Parcela)\s([A-H])\s*(?:[-–—:.)=]\s*)?(?=\p{Lu})/u
/** A code in front of a treatment's text and where the text goes on. */
export function leadingCode(text: string): { code: string; end: number } | null {
  const match = LEADING.exec(text) ?? LEADING_NUMBER.exec(text)
  if (match?.[2]) return { code: String(Number(match[2])), end: match[0].length }
  const other = LEADING_OTHER.exec(text)
  if (other?.[1]) return { code: String(Number(other[1])), end: other[0].length }
  const letter = LEADING_LETTER.exec(text) ?? LEADING_WORD.exec(text)
  const code = letter?.[1] ?? letter?.[2] ?? letter?.[3]
  return letter && code ? { code: code.toUpperCase(), end: letter[0].length } : null
}

export const normalCode = (code: string): string =>
  /^\d+$/.test(code) ? String(Number(code)) : code.toUpperCase()

/** Products and lists of its own; what was found in the document stays one and the same. */
export const copyOf = (draft: Draft): Draft => ({
  ...draft,
  produtos: draft.produtos.map((product) => ({ ...product })),
  analises: [...draft.analises],
})
