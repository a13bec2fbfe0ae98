import type { Role } from './account-rules.ts'
import { UNDO_MS } from './constants.ts'

export type Actor = { id: string; role: Role }
export type Action =
  | 'experiment.read'
  | 'experiment.create'
  | 'experiment.edit'
  | 'experiment.delete'
  | 'experiment.restore'
  | 'document.delete'
  | 'admin'

export type Decision = { allowed: true } | { allowed: false; reason: string }

const yes: Decision = { allowed: true }
const no = (reason: string): Decision => ({ allowed: false, reason })

/** `owner` is the id of who created it, null when that account was erased; `deleted` is there once it is deleted. */
type Subject = { owner: string | null; deleted?: { by: string | null; agoMs: number } }

/** Who may do what. The server enforces it, the web disables the action and shows the reason. */
export function can(actor: Actor | null, action: Action, record?: Subject): Decision {
  if (!actor) return no('Entre na sua conta para continuar')
  if (actor.role === 'admin') return yes
  switch (action) {
    case 'experiment.read':
    case 'experiment.create':
      return yes
    case 'experiment.edit':
      return owns(actor, record) ? yes : no('Só quem criou o experimento ou um administrador pode editá-lo')
    case 'experiment.delete':
      return owns(actor, record) ? yes : no('Só quem criou o experimento ou um administrador pode excluí-lo')
    case 'document.delete':
      return owns(actor, record)
        ? yes
        : no('Só quem criou o experimento ou um administrador pode excluir o documento')
    case 'experiment.restore': {
      const undoes = record?.deleted?.by === actor.id && record.deleted.agoMs <= UNDO_MS
      return owns(actor, record) && undoes ? yes : no('Só um administrador pode fazer isto')
    }
    case 'admin':
      return no('Só um administrador pode fazer isto')
  }
}

const owns = (actor: Actor, record: Subject | undefined): boolean =>
  record !== undefined && record.owner !== null && record.owner === actor.id
