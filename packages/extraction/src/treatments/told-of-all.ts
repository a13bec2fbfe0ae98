import type { Document } from '../document.ts'
import { type Run, runOf, wordsIn } from '../layout/run.ts'
import { NUMBER_SOURCE, round, toNumber } from '../values/number.ts'
import { fold } from '../values/text.ts'
import { DOSE_UNIT_SOURCE, doseUnit, saidSack } from '../values/units.ts'
import type { Draft } from './draft.ts'
import { fillMarkedNotes } from './marked-notes.ts'

/** What one sentence says of many treatments: exceptions of a unit, doses behind short names, what was added to all. */
export function fillToldOfAll(document: Document, drafts: Draft[]): void {
  const runs = document.pages.flatMap(({ blocks }) => blocks.map((block) => runOf(block)))
  exceptUnits(document, runs, drafts)
  readNumbersOfNames(runs, drafts)
  for (const run of runs) addToAll(run, drafts)
  fillMarkedNotes(document, drafts)
  tellUnit(runs, drafts)
  tellOfWhat(document, runs, drafts)
  weighSacks(document, runs, drafts)
}

const HARVEST =
  /\bprodu[tz]|\brendiment|\bcolheit|\bcolhid|\bgraos?\b|\bproducao\b|^(?:\* ?)?(?:1 )?(?:sac[ao]s?|caixas?) (?:de|=)|\bresultad[^(]{0,80}\(sacas? de [456]0 kg\)/

/** 'A produtividade está em sacas de 50 kg': what the text says of sacks that tables only count. */
function weighSacks(document: Document, runs: readonly Run[], drafts: readonly Draft[]): void {
  const counted = drafts.flatMap(({ produtividade }) =>
    produtividade?.sacks === undefined ? [] : [{ produtividade, sacks: produtividade.sacks }],
  )
  if (counted.length === 0) return
  const lines = document.pages.flatMap((page) => page.lines.flatMap(({ segments }) => segments))
  const sentences = [...runs.map(({ folded }) => folded), ...lines.map(({ text }) => fold(text))].flatMap(
    (text) => text.split(/(?<=[a-z)])[.;]\s/),
  )
  // Seeds and fertilisers come in bags, too.
  const said = sentences.flatMap((sentence) => (HARVEST.test(sentence) ? (saidSack(sentence) ?? []) : []))
  const [weight, other] = new Set(said)
  if (weight === undefined || other !== undefined) return
  for (const { produtividade, sacks } of counted) produtividade.value = round(sacks * weight, 2)
}

const OF_SEEDS =
  /\bdos(?:e|es|agem|agens)\b[^.;]{0,50}\b(?:por|para|a|em)\s+(?:cada\s+)?100\s?kg\s+(?:de\s+)?sementes?\b/

const UNIT_OF_ALL =
  /\bdos(?:es|agens)\b[^.;:]{0,40}?\bem (ml|g|l|kg)\b[^.;]{0,50}?\b(?:por|para|a)\s(?:cada )?(100 ?(?:kg|l)|ha|hectare)\b/

/** 'As doses estão em mL de produto comercial para 100 kg de sementes': the unit of amounts that have none. */
function tellUnit(runs: readonly Run[], drafts: readonly Draft[]): void {
  const dosed = drafts.flatMap(({ produtos }) => produtos.filter(({ dose }) => dose !== null))
  if (dosed.length === 0 || dosed.some(({ unidade }) => unidade !== null)) return
  for (const { folded } of runs) {
    const [, amount, of] = UNIT_OF_ALL.exec(folded) ?? []
    const unit = amount && of ? doseUnit(`${amount}/${of}`) : null
    if (unit === null) continue
    for (const product of dosed) product.unidade = unit
    return
  }
}

