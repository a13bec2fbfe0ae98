/** Business constants of the specification, section 9. Times are in milliseconds, sizes in bytes. */

export const BRANDS = ['Aminoagro', 'Dimicron', 'Maximus', 'Concorrente'] as const
export const BRAND_COLOURS: Readonly<Record<string, string>> = {
  Aminoagro: '#2563EB',
  Dimicron: '#16A34A',
  Maximus: '#DC2626',
  Concorrente: '#7C3AED',
}
export const OTHER_BRAND_COLOUR = '#78716C'
export const brandColour = (marca: string): string => BRAND_COLOURS[marca] ?? OTHER_BRAND_COLOUR

export const BUSINESS_UNITS = ['BU1', 'BU2', 'BU3'] as const
export type BusinessUnit = (typeof BUSINESS_UNITS)[number]
export const BUSINESS_UNIT_NAMES: Readonly<Record<BusinessUnit, string>> = {
  BU1: 'BU Nutrição',
  BU2: 'BU Proteção',
  BU3: 'BU Adjuvantes',
}
export const businessUnitName = (bu: string): string => BUSINESS_UNIT_NAMES[bu as BusinessUnit] ?? bu

export const REGIONS = [
  { nome: 'Centro-Oeste', sigla: 'CO' },
  { nome: 'Nordeste', sigla: 'NE' },
  { nome: 'Norte', sigla: 'N' },
  { nome: 'Sudeste', sigla: 'SE' },
  { nome: 'Sul', sigla: 'S' },
] as const
export const FALLBACK_REGION = 'Centro-Oeste'

/** The 27 federative units, each with its region. */
export const STATES = [
  { sigla: 'AC', nome: 'Acre', regional: 'Norte' },
  { sigla: 'AL', nome: 'Alagoas', regional: 'Nordeste' },
  { sigla: 'AP', nome: 'Amapá', regional: 'Norte' },
  { sigla: 'AM', nome: 'Amazonas', regional: 'Norte' },
  { sigla: 'BA', nome: 'Bahia', regional: 'Nordeste' },
  { sigla: 'CE', nome: 'Ceará', regional: 'Nordeste' },
  { sigla: 'DF', nome: 'Distrito Federal', regional: 'Centro-Oeste' },
  { sigla: 'ES', nome: 'Espírito Santo', regional: 'Sudeste' },
  { sigla: 'GO', nome: 'Goiás', regional: 'Centro-Oeste' },
  { sigla: 'MA', nome: 'Maranhão', regional: 'Nordeste' },
  { sigla: 'MT', nome: 'Mato Grosso', regional: 'Centro-Oeste' },
  { sigla: 'MS', nome: 'Mato Grosso do Sul', regional: 'Centro-Oeste' },
  { sigla: 'MG', nome: 'Minas Gerais', regional: 'Sudeste' },
  { sigla: 'PA', nome: 'Pará', regional: 'Norte' },
  { sigla: 'PB', nome: 'Paraíba', regional: 'Nordeste' },
  { sigla: 'PR', nome: 'Paraná', regional: 'Sul' },
  { sigla: 'PE', nome: 'Pernambuco', regional: 'Nordeste' },
  { sigla: 'PI', nome: 'Piauí', regional: 'Nordeste' },
  { sigla: 'RJ', nome: 'Rio de Janeiro', regional: 'Sudeste' },
  { sigla: 'RN', nome: 'Rio Grande do Norte', regional: 'Nordeste' },
  { sigla: 'RS', nome: 'Rio Grande do Sul', regional: 'Sul' },
  { sigla: 'RO', nome: 'Rondônia', regional: 'Norte' },
  { sigla: 'RR', nome: 'Roraima', regional: 'Norte' },
  { sigla: 'SC', nome: 'Santa Catarina', regional: 'Sul' },
  { sigla: 'SP', nome: 'São Paulo', regional: 'Sudeste' },
  { sigla: 'SE', nome: 'Sergipe', regional: 'Nordeste' },
  { sigla: 'TO', nome: 'Tocantins', regional: 'Norte' },
] as const
export const STATE_CODES: ReadonlySet<string> = new Set(STATES.map((state) => state.sigla))

export const CROPS = [
  'Soja',
  'Milho',
  'Algodão',
  'Feijão',
  'Trigo',
  'Arroz',
  'Cana-de-açúcar',
  'Café',
  'Uva',
  'Manga',
  'Batata',
] as const
/** Offered even when the database's own list lacks them. */
export const ALWAYS_OFFERED_CROPS = ['Uva', 'Manga', 'Batata'] as const
/** Crops sold by the 60 kg sack, for which sacks are shown beside kg/ha. */
export const SACK_CROPS: ReadonlySet<string> = new Set(['Soja', 'Milho', 'Feijão', 'Trigo', 'Arroz', 'Café'])
export const SACK_KG = 60

export const PRODUCTS_BY_BRAND: Readonly<Record<(typeof BRANDS)[number], readonly string[]>> = {
  Aminoagro: ['Nutrivia Raiz', 'Nutrivia Pleno', 'Amino Foliar', 'Amino Semente', 'Amino Boro'],
  Dimicron: ['Dimi Cobre WG', 'Dimi Fosfito', 'Dimi Potássio', 'Dimi Enxofre', 'Dimi Zinco'],
  Maximus: ['Maxi Fluid', 'Maxi Óleo', 'Maxi Spray', 'Maxi pH', 'Maxi Adere'],
  Concorrente: ['Padrão do mercado', 'Referência regional'],
}

