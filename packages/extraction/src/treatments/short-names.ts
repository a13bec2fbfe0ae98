import type { Document } from '../document.ts'
import { makeRun, type Run, runOf, sliceRun, wordsIn } from '../layout/run.ts'
import { findModes, isControl } from '../values/lexicon.ts'
import { NUMBER_SOURCE } from '../values/number.ts'
import type { Draft, DraftProduct } from './draft.ts'
import { readProducts } from './products.ts'

const SHORT = String.raw`[A-Z][A-Za-z]{0,3}(?:-?\d{1,3}[A-Z]?)?`
/** 'CT', 'S1', 'S2+M': what a table calls its treatments and the text explains. */
const SHORT_NAME = new RegExp(`^(?!T\\d)${SHORT}(?:\\s?[+/]\\s?${SHORT})*$`)
export const isShortName = (text: string): boolean =>
  text.length <= 14 && (text.match(/[A-Z\d]/g)?.length ?? 0) >= 0.5 * text.length && SHORT_NAME.test(text)

interface Meaning {
  control: boolean
  produtos: DraftProduct[]
  modalidade: Draft['modalidade']
}

/** Gives treatments that a table only calls 'S1', 'S2+M' the products that 'silicate (X) at 1,0 L/ha (S1), 2,0 (S2)' tells. */
export function explainShortNames(document: Document, drafts: readonly Draft[]): void {
  const open = drafts.filter(({ produtos }) => produtos.every(({ dose }) => dose === null))
  const named = open.filter(({ nome }) => nome !== null && isShortName(nome.value))
  if (named.length < 3 || named.length < 0.7 * drafts.length) return
  const parts = (draft: Draft): string[] => (draft.nome?.value ?? '').split(/\s?[+/]\s?/)
  const whole = (draft: Draft): string => parts(draft).join('+')
  const wanted = [...new Set(named.flatMap((draft) => [whole(draft), ...parts(draft)]))]
  const meanings = new Map<string, Meaning>()
  for (const { blocks } of document.pages)
    for (const { segments } of blocks)
      for (const [name, meaning] of [
        ...inBrackets(runOf({ segments }), wanted),
        ...behindNames(runOf({ segments }), wanted),
      ])
        if (!meanings.has(name)) meanings.set(name, meaning)
  const toldOf = (draft: Draft): Meaning[] => {
    const all = meanings.get(whole(draft))
    return all ? [all] : parts(draft).flatMap((name) => meanings.get(name) ?? [])
  }
  const told = named.filter(
    (draft) => meanings.has(whole(draft)) || parts(draft).every((name) => meanings.has(name)),
  )
  if (told.length < 0.7 * named.length) return
  for (const draft of told) {
    const own = toldOf(draft)
    draft.modalidade ??= own.find(({ modalidade }) => modalidade)?.modalidade ?? null
    draft.control = own.every(({ control }) => control)
    draft.produtos = own.flatMap(({ produtos }) =>
      produtos.map((product) => ({ ...product, nome: inFull(document, product.nome) })),
    )
  }
}

/** 'R. tropici' where the report names Rhizobium tropici. */
function inFull({ pages }: Document, nome: DraftProduct['nome']): DraftProduct['nome'] {
  const [, letter, species] = /^(\p{Lu})\.\s(\p{Ll}{4,})$/u.exec(nome.value) ?? []
  if (!letter || !species) return nome
  const whole = new RegExp(`(?<![\\p{L}])${letter}\\p{Ll}{3,} ${species}(?![\\p{L}])`, 'u')
  for (const { blocks } of pages)
    for (const block of blocks) {
      const value = whole.exec(block.text)?.[0]
      if (value) return { ...nome, value }
    }
  return nome
}

const IN_BRACKETS = new RegExp(String.raw`\((${SHORT}(?:\s?[+/]\s?${SHORT})*)\)`, 'g')
const nameOf = (text = ''): string => text.split(/\s?[+/]\s?/).join('+')

const SEVERAL = String.raw`${SHORT}(?:\s?[+/]\s?${SHORT})*`
const AND = String.raw`\s*(?:,\s*e\s|,|\se\s)\s*`
const BETWEEN = new RegExp(AND, 'u')
/** 'AG1 e AG2 – ', 'CON = ' */
const AHEAD = new RegExp(
  String.raw`(?<![\p{L}\d+/-])(${SEVERAL}(?:${AND}${SEVERAL}){0,7})\s*(?:[–—=:]|\s-)\s+`,
  'gu',
)

