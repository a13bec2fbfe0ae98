import { COST_FIELDS, can, type Experiment, type ExperimentSummary } from '@ensaio/domain'
import type { Actor } from '../../http/contract-routes.ts'
import type { StoredExperiment, StoredSummary } from './experiments.repository.ts'

/** A trial as one person sees it: whose it is, what is not shown, and what they may do with it. */
export function presentSummary<T extends StoredSummary>(stored: T, actor: Actor): T & ExperimentSummary {
  const { organizacao_id: id, organizacao_nome: nome, ve_custos, ve_documentos, ve_comentarios } = stored
  const own = id === actor.organization
  const subject = { owner: stored.created_by, organization: id, comments: ve_comentarios }
  const may = (action: Parameters<typeof can>[1]) => can(actor, action, subject).allowed
  return {
    ...stored,
    created_by: own ? stored.created_by : null,
    organizacao: { id, nome: nome ?? '' },
    relacao: own ? 'propria' : 'compartilhada',
    ocultos: ve_custos ? [] : [...COST_FIELDS],
    permissoes: {
      editar: may('experiment.edit'),
      excluir: may('experiment.delete'),
      compartilhar: may('experiment.share'),
      comentar: may('experiment.comment'),
      ver_custos: ve_custos,
      ver_documentos: ve_documentos,
    },
  }
}

/** The same, whole; `creator` is a name that the asking person may read. */
export const presentExperiment = (
  stored: StoredExperiment,
  actor: Actor,
  creator: string | null,
): Experiment => ({
  ...presentSummary(stored, actor),
  created_by_name: stored.organizacao_id === actor.organization ? creator : null,
})
