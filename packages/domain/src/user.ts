import { z } from 'zod'
import { ROLES } from './account-rules.ts'
import { NAME_MAX, NAME_MIN, PASSWORD_MAX, PASSWORD_MIN } from './constants.ts'
import { LONGEST_RAW, shortText } from './text.ts'

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

/** text, at sign, text, dot, text, no spaces; written so that no part can be read in two ways */
const EMAIL = /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/

export const Email = shortText(LONGEST_RAW, {
  required: 'Este campo é obrigatório',
  tooLong: 'Email inválido',
})
  .trim()
  .min(1, 'Este campo é obrigatório')
  .max(255, { error: 'Email inválido', abort: true })
  .regex(EMAIL, 'Email inválido')
  .transform((email) => email.toLowerCase())

export const PersonName = shortText(LONGEST_RAW, {
  required: 'Este campo é obrigatório',
  tooLong: `O nome deve ter no máximo ${NAME_MAX} caracteres`,
})
  .transform((name) => name.replace(/\p{Cc}+/gu, ' ').trim())
  .pipe(
    z
      .string()
      .min(NAME_MIN, 'O nome deve ter pelo menos 2 caracteres')
      .max(NAME_MAX, `O nome deve ter no máximo ${NAME_MAX} caracteres`),
  )

export const Company = shortText(NAME_MAX)
  .nullish()
  .transform((company) => company?.replace(/\p{Cc}+/gu, ' ').trim() || null)

export const Password = shortText(PASSWORD_MAX, {
  required: 'Este campo é obrigatório',
  tooLong: `A senha deve ter no máximo ${PASSWORD_MAX} caracteres`,
}).min(PASSWORD_MIN, 'A senha deve ter pelo menos 6 caracteres')

/** What a sign-up carries beside e-mail and password; everything else in it is dropped. */
export const SignUpData = z.object({
  name: PersonName.optional(),
  company: Company.optional(),
  /** Kept as the requested role for an administrator to decide; never becomes the role by itself. */
  requested_role: z.enum(ROLES).optional(),
  /** The token of an invitation to this address: the link proves it, and the person is a member at once. */
  convite: z.string().max(200).optional(),
})
export type SignUpData = z.output<typeof SignUpData>

export const ProfileInput = z.object({
  name: PersonName,
  company: Company.optional(),
  /** Another role than one's own files a request; only an administrator's own step down takes effect. */
  role: z.enum(ROLES, { error: 'Perfil inválido' }).optional(),
})
export type ProfileInput = z.output<typeof ProfileInput>
