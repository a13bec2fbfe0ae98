import type { Document } from '../document.ts'

/** Of a text in which variables are explained. */
const LONGEST = 60_000
/** 'Variável analisada: PROD' above what a program of statistics printed of it. */
const ANALYSED = /^vari[aá]vel(?: (?:analisada|resposta|dependente))?\s*[:=]\s*(\S.*)$/i
/** 'PROD = produtividade de grãos a 13% de umidade (kg/ha)' */
const MEANING =
  /(?<![\p{L}\d])(\p{Lu}[\p{Lu}\d_]{1,11})\s*=\s*(\p{Ll}[^;=()\n]{3,80}?)(?:\s*\(([^()]{1,14})\))?(?=\s*(?:;|[.,](?!\d)|$))/gu

const CAPTION = /^(?:tabela|quadro|table|anexo) ?\d/i

/** Tables that a program of statistics printed are of the variable that it named before them. */
export function withAnalysedVariables(document: Document): Document {
  const named = document.pages.some(({ lines }) =>
    lines.some((line) => line.segments.some(({ text }) => ANALYSED.test(text))),
  )
  if (!named) return document
  const meanings = meaningsIn(document)
  let current: string | null = null
  return {
    ...document,
    pages: document.pages.map((page) => {
      const said = page.lines
        .flatMap(({ segments, base }) => {
          const at = segments.findIndex(({ text }) => ANALYSED.test(text))
          const name = ANALYSED.exec(segments[at]?.text ?? '')?.[1]?.trim()
          const beside = segments[at + 1]?.text ?? ''
          return name === undefined ? [] : [{ base, title: titleOf(name, beside, meanings) }]
        })
        .sort((a, b) => a.base - b.base)
      const tables = page.tables.map((table) => {
        // A caption of its own ends what a program printed.
        if (CAPTION.test(table.title)) return table
        const title = said.findLast(({ base }) => base < table.y0 + 2)?.title ?? current
        return title === null ? table : { ...table, title, analysed: title }
      })
      current = said.at(-1)?.title ?? current
      return { ...page, tables }
    }),
  }
}

function titleOf(name: string, beside: string, meanings: ReadonlyMap<string, string>): string {
  const known = meanings.get(name)
  if (known) return known
  const aside = /^\(([^()]{4,60})\)$/.exec(beside.trim())?.[1]
  return aside && /^[\p{Lu}\d_]+$/u.test(name) ? aside : name
}

function meaningsIn({ pages }: Document): ReadonlyMap<string, string> {
  const text = pages
    .flatMap(({ blocks }) => blocks.map(({ segments }) => segments.map((one) => one.text).join(' ')))
    .join(' . ')
    .slice(0, LONGEST)
  return new Map(
    [...text.matchAll(MEANING)].map(([, letters = '', said = '', unit]) => {
      const name = said.trim()
      const whole = name.charAt(0).toUpperCase() + name.slice(1)
      return [letters, unit === undefined ? whole : `${whole} (${unit})`]
    }),
  )
}
