import { businessUnitName } from './constants.ts'
import type { StoredTreatment } from './experiment.ts'
import { type ExperimentField, eachField } from './experiment-fields.ts'
import { counted, formatCurrency, formatNumber, NO_VALUE, unitBehind } from './format.ts'
import type { ReportedStatistics } from './reported-statistics.ts'
import type { PlotValue } from './trial-sheet.ts'

/** One line of what changed: 'T2 · Produtividade', '1.908', '2.222 kg/ha'. */
export type ChangeLine = { what: string; before: string; after: string }

type Written = { label: string; unit?: string; money?: boolean; decimals?: number; year?: boolean }
const FIELDS: Readonly<Record<string, Written>> = {
  ...eachField((_, field) => writtenAs(field)),
  produtividade_media: { label: 'Produtividade média, calculada', unit: 'kg/ha', decimals: 1 },
  custo_total: { label: 'Custo total, calculado', money: true },
  pdf_filename: { label: 'Documento' },
  estatistica_informada: { label: 'Estatística do relatório' },
  conclusao: { label: 'Conclusão' },
  parcelas: { label: 'Parcelas' },
  precos: { label: 'Preços' },
  importacao: { label: 'Importação' },
  // Of a treatment.
  nome: { label: 'Nome' },
  modalidade: { label: 'Modalidade' },
  produtividade: { label: 'Produtividade', unit: 'kg/ha' },
  custo: { label: 'Custo', money: true },
}
const UNKNOWN: Written = { label: 'Outro dado' }

function writtenAs(field: ExperimentField): Written {
  if (field.type !== 'number') return { label: field.label }
  const { label, unit, coordinate, year } = field
  if (unit === 'R$/ha') return { label, money: true }
  return { label, ...(unit && { unit }), ...(coordinate && { decimals: 6 }), ...(year && { year }) }
}

/** The name of a field as forms and histories show it. */
export const fieldLabel = (field: string): string => (FIELDS[field] ?? UNKNOWN).label

/** What a change of one field of an experiment says to a reader: no keys, units once, treatment by treatment. */
export function changeLines(field: string, before: unknown, after: unknown): ChangeLine[] {
  if (isTreatments(before) && isTreatments(after)) return treatmentLines(before, after)
  if (field === 'estatistica_informada')
    return [line('Estatística do relatório', statisticsText(before), statisticsText(after))]
  if (field === 'parcelas') return plotLines(before, after)
  if (field === 'bu') return [line('Business Unit', unit(before), unit(after))]
  return [lineOf(FIELDS[field] ?? UNKNOWN, before, after)]
}

/** How many plot values one line of the history spells out. */
const SPELT_CELLS = 12
type Cell = { parcela: number; variavel: string; avaliacao: string | null; valor: PlotValue }
type Fact = { fato: string; valor: string | null }
/** A plot's value, or a fact of the sheet's structure, as the history keeps it. */
export type SheetChange = Cell | Fact
const isSheetChanges = (value: unknown): value is SheetChange[] =>
  Array.isArray(value) &&
  value.every((item) => typeof item === 'object' && item !== null && ('parcela' in item || 'fato' in item))
const isCell = (item: SheetChange): item is Cell => 'parcela' in item

/** 'Parcelas: 12 valores alterados', each of them while they are few, and the structure fact by fact. */
function plotLines(before: unknown, after: unknown): ChangeLine[] {
  const [old, now] = [before ?? [], after ?? []]
  if (!isSheetChanges(old) || !isSheetChanges(now))
    return [line('Parcelas', sheetText(before), sheetText(after))]
  const cells = now.filter(isCell)
  const total = line('Parcelas', NO_VALUE, counted(cells.length, 'valor alterado', 'valores alterados'))
  const names = [...new Set([...old, ...now].flatMap((item) => (isCell(item) ? [] : [item.fato])))]
  const fact = (items: readonly SheetChange[], name: string) =>
    items.find((item): item is Fact => !isCell(item) && item.fato === name)?.valor || NO_VALUE
  return [
    ...(cells.length > 0 ? [total] : []),
    ...(cells.length > SPELT_CELLS ? [] : cells).map((cell, at) =>
      line(
        `Parcela ${cell.parcela} · ${[cell.variavel, cell.avaliacao].filter(Boolean).join(', ')}`,
        plotValueText(old.filter(isCell)[at]?.valor ?? null),
        plotValueText(cell.valor),
      ),
    ),
    ...names.flatMap((name) => {
      const [was, is] = [fact(old, name), fact(now, name)]
      return was === is ? [] : [line(`Parcelas · ${name}`, was, is)]
    }),
  ]
}

const sheetText = (value: unknown): string => (typeof value === 'string' && value !== '' ? value : NO_VALUE)
const plotValueText = (value: PlotValue): string =>
  value === null
    ? 'perdida'
    : [value]
        .flat()
        .map((one) => formatNumber(one, 6))
        .join('; ')

