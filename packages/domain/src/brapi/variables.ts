import { limitsOf } from '../trial-ranges.ts'
import type { TrialDate } from '../trial-sheet.ts'
import { holdsText, type TrialVariable } from '../trial-variable.ts'
import { BLANK } from './blank.ts'
import { columnId } from './ids.ts'
import type { Told } from './studies.ts'

export type KeptVariable = TrialVariable & { id: string }
export type KeptDate = TrialDate & { id: string }

/** A column of a sheet: a variable, or a variable on a date. */
export interface Column {
  id: string
  variable: KeptVariable
  date: KeptDate | null
  /** Unique in its study: Field Book goes by it. */
  name: string
}

interface Measured {
  variaveis: readonly KeptVariable[]
  avaliacoes: readonly KeptDate[]
  colunas: readonly { variavel: string; avaliacao: string | null }[]
}

/** What a sheet has a variable for and nobody has measured yet: on every date that it has, where it has any. */
function unmeasured({ variaveis, avaliacoes, colunas }: Measured): Measured['colunas'] {
  return variaveis.flatMap(({ chave }): Measured['colunas'] => {
    const held = colunas.filter(({ variavel }) => variavel === chave)
    if (held.some(({ avaliacao }) => avaliacao === null)) return []
    if (avaliacoes.length === 0) return [{ variavel: chave, avaliacao: null }]
    return avaliacoes
      .filter((date) => !held.some(({ avaliacao }) => avaliacao === date.chave))
      .map((date) => ({ variavel: chave, avaliacao: date.chave }))
  })
}

/** The columns that values may stand in; those that follow from others come behind, where they are asked for. */
export function columnsOf(sheet: Measured, { derived = false }: { derived?: boolean } = {}): Column[] {
  const measured = [...sheet.colunas, ...unmeasured(sheet)].flatMap(({ variavel, avaliacao }) => {
    const variable = sheet.variaveis.find(({ chave }) => chave === variavel)
    const date = avaliacao === null ? null : sheet.avaliacoes.find(({ chave }) => chave === avaliacao)
    return variable && date !== undefined && !variable.formula ? [{ variable, date }] : []
  })
  const others = derived
    ? sheet.variaveis.filter(({ formula }) => formula !== null).map((variable) => ({ variable, date: null }))
    : []
  const met = new Map<string, number>()
  return [...measured, ...others].map(({ variable, date }) => {
    const unit = variable.unidade ? ` (${variable.unidade})` : ''
    const name = [`${variable.nome}${unit}`, date?.nome].filter(Boolean).join(' · ')
    const n = (met.get(name) ?? 0) + 1
    met.set(name, n)
    return {
      id: columnId(variable.id, date?.id ?? null),
      variable,
      date,
      name: n > 1 ? `${name} #${n}` : name,
    }
  })
}

const METHODS = {
  medicao: { methodName: 'Medição', methodClass: 'Measurement' },
  contagem: { methodName: 'Contagem', methodClass: 'Counting' },
  avaliacao: { methodName: 'Avaliação visual', methodClass: 'Estimation' },
  calculo: { methodName: 'Cálculo', methodClass: 'Computation' },
} as const
const methodOf = ({ tipo, formula }: KeptVariable) =>
  METHODS[
    formula
      ? 'calculo'
      : tipo === 'contagem'
        ? 'contagem'
        : tipo === 'nota' || tipo === 'percentual'
          ? 'avaliacao'
          : 'medicao'
  ]

export const presentTrait = (variable: KeptVariable, { idOf }: Told) => ({
  ...BLANK.trait,
  attribute: variable.nome,
  traitDbId: idOf('carater', variable.nome, variable.instrucao ?? null),
  traitDescription: variable.instrucao ?? null,
  traitName: variable.nome,
})

export function presentMethod(variable: KeptVariable, { idOf }: Told) {
  const method = methodOf(variable)
  return { ...BLANK.method, ...method, methodDbId: idOf('metodo', method.methodName) }
}

/** Which data type the public schema calls it by. */
const dataTypeOf = (variable: KeptVariable) =>
  variable.tipo === 'data'
    ? 'Date'
    : holdsText(variable)
      ? 'Text'
      : variable.tipo === 'nota' && variable.categorias?.length
        ? 'Ordinal'
        : 'Numerical'

export function presentScale(variable: KeptVariable, { idOf }: Told) {
  const [least, most] = holdsText(variable) ? [null, null] : limitsOf(variable)
  const dataType = dataTypeOf(variable)
  const categories = (dataType === 'Ordinal' ? (variable.categorias ?? []) : []).map(({ valor, rotulo }) => ({
    label: rotulo,
    value: String(valor),
  }))
  const decimalPlaces = variable.tipo === 'contagem' ? 0 : (variable.casas ?? null)
  const text = (limit: number | null) => (limit === null ? null : String(limit))
  const units = variable.unidade || (variable.tipo === 'percentual' ? '%' : null)
  return {
    ...BLANK.scale,
    ...{ dataType, decimalPlaces, units, scaleName: units ?? variable.nome },
    scaleDbId: idOf('escala', units, dataType, decimalPlaces, least, most, JSON.stringify(categories)),
    validValues: {
      ...{ categories, max: whole(most), min: whole(least) },
      ...{ maximumValue: text(most), minimumValue: text(least) },
    },
  }
}
const whole = (limit: number | null) => (limit !== null && Number.isInteger(limit) ? limit : null)

export function presentVariable(column: Column, { crop, told }: { crop: string; told: Told }) {
  const { variable, date } = column
  const info: Record<string, string> = { variavel: variable.nome }
  if (date) info.avaliacao = date.nome
  if (date?.data) info.data = date.data
  if (variable.esperado_min != null) info.minimo_esperado = String(variable.esperado_min)
  if (variable.esperado_max != null) info.maximo_esperado = String(variable.esperado_max)
  return {
    ...BLANK.variable,
    additionalInfo: info,
    commonCropName: crop,
    observationVariableDbId: column.id,
    observationVariableName: column.name,
    method: presentMethod(variable, told),
    scale: presentScale(variable, told),
    trait: presentTrait(variable, told),
  }
}
