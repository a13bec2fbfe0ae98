import { type Run, wordsIn } from '../layout/run.ts'
import { NUMBER_SOURCE, readNumber } from '../values/number.ts'
import { fold } from '../values/text.ts'
import { yieldUnit } from '../values/units.ts'
import type { Draft } from './draft.ts'

const ANALYSIS = new RegExp(
  String.raw`(?<![\p{L}])(altura(?: de plantas?)?|peso (?:hectolitro|hectolitrico|de mil graos|de 1\.?000 graos|medio)|pmg|massa de (?:mil|1000|1\.000) graos|estande(?: final)?|populacao|spad|indice spad|ndvi|severidade|incidencia|desfolha|proteina|vagens por planta|graos por (?:vagem|espiga)|brix|atr|controle|fitotoxicidade|numero de \p{L}+)\s*(?:foi |ficou |media |final )?(?:de|:|=|em)?\s*(${NUMBER_SOURCE})\s*(cm|m|g|kg\/hl|%|kg\/t|mm|plantas\/m2?|unid\S*|°brix)?`,
  'gu',
)

/** What an item of a list says was measured: 'altura de 98 cm', 'PMG: 165 g'. */
export function readAnalyses(run: Run): Draft['analises'] {
  const found: Draft['analises'] = partsBetweenBars(run)
  if (found.length > 0) return found
  for (const match of run.folded.matchAll(ANALYSIS)) {
    const value = readNumber(match[2] ?? '')
    if (value === null || !match[1]) continue
    const at = match.index + match[0].indexOf(match[2] ?? '', match[1].length)
    const nome = run.text.slice(match.index, match.index + match[1].length)
    found.push({
      nome: nome.charAt(0).toUpperCase() + nome.slice(1),
      unidade: match[3]
        ? run.text.slice(at + (match[2]?.length ?? 0), match.index + match[0].length).trim()
        : null,
      valor: { value, words: wordsIn(run, at, at + (match[2]?.length ?? 0)), score: 0.75, method: 'list' },
    })
  }
  return found
}

const PART =
  /^\s*(\p{L}[\p{L}\d ./º°-]{1,40}?)\s*[:=]?\s+([-+]?\d[\d.,]*)\s*([\p{L}%°º/²³\d-]{0,14})\s*(?:\([a-e]{1,3}\))?\s*$/u
const MONEY = /\bcusto|\bprec|\binvest|\broi\b|\bretorno|\blucro|\bdose/

/** '98,4 sc/ha | PMG 302 g | umid. 14,8%': each part that is a name with a figure. */
function partsBetweenBars(run: Run): Draft['analises'] {
  const parts = run.text.split('|')
  if (parts.length < LEAST_PARTS) return []
  let from = 0
  return parts.flatMap((part) => {
    const start = from
    from += part.length + 1
    const [, nome = '', figure = '', unit = ''] = PART.exec(part) ?? []
    const value = readNumber(figure)
    if (value === null || nome === '' || MONEY.test(fold(nome))) return []
    if (yieldUnit(unit) !== null || /\/\s*ha$/.test(unit)) return []
    const at = start + part.indexOf(figure, part.indexOf(nome) + nome.length)
    const words = wordsIn(run, at, at + figure.length)
    return [
      {
        nome: nome.charAt(0).toUpperCase() + nome.slice(1),
        unidade: unit || null,
        valor: { value, words, score: 0.75, method: 'list' as const },
      },
    ]
  })
}
const LEAST_PARTS = 3