/** 'As doses referem-se a 100 kg de sementes': of what the amounts are that stand there as 'mL' and 'g' only. */
function tellOfWhat(document: Document, runs: readonly Run[], drafts: readonly Draft[]): void {
  const bare = drafts.flatMap(({ produtos }) => produtos.filter((product) => product.bare))
  if (bare.length === 0) return
  const cells = document.pages.flatMap(({ tables }) =>
    tables.flatMap(({ rows, title }) => [
      title,
      ...rows.slice(0, 3).flatMap((row) => row.map((c) => c?.text ?? '')),
    ]),
  )
  if (![...runs.map(({ folded }) => folded), ...cells.map(fold)].some((text) => OF_SEEDS.test(text))) return
  for (const product of bare) {
    if (product.unidade === 'mL/ha') product.unidade = 'mL/100 kg sementes'
    if (product.unidade === 'g/ha') product.unidade = 'g/100 kg sementes'
  }
}

/** 'Elantro WG e Mancozan 750: dose em kg/ha; demais produtos: L/ha' */
const OF_SOME = new RegExp(String.raw`([^.;:]{3,160}):\s*dos(?:e|es|agem|agens)\s+em\s+(${DOSE_UNIT_SOURCE})`)
const OF_OTHERS = new RegExp(
  String.raw`\b(?:demais|outr[oa]s)\b(?:\s+\p{L}+)?\s*[:,]?\s*(?:dos\w+\s+)?(?:em\s+)?(${DOSE_UNIT_SOURCE})`,
  'u',
)

const DOSES_IN = new RegExp(String.raw`\bdos(?:e|es|agem|agens)\s+em\s+${DOSE_UNIT_SOURCE}`)
const OWN_UNIT = new RegExp(
  String.raw`[(;,]\s*([^();,.]{3,40}?)\s+em\s+(${DOSE_UNIT_SOURCE})(?=\s*[);,.])`,
  'g',
)

const EXCEPTION = new RegExp(String.raw`([^()]{3,80}?)\s*\(\s*(${DOSE_UNIT_SOURCE})\s*\)`, 'g')

/** 'Clomavert e Penoxal em mL/ha; Imazar em g/ha' */
const OF_NAMED = new RegExp(String.raw`^[\d*¹]? ?(.{3,80}?) em (${DOSE_UNIT_SOURCE})$`)

/** 'dose em mL/ha, exceto Mancosafe (kg/ha), Cloroguard e Cuprital (L/ha)': the products that are told apart. */
function exceptUnits(document: Document, runs: readonly Run[], drafts: readonly Draft[]): void {
  const titles = document.pages.flatMap(({ tables }) => tables.map(({ title }) => fold(title)))
  const products = drafts.flatMap((draft) => draft.produtos)
  for (const text of [...runs.map(({ folded }) => folded), ...titles]) {
    if (!/\bdos| em /.test(text)) continue
    const some = OF_OTHERS.test(text) ? OF_SOME.exec(text) : null
    const others = some && OF_OTHERS.exec(text.slice(some.index + some[0].length))
    const [own, rest] = [doseUnit(some?.[2] ?? ''), doseUnit(others?.[1] ?? '')]
    const named = (some?.[1] ?? '').split(/,|\be\b/).map((name) => name.trim())
    if (own && rest && products.some(({ nome }) => named.includes(fold(nome.value))))
      for (const product of products)
        if (named.includes(fold(product.nome.value))) product.unidade = own
        else product.unidade ??= rest
    // 'Doses em L/ha de produto comercial (Mancomax em kg/ha)'
    if (DOSES_IN.test(text))
      for (const [, name = '', unit = ''] of text.matchAll(OWN_UNIT)) {
        const unidade = doseUnit(unit)
        for (const product of products)
          if (unidade && fold(product.nome.value) === name.trim()) product.unidade = unidade
      }
    for (const part of text.split(/;\s|\.\s|\.$/)) {
      const [, names = '', unit = ''] = OF_NAMED.exec(part.trim()) ?? []
      const each = names.split(/,| e /).map((name) => name.trim())
      const unidade = doseUnit(unit)
      if (!unidade || !each.every((name) => products.some(({ nome }) => fold(nome.value) === name))) continue
      for (const product of products) if (each.includes(fold(product.nome.value))) product.unidade = unidade
    }
    const told =
      /\bdos(?:e|es|agem|agens)\b[^.]{0,200}?\b(?:exceto|salvo|com excecao d[aeo]s?)\b(.{0,400})/.exec(
        text,
      )?.[1]
    for (const [, names = '', unit = ''] of told?.matchAll(EXCEPTION) ?? []) {
      const excepted = names.split(/,|;|\be\b|\bpara\b/).map((name) => name.trim())
      const unidade = doseUnit(unit)
      for (const product of products)
        if (unidade && excepted.includes(fold(product.nome.value))) product.unidade = unidade
    }
  }
}

