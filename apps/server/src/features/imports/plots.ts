import {
  columnTitle,
  datesOf,
  type Experiment,
  fieldProblems,
  type ImportProblem,
  problem,
  type TrialSheet,
  TrialSheetInput,
  yieldMeans,
  yieldVariable,
} from '@ensaio/domain'
import {
  changesOf,
  columnLetter,
  type DraftPlot,
  type FinishedTrial,
  type ImportPlan,
  problemAt,
  type TrialDraft,
} from '@ensaio/domain/imports'
import { readPlots } from '../trials/plot-files.ts'

/** Plots of a file, and for each treatment of it its place in the trial. */
export interface ReadPlots {
  plots: readonly DraftPlot[]
  lugares: readonly number[]
}
type Change = FinishedTrial['mudancas'][number]
/** What is wrong with one of the plots, or with the sheet that they would make. */
interface Fault {
  plot: DraftPlot | null
  /** Of the column that says it. */
  campo: string | null
  mensagem: string
}

const TITLES = {
  numero: 'Parcela',
  bloco: 'Bloco',
  fila: 'Linha',
  coluna: 'Coluna',
  area: 'Área (m²)',
} as const
const FIELDS: Readonly<Record<string, string>> = {
  Parcela: 'parcela.numero',
  Bloco: 'parcela.bloco',
  Linha: 'parcela.linha',
  Coluna: 'parcela.coluna',
  'Área (m²)': 'parcela.area',
  Tratamento: 'tratamento.nome',
}
const YIELD = 'Produtividade (kg/ha)'
/** As the trial's own yield is called, of its last date. */
function yieldTitle(sheet: TrialSheet | null): string {
  const variable = sheet && yieldVariable(sheet)
  if (!variable) return YIELD
  const date = datesOf(sheet, variable.chave).at(-1)
  return columnTitle(variable, sheet.avaliacoes.find(({ chave }) => chave === date)?.nome ?? null)
}

/**
 * The sheet that plots of a spreadsheet make, beside what the trial has already; through the reader of the plot import:
 * one list of headings for both.
 */
export function sheetOfPlots({
  plots: given,
  lugares,
  experiment,
  sheet,
}: {
  plots: readonly DraftPlot[]
  /** For each treatment of the draft its place in the trial, from 0. */
  lugares: readonly number[]
  experiment: Pick<Experiment, 'tipo_estatistica'> & { tratamentos: readonly { nome: string }[] }
  sheet: TrialSheet | null
}): { ficha: TrialSheetInput | null; faults: Fault[] } {
  const plots = sheet ? numbered(given, { sheet, lugares }) : given
  const analyses = (plots[0]?.analises ?? []).map(({ nome, unidade }) => ({
    titulo: unidade ? `${nome} (${unidade})` : nome,
    campo: `analise.${nome}`,
  }))
  const places = (['numero', 'bloco', 'fila', 'coluna', 'area'] as const).filter((key) =>
    plots.some((plot) => plot[key] !== null),
  )
  const yields = plots.some(({ produtividade }) => produtividade !== null)
    ? [{ titulo: yieldTitle(sheet), campo: 'tratamento.produtividade' }]
    : []
  const measures = [...yields, ...analyses]
  const rows = [
    [...places.map((key) => TITLES[key]), 'Tratamento', ...measures.map(({ titulo }) => titulo)],
    ...plots.map((plot) => [
      ...places.map((key) => plot[key]),
      `T${(lugares[plot.tratamento - 1] ?? plot.tratamento - 1) + 1}`,
      ...(yields.length > 0 ? [plot.produtividade] : []),
      ...plot.analises.map(({ valor }) => valor),
    ]),
  ]
  const { ficha, erros } = readPlots(rows, { map: null, experiment, sheet })
  const faults = erros.map(
    ({ linha, coluna, mensagem }): Fault => ({
      plot: plots[linha - 2] ?? null,
      campo: measures.find(({ titulo }) => titulo === coluna)?.campo ?? FIELDS[coluna] ?? null,
      mensagem,
    }),
  )
  if (faults.length > 0) return { ficha: null, faults }
  const parsed = TrialSheetInput.safeParse(ficha && withTreatments(ficha, experiment.tratamentos.length))
  if (parsed.success) return { ficha: parsed.data, faults: [] }
  const [first] = fieldProblems(parsed.error)
  return {
    ficha: null,
    faults: [{ plot: null, campo: null, mensagem: first?.message ?? 'Parcelas inválidas' }],
  }
}

/**
 * Plots of which the file says neither number nor block, by where they stand or by their order within the treatment: the
 * same file again means the same plots.
 */
function numbered(
  plots: readonly DraftPlot[],
  { sheet, lugares }: { sheet: TrialSheet; lugares: readonly number[] },
): readonly DraftPlot[] {
  if (plots.some(({ numero, bloco }) => numero !== null || bloco !== null)) return plots
  const own = Map.groupBy(sheet.parcelas, ({ tratamento }) => tratamento)
  const counts = Map.groupBy(plots, ({ tratamento }) => (lugares[tratamento - 1] ?? tratamento - 1) + 1)
  if ([...counts].some(([treatment, of]) => own.get(treatment)?.length !== of.length)) return plots
  const met = new Map<number, number>()
  return plots.map((plot) => {
    const treatment = (lugares[plot.tratamento - 1] ?? plot.tratamento - 1) + 1
    const nth = met.get(treatment) ?? 0
    met.set(treatment, nth + 1)
    const held = own.get(treatment) ?? []
    const there = held.find(
      ({ linha, coluna }) =>
        linha !== null &&
        coluna !== null &&
        String(linha) === String(plot.fila) &&
        String(coluna) === String(plot.coluna),
    )
    return { ...plot, numero: String((there ?? held[nth])?.numero ?? '') || null }
  })
}

