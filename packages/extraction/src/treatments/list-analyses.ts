import { type Run, wordsIn } from '../layout/run.ts'
import { NUMBER_SOURCE, readNumber } from '../values/number.ts'
import type { Draft } from './draft.ts'

const ANALYSIS = new RegExp(
  String.raw`(?<![\p{L}])(altura(?: de plantas?)?|peso (?:hectolitro|hectolitrico|de mil graos|de 1\.?000 graos|medio)|pmg|massa de (?:mil|1000|1\.000) graos|estande(?: final)?|populacao|spad|indice spad|ndvi|severidade|incidencia|desfolha|proteina|vagens por planta|graos por (?:vagem|espiga)|brix|atr|controle|fitotoxicidade|numero de \p{L}+)\s*(?:foi |ficou |media |final )?(?:de|:|=|em)?\s*(${NUMBER_SOURCE})\s*(cm|m|g|kg\/hl|%|kg\/t|mm|plantas\/m2?|unid\S*|°brix)?`,
  'gu',
)

/** What an item of a list says was measured: 'altura de 98 cm', 'PMG: 165 g'. */
export function readAnalyses(run: Run): Draft['analises'] {
  const found: Draft['analises'] = []
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
