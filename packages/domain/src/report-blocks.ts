import type { ReportTable } from './analysis-table.ts'
import type { Experiment } from './experiment.ts'

/** What a report consists of, whatever file it becomes; texts are plain, numbers are written as they are read. */
export type ReportBlock =
  /** `nova_pagina`: it begins a page. */
  | {
      tipo: 'titulo'
      texto: string
      nivel: 1 | 2
      nova_pagina?: boolean
      /** Where it leads. */
      endereco?: string
      /** By which it is led to: '#' and this. */
      ancora?: string
    }
  | { tipo: 'texto'; texto: string; forte?: boolean }
  | { tipo: 'ficha'; linhas: [rotulo: string, valor: string][] }
  | ({
      tipo: 'tabela'
      fonte: string
      /** Where the first cell of each row leads. */
      enderecos?: readonly (string | null)[]
      /** The last cell of a row that leads into the report itself is the number of the page it leads to. */
      paginas?: boolean
    } & ReportTable)
  | {
      tipo: 'mapa'
      titulo: string
      alternativa: string
      /** Degrees of longitude and latitude, west and south below zero. */
      pontos: (readonly [longitude: number, latitude: number])[]
      fonte: string
    }
  | {
      tipo: 'barras'
      titulo: string
      /** What the figure shows, in words. */
      alternativa: string
      unidade: string
      barras: {
        nome: string
        valor: number
        texto: string
        testemunha: boolean
        /** Standard error of the mean, where plots gave it. */
        erro?: number
      }[]
      fonte: string
    }
  | {
      /** Effects with their intervals, one a line, and what they come to. */
      tipo: 'floresta'
      titulo: string
      alternativa: string
      linhas: ForestLine[]
      resumo: ForestLine | null
      fonte: string
    }

export interface ForestLine {
  nome: string
  /** As they are drawn, all in one unit; null: not known. */
  efeito: number
  baixo: number | null
  alto: number | null
  /** Of all, from 0 to 1; null where it takes no part. */
  peso: number | null
  texto: string
}

export interface TrialReport {
  titulo: string
  /** When the record was last changed, ISO 8601: the file's date, whenever it is made. */
  data: string
  organizacao: string
  /** Null where it is left out. */
  capa: {
    organizacao: string
    documento: string
    nome: string
    linhas: string[]
    rodape: string[]
  } | null
  /** Whether its contents are listed. */
  sumario: boolean
  blocos: ReportBlock[]
  rodape: string
}

/** Numbers tables and figures in the order in which they come. */
export function counterOf({ consultoria }: Experiment) {
  let [tables, figures] = [0, 0]
  return {
    table: () => `Tabela ${++tables}`,
    figure: () => `Figura ${++figures}`,
    source: `Fonte: dados da consultoria ${consultoria}.`,
  }
}
export type Counter = ReturnType<typeof counterOf>
