import type { Evidence } from '@ensaio/domain'
import { createContext, useContext } from 'react'

/** Fields read out of a report with a confidence below the threshold, by path ('tratamentos[0].custo'). */
export const DoubtContext = createContext<ReadonlyMap<string, Evidence>>(new Map())

/** The doubt about a form path ('tratamentos.0.custo'), as a sentence. */
export function useDoubt(path: string): string | undefined {
  const doubt = useContext(DoubtContext).get(path.replace(/\.(\d+)(?=\.|$)/g, '[$1]'))
  return doubt ? `Revisão recomendada: lido como “${doubt.text}” na página ${doubt.page}.` : undefined
}
