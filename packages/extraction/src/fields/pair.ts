import type { Run } from '../layout/run.ts'
import { REGION_NAMES } from '../values/lexicon.ts'
import { fold } from '../values/text.ts'
import { looksLikeLabel, matchLabel } from './labels.ts'

/** A label and the text that may be its value, with where the two stand to each other. */
export interface Pair {
  label: string
  value: Run
  kind: 'colon' | 'row' | 'below' | 'above' | 'column' | 'header' | 'checked' | 'bold'
  page: number
  /** Other text that bears on the pair: headings of its row and column. */
  context: string
}

export const MAX_LABEL_WORDS = 8

/** 'Cidade: Ijuí' is no label; 'Solo (0-20): argila' is one. */
export function holdsValue(text: string): boolean {
  // 'Argila (%) 18': its own figure behind its unit.
  if (/R\$\s*\d|^\p{L}[^:]*\)\s\d[\d.,]*$/u.test(text)) return true
  const after = /[:=]\s*(\S.*)$/.exec(text)?.[1]
  return after !== undefined && !matchLabel(after).some((match) => match.score >= 0.6 && match.cover > 0.7)
}

/** 'Custo (R$/ha) | 41,30 | 89,80 | 148,60': a row of treatments tells nothing of the trial. */
export const isRowOfMoney = (label: string, second: string | undefined): boolean =>
  /^[–-]?\s?(?:R\$\s?)?\d/.test(second ?? '') && MONEY.has(matchLabel(label)[0]?.target ?? '')
const MONEY = new Set(['custo_protocolo', 'roi'])

const LABEL_WORD =
  /^(?:fracao|teor|tipo|nome|data|dados|numero|total|geral|unidade|federacao|solo|ensaio|experimento|avaliad[oa]|agricola|experimental|geografic\w+|conducao|comercial|tecnic[oa]|responsavel|negocios?|area)$/

/** Whether a value beside a label is itself a label, as where two labels stand side by side. */
export function isLabelItself(pair: Pair): boolean {
  const text = pair.value.text.replace(/^[\s:]+/, '')
  const best = matchLabel(text)[0]
  const words = text.split(/[\s/]+/).filter((word) => word.length > 2)
  // A row of labels: every word announces something.
  const mostly =
    best !== undefined &&
    !REGION_NAMES.test(fold(text)) &&
    ((best.score >= 0.6 && best.cover > 0.85) ||
      words.every(
        (word) =>
          LABEL_WORD.test(fold(word)) || matchLabel(word).some((m) => m.score >= 0.55 && m.cover > 0.85),
      ))
  const exact = best !== undefined && best.score >= 0.9 && best.cover > 0.95
  return (
    (mostly || looksLikeLabel(text)) &&
    (pair.kind !== 'colon' || exact || /:$/.test(text)) &&
    !/\d/.test(fold(text))
  )
}
