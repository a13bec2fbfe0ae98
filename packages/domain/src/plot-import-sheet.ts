import type { z } from 'zod'
import { formatNumber, parseNumber, searchable } from './format.ts'
import { outOfRange } from './trial-ranges.ts'
import {
  MOST_DATES,
  MOST_PLOTS,
  MOST_SAMPLES,
  MOST_VALUES,
  MOST_VARIABLES,
  type PlotValue,
  type TrialDesign,
  type TrialSheet,
  type TrialSheetInput,
} from './trial-sheet.ts'
import { holdsText, type TrialVariable } from './trial-variable.ts'

/** A key for a name: 'Altura de plantas' -> 'altura_de_plantas'; with a number behind where it is taken. */
export function keyFor(name: string, taken: ReadonlySet<string>): string {
  const base =
    searchable(name)
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 50) || 'variavel'
  if (!taken.has(base)) return base
  let n = 2
  while (taken.has(`${base}_${n}`)) n++
  return `${base}_${n}`
}

type PlotOf = TrialSheet['parcelas'][number]
export type Places = Record<'parcela' | 'tratamento' | 'bloco' | 'linha' | 'coluna' | 'area', string | null>

export interface Variable {
  name: string
  unit: string | null
}

/** Makes a sheet grow row by row; what a trial has already stays where the file says nothing of it. */
export function sheetBuilder(
  sheet: TrialSheet | null,
  treatments: readonly string[],
  /** The design of a new sheet, where the trial says it. */
  hint: TrialDesign | null = null,
) {
  const plots: PlotOf[] = sheet ? [...sheet.parcelas] : []
  const byNumber = new Map(plots.map((plot, at) => [plot.numero, at]))
  const byPlace = new Map(plots.map((plot, at) => [`${plot.bloco} ${plot.tratamento}`, at]))
  const names = new Map(treatments.map((name, at) => [searchable(name), at + 1]))
  const variables: TrialVariable[] = sheet ? [...sheet.variaveis] : []
  const dates = sheet ? [...sheet.avaliacoes] : []
  const columns = new Map(
    (sheet?.valores ?? []).map((one) => [
      `${one.variavel} ${one.avaliacao ?? ''}`,
      { ...one, valores: [...one.valores] },
    ]),
  )
  const met = new Set<string>()
  // A file names the same few over and over.
  const variablesOf = new Map<string, TrialVariable | null>()
  const wordsOf = new Map<string, TrialVariable | null>()
  const datesOf = new Map<string, string | null>()

  const treatmentOf = (text: string): number | null => {
    const [, digits] = /^t?\s*(\d{1,3})$/i.exec(text) ?? []
    const number = digits === undefined ? names.get(searchable(text)) : Number(digits)
    return number !== undefined && number >= 1 && number <= treatments.length ? number : null
  }
  const whole = (text: string | null): number | null | undefined => {
    if (text === null || text === '') return null
    return /^\d{1,6}$/.test(text) && Number(text) > 0 ? Number(text) : undefined
  }

  const knownOf = ({ name }: Pick<Variable, 'name'>): TrialVariable | undefined => {
    const plain = searchable(name)
    return (
      variables.find((one) => one.chave === name) ?? variables.find((one) => searchable(one.nome) === plain)
    )
  }
  const variableOf = (given: Variable): TrialVariable | null => {
    const { name, unit } = given
    const known = knownOf(given)
    if (known) return known
    if (variables.length === MOST_VARIABLES) return null
    const made: TrialVariable = {
      chave: keyFor(name, new Set(variables.map(({ chave }) => chave))),
      nome: name.slice(0, 80),
      unidade: unit ?? '',
      tipo: unit === '%' ? 'percentual' : 'continua',
      papel: 'resposta',
      maior_melhor: null,
      produtividade:
        /^(produtividade|rendimento)/.test(searchable(name)) &&
        /^kg[ ./]?ha/i.test(unit ?? '') &&
        !variables.some(({ produtividade }) => produtividade),
      escala: null,
      formula: null,
    }
    if (made.produtividade) made.maior_melhor = true
    variables.push(made)
    return made
  }

  const dateOf = (name: string): string | null => {
    const plain = searchable(name)
    const known =
      dates.find((one) => one.chave === name) ?? dates.find((one) => searchable(one.nome) === plain)
    if (known) return known.chave
    if (dates.length === MOST_DATES) return null
    const [, days] = /^(-?\d{1,4})\s*DA/i.exec(name) ?? []
    const iso = /^\d{4}-\d{2}-\d{2}$/.test(name) ? name : null
    const made = {
      chave: keyFor(name, new Set(dates.map(({ chave }) => chave))),
      nome: name.slice(0, 60),
      data: iso,
      daa: days === undefined ? null : Number(days),
      estadio: null,
    }
    dates.push(made)
    return made.chave
  }

  return {
    /** The plot's place in the sheet; null when the row does not say which it is. */
    plot(given: Places, fail: (role: keyof Places, sentence: string) => void): number | null {
      const number = whole(given.parcela)
      if (number === undefined) {
        fail('parcela', `Número de parcela inválido: “${given.parcela?.slice(0, 30)}”`)
        return null
      }
      const [block, row, column] = [whole(given.bloco), whole(given.linha), whole(given.coluna)]
      const known = number === null ? undefined : byNumber.get(number)
      const treatment =
        given.tratamento === null || given.tratamento === '' ? null : treatmentOf(given.tratamento)
      if (
        given.tratamento !== null &&
        treatment === null &&
        (given.tratamento !== '' || known === undefined)
      ) {
        fail('tratamento', `Tratamento desconhecido: “${given.tratamento.slice(0, 60)}”`)
        return null
      }
      if (known !== undefined) {
        if (treatment !== null && plots[known]?.tratamento !== treatment) {
          fail('tratamento', `A parcela ${number} é do tratamento T${plots[known]?.tratamento}`)
          return null
        }
        const held = plots[known]
        if (held)
          plots[known] = {
            ...held,
            linha: held.linha ?? row ?? null,
            coluna: held.coluna ?? column ?? null,
            area_m2: held.area_m2 ?? areaOf(given.area) ?? null,
          }
        const there = held?.bloco ?? null
        if (block !== null && there !== null && block !== there) {
          fail('bloco', `A parcela ${number} é do bloco ${there}`)
          return null
        }
        return known
      }
      if (block === undefined || (given.bloco !== null && block === null)) {
        fail('bloco', 'Informe o número do bloco')
        return null
      }
      if (treatment === null) {
        fail('tratamento', 'Informe o tratamento')
        return null
      }
      const there = number === null ? byPlace.get(`${block} ${treatment}`) : undefined
      if (there !== undefined && block !== null) return there
      const area = areaOf(given.area)
      const areaRead = area !== undefined
      if (row === undefined) fail('linha', 'Informe o número da linha')
      if (column === undefined) fail('coluna', 'Informe o número da coluna')
      if (!areaRead) fail('area', 'Informe a área em m²')
      if (row === undefined || column === undefined || !areaRead) return null
      if (plots.length === MOST_PLOTS) {
        fail('parcela', `Use no máximo ${formatNumber(MOST_PLOTS)} parcelas`)
        return null
      }
      const made: PlotOf = {
        numero: number ?? nextNumber(byNumber),
        tratamento: treatment,
        bloco: block,
        linha: row,
        coluna: column,
        parcela_principal: null,
        area_m2: area ?? null,
        observacao: null,
      }
      byNumber.set(made.numero, plots.length)
      byPlace.set(`${block} ${treatment}`, plots.length)
      plots.push(made)
      return plots.length - 1
    },

    /** A variable of the trial that no number fits. */
    holdsWords({ name }: Variable): boolean {
      const known = cached(wordsOf, name, () => knownOf({ name }) ?? null)
      return known !== null && holdsText(known)
    },

    /** Answers with what is wrong with the value, if anything is. */
    put(
      plot: number,
      variable: Variable,
      date: string | null,
      value: PlotValue,
      more: boolean,
    ): string | null {
      const of = cached(variablesOf, variable.name, () => variableOf(variable))
      if (!of) return `Use no máximo ${MOST_VARIABLES} variáveis`
      const avaliacao = date === null ? null : cached(datesOf, date, () => dateOf(date))
      if (date !== null && avaliacao === null) return `Use no máximo ${MOST_DATES} avaliações`
      if (of.formula) return 'Esta variável é calculada de outras'
      const wrong = outOfRange(of, value)
      if (wrong) return wrong
      if (met.size === MOST_VALUES) return `Um ensaio guarda no máximo ${formatNumber(MOST_VALUES)} valores`
      const key = `${of.chave} ${avaliacao ?? ''}`
      const column = columns.get(key) ?? { variavel: of.chave, avaliacao, valores: [] }
      columns.set(key, column)
      while (column.valores.length <= plot) column.valores.push(null)
      const cell = `${key} ${plot}`
      if (met.has(cell) && !more) return 'Esta parcela está repetida'
      // Rows of one plot are its sub-samples.
      const all = met.has(cell) ? [column.valores[plot] ?? [], value ?? []].flat() : value
      if (Array.isArray(all) && all.length > MOST_SAMPLES)
        return `Use no máximo ${MOST_SAMPLES} repetições na parcela`
      column.valores[plot] = Array.isArray(all) && all.length === 0 ? null : all
      met.add(cell)
      return null
    },

    sheet(): z.input<typeof TrialSheetInput> | null {
      if (plots.length === 0) return null
      const valores = [...columns.values()].map((column) => ({
        ...column,
        valores: plots.map((_, at) => column.valores[at] ?? null),
      }))
      const base = sheet ?? {
        versao: 0,
        delineamento: hint ?? designOf(plots),
        testemunha: 1,
        fatores: [],
        tratamentos: treatments.map((_, at) => ({ numero: at + 1, niveis: null, nome: null })),
        exclusoes: [],
        semente: null,
        croqui: null,
      }
      return {
        ...base,
        variaveis: variables,
        avaliacoes: dates,
        parcelas: plots,
        valores,
      }
    },
  }
}

/** m²; null where none is given, undefined where it is none. */
function areaOf(text: string | null): number | null | undefined {
  const area = text ? parseNumber(text) : null
  return area === null || (typeof area === 'number' && area > 0) ? area : undefined
}

const nextNumber = (taken: ReadonlyMap<number, number>): number => {
  let n = taken.size + 1
  while (taken.has(n)) n++
  return n
}

/** What the places of the plots say of the design. */
function designOf(plots: readonly PlotOf[]): TrialDesign {
  if (plots.every(({ bloco }) => bloco !== null)) return 'DBC'
  if (plots.every(({ linha, coluna }) => linha !== null && coluna !== null)) {
    const side = Math.sqrt(plots.length)
    const square = Number.isInteger(side) && new Set(plots.map(({ tratamento }) => tratamento)).size === side
    if (square) return 'DQL'
  }
  return 'DIC'
}

function cached<T>(of: Map<string, T>, key: string, make: () => T): T {
  const known = of.get(key)
  if (known !== undefined) return known
  const made = make()
  of.set(key, made)
  return made
}
