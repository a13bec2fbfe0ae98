import type { Document } from '../document.ts'
import { runOf, sliceRun, wordsIn } from '../layout/run.ts'
import type { Around } from '../tables/crossed.ts'
import type { Table } from '../tables/table.ts'
import { findModes } from '../values/lexicon.ts'
import { fold } from '../values/text.ts'
import type { Draft } from './draft.ts'
import { captionVariable } from './row-values.ts'
import { toldProducts } from './told-products.ts'

const LONGEST = 60_000
const SOURCE =
  /(?:\bfontes?\b[^.;]{0,40}?\b(?:foi|foram|utilizad\w+|empregad\w+)\s+(?:foi\s+)?(?:[ao]\s+)?|\bna forma de\s+|\bcomo fonte\s+(?:d[eo] N,?\s+)?(?:[ao]\s+)?)((?:ureia|nitrato|sulfato|cloreto|superfosfato|uran|map)(?:\s(?:de\s)?(?:\p{Ll}{4,}))?)/iu
const texts = new WeakMap<Document['pages'], string>()

const textOf = ({ pages }: Document): string => {
  const known = texts.get(pages)
  if (known !== undefined) return known
  const text = pages
    .flatMap(({ blocks, lines }) => [
      ...blocks.map((block) => runOf(block).text),
      ...lines.map(({ segments }) => segments.map((segment) => segment.text).join(' ')),
    ])
    .join(' . ')
    .slice(0, LONGEST)
  texts.set(pages, text)
  return text
}

/** What the document says of the levels of factors that a table crosses. */
export function aroundOf(document: Document, { title }: Table): Around {
  return {
    variable: captionVariable(title),
    letters: lettersIn(title),
    meaning(level) {
      const word = level.trim()
      if (!/^\p{L}{2,12}$/u.test(word)) return null
      const said = new RegExp(`(?<!\\p{L})${word}\\s?[:=]\\s?(\\p{L}{2,12} \\p{L}{3,24})`, 'iu').exec(
        textOf(document),
      )
      if (said?.[1]) return said[1]
      const factor = /(?:fun[çc][ãa]o|efeitos?)\s+d[ao]s?\s+(\p{Ll}{5,24})/u.exec(title)?.[1]
      return factor && !/^dos(?:e|es|agem|agens)$/.test(factor) ? `${word} ${factor}` : null
    },
    source: (substance) => sourceOf(document, substance),
  }
}

/** 'sem (S) e com (C) redutor' */
const LETTERS = /\b(sem|com) \(([A-Z])\)(?: [eou]{1,2}|,) (sem|com) \(([A-Z])\) (?:[ao]s? )?(\p{Ll}{4,24})/u
function lettersIn(title: string): ReadonlyMap<string, string> {
  const [, first = '', a = '', second = '', b = '', factor = ''] = LETTERS.exec(title) ?? []
  return new Map(
    a === ''
      ? []
      : [
          [a, `${first} ${factor}`],
          [b, `${second} ${factor}`],
        ],
  )
}

/** 'Ureia' of 'N', where the text says in what it was given. */
function sourceOf(document: Document, substance: string): string | null {
  const text = textOf(document)
  const noted = new RegExp(
    `(?<![\\p{L}\\d])${substance}\\s?[=:]\\s?(\\p{Ll}{4,24}(?: \\p{Ll}{2,24}){0,3})(?=\\s?[(,;.])`,
    'u',
  ).exec(text)?.[1]
  const found = noted ?? (substance === 'N' ? SOURCE.exec(text)?.[1] : undefined)
  const name = found?.replace(/\s(?:e|no|na|em|foi|aplicad\w*|distribu\w*|parcelad\w*)$/i, '')
  return name ? `${name.charAt(0).toUpperCase()}${name.slice(1).toLowerCase()}` : null
}

