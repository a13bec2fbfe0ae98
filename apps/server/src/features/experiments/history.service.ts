import { type Change, ExperimentInput } from '@ensaio/domain'
import type { Wall } from '../../database/wall.ts'
import type { Actor } from '../../http/contract-routes.ts'
import type { AccountsFeature } from '../accounts/accounts.feature.ts'
import type { Experiments } from './experiments.service.ts'
import { changesOf } from './history.repository.ts'

/** Entries, and bytes of what they tell: an entry may hold all treatments twice. */
const HISTORY = { entries: 200, bytes: 4 * 1024 * 1024 }

/** Who changed what of a trial, the latest first. @throws experiment.not_found or permission.denied */
export const createHistory =
  ({
    wall,
    experiments,
    namesOf,
  }: {
    wall: Wall
    experiments: Pick<Experiments, 'authorise'>
    namesOf: AccountsFeature['namesOf']
  }) =>
  async (actor: Actor, id: string): Promise<Change[]> => {
    await experiments.authorise(actor, 'experiment.history', id)
    const rows = await changesOf(wall.for(actor), id, HISTORY)
    const names = await namesOf(
      wall.for(actor),
      rows.flatMap(({ quem }) => quem ?? []),
    )
    return rows.map(({ id, acao, versao, quem, em_nome_de, quando, antes, depois }) => ({
      id,
      acao,
      versao,
      // Before it changed hands: the names of another organisation's people are not told.
      quem: em_nome_de === null ? (names.get(quem ?? '') ?? null) : em_nome_de || null,
      quando: quando.toISOString(),
      campos: inFormOrder(Object.keys(depois ?? {})).map((campo) => ({
        campo,
        antes: antes?.[campo] ?? null,
        depois: depois?.[campo] ?? null,
      })),
    }))
  }
export type History = ReturnType<typeof createHistory>

const FORM_ORDER = Object.keys(ExperimentInput.shape)
/** What the form does not ask, such as the computed values, comes last. */
const inFormOrder = (fields: string[]) => [
  ...FORM_ORDER.filter((field) => fields.includes(field)),
  ...fields.filter((field) => !FORM_ORDER.includes(field)),
]
