import type { OrganizationRole, Role } from './account-rules.ts'
import { UNDO_MS } from './constants.ts'
import { PROBLEMS } from './problems.ts'

export type Actor = {
  id: string
  /** Decides about accounts and the installation alone. */
  role: Role
  /** The organisation that they act for, and what they are in it. */
  organization: string
  papel: OrganizationRole
  /** The installation is of several organisations: for the wording alone. */
  several?: boolean
  /** The organisation that they act for is closed to changes. */
  closed?: boolean
}
export type Action =
  | 'experiment.read'
  | 'experiment.create'
  | 'experiment.edit'
  | 'experiment.delete'
  | 'experiment.restore'
  | 'experiment.history'
  | 'experiment.embargo'
  | 'plots.edit'
  | 'plots.collect'
  | 'analysis.record'
  | 'prices.edit'
  | 'experiment.share'
  | 'experiment.comment'
  | 'document.delete'
  | 'organization.invite'
  | 'organization.own'
  | 'admin'

export type Decision = { allowed: true } | { allowed: false; reason: string }

const yes: Decision = { allowed: true }
const no = (reason: string): Decision => ({ allowed: false, reason })

/** A trial, or a file that hangs on none; of either only what may be seen is ever asked about. */
type Subject = {
  /** The id of who created it; null when that account was erased. */
  owner: string | null
  /** Whose it is. */
  organization: string
  deleted?: { by: string | null; agoMs: number }
  /** The person is in the trial's field team. */
  team?: boolean
  /** A share lets the asking organisation comment. */
  comments?: boolean
}

export const RECEIVED = 'Este experimento foi recebido de outra organização'
const READERS = 'Leitores não podem alterar experimentos'
const SHARERS = 'Só um gestor ou o dono pode compartilhar'
const OWNERS = 'Só o dono pode fazer isto'
const CLOSED = PROBLEMS['organization.closed'].detail

/** What a person may do to a record that they see; the server enforces it, the web disables the action and says why. */
export function can(actor: Actor | null, action: Action, record?: Subject): Decision {
  if (!actor) return no('Entre na sua conta para continuar')
  const leads = actor.papel === 'dono' || actor.papel === 'gestor'
  switch (action) {
    case 'admin':
      return actor.role === 'admin' ? yes : no('Só um administrador pode fazer isto')
    case 'organization.own':
      return actor.papel === 'dono' ? yes : no(OWNERS)
    case 'organization.invite':
      return leads ? yes : no('Só um gestor ou o dono pode convidar')
    case 'experiment.read':
      return yes
    case 'experiment.create':
      if (actor.closed) return no(CLOSED)
      return actor.papel === 'leitor' ? no(READERS) : yes
    case 'experiment.comment':
      if (received(actor, record) && !record?.comments) return no(RECEIVED)
      return actor.closed ? no(CLOSED) : yes
  }
  if (received(actor, record)) return no(RECEIVED)
  switch (action) {
    case 'experiment.history':
      return yes
  }
  if (actor.closed) return no(CLOSED)
  switch (action) {
    case 'experiment.share':
      return leads ? yes : no(SHARERS)
  }
  if (action === 'plots.collect' && record?.team === true) return yes
  if (actor.papel === 'leitor') return no(READERS)
  if (leads) return yes
  const own = record !== undefined && record.owner !== null && record.owner === actor.id
  if (action === 'experiment.restore') {
    const undoes = record?.deleted?.by === actor.id && record.deleted.agoMs <= UNDO_MS
    return own && undoes ? yes : no(who(actor, 'Só um administrador pode fazer isto', OWNERS))
  }
  return own ? yes : no(NOT_OWN[action](who(actor, 'ou um administrador', ', um gestor ou o dono')))
}

const received = (actor: Actor, record: Subject | undefined): boolean =>
  record !== undefined && record.organization !== actor.organization

const who = (actor: Actor, inOne: string, inSeveral: string): string =>
  actor.several === true ? inSeveral : inOne

const NOT_OWN: Record<
  | 'experiment.edit'
  | 'experiment.delete'
  | 'experiment.embargo'
  | 'document.delete'
  | 'plots.edit'
  | 'plots.collect'
  | 'analysis.record'
  | 'prices.edit',
  (others: string) => string
> = {
  'experiment.edit': (others) => joined(others, 'pode editá-lo'),
  'experiment.delete': (others) => joined(others, 'pode excluí-lo'),
  'experiment.embargo': (others) => joined(others, 'pode embargá-lo'),
  'plots.edit': (others) => joined(others, 'pode alterar as parcelas'),
  'plots.collect': (others) => joined(others, 'pode registrar valores'),
  'analysis.record': (others) => joined(others, 'pode registrar análises'),
  'prices.edit': (others) => joined(others, 'pode alterar os preços'),
  'document.delete': (others) => joined(others, 'pode excluir o documento'),
}
const joined = (others: string, may: string): string =>
  `Só quem criou o experimento${others.startsWith(',') ? '' : ' '}${others} ${may}`
