import { openCounts } from './advice-answers.ts'
import { type Finding, placeKey } from './advice-facts.ts'
import { keptCounts, levelOfKept } from './advice-level.ts'
import { agedSource, sourceOf } from './advice-table.ts'
import type { Quality, QualityFinding } from './contract-quality.ts'

/** Findings as they are told, each with its source and what a person answered. */
export function qualityOf(
  findings: readonly Finding[],
  {
    today,
    versao,
    resposta,
  }: { today: string; versao: number; resposta(of: Finding): QualityFinding['resposta'] },
): Quality {
  const told = findings.map((finding) => ({ finding, resposta: resposta(finding) }))
  const open = keptCounts(openCounts(told.flatMap(({ finding, resposta }) => (resposta ? [] : [finding]))))
  return {
    nivel: levelOfKept(open),
    apontamentos_abertos: open,
    regras_versao: versao,
    faixa_propria: null,
    apontamentos: told.map(({ finding: { codigo, peso, onde, texto, valor, fonte }, resposta }) => {
      const { titulo, endereco, lido_em, data } = sourceOf(fonte)
      return {
        ...{ codigo, peso, onde, texto, valor, lugar: placeKey(onde), resposta },
        fonte: { titulo, endereco, lido_em, antiga: agedSource({ data }, today) },
      }
    }),
  }
}
