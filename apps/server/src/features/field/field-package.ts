import { createHash } from 'node:crypto'
import {
  DESIGN_NAMES,
  type Experiment,
  type FieldPackage,
  type KeptChange,
  type OpenConflict,
  type ParkedChange,
  rightTime,
  variableLabel,
} from '@ensaio/domain'
import type { KeptRow, OpenCell, TakenSheet } from '../trials/trials.service.ts'

/** When an entry was, where its phone's clock was wrong. */
function rightTimeOf({ quando, extra }: { quando: Date | string; extra: KeptRow['extra'] }): {
  hora_certa?: string
} {
  const right = rightTime(quando, extra?.desvio_ms)
  return right === null ? {} : { hora_certa: right }
}

/** An entry as phones are told of it. */
export const presentChange = (row: KeptRow, names: ReadonlyMap<string, string | null>): KeptChange => ({
  ...{ id: row.id, origem: row.origem, aparelho: row.aparelho, seq: row.seq, nome: row.coletor },
  ...{ tipo: row.tipo, parcela: row.parcela, variavel: row.variavel, avaliacao: row.avaliacao },
  ...{ amostra: row.amostra, valor: row.valor, motivo: row.motivo, base: row.base },
  ...{ quando: row.quando.toISOString(), confirmado: row.confirmado },
  ...rightTimeOf(row),
  ...(row.fora && { fora: true }),
  quem: names.get(row.pessoa_id ?? '') ?? null,
  ...{ recebido_em: row.recebido_em.toISOString(), estado: row.estado, revisao: row.revisao },
  encerrado: row.encerrado,
})

/** An entry without a place, as it can be read without the trial. */
export function presentParked(row: KeptRow, names: ReadonlyMap<string, string | null>): ParkedChange {
  const { razao, rotulos, como_veio } = (row.extra ?? {}) as {
    razao?: string
    rotulos?: ParkedChange['rotulos']
    como_veio?: unknown
  }
  return {
    ...presentChange(row, names),
    razao: como_veio === undefined ? (razao ?? null) : 'Feito por uma versão mais nova do aplicativo',
    rotulos: rotulos ?? { parcela: null, variavel: null, avaliacao: null },
  }
}

/** Two values of one cell, so that whoever decides can read both. */
export const presentConflict = (
  { row, plot, variable, date, atual, by }: OpenCell,
  names: ReadonlyMap<string, string | null>,
): OpenConflict => ({
  ...presentChange(row, names),
  rotulos: {
    parcela: String(plot.numero),
    variavel: variableLabel(variable),
    avaliacao: date?.nome ?? null,
  },
  formato: { tipo: variable.tipo, casas: variable.casas ?? null },
  atual: {
    ...{ id: atual.id, valor: atual.valor, motivo: atual.motivo },
    quem: by ? (by.coletor ?? names.get(by.pessoa_id ?? '') ?? null) : null,
    quando: by?.quando ?? null,
    ...(by && rightTimeOf(by)),
  },
})

/** What a trial is called on a phone: 'Soja · Cerrado Pesquisa · Rio Verde · 2024'. */
export const trialName = ({
  cultura,
  consultoria,
  cidade,
  ano,
}: Pick<Experiment, 'cultura' | 'consultoria' | 'cidade' | 'ano'>): string =>
  [cultura, consultoria, cidade, String(ano)].join(' · ')

