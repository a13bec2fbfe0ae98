import { formatNumber } from '../format.ts'
import type { Plot, PlotValue, TrialDesign, TrialFactor, TrialTreatment } from '../trial-sheet.ts'
import { plotNumber } from '../trial-values.ts'
import { BLANK } from './blank.ts'
import { observationId } from './ids.ts'
import { isSplit } from './levels.ts'
import type { Study, Told } from './studies.ts'
import type { Column } from './variables.ts'

export type KeptPlot = Plot & { id: string; codigo: string }
export interface Planted {
  delineamento: TrialDesign
  testemunha: number | null
  fatores: readonly TrialFactor[]
  tratamentos: readonly TrialTreatment[]
  parcelas: readonly KeptPlot[]
  /** Assessed blind: what each treatment is called to who may not know it. */
  letras?: ReadonlyMap<number, string> | null
}
/** What a treatment is made of, without what it costs. */
export interface Made {
  nome: string
  modalidade: string
  produtos: readonly { nome: string; dose: number | null; unidade: string | null }[]
}

interface Relation {
  levelName: string
  levelOrder: number
  levelCode: string
  observationUnitDbId: string | null
}
const relation = (levelName: string, levelOrder: number, levelCode: string): Relation => ({
  ...{ levelName, levelOrder, levelCode, observationUnitDbId: null },
})

/** Where a plot stands among blocks and whole plots; a list in every design. */
export function relationsOf(study: Study, sheet: Planted, plot: KeptPlot): Relation[] {
  const split = isSplit(sheet.delineamento)
  const level = sheet.tratamentos.find(({ numero }) => numero === plot.tratamento)?.niveis?.A ?? null
  const block = plot.bloco === null ? [] : [relation('block', 1, String(plot.bloco))]
  const rep = plot.bloco === null ? [] : [relation('rep', split ? 3 : 2, String(plot.bloco))]
  const whole = plot.parcela_principal ?? (level === null ? null : `${plot.bloco ?? 1}-${level}`)
  return [
    relation('study', 0, study.id),
    ...block,
    ...(split && whole !== null ? [relation('sub-block', 2, String(whole))] : []),
    ...rep,
    { ...relation('plot', split ? 4 : 3, String(plot.numero)), observationUnitDbId: plot.id },
  ]
}

/** Column and row as planted; without a layout the order in the block and the block. */
function placesOf(plots: readonly KeptPlot[]): Map<string, { x: string; y: string }> {
  const drawn = plots.every(({ linha, coluna }) => linha !== null && coluna !== null)
  const inBlock = new Map<number, number>()
  return new Map(
    plots.map((plot) => {
      if (drawn) return [plot.id, { x: String(plot.coluna), y: String(plot.linha) }]
      const block = plot.bloco ?? 1
      const n = (inBlock.get(block) ?? 0) + 1
      inBlock.set(block, n)
      return [plot.id, { x: String(n), y: String(block) }]
    }),
  )
}

export function treatmentsOf(sheet: Planted, made: readonly Made[], number: number) {
  if (sheet.letras) return [{ factor: 'tratamento', modality: `Código ${sheet.letras.get(number) ?? ''}` }]
  const own = sheet.tratamentos.find(({ numero }) => numero === number)
  const treatment = made[number - 1]
  const name = treatment?.nome ?? own?.nome ?? ''
  if (number === sheet.testemunha) return [{ factor: 'tratamento', modality: `T${number} - Testemunha` }]
  return [
    { factor: 'tratamento', modality: `T${number} - ${name}` },
    ...(treatment?.produtos ?? []).map(({ nome, dose, unidade }) => ({
      factor: 'produto',
      modality: [nome, dose === null ? null : formatNumber(dose, 4), unidade, treatment?.modalidade]
        .filter(Boolean)
        .join(' '),
    })),
    ...(treatment ? [{ factor: 'modalidade', modality: treatment.modalidade }] : []),
    ...sheet.fatores.flatMap(({ chave, nome }) => {
      const level = own?.niveis?.[chave]
      return level === undefined ? [] : [{ factor: nome, modality: level }]
    }),
  ]
}

