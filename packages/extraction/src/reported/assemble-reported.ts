import type { ReportedStatistics } from '@ensaio/domain'
import type { CalibrationKey } from '../confidence/calibrate.ts'
import type { Word } from '../read/page.ts'
import type { Method } from '../result.ts'
import type { ReportedDraft, Told } from './found.ts'

type Note = (
  path: string,
  key: CalibrationKey,
  score: number,
  margin: number,
  words: readonly Word[],
  method: Method,
) => void

const PATH = 'estatistica_informada'

/** The block of a record out of what was found, each part with its evidence; null where nothing was. */
export function assembleReported(
  found: ReportedDraft,
  note: Note,
  noted: Readonly<Record<string, unknown>>,
): ReportedStatistics | null {
  const put = <T>(name: string, told: Told<T> | null): T | null => {
    if (!told) return null
    const path = `${PATH}.${name}`
    note(path, 'estatistica', told.score, told.margin, told.words, told.method)
    return noted[path] ? told.value : null
  }
  const letters = found.letras.flatMap((one, at): [string, string][] => {
    const value = put(`letras.${at + 1}`, one)
    return value === null ? [] : [[String(at + 1), value]]
  })
  const cv = put('cv', found.cv)
  const dms = put('dms', found.dms)
  const told: ReportedStatistics = {
    delineamento: put('delineamento', found.delineamento),
    repeticoes: put('repeticoes', found.repeticoes),
    cv,
    cv_casas: cv === null ? null : (found.cv?.casas ?? null),
    dms,
    dms_teste: dms === null ? null : put('dms_teste', found.dms_teste),
    gl_residuo: put('gl_residuo', found.gl_residuo),
    teste: put('teste', found.teste),
    letras: letters.length > 0 ? Object.fromEntries(letters) : null,
  }
  return Object.values(told).some((part) => part !== null) ? told : null
}
