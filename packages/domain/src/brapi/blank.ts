/** Every property that v2.1 names for an entity, empty: validators refuse an answer that leaves one out. */
const nulls = <const K extends readonly string[]>(...keys: K) =>
  Object.fromEntries(keys.map((key) => [key, null])) as Record<K[number], null>
const lists = <const K extends readonly string[]>(...keys: K) =>
  Object.fromEntries(keys.map((key) => [key, []])) as unknown as Record<K[number], never[]>

export const BLANK = {
  program: {
    ...nulls('abbreviation', 'commonCropName', 'documentationURL', 'fundingInformation', 'leadPersonDbId'),
    ...nulls('leadPersonName', 'objective', 'programType'),
    ...lists('externalReferences'),
  },
  trial: {
    ...nulls('commonCropName', 'documentationURL', 'endDate', 'programDbId', 'programName', 'startDate'),
    ...nulls('trialDescription', 'trialPUI'),
    ...lists('contacts', 'datasetAuthorships', 'publications', 'externalReferences'),
  },
  study: {
    ...nulls(
      'culturalPractices',
      'documentationURL',
      'endDate',
      'experimentalDesign',
      'license',
      'startDate',
    ),
    ...nulls('studyDescription', 'observationUnitsDescription'),
    ...lists(
      'contacts',
      'dataLinks',
      'environmentParameters',
      'externalReferences',
      'observationVariableDbIds',
    ),
  },
  location: {
    ...nulls(
      'abbreviation',
      'coordinateDescription',
      'coordinateUncertainty',
      'coordinates',
      'documentationURL',
    ),
    ...nulls('environmentType', 'exposure', 'instituteAddress', 'instituteName', 'parentLocationDbId'),
    ...nulls('parentLocationName', 'siteStatus', 'slope', 'topography'),
    ...lists('externalReferences'),
  },
  person: {
    ...nulls('description', 'emailAddress', 'mailingAddress', 'middleName', 'phoneNumber'),
    ...lists('externalReferences'),
    additionalInfo: {},
  },
  germplasm: {
    ...nulls('accessionNumber', 'acquisitionDate', 'biologicalStatusOfAccessionCode'),
    ...nulls(
      'biologicalStatusOfAccessionDescription',
      'breedingMethodDbId',
      'breedingMethodName',
      'collection',
    ),
    ...nulls('countryOfOriginCode', 'documentationURL', 'genus', 'germplasmPreprocessing', 'instituteCode'),
    ...nulls(
      'instituteName',
      'pedigree',
      'seedSource',
      'seedSourceDescription',
      'species',
      'speciesAuthority',
    ),
    ...nulls('subtaxa', 'subtaxaAuthority'),
    ...lists('donors', 'externalReferences', 'germplasmOrigin', 'storageTypes', 'synonyms', 'taxonIds'),
    additionalInfo: {},
  },
  unit: {
    ...nulls('crossDbId', 'crossName', 'germplasmDbId', 'germplasmName', 'seedLotDbId', 'seedLotName'),
    ...nulls('observations'),
    ...lists('externalReferences'),
    additionalInfo: {},
  },
  variable: {
    ...nulls('commonCropName', 'defaultValue', 'documentationURL', 'growthStage', 'institution'),
    ...nulls('observationVariablePUI', 'ontologyReference', 'scientist', 'submissionTimestamp'),
    ...lists('contextOfUse', 'externalReferences', 'synonyms'),
    language: 'pt',
    status: 'active',
  },
  trait: {
    ...nulls('attributePUI', 'entity', 'entityPUI', 'mainAbbreviation', 'ontologyReference', 'traitClass'),
    ...nulls('traitDescription', 'traitPUI'),
    ...lists('alternativeAbbreviations', 'externalReferences', 'synonyms'),
    additionalInfo: {},
    status: 'active',
  },
  method: {
    ...nulls('bibliographicalReference', 'description', 'formula', 'methodPUI', 'ontologyReference'),
    ...lists('externalReferences'),
    additionalInfo: {},
  },
  scale: {
    ...nulls('decimalPlaces', 'ontologyReference', 'scalePUI', 'units'),
    ...lists('externalReferences'),
    additionalInfo: {},
  },
  list: {
    ...nulls('dateModified', 'listOwnerName', 'listOwnerPersonDbId'),
    ...lists('externalReferences'),
    additionalInfo: {},
  },
  event: {
    ...nulls('eventTypeDbId'),
    additionalInfo: {},
  },
  eventParameter: {
    ...nulls('description', 'valueDescription', 'valuesByDate'),
  },
  observation: {
    ...nulls('collector', 'geoCoordinates', 'germplasmDbId', 'germplasmName', 'observationTimeStamp'),
    ...nulls('uploadedBy', 'value'),
    ...lists('externalReferences'),
    additionalInfo: {},
  },
} as const
