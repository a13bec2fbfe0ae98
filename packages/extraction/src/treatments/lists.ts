import type { Document } from '../document.ts'
import { type Run, runOf, sliceRun, wordsIn } from '../layout/run.ts'
import { findModes, isControl } from '../values/lexicon.ts'
import { NUMBER_SOURCE, toNumber } from '../values/number.ts'
import { fold } from '../values/text.ts'
import { inKilos, type YieldUnit, yieldUnit } from '../values/units.ts'
import { withoutAmountLists } from './amounts-by-code.ts'
import { readDoses } from './doses.ts'
import { type Draft, emptyDraft, leadingCode } from './draft.ts'
import { readAnalyses } from './list-analyses.ts'
import {
  countedItems,
  DOSED,
  itemsOf,
  joinedCounts,
  lineStarts,
  linesAsItems,
  SERVES,
  YIELD,
} from './list-items.ts'
import { BULLET, joinedBullets, namedItems } from './named-items.ts'
import { isClass, isSubstance } from './product-names.ts'
import { readDescription } from './products.ts'
import { toldDescription } from './told-products.ts'
import { uncodedItems } from './uncoded-list.ts'

const YIELD_CUE =
  /\bproduz\w*|\bprodut\w+|\brend\w+|\bcolh\w+|\balcanc\w+|\bating\w+|\bcheg\w+|\bfech\w+|\bentreg\w+|\bregistr\w+|\bobtev\w+|\bmedia\b|\bfic\w+ (?:em|com)\b|\bresult\w+/
/** 'DMS (Tukey 5%) = 520 kg/ha' */
const STATISTICS = /\b(?:dms|tukey|cv|anova)\b/
/** '11,5 sc/ha sobre a testemunha' */
const OVER_CONTROL = /^ ?(?:a mais|sobre|acima|de (?:ganho|vantagem|diferenca|incremento))\b/
/** '2.000 kg/ha de 04-14-08 no plantio' */
const OF_FERTILISER =
  /^ ?(?:d[eo] )?(?:formulado|adubo|fertilizante|\d{2}[-.]\d{2}[-.]\d{2}|ureia|map\b|kcl\b|calcario|gesso|superfosfato|sulfato|nitrato|esterco|cama de)/
/** 'Em 2019/20 o mesmo T5 tinha rendido só 52,7 sc/ha' */
const BEFORE =
  /\b(?:tinham?|havia) (?:rendido|produzido|colhido|dado|ficado|sido)\b|\b(?:ano|safra) (?:passad[oa]|anterior)\b/
const MORE = /\b(?:increment\w*|ganho|a mais|diferenca|acrescimo|aumento|superior\w*|acima)\b/

/** Treatments told in bullets or sentences, one a passage: 'T2 - X (0,5 L/ha, sulco): 60,5 sc/ha'. */
export function readLists(document: Document): Draft[] {
  const drafts: Draft[] = []
  for (const layout of document.pages)
    for (const block of joinedCounts(joinedBullets(layout.blocks))) {
      const named = namedItems(block.segments.map((s) => s.words))
      if (named && !drafts.some(({ code }) => code !== null)) {
        drafts.push(...named)
        continue
      }
      const uncoded = drafts.some(({ code }) => code !== null) ? null : uncodedItems(runOf(block))
      if (uncoded) {
        drafts.push(...uncoded)
        continue
      }
      const run = withoutAmountLists(runOf(block))
      const lines = linesAsItems(block.segments.map((s) => s.words))
      // 'Resultados (t/ha): Testemunha 31,2; T2 …' gives the unit once.
      const unit = /\b(?:resultad|produtiv|rendiment|colheit)/.test(run.folded.slice(0, 50))
        ? yieldUnit(run.text.slice(0, 60))
        : null
      const control = lines ? null : namedControl(run)
      if (control) drafts.push(control)
      const begins = lineStarts(run, block)
      const counted = lines ? null : countedItems(run, begins)
      const items = counted ?? (lines ?? itemsOf(run, begins)).map((item) => ({ item, code: undefined }))
      const listed = items.length >= LEAST_CODED && items.some(({ item: { text } }) => isControl(text))
      for (const { item, code } of items) {
        const draft = readItem(item, { unit, listed, code }) ?? namedAgain(item, drafts)
        if (!draft) continue
        takeSame(item, draft, drafts)
        // 'T4, X a 1 L/ha, na mesma época e modalidade'
        if (/\bmesm[oa] (?:\w+ e )?(?:modalidade|via|forma|modo)\b/.test(item.folded))
          draft.modalidade ??= drafts.at(-1)?.modalidade ?? null
        drafts.push(draft)
      }
    }
  // Beside treatments 'T1' to 'T6' a conclusion '2. Com Co e Mo …' is none.
  const coded = drafts.filter(({ code, numbered }) => code !== null && !numbered)
  return coded.length >= LEAST_CODED ? drafts.filter(({ numbered }) => !numbered) : drafts
}
const LEAST_CODED = 3

