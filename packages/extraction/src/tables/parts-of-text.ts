import type { Line } from '../layout/lines.ts'
import { fold } from '../values/text.ts'

/** The part of a paper that begins there, with its number or without: '4 Conclusão', 'RESULTADOS E DISCUSSÃO'. */
const PART =
  /^(?:\d{1,2}(?:\.\d{1,2})*\.?\s+|[ivx]{1,4}[.)]?\s+)?(?:introducao|objetivos?|materia(?:l|is) e metodos?|metodologia|resultados(?: e discuss(?:ao|oes)| obtidos)?|discussao|conclus(?:ao|oes)|consideracoes finais|agradecimentos?|referencias(?: bibliograficas)?|bibliografia|resumo|abstract)\s?[.:]?$/
/** Above it is more space than between rows: one that stands closer is of the column beside. */
export const PART_SPACE = 1.7
export const isPart = ({ segments, words }: Line): boolean =>
  words.length <= 6 && PART.test(fold(segments.map(({ text }) => text).join(' ')))

/** 'Tabela 1: … conforme os tratamentos. Naviraí,' over '2021.': a caption whose line was full. */
export const goesOn = (caption: Line, line: Line): boolean =>
  line.segments.length === 1 &&
  line.base - caption.base < 1.5 * line.size &&
  Math.abs(line.size - caption.size) < 0.5 &&
  line.x1 < caption.x1 - 2 &&
  (/[,;\-–]$|\s(?:d[aeo]s?|e|em|n[ao]s?|com|por|para|sob|ao?s?)$/.test(caption.segments.at(-1)?.text ?? '') ||
    // '… em Santa' over 'Vitória, 2009/2010.'
    (!/\.$/.test(caption.segments.at(-1)?.text ?? '') &&
      /[^\d.]\s?\S*\.$/.test(line.segments[0]?.text ?? '')))