/** A sheet that was there knows nothing of treatments that the file adds. */
function withTreatments<T extends { tratamentos: { numero: number }[] }>(ficha: T, count: number): T {
  const known = new Set(ficha.tratamentos.map(({ numero }) => numero))
  const more = Array.from({ length: count }, (_, at) => at + 1).filter((numero) => !known.has(numero))
  return {
    ...ficha,
    tratamentos: [...ficha.tratamentos, ...more.map((numero) => ({ numero, niveis: null, nome: null }))],
  }
}

/** Holds the plots of a draft against the sheet that they would make, and against the one that stands. */
export function withPlots(
  finished: FinishedTrial,
  {
    draft,
    plan,
    existing,
    sheet,
  }: { draft: TrialDraft; plan: ImportPlan; existing: Experiment | null; sheet: TrialSheet | null },
): FinishedTrial {
  if (plan.forma !== 'parcelas' || finished.input === null) return finished
  const { ficha, faults } = sheetOfPlots({
    ...{ plots: draft.parcelas, lugares: finished.lugares, experiment: finished.input, sheet },
  })
  if (!ficha)
    return {
      ...finished,
      input: null,
      mudancas: [],
      problemas: [...finished.problemas, ...faults.map((fault) => faultAt(fault, draft, plan))],
    }
  if (!existing) return finished
  // Its yields are those of all its plots, not of those in the file alone.
  const means = new Map(
    (yieldMeans({ ...ficha, exclusoes: sheet?.exclusoes ?? [] }) ?? []).map(({ numero, produtividade }) => [
      numero,
      produtividade,
    ]),
  )
  const input = {
    ...finished.input,
    tratamentos: finished.input.tratamentos.map((one, at) => ({
      ...one,
      produtividade: means.get(at + 1) ?? one.produtividade,
    })),
  }
  return {
    ...finished,
    ...{ input, dados: input },
    mudancas: [...changesOf(existing, input), ...plotChanges(sheet, ficha)],
  }
}

function faultAt({ plot, campo, mensagem }: Fault, draft: TrialDraft, plan: ImportPlan): ImportProblem {
  const linha = plot?.linha ?? draft.linhas[0] ?? 1
  const column =
    plan.colunas.find((one) => one.campo === campo) ??
    plan.colunas.find((one) => one.campo.startsWith('parcela.'))
  const coluna = column ? columnLetter(column.index) : null
  return problemAt(
    {
      ...{ folha: column?.nomeFolha ?? null, linha, coluna, titulo: column?.titulo ?? null },
      ...{ celula: coluna && `${coluna}${linha}`, campo: column?.campo ?? null, valor: null },
    },
    'erro',
    mensagem,
  )
}

/** More of them tell nothing more. */
const MOST_CHANGES = 200

const PLACES = [
  ['tratamento', 'Tratamento'],
  ['bloco', 'Bloco'],
  ['linha', 'Linha'],
  ['coluna', 'Coluna'],
  ['area_m2', 'Área (m²)'],
] as const

/** What becomes of each plot, and of its values. */
function plotChanges(sheet: TrialSheet | null, ficha: TrialSheetInput): Change[] {
  const before = new Map(
    sheet?.valores.flatMap(({ variavel, avaliacao, valores }) =>
      valores.map((value, at) => [`${variavel} ${avaliacao} ${sheet.parcelas[at]?.numero}`, value] as const),
    ),
  )
  const changes: Change[] = []
  const held = new Map(sheet?.parcelas.map((plot) => [plot.numero, plot]))
  for (const plot of ficha.parcelas)
    for (const [key, label] of PLACES) {
      const antes = held.get(plot.numero)?.[key] ?? null
      if (antes !== plot[key] && changes.length < MOST_CHANGES)
        changes.push({ campo: `parcelas.${plot.numero}.${label}`, antes, depois: plot[key] })
    }
  for (const { variavel, avaliacao, valores } of ficha.valores)
    for (const [at, depois] of valores.entries()) {
      const numero = ficha.parcelas[at]?.numero
      const antes = before.get(`${variavel} ${avaliacao} ${numero}`) ?? null
      if (JSON.stringify(antes) === JSON.stringify(depois) || changes.length >= MOST_CHANGES) continue
      const nome = ficha.variaveis.find(({ chave }) => chave === variavel)?.nome ?? variavel
      changes.push({ campo: `parcelas.${numero}.${nome}`, antes, depois })
    }
  return changes
}

/** The sheet that the plots make, to be put. @throws validation.failed */
export function sheetToPut(asked: Parameters<typeof sheetOfPlots>[0]): TrialSheetInput {
  const { ficha, faults } = sheetOfPlots(asked)
  if (ficha) return ficha
  throw problem('validation.failed', {
    fields: [{ path: 'parcelas', message: faults[0]?.mensagem ?? 'Parcelas inválidas' }],
  })
}
