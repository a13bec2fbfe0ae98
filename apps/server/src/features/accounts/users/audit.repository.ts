import type { AuditAction } from '@ensaio/domain'
import { sql } from 'kysely'
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
  await sql`
    insert into auth.audit_log (action, actor_id, subject_id, ip, details)
    values (
      ${event.action}, ${event.actorId ?? null}, ${event.subjectId ?? null}, ${event.ip ?? null},
      ${JSON.stringify(event.details ?? {})}::jsonb
    )
  `.execute(handle)
}
