import { counted, type ExtractedExperiment, formatNumber, REVIEW_CONFIDENCE } from '@ensaio/domain'
import type { ReviewState } from './review-state.ts'

const BLOCK = 'estatistica_informada'
const LETTERS = `${BLOCK}.letras.`

/** A part of what the report tells of its own statistics: where its evidence is, and in words. */
export type ReportedPart = { path: string; text: string }

/** Its letters stand where the yields stand: the yield is what is picked there. */
export const isLetter = (path: string): boolean => path.startsWith(LETTERS)

const DMS_TESTS = { tukey: 'Tukey', t: 't' } as const

export function reportedParts({ estatistica_informada: told }: ExtractedExperiment): ReportedPart[] {
  if (!told) return []
  const part = (name: string, text: string | null): ReportedPart[] =>
    text === null ? [] : [{ path: `${BLOCK}.${name}`, text }]
  const letters = Object.keys(told.letras ?? {})
  return [
    ...part('delineamento', told.delineamento),
    ...part(
      'repeticoes',
      told.repeticoes === null ? null : counted(told.repeticoes, 'repetição', 'repetições'),
    ),
    ...part('cv', told.cv === null ? null : `CV ${printed(told.cv, told.cv_casas)} %`),
    ...part(
      'dms',
      told.dms === null
        ? null
        : `DMS ${formatNumber(told.dms, 2)} kg/ha${told.dms_teste ? ` (${DMS_TESTS[told.dms_teste]})` : ''}`,
    ),
    ...part('teste', told.teste),
    ...part('gl_residuo', told.gl_residuo === null ? null : `${told.gl_residuo} gl do resíduo`),
    ...part(
      `letras.${letters[0]}`,
      letters.length === 0 ? null : `letras de ${counted(letters.length, 'tratamento', 'tratamentos')}`,
    ),
  ]
}

/** With as many decimals as the report prints. */
const printed = (value: number, decimals: number | null): string =>
  value.toLocaleString('pt-BR', { minimumFractionDigits: decimals ?? 0, maximumFractionDigits: 6 })

/** What nobody has looked at is not stored while it is in doubt: the form is where it is decided. */
export function withoutDoubtfulStatistics({
  data,
  fields,
}: Pick<ReviewState, 'data' | 'fields'>): ExtractedExperiment {
  const told = data.estatistica_informada
  if (!told) return data
  const sure = (name: string): boolean => (fields[`${BLOCK}.${name}`]?.confidence ?? 1) >= REVIEW_CONFIDENCE
  const letters = Object.entries(told.letras ?? {}).filter(([number]) => sure(`letras.${number}`))
  const kept = <T>(name: string, value: T): T | null => (sure(name) ? value : null)
  const cv = kept('cv', told.cv)
  const dms = kept('dms', told.dms)
  const block = {
    delineamento: kept('delineamento', told.delineamento),
    repeticoes: kept('repeticoes', told.repeticoes),
    cv,
    cv_casas: cv === null ? null : told.cv_casas,
    dms,
    dms_teste: dms === null ? null : kept('dms_teste', told.dms_teste),
    gl_residuo: kept('gl_residuo', told.gl_residuo),
    teste: kept('teste', told.teste),
    letras: letters.length > 0 ? Object.fromEntries(letters) : null,
  }
  const empty = Object.values(block).every((part) => part === null)
  return { ...data, estatistica_informada: empty ? null : block }
}

/** The letters after a treatment is gone: those behind it have moved up. */
export function lettersWithout<T>(
  letters: Readonly<Record<string, T>> | null,
  gone: number,
): Record<string, T> | null {
  if (!letters) return null
  const kept = Object.entries(letters).flatMap(([number, letter]): [string, T][] => {
    const at = Number(number) - 1
    return at === gone ? [] : [[String(at > gone ? at : at + 1), letter]]
  })
  return kept.length > 0 ? Object.fromEntries(kept) : null
}

/** The same for where they were read. */
export function evidenceWithoutLetter<T>(
  fields: Readonly<Record<string, T>>,
  gone: number,
): Record<string, T> {
  const letters = Object.fromEntries(
    Object.entries(fields).flatMap(([path, evidence]) =>
      isLetter(path) ? [[path.slice(LETTERS.length), evidence] as const] : [],
    ),
  )
  const moved = Object.entries(lettersWithout(letters, gone) ?? {})
  return Object.fromEntries([
    ...Object.entries(fields).filter(([path]) => !isLetter(path)),
    ...moved.map(([number, evidence]): [string, T] => [`${LETTERS}${number}`, evidence]),
  ])
}
