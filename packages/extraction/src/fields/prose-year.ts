import { aside, ISSUE } from './candidate.ts'
import { parseYear } from './parsers.ts'
import type { Add, Sentence } from './prose.ts'

const PLANTED = /\b(?:plantio|plantad[oa]|formad[oa]|enxertad[oa]|formacao)(?: de| em)?\s*$/
const PERENNIAL =
  /\b(?:cafe\w*|catua\w*|catucai\w*|mundo novo|arabica|conilon|laranj\w*|citros|limao|uvas?|videir\w*|mang(?:a|as|ueir\w*)|pomar\w*|enxert\w*|porta-enxerto|parreira\w*|macieir\w*|bananal|cacau\w*)\b/
const CAPTIONED = /^(?:tabela|quadro|figura)\b/

/** The year of the trial: of its season, its sowing, its harvest, not of its paper. */
export function readYear({ folded, place }: Sentence, add: Add): void {
  for (const match of folded.matchAll(
    /(?<![\d.,/-])(?:20[0-4]\d(?:\s*[/-]\s*(?:20)?\d{2})?|[12]\d\/[12]\d|\d{1,2}[/.-]\d{1,2}[/.-]20[0-4]\d)(?!\d|[,.]\d|\/)/g,
  )) {
    const parsed = parseYear(match[0], match[0])
    if (!parsed) continue
    const before = folded.slice(Math.max(0, match.index - 130), match.index)
    const close = folded.slice(Math.max(0, match.index - 34), match.index)
    const after = folded.slice(match.index, match.index + 40)
    const season =
      /\b(?:safra|ano agricola|ano|ciclo|temporada|safrinha|inverno|verao|campanha|segunda safra)\b[^.]{0,16}$/.test(
        close,
      )
    const sowing =
      /\b(?:seme\w+|plant\w+|instal\w+|implant\w+|conduz\w+|realiz\w+|transplant\w+|poda\w*|florada)\b[^.;]{0,120}$/.test(
        before,
      )
    const issue = ISSUE.test(close) || (ISSUE.test(folded) && !season && !sowing)
    const harvest = /\bcolh\w+[^.;]{0,30}$/.test(close)
    // 'A lavoura vinha de safra baixa em 2013'
    const earlier = /\b(?:vinha|veio|vindo) de\b|\bsafra (?:baixa|alta|cheia|ruim|boa)\b/.test(close)
    // 'laranja enxertada em Swingle, plantio de 2014': when an orchard was planted.
    const planted = /^20\d\d$/.test(match[0]) && PLANTED.test(close) && PERENNIAL.test(folded)
    // 'Tabela 1. Produtividade de colmos. Guariba-SP, 2023.'
    const captioned = CAPTIONED.test(folded) && folded.length - match.index < 12
    const done = /\b(?:ocorr\w+|aplic\w+|avalia\w+)\b[^.;]{0,24}$/.test(close)
    const told = harvest
      ? /\b(?:ensaio|experimento)\s+colh/.test(close)
        ? 0.72
        : 0.55
      : captioned
        ? 0.6
        : done
          ? 0.5
          : place < 0.15
            ? 0.5
            : 0.34
    const base = planted ? 0.3 : season ? 0.84 : sowing ? 0.78 : told
    const range =
      /[/-]\s*(?:20)?\d{2}$/.test(match[0]) && !/^\d{1,2}[/.-]\d{1,2}[/.-]/.test(match[0]) ? 0.06 : 0
    const against = issue
      ? 0.25
      : earlier ||
          aside(folded) < 0.35 ||
          /\banteri\w+|passad\w+|ensaios? de\b|\bproxim\w+|\brepetir\b|\bacompanhar\b/.test(
            `${close} ${after}`,
          ) ||
          /\bentre $/.test(close)
        ? 0.3
        : 1
    add('ano', parsed.value, (base + range) * against, match.index, match.index + match[0].length)
  }
}
