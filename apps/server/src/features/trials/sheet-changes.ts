import { formatNumber, type PlotValue, type SheetChange, type TrialSheet } from '@ensaio/domain'
import type { StoredSheet } from './sheets.repository.ts'

/** Cells that a line of the history keeps one by one. */
const MOST_TOLD = 5000
type Told = { antes: SheetChange[] | null; depois: SheetChange[] | null }

export const sameValue = (a: PlotValue, b: PlotValue): boolean =>
  a === b || (Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((x, i) => x === b[i]))

/**
 * What the history says of a save: each cell that is another now, what of the structure is, and who was left out or taken
 * back, item by item in the same order before and after. Of a sheet that came or went, its outline.
 */
export function sheetChanges(before: StoredSheet | null, after: StoredSheet | null): Told {
  if (!before || !after) {
    const outline = (sheet: StoredSheet | null) =>
      sheet && outlineOf(sheet).map(([fato, valor]) => ({ fato, valor }))
    return { antes: outline(before), depois: outline(after) }
  }
  const cells = changedCells(before, after)
  const facts = changedFacts(before, after)
  if (cells.depois.length > MOST_TOLD) {
    const valor = `${formatNumber(cells.depois.length)} valores alterados`
    facts.push({ fato: 'Valores', antes: null, depois: valor })
    cells.antes = []
    cells.depois = []
  }
  return {
    antes: [...cells.antes, ...facts.map(({ fato, antes }) => ({ fato, valor: antes }))],
    depois: [...cells.depois, ...facts.map(({ fato, depois }) => ({ fato, valor: depois }))],
  }
}

/** Cells that are others now, those that went with their plot or column among them. */
function changedCells(
  before: StoredSheet,
  after: StoredSheet,
): { antes: SheetChange[]; depois: SheetChange[] } {
  const changed: { antes: SheetChange[]; depois: SheetChange[] } = { antes: [], depois: [] }
  const places = (sheet: StoredSheet) =>
    new Map(sheet.corpo.parcelas.map(({ numero }, at): [number, number] => [numero, at]))
  const columns = (sheet: StoredSheet) =>
    new Map(sheet.valores.map((column) => [`${column.variavel} ${column.avaliacao ?? ''}`, column]))
  const [oldPlaces, newPlaces] = [places(before), places(after)]
  const [oldColumns, newColumns] = [columns(before), columns(after)]
  const plots = [...new Set([...oldPlaces.keys(), ...newPlaces.keys()])]
  for (const key of new Set([...oldColumns.keys(), ...newColumns.keys()])) {
    const [old, now] = [oldColumns.get(key), newColumns.get(key)]
    const column = now ?? old
    if (!column) continue
    for (const parcela of plots) {
      const was = old?.valores[oldPlaces.get(parcela) ?? -1] ?? null
      const is = now?.valores[newPlaces.get(parcela) ?? -1] ?? null
      if (sameValue(was, is)) continue
      const cell = { parcela, variavel: column.variavel, avaliacao: column.avaliacao }
      changed.antes.push({ ...cell, valor: was })
      changed.depois.push({ ...cell, valor: is })
    }
  }
  return changed
}

type Fact = { fato: string; antes: string | null; depois: string | null }

function changedFacts(before: StoredSheet, after: StoredSheet): Fact[] {
  const now = new Map(outlineOf(after))
  const facts = outlineOf(before).flatMap(([fato, antes]) => {
    const depois = now.get(fato) ?? null
    return antes === depois ? [] : [{ fato, antes, depois }]
  })
  if (placesOf(before) !== placesOf(after))
    facts.push({ fato: 'Croqui', antes: null, depois: 'lugares ou tratamentos das parcelas alterados' })
  const [old, kept] = [exclusionsOf(before), exclusionsOf(after)]
  for (const [fato, antes] of old) if (!kept.has(fato)) facts.push({ fato, antes, depois: null })
  for (const [fato, depois] of kept) {
    const antes = old.get(fato) ?? null
    if (antes !== depois) facts.push({ fato, antes, depois })
  }
  return facts
}

/** The sheet in a few lines, each with its name; the same names in the same order for every sheet. */
function outlineOf({ corpo }: StoredSheet): [string, string | null][] {
  const named = (items: readonly { nome: string }[]) => items.map(({ nome }) => nome).join(', ') || null
  return [
    ['Delineamento', corpo.delineamento],
    ['Testemunha', corpo.testemunha === null ? null : `T${corpo.testemunha}`],
    ['Fatores', named(corpo.fatores)],
    ['Níveis', levelsOf(corpo.tratamentos)],
    ['Número de parcelas', formatNumber(corpo.parcelas.length)],
    ['Variáveis', corpo.variaveis.map(variableText).join(', ') || null],
    ['Avaliações', named(corpo.avaliacoes)],
  ]
}

const levelsOf = (treatments: TrialSheet['tratamentos']): string | null =>
  treatments
    .flatMap(({ numero, niveis }) => (niveis ? [`T${numero}: ${Object.values(niveis).join(' × ')}`] : []))
    .join('; ') || null

const variableText = ({ nome, unidade }: { nome: string; unidade: string }) =>
  unidade ? `${nome} (${unidade})` : nome

/** Where each plot stands and what it got, as one text to compare. */
const placesOf = ({ corpo }: StoredSheet): string =>
  JSON.stringify(
    corpo.parcelas
      .map((plot) => [
        plot.numero,
        plot.tratamento,
        plot.bloco,
        plot.linha,
        plot.coluna,
        plot.parcela_principal,
      ])
      .sort(([a], [b]) => Number(a) - Number(b)),
  )

/** By what was left out, why. */
const exclusionsOf = ({ corpo }: StoredSheet): Map<string, string> =>
  new Map(
    corpo.exclusoes.map(({ parcela, variavel, avaliacao, motivo }) => [
      ['Deixado fora', `parcela ${parcela}`, variavel, avaliacao].filter(Boolean).join(' · '),
      motivo,
    ]),
  )
