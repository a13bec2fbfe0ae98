import type { TrialRegistry } from '../trial-registry.ts'
import type { eventsOf } from './events.ts'
import type { presentGermplasm, presentLocation, presentStudy } from './studies.ts'
import type { unitPresenter } from './units.ts'
import type { presentVariable } from './variables.ts'

/** A trial as BrAPI tells of it, and what is told nowhere there. */
export interface MiappeMaterial {
  study: ReturnType<typeof presentStudy>
  location: ReturnType<typeof presentLocation>
  germplasm: ReturnType<typeof presentGermplasm> | null
  units: readonly Omit<ReturnType<ReturnType<typeof unitPresenter>>, 'observations'>[]
  variables: readonly ReturnType<typeof presentVariable>[]
  events: ReturnType<typeof eventsOf>
  registry: Pick<TrialRegistry, 'altitude' | 'semeadura' | 'colheita' | 'instituicao' | 'responsavel'> | null
}

export interface MiappeSheet {
  name: string
  header: readonly string[]
  rows: string[][]
}

export const MIAPPE_VERSION = '1.1'
/** The file of values that goes with the others. */
export const DATA_FILE = 'data.tsv'

/** Numbers of the NCBI's taxonomy. */
const TAXA: Readonly<Record<string, number>> = {
  ...{ 'Glycine max': 3847, 'Zea mays': 4577, 'Gossypium hirsutum': 3635, 'Phaseolus vulgaris': 3885 },
  ...{ 'Triticum aestivum': 4565, 'Oryza sativa': 4530, 'Coffea arabica': 13443, 'Vitis vinifera': 29760 },
  ...{ 'Mangifera indica': 29780, 'Solanum tuberosum': 4113 },
}
/** What the Crop Ontology calls events by, where the number is certain. */
export const EVENT_TERMS: Readonly<Record<string, string>> = {
  planting: 'CO_715:0000007',
  fertilizer: 'CO_715:0000011',
}

/** What the checklist asks for in any case, by its field and as the reader of this product knows it. */
const MANDATORY: readonly (readonly [sheet: string, field: string, name: string])[] = [
  ['Study', 'Start date of study', 'data de semeadura'],
  ['Study', 'Contact institution', 'instituição'],
  ['Study', 'Description of the experimental design', 'delineamento'],
  ['Study', 'Observation unit description', 'parcelas'],
  ['Person', 'Person name', 'responsável'],
  ['Biological Material', 'Biological material ID', 'cultivar'],
  ['Biological Material', 'Organism', 'espécie'],
  ['Observation Unit', 'Observation unit ID', 'parcelas'],
  ['Observed Variable', 'Variable ID', 'variáveis'],
]

const day = (time: string | null | undefined): string => time?.slice(0, 10) ?? ''
const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value))

/** Factor by factor, the levels that a plot has of it. */
export function factorsOf(unit: MiappeMaterial['units'][number]): Map<string, string> {
  const held = new Map<string, string>()
  for (const { factor, modality } of unit.treatments)
    held.set(factor, [held.get(factor), modality].filter(Boolean).join(' + '))
  return held
}

