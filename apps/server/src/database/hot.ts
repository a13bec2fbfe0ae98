import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'

/** Begins a hot statement that is written for the driver itself. */
export const HOT_MARK = '/* hot */'
const MARKED = /^\s*\/\* hot \*\//

/**
 * Begins a statement that is asked in nearly every request and whose text never varies: each connection parses
 * and plans it once. Not for statements put together by what was asked, whose texts and best plans are many.
 */
export const HOT = sql.raw(HOT_MARK)

const names = new Map<string, string>()
function nameOf(text: string): string {
  const known = names.get(text)
  if (known) return known
  const name = createHash('sha256').update(text).digest('base64url')
  names.set(text, name)
  return name
}

/** Prepares marked statements under a name. */
export class PreparingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: the driver's many overloads, passed on as they come
  override query(...args: any[]): any {
    const [text, values, ...rest] = args
    if (typeof text === 'string' && MARKED.test(text) && Array.isArray(values))
      return super.query({ name: nameOf(text), text, values }, ...(rest as []))
    return super.query(...(args as [string]))
  }
}
