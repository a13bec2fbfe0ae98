import { z } from 'zod'
import { ById, endpoint, NeutralAnswer } from './endpoint.ts'
import { cleaned, shortText } from './text.ts'

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

/** A key by which a person's scripts ask in the name of one organisation; the key itself is told once. */
export const ScriptKey = z.object({
  id: z.string(),
  nome: z.string(),
  escrita: z.boolean(),
  criada_em: z.string(),
  vale_ate: z.string(),
  usada_em: z.string().nullable(),
})
export type ScriptKey = z.output<typeof ScriptKey>

const ScriptKeyInput = z.object({
  nome: shortText(240, { required: 'Este campo é obrigatório' })
    .transform(cleaned)
    .pipe(z.string().min(1, 'Este campo é obrigatório').max(60, 'Use no máximo 60 caracteres')),
  dias: z
    .number({ error: 'Informe de 1 a 365 dias' })
    .int('Informe de 1 a 365 dias')
    .min(1, 'Informe de 1 a 365 dias')
    .max(365, 'Informe de 1 a 365 dias'),
  /** Else it reads. */
  escrita: z.boolean().default(false),
})

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
  listScriptKeys: endpoint('listScriptKeys', {
    access: 'session',
    summary: 'As próprias chaves para scripts, na organização em que se está',
    status: 200,
    output: z.object({ chaves: z.array(ScriptKey) }),
  }),
  createScriptKey: endpoint('createScriptKey', {
    access: 'session',
    summary: 'Uma chave para scripts, mostrada uma vez; abre /brapi/v2 e nada mais',
    body: ScriptKeyInput,
    status: 201,
    output: z.object({ chave: ScriptKey.extend({ texto: z.string() }) }),
  }),
  removeScriptKey: endpoint('removeScriptKey', {
    access: 'session',
    summary: 'Revoga uma chave para scripts',
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
