import { withoutFormula } from '../format.ts'
import {
  DATA_FILE,
  EVENT_TERMS,
  factorsOf,
  MIAPPE_VERSION,
  type MiappeMaterial,
  type MiappeSheet,
} from './miappe.ts'

const STUDY_FILE = 's_study.txt'
const ASSAY_FILE = 'a_assay.txt'
const TRAITS_FILE = 'tdf.tsv'
const PUBLICATION = [
  'PubMed ID',
  'Publication DOI',
  'Publication Author List',
  'Publication Title',
  'Publication Status',
]
const CONTACT = ['Last Name', 'First Name', 'Mid Initials', 'Email', 'Address', 'Affiliation', 'Roles']
const empty = (of: string, fields: readonly string[]) =>
  fields.map((field): [string, string] => [`${of} ${field}`, ''])

/** A field of ISA-Tab holds no line, tab or quotation mark; what a spreadsheet would compute is a text. */
function isaCell(value: string): string {
  const plain = value.replace(/\s+/g, ' ').replaceAll('"', "'").trim()
  return `"${withoutFormula(plain)}"`
}
const isaTable = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(isaCell).join('\t')}\n`).join('')

/** The same as ISA-Tab, in the shape of its configuration for MIAPPE: text files by their names. */
export function isaFiles(
  { units }: Pick<MiappeMaterial, 'units'>,
  sheets: readonly MiappeSheet[],
): Record<string, string> {
  const rowsOf = (name: string) => sheets.find((sheet) => sheet.name === name)?.rows ?? []
  const all = (name: string, field: string): string[] => {
    const at = sheets.find((sheet) => sheet.name === name)?.header.indexOf(field) ?? -1
    return rowsOf(name).map((row) => row[at] ?? '')
  }
  const one = (name: string, field: string): string => all(name, field)[0] ?? ''
  const study = (field: string): string => one('Study', field)
  const factors = all('Factor', 'Experimental Factor type')
  const names = all('Person', 'Person name').map((name) => /^(\S*)\s*(.*)$/.exec(name) ?? [])
  const kinds = [...new Set(all('Event', 'Event type'))]
  const protocols = ['Growth', ...kinds, 'Phenotyping']
  const filled = (value: (protocol: string) => string) => protocols.map(value)
  const investigation: [string, ...string[]][] = [
    ['ONTOLOGY SOURCE REFERENCE'],
    ['Term Source Name', 'CO_715', 'NCBITaxon'],
    [
      'Term Source File',
      'https://cropontology.org/term/CO_715:ROOT',
      'http://purl.obolibrary.org/obo/ncbitaxon.owl',
    ],
    ['Term Source Version', '', ''],
    ['Term Source Description', 'Crop Research', 'NCBI Taxonomy'],
    ['INVESTIGATION'],
    ['Investigation Identifier', one('Investigation', 'Investigation unique ID')],
    ['Investigation Title', one('Investigation', 'Investigation title')],
    ['Investigation Description', ''],
    ['Investigation Submission Date', ''],
    ['Investigation Public Release Date', ''],
    ['Comment[License]', ''],
    ['Comment[MIAPPE Version]', MIAPPE_VERSION],
    ['INVESTIGATION PUBLICATIONS'],
    ...empty('Investigation', PUBLICATION),
    ['INVESTIGATION CONTACTS'],
    ['Comment[Person ID]', ''],
    ...empty('Investigation Person', CONTACT),
    ['STUDY'],
    ['Study Identifier', study('Study unique ID')],
    ['Study Title', study('Study title')],
    ['Study Description', ''],
    ['Comment[Study Start Date]', study('Start date of study')],
    ['Comment[Study End Date]', study('End date of study')],
    ['Comment[Study Contact Institution]', study('Contact institution')],
    ['Comment[Study Country]', study('Geographic location (country)')],
    ['Comment[Study Experimental Site]', study('Experimental site name')],
    ['Comment[Study Latitude]', study('Geographic location (latitude)')],
    ['Comment[Study Longitude]', study('Geographic location (longitude)')],
    ['Comment[Study Altitude]', study('Geographic location (altitude)')],
    ['Study Submission Date', ''],
    ['Study Public Release Date', ''],
    ['Study File Name', STUDY_FILE],
    ['Comment[Description of Growth Facility]', study('Description of growth facility')],
    ['Comment[Type of Growth Facility]', study('Type of growth facility')],
    ['Comment[Study Data File Link]', DATA_FILE],
    ['Comment[Study Data File Description]', one('Data file', 'Data file description')],
    ['Comment[Study Data File Version]', one('Data file', 'Data file version')],
    ['Comment[Trait Definition File]', TRAITS_FILE],
    ['STUDY DESIGN DESCRIPTORS'],
    ['Study Design Type', study('Type of experimental design')],
    ['Comment[Study Design Description]', study('Description of the experimental design')],
    ['Comment[Observation Unit Level Hierarchy]', study('Observation unit level hierarchy')],
    ['Comment[Observation Unit Description]', study('Observation unit description')],
    ['Comment[Map of Experimental Design]', ''],
    ['STUDY PUBLICATIONS'],
    ...empty('Study', PUBLICATION),
    ['STUDY FACTORS'],
    ['Study Factor Name', ...factors],
    ['Study Factor Type', ...factors],
    ['Comment[Study Factor Description]', ...factors.map(() => '')],
    ['Comment[Study Factor Values]', ...all('Factor', 'Experimental Factor values')],
    ['STUDY ASSAYS'],
    ['Study Assay File Name', ASSAY_FILE],
    ['Study Assay Measurement Type', 'phenotyping'],
    ['Study Assay Technology Type', 'plot level analysis'],
    ['Study Assay Technology Platform', ''],
    ['STUDY PROTOCOLS'],
    ['Study Protocol Name', ...protocols],
    ['Study Protocol Type', ...filled((name) => (kinds.includes(name) ? 'Event' : name))],
    [
      'Study Protocol Description',
      ...filled((name) => (name === 'Growth' ? study('Cultural practices') : '')),
    ],
    ['Study Protocol URI', ...filled((name) => EVENT_TERMS[name] ?? '')],
    ['Study Protocol Version', ...filled(() => '')],
    [
      'Study Protocol Parameters Name',
      ...filled((name) => (name === 'Growth' ? all('Environment', 'Environment parameter').join(';') : '')),
    ],
    ['STUDY CONTACTS'],
    ['Comment[Person ID]', ...all('Person', 'Person ID')],
    ['Study Person Last Name', ...names.map(([, , last]) => last ?? '')],
    ['Study Person First Name', ...names.map(([, first]) => first ?? '')],
    ['Study Person Mid Initials', ...names.map(() => '')],
    ['Study Person Email', ...names.map(() => '')],
    ['Study Person Address', ...names.map(() => '')],
    ['Study Person Affiliation', ...all('Person', 'Person affiliation')],
    ['Study Person Roles', ...all('Person', 'Person role')],
  ]
  const unitAt = (field: string) => all('Observation Unit', field)
  const [ids, outside, where] = ['Observation unit ID', 'External ID', 'Spatial distribution'].map(unitAt)
  const levels = units.map(factorsOf)
  const material = ['Organism', 'Genus', 'Species', 'Infraspecific name'].map((field) =>
    one('Biological Material', field),
  )
  const environment = all('Environment', 'Environment parameter')
  const studied = (ids ?? []).map((id, at) => [
    ...[one('Biological Material', 'Biological material ID'), ...material, 'Growth'],
    ...all('Environment', 'Environment parameter value'),
    ...[id, 'plot', outside?.[at] ?? '', where?.[at] ?? ''],
    ...factors.map((factor) => levels[at]?.get(factor) ?? ''),
  ])
  return {
    'i_investigation.txt': investigation
      .map(([field, ...values]) => `${[field, ...values.map(isaCell)].join('\t')}\n`)
      .join(''),
    [STUDY_FILE]: isaTable([
      [
        ...['Source Name', 'Characteristics[Organism]', 'Characteristics[Genus]', 'Characteristics[Species]'],
        ...['Characteristics[Infraspecific Name]', 'Protocol REF'],
        ...environment.map((name) => `Parameter Value[${name}]`),
        ...['Sample Name', 'Characteristics[Observation Unit Type]', 'Characteristics[External ID]'],
        ...['Characteristics[Spatial Distribution]', ...factors.map((factor) => `Factor Value[${factor}]`)],
      ],
      ...studied,
    ]),
    [ASSAY_FILE]: isaTable([
      ['Sample Name', 'Protocol REF', 'Assay Name', 'Raw Data File'],
      ...(ids ?? []).map((id) => [id, 'Phenotyping', id, DATA_FILE]),
    ]),
    [TRAITS_FILE]: isaTable([
      sheets.find(({ name }) => name === 'Observed Variable')?.header.slice(1) ?? [],
      ...rowsOf('Observed Variable').map((row) => row.slice(1)),
    ]),
  }
}
