import { z } from 'zod'
import { ById, endpoint, NeutralAnswer } from './endpoint.ts'

export const ActiveSession = z.object({
  id: z.uuid(),
  created_at: z.string(),
  /** The last time that its tokens were renewed. */
  last_seen_at: z.string(),
  user_agent: z.string().nullable(),
  ip: z.string().nullable(),
  /** The session that asks. */
  current: z.boolean(),
  aal: z.enum(['aal1', 'aal2']),
})
export type ActiveSession = z.output<typeof ActiveSession>

/** A person's own account, beside its profile. */
export const accountsContract = {
  listSessions: endpoint('listSessions', {
    access: 'session',
    summary: 'As próprias sessões ativas',
    status: 200,
    output: z.object({ sessions: z.array(ActiveSession) }),
  }),
  revokeSession: endpoint('revokeSession', {
    access: 'session',
    summary: 'Encerra uma das próprias sessões',
    params: ById,
    status: 204,
  }),
  exportAccount: endpoint('exportAccount', {
    access: 'session',
    summary: 'Tudo o que se guarda sobre a própria conta, em JSON',
    status: 200,
    output: z.record(z.string(), z.unknown()),
  }),
  eraseAccount: endpoint('eraseAccount', {
    access: 'session',
    summary: 'Apaga a própria conta; os experimentos ficam, sem o nome de quem os criou',
    body: z.object({
      currentPassword: z.string().max(1000).optional(),
      /** What becomes of the trials of an organisation that has no other member. */
      espaco: z
        .union([z.strictObject({ destino: z.uuid() }), z.strictObject({ excluir: z.literal(true) })], {
          error: 'Escolha para onde vão os experimentos, ou excluí-los',
        })
        .optional(),
    }),
    status: 200,
    output: NeutralAnswer,
  }),
} as const
