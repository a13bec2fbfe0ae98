import { z } from 'zod'
import { ById, endpoint } from './endpoint.ts'
import { LONGEST_RAW, list, nameText, shortText } from './text.ts'
import { ALERT_FREQUENCIES, ALERT_VARIABLES, MOST_VIEW_VALUES } from './view-rules.ts'

const scalar = z.union([shortText(LONGEST_RAW), z.number(), z.boolean()])
const scalars = z.union([
  scalar,
  list(scalar, { most: MOST_VIEW_VALUES, message: `Use no máximo ${MOST_VIEW_VALUES} valores por filtro` }),
])
const parts = <T extends z.ZodType>(value: T) =>
  z.record(shortText(40), value).refine((state) => Object.keys(state).length <= MOST_VIEW_VALUES, {
    error: `Use no máximo ${MOST_VIEW_VALUES} partes`,
  })
/** What the address holds, by its parameters: { cultura: 'Soja', estado: ['PR', 'SC'], aba: 'synthesis' }. */
export const ViewState = parts(z.union([scalars, parts(scalars)], { error: 'Informe um texto ou uma lista' }))
export type ViewState = z.output<typeof ViewState>

export const View = z.object({
  id: z.uuid(),
  nome: z.string(),
  alcance: z.enum(['pessoal', 'organizacao']),
  estado: ViewState,
  /** The asker may change and remove it. */
  pode_alterar: z.boolean(),
  updated_at: z.string(),
})
export type View = z.output<typeof View>

export const ViewInput = z.object({
  nome: nameText(60, 'Dê um nome à vista'),
  alcance: z.enum(['pessoal', 'organizacao'], { error: 'Escolha pessoal ou organizacao' }),
  estado: ViewState,
})
export type ViewInput = z.output<typeof ViewInput>

const number = z.number({ error: 'Informe um número' })
/** What else a new trial has to be. */
export const AlertCondition = z.discriminatedUnion(
  'tipo',
  [
    z.object({
      tipo: z.literal('variavel'),
      variavel: z.enum(ALERT_VARIABLES, { error: 'Escolha uma variável da lista' }),
      sentido: z.enum(['acima', 'abaixo'], { error: 'Escolha acima ou abaixo' }),
      valor: number,
    }),
    z.object({
      tipo: z.literal('produto'),
      produto: shortText(LONGEST_RAW, { required: 'Informe o produto' })
        .trim()
        .min(1, 'Informe o produto')
        .max(200, 'Use no máximo 200 caracteres'),
      /** More than so many per cent over the control. */
      percentual: number
        .min(-100, 'Informe um número de -100 a 1.000')
        .max(1000, 'Informe um número de -100 a 1.000'),
    }),
  ],
  { error: 'Escolha variavel ou produto' },
)
export type AlertCondition = z.output<typeof AlertCondition>

const frequency = z.enum(ALERT_FREQUENCIES, { error: 'Escolha na_hora, por_dia ou por_semana' })
export const Alert = z.object({
  id: z.uuid(),
  vista: z.object({ id: z.uuid(), nome: z.string() }),
  frequencia: frequency,
  condicao: AlertCondition.nullable(),
  /** Why it tells nothing any more; null: it does. */
  pausado: z.string().nullable(),
  created_at: z.string(),
})
export type Alert = z.output<typeof Alert>
export const AlertInput = z.object({
  vista: z.uuid({ error: 'Escolha a vista' }),
  frequencia: frequency,
  condicao: AlertCondition.nullish().transform((condition) => condition ?? null),
})
export const AlertChange = z.object({
  frequencia: frequency.optional(),
  condicao: AlertCondition.nullish(),
  /** False pauses it, true sets it going again. */
  ativo: z.boolean().optional(),
})

export const Notification = z.object({
  alerta: z.uuid(),
  vista: z.object({ id: z.uuid(), nome: z.string() }),
  experimento: z.object({
    id: z.uuid(),
    nome: z.string(),
    cidade: z.string(),
    estado: z.string(),
    /** kg/ha */
    produtividade_media: z.number().nullable(),
    /** Mean of the treatments over the control, %; null without a control to compare with. */
    diferenca_percent: z.number().nullable(),
  }),
  quando: z.string(),
  lida: z.boolean(),
})
export type Notification = z.output<typeof Notification>

