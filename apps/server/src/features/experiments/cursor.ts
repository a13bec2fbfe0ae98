import { problem } from '@ensaio/domain'
import { z } from 'zod'
import type { Cursor } from './experiment-list.repository.ts'

const Shape = z.tuple([z.string().max(300), z.uuid()])
/** What the sort columns' types accept; anything else was not written by us. */
const NUMBER = /^-?(\d+(\.\d+)?(e[+-]?\d+)?|Infinity)$/
const INSTANT = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?[+-]\d\d(:?\d\d)?$/
const NUMERIC: readonly (string | undefined)[] = ['produtividade_media', 'roi', 'ano']

export const writeCursor = ({ value, id }: Cursor): string =>
  Buffer.from(JSON.stringify([value, id])).toString('base64url')

const unusable = () =>
  problem('validation.failed', { fields: [{ path: 'cursor', message: 'Página inválida' }] })

/** Of a list in the order of ids. */
export function readId(text: string): string {
  if (!z.uuid().safeParse(text).success) throw unusable()
  return text
}

export function readCursor(text: string | undefined, sort: string | undefined): Cursor | null {
  if (!text) return null
  let parsed: z.infer<typeof Shape>
  try {
    parsed = Shape.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')))
  } catch {
    throw unusable()
  }
  const [value, id] = parsed
  const form = NUMERIC.includes(sort) ? NUMBER : sort === undefined || sort === 'created_at' ? INSTANT : null
  if ((form && !form.test(value)) || value.includes('\0')) throw unusable()
  return { value, id }
}
