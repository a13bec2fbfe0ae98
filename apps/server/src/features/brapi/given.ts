import { allowsSeveral, formatNumber, isDay, limitsOf, readSeveral, type TrialVariable } from '@ensaio/domain'
import type { GivenPlace } from '@ensaio/domain/brapi'
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
  /** Where it was entered. */
  place: GivenPlace | null
  /** Field Book's own name of its record, and of the device. */
  upload: string | null
  device: string
  /** What is wrong with it, in a sentence: it is told once its plot and its variable are known. */
  fault: string | null
}

const LONGEST = 500
const MOST_REFERENCES = 20
/** A mean of samples, as it is given, may have all the digits of a double. */
const NUMBER = /^-?\d{1,15}([.,]\d{1,20})?$/
const DAY = /^(\d{4})-(\d{2})-(\d{2})(T.{0,40})?$/

/** @throws BrapiError that names the record, where it is none */
export function readGiven(one: unknown, at: number): Given {
  if (typeof one !== 'object' || one === null || Array.isArray(one))
    throw new BrapiError(400, `Registro ${at + 1} (?, ?): Não é um registro`)
  let fault: string | null = null
  const wrong = (field: string): null => {
    fault ??= `Valor inválido em ${field}`
    return null
  }
  const given = one as Record<string, unknown>
  const text = (field: string, longest = 200): string | null => {
    const value = given[field]
    if (value === undefined || value === null) return null
    if (typeof value === 'object' || String(value).length > longest || String(value).includes('\0'))
      return wrong(field)
    return String(value)
  }
  const stamp = text('observationTimeStamp', 60)
  const read = stamp === null || stamp === '' ? null : Date.parse(stamp)
  const known = read === null || Math.abs(read) <= 8e15 / 2
  const time = known ? read : wrong('observationTimeStamp')
  const references = given.externalReferences ?? []
  const fits =
    Array.isArray(references) &&
    references.length <= MOST_REFERENCES &&
    JSON.stringify(references).length <= 8000
  const kept = ((fits ? references : wrong('externalReferences')) ?? []).filter(
    (item): item is Record<string, unknown> => typeof item === 'object' && item !== null,
  )
  const from = (source: string): string | null => {
    const found = kept.find(({ referenceSource }) => referenceSource === source)
    const name = found?.referenceId ?? found?.referenceID
    return name == null ? null : String(name).slice(0, 300)
  }
  const words = {
    study: text('studyDbId') || null,
    unit: text('observationUnitDbId'),
    variable: text('observationVariableDbId'),
    value: text('value', LONGEST)?.trim() ?? '',
    time,
    collector: text('collector', 120) || null,
    references: kept,
    place: placeOf(given.geoCoordinates) ?? (given.geoCoordinates == null ? null : wrong('geoCoordinates')),
    upload: from('Field Book Upload'),
    device: from('Field Book Device') ?? '',
  }
  return { ...words, fault }
}

const LONGEST_PLACE = 2000
/** A point or a polygon with its degrees; null for what is none. */
function placeOf(given: unknown): GivenPlace | null {
  if (typeof given !== 'object' || given === null) return null
  const { type, geometry } = given as { type?: unknown; geometry?: Record<string, unknown> | null }
  if (type !== 'Feature' || typeof geometry !== 'object' || geometry === null) return null
  const { type: shape, coordinates } = geometry
  const degrees = (one: unknown): boolean =>
    Array.isArray(one) &&
    one.length >= 2 &&
    one.length <= 3 &&
    one.every((number) => typeof number === 'number' && Number.isFinite(number)) &&
    Math.abs(one[0]) <= 180 &&
    Math.abs(one[1]) <= 90
  const fits =
    shape === 'Point'
      ? degrees(coordinates)
      : shape === 'Polygon' &&
        Array.isArray(coordinates) &&
        coordinates.length > 0 &&
        coordinates.every((ring) => Array.isArray(ring) && ring.length > 3 && ring.every(degrees))
  if (!fits || JSON.stringify(coordinates).length > LONGEST_PLACE) return null
  return { type, geometry: { type: shape, coordinates } }
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
  if (allowsSeveral(variable)) {
    const read = readSeveral(variable, value)
    return 'wrong' in read ? read : { valor: read.text, motivo: null }
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
