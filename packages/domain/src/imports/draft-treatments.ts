import { searchable } from '../format.ts'
import type { WorkbookCell } from '../workbook.ts'
import { doseUnit, isAbsent, isControlName, partDose, textOf } from './cells.ts'
import {
  type DraftPlot,
  type DraftProduct,
  type DraftTreatment,
  placeOf,
  problemAt,
  read,
  same,
  type TrialDraft,
  tell,
  type Value,
} from './draft.ts'
import { readField } from './fields.ts'
import { type ImportPlan, isTrialField, type PlanColumn, type SheetRow } from './plan.ts'

const emptyTreatment = (): DraftTreatment => ({
  numero: null,
  nome: null,
  modalidade: null,
  produtividade: null,
  custo: null,
  produtos_aplicados: [],
  analises_adicionais: [],
})
type Plain = 'nome' | 'modalidade' | 'produtividade' | 'custo'
const PLAIN = new Set<string>(['nome', 'modalidade', 'produtividade', 'custo'])

/** A row that is a trial: its treatments stand side by side. */
export function readWide(draft: TrialDraft, row: SheetRow, plan: ImportPlan): void {
  const byNumber = new Map<number, { column: PlanColumn; rest: string }[]>()
  for (const column of plan.colunas) {
    const [, number, rest] = /^tratamentos\.(\d{1,3})\.(.+)$/.exec(column.campo) ?? []
    if (number === undefined || rest === undefined) continue
    const of = byNumber.get(Number(number)) ?? []
    byNumber.set(Number(number), [...of, { column, rest }])
  }
  for (const [number, parts] of [...byNumber].sort(([a], [b]) => a - b)) {
    if (parts.every(({ column }) => isAbsent(row.celulas[column.index]))) continue
    const at = draft.tratamentos.length
    const treatment = emptyTreatment()
    draft.tratamentos.push(treatment)
    const products = new Map<number, PlanColumn[]>()
    for (const { column, rest } of parts) {
      const [, product] = /^produtos_aplicados\.(\d{1,2})\.\w+$/.exec(rest) ?? []
      if (PLAIN.has(rest))
        treatment[rest as Plain] = read(draft, row, column, plan, `tratamentos.${at}.${rest}`)
      else if (product !== undefined)
        products.set(Number(product), [...(products.get(Number(product)) ?? []), column])
      else if (rest.startsWith('analise.'))
        addAnalysis(draft, treatment, at, row, column, plan, rest.slice(8))
    }
    for (const [, columns] of [...products].sort(([a], [b]) => a - b))
      addProduct(draft, treatment, at, row, columns, plan)
    if (treatment.nome !== null) continue
    // Of one that the titles only count the number is the place, T0 being the first.
    treatment.numero = number + (byNumber.has(0) ? 1 : 0)
    treatment.nome = treatment.produtos_aplicados[0]?.nome ?? `T${number}`
  }
}

/** Rows that are treatments, products or analyses of one trial. */
export function readLong(draft: TrialDraft, rows: readonly SheetRow[], plan: ImportPlan): void {
  const known = knownTreatments(draft)
  let at = -1
  let folha = -1
  for (const row of treatmentsFirst(rows, plan)) {
    if (row.folha !== folha) {
      folha = row.folha
      at = -1
    }
    const columns = plan.colunas.filter((column) => column.folha === row.folha && !isTrialField(column.campo))
    if (columns.length === 0) continue
    const nameColumn = columns.find(({ campo }) => campo === 'tratamento.nome')
    const isFilled = columns.some((column) => !isAbsent(row.celulas[column.index]))
    if (!isFilled) continue
    const nameCell = nameColumn ? row.celulas[nameColumn.index] : undefined
    const numberColumn = columns.find(({ campo }) => campo === 'tratamento.numero')
    const numero = numberColumn ? treatmentNumber(row.celulas[numberColumn.index]) : null
    // Behind its number 'ND' is a name like any other, and so is '2'.
    const found = numero === null ? treatmentName(nameCell) : textOf(nameCell) || null
    const unnamed = numero === null && found === null
    const before = unnamed ? undefined : known(numero, found, at)
    const isNew = unnamed ? nameColumn === undefined || at === -1 : before === undefined
    if (before !== undefined) at = before
    if (isNew) {
      at = draft.tratamentos.length
      const treatment = { ...emptyTreatment(), numero, nome: found }
      draft.tratamentos.push(treatment)
      if (nameColumn) {
        draft.places.set(`tratamentos.${at}.nome`, placeOf(row, nameColumn))
        tell(draft, placeOf(row, nameColumn), readField(nameColumn, row.celulas[nameColumn.index], plan))
      }
    }
    readTreatmentRow(draft, at, row, columns, plan, isNew)
    const treatment = draft.tratamentos[at]
    if (treatment && treatment.nome === null && nameColumn === undefined)
      treatment.nome = treatment.produtos_aplicados[0]?.nome ?? `T${at + 1}`
  }
}

