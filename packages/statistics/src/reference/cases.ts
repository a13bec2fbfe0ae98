import { readFileSync } from 'node:fs'
import { progressPerPlot } from '../progress.ts'
import type { RebuiltInput } from '../rebuilt.ts'
import type { AnalysisOptions, Design, FactorKey, TrialInput } from '../result.ts'

/** A case file: the sheet of a trial and what each query must give. */
export interface Case {
  id: string
  experimento: {
    tratamentos: { nome: string; produtividade?: number }[]
    estatistica_informada?: { delineamento: Design; repeticoes: number; cv: number; cv_casas: number }
  }
  parcelas?: Sheet
  consultas: { consulta: Query | []; esperado: { analise: Record<string, unknown> } }[]
}

interface Sheet {
  delineamento: Design
  testemunha: number | null
  fatores: { chave: FactorKey; tipo: 'qualitativo' | 'quantitativo' }[]
  tratamentos: { numero: number; nome: string; niveis: Partial<Record<FactorKey, string>> | null }[]
  variaveis: { chave: string; maior_melhor: boolean | null }[]
  avaliacoes: { chave: string; data: string }[]
  parcelas: TrialInput['parcelas']
  valores: { variavel: string; avaliacao: string | null; valores: (number | null)[] }[]
}

interface Query {
  variavel: string
  avaliacao?: string
  agregacao?: string
  transformacao?: AnalysisOptions['transformacao']
  lambda?: number
  covariavel?: string
  eficacia?: AnalysisOptions['eficacia']
  avaliacao_previa?: string
  preco_insumo?: number
  preco_produto?: number
}

export function readCase(name: string): Case {
  return JSON.parse(readFileSync(new URL(`./cases/${name}.json`, import.meta.url), 'utf8')) as Case
}

/** A case of several trials, or of their economics: what each query must give stands under its own key. */
export interface ManyCase {
  experimento?: ManyCase['experimentos'][number]['experimento']
  parcelas?: Sheet
  experimentos: {
    ambiente?: string
    experimento: {
      regional?: string
      teor_argila?: number
      tratamentos: { nome: string; produtos?: string[]; produtividade?: number; custo?: number }[]
      estatistica_informada?: { delineamento: Design; repeticoes: number; cv: number; cv_casas: number }
    }
    parcelas?: Sheet
  }[]
  consultas: { consulta: Record<string, string | number>; esperado: Record<string, unknown> }[]
}

export function readManyCase(name: string): ManyCase {
  return readReference(`cases-many/${name}`) as ManyCase
}

/** A file of this folder, as it stands. */
export function readReference(path: string): unknown {
  return JSON.parse(readFileSync(new URL(`./${path}.json`, import.meta.url), 'utf8'))
}

/** The sheet as numbers and tags for one query, as a caller of the package would put it. */
export function trialOf(sheet: Sheet, query: Query): { trial: TrialInput; options: AnalysisOptions } {
  const column = (variavel: string, avaliacao: string | null): (number | null)[] => {
    const found = sheet.valores.find((v) => v.variavel === variavel && v.avaliacao === avaliacao)
    if (!found) throw new Error(`no values of ${variavel}`)
    return found.valores
  }
  // The sheet's own numbering of its treatments (T2 for the first) stands in the answer.
  const coded = sheet.tratamentos.every((t) => /^T\d+$/.test(t.nome))
  const trial: TrialInput = {
    delineamento: sheet.delineamento,
    testemunha: sheet.testemunha,
    fatores: sheet.fatores.map(({ chave, tipo }) => ({ chave, tipo })),
    tratamentos: sheet.tratamentos.map(({ numero, nome, niveis }) => ({
      numero,
      niveis,
      ...(coded ? { codigo: nome } : {}),
    })),
    parcelas: sheet.parcelas,
    y: [],
  }
  if (query.agregacao === 'aacpd') {
    const days = sheet.avaliacoes.map((a) => Date.parse(a.data) / 86_400_000)
    const area = progressPerPlot(
      days,
      sheet.avaliacoes.map((a) => column(query.variavel, a.chave)),
    )
    if (!area) throw new Error('no progress')
    trial.y = area.y
    trial.progresso = { duracao: area.duracao, avaliacoes: area.avaliacoes }
  } else trial.y = column(query.variavel, query.avaliacao ?? null)
  if (query.covariavel) trial.covariavel = column(query.covariavel, null)
  if (query.avaliacao_previa) trial.previa = column(query.variavel, query.avaliacao_previa)
  const better = sheet.variaveis.find((v) => v.chave === query.variavel)?.maior_melhor ?? null
  const options: AnalysisOptions = { maior_melhor: better }
  if (query.transformacao) options.transformacao = query.transformacao
  if (query.lambda !== undefined) options.lambda = query.lambda
  if (query.eficacia) options.eficacia = query.eficacia
  if (query.preco_insumo !== undefined && query.preco_produto !== undefined) {
    options.relacao_preco = query.preco_insumo / query.preco_produto
  }
  return { trial, options }
}

/** What the report of a case without plots prints. */
export function reportOf(item: Case): RebuiltInput {
  const said = item.experimento.estatistica_informada
  if (!said) throw new Error('no report')
  return {
    ...said,
    testemunha: 'T1',
    medias: item.experimento.tratamentos.map((t, i) => ({
      nivel: `T${i + 1}`,
      media: t.produtividade ?? null,
    })),
  }
}
