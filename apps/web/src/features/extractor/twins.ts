import type { ExtractedExperiment } from '@ensaio/domain'
import { call } from '../../api/client.ts'
import { sha256 } from '../../api/sha256.ts'

/** What is stored already and looks like this report, one sentence each. */
export type Twins = {
  /** The same bytes: it is the same report. */
  file: readonly string[]
  /** The same house, crop, city and year: it may be another trial. */
  trial: readonly string[]
}
export const NO_TWINS: Twins = { file: [], trial: [] }

export async function findTwins(file: File, data: ExtractedExperiment): Promise<Twins> {
  const [byFile, byTrial] = await Promise.allSettled([sameFile(file), sameTrial(data)])
  const told = (outcome: PromiseSettledResult<string[]>): string[] =>
    outcome.status === 'fulfilled' ? outcome.value : []
  return { file: told(byFile), trial: told(byTrial) }
}

async function sameFile(file: File): Promise<string[]> {
  const hash = await sha256(file)
  if (!hash) return []
  const { documents } = await call('listDocuments', { query: { sha256: hash } })
  return documents.slice(0, 1).map(({ filename }) => `O mesmo arquivo já foi anexado como “${filename}”.`)
}

async function sameTrial({ consultoria, cultura, cidade, ano }: ExtractedExperiment): Promise<string[]> {
  if (!consultoria || !cultura || !cidade || !ano) return []
  const { experimentos } = await call('listExperiments', {
    query: { consultoria, cultura, ano: String(ano), busca: cidade, limit: 20 },
  })
  return experimentos
    .filter((experiment) => experiment.cidade === cidade)
    .slice(0, 1)
    .map(
      ({ nome }) => `Há um experimento da mesma consultoria, cultura, cidade e ano: ${nome}, em ${cidade}.`,
    )
}
