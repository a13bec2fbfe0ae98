/**
 * Splits at the commas that stand outside of quotes and brackets. A quoted part keeps its quotes.
 * Null when quotes or brackets are left open.
 */
export function splitOutside(text: string): string[] | null {
  const parts: string[] = []
  let depth = 0
  let quoted = false
  let start = 0
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (quoted) {
      if (character === '\\') at += 1
      else if (character === '"') quoted = false
    } else if (character === '"') quoted = true
    else if (character === '(' || character === '{') depth += 1
    else if (character === ')' || character === '}') depth -= 1
    else if (character === ',' && depth === 0) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
    if (depth < 0) return null
  }
  if (quoted || depth !== 0) return null
  parts.push(text.slice(start))
  return parts
}

/** What stands between quotes, its escapes undone; other text as it is. */
export function unquote(text: string): string {
  return /^".*"$/s.test(text) && text.length >= 2 ? text.slice(1, -1).replace(/\\(.)/gs, '$1') : text
}

/** The items of '(a,"b,c")' or '{a,b}'; null when it is no such list. */
export function listItems(text: string, open: '(' | '{'): string[] | null {
  const close = open === '(' ? ')' : '}'
  if (!text.startsWith(open) || !text.endsWith(close) || text.length < 2) return null
  const inner = text.slice(1, -1)
  if (inner === '') return []
  return splitOutside(inner)?.map(unquote) ?? null
}