/** Treatments stand in the order of the sheet that has their yields, wherever that sheet stands. */
function treatmentsFirst(rows: readonly SheetRow[], { forma, colunas }: ImportPlan): readonly SheetRow[] {
  if (forma !== 'folhas') return rows
  const yields = colunas.find(({ campo }) => campo === 'tratamento.produtividade')?.folha
  return [...rows].sort((a, b) => Number(b.folha === yields) - Number(a.folha === yields))
}

/** A treatment's name as names are compared. */
export const plainName = (name: unknown): string | null =>
  typeof name === 'string' ? searchable(name.slice(0, 300)) : null

/**
 * Says which treatment of the draft a row is of: the one of its number, else the only one that is called so, else
 * the one whose number stands where others have names.
 */
function knownTreatments({ tratamentos }: TrialDraft) {
  const at = (fits: (one: DraftTreatment) => boolean) => {
    const place = tratamentos.findIndex(fits)
    return place === -1 ? undefined : place
  }
  return (numero: number | null, nome: string | null, current: number): number | undefined => {
    const byNumber = (number: number | null) =>
      number === null ? undefined : at((one) => one.numero === number)
    if (numero !== null) return byNumber(numero)
    const name = plainName(nome)
    const alike = (one: DraftTreatment | undefined) => one !== undefined && plainName(one.nome) === name
    if (alike(tratamentos[current])) return current
    return at(alike) ?? byNumber(treatmentNumber(nome))
  }
}

/** '2', 'T2' */
function treatmentNumber(cell: WorkbookCell | undefined): number | null {
  const [, digits] = /^T? ?0*([1-9]\d{0,2})$/i.exec(textOf(cell).slice(0, 8)) ?? []
  return digits === undefined ? null : Number(digits)
}

/** A number alone is the treatment's: '1' is 'T1'. */
function treatmentName(cell: WorkbookCell | undefined): string | null {
  if (isAbsent(cell)) return null
  const text = textOf(cell)
  return text === '' ? null : /^\d{1,3}$/.test(text) ? `T${Number(text)}` : text
}

function readTreatmentRow(
  draft: TrialDraft,
  at: number,
  row: SheetRow,
  columns: readonly PlanColumn[],
  plan: ImportPlan,
  isNew: boolean,
): void {
  const treatment = draft.tratamentos[at]
  if (!treatment) return
  if (plan.forma === 'parcelas') draft.parcelas.push(plotOf(draft, at, row, columns, plan))
  for (const column of columns) {
    const part = column.campo.startsWith('tratamento.') ? column.campo.slice(11) : null
    if (part === null || part === 'nome' || !PLAIN.has(part)) continue
    if (plan.forma === 'parcelas' && part === 'produtividade') continue
    if (!isNew && isAbsent(row.celulas[column.index])) continue
    const path = `tratamentos.${at}.${part}`
    const before = treatment[part as Plain]
    const value = read(draft, row, column, plan, path)
    if (before === null) treatment[part as Plain] = value
    else if (value !== null && !same(before, value))
      draft.problemas.push(
        problemAt(placeOf(row, column), 'erro', 'Outra linha do mesmo tratamento diz outra coisa'),
      )
  }
  const products = new Map<number, PlanColumn[]>()
  for (const column of columns) {
    const [, number = '1'] = /^produto\.(?:(\d{1,2})\.)?\w+$/.exec(column.campo) ?? ['', null]
    if (number !== null) products.set(Number(number), [...(products.get(Number(number)) ?? []), column])
  }
  for (const [, of] of [...products].sort(([a], [b]) => a - b))
    addProduct(draft, treatment, at, row, of, plan)
  if (plan.forma === 'parcelas') return
  const triple = (part: string) => columns.find(({ campo }) => campo === `analise.${part}`)
  const [name, value, unit] = [triple('nome'), triple('valor'), triple('unidade')]
  if (name && value && !isAbsent(row.celulas[name.index]))
    addAnalysis(
      draft,
      treatment,
      at,
      row,
      value,
      plan,
      textOf(row.celulas[name.index]),
      unit ? textOf(row.celulas[unit.index]) : null,
    )
  for (const column of columns)
    if (column.campo.startsWith('analise.') && column !== name && column !== value && column !== unit)
      addAnalysis(draft, treatment, at, row, column, plan, column.campo.slice(8))
}

function addAnalysis(
  draft: TrialDraft,
  treatment: DraftTreatment,
  at: number,
  row: SheetRow,
  column: PlanColumn,
  plan: ImportPlan,
  nome: string,
  unidade: string | null = null,
): void {
  if (isAbsent(row.celulas[column.index])) return
  const already = treatment.analises_adicionais.find((one) => same(one.nome, nome))
  if (already && column.campo !== 'analise.valor') {
    if (!same(already.valor, readField(column, row.celulas[column.index], plan).value))
      draft.problemas.push(
        problemAt(placeOf(row, column), 'erro', 'Outra linha do mesmo tratamento diz outra coisa'),
      )
    return
  }
  const path = `tratamentos.${at}.analises_adicionais.${treatment.analises_adicionais.length}.valor`
  const valor = read(draft, row, column, plan, path)
  treatment.analises_adicionais.push({ nome, valor, unidade: unidade ?? column.unidade ?? '' })
}

