import { z } from 'zod'
import { ROLES } from './account-rules.ts'
import { NAME_MAX, NAME_MIN, PASSWORD_MAX, PASSWORD_MIN } from './constants.ts'

export const User = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  company: z.string().nullable(),
  role: z.enum(ROLES),
  /** What the person asked to be, until an administrator decides. */
  requestedRole: z.enum(ROLES).nullable(),
  createdAt: z.string(),
})
export type User = z.output<typeof User>

/** text, at sign, text, dot, text, no spaces */
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

export const Email = z
  .string({ error: 'Este campo é obrigatório' })
  .trim()
  .min(1, 'Este campo é obrigatório')
  .max(255, 'Email inválido')
  .regex(EMAIL, 'Email inválido')
  .transform((email) => email.toLowerCase())

export const PersonName = z
  .string({ error: 'Este campo é obrigatório' })
  .transform((name) => name.replace(/\p{Cc}+/gu, ' ').trim())
  .pipe(
    z
      .string()
      .min(NAME_MIN, 'O nome deve ter pelo menos 2 caracteres')
      .max(NAME_MAX, `O nome deve ter no máximo ${NAME_MAX} caracteres`),
  )

export const Company = z
  .string()
  .max(NAME_MAX, `Use no máximo ${NAME_MAX} caracteres`)
  .nullish()
  .transform((company) => company?.replace(/\p{Cc}+/gu, ' ').trim() || null)

export const Password = z
  .string({ error: 'Este campo é obrigatório' })
  .min(PASSWORD_MIN, 'A senha deve ter pelo menos 6 caracteres')
  .max(PASSWORD_MAX, `A senha deve ter no máximo ${PASSWORD_MAX} caracteres`)

/** What a sign-up carries beside e-mail and password; everything else in it is dropped. */
export const SignUpData = z.object({
  name: PersonName.optional(),
  company: Company.optional(),
  /** Kept as the requested role for an administrator to decide; never becomes the role by itself. */
  requested_role: z.enum(ROLES).optional(),
})
export type SignUpData = z.output<typeof SignUpData>

export const ProfileInput = z.object({
  name: PersonName,
  company: Company.optional(),
  /** Another role than one's own files a request; only an administrator's own step down takes effect. */
  role: z.enum(ROLES, { error: 'Perfil inválido' }).optional(),
})
export type ProfileInput = z.output<typeof ProfileInput>
