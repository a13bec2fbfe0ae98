import type { AuditAction } from '@ensaio/domain'
import type { Handle } from '../../../database/handle.ts'

/** A security event. Ids only: no tokens, passwords or addresses. */
export interface AuditEvent {
  action: AuditAction
  actorId?: string | null
  subjectId?: string | null
  ip?: string | null
  details?: Record<string, unknown>
}

export async function recordAudit(handle: Handle, event: AuditEvent): Promise<void> {
  await handle
    .insertInto('auth.audit_log')
    .values({
      action: event.action,
      actor_id: event.actorId ?? null,
      subject_id: event.subjectId ?? null,
      ip: event.ip ?? null,
      details: JSON.stringify(event.details ?? {}),
    })
    .execute()
}
