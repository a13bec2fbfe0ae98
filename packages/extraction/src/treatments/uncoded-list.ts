import { type Run, sliceRun, wordsIn } from '../layout/run.ts'
import { findModes, isControl } from '../values/lexicon.ts'
import { fold } from '../values/text.ts'
import { type Draft, emptyDraft, leadingCode } from './draft.ts'
import { readDescription } from './products.ts'
import { toldDescription } from './told-products.ts'

/** What says that treatments follow, one after the other. */
const ANNOUNCED =
  /\b(?:tratamentos|manejos|programas|opcoes|alternativas|combinacoes|formas|estrategias)\b[^.:;]{0,60}:\s+(?=\S)/
/** The control may be told before them: 'Comparou-se a testemunha com três manejos: …'. */
const CONTROL_BEFORE = /\b(?:testemunha|controle)\b[^.:;]{0,80}$/
const LEAST = 3
/** The share of those without the control that must tell a dose. */
const DOSED = 0.7
/** A list in a sentence goes on for so long at most. */
const LONGEST = 1500

/**
 * 'Os tratamentos foram: testemunha; X, 3 L/ha; X, 6 L/ha; …', 'O primeiro tratamento …; o segundo …': no codes, one of
 * them the control; they count in their order.
 */
export const uncodedItems = (run: Run): Draft[] | null => announcedItems(run) ?? ordinalItems(run)

function announcedItems(run: Run): Draft[] | null {
  const lead = ANNOUNCED.exec(run.folded)
  if (!lead) return null
  const from = lead.index + lead[0].length
  const rest = run.folded.slice(from, from + LONGEST)
  // It ends with its sentence.
  const stop = /(?<=[a-z\d)])\.(?=\s+[a-z(]|\s*$)/.exec(rest)
  const end = from + (stop?.index ?? rest.length)
  const cuts = [...run.folded.slice(from, end).matchAll(/;\s+(?:e\s+)?/g)]
  const before = CONTROL_BEFORE.exec(run.folded.slice(Math.max(0, lead.index - AROUND), lead.index))
  const least = before ? LEAST - 1 : LEAST
  if (cuts.length < least - 1) return null
  const starts = [from, ...cuts.map((cut) => from + cut.index + cut[0].length)]
  const items = starts.map((start, i) => sliceRun(run, start, cuts[i] ? from + cuts[i].index : end))
  if (items.some(({ text }) => text === '' || leadingCode(text) !== null)) return null
  if (!before || items.some(isOfControl)) return asDrafts(items)
  const at = lead.index - before[0].length
  return asDrafts([sliceRun(run, at, at + CONTROL_WORD), ...items])
}
const AROUND = 160
/** As long as 'testemunha' is. */
const CONTROL_WORD = 10

const ORDINALS = ['primeir', 'segund', 'terceir', 'quart', 'quint', 'sext', 'setim', 'oitav', 'non', 'decim']
const ORDINAL = new RegExp(String.raw`\b(?:[oa]|n[oa]|d[oa])\s(${ORDINALS.join('|')})[oa]\b(?! d[ao]\b)`, 'g')
const CODED = /\bT\s?\d/
const OF_TREATMENTS = /\btratamentos?\b|\bmanejos?\b|\bprogramas?\b/

/** 'A testemunha não recebeu nada. O segundo tratamento recebeu X, 2 L/ha, e o terceiro, X, 4 L/ha.' */
function ordinalItems(run: Run): Draft[] | null {
  const found = [...run.folded.matchAll(ORDINAL)].map((match) => ({
    place: ORDINALS.indexOf(match[1] ?? ''),
    from: match.index,
    to: match.index + match[0].length,
  }))
  const begin = found.findIndex(({ place }) => place < 2)
  const own = found
    .slice(Math.max(0, begin))
    .filter(({ place }, i, all) => place === (all[0]?.place ?? 0) + i)
  const [first] = own
  // Treatments with codes are told by those.
  const coded = CODED.test(run.text)
  if (coded || begin < 0 || !first || own.length < LEAST - 1 || !OF_TREATMENTS.test(run.folded)) return null
  const last = own.at(-1) ?? first
  const rest = run.folded.slice(last.to, last.to + LONGEST)
  const end = last.to + (/(?<=[a-z\d)])\.(?=\s+[a-z(]|\s*$)/.exec(rest)?.index ?? rest.length)
  const items = own.map(({ to }, i) => sliceRun(run, to, own[i + 1]?.from ?? end))
  if (first.place === 0) return asDrafts(items, 'told')
  // The first one is the control, told before the second.
  const at = run.folded.lastIndexOf('testemunha', first.from)
  return at < 0 || first.from - at > AROUND
    ? null
    : asDrafts([sliceRun(run, at, at + CONTROL_WORD), ...items], 'told')
}

const isOfControl = ({ text, folded }: Run): boolean =>
  isControl(text.slice(0, 45)) || /\b(?:nossa|a|como|de) testemunha\b/.test(folded)

/** ', Orbitrol em V8, fez-se uma só pulverização': what a sentence calls its treatment. */
const CALLED = /^,\s(\p{Lu}[^,;.]{2,60}),/u
const SAME_DOSE = /\bmesmas? doses?\b/

/** `how`: in a list, or in sentences of which only what stands in capitals is a product. */
function asDrafts(items: readonly Run[], how: 'listed' | 'told' = 'listed'): Draft[] | null {
  const controls = items.filter(isOfControl)
  if (controls.length !== 1) return null
  const drafts = items.map((item, i): Draft => {
    const code = String(i + 1)
    if (controls.includes(item)) {
      const bare = how === 'told' || item.text.length <= CONTROL_WORD + 1
      return {
        ...emptyDraft(),
        code,
        control: true,
        nome: bare ? controlName(item) : readDescription(item, 'list').nome,
      }
    }
    const { nome, produtos } = how === 'told' ? toldDescription(item, 'list') : readDescription(item, 'list')
    const [mode] = findModes(item.folded)
    const modalidade: Draft['modalidade'] = mode
      ? { value: mode.value, words: wordsIn(item, mode.start, mode.end), score: 0.7, method: 'list' }
      : null
    return { ...emptyDraft(), code, nome: calledIn(item) ?? nome, produtos, modalidade }
  })
  drafts.forEach((draft, i) => {
    const [before] = drafts[i - 1]?.produtos ?? []
    const again =
      before && items[i]?.folded.includes(fold(before.nome.value)) && SAME_DOSE.test(items[i]?.folded ?? '')
    if (again && draft.produtos.length === 0) draft.produtos = [{ ...before, custo: null }]
  })
  const others = drafts.filter(({ control }) => !control)
  const dosed = others.filter(({ produtos }) => produtos.some(({ dose }) => dose !== null)).length
  return dosed >= DOSED * others.length ? drafts : null
}

function calledIn(item: Run): Draft['nome'] {
  const [said, name] = CALLED.exec(item.text) ?? []
  if (!said || !name) return null
  return { value: name, words: wordsIn(item, 2, 2 + name.length), score: 0.8, method: 'list' }
}

/** 'Sem fungicida', 'testemunha': what the control is called. */
function controlName(item: Run): Draft['nome'] {
  const said = /\b(?:testemunha|controle)\b/.exec(item.folded)
  if (!said) return readDescription(item, 'list').nome
  const words = wordsIn(item, said.index, said.index + said[0].length)
  return { value: 'Testemunha', words, score: 0.8, method: 'list' }
}