/** The MIAPPE 1.1 checklist, a sheet for each of its sections. What is not known is empty. */
export function miappeSheets(material: MiappeMaterial): MiappeSheet[] {
  const { study, location, germplasm, units, variables, events, registry } = material
  const id = study.studyDbId
  const [longitude, latitude] = location.coordinates?.geometry.coordinates ?? []
  const institution = registry?.instituicao ?? study.additionalInfo.consultoria
  const factors = new Map<string, Set<string>>()
  for (const unit of units)
    for (const [factor, level] of factorsOf(unit))
      factors.set(factor, (factors.get(factor) ?? new Set()).add(level))
  const people = [
    ...study.contacts.map(({ name, contactDbId }) => [name, '', contactDbId, 'Registro do ensaio']),
    ...(registry?.responsavel ? [[registry.responsavel, '', '', 'Responsável técnico']] : []),
  ]
  const sown = registry?.semeadura ?? null
  const harvested = registry?.colheita ?? null
  const happened = [
    ...(sown === null ? [] : [['', 'planting', EVENT_TERMS.planting ?? '', 'Semeadura', sown]]),
    ...events.map((event) => [
      event.observationUnitDbIds.join(';'),
      event.eventType,
      EVENT_TERMS[event.eventType] ?? '',
      [
        event.eventDescription,
        ...event.eventParameters.map(
          ({ name, value, units: unit }) => `${name}: ${value}${unit === 'text' ? '' : ` ${unit}`}`,
        ),
      ].join('; '),
      day(event.date[0]),
    ]),
    ...(harvested === null ? [] : [['', 'harvest', '', 'Colheita', harvested]]),
  ]
  const [genus, species] = [germplasm?.genus ?? null, germplasm?.species ?? null]
  const taxon = TAXA[`${genus} ${species}`]
  return [
    {
      name: 'Investigation',
      header: [
        ...['Investigation unique ID', 'Investigation title', 'Investigation description', 'Submission date'],
        ...['Public release date', 'License', 'MIAPPE version', 'Associated publication'],
      ],
      rows: [[study.trialDbId, study.trialName, '', '', '', '', MIAPPE_VERSION, '']],
    },
    {
      name: 'Study',
      header: [
        ...[
          'Study unique ID',
          'Study title',
          'Study description',
          'Start date of study',
          'End date of study',
        ],
        ...['Contact institution', 'Geographic location (country)', 'Experimental site name'],
        ...['Geographic location (latitude)', 'Geographic location (longitude)'],
        ...['Geographic location (altitude)', 'Description of the experimental design'],
        ...[
          'Type of experimental design',
          'Observation unit level hierarchy',
          'Observation unit description',
        ],
        ...['Description of growth facility', 'Type of growth facility', 'Cultural practices'],
        'Map of experimental design',
      ],
      rows: [
        [
          ...[id, study.studyName, '', day(study.startDate), day(study.endDate), text(institution), 'BR'],
          ...[location.locationName, text(latitude), text(longitude)],
          registry?.altitude == null ? '' : `${registry.altitude} m`,
          ...[text(study.experimentalDesign?.description), text(study.experimentalDesign?.PUI)],
          units.length > 0 ? hierarchyOf(units) : '',
          text(study.observationUnitsDescription),
          ...[study.growthFacility.description, study.growthFacility.PUI, text(study.culturalPractices), ''],
        ],
      ],
    },
    {
      name: 'Person',
      header: [
        'Study unique ID',
        'Person name',
        'Person email',
        'Person ID',
        'Person role',
        'Person affiliation',
      ],
      rows: people.map((person) => [id, ...person, text(institution)]),
    },
    {
      name: 'Data file',
      header: ['Study unique ID', 'Data file link', 'Data file description', 'Data file version'],
      rows: [
        [
          ...[id, DATA_FILE],
          'Valores por parcela e momento, separados por tabulação: ids das variáveis, seus nomes, e uma linha por parcela',
          text(study.lastUpdate.version),
        ],
      ],
    },
    {
      name: 'Biological Material',
      header: [
        ...[
          'Study unique ID',
          'Biological material ID',
          'Organism',
          'Genus',
          'Species',
          'Infraspecific name',
        ],
        ...['Material source ID (Holding institute/stock centre, accession)', 'Material source description'],
      ],
      rows: germplasm
        ? [
            [
              ...[id, text(germplasm.germplasmDbId), taxon === undefined ? '' : `NCBITaxon:${taxon}`],
              ...[text(genus), text(species), `cv. ${germplasm.germplasmName}`, '', ''],
            ],
          ]
        : [],
    },
    {
      name: 'Sample',
      header: [
        ...[
          'Observation unit ID',
          'Sample ID',
          'Plant structure development stage',
          'Plant anatomical entity',
        ],
        ...['Sample description', 'Collection date', 'External ID'],
      ],
      rows: [],
    },
    {
      name: 'Observation Unit',
      header: [
        ...['Study unique ID', 'Biological material ID', 'Observation unit ID', 'Observation unit type'],
        ...['External ID', 'Spatial distribution', 'Observation unit factor value'],
      ],
      rows: units.map((unit) => [
        ...[id, text(germplasm?.germplasmDbId), unit.observationUnitDbId],
        ...['plot', unit.observationUnitPUI, placesText(unit)],
        [...factorsOf(unit)].map(([factor, level]) => `${factor}: ${level}`).join('; '),
      ]),
    },
    {
      name: 'Factor',
      header: [
        ...['Study unique ID', 'Experimental Factor type', 'Experimental Factor description'],
        'Experimental Factor values',
      ],
      rows: [...factors].map(([factor, levels]) => [id, factor, '', [...levels].join(';')]),
    },
    {
      name: 'Environment',
      header: ['Study unique ID', 'Environment parameter', 'Environment parameter value'],
      rows: study.environmentParameters.map(({ parameterName, value, unit }) => [
        ...[id, parameterName, `${value} ${unit}`],
      ]),
    },
    {
      name: 'Event',
      header: [
        ...['Study unique ID', 'Observation unit ID', 'Event type', 'Event accession number'],
        ...['Event description', 'Event date'],
      ],
      rows: happened.map((event) => [id, ...event]),
    },
    {
      name: 'Observed Variable',
      header: [
        ...['Study unique ID', 'Variable ID', 'Variable name', 'Variable accession number', 'Trait'],
        ...['Trait accession number', 'Method', 'Method accession number', 'Method description'],
        ...['Reference associated to the method', 'Scale', 'Scale accession number', 'Time scale'],
      ],
      rows: variables.map(({ observationVariableDbId, observationVariableName, trait, method, scale }) => [
        ...[id, observationVariableDbId, observationVariableName, '', trait.traitName, ''],
        ...[method.methodName, '', text(trait.traitDescription), '', scale.scaleName, '', ''],
      ]),
    },
  ]
}

const hierarchyOf = (units: MiappeMaterial['units']): string =>
  (units[0]?.observationUnitPosition.observationLevelRelationships ?? [])
    .toSorted((a, b) => a.levelOrder - b.levelOrder)
    .map(({ levelName }) => levelName)
    .join('>')

function placesText({ observationUnitPosition: at }: MiappeMaterial['units'][number]): string {
  const levels = at.observationLevelRelationships.filter(({ levelName }) => levelName !== 'study')
  return [
    ...levels.map(({ levelName, levelCode }) => `${levelName}:${levelCode}`),
    ...(at.positionCoordinateX === null ? [] : [`column:${at.positionCoordinateX}`]),
    ...(at.positionCoordinateY === null ? [] : [`row:${at.positionCoordinateY}`]),
  ].join('; ')
}

/** Which of what the checklist asks for in any case is empty, each once. */
export function miappeLacks(sheets: readonly MiappeSheet[]): string[] {
  const found = MANDATORY.flatMap(([sheet, field, name]) => {
    const held = sheets.find((one) => one.name === sheet)
    const at = held?.header.indexOf(field) ?? -1
    return held && held.rows.length > 0 && held.rows.every((row) => row[at] !== '') ? [] : [name]
  })
  return [...new Set(found)]
}
