/** A failure of rest/v1 in PostgREST's own form. */
export class RestError extends Error {
  readonly status: number
  readonly code: string
  readonly details: string | null
  readonly hint: string | null
  /** For the Retry-After header. */
  readonly retryAfterS: number | null

  constructor(
    status: number,
    code: string,
    message: string,
    {
      details = null,
      hint = null,
      retryAfterS = null,
    }: { details?: string | null; hint?: string | null; retryAfterS?: number | null } = {},
  ) {
    super(message)
    this.name = 'RestError'
    this.status = status
    this.code = code
    this.details = details
    this.hint = hint
    this.retryAfterS = retryAfterS
  }
}

export const unparsable = (what: string, text: string): RestError =>
  new RestError(400, 'PGRST100', `"failed to parse ${what} (${text.slice(0, 200)})" (line 1, column 1)`, {
    details: 'unexpected input',
  })

export const unknownColumn = (table: string, column: string): RestError =>
  new RestError(400, '42703', `column ${table}.${column.slice(0, 80)} does not exist`)

export const badRange = (details: string | null = null): RestError =>
  new RestError(416, 'PGRST103', 'Requested range not satisfiable', { details })
