/** The calls of BrAPI v2.1 that this server offers: what `serverinfo` lists, and what is registered. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT'
  /** Below /brapi/v2. */
  path: string
  /** Query parameters that the specification knows for it. */
  params?: readonly string[]
  tables?: boolean
}

const PAGE = ['page', 'pageSize', 'pageToken']
const REFERENCES = ['externalReferenceID', 'externalReferenceId', 'externalReferenceSource']
const COMMON = ['commonCropName', 'programDbId', ...REFERENCES, ...PAGE]
const LEVEL = ['Name', 'Order', 'Code'].flatMap((of) => [
  `observationUnitLevel${of}`,
  `observationUnitLevelRelationship${of}`,
])
const RELATION = [...LEVEL, 'observationUnitLevelRelationshipDbId', 'observationLevel']
const HANGS_ON = ['trialDbId', 'studyDbId', 'germplasmDbId', 'locationDbId', 'seasonDbId']
const TIMES = ['observationTimeStampRangeStart', 'observationTimeStampRangeEnd']
/** What tables are asked for beside what their lists are: columns, and a search that narrows them. */
const OF_TABLES = ['observationVariableDbId', 'searchResultsDbId']
const SORTED = ['sortBy', 'sortOrder']
const PLACE = ['locationType', 'locationDbId', 'locationName', 'parentLocationDbId', 'parentLocationName']
const NAMED = ['method', 'scale', 'trait'].flatMap((of) => [`${of}DbId`, `${of}Name`, `${of}PUI`])

export const ENTITIES = {
  programs: ['abbreviation', 'programType', 'programName', ...COMMON],
  trials: [
    ...['active', 'contactDbId', 'locationDbId', 'searchDateRangeStart', 'searchDateRangeEnd', 'trialPUI'],
    ...['trialDbId', 'trialName', 'studyDbId', ...SORTED, ...COMMON],
  ],
  studies: [
    ...['studyType', 'locationDbId', 'seasonDbId', 'studyCode', 'studyPUI', 'observationVariableDbId'],
    ...['active', 'trialDbId', 'studyDbId', 'studyName', 'germplasmDbId', ...SORTED, ...COMMON],
  ],
  locations: [...PLACE, ...COMMON],
  lists: [
    ...['listType', 'listName', 'listDbId', 'listSource', 'dateCreatedRangeStart', 'dateCreatedRangeEnd'],
    ...COMMON,
  ],
  people: ['firstName', 'lastName', 'personDbId', 'userID', ...COMMON],
  observationunits: [
    ...['observationUnitDbId', 'observationUnitName', 'includeObservations'],
    ...[...HANGS_ON, ...RELATION, ...COMMON],
  ],
  observations: [
    ...['observationDbId', 'observationUnitDbId', 'observationVariableDbId'],
    ...[...HANGS_ON, ...RELATION, ...TIMES, ...COMMON],
  ],
  variables: [
    ...['observationVariableDbId', 'observationVariableName', 'observationVariablePUI', 'traitClass'],
    ...[...NAMED, 'ontologyDbId', 'trialDbId', 'studyDbId', ...COMMON],
  ],
  germplasm: [
    ...['accessionNumber', 'collection', 'binomialName', 'genus', 'species', 'synonym', 'parentDbId'],
    ...['progenyDbId', 'trialDbId', 'studyDbId', 'germplasmDbId', 'germplasmName', 'germplasmPUI', ...COMMON],
  ],
  images: [
    ...['imageDbId', 'imageName', 'observationUnitDbId', 'observationDbId', 'descriptiveOntologyTerm'],
    ...COMMON,
  ],
} as const satisfies Record<string, readonly string[]>
export type Entity = keyof typeof ENTITIES

const words = (text: string): string[] => text.trim().split(/\s+/)
const EACH = words(`commonCropNames programDbIds programNames externalReferenceIDs externalReferenceIds
  externalReferenceSources page pageSize pageToken`)
const UNITS = words(`germplasmDbIds germplasmNames locationDbIds locationNames observationLevels
  observationLevelRelationships observationUnitDbIds observationVariableDbIds observationVariableNames
  observationVariablePUIs seasonDbIds studyDbIds studyNames trialDbIds trialNames`)