/** 'AG1 e AG2 – silicato (X) a 1,0 e 2,0 t/ha; SK2 – Y a 2 L/ha': what stands behind them, one dose each. */
function behindNames(run: Run, wanted: readonly string[]): Map<string, Meaning> {
  const meanings = new Map<string, Meaning>()
  const groups = [...run.text.matchAll(AHEAD)].flatMap((match) => {
    const names = (match[1] ?? '').split(BETWEEN).map(nameOf)
    return names.every((name) => wanted.includes(name)) ? [{ names, match }] : []
  })
  groups.forEach(({ names, match }, g) => {
    const from = match.index + match[0].length
    const rest = run.text.slice(from, groups[g + 1]?.match.index)
    const part = sliceRun(run, from, from + (/;|\.\s(?=\p{Lu})/u.exec(rest)?.index ?? rest.length))
    const control = isControl(part.text)
    const [way] = control ? [] : findModes(part.folded)
    const modalidade: Draft['modalidade'] = way
      ? { value: way.value, words: wordsIn(part, way.start, way.end), score: 0.75, method: 'prose' }
      : null
    names.forEach((name, i) => {
      const own = names.length > 1 ? withDose(part, names.length, i) : part
      const produtos = control ? [] : readProducts(own, 'prose').filter(({ dose }) => dose !== null)
      if (control || produtos.length > 0) meanings.set(name, { control, produtos, modalidade })
    })
  })
  return meanings
}

/** Of 'a 1,0, 1,5 e 2,0 t/ha' only the one of so many that is asked for. */
function withDose(part: Run, many: number, which: number): Run {
  const list = new RegExp(`(?:${NUMBER_SOURCE})(?:${AND}(?:${NUMBER_SOURCE})){${many - 1}}`, 'u').exec(
    part.text,
  )
  if (!list) return part
  const number = [...list[0].matchAll(new RegExp(NUMBER_SOURCE, 'g'))][which]
  const kept = new Set(
    number ? wordsIn(part, list.index + number.index, list.index + number.index + number[0].length) : [],
  )
  const all = new Set(wordsIn(part, list.index, list.index + list[0].length))
  return makeRun(part.spans.flatMap(({ word }) => (all.has(word) && !kept.has(word) ? [] : [word])))
}

const MORE = String.raw`(?:acrescid\p{L}+|adicionad\p{L}+|somad\p{L}+|associad\p{L}+|combinad\p{L}+)\s(?:d[eao]s?|ao?s?|com)|mais|com|\+`
const NAMED_BEFORE = new RegExp(
  String.raw`^[\s;,]*(?:e\s)?(${SHORT}(?:\s?[+/]\s?${SHORT})*)\s+(?:${MORE})\s+`,
  'u',
)

/** 'TP acrescido de mancozebe': what TP stands for, and what comes to it. */
function namedBefore(
  part: Run,
  meanings: ReadonlyMap<string, Meaning>,
): { produtos: DraftProduct[]; rest: Run } | null {
  const match = NAMED_BEFORE.exec(part.text)
  if (!match) return null
  const name = nameOf(match[1])
  const known = meanings.has(name) ? [name] : name.split('+')
  const told = known.flatMap((one) => meanings.get(one) ?? [])
  if (told.length < known.length) return null
  return {
    produtos: told.flatMap(({ produtos }) => produtos.map((product) => ({ ...product }))),
    rest: sliceRun(part, match[0].length, part.text.length),
  }
}

/** '(S1)' behind what it stands for; a dose alone is of what was named last. */
function inBrackets(run: Run, wanted: readonly string[]): Map<string, Meaning> {
  const found = [...run.text.matchAll(IN_BRACKETS)].filter((m) => wanted.includes(nameOf(m[1])))
  const meanings = new Map<string, Meaning>()
  let last: DraftProduct | null = null
  let from = 0
  for (const match of found) {
    const cut = Math.max(
      ...[...run.text.slice(from, match.index).matchAll(/[;:]\s|\.\s(?=\p{Lu})/gu)].map(
        (m) => from + m.index + 1,
      ),
      from,
    )
    const part = sliceRun(run, cut, match.index)
    from = match.index + match[0].length
    while (/\S/.test(run.text[from] ?? ' ')) from++
    const control = isControl(part.text)
    const before = control ? null : namedBefore(part, meanings)
    let produtos: DraftProduct[] = control
      ? []
      : readProducts(before?.rest ?? part, 'prose').filter(({ dose }) => dose !== null)
    const [first] = produtos
    if (!control && !first && last && /\d/.test(part.text)) {
      const again = readProducts(
        makeRun([...last.nome.words, ...part.spans.map(({ word }) => word)]),
        'prose',
      ).find(({ dose }) => dose !== null)
      produtos = again ? [{ ...again, nome: last.nome }] : []
    } else if (first) last = first
    if (before) produtos = [...before.produtos, ...produtos]
    const [way] = control ? [] : findModes(part.folded)
    const modalidade: Draft['modalidade'] = way
      ? { value: way.value, words: wordsIn(part, way.start, way.end), score: 0.75, method: 'prose' }
      : null
    if (control || produtos.length > 0) meanings.set(nameOf(match[1]), { control, produtos, modalidade })
  }
  return meanings
}
