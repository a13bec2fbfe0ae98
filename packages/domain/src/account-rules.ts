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

/** The first rule of the registration form that fails, with the field it belongs to. */
export function registrationProblem(
  form: RegistrationForm,
): { field: keyof RegistrationForm; message: string } | null {
  const missing = (['name', 'email', 'password', 'confirmation'] as const).find(
    (field) => !form[field].trim(),
  )
  if (missing) return { field: missing, message: 'Por favor, preencha todos os campos obrigatórios' }
  const length = [...form.name.trim()].length
  if (length < NAME_MIN) return { field: 'name', message: 'O nome deve ter pelo menos 2 caracteres' }
  if (length > NAME_MAX) return { field: 'name', message: `O nome deve ter no máximo ${NAME_MAX} caracteres` }
  if (!form.email.includes('@')) return { field: 'email', message: 'Por favor, insira um email válido' }
  if (form.password.length < PASSWORD_MIN)
    return { field: 'password', message: 'A senha deve ter pelo menos 6 caracteres' }
  if (form.password.length > PASSWORD_MAX)
    return { field: 'password', message: `A senha deve ter no máximo ${PASSWORD_MAX} caracteres` }
  if (form.password !== form.confirmation)
    return { field: 'confirmation', message: 'As senhas não coincidem' }
  if (!form.terms) return { field: 'terms', message: 'Aceite os termos de uso para criar a conta' }
  return null
}
