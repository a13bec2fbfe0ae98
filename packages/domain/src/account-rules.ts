/** What the public pages need of accounts, kept apart from the schemas so that those pages stay light. */
import { NAME_MAX, NAME_MIN, PASSWORD_MAX, PASSWORD_MIN } from './constants.ts'

export const ROLES = ['user', 'consultor', 'pesquisador', 'admin'] as const
export type Role = (typeof ROLES)[number]
export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  user: 'Usuário Padrão',
  consultor: 'Consultor Agrícola',
  pesquisador: 'Pesquisador',
  admin: 'Administrador',
}
/** What a member may do in an organisation, the most first. */
export const ORGANIZATION_ROLES = ['dono', 'gestor', 'pesquisador', 'leitor'] as const
export type OrganizationRole = (typeof ORGANIZATION_ROLES)[number]
export const ORGANIZATION_ROLE_NAMES: Readonly<Record<OrganizationRole, string>> = {
  dono: 'Dono',
  gestor: 'Gestor',
  pesquisador: 'Pesquisador',
  leitor: 'Leitor',
}

export const DEFAULT_USER_NAME = 'Usuário'

/** Offered at registration; kept as the requested role, never as the role. */
export const REGISTRATION_ROLES = ['user', 'consultor', 'admin'] as const satisfies readonly Role[]
/** Offered in the profile. */
export const PROFILE_ROLES = ['user', 'admin'] as const satisfies readonly Role[]

/** The login form's own rules come first, in the specification's order. */
export function loginProblem(form: { email: string; password: string }): string | null {
  if (!form.email.trim() || !form.password) return 'Por favor, preencha todos os campos'
  if (!form.email.includes('@')) return 'Por favor, insira um email válido'
  return null
}

export type RegistrationForm = {
  name: string
  email: string
  password: string
  confirmation: string
  terms: boolean
}

type RegistrationProblems = Partial<Record<keyof RegistrationForm, string>>

/** Every field of the registration form that fails, with its sentence; in the form's order. */
export function registrationProblems(form: RegistrationForm): RegistrationProblems {
  const missing = (['name', 'email', 'password', 'confirmation'] as const).filter(
    (field) => !form[field].trim(),
  )
  const problems: RegistrationProblems = {}
  for (const [field, rule] of Object.entries(REGISTRATION_RULES) as [
    keyof RegistrationForm,
    (form: RegistrationForm) => string | null,
  ][]) {
    const message = missing.some((name) => name === field)
      ? field === missing[0]
        ? 'Por favor, preencha todos os campos obrigatórios'
        : 'Este campo é obrigatório'
      : rule(form)
    if (message) problems[field] = message
  }
  return problems
}

const REGISTRATION_RULES: Readonly<
  Record<keyof RegistrationForm, (form: RegistrationForm) => string | null>
> = {
  name({ name }) {
    const length = [...name.trim()].length
    if (length < NAME_MIN) return 'O nome deve ter pelo menos 2 caracteres'
    return length > NAME_MAX ? `O nome deve ter no máximo ${NAME_MAX} caracteres` : null
  },
  email: ({ email }) => (email.includes('@') ? null : 'Por favor, insira um email válido'),
  password({ password }) {
    if (password.length < PASSWORD_MIN) return 'A senha deve ter pelo menos 6 caracteres'
    return password.length > PASSWORD_MAX ? `A senha deve ter no máximo ${PASSWORD_MAX} caracteres` : null
  },
  confirmation: ({ password, confirmation }) =>
    password === confirmation ? null : 'As senhas não coincidem',
  terms: ({ terms }) => (terms ? null : 'Aceite os termos de uso para criar a conta'),
}