/** The plots of one study, each by its id; what they have in common is worked out once. */
export function unitPresenter(study: Study, sheet: Planted, made: readonly Made[], told: Told) {
  const places = placesOf(sheet.parcelas)
  return (plot: KeptPlot) => {
    const relations = relationsOf(study, sheet, plot)
    const own = relations.at(-1)
    return {
      ...BLANK.unit,
      ...{ germplasmDbId: study.germplasmDbId, germplasmName: study.cultivar },
      ...{ locationDbId: study.locationDbId, locationName: study.locationName },
      ...{ observationUnitDbId: plot.id, observationUnitName: String(plot.numero) },
      // As the label's code holds it: who scans one finds the plot.
      observationUnitPUI: `${told.siteUrl}/q/${plot.codigo}`.toUpperCase(),
      observationUnitPosition: {
        entryType: !sheet.letras && plot.tratamento === sheet.testemunha ? 'CHECK' : 'TEST',
        geoCoordinates: null,
        observationLevel: {
          levelName: 'plot',
          levelOrder: own?.levelOrder ?? 3,
          levelCode: String(plot.numero),
        },
        observationLevelRelationships: relations,
        positionCoordinateX: places.get(plot.id)?.x ?? null,
        positionCoordinateXType: 'GRID_COL',
        positionCoordinateY: places.get(plot.id)?.y ?? null,
        positionCoordinateYType: 'GRID_ROW',
      },
      ...{ programDbId: study.programDbId, programName: study.consultoria },
      ...{ studyDbId: study.id, studyName: study.studyName },
      ...{ trialDbId: study.trialDbId, trialName: study.trialName },
      treatments: treatmentsOf(sheet, made, plot.tratamento),
    }
  }
}

/** A value of a cell with who entered it and when; names are null where the trial is another organisation's. */
export interface CellRow {
  valor: PlotValue
  texto: string | null
  quando: Date | null
  coletor: string | null
  conta: string | null
  externo: readonly Record<string, unknown>[]
  /** Its time lay ahead of ours by more than what clocks differ. */
  hora_suspeita?: boolean
  /** Beyond what the variable may be, as it is set by now. */
  fora?: boolean
  /** Where it was entered: what the application sent, or the phone's position. */
  lugar?: GivenPlace | null
}

/** A GeoJSON feature, as BrAPI takes and gives one. */
export type GivenPlace = { type: 'Feature'; geometry: Record<string, unknown> }

/** A phone's position as such a feature. */
export const placeOfPhone = (posicao: { lat: number; lng: number } | null | undefined): GivenPlace | null =>
  posicao ? { type: 'Feature', geometry: { type: 'Point', coordinates: [posicao.lng, posicao.lat] } } : null

export const valueText = ({ valor, texto }: Pick<CellRow, 'valor' | 'texto'>): string | null => {
  const number = plotNumber(valor)
  return texto ?? (number === null ? null : String(number))
}

export const presentObservation = (
  row: CellRow,
  { study, plot, column }: { study: Study; plot: { id: string; numero: number }; column: Column },
) => ({
  ...BLANK.observation,
  additionalInfo: {
    ...(row.hora_suspeita && { hora_suspeita: 'sim' }),
    ...(row.fora && { fora_dos_limites: 'sim' }),
  },
  geoCoordinates: row.lugar ?? null,
  collector: row.coletor,
  externalReferences: [...row.externo],
  ...{ germplasmDbId: study.germplasmDbId, germplasmName: study.cultivar },
  observationDbId: observationId(plot.id, column.variable.id, column.date?.id ?? null),
  observationTimeStamp: row.quando?.toISOString() ?? null,
  ...{ observationUnitDbId: plot.id, observationUnitName: String(plot.numero) },
  ...{ observationVariableDbId: column.id, observationVariableName: column.name },
  season: {
    ...{ season: String(study.ano), seasonDbId: String(study.ano) },
    ...{ seasonName: String(study.ano), year: study.ano },
  },
  studyDbId: study.id,
  uploadedBy: row.conta,
  value: valueText(row),
})
