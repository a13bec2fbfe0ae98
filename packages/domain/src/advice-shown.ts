import { openCounts } from './advice-answers.ts'
import { type Finding, placeKey } from './advice-facts.ts'
import { keptCounts, levelOfKept } from './advice-level.ts'
import { ADVICE_SOURCES, ADVICE_VERSION, agedSource } from './advice-table.ts'
import type { Quality, QualityFinding } from './contract-quality.ts'

/** Findings as they are told, each with its source and what a person answered. */
export function qualityOf(
  findings: readonly Finding[],
  { today, resposta }: { today: string; resposta(of: Finding): QualityFinding['resposta'] },
): Quality {
  const told = findings.map((finding) => ({ finding, resposta: resposta(finding) }))
  const open = keptCounts(openCounts(told.flatMap(({ finding, resposta }) => (resposta ? [] : [finding]))))
  return {
    nivel: levelOfKept(open),
    apontamentos_abertos: open,
    regras_versao: ADVICE_VERSION,
    apontamentos: told.map(({ finding: { codigo, peso, onde, texto, valor, fonte }, resposta }) => {
      const { titulo, endereco, lido_em, data } = ADVICE_SOURCES[fonte]
      return {
        ...{ codigo, peso, onde, texto, valor, lugar: placeKey(onde), resposta },
        fonte: { titulo, endereco, lido_em, antiga: agedSource({ data }, today) },
      }
    }),
  }
}