/** 'DBC, 4 repetições, CV 6,7%' */
function statisticsText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return NO_VALUE
  const { delineamento, repeticoes, cv, dms } = value as Partial<ReportedStatistics>
  const parts = [
    delineamento,
    repeticoes == null ? null : counted(repeticoes, 'repetição', 'repetições'),
    cv == null ? null : `CV ${formatNumber(cv, 6)}%`,
    dms == null ? null : `DMS ${formatNumber(dms, 4)}`,
  ]
  return parts.filter(Boolean).join(', ') || NO_VALUE
}

const unit = (value: unknown) => (typeof value === 'string' ? businessUnitName(value) : NO_VALUE)
const line = (what: string, before: string, after: string): ChangeLine => ({ what, before, after })

function lineOf(of: Written, before: unknown, after: unknown, within = ''): ChangeLine {
  const suffix = of.money ? '/ha' : unitBehind(of.unit ?? '')
  const [old, next] = [written(of, before), written(of, after)]
  // The unit stands once, behind the last value there is.
  return next === NO_VALUE
    ? line(within + of.label, old === NO_VALUE ? old : old + suffix, next)
    : line(within + of.label, old, next + suffix)
}

function written({ money, decimals = 4, year }: Written, value: unknown): string {
  if (typeof value === 'number')
    return money ? formatCurrency(value) : year ? String(value) : formatNumber(value, decimals)
  return typeof value === 'string' && value !== '' ? value : NO_VALUE
}

/** The server wrote them, by its own schema. */
const isTreatments = (value: unknown): value is StoredTreatment[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null && 'nome' in item)

function treatmentLines(before: readonly StoredTreatment[], after: readonly StoredTreatment[]): ChangeLine[] {
  const pairs = paired(before, after)
  const moved = before.length === after.length
  return pairs.flatMap(({ old, next }) => {
    if (!old && next)
      return [line(`T${next.at + 1} · Tratamento incluído`, NO_VALUE, treatmentText(next.item))]
    if (old && !next) return [line(`T${old.at + 1} · Tratamento retirado`, treatmentText(old.item), NO_VALUE)]
    if (!old || !next) return []
    const within = `T${next.at + 1} · `
    return [
      ...(moved && old.at !== next.at ? [line(`${within}Ordem`, `T${old.at + 1}`, `T${next.at + 1}`)] : []),
      ...(['nome', 'modalidade', 'produtividade', 'custo'] as const)
        .filter((key) => old.item[key] !== next.item[key])
        .map((key) => lineOf(FIELDS[key] ?? UNKNOWN, old.item[key], next.item[key], within)),
      ...itemLines(
        `${within}Produto`,
        old.item.produtos_aplicados,
        next.item.produtos_aplicados,
        productText,
      ),
      ...itemLines(
        `${within}Análise`,
        old.item.analises_adicionais,
        next.item.analises_adicionais,
        analysisText,
      ),
    ]
  })
}

function itemLines<T extends { nome: string }>(
  what: string,
  before: readonly T[],
  after: readonly T[],
  text: (item: T) => string,
): ChangeLine[] {
  return paired(before, after).flatMap(({ old, next }) => {
    const [was, is] = [old ? text(old.item) : NO_VALUE, next ? text(next.item) : NO_VALUE]
    return was === is ? [] : [line(what, was, is)]
  })
}

const treatmentText = ({ nome, produtividade }: StoredTreatment) =>
  `${nome}, ${formatNumber(produtividade, 4)} kg/ha`

const productText = ({ nome, dose, unidade, custo }: StoredTreatment['produtos_aplicados'][number]) =>
  [
    nome,
    dose === null ? null : `${formatNumber(dose, 4)} ${unidade ?? ''}`.trim(),
    custo === null ? null : `${formatCurrency(custo)}/ha`,
  ]
    .filter(Boolean)
    .join(', ')

const analysisText = ({ nome, valor, unidade }: StoredTreatment['analises_adicionais'][number]) =>
  `${nome}: ${withUnitOnce(nome, formatNumber(valor, 4), unidade)}`

/** '43,9' for the analysis 'Índice SPAD' in 'índice SPAD': what the name says already is not said again. */
export const withUnitOnce = (name: string, value: string, unitOfIt: string): string =>
  unitOfIt && unitOfIt.toLowerCase() !== name.toLowerCase() ? `${value} ${unitOfIt}` : value

type Placed<T> = { item: T; at: number }
type Pair<T> = { old: Placed<T> | undefined; next: Placed<T> | undefined }

/** Items that are the same by name, then those left over by their place. */
function paired<T extends { nome: string }>(before: readonly T[], after: readonly T[]): Pair<T>[] {
  const left = before.map((item, at) => ({ item, at }))
  const take = (which: (old: Placed<T>) => boolean) => {
    const at = left.findIndex(which)
    return at < 0 ? undefined : left.splice(at, 1)[0]
  }
  const pairs: Pair<T>[] = after.map((item, at) => ({
    old: take((old) => old.item.nome === item.nome && old.at === at),
    next: { item, at },
  }))
  for (const pair of pairs) pair.old ??= take((old) => old.item.nome === pair.next?.item.nome)
  for (const pair of pairs) pair.old ??= take((old) => old.at === pair.next?.at)
  return [...pairs, ...left.map((old) => ({ old, next: undefined }))]
}