/** 'T5 – igual a T4, mais o X, 150 mL/ha': what another treatment got, and more. */
const SAME_AS =
  /^(?:[oa]s? )?(?:\w+,? )?(?:n?as mesmas doses d[oe]|igual (?:a[o]?|do)|idem(?: a[o]?)?|repetiu (?:\w+ ){1,3}d[eo]|mesm[oa]s? (?:que|d[oe]|produtos? d[oe])|como (?:[oa] |em |n[oa] )?)\s?(?:tratamento )?t?\s?0?(\d{1,2})\b[\s,;]*(?:mais|\+|e|com|acrescid\w+ d[eoa]s?)?\s*/

/** 'T2 – T1 + X 600 mL/ha' */
const UPON = /^t\s?0?(\d{1,2})\s?(?:\+|mais)\s?/

function takeSame(item: Run, draft: Draft, before: readonly Draft[]): void {
  const lead = leadingCode(item.text)
  const run = lead ? sliceRun(item, lead.end, item.text.length) : item
  const same = lead ? (UPON.exec(run.folded) ?? SAME_AS.exec(run.folded)) : null
  const known = same && before.find(({ code }) => code === same[1])
  if (!same || !known || known.produtos.length === 0) return
  const rest = sliceRun(run, same[0].length, run.text.length)
  const listedMore = readDescription(rest, 'list').produtos
  const names = ({ nome, dose }: Draft['produtos'][number]): boolean =>
    dose !== null && (/^[\p{Lu}\d]/u.test(nome.value) || isSubstance(nome.value))
  const more = listedMore.some(names) ? listedMore.filter(names) : toldDescription(rest, 'list').produtos
  draft.produtos = [...known.produtos.map((product) => ({ ...product })), ...more.filter(({ dose }) => dose)]
  const words = run.spans.map(({ word }) => word)
  const value = draft.produtos.map(({ nome }) => nome.value).join(' + ')
  draft.nome = { value, words, score: 0.75, method: 'list' }
  draft.modalidade = known.modalidade ?? draft.modalidade
}

const AGAIN =
  /\bmesmas? doses?\b|\bsozinh[oa]\b|\bisolad[oa]s?\b|^\W{0,3}(?:ja |mas )?(?:so|somente|apenas)\b/

/** 'Só o Fertimang, na mesma dose, ficou em 60,1 sc/ha': a product that a sentence before gave its dose. */
function namedAgain(run: Run, before: readonly Draft[]): Draft | null {
  if (!AGAIN.test(run.folded)) return null
  const [told, more] = [...run.folded.matchAll(YIELD)]
  const unit = yieldUnit(told?.[2] ?? '')
  const value = toNumber(told?.[1] ?? '')
  if (!told?.[1] || more || !unit || value === null) return null
  const known = new Map(
    before.flatMap(({ produtos }) => produtos.map((product) => [fold(product.nome.value), product] as const)),
  )
  const produtos = [...known].flatMap(([name, product]) => {
    const at = run.folded.slice(0, told.index).indexOf(name)
    const words = at < 0 || product.dose === null ? [] : wordsIn(run, at, at + name.length)
    return words.length === 0 ? [] : [{ ...product, nome: { ...product.nome, words }, custo: null }]
  })
  const [first] = produtos
  if (!first) return null
  return {
    ...emptyDraft(),
    ...{ nome: { ...first.nome, value: produtos.map(({ nome }) => nome.value).join(' + ') }, produtos },
    produtividade: {
      ...{ ...inKilos(value, unit), score: 0.75, method: 'list' },
      words: wordsIn(run, told.index, told.index + told[1].length),
    },
  }
}

