import { experimentName } from '../experiment.ts'
import { isCultivar } from '../no-cultivar.ts'
import { DESIGN_NAMES, type TrialDesign } from '../trial-sheet.ts'
import { BLANK } from './blank.ts'
import { dayTime } from './events.ts'
import { levelsOf } from './levels.ts'

/** A trial as other applications are told of it: no cost, no return, no report is ever in it. */
export interface StudyRow {
  id: string
  consultoria: string
  marca: string
  bu: string
  cultura: string
  cultivar: string | null
  ano: number
  cidade: string
  estado: string
  latitude: number | null
  longitude: number | null
  /** Its coordinates are the town's. */
  da_cidade: boolean
  teor_argila: number | null
  teor_materia_organica: number | null
  /** Null where it is another organisation's. */
  created_by: string | null
  versao: number
  created_at: Date
  updated_at: Date
  /** Several consultancies have a trial of its title. */
  titulo_de_varias: boolean
  /** How many are named alike, itself among them; of those in the same town; and which of these it is. */
  iguais: number
  iguais_na_cidade: number
  n_na_cidade: number
}
export interface SheetHead {
  delineamento: TrialDesign
  parcelas: number
  blocos: number
  tratamentos: number
  /** Ids of its columns. */
  colunas: readonly string[]
  /** Days of sowing and harvest. */
  semeadura: string | null
  colheita: string | null
  /** What a plot is, in the person's words: '6 linhas de 5 m'. */
  parcela: string | null
}
export interface Told {
  siteUrl: string
  organization: string
  /** Of what has no id of its own: the same for the same words, another in each organisation. */
  idOf(kind: string, ...words: (string | number | null)[]): string
}

/** A study with the names and ids of all that it hangs on. */
export interface Study extends StudyRow {
  studyName: string
  programDbId: string
  trialDbId: string
  trialName: string
  locationDbId: string
  locationName: string
  germplasmDbId: string | null
}

/** Names where they meet are told apart: by the town, then by a number. */
function studyName(row: StudyRow): string {
  const name = experimentName(row)
  if (row.iguais === 1) return name
  const withTown = `${name} (${row.cidade})`
  return row.iguais_na_cidade > 1 ? `${withTown} #${row.n_na_cidade}` : withTown
}

export function studyOf(given: StudyRow, told: Told): Study {
  const { idOf } = told
  // What stands where nobody knew the cultivar is none.
  const row = { ...given, cultivar: isCultivar(given.cultivar ?? '') ? given.cultivar : null }
  const title = `${row.cultura} · ${row.marca} · ${row.ano}`
  return {
    ...row,
    studyName: studyName(row),
    programDbId: idOf('programa', row.consultoria),
    trialDbId: trialId(row, told),
    trialName: row.titulo_de_varias ? `${title} · ${row.consultoria}` : title,
    locationDbId: idOf('local', row.cidade, row.estado, row.latitude, row.longitude),
    locationName: `${row.cidade} - ${row.estado}`,
    germplasmDbId: row.cultivar ? idOf('cultivar', row.cultura, row.cultivar) : null,
  }
}

export const trialId = (
  { consultoria, marca, cultura, ano }: Pick<StudyRow, 'consultoria' | 'marca' | 'cultura' | 'ano'>,
  { idOf }: Told,
): string => idOf('projeto', consultoria, marca, cultura, ano)

/** One for each value of a key, in the order in which they are met, with the studies that have it. */
export function grouped(studies: readonly Study[], keyOf: (study: Study) => string | null): Study[][] {
  const groups = new Map<string, Study[]>()
  for (const study of studies) {
    const key = keyOf(study)
    if (key === null) continue
    const held = groups.get(key)
    if (held) held.push(study)
    else groups.set(key, [study])
  }
  return [...groups.values()]
}

export const presentProgram = (of: Study, { siteUrl, organization }: Told) => ({
  ...BLANK.program,
  programDbId: of.programDbId,
  programName: of.consultoria,
  documentationURL: siteUrl,
  additionalInfo: { organizacao: organization },
})

/** @param days of the first sowing and the last harvest of its studies, where one is known */
export const presentTrial = (
  of: Study,
  { siteUrl }: Told,
  days: { first: string | null; last: string | null } = { first: null, last: null },
) => ({
  ...BLANK.trial,
  active: true,
  ...{ startDate: dayTime(days.first), endDate: dayTime(days.last) },
  additionalInfo: { marca: of.marca, bu: of.bu },
  commonCropName: of.cultura,
  documentationURL: siteUrl,
  ...{ programDbId: of.programDbId, programName: of.consultoria },
  ...{ trialDbId: of.trialDbId, trialName: of.trialName },
})

