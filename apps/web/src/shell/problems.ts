import { ApiError, reasonOf } from '../api/client.ts'

/** The sentences of a refused form: of its fields by name, and of none in particular. */
export type Problems = Readonly<Record<string, string>>

export function problemsOf(error: unknown): Problems {
  if (error instanceof ApiError && error.fields.length > 0)
    return Object.fromEntries(error.fields.map(({ path, message }) => [path, message]))
  return { form: reasonOf(error) }
}
