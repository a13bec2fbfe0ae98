const MOST_LETTERS = 100
const BEFORE = /^(?:t|trat|tratamento)[ .]{0,3}(\d{1,3})[ .:_–—-]{0,5}([^ .:_–—-].{0,150})$/i
const BEHIND = /^(\S.{0,150}?)[ .:_–—-]{0,5}\b(?:do )?(?:t|trat|tratamento)[ .]{0,3}(\d{1,3})$/i

/**
 * What a column that is no field of ours measures, by its title: 'T2 Clorofila (%)' and 'Clorofila T2' -> 'Clorofila',
 * treatment 2; 'Clorofila (%)' -> 'Clorofila', null.
 */
export function analysisTitle(titulo: string): { nome: string; tratamento: number | null } {
  const name = titulo
    .slice(0, 200)
    .replace(/[*:]+\s*$/, '')
    .replace(/\s*(?:\([^()]*\)|\[[^[\]]*\])\s*$/, '')
    .trim()
  const [, first, rest] = BEFORE.exec(name) ?? []
  if (first !== undefined && rest) return { nome: rest.slice(0, MOST_LETTERS), tratamento: Number(first) }
  const [, head, last] = BEHIND.exec(name) ?? []
  if (head && last !== undefined) return { nome: head.slice(0, MOST_LETTERS), tratamento: Number(last) }
  return { nome: name.slice(0, MOST_LETTERS), tratamento: null }
}