/** 'O controle (T1) recebeu apenas …' */
function namedControl(run: Run): Draft | null {
  const match = /\b(testemunha|controle)\b[^.;,(]{0,24}\((?:t|trat\.?|tratamento)\s?0?(\d{1,2})\)/.exec(
    run.folded,
  )
  if (!match?.[1] || !match[2]) return null
  const words = wordsIn(run, match.index, match.index + match[1].length)
  const nome = { value: 'Testemunha', words, score: 0.85, method: 'list' as const }
  return { ...emptyDraft(), code: match[2], control: true, nome }
}

/** '… foi inoculada com X na dose de', 'houve uma pulverização de X', 'aplicou-se o X'. */
const PROSE =
  /^(?:\p{Ll}[^.;]{0,60}\b)?(?:foi|foram|houve|aplicaram|receberam|recebeu|receberam|repetiu|usou|aplicou|levou|pulverizou|correspondeu|consistiu|incluiu)(?:-se)?\b/u
/** 'Manejo Premium: X 0,3 L/ha, Y 2 L/ha': a name, and what it is. */
const TITLED = /^\p{Lu}[^:.;,\d]{2,40}: \p{Lu}/u
const SENTENCE_END = /\.\s(?=\p{Lu})/u

/** 'nada, só água (testemunha)', 'água' */
const NOTHING =
  /^(?:nao (?:levou|recebeu|teve|usou) )?(?:nada|nenhum\w*(?: \w+)?|(?:so |somente |apenas )?agua)(?=$|[\s,;.(]*(?:$|\(|[;.]|so |somente |alem ))|^[^.;:]{0,40}\((?:testemunha|controle)\)/

/** '2 mL por litro de calda' is an amount, too. */
/** Of what it is an amount, the head of the list may say. */
const AMOUNT = new RegExp(`${DOSED.source}|\\d\\s?(?:ml|l|kg|g|litros?|gramas?|quilos?)(?![a-z\\d/])`)
const MEASURED_OUT = /\d\s*(?:ml|g)\s*(?:por|\/)\s*(?:l|litro)\b/

/** Small words that begin what is said of a treatment, not its name. */
const SENTENCE = /^(?:[ao]s?|para|com|de|em|n[ao]s?|por|que|foi|foram|tamb[ée]m|e|at[ée])\s/u

/** `listed`: the control stands in the same list; `code`: what stood in front of it. */
function readItem(
  source: Run,
  { unit, listed, code }: { unit: YieldUnit | null; listed: boolean; code: string | undefined },
): Draft | null {
  let run = source
  const bullet = BULLET.exec(run.text)
  if (bullet && bullet[0].length < run.text.length) run = sliceRun(run, bullet[0].length, run.text.length)
  const draft = emptyDraft()
  const lead = code === undefined ? leadingCode(run.text) : { code, end: 0 }
  if (lead) {
    draft.code = lead.code
    if (code === undefined && /^\(?\d/.test(run.text)) draft.numbered = true
    run = sliceRun(run, lead.end, run.text.length)
    // What the other one got comes to it later.
    const upon = UPON.exec(run.folded)
    if (upon && upon[0].length < run.text.length) run = sliceRun(run, upon[0].length, run.text.length)
  }
  if (lead && CONCLUDES.test(run.folded)) return null
  const head = run.text.slice(0, 60)
  const bare =
    lead !== null &&
    ((!DOSED.test(run.folded.slice(0, 90)) && NOTHING.test(run.folded)) ||
      (!DOSED.test(run.folded) && SERVES.test(run.folded)))
  const control = bare || isControl(/^(?:[^:;,(–.]|\.(?!\s)){0,45}/.exec(head)?.[0] ?? head)
  // A numbered list of labels is no list of treatments.
  if (
    lead &&
    !control &&
    /^\(?\d/.test(source.text.replace(BULLET, '')) &&
    !(listed ? AMOUNT : DOSED).test(run.folded) &&
    !MEASURED_OUT.test(run.folded) &&
    !new RegExp(YIELD.source).test(run.folded)
  )
    return null
  const told =
    run.text.length < 280 &&
    DOSED.test(run.folded) &&
    new RegExp(YIELD.source).test(run.folded) &&
    // '(Tukey 5 %, CV de 4,1 %)' stands aside.
    !STATISTICS.test(run.folded.replace(/\([^()]{0,60}\)/g, ' '))
  if (!lead && !control && !bullet && !told) return null
  const yields = [...run.folded.matchAll(YIELD)].filter((m) => {
    const before = run.folded.slice(Math.max(0, m.index - 28), m.index)
    const value = toNumber(m[1] ?? '') ?? 0
    const unit = yieldUnit(m[2] ?? '')
    return (
      !MORE.test(before) &&
      !BEFORE.test(run.folded) &&
      !OVER_CONTROL.test(run.folded.slice(m.index + m[0].length)) &&
      !OF_FERTILISER.test(run.folded.slice(m.index + m[0].length)) &&
      !/\+\s*$/.test(before) &&
      value * (unit?.factor ?? 0) >= 150 &&
      !/\bdose\b[^,;]*$/.test(before)
    )
  })
  const begin = descriptionEnd(run)
  const cued = yields.find((m) => YIELD_CUE.test(run.folded.slice(Math.max(0, m.index - 40), m.index)))
  const chosen = cued ?? yields.find((m) => m.index >= begin) ?? yields[0]
  if (chosen?.[1] && chosen[2]) {
    const unit = yieldUnit(chosen[2])
    const value = toNumber(chosen[1])
    if (unit && value !== null)
      draft.produtividade = {
        ...inKilos(value, unit),
        words: wordsIn(run, chosen.index, chosen.index + chosen[1].length),
        score: 0.85,
        method: 'list',
      }
  }
  if (!chosen && unit && (lead || control)) {
    const bare = /(?<![\d.,])(\d[\d.,]*\d|\d)\s*[;.]?\s*$/.exec(run.text)
    const value = bare?.[1] ? toNumber(bare[1].replace(/[.,]$/, '')) : null
    if (bare?.[1] && value !== null)
      draft.produtividade = {
        ...inKilos(value, unit),
        words: wordsIn(run, bare.index, bare.index + bare[1].length),
        score: 0.75,
        method: 'list',
      }
  }
  const cost = new RegExp(`r\\$\\s*(${NUMBER_SOURCE})`, 'g')
  for (const match of run.folded.matchAll(cost)) {
    const before = run.folded.slice(Math.max(0, match.index - 30), match.index)
    const after = run.folded.slice(match.index + match[0].length)
    if (
      /\broi\b|retorno|lucro|saldo|margem|receita|ganho|\bsac[ao]s?\b|\bpreco|\bpag(?:ou|aram)\b/.test(before)
    )
      continue
    // What was got for it.
    if (/^\s*(?:a mais|de (?:premio|bonus|agio))\b/.test(after)) continue
    // The price of a sack or of a litre is not the cost of a hectare.
    if (/^\s*(?:\/|por|[ao])\s*(?:sc|sac[ao]|@|arroba|t\b|tonelada|l\b|litro|kg|quilo)/.test(after)) continue
    const value = toNumber(match[1] ?? '')
    if (value === null || draft.custo) continue
    const at = match.index + match[0].indexOf(match[1] ?? '')
    draft.custo = { value, words: wordsIn(run, at, at + (match[1]?.length ?? 0)), score: 0.8, method: 'list' }
  }
  if (!draft.produtividade && !draft.code && !control) return null
  const end = descriptionEnd(run)
  const text = sliceRun(run, 0, end)
  let described = readDescription(text, 'list')
  // A sentence about a treatment: its products are what stands in capitals before the doses.
  const telling =
    (told && !lead && !bullet && !control && !TITLED.test(run.text)) ||
    (lead !== null && !control && PROSE.test(run.text))
  if (telling) {
    const stop = lead ? SENTENCE_END.exec(run.text)?.index : end
    const said = toldDescription(sliceRun(run, 0, stop ?? run.text.length), 'list')
    if (said.produtos.length > 0 || !lead) described = said
  }
  draft.control = control
  // What begins in small letters goes on with the sentence, unless it is a class of products.
  const name = described.nome?.value ?? ''
  const plain = lead !== null && described.produtos.length === 1 && /^\p{Ll}+(?: \p{Ll}+){0,2}$/u.test(name)
  // 'T3 = coinoculação: X 100 mL/ha e Y 150 mL/ha'
  const titled = lead !== null && name.length > 3 && run.text.startsWith(`${name}:`)
  const named = /^[\p{Lu}\d]/u.test(name) || isClass(name) || titled || (plain && !SENTENCE.test(name))
  draft.nome = (named && !/R\$/.test(name)) || control ? described.nome : null
  if (!named)
    described.produtos = described.produtos.filter(
      (p) => /^[\p{Lu}\d]/u.test(p.nome.value) || (p.dose !== null && isSubstance(p.nome.value)),
    )
  applyLabelledDose(run, described.produtos)
  draft.produtos = control
    ? []
    : described.produtos.filter(
        (p) => !/^\d|R\$/.test(p.nome.value) && (p.dose !== null || !/\d{3}/.test(p.nome.value)),
      )
  const amounts = new Set(draft.produtos.flatMap(({ dose }) => dose?.words ?? []))
  // 'Siligran, 150 kg/ha, antes da água': what a product is given is no harvest.
  if (
    !cued &&
    draft.produtividade?.words.some((word) => amounts.has(word)) &&
    draft.produtividade.value < LEAST_HARVEST
  )
    draft.produtividade = null
  const own = new Set(draft.produtos.flatMap((product) => product.nome.words))
  const mode = findModes(run.folded).find(
    // 'A testemunha, sem foliar'
    ({ start, end }) =>
      !/\bsem\s*$/.test(run.folded.slice(0, start)) &&
      !wordsIn(run, start, end).every((word) => own.has(word)),
  )
  if (mode)
    draft.modalidade = {
      value: mode.value,
      words: wordsIn(run, mode.start, mode.end),
      score: 0.8,
      method: 'list',
    }
  draft.analises = readAnalyses(run)
  if (!draft.nome && !draft.code) return null
  if (draft.nome && draft.nome.value.length > 90) return null
  return draft
}

/** 'T6 diferiu da testemunha': what came of it, not what it is. */
const CONCLUDES =
  /^(?:nao |tambem |ja )?(?:se )?(?:difer(?:iu|e|iram)|super(?:ou|a|aram)|igual(?:ou|a|aram)|venceu|ganhou|perdeu|destac(?:ou|a|aram)|empatou|separ(?:ou|a|aram))(?:-se)?\b/

/** In kg/ha: a smaller amount beside a product is its dose. */
const LEAST_HARVEST = 1000

/** 'Dose: 0,5 L/ha + 1,0 kg/ha' on a card under the products' names. */
function applyLabelledDose(run: Run, products: Draft['produtos']): void {
  const label = /\bdos(?:e|es|agem)\s*:\s*/.exec(run.folded)
  if (!label || products.some((product) => product.dose !== null)) return
  const from = label.index + label[0].length
  const stop = /\s\p{L}[\p{L} ]{1,20}:/u.exec(run.text.slice(from))
  const doses = readDoses(sliceRun(run, from, stop ? from + stop.index : run.text.length), null, 'list')
  products.forEach((product, i) => {
    product.dose = doses[i]?.dose ?? null
    product.unidade = doses[i]?.unidade ?? null
  })
}

/** 'X (0,3 L/ha, sulco) + Y (0,8 kg/ha, foliar)', 'X, no sulco, mais Y, 1 L/ha': more products follow. */
const MORE_PRODUCTS =
  /^[,;(](?:[^(),;]{2,30}\)\s*(?:\+|e\s)|[^().;+]{2,34}[,;]?\s*(?:\+|\bmais\b|\be\b|\bcom\b|\bseguid[oa] (?:de|por)\b)\s*\p{Lu}[^.;]{2,40}?\d[\d.,]*\s*(?:mL|L|kg|g)\b)/u

/** Where the description of a treatment gives way to its results. */
function descriptionEnd(run: Run): number {
  const stops = [
    /(?:[:–—]|\s-)\s*(?=(?:produ|rend|colh|\d{1,2}[.,]?\d*\s*(?:sc|kg|t\b|sacas|@)|r\$|\d\.\d{3}))/,
    /[,;(]\s*(?:tod[oa]s|ambos|ambas|via|aplicad|modalidade|custo|investimento|produ|rend|colh|no sulco|foliar|em \w+ de semente|sulco|ts\b|tratamento de sement|cobertura|a lanco|lanco|solo\b|incorpora|pulveriz|superficie|na semente|drench|trat\. de)/,
    /\s(?:produziu|rendeu|alcancou|atingiu|colheu|obteve|chegou|registrou|apresentou|fechou|entregou|resultou|ficou)\b/,
    /\s(?:custo|investimento|produtividade|rendimento)\b/,
    /\s(?:dose|doses|via|modo|modalidade|aplicacao|produtividade|rendimento|resultado)\s*:/,
    /\s[-–|]\s*(?:via|custo|produt|rend|\d\.\d{3}|\d+[.,]?\d*\s*(?:sc|kg|sacas))/,
    // 'X 200 ml/ha no sulco 101,7 sc/ha': nothing is dosed in sacks.
    /\s(?=\d[\d.,]*\s*(?:scs?|sacas|@|arrobas)\s*(?:\/|por)\s*ha)/,
    // 'B. japonicum', 'Rizobril liq. no sulco' go on.
    /(?<![\s(][a-z]|\b(?:liq|gran|conc|org|min|sem|trat|prod))\.\s/,
  ]
  let end = run.text.length
  for (const stop of stops) {
    for (const match of run.folded.matchAll(new RegExp(stop.source, 'g'))) {
      if (match.index <= 1 || MORE_PRODUCTS.test(run.text.slice(match.index))) continue
      end = Math.min(end, match.index)
      break
    }
  }
  return end
}
