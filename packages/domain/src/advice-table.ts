/**
 * The numbers that advice rests on, each with where it was read and when. Limits that nobody published are ours, and
 * say so. In one table: a rule has no number of its own.
 */
export interface AdviceSource {
  titulo: string
  /** Null where what was read has no lasting address. */
  endereco: string | null
  /** When it was published, 'aaaa' or 'aaaa-mm-dd'; null for limits of ours. */
  data: string | null
  /** When it was read, 'aaaa-mm-dd'. */
  lido_em: string
}

/** Where a finding's number comes from: one of ours, or what an administrator named. */
export type NamedSource = AdviceSourceKey | AdviceSource
export const sourceOf = (source: NamedSource): AdviceSource =>
  typeof source === 'string' ? ADVICE_SOURCES[source] : source

/** Goes up with every change of a rule or number: what was kept by another one is computed anew. */
export const ADVICE_VERSION = 7

const READ_ON = '2026-11-25'
const read = (titulo: string, data: string | null, endereco: string | null = null): AdviceSource => ({
  ...{ titulo, endereco, data, lido_em: READ_ON },
})

export const ADVICE_SOURCES = {
  nossa: read('Limite do Ensaio, sem norma que o fixe', null),
  conab12: read('CONAB, 12º levantamento da safra 2024/25', '2025-09-11'),
  conab8: read('CONAB, 8º levantamento da safra 2024/25', '2025-05-15'),
  conab7: read('CONAB, 7º levantamento da safra 2024/25', '2025-04-10'),
  classes_cv: read('Pimentel-Gomes, Curso de Estatística Experimental', null),
  cv_soja: read(
    'Carvalho et al., Pesquisa Agropecuária Brasileira 38(2), 2003',
    '2003',
    'https://doi.org/10.1590/S0100-204X2003000200004',
  ),
  in53: read('IN MAPA 53/2013, alterada pelas IN 6/2016 e IN 3/2020', '2020'),
  decreto4954: read('Decreto 4.954/2004, art. 15 do anexo', '2018-09-13'),
  in13: read('IN SDA 13/2011, protocolo oficial de inoculantes', '2012-05-03'),
  in61: read('IN SDA 61/2020', '2020'),
  in36: read('IN SDA 36/2009, alterada pelas IN 42/2011 e IN 15/2016', '2016'),
} as const satisfies Record<string, AdviceSource>
export type AdviceSourceKey = keyof typeof ADVICE_SOURCES

/** A source as old as this is marked with its year. */
const OLD_MONTHS = 24

/** 'Fonte de 2003', or null where it is younger or of no date. */
export function agedSource({ data }: Pick<AdviceSource, 'data'>, today: string): string | null {
  if (data === null) return null
  const months = (of: string) => Number(of.slice(0, 4)) * 12 + Number(of.slice(5, 7) || '12')
  return months(today) - months(data) > OLD_MONTHS ? `Fonte de ${data.slice(0, 4)}` : null
}

export interface CropRange {
  /** The crop's name, in whatever spelling `searchable` makes the same. */
  cultura: string
  /** kg/ha, and of which season. */
  media: number
  safra: string
  fonte: NamedSource
  /** Ours: a fifth of the mean to 2.5 times it, or as far as trials are known to go. */
  abaixo: number
  acima: number
  /** Ours, from the record where one is known. */
  impossivel: number
  /** Off: the crop has no range. */
  ligada?: boolean
}

/**
 * Product as sold. A crop that is not here has no range: nothing is guessed. Shipped; administrators may put others in
 * their place.
 */
export const CROP_RANGES: readonly CropRange[] = [
  {
    ...{ cultura: 'Soja', media: 3621, safra: '2024/25', fonte: 'conab12' },
    ...{ abaixo: 700, acima: 7000, impossivel: 10_000 },
  },
  {
    ...{ cultura: 'Milho', media: 6391, safra: '2024/25', fonte: 'conab12' },
    ...{ abaixo: 1300, acima: 16_000, impossivel: 25_000 },
  },
  {
    ...{ cultura: 'Arroz', media: 7071, safra: '2024/25', fonte: 'conab8' },
    ...{ abaixo: 1400, acima: 14_000, impossivel: 20_000 },
  },
  {
    ...{ cultura: 'Feijão', media: 1157, safra: '2024/25', fonte: 'conab7' },
    ...{ abaixo: 230, acima: 4500, impossivel: 7000 },
  },
]

/** Bounds of the rules, each with its source; percentages are in %. */
export const ADVICE_LIMITS = {
  /** From which CV on it is medium, high, very high. */
  cv: { medio: 10, alto: 20, muito_alto: 30, fonte: 'classes_cv' },
  cv_soja: { rendimento: 16, altura: 12, fonte: 'cv_soja' },
  /** Residual degrees of freedom below which it is to check, and a problem. */
  gl: { conferir: 12, problema: 10, fonte: 'nossa' },
  gl_registro: { minimo: 15, fonte: 'in53' },
  repeticoes: { poucas: 3, fonte: 'nossa' },
  /** |residual|/√QMR, and interquartile ranges where there is no model. */
  discrepante: { desvios: 3, quartis: 1.5, repeticoes: 6, fonte: 'nossa' },
  /** A plot that does not fit, and what it would be put right to, in deviations of the others; an error of so many degrees. */
  digito: { fora: 4, dentro: 1.5, gl: 8, fonte: 'nossa' },
  /** What is left of the residual sum of squares when two plots are exchanged. */
  vizinha: { resta: 0.5, fonte: 'nossa' },
  faltam: { conferir: 10, problema: 25, fonte: 'nossa' },
  /** % between two means that should be one. */
  difere: { maximo: 0.5, fonte: 'nossa' },
  /** How many times, or what part of, the median of so many own trials. */
  dose: { vezes: 10, ensaios: 8, fonte: 'nossa' },
  custo: { difere: 1, retorno: 20, fonte: 'nossa' },
  solo: { argila: 15, materia_organica: 6, g_kg: 100, g_kg_maximo: 1000, fonte: 'nossa' },
  /**
   * From the municipality's point: so many radii of a disc of its area and km more, or km where its area is not known;
   * and km beyond a state's outline, which is drawn coarsely.
   */
  lugar: { raios: 1.5, folga: 10, raio: 60, raio_grande: 250, contorno: 25, fonte: 'nossa' },
  datas: { dias_colheita: 60, fonte: 'nossa' },
  por_minuto: { parcelas: 40, fonte: 'nossa' },
} as const satisfies Record<string, Record<string, number | AdviceSourceKey> & { fonte: AdviceSourceKey }>

const MOST_RULES = 64
const MOST_RANGES = 500
/** What a light was counted with: the rules, and how often the ranges were changed. Fits in 15 bits. */
export const rulesVersion = (ranges: number): number => ADVICE_VERSION + MOST_RULES * (ranges % MOST_RANGES)

/** States whose municipalities are as large as countries. */
export const WIDE_STATES: ReadonlySet<string> = new Set(['AM', 'PA', 'MT', 'RR', 'AP', 'AC', 'RO'])
/** Crops that stand for years: no time from sowing to harvest is asked of them. */
export const PERENNIAL_CROPS: ReadonlySet<string> = new Set(['cafe', 'uva', 'manga', 'cana-de-acucar'])
