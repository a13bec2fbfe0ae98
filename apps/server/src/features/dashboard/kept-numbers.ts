/**
 * What a figure is kept by: the numbers stand in `margens.filtro` and `margens.por`, in migrations and in data,
 * and never change. `whole` is the filter that lets everything through; product sets, alone or within a crop, only
 * filter; modalities, cities, documents and costs that are shown are only counted.
 */
export const KEPT = {
  whole: 0,
  cultura: 1,
  ano: 2,
  regional: 3,
  marca: 4,
  bu: 5,
  consultoria: 6,
  conjunto: 7,
  modalidade: 8,
  cidade: 9,
  documento: 10,
  conjunto_cultura: 11,
  custos: 12,
} as const

/** What the key of a set within a crop is put together by: the set's number times it, plus the crop's. */
export const PER_SET = 65_536

/** Which sums a row belongs to: those over the sets that an organisation sees. */
export const VIEW = 'visao_id'
/** The finest grain that several exact filters at once are answered from. */
export const CELL = ['cultura_id', 'ano', 'regiao_id', 'fabricante_id', 'bu']
/** Of a gain a trial, kg/ha, and of the logarithm of its ratio. */
export const GAIN_SUMS = [
  ...['n_ganho', 'soma_ganho', 'soma2_ganho', 'n_razao', 'soma_razao', 'soma2_razao'],
  ...['vitorias', 'empates'],
]
const YIELD_SUMS = ['n', 'soma', 'soma2', 'n_roi', 'soma_roi', ...GAIN_SUMS]
const COST_SUMS = ['n', 'n_custo', 'soma_custo', 'n_roi', 'soma_roi', ...GAIN_SUMS]
/** Of a place only what its colour is made of. */
export const PLACE_GAINS = ['n_razao', 'soma_razao']
/** The kept figures, each with its key's columns and its figures' columns. */
export const SUMS = {
  celulas: { key: [VIEW, ...CELL], sums: [...YIELD_SUMS, 'n_argila'] },
  celulas_modalidade: { key: [VIEW, ...CELL, 'modalidade_id'], sums: YIELD_SUMS },
  celulas_produto: { key: [VIEW, ...CELL, 'produto_id'], sums: COST_SUMS },
  celulas_consultoria: { key: [VIEW, ...CELL, 'consultoria_id'], sums: ['n'] },
  margens: { key: [VIEW, 'filtro', 'chave', 'por', 'valor'], sums: [...YIELD_SUMS, 'n_argila'] },
  margens_produto: { key: [VIEW, 'filtro', 'chave', 'produto_id', 'fabricante_id'], sums: COST_SUMS },
  margens_lugar: {
    key: [VIEW, 'filtro', 'chave', 'lugar', 'cidade_id'],
    sums: ['n', 'soma_latitude', 'soma_longitude', ...PLACE_GAINS],
  },
} as const
export type Kept = keyof typeof SUMS
export const KEPT_TABLES = Object.keys(SUMS) as Kept[]

/** What was counted of each experiment, and its changes in this turn: the same columns after a sign, 1 or -1. */
export const COUNTED = {
  contados: [
    ...['id', 'consultoria_id', 'fabricante_id', 'bu', 'regiao_id', 'cidade_id', 'cultura_id', 'ano'],
    'conjunto_id',
    ...['amostra', 'com_documento', 'latitude', 'longitude', 'teor_argila', 'teor_materia_organica'],
    ...['produtividade_media', 'custo_protocolo', 'custo_total', 'roi', 'tipo_estatistica', 'acervo_id'],
    ...['ganho', 'razao', 'falta'],
  ],
  contados_modalidades: [
    'experimento_id',
    'modalidade_id',
    'n',
    'soma',
    'soma2',
    'acervo_id',
    'ganho',
    'razao',
  ],
  contados_produtos: ['experimento_id', 'produto_id', 'n_custo', 'soma_custo', 'acervo_id', 'ganho', 'razao'],
} as const
export type Counted = keyof typeof COUNTED
export const COUNTED_TABLES = Object.keys(COUNTED) as Counted[]
export const changesOf = (table: Counted) => table.replace('contados', 'mudancas')