export const CULTIVARS_BY_CROP: Readonly<Record<string, readonly string[]>> = {
  Soja: ['BMX Bônus IPRO', 'BMX Desafio RR', 'BMX Foco IPRO', 'M 8372 IPRO', 'NS 7709 IPRO', 'TMG 2383 IPRO'],
  Milho: ['AG 8088 PRO4', 'DKB 265 PRO3', 'DKB 390 PRO3', 'FS 700 PWU', 'P3707 VYH', 'P4285 VYHR'],
  Café: ['Arara', 'Catuaí Amarelo IAC 62', 'Catuaí Vermelho IAC 144', 'Conilon', 'Mundo Novo', 'Obatã'],
  Uva: ['BRS Vitória', 'Cabernet Sauvignon', 'Itália', 'Niágara Rosada', 'Sweet Globe', 'Thompson Seedless'],
  Manga: ['Espada', 'Keitt', 'Kent', 'Palmer', 'Rosa', 'Tommy Atkins'],
  Banana: ['BRS Conquista', 'BRS Princesa', 'Grande Naine', 'Maçã', 'Nanica', 'Prata-Anã'],
}

export const MODALITIES = ['Foliar', 'Solo', 'Sementes', 'Sulco', 'Cobertura', 'Incorporado'] as const
/** How the control is labelled where a modality is asked of it. */
export const CONTROL_MODALITY = 'Controle'
export const CONTROL_NAME = 'Testemunha'

export const STATISTICS_TYPES = ['DBC', 'Blocos Casualizados', 'Inteiramente Casualizado', 'ANOVA'] as const

/** Of the wizard, from 1. */
export const TREATMENTS_PAGE = 5

export const DOSE_UNITS = [
  'L/ha',
  'mL/ha',
  'kg/ha',
  'g/ha',
  'mL/100 kg sementes',
  'g/100 kg sementes',
  'mL/100 L água',
  '% v/v',
] as const
export type DoseUnit = (typeof DOSE_UNITS)[number]

export const ANALYSIS_NAMES = [
  'Altura de plantas',
  'Altura de inserção da primeira vagem',
  'Biomassa seca da parte aérea',
  'Comprimento de raiz',
  'Diâmetro do colmo',
  'Estande de plantas',
  'Grãos por vagem',
  'Índice SPAD',
  'Massa de mil grãos',
  'Número de nós',
  'NDVI',
  'Peso hectolitro',
  'Severidade de doença',
  'Teor de nitrogênio foliar',
  'Umidade dos grãos',
  'Vagens por planta',
] as const

export const ANALYSIS_UNITS = [
  'cm',
  'mm',
  '%',
  'g',
  'kg',
  'kg/hl',
  'g/kg',
  'plantas/m',
  'un',
  'índice SPAD',
  'índice NDVI',
] as const

export const FIRST_YEAR = 2020
export const LAST_YEAR = 2030
export const YEARS: readonly number[] = Array.from(
  { length: LAST_YEAR - FIRST_YEAR + 1 },
  (_, index) => FIRST_YEAR + index,
)

export const WIZARD_PAGES = [
  'Dados da Consultoria',
  'Localização',
  'Características do Solo',
  'Dados da Cultura',
  'Tratamentos',
  'Análise Estatística',
  'Upload de Documento',
] as const

export const PDF_MAX_BYTES = 10 * 1024 * 1024
export const BULK_MAX_FILES = 20
export const DOCUMENTS_PER_EXPERIMENT = 50
/** Of one person, that hang on no experiment. */
export const LOOSE_DOCUMENTS = 200
export const TOP_PRODUCTS = 10
export const TOAST_LIMIT = 20
/** How long the way back from a deletion is offered, and how long it stands. */
export const UNDO_OFFERED_MS = 20_000
export const UNDO_MS = 120_000

export const REQUEST_TIMEOUT_MS = 30_000
export const REFRESH_TIMEOUT_MS = 5_000
/** With '1': who signs in does so in the phone's application, whose sessions live by contact. */
export const FIELD_HEADER = 'x-ensaio-campo'
export const RETRY_ATTEMPTS = 3
export const RETRY_DELAY_MS = 1_000
export const LOGIN_REDIRECT_MS = 1_500
export const REGISTER_REDIRECT_MS = 2_000
export const EXTRACTION_TIMEOUT_MS = 180_000
export const EXTRACTION_HINT_MS = 30_000
export const REVIEW_CONFIDENCE = 0.8
export const OBJECT_URL_LIFE_MS = 60_000

export const PASSWORD_MIN = 6
export const PASSWORD_MAX = 200
export const NAME_MIN = 2
export const NAME_MAX = 100

/** Degrees, WGS 84. */
export const MAP_CENTRE = { latitude: -14.235, longitude: -51.9253 } as const
export const MAP_ZOOM = 4
export const MAP_HEIGHT_PX = 500
export const MAP_MARKER_RADIUS_PX = 12
/** Experiments that share coordinates to this many decimals are spread on a circle. */
export const MAP_SHARED_DECIMALS = 4
export const MAP_SPREAD_DEGREES = 0.05
export const REGIONAL_LABEL_LENGTH = 12

/** After so many days what a closed organisation had is destroyed. */
export const CLOSED_ORGANIZATION_DAYS = 30
