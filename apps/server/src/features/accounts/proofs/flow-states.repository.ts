import type { Selectable } from 'kysely'
import type { Handle } from '../../../database/handle.ts'
import { ago, NOW } from '../../../database/now.ts'
import type { DB } from '../../../database/schema.generated.ts'

export type FlowState = Selectable<DB['auth.flow_states']>

export async function insertFlowState(
  handle: Handle,
  flow: Pick<FlowState, 'id' | 'method' | 'code_challenge' | 'redirect_to'> &
    Partial<Pick<FlowState, 'provider' | 'provider_verifier' | 'nonce' | 'linking_user_id'>>,
): Promise<void> {
  await handle
    .insertInto('auth.flow_states')
    .values({
      id: flow.id,
      method: flow.method,
      code_challenge: flow.code_challenge,
      redirect_to: flow.redirect_to,
      provider: flow.provider ?? null,
      provider_verifier: flow.provider_verifier ?? null,
      nonce: flow.nonce ?? null,
      linking_user_id: flow.linking_user_id ?? null,
    })
    .execute()
}

export async function flowState(handle: Handle, id: string): Promise<FlowState | null> {
  const row = await handle
    .selectFrom('auth.flow_states')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

export async function useFlowState(handle: Handle, id: string): Promise<void> {
  await handle.updateTable('auth.flow_states').set({ used_at: NOW }).where('id', '=', id).execute()
}

export async function issueAuthCode(
  handle: Handle,
  { id, userId, code }: { id: string; userId: string; code: string },
): Promise<void> {
  await handle
    .updateTable('auth.flow_states')
    .set({ user_id: userId, auth_code: code, code_issued_at: NOW })
    .where('id', '=', id)
    .execute()
}

/** Takes the code out of use whatever comes of it. */
export async function takeAuthCode(handle: Handle, code: string): Promise<FlowState | null> {
  const row = await handle
    .deleteFrom('auth.flow_states')
    .where('auth_code', '=', code)
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

export async function forgetOldFlows(handle: Handle): Promise<void> {
  await handle.deleteFrom('auth.flow_states').where('created_at', '<', ago('1 day')).execute()
}
