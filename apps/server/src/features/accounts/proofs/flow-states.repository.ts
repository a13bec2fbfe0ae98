import { sql } from 'kysely'
import type { Handle } from '../../../database/handle.ts'

export interface FlowState {
  id: string
  user_id: string | null
  auth_code: string | null
  code_issued_at: Date | null
  code_challenge: string | null
  method: string
  provider: string | null
  provider_verifier: string | null
  nonce: string | null
  linking_user_id: string | null
  redirect_to: string | null
  created_at: Date
  used_at: Date | null
}

export async function insertFlowState(
  handle: Handle,
  flow: Pick<FlowState, 'id' | 'method' | 'code_challenge' | 'redirect_to'> &
    Partial<Pick<FlowState, 'provider' | 'provider_verifier' | 'nonce' | 'linking_user_id'>>,
): Promise<void> {
  await sql`
    insert into auth.flow_states
      (id, method, code_challenge, redirect_to, provider, provider_verifier, nonce, linking_user_id)
    values (
      ${flow.id}, ${flow.method}, ${flow.code_challenge}, ${flow.redirect_to}, ${flow.provider ?? null},
      ${flow.provider_verifier ?? null}, ${flow.nonce ?? null}, ${flow.linking_user_id ?? null}
    )
  `.execute(handle)
}

export async function flowState(handle: Handle, id: string): Promise<FlowState | null> {
  const { rows } = await sql<FlowState>`
    select * from auth.flow_states where id = ${id} for update
  `.execute(handle)
  return rows[0] ?? null
}

export async function useFlowState(handle: Handle, id: string): Promise<void> {
  await sql`update auth.flow_states set used_at = now() where id = ${id}`.execute(handle)
}

export async function issueAuthCode(
  handle: Handle,
  { id, userId, code }: { id: string; userId: string; code: string },
): Promise<void> {
  await sql`
    update auth.flow_states set user_id = ${userId}, auth_code = ${code}, code_issued_at = now() where id = ${id}
  `.execute(handle)
}

/** Takes the code out of use whatever comes of it. */
export async function takeAuthCode(handle: Handle, code: string): Promise<FlowState | null> {
  const { rows } = await sql<FlowState>`
    delete from auth.flow_states where auth_code = ${code} returning *
  `.execute(handle)
  return rows[0] ?? null
}

export async function forgetOldFlows(handle: Handle): Promise<void> {
  await sql`delete from auth.flow_states where created_at < now() - interval '1 day'`.execute(handle)
}
