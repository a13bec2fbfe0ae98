import type { ExperimentFilter, ExperimentSummary } from '@ensaio/domain'

type Named = Pick<ExperimentSummary, 'id' | 'nome'>

/** What is opened or handed to another organisation. */
export type ShareTarget =
  | { kind: 'experiment'; experiment: Named }
  | { kind: 'list'; experiments: readonly Named[] }
  | { kind: 'filter'; filter: ExperimentFilter }
  | { kind: 'collection'; id: string; nome: string; n: number }
  | { kind: 'all' }