/** One product of a row: a control has none, whatever is written for that. */
function addProduct(
  draft: TrialDraft,
  treatment: DraftTreatment,
  at: number,
  row: SheetRow,
  columns: readonly PlanColumn[],
  plan: ImportPlan,
): void {
  const column = (part: string) => columns.find(({ campo }) => campo.endsWith(`.${part}`))
  const cell = (of: PlanColumn | undefined) => (of ? row.celulas[of.index] : undefined)
  const [name, dose, unit, cost] = [column('nome'), column('dose'), column('unidade'), column('custo')]
  const nameText = textOf(cell(name))
  const isNone =
    isAbsent(cell(name)) ||
    isControlName(nameText) ||
    /^(sem|nenhum|nao|0$)/.test(searchable(nameText.slice(0, 40)))
  const isIdle = (of: PlanColumn | undefined) => isAbsent(cell(of)) || /^0([.,]0+)?\b/.test(textOf(cell(of)))
  if (isNone && isIdle(dose) && isIdle(cost)) return
  const index = treatment.produtos_aplicados.length
  const path = (part: string) => `tratamentos.${at}.produtos_aplicados.${index}.${part}`
  const value = (of: PlanColumn | undefined, part: string) =>
    of ? read(draft, row, of, plan, path(part)) : null
  const product: DraftProduct = {
    nome: value(name, 'nome'),
    dose: null,
    unidade: null,
    custo: value(cost, 'custo'),
  }
  if (dose) {
    const held = cell(dose)
    const told = typeof held === 'string' ? partDose(held) : { amount: null, unit: null }
    // '2 a 3' is no amount with a unit.
    const parts =
      told.unit && /^(?:a|e|ou|até|ate)\s*\d/i.test(told.unit) ? { amount: null, unit: null } : told
    const bare = parts.unit === null ? row : { ...row, celulas: row.celulas.with(dose.index, parts.amount) }
    product.dose = read(draft, bare, dose, plan, path('dose'))
    const stated = parts.unit ?? (isAbsent(cell(unit)) ? dose.unidade : textOf(cell(unit)))
    if (stated && product.dose !== null) {
      product.unidade = doseUnit(stated) ?? stated
      const from = parts.unit === null && unit ? unit : dose
      draft.places.set(path('unidade'), placeOf(row, from))
      const beside = parts.unit === null || !unit || isAbsent(cell(unit)) ? null : textOf(cell(unit))
      if (beside !== null && unit && (doseUnit(beside) ?? beside) !== product.unidade)
        draft.problemas.push(
          problemAt(
            placeOf(row, unit),
            'aviso',
            `A dose diz “${product.unidade}” e esta coluna “${beside.slice(0, 40)}”: vale o que a dose diz.`,
          ),
        )
    }
  }
  // Of plots, or of several variables of a treatment: each row names again what was applied once.
  const again = treatment.produtos_aplicados.some((other) =>
    (['nome', 'dose', 'unidade', 'custo'] as const).every((part) => same(other[part], product[part])),
  )
  // Of our own export each row is told once: the same product twice was applied twice.
  const exported = plan.colunas.some(
    ({ campo, folha, index: own }) => campo === 'id' && folha === row.folha && !isAbsent(row.celulas[own]),
  )
  if (again && plan.forma !== 'larga' && (plan.forma === 'parcelas' || !exported)) {
    if (plan.forma !== 'parcelas' && name)
      draft.problemas.push(problemAt(placeOf(row, name), 'aviso', REPEATED))
    return
  }
  treatment.produtos_aplicados.push(product)
}

const REPEATED = 'O produto já está neste tratamento com a mesma dose: esta linha não o repete.'

function plotOf(
  draft: TrialDraft,
  at: number,
  row: SheetRow,
  columns: readonly PlanColumn[],
  plan: ImportPlan,
): DraftPlot {
  const value = (campo: string): Value => {
    const column = columns.find((one) => one.campo === campo)
    if (!column || isAbsent(row.celulas[column.index])) return null
    if (campo === 'tratamento.produtividade')
      return read(draft, row, column, plan, `parcelas.${row.linha}.produtividade`)
    return textOf(row.celulas[column.index])
  }
  const yields = value('tratamento.produtividade')
  return {
    linha: row.linha,
    tratamento: at + 1,
    bloco: value('parcela.bloco'),
    numero: value('parcela.numero'),
    fila: value('parcela.linha'),
    coluna: value('parcela.coluna'),
    area: value('parcela.area'),
    produtividade: typeof yields === 'number' ? yields : null,
    analises: columns.flatMap((column) => {
      if (!column.campo.startsWith('analise.')) return []
      const read = readField(column, row.celulas[column.index], plan)
      tell(draft, placeOf(row, column), read)
      return [
        {
          nome: column.campo.slice(8),
          unidade: column.unidade ?? '',
          valor: typeof read.value === 'number' ? read.value : null,
        },
      ]
    }),
  }
}
