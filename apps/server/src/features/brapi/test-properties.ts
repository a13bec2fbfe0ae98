const words = (text: string) => text.trim().split(/\s+/)

/** What BrAPI v2.1 names for each record, written from its specification. */
export const PROPERTIES: Record<string, string[]> = {
  programs:
    words(`abbreviation additionalInfo commonCropName documentationURL leadPersonDbId leadPersonName objective
    programName programType fundingInformation externalReferences programDbId`),
  trials:
    words(`active additionalInfo commonCropName contacts datasetAuthorships documentationURL endDate programDbId
    programName publications startDate trialName trialDescription trialPUI externalReferences trialDbId`),
  studies: words(`active additionalInfo commonCropName contacts dataLinks documentationURL endDate
    environmentParameters lastUpdate license locationDbId locationName seasons startDate studyDescription studyName
    studyCode studyPUI studyType trialDbId trialName observationLevels observationVariableDbIds
    observationUnitsDescription culturalPractices experimentalDesign growthFacility externalReferences studyDbId`),
  locations: words(`abbreviation additionalInfo coordinateUncertainty countryCode countryName documentationURL
    instituteAddress instituteName locationName parentLocationDbId parentLocationName locationType siteStatus
    coordinateDescription slope exposure environmentType topography coordinates externalReferences locationDbId`),
  lists:
    words(`additionalInfo dateCreated dateModified listDescription listName listOwnerName listOwnerPersonDbId
    listSize listSource listType externalReferences listDbId`),
  seasons: words('seasonName seasonDbId year'),
  people:
    words(`additionalInfo description emailAddress firstName lastName mailingAddress middleName phoneNumber
    userID externalReferences personDbId`),
  observationunits:
    words(`additionalInfo germplasmDbId germplasmName seedLotDbId seedLotName crossDbId crossName
    locationDbId locationName observationUnitName observationUnitPUI externalReferences observationUnitPosition
    programDbId programName studyDbId studyName treatments trialDbId trialName observationUnitDbId observations`),
  observations: words(`additionalInfo germplasmDbId germplasmName geoCoordinates observationTimeStamp
    observationUnitDbId observationUnitName observationVariableDbId observationVariableName collector season studyDbId
    uploadedBy value externalReferences observationDbId`),
  variables:
    words(`additionalInfo contextOfUse commonCropName defaultValue documentationURL growthStage institution
    language method ontologyReference scale scientist status submissionTimestamp synonyms trait externalReferences
    observationVariableName observationVariablePUI observationVariableDbId`),
  traits:
    words(`additionalInfo externalReferences alternativeAbbreviations mainAbbreviation synonyms ontologyReference
    status attribute attributePUI entity entityPUI traitName traitPUI traitClass traitDescription traitDbId`),
  methods: words(`additionalInfo methodClass description formula methodName methodPUI ontologyReference
    bibliographicalReference externalReferences methodDbId`),
  scales: words(`additionalInfo dataType decimalPlaces ontologyReference scaleName scalePUI units validValues
    externalReferences scaleDbId`),
  images:
    words(`additionalInfo copyright description descriptiveOntologyTerms externalReferences imageFileName
    imageFileSize imageHeight imageLocation imageName imageTimeStamp imageURL imageWidth mimeType observationDbIds
    observationUnitDbId imageDbId`),
  events:
    words(`additionalInfo date eventDateRange eventDbId eventDescription eventParameters eventType eventTypeDbId
    observationUnitDbIds studyDbId studyName`),
  germplasm: words(`additionalInfo accessionNumber acquisitionDate biologicalStatusOfAccessionCode
    biologicalStatusOfAccessionDescription breedingMethodDbId breedingMethodName collection commonCropName
    countryOfOriginCode defaultDisplayName documentationURL donors genus germplasmName germplasmPUI species
    instituteCode instituteName pedigree seedSource speciesAuthority subtaxa subtaxaAuthority synonyms taxonIds
    storageTypes germplasmPreprocessing seedSourceDescription germplasmOrigin externalReferences germplasmDbId`),
}