/** The numbers that the Crop Ontology's list of designs gives; where none is certain, none is told. */
const DESIGN_TERMS: Record<TrialDesign, string | null> = {
  DIC: 'CO_715:0000146',
  DBC: 'CO_715:0000147',
  DBI: null,
  DQL: null,
  PSUB: null,
  FAIXAS: null,
}
export function presentStudy(
  of: Study,
  { sheet, contact, told }: { sheet: SheetHead | null; contact: string | null; told: Told },
) {
  const soil = [
    ['Teor de argila', of.teor_argila],
    ['Teor de matéria orgânica', of.teor_materia_organica],
  ] as const
  return {
    ...BLANK.study,
    active: true,
    additionalInfo: { marca: of.marca, bu: of.bu, consultoria: of.consultoria },
    commonCropName: of.cultura,
    documentationURL: `${told.siteUrl}/experimentos/${of.id}`,
    contacts:
      of.created_by !== null && contact !== null
        ? [
            {
              contactDbId: of.created_by,
              email: null,
              instituteName: told.organization,
              name: contact,
              orcid: null,
              type: null,
            },
          ]
        : [],
    environmentParameters: soil.flatMap(([parameterName, value]) =>
      value === null
        ? []
        : [
            {
              ...{ parameterName, description: parameterName, parameterPUI: null, unit: '%', unitPUI: null },
              ...{ value: String(value), valuePUI: null },
            },
          ],
    ),
    experimentalDesign: sheet && {
      PUI: DESIGN_TERMS[sheet.delineamento],
      description: DESIGN_NAMES[sheet.delineamento],
    },
    growthFacility: { PUI: 'CO_715:0000162', description: 'Campo' },
    lastUpdate: { timestamp: of.updated_at.toISOString(), version: String(of.versao) },
    ...{ locationDbId: of.locationDbId, locationName: of.locationName },
    observationLevels: levelsOf(sheet?.delineamento),
    observationUnitsDescription: sheet && unitsText(sheet),
    observationVariableDbIds: sheet ? [...sheet.colunas] : [],
    ...{ startDate: dayTime(sheet?.semeadura ?? null), endDate: dayTime(sheet?.colheita ?? null) },
    seasons: [String(of.ano)],
    studyCode: of.id.slice(0, 8),
    studyDbId: of.id,
    studyName: of.studyName,
    studyPUI: `${told.siteUrl}/experimentos/${of.id}`,
    studyType: 'Ensaio de campo',
    ...{ trialDbId: of.trialDbId, trialName: of.trialName },
  }
}
const unitsText = ({ blocos, tratamentos, parcelas, parcela }: SheetHead) =>
  [
    blocos > 0
      ? `${blocos} blocos × ${tratamentos} tratamentos`
      : `${parcelas} parcelas, ${tratamentos} tratamentos`,
    ...(parcela ? [`parcela de ${parcela}`] : []),
  ].join(', ')

export const presentLocation = (of: Study) => ({
  ...BLANK.location,
  additionalInfo: of.latitude === null ? { aproximada: 'sim' } : {},
  coordinates:
    of.latitude === null || of.longitude === null
      ? null
      : {
          type: 'Feature',
          geometry: { type: 'Point', coordinates: [of.longitude, of.latitude] },
        },
  coordinateUncertainty: of.latitude !== null && of.da_cidade ? '5000' : null,
  ...{ countryCode: 'BRA', countryName: 'Brasil' },
  ...{ locationDbId: of.locationDbId, locationName: of.locationName, locationType: 'Field' },
})

export const presentSeason = ({ ano }: Study) => ({
  ...{ seasonDbId: String(ano), seasonName: String(ano), year: ano },
})

export function presentPerson({ id, nome }: { id: string; nome: string | null }) {
  const [, first = '', last = ''] = /^(\S*)\s*(.*)$/.exec(nome ?? '') ?? []
  return { ...BLANK.person, personDbId: id, userID: id, firstName: first, lastName: last }
}

const SPECIES: Readonly<Record<string, [genus: string, species: string | null]>> = {
  soja: ['Glycine', 'max'],
  milho: ['Zea', 'mays'],
  algodao: ['Gossypium', 'hirsutum'],
  feijao: ['Phaseolus', 'vulgaris'],
  trigo: ['Triticum', 'aestivum'],
  arroz: ['Oryza', 'sativa'],
  'cana-de-acucar': ['Saccharum', null],
  cafe: ['Coffea', 'arabica'],
  uva: ['Vitis', 'vinifera'],
  manga: ['Mangifera', 'indica'],
  batata: ['Solanum', 'tuberosum'],
}
const plain = (word: string) => word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

export const presentGermplasm = (of: Study, { siteUrl }: Told) => {
  const [genus = null, species = null] = SPECIES[plain(of.cultura)] ?? []
  return {
    ...BLANK.germplasm,
    ...{ commonCropName: of.cultura, defaultDisplayName: of.cultivar, germplasmName: of.cultivar },
    ...{ germplasmDbId: of.germplasmDbId, germplasmPUI: `${siteUrl}/brapi/v2/germplasm/${of.germplasmDbId}` },
    ...{ genus, species },
  }
}
