import type { ReportTable } from './analysis-table.ts'
import type { Experiment } from './experiment.ts'

/** What a report consists of, whatever file it becomes; texts are plain, numbers are written as they are read. */
export type ReportBlock =
  | { tipo: 'titulo'; texto: string; nivel: 1 | 2 }
  | { tipo: 'texto'; texto: string; forte?: boolean }
  | { tipo: 'ficha'; linhas: [rotulo: string, valor: string][] }
  | ({
      tipo: 'tabela'
      fonte: string
      /** Where the first cell of each row leads. */
      enderecos?: readonly (string | null)[]
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
      barras: { nome: string; valor: number; texto: string; testemunha: boolean }[]
      fonte: string
    }

export interface TrialReport {
  titulo: string
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
