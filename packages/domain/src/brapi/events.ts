import type { TrialRegistry } from '../trial-registry.ts'
import { BLANK } from './blank.ts'
import type { Study, Told } from './studies.ts'
import { type Made, type Planted, treatmentsOf } from './units.ts'

/** What the business unit of a trial applies, in ICASA's words. */
const TYPES: Readonly<Record<string, string>> = { BU1: 'fertilizer', BU2: 'pesticide' }
const eventType = ({ bu }: Study): string => TYPES[bu] ?? 'other'

/** What a parameter is called, and its unit; words have the unit 'text'. */
const PARAMETERS = {
  estadio: ['Estádio da cultura', 'text'],
  modo: ['Modo de aplicação', 'text'],
  volume: ['Volume de calda', 'L/ha'],
  equipamento: ['Equipamento', 'text'],
} as const

/** A day of the trial, where BrAPI asks for a time. */
export const dayTime = (day: string | null): string | null => (day === null ? null : `${day}T00:00:00Z`)

/**
 * The applications of a trial that have a day: one event for each day and treatment with products, over its plots. Who
 * may not know the treatments is told of one over all plots: which of them got something is what they may not know.
 */
export function eventsOf(
  study: Study,
  sheet: Planted & { registro: Pick<TrialRegistry, 'aplicacoes'> | null },
  made: readonly Made[],
  { idOf }: Told,
) {
  const applied = sheet.tratamentos.flatMap(({ numero }) => {
    if (numero === sheet.testemunha) return []
    const [name, ...parts] = treatmentsOf(sheet, made, numero)
    const products = parts.flatMap(({ factor, modality }) => (factor === 'produto' ? [modality] : []))
    return name && products.length > 0 ? [{ numero, text: `${name.modality}: ${products.join('; ')}` }] : []
  })
  const groups = sheet.letras ? [{ numero: null, text: 'Aplicação dos tratamentos' }] : applied
  return (sheet.registro?.aplicacoes ?? []).flatMap(({ data, ...told }, at) => {
    const time = dayTime(data)
    if (time === null) return []
    const parameters = Object.entries(PARAMETERS).flatMap(([key, [name, units]]) => {
      const value = told[key as keyof typeof PARAMETERS]
      return value === null ? [] : [{ ...BLANK.eventParameter, code: key, name, units, value: String(value) }]
    })
    return groups.map(({ numero, text }) => ({
      ...BLANK.event,
      date: [time],
      eventDateRange: { discreteDates: [time], startDate: null, endDate: null },
      eventDbId: idOf('aplicacao', study.id, at, numero),
      eventDescription: text,
      eventParameters: parameters,
      eventType: eventType(study),
      observationUnitDbIds: sheet.parcelas.flatMap(({ id, tratamento }) =>
        numero === null || tratamento === numero ? [id] : [],
      ),
      ...{ studyDbId: study.id, studyName: study.studyName },
    }))
  })
}
