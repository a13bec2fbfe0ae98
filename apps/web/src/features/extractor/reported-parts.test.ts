import type { Evidence, ExtractedExperiment, ReportedStatistics } from '@ensaio/domain'
import { describe, expect, test } from 'vitest'
import {
  evidenceWithoutLetter,
  lettersWithout,
  reportedParts,
  withoutDoubtfulStatistics,
} from './reported-parts.ts'

const TOLD: ReportedStatistics = {
  delineamento: 'DBC',
  repeticoes: 4,
  cv: 6.7,
  cv_casas: 2,
  dms: 358,
  dms_teste: 'tukey',
  gl_residuo: null,
  teste: 'Tukey',
  letras: { 1: 'b', 2: 'a' },
}
const dataWith = (estatistica_informada: ReportedStatistics | null) =>
  ({ estatistica_informada }) as ExtractedExperiment
const evidence = (confidence: number): Evidence => ({
  confidence,
  page: 2,
  bbox: [0, 0, 1, 1],
  text: 'CV',
  method: 'table',
})

describe('what a report tells of its own statistics', () => {
  test('in one line, the CV with its decimals as printed', () => {
    expect(reportedParts(dataWith(TOLD)).map(({ text }) => text)).toEqual([
      'DBC',
      '4 repetições',
      'CV 6,70 %',
      'DMS 358 kg/ha (Tukey)',
      'Tukey',
      'letras de 2 tratamentos',
    ])
    expect(reportedParts(dataWith(null))).toEqual([])
  })

  test('in doubt it is not stored unseen, and the decimals of a CV go with it', () => {
    const fields = {
      'estatistica_informada.cv': evidence(0.5),
      'estatistica_informada.letras.2': evidence(0.6),
      'estatistica_informada.repeticoes': evidence(0.97),
    }
    expect(withoutDoubtfulStatistics({ data: dataWith(TOLD), fields }).estatistica_informada).toEqual({
      ...TOLD,
      cv: null,
      cv_casas: null,
      letras: { 1: 'b' },
    })
    const alone = {
      ...TOLD,
      delineamento: null,
      repeticoes: null,
      dms: null,
      dms_teste: null,
      teste: null,
      letras: null,
    }
    expect(withoutDoubtfulStatistics({ data: dataWith(alone), fields }).estatistica_informada).toBeNull()
  })

  test('letters move up with their treatments', () => {
    expect(lettersWithout({ 1: 'c', 2: 'b', 4: 'a' }, 1)).toEqual({ 1: 'c', 3: 'a' })
    expect(lettersWithout({ 1: 'c' }, 0)).toBeNull()
    const fields = { cultura: 0, 'estatistica_informada.letras.1': 1, 'estatistica_informada.letras.2': 2 }
    expect(evidenceWithoutLetter(fields, 0)).toEqual({ cultura: 0, 'estatistica_informada.letras.1': 2 })
  })
})
