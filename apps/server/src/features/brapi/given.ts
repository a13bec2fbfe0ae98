import { formatNumber, isDay, limitsOf, type TrialVariable } from '@ensaio/domain'
import { BrapiError } from './brapi-error.ts'

/** What another application says of one value. */
export interface Given {
  study: string | null
  unit: string | null
  variable: string | null
  value: string
  /** Milliseconds since 1970; null: it does not say. */
  time: number | null
  collector: string | null
  references: Record<string, unknown>[]
  /** Field Book's own name of its record, and of the device. */
  upload: string | null
  device: string
}

const LONGEST = 500
const MOST_REFERENCES = 20
const NUMBER = /^-?\d{1,15}([.,]\d{1,12})?$/
const DAY = /^(\d{4})-(\d{2})-(\d{2})(T.{0,40})?$/

/** @throws BrapiError that names the record */
export function readGiven(one: unknown, at: number): Given {
  const wrong = (field: string) => new BrapiError(400, `Registro ${at + 1}: valor inválido em ${field}`)
  if (typeof one !== 'object' || one === null || Array.isArray(one))
    throw new BrapiError(400, `Registro ${at + 1}: não é um registro`)
  const given = one as Record<string, unknown>
  const text = (field: string, longest = 200): string | null => {
    const value = given[field]
    if (value === undefined || value === null) return null
    if (typeof value === 'object' || String(value).length > longest || String(value).includes('\0'))
      throw wrong(field)
    return String(value)
  }
  const stamp = text('observationTimeStamp', 60)
  const time = stamp === null || stamp === '' ? null : Date.parse(stamp)
  if (Number.isNaN(time) || (time !== null && Math.abs(time) > 8e15 / 2)) throw wrong('observationTimeStamp')
  const references = given.externalReferences ?? []
  if (
    !Array.isArray(references) ||
    references.length > MOST_REFERENCES ||
    JSON.stringify(references).length > 8000
  )
    throw wrong('externalReferences')
  const kept = references.filter(
    (item): item is Record<string, unknown> => typeof item === 'object' && item !== null,
  )
  const from = (source: string): string | null => {
    const found = kept.find(({ referenceSource }) => referenceSource === source)
    const name = found?.referenceId ?? found?.referenceID
    return name == null ? null : String(name).slice(0, 300)
  }
  return {
    study: text('studyDbId') || null,
    unit: text('observationUnitDbId'),
    variable: text('observationVariableDbId'),
    value: text('value', LONGEST)?.trim() ?? '',
    time,
    collector: text('collector', 120) || null,
    references: kept,
    upload: from('Field Book Upload'),
    device: from('Field Book Device') ?? '',
  }
}

type Read = { valor: number | string | null; motivo: string | null } | { wrong: string }

/** A value for its variable: a number with point or comma, a category by value or label, a day, a text. */
export function readValue(variable: TrialVariable, value: string): Read {
  if (value === '') return { valor: null, motivo: null }
  if (value === 'NA') return { valor: null, motivo: 'nao_avaliada' }
  if (variable.tipo === 'texto') return { valor: value, motivo: null }
  if (variable.tipo === 'data') {
    const day = DAY.test(value) ? value.slice(0, 10) : null
    return day !== null && isDay(day) ? { valor: day, motivo: null } : { wrong: 'Informe a data' }
  }
  const label = variable.categorias?.find(({ rotulo }) => rotulo.toLowerCase() === value.toLowerCase())
  if (label) return { valor: label.valor, motivo: null }
  if (!NUMBER.test(value)) return { wrong: 'Informe um número' }
  const number = Number(value.replace(',', '.'))
  if (variable.tipo === 'nota' && variable.categorias?.length) {
    const known = variable.categorias.some(({ valor }) => valor === number)
    if (!known) return { wrong: 'Esta categoria não existe' }
  }
  const [least, most] = limitsOf(variable)
  if ((least !== null && number < least) || (most !== null && number > most))
    return { wrong: limits(least, most) }
  return { valor: number, motivo: null }
}

const limits = (least: number | null, most: number | null): string =>
  least !== null && most !== null
    ? `O valor deve ficar entre ${formatNumber(least)} e ${formatNumber(most)}.`
    : `O valor deve ser ${formatNumber(least ?? most ?? 0)} ou ${least === null ? 'menos' : 'mais'}.`
