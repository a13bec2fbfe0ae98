import { type Finding, placeKey } from './advice-facts.ts'

/** What a person said of a finding; it holds for the value that was there then. */
export interface AdviceAnswer {
  codigo: string
  lugar: string
  valor: string
}

export const answered = <T extends AdviceAnswer>(
  { codigo, onde, valor }: Pick<Finding, 'codigo' | 'onde' | 'valor'>,
  answers: readonly T[],
): T | null =>
  answers.find((one) => one.codigo === codigo && one.lugar === placeKey(onde) && one.valor === valor) ?? null

/** How many are open: what the light of a trial is made of. */
export interface AdviceCounts {
  problemas: number
  conferir: number
}
export function openCounts(
  findings: readonly Finding[],
  answers: readonly AdviceAnswer[] = [],
): AdviceCounts {
  const open = findings.filter((one) => one.peso !== 'nota' && !answered(one, answers))
  const problemas = open.filter(({ peso }) => peso === 'problema').length
  return { problemas, conferir: open.length - problemas }
}
