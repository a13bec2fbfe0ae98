import { z } from 'zod'
import { ENDPOINTS, type EndpointName } from './endpoints.ts'

export type Access = 'public' | 'session' | 'admin'
export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: `/${string}`
  access: Access
  /** Phones by a field invitation may ask it too, of their one trial. */
  guests?: true
  summary: string
  params?: z.ZodObject
  query?: z.ZodObject
  /** Absent: no body, or a multipart one that the handler reads itself (`multipart`). */
  body?: z.ZodType
  /** Fields of a multipart body, for the documentation. */
  multipart?: Readonly<Record<string, string>>
  status: 200 | 201 | 202 | 204
  /** Absent: a stream or nothing. */
  output?: z.ZodType
  /** The media types of a stream. */
  media?: readonly string[]
  /** Good answers besides `status`. */
  others?: Readonly<Record<number, { description: string; output?: z.ZodType }>>
}

/** An endpoint of the contract: where it answers, and the rest. */
export const endpoint = <const N extends EndpointName, const E extends Omit<Endpoint, 'method' | 'path'>>(
  name: N,
  of: E,
): (typeof ENDPOINTS)[N] & E => ({ ...ENDPOINTS[name], ...of })

export const ById = z.object({ id: z.uuid({ error: 'Identificador inválido' }) })
/** Asked first where phones hold what was not sent; then it is done even so. */
export const EvenSo = z.object({ mesmo_assim: z.enum(['true', 'false']).optional() })
export const Page = z.object({
  cursor: z.string().max(500).optional(),
  limit: z.coerce.number().int().min(1).max(100).optional(),
})
export const NeutralAnswer = z.object({ message: z.string() })