const SYMBOL = /^(?:N|P2O5|K2O|S|B|Zn|Mn|Mo|Cu|Si|Co|Ni|Se)$/

/** 'N 40 kg/ha + Mo 30 g/ha': a treatment that is told by nothing but the nutrients that it got. */
function nameByLevels(draft: Draft): void {
  const { nome, produtos, control } = draft
  if (nome || control || produtos.length === 0 || !produtos.every((one) => SYMBOL.test(one.nome.value)))
    return
  const value = produtos
    .map((one) =>
      `${one.nome.value} ${String(one.dose?.value ?? '').replace('.', ',')} ${one.unidade ?? ''}`.trim(),
    )
    .join(' + ')
  const words = produtos.flatMap((one) => [...one.nome.words, ...(one.dose?.words ?? [])])
  draft.nome = { value, words, score: 0.8, method: 'table' }
}

/** Products that a table only calls by their nutrients, 'N 40 kg/ha', by what the text says that it was given in. */
export function nameSubstances(document: Document, drafts: readonly Draft[]): void {
  for (const draft of drafts) nameByLevels(draft)
  const symbols = new Set(drafts.flatMap(({ produtos }) => produtos.map(({ nome }) => nome.value)))
  for (const symbol of symbols) {
    const source = SYMBOL.test(symbol) ? sourceOf(document, symbol) : null
    if (source === null) continue
    for (const product of drafts.flatMap(({ produtos }) => produtos))
      if (product.nome.value === symbol) product.nome = { ...product.nome, value: source }
  }
}

const WITH = /^com (\p{L}{5,24})(?: \p{L}{2,24}){0,3},/u
/** So much of a word tells what a sentence is about. */
const STEM = 5

/** 'Com inoculação, 40 kg/ha de N': what was given there, as the one sentence tells that has it with its dose. */
export function fillGiven({ pages }: Document, drafts: readonly Draft[]): void {
  const of = (draft: Draft): string | undefined => WITH.exec(fold(draft.nome?.value ?? ''))?.[1]
  const [factor, other] = [...new Set(drafts.flatMap((draft) => of(draft) ?? []))]
  if (factor === undefined || other !== undefined) return
  const stem = factor.slice(0, STEM)
  // What all of those with it got, and none without it, is it.
  const given = drafts.filter((draft) => of(draft) !== undefined)
  const without = drafts.filter(
    ({ nome }) =>
      !fold(nome?.value ?? '')
        .replace(`sem ${stem}`, '')
        .includes(stem),
  )
  const had = (draft: Draft, name: string): boolean =>
    draft.produtos.some(({ nome, dose }) => dose !== null && nome.value === name)
  const isGiven = ({ nome: { value } }: Draft['produtos'][number]): boolean =>
    given.every((draft) => had(draft, value)) && !without.some((draft) => had(draft, value))
  if (given[0]?.produtos.some(isGiven)) return
  for (const { blocks } of pages)
    for (const run of blocks.map(runOf)) {
      const ends = [...run.text.matchAll(/(?<=[\p{L}\d)])[.;]\s+(?=\p{Lu})/gu)].map(
        (match) => match.index + 1,
      )
      for (const [i, from] of [0, ...ends].entries()) {
        const sentence = sliceRun(run, from, ends[i] ?? run.text.length)
        if (!sentence.folded.includes(stem)) continue
        const [product, more] = toldProducts(sentence, 'prose').filter(({ dose }) => dose !== null)
        if (!product || more) continue
        const mode = findModes(sentence.folded)[0]
        for (const draft of drafts) {
          if (of(draft) === undefined || draft.produtos.some(({ nome }) => nome.value === product.nome.value))
            continue
          draft.produtos.unshift({ ...product })
          if (mode)
            draft.modalidade ??= {
              ...{ value: mode.value, words: wordsIn(sentence, mode.start, mode.end) },
              ...{ score: 0.7, method: 'prose' },
            }
        }
        return
      }
    }
}