/** What the body of a search may name, by the search requests of the specification. */
export const SEARCHED: Readonly<Record<Entity, readonly string[]>> = {
  programs: [...EACH, ...words('abbreviations leadPersonDbIds leadPersonNames objectives programTypes')],
  trials: [
    ...EACH,
    ...words(`active contactDbIds locationDbIds locationNames searchDateRangeEnd searchDateRangeStart studyDbIds
      studyNames trialDbIds trialNames trialPUIs sortBy sortOrder`),
  ],
  studies: [
    ...EACH,
    ...words(`active germplasmDbIds germplasmNames locationDbIds locationNames observationVariableDbIds
      observationVariableNames observationVariablePUIs seasonDbIds sortBy sortOrder studyCodes studyDbIds studyNames
      studyPUIs studyTypes trialDbIds trialNames`),
  ],
  locations: [
    ...EACH,
    ...words(`abbreviations altitudeMax altitudeMin coordinates countryCodes countryNames instituteAddresses
      instituteNames locationDbIds locationNames locationTypes parentLocationDbIds parentLocationNames`),
  ],
  lists: [
    ...EACH,
    ...words(`dateCreatedRangeEnd dateCreatedRangeStart dateModifiedRangeEnd dateModifiedRangeStart listDbIds
      listNames listOwnerNames listOwnerPersonDbIds listSources listType`),
  ],
  people: [
    ...EACH,
    ...words(
      'emailAddresses firstNames lastNames mailingAddresses middleNames personDbIds phoneNumbers userIDs',
    ),
  ],
  observationunits: [...EACH, ...UNITS, 'observationUnitNames', 'includeObservations'],
  observations: [
    ...EACH,
    ...UNITS,
    ...words('observationDbIds observationTimeStampRangeEnd observationTimeStampRangeStart'),
  ],
  variables: [
    ...EACH,
    ...words(`dataTypes methodDbIds methodNames methodPUIs observationVariableDbIds observationVariableNames
      observationVariablePUIs ontologyDbIds scaleDbIds scaleNames scalePUIs studyDbId studyDbIds studyNames
      traitAttributePUIs traitAttributes traitClasses traitDbIds traitEntities traitEntityPUIs traitNames traitPUIs
      trialDbIds trialNames`),
  ],
  germplasm: [
    ...EACH,
    ...words(`accessionNumbers binomialNames collections familyCodes genus germplasmDbIds germplasmNames
      germplasmPUIs instituteCodes parentDbIds progenyDbIds species studyDbIds studyNames synonyms trialDbIds
      trialNames`),
  ],
  images: [
    ...EACH,
    ...words(`descriptiveOntologyTerms imageDbIds imageFileNames imageFileSizeMax imageFileSizeMin imageHeightMax
      imageHeightMin imageLocation imageNames imageTimeStampRangeEnd imageTimeStampRangeStart imageWidthMax
      imageWidthMin mimeTypes observationDbIds observationUnitDbIds`),
  ],
}

const IDS: Record<Entity, string> = {
  ...{ programs: 'programDbId', trials: 'trialDbId', studies: 'studyDbId', locations: 'locationDbId' },
  ...{
    people: 'personDbId',
    lists: 'listDbId',
    observationunits: 'observationUnitDbId',
    observations: 'observationDbId',
  },
  ...{ variables: 'observationVariableDbId', germplasm: 'germplasmDbId', images: 'imageDbId' },
}

/** Parts of variables that have lists of their own. */
export const PARTS = { traits: 'traitDbId', methods: 'methodDbId', scales: 'scaleDbId' } as const
export type Part = keyof typeof PARTS

const get = (path: string, params: readonly string[] = []): Call => ({ method: 'GET', path, params })

export const CALLS: readonly Call[] = [
  get('serverinfo', ['contentType', 'dataType']),
  get('commoncropnames', PAGE),
  ...(Object.keys(ENTITIES) as Entity[]).flatMap((entity): Call[] => [
    get(entity, ENTITIES[entity]),
    ...(entity === 'observationunits' || entity === 'observations'
      ? [{ ...get(`${entity}/table`, [...new Set([...ENTITIES[entity], ...OF_TABLES])]), tables: true }]
      : []),
    get(`${entity}/{${IDS[entity]}}`),
    { method: 'POST', path: `search/${entity}` },
    get(`search/${entity}/{searchResultsDbId}`, PAGE),
  ]),
  { method: 'POST', path: 'observationunits' },
  { method: 'POST', path: 'observations' },
  { method: 'PUT', path: 'observations' },
  { method: 'PUT', path: 'observations/{observationDbId}' },
  { method: 'POST', path: 'images' },
  { method: 'PUT', path: 'images/{imageDbId}' },
  { method: 'PUT', path: 'images/{imageDbId}/imagecontent' },
  get('events', [
    ...['eventDbId', 'eventType', 'observationUnitDbId', 'studyDbId', 'dateRangeStart', 'dateRangeEnd'],
    ...PAGE,
  ]),
  get('studytypes', PAGE),
  get('seasons', ['seasonDbId', 'season', 'seasonName', 'year', ...PAGE]),
  get('seasons/{seasonDbId}'),
  get('observationlevels', ['programDbId', 'trialDbId', 'studyDbId', ...PAGE]),
  ...(Object.keys(PARTS) as Part[]).flatMap((part) => [
    get(part, [PARTS[part], 'observationVariableDbId', 'ontologyDbId', ...COMMON]),
    get(`${part}/{${PARTS[part]}}`),
  ]),
]
export const NOT_OFFERED = 'Esta chamada não é oferecida por este servidor'