const NUMBER_IS_DOSE = new RegExp(
  String.raw`\b(?:numeros?|algarismos?|valor(?:es)?)\b[^.;]{0,60}?\bdos(?:e|es|agem|agens)\b[^.;\d]{0,30}?(${DOSE_UNIT_SOURCE})`,
)
const NAMED_AND_NUMBERED = new RegExp(`^(\\p{L}[\\p{L} .-]*?) (${NUMBER_SOURCE})$`, 'u')
const MEANING = /(?<![\p{L}\d])([A-Z][\p{L}\d]{0,5})\s*(?:=|:)\s*(\p{Lu}[^;:=.]{2,40})/gu

/** 'CoMo 150' where 'CoMo = CoMo Forte' and 'o número que acompanha a sigla é a dose em mL/ha'. */
function readNumbersOfNames(runs: readonly Run[], drafts: readonly Draft[]): void {
  const unit = runs.map(({ folded }) => NUMBER_IS_DOSE.exec(folded)?.[1]).find((found) => found !== undefined)
  const unidade = doseUnit(unit ?? '')
  if (!unidade) return
  const meanings = new Map(
    runs.flatMap(({ text }) => [...text.matchAll(MEANING)].map((m) => [m[1] ?? '', (m[2] ?? '').trim()])),
  )
  for (const product of drafts.flatMap((draft) => (draft.control ? [] : draft.produtos))) {
    const [, name, number] = NAMED_AND_NUMBERED.exec(product.nome.value) ?? []
    const value = number === undefined ? null : toNumber(number)
    if (product.dose !== null || name === undefined || value === null) continue
    const words = product.nome.words.filter(({ text }) => text === number)
    product.dose = { value, words, score: 0.8, method: 'prose' }
    product.unidade = unidade
    product.nome = { ...product.nome, value: meanings.get(name) ?? name }
  }
}

const ADDED = new RegExp(
  String.raw`\b(?:adicion\w+|acresc\w+|acrescent\w+|incluiu|inclui\w+|juntou)(?:-se)?\s+(?!(?:n?[ao] )?(?:calda|mistura|tanque|solucao|agua)\b)(?:o |a )?([\p{L}][\p{L}\d .-]{2,40}?),?\s+(?:a|na dose de|em dose de|na proporcao de)\s+(${NUMBER_SOURCE})\s*(${DOSE_UNIT_SOURCE})\s*,?\s*(?:em|a|aos?|n?os)\s+(todos os|demais|tratamentos com ([^.;,]{3,40}))`,
  'u',
)

/** 'Adicionou-se óleo mineral a 0,5% v/v em todos os tratamentos, exceto a testemunha', '… aos tratamentos com Soltrix'. */
function addToAll(run: Run, drafts: readonly Draft[]): void {
  const match = ADDED.exec(run.folded)
  const [, name, number, unit, , having] = match ?? []
  const unidade = doseUnit(unit ?? '')
  const value = number === undefined ? null : toNumber(number)
  if (!match || !name || value === null || !unidade) return
  const at = run.folded.indexOf(name, match.index)
  const printed = run.text.slice(at, at + name.length)
  const start = run.folded.indexOf(number ?? '', at + name.length)
  for (const draft of drafts) {
    const known = draft.produtos.map((product) => fold(product.nome.value))
    if (draft.control || known.length === 0 || known.includes(name)) continue
    if (having !== undefined && !known.includes(fold(having))) continue
    draft.produtos.push({
      nome: {
        value: printed.charAt(0).toUpperCase() + printed.slice(1),
        words: wordsIn(run, at, at + name.length),
        score: 0.75,
        method: 'prose',
      },
      dose: {
        value,
        words: wordsIn(run, start, start + (number ?? '').length),
        score: 0.75,
        method: 'prose',
      },
      unidade,
      custo: null,
    })
  }
}
