import { type Canary, formsOf, TRIALS, type Trial, word } from './test-canaries.ts'

/** Trials that have a sheet of plots and a recorded analysis; `linked` and `moving` go on without. */
export const WITH_PLOTS = [
  'own',
  'other',
  'shared',
  'open',
  'embargoed',
  'deleted',
] as const satisfies Trial[]
export type WithPlots = (typeof WITH_PLOTS)[number]

/** Values that stand in no other trial; the last plot's is left out of the analysis. */
const plotValue = (trial: Trial, at: number) =>
  Number(`${612 + ((at * at * 37) % 101)}.${2_003_411 + TRIALS.indexOf(trial) * 10_009 + at * 211}`)
const PLOTS = Array.from({ length: 8 }, (_, at) => ({
  numero: (Math.floor(at / 2) + 1) * 100 + (at % 2) + 1,
  tratamento: (at % 2) + 1,
  bloco: Math.floor(at / 2) + 1,
}))

/** A sheet whose yield is not measured: the typed yields stay the trial's own canaries. */
export const sheetInput = (trial: Trial, versao = 0) => ({
  versao,
  delineamento: 'DBC',
  testemunha: 1,
  tratamentos: [{ numero: 1 }, { numero: 2 }],
  variaveis: [{ chave: 'kz', nome: word(trial, 'variavel'), unidade: 'cm', tipo: 'continua' }],
  parcelas: PLOTS.map((plot, at) => ({
    ...plot,
    ...(at === 0 && { observacao: word(trial, 'observacao') }),
  })),
  valores: [{ variavel: 'kz', avaliacao: null, valores: PLOTS.map((_, at) => plotValue(trial, at)) }],
  exclusoes: [{ parcela: 402, variavel: null, avaliacao: null, motivo: word(trial, 'motivo') }],
})

export const recordInput = (trial: Trial) => ({
  teste: 'tukey',
  titulo: word(trial, 'titulo'),
  conclusao: word(trial, 'conclusao'),
})

/** The source is a word of its own; the prices are so high that no other figure looks like them. */
export const pricesInput = (trial: Trial, versao = 0) => ({
  versao,
  cultura: {
    ...{ preco: priceOf(trial, 0), unidade: 'sc', kg_por_unidade: 60 },
    ...{ data: '2026-01', fonte: word(trial, 'fonte') },
  },
  produtos: [
    {
      ...{ nome: word(trial, 'insumo'), preco: priceOf(trial, 1), unidade: 'L' },
      ...{ data: '2026-01-15', fonte: word(trial, 'nota') },
    },
  ],
  aplicacao_rs_ha: 31,
})
const priceOf = (trial: Trial, k: number) => 8_412_617 + TRIALS.indexOf(trial) * 10_007 + k * 1_009 + 0.125

/** Whoever is not shown costs is not shown prices. */
export const priceCanaries = (trial: Trial): Canary[] =>
  [
    ...['fonte', 'insumo', 'nota'].map((what) => word(trial, what)),
    ...[0, 1].flatMap((k) => formsOf(priceOf(trial, k))),
  ].map((text) => ({ text, kind: 'costs', trial }))

/** What the sheet and the record give away; the CV is what the kernel made of them. */
export const plotCanaries = (trial: Trial, record: { id: string; cv: number }): Canary[] =>
  [
    ...['variavel', 'observacao', 'motivo', 'titulo', 'conclusao'].map((what) => word(trial, what)),
    ...PLOTS.flatMap((_, at) => formsOf(plotValue(trial, at))),
    ...formsOf(record.cv),
    record.id,
  ].map((text) => ({ text, kind: 'words', trial }))