/** A trial for a phone: what stands, by whom, and what is open. No cost, return or report is in it. */
export function packageOf(
  experiment: Experiment,
  { sheet, columns, current, before, open, last, blind, blocks }: TakenSheet,
  names: ReadonlyMap<string, string | null>,
  lettered: Letters,
): FieldPackage {
  const idOf = (items: readonly { chave: string; id: string }[], key: string | null) =>
    items.find(({ chave }) => chave === key)?.id ?? null
  // Blind, nothing of the order in which treatments were written down is left either.
  const rows = sheet.parcelas.map((_, row) => row)
  if (blind) rows.sort((a, b) => (sheet.parcelas[a]?.numero ?? 0) - (sheet.parcelas[b]?.numero ?? 0))
  const earlier = new Map(before.map((row) => [row.id, row]))
  const antes = (base: string | null) => {
    const row = earlier.get(base ?? '')
    return row && { antes: { tipo: row.tipo, valor: row.valor, motivo: row.motivo } }
  }
  const letters = blind ? lettered(sheet.tratamentos.map(({ numero }) => numero)) : null
  const numbers = new Map(sheet.variaveis.map(({ chave, id }) => [chave, id]))
  return {
    id: experiment.id,
    versao: sheet.versao,
    estrutura: structureOf(sheet),
    nome: trialName(experiment),
    ...{ cultura: experiment.cultura, cidade: experiment.cidade, estado: experiment.estado },
    delineamento: DESIGN_NAMES[sheet.delineamento],
    cursor: String(last),
    ...(blocks.length > 0 && { blocos: blocks }),
    ...(sheet.norte != null && { norte: sheet.norte }),
    parcelas: rows
      .flatMap((row) => sheet.parcelas[row] ?? [])
      .map((plot) => ({
        ...{ id: plot.id, numero: plot.numero, codigo: plot.codigo, bloco: plot.bloco },
        ...{
          linha: plot.linha,
          coluna: plot.coluna,
          tratamento: letters?.get(plot.tratamento) ?? `T${plot.tratamento}`,
        },
        nome: letters ? null : (experiment.tratamentos[plot.tratamento - 1]?.nome ?? null),
      })),
    variaveis: sheet.variaveis,
    avaliacoes: sheet.avaliacoes,
    exclusoes: sheet.exclusoes.map(({ parcela, variavel, avaliacao, motivo }) => ({
      ...{ parcela, variavel, avaliacao, motivo },
    })),
    valores: columns.map(({ variavel, avaliacao, valores, textos, registros }) => ({
      variavel: numbers.get(variavel) ?? variavel,
      avaliacao: idOf(sheet.avaliacoes, avaliacao),
      valores: rows.map((row) => textos?.[row] ?? valores[row] ?? null),
      registros: rows.map((row) => registros[row] ?? null),
    })),
    autores: Object.fromEntries(
      current.map((row) => [
        row.id,
        {
          quem: row.coletor ?? names.get(row.pessoa_id ?? '') ?? null,
          quando: row.quando.toISOString(),
          ...rightTimeOf(row),
          ...{ aparelho: row.aparelho, seq: row.seq, motivo: row.motivo },
          ...(row.confirmado && { confirmado: true }),
          ...(row.fora && { fora: true }),
          ...antes(row.base),
        },
      ]),
    ),
    conflitos: open.map((row) => presentChange(row, names)),
  }
}

/** What a phone shows of a sheet besides its values, in short: where it is another, the trial changed at home. */
export const structureOf = ({
  parcelas,
  variaveis,
  avaliacoes,
  exclusoes,
  norte,
}: Pick<TakenSheet['sheet'], 'parcelas' | 'variaveis' | 'avaliacoes' | 'exclusoes' | 'norte'>): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        parcelas.map(({ id, numero, bloco, linha, coluna, tratamento }) => [
          ...[id, numero, bloco, linha, coluna, tratamento],
        ]),
        ...[variaveis, avaliacoes],
        exclusoes.map(({ parcela, variavel, avaliacao }) => [parcela, variavel, avaliacao]),
        // One that nobody told changes no package of before.
        ...(norte == null ? [] : [norte]),
      ]),
    )
    .digest('base64url')
    .slice(0, 16)

/** Which letter is which treatment, by its number. */
export type Letters = (numbers: readonly number[]) => Map<number, string>

/**
 * A, B … Z, AA …: the same for a trial whenever it is asked, and in no order that tells anything: without the server's
 * secret nobody makes it.
 */
export function lettersOf(
  experiment: string,
  numbers: readonly number[],
  mac: (purpose: string, text: string) => Buffer,
): Map<number, string> {
  const mixed = new Map(
    numbers.map((numero) => [numero, mac('blind', `${experiment} ${numero}`).toString('hex')]),
  )
  const order = [...numbers].sort((a, b) => ((mixed.get(a) ?? '') < (mixed.get(b) ?? '') ? -1 : 1))
  return new Map(order.map((numero, at) => [numero, letterAt(at)]))
}

const letterAt = (at: number): string =>
  (at < 26 ? '' : letterAt(Math.floor(at / 26) - 1)) + String.fromCharCode(65 + (at % 26))
