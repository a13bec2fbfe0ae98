import { searchable } from '../format.ts'
import { isControlAlone, isControlName } from './cells.ts'
import { columnLetter } from './columns.ts'
import { nowhere, placeOf, problemAt, type TrialDraft, type Value } from './draft.ts'
import { readLong, readWide } from './draft-treatments.ts'
import { readTrial } from './draft-trial.ts'
import { kindOf } from './fields.ts'
import { summaryCell } from './groups.ts'
import type { ImportPlan, SheetRow } from './plan.ts'

/** Reads the rows of one trial. Rows of totals and means are set aside, and told. */
export function draftOf(rows: readonly SheetRow[], plan: ImportPlan): TrialDraft {
  const draft: TrialDraft = {
    linhas: rows.map(({ linha }) => linha),
    folhas: rows.map(({ folha }) => folha),
    campos: new Map(),
    tratamentos: [],
    parcelas: [],
    places: new Map(),
    problemas: [],
    hints: new Map(),
  }
  const kept = rows.filter((row) => {
    const summary = summaryCell(row, plan)
    if (summary === null) return true
    const column = plan.colunas.find(({ folha, index }) => folha === row.folha && index === summary.index)
    const letter = columnLetter(summary.index)
    const place = column
      ? placeOf(row, column)
      : { ...nowhere(row.linha), coluna: letter, celula: `${letter}${row.linha}`, valor: summary.text }
    draft.problemas.push(problemAt(place, 'aviso', 'Linha de total ou média: não foi importada'))
    return false
  })
  readTrial(draft, kept, plan)
  if (plan.forma === 'larga') for (const row of kept) readWide(draft, row, plan)
  else readLong(draft, kept, plan)
  if (plan.forma === 'parcelas') meansOfPlots(draft)
  controlFirst(draft, plan)
  return draft
}

/** A treatment's yield is the mean of its plots. */
function meansOfPlots(draft: TrialDraft): void {
  for (const [at, treatment] of draft.tratamentos.entries()) {
    const values = draft.parcelas.flatMap(({ tratamento, produtividade }) =>
      tratamento === at + 1 && produtividade !== null ? [produtividade] : [],
    )
    if (values.length > 0)
      treatment.produtividade = values.reduce((sum, value) => sum + value, 0) / values.length
  }
}

export const NO_CONTROL = 'Nenhuma testemunha encontrada; o primeiro tratamento foi usado.'

/** T1 is the control: by its name, or because it has no product; one that stands elsewhere is moved first. */
function controlFirst(draft: TrialDraft, plan: ImportPlan): void {
  const { tratamentos } = draft
  if (tratamentos.length === 0) return
  const bare = tratamentos.findIndex(({ produtos_aplicados }) => produtos_aplicados.length === 0)
  const where = (is: (name: string, products: number) => boolean): number =>
    tratamentos.findIndex(
      ({ nome, produtos_aplicados }) => typeof nome === 'string' && is(nome, produtos_aplicados.length),
    )
  // 'Controle químico' with a product is the control of none that has 'Sem fungicida'.
  const alone = where((name) => isControlAlone(searchable(name)))
  const without = alone !== -1 ? alone : where((name, products) => products === 0 && isControlName(name))
  const named = without !== -1 || bare !== -1 ? without : where((name) => isControlName(name))
  const at = named !== -1 ? named : tratamentos[0]?.produtos_aplicados.length === 0 ? 0 : bare
  const place = draft.places.get(`tratamentos.${Math.max(0, at)}.nome`) ?? nowhere(draft.linhas[0] ?? 1)
  const saysProducts = plan.colunas.some(({ campo }) => kindOf(campo) === 'nome_produto')
  if (at === -1 || (named === -1 && !saysProducts && !isNumbered(tratamentos[0]?.nome))) {
    draft.problemas.push(problemAt(place, 'aviso', NO_CONTROL))
    return
  }
  if (at === 0) return
  moveFirst(draft, at)
  draft.problemas.push(
    problemAt(place, 'aviso', `A testemunha era o tratamento ${at + 1} e foi movida para o início.`),
  )
}

const isNumbered = (name: Value | undefined): boolean =>
  typeof name === 'string' && /^t ?0*1$/i.test(name.trim())

function moveFirst(draft: TrialDraft, at: number): void {
  const [control] = draft.tratamentos.splice(at, 1)
  if (control) draft.tratamentos.unshift(control)
  const moved = (number: number) => (number === at ? 0 : number < at ? number + 1 : number)
  draft.places = new Map(
    [...draft.places].map(([path, place]) => [
      path.replace(/^tratamentos\.(\d+)\./, (_, number: string) => `tratamentos.${moved(Number(number))}.`),
      place,
    ]),
  )
  for (const plot of draft.parcelas) plot.tratamento = moved(plot.tratamento - 1) + 1
}
