import { STATE_CODES } from '../constants.ts'
import { formatNumber, searchable } from '../format.ts'
import type { WorkbookCell } from '../workbook.ts'
import { isAbsent, partPlace, textOf } from './cells.ts'
import { placeOf, problemAt, read, same, type TrialDraft, tell, type Value } from './draft.ts'
import { readField } from './fields.ts'
import { type ImportPlan, isTrialField, type SheetRow } from './plan.ts'

/** What stands once in the trial: the first row that says it; another that says otherwise is an error. */
export function readTrial(draft: TrialDraft, rows: readonly SheetRow[], plan: ImportPlan): void {
  for (const column of plan.colunas) {
    if (!isTrialField(column.campo)) continue
    let said: { value: Value; linha: number; cell: WorkbookCell | undefined } | undefined
    for (const row of rows) {
      if (row.folha !== column.folha) continue
      const cell = row.celulas[column.index]
      if (isAbsent(cell)) {
        if (!draft.places.has(column.campo)) draft.places.set(column.campo, placeOf(row, column))
        continue
      }
      if (said === undefined) {
        const value = read(draft, row, column, plan, column.campo)
        said = { value, linha: row.linha, cell }
        if (!draft.campos.has(column.campo) || value !== null) draft.campos.set(column.campo, value)
        continue
      }
      // The same text needs no second reading.
      if (textOf(cell) === textOf(said.cell)) continue
      const other = readField(column, cell, plan)
      if (other.error) tell(draft, placeOf(row, column), other)
      else if (!same(other.value, said.value))
        draft.problemas.push(
          problemAt(
            placeOf(row, column),
            'erro',
            `A linha ${formatNumber(said.linha, 0)} do mesmo experimento diz outra coisa`,
            typeof said.value === 'string' ? said.value : null,
          ),
        )
    }
  }
  partCity(draft, plan)
  checkPlace(draft, plan)
}

/** 'Rio Verde - GO' in the column of the city is both. */
function partCity(draft: TrialDraft, plan: ImportPlan): void {
  const city = draft.campos.get('cidade')
  if (typeof city !== 'string') return
  if (plan.names.cities(searchable(city.slice(0, 200))).length > 0) return
  const parts = partPlace(city)
  if (parts.state === null) return
  draft.campos.set('cidade', parts.city)
  const place = draft.places.get('cidade')
  if (draft.campos.get('estado') == null && !plan.padroes.estado) {
    draft.campos.set('estado', parts.state)
    if (place) draft.places.set('estado', { ...place, campo: 'estado' })
  }
}

/** The city as the list has it; one that is found only in another state is told with that state. */
function checkPlace(draft: TrialDraft, plan: ImportPlan): void {
  const city = draft.campos.get('cidade')
  if (typeof city !== 'string') return
  const found = plan.names.cities(searchable(city.slice(0, 200)))
  const state = draft.campos.get('estado') ?? plan.padroes.estado ?? null
  const here = found.find(({ estado }) => estado === state)
  if (here) {
    draft.campos.set('cidade', here.nome)
    return
  }
  const near = found.length === 0 && typeof state === 'string' ? plan.names.nearCity(city, state) : undefined
  const written = draft.places.get('cidade')
  if (near !== undefined && written)
    draft.problemas.push(
      problemAt(written, 'aviso', `“${city.slice(0, 60)}” não está na lista. Usar “${near}”`, near),
    )
  const place = draft.places.get('estado') ?? draft.places.get('cidade')
  const states = [...new Set(found.map(({ estado }) => estado))]
  if (place === undefined || states.length !== 1) return
  if (typeof state !== 'string' || !STATE_CODES.has(state)) {
    draft.hints.set('estado', states[0] ?? '')
    return
  }
  draft.problemas.push(
    problemAt(
      { ...place, campo: 'estado' },
      'aviso',
      `${found[0]?.nome} fica em ${states[0]}. Usar ${states[0]}`,
      states[0] ?? null,
    ),
  )
}