/** Saved views, alerts on them, and what they told. */
export const viewsContract = {
  listViews: endpoint('listViews', {
    access: 'session',
    summary: 'As próprias vistas e as da organização, com a que abre o dashboard e o resumo semanal',
    status: 200,
    output: z.object({
      vistas: z.array(View),
      padrao: z.uuid().nullable(),
      resumo_semanal: z.boolean(),
    }),
  }),
  getView: endpoint('getView', {
    access: 'session',
    summary: 'Uma vista, a quem pode vê-la',
    params: ById,
    status: 200,
    output: z.object({ vista: View }),
  }),
  createView: endpoint('createView', {
    access: 'session',
    summary: 'Salva uma vista; para a organização só um gestor ou o dono',
    body: ViewInput,
    status: 201,
    output: z.object({ vista: View }),
  }),
  changeView: endpoint('changeView', {
    access: 'session',
    summary: 'Altera uma vista',
    params: ById,
    body: ViewInput,
    status: 200,
    output: z.object({ vista: View }),
  }),
  removeView: endpoint('removeView', {
    access: 'session',
    summary: 'Apaga uma vista, com os avisos sobre ela',
    params: ById,
    status: 204,
  }),
  setDefaultView: endpoint('setDefaultView', {
    access: 'session',
    summary: 'Escolhe a vista com que o dashboard abre; null para nenhuma',
    body: z.object({ vista: z.uuid({ error: 'Escolha a vista' }).nullable() }),
    status: 200,
    output: z.object({ padrao: z.uuid().nullable() }),
  }),
  setDigest: endpoint('setDigest', {
    access: 'session',
    summary: 'Liga ou desliga o resumo semanal por email',
    body: z.object({ ativo: z.boolean({ error: 'Informe true ou false' }) }),
    status: 200,
    output: z.object({ resumo_semanal: z.boolean() }),
  }),
  listAlerts: endpoint('listAlerts', {
    access: 'session',
    summary: 'Os próprios avisos',
    status: 200,
    output: z.object({ alertas: z.array(Alert) }),
  }),
  createAlert: endpoint('createAlert', {
    access: 'session',
    summary: 'Avisa quando um novo ensaio passar pelo filtro de uma vista',
    body: AlertInput,
    status: 201,
    output: z.object({ alerta: Alert }),
  }),
  changeAlert: endpoint('changeAlert', {
    access: 'session',
    summary: 'Altera, pausa ou retoma um aviso',
    params: ById,
    body: AlertChange,
    status: 200,
    output: z.object({ alerta: Alert }),
  }),
  removeAlert: endpoint('removeAlert', {
    access: 'session',
    summary: 'Apaga um aviso',
    params: ById,
    status: 204,
  }),
  unsubscribeAlert: endpoint('unsubscribeAlert', {
    access: 'public',
    summary: 'Encerra o aviso de que um email fala, com um clique e sem sessão (RFC 8058)',
    multipart: { 'List-Unsubscribe': 'One-Click' },
    params: z.object({ token: shortText(200) }),
    status: 200,
    output: z.object({ message: z.string() }),
  }),
  listNotifications: endpoint('listNotifications', {
    access: 'session',
    summary: 'O que os avisos disseram, o mais recente primeiro: os últimos 50 que ainda se podem ver',
    status: 200,
    output: z.object({ notificacoes: z.array(Notification), nao_lidas: z.number() }),
  }),
  readNotifications: endpoint('readNotifications', {
    access: 'session',
    summary: 'Marca como lido o que chegou até um momento, ou um só; sem eles, tudo',
    body: z.object({
      ate: z.iso.datetime({ error: 'Informe data e hora' }).optional(),
      um: z
        .object({
          alerta: z.uuid({ error: 'Identificador inválido' }),
          experimento: z.uuid({ error: 'Identificador inválido' }),
        })
        .optional(),
    }),
    status: 200,
    output: z.object({ nao_lidas: z.number() }),
  }),
}
