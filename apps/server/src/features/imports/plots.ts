import { fieldProblems, problem, TrialSheetInput } from '@ensaio/domain'
import type { DraftPlot } from '@ensaio/domain/imports'
import type { Handle } from '../../database/handle.ts'
import type { Actor } from '../../http/contract-routes.ts'
import type { Experiments } from '../experiments/experiments.service.ts'
import { readPlots } from '../trials/plot-files.ts'
import type { Trials } from '../trials/trials.service.ts'

/** Puts the plots of a new trial, through the reader of the plot import: one list of headings for both. */
export async function putPlots(
  { experiments, trials }: { experiments: Experiments; trials: Trials },
  { handle, actor, id, plots }: { handle: Handle; actor: Actor; id: string; plots: readonly DraftPlot[] },
): Promise<void> {
  const experiment = await experiments.get(actor, id, handle)
  const analyses =
    plots[0]?.analises.map(({ nome, unidade }) => (unidade ? `${nome} (${unidade})` : nome)) ?? []
  const places = (['numero', 'bloco', 'fila', 'coluna', 'area'] as const).filter((key) =>
    plots.some((plot) => plot[key] !== null),
  )
  const hasYields = plots.some(({ produtividade }) => produtividade !== null)
  const rows = [
    [
      ...places.map((key) => TITLES[key]),
      'Tratamento',
      ...(hasYields ? ['Produtividade (kg/ha)'] : []),
      ...analyses,
    ],
    ...plots.map((plot) => [
      ...places.map((key) => plot[key]),
      `T${plot.tratamento}`,
      ...(hasYields ? [plot.produtividade] : []),
      ...plot.analises.map(({ valor }) => valor),
    ]),
  ]
  const { ficha, erros } = readPlots(rows, { map: null, experiment, sheet: null })
  const [wrong] = erros
  if (wrong) throw problem('validation.failed', { fields: [{ path: 'parcelas', message: wrong.mensagem }] })
  const parsed = TrialSheetInput.safeParse(ficha)
  if (!parsed.success) throw problem('validation.failed', { fields: fieldProblems(parsed.error).slice(0, 1) })
  await trials.putIn(handle, actor, id, parsed.data)
}

const TITLES = {
  numero: 'Parcela',
  bloco: 'Bloco',
  fila: 'Linha',
  coluna: 'Coluna',
  area: 'Área (m²)',
} as const
