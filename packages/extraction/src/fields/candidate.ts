import type { FieldKey } from '@ensaio/domain/fields'
import type { Word } from '../read/page.ts'
import type { Method } from '../result.ts'

/** A possible value of a field, with the words that show it. */
export interface Candidate {
  field: FieldKey
  value: string | number
  /** 0..1, uncalibrated. */
  score: number
  words: Word[]
  method: Method
  /** The folded label that announced it. */
  label?: string
}

const AWAY =
  /\bvizinh\w+|\bareas (?:velhas|novas|comerciais)\b|\barea (?:ao lado|contigua|limitrofe)|\bensaios? (?:anterior\w*|passad\w*|previ\w*)|(?<!\banalise d[oa] )\b(?:safras?|anos?|ciclos?) (?:anterior\w*|passad\w*|previ\w*)|\bhistoric\w+(?! de (?:plantio|cultivo|uso|soja|milho|pastagem|rotacao|ocorrencia|infesta\w+|nematoid\w+|tombamento|mofo|ferrugem|doenca\w*|praga\w*|[a-z]+us\b))|\bja (?:havia|tinha)\w*|\bem outr[oa]s?\b|\boutr[oa]s? (?:area|ensaio|local|municipio|experiment|fazenda|regi)\w*|\banteriormente\b|\btinha\w* (?:rendido|produzido|dado|alcancado|obtido)|\b[oa] mesm[oa] (?:pacote|programa|protocolo|tratamento|produto|manejo)[^.;]{0,40}\btinha|\bliteratura\b|\b[oa] mesm[oa] (?:protocolo|ensaio|programa)\b[^.;]{0,12}\bna safra\b|\bsegundo \w+ (?:et al|\()|\bao contrario\b|\bdiferente d/
/** 'Moraes e Tanaka (2016) obtiveram', 'Prado et al. (2019)': somebody else's trial. */
const CITED =
  /\b[a-z]{3,20} (?:e|&) [a-z]{3,20} \((?:19|20)\d\d[a-z]?\)|\bet al\.?,? \(?(?:19|20)\d\d|[a-z] \((?:19|20)\d\d[a-z]?\),? (?:obti|obte|verific|observ|encontr|relat|conclu|avali|constat|estud|demonstr|afirm)/
const OFFICE =
  /\bsede\b|\bmatriz\b|\bescritorio\b|\brua\b|\bavenida\b|\bav\.|\brodovia\b|\bcep\b|\bcnpj\b|\bfone\b|\btel\.|\bcaixa postal\b|\blaboratorio\b|\bendereco\b|\bemitid\w+|\bimpress\w+|\bwww\.|\w@\w|\bdepartamento\b|\buniversidade\b|\bfabrica\b|\bregistrad\w+|\bcartorio\b|\bassinad\w+|\bcorrespondencia\b/
/** Whether a label or heading speaks of another trial, area or year. */
export const elsewhere = (context: string): number => (AWAY.test(context) ? 0.3 : 1)

/** Factor for text that speaks of something else than this trial: neighbours, earlier years, head office. */
export function aside(context: string): number {
  return AWAY.test(context) || CITED.test(context) ? 0.3 : OFFICE.test(context) ? 0.4 : 1
}

const DONE =
  /\b(?:conduzid|instalad|realizad|implantad|executad)[oa]s?\b|\b(?:conduziu|conduzimos|instalou|instalamos|montou|montamos|implantou|realizou|realizamos)\b/
const CAMPUS = /\b(?:universidade|faculdade|departamento)\b/g

/** Factor for what begins at a place of a sentence: a bracket speaks for itself only ('Silvânia, GO (a sede fica em Anápolis)'). */
export function asideAt(said: string, at: number): number {
  if (CITED.test(said)) return 0.3
  // A university, or a department of whoever did it, has its fields where the trial was.
  const sentence = DONE.test(said.slice(0, at))
    ? said.replace(CAMPUS, (word) => ' '.repeat(word.length))
    : said
  for (const bracket of sentence.matchAll(/\([^()]*\)/g))
    if (at > bracket.index && at < bracket.index + bracket[0].length)
      return Math.min(aside(bracket[0]), elsewhere(sentence))
  return aside(sentence.replace(/\([^()]*\)/g, ' '))
}
