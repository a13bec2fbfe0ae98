import { readNumber } from './number.ts'
import { remembered } from './remembered.ts'
import { fold } from './text.ts'
import { doseUnit, yieldUnit } from './units.ts'

/** '1,12 m': a number with its unit, that is no dose and no yield. */
export const readMeasured = remembered((text): number | null => {
  const t = text.trim()
  if (!/^[-+]?\d[\d.,]*\s?(?:[a-zµ°º%²³]{1,6}(?:\/[a-z²³]{1,6})?)$/i.test(t)) return null
  if (/\d\s?d\.?a\.?[a-z]{1,2}\.?$/i.test(t)) return null
  const weight = /\d\s?(?:m?g|kg)$/i.test(t)
  const dose = !weight && doseUnit(t.replace(/^[^a-zA-Z%]*/, '')) !== null
  return dose || yieldUnit(t) !== null ? null : readNumber(t)
})

const UNIT =
  /^(?:%|%\s?(?:leaf|plants?|untre\w*|unck|foliage|area|ear|grain)|cm|mm|m|g|kg|mg|µg|mg\/kg|g\/kg|kg\/hl|kg hl-?1|g\/planta|plantas?\/m.?|pl\/m.?|n[º°o]\.?|n[º°o]?\/planta|n\.?[º°o]\.?\s(?:pl|planta|vagem|espiga|m)\.?\s?[-−⁻]\s?[12¹²]|[°º]b(?:ri)?x|brix|indice spad|spad|un\.?|dias|pontos?|notas?|meq.*|ndvi|[\p{L}µ%°º#\d.]{1,12}\s*[/.]\s*[\p{L}\d²³\s.]{1,14}|[\p{L}]{1,8}\s?[-−⁻]\s?[123¹²³]|[\p{L}]{1,3}\s[\p{L}]{1,7}\s?[-−⁻]?\s?[123¹²³]|[\p{L}º°%]{1,10}\s[\p{L}]{1,4}\s?[-−⁻]\s?[123¹²³]|mil\s[\p{L}]{3,9}\s?\/\s?\p{L}{1,3}|índice spad|índice|pp[bm]|0-9|0 a 10)$/iu

/** Whether a text is nothing but a unit: of a measurement, a yield or money. */
export const isUnit = remembered((text): boolean => {
  const t = text.replace(/^[([]|[)\]]$/g, '').trim()
  return (
    UNIT.test(t) ||
    // '(mL kg-1 de semente)'
    (/^\(.*\)$/.test(text.trim()) && doseUnit(t) !== null) ||
    /^r\$(?:\s*(?:\/|por)?\s*ha(?:-1)?)?$/i.test(t) ||
    (yieldUnit(t) !== null && t.length < 9)
  )
})

/** 'Altura (cm)', 'Altura, cm', 'Altura cm' and '% de infestação' to name and unit. */
export function splitUnit(header: string): { nome: string; unidade: string | null } {
  const { nome, unidade } = parted(header)
  // 'º' stands for '°' in many a font; 'PMG³' is the sign of a note.
  return {
    nome: nome.replace(/(?<=\p{L}{2})[¹²³⁴⁵⁶⁷⁸⁹]+$/u, ''),
    unidade: unidade?.replace(/^º(?=\s?[BCF])/, '°') ?? null,
  }
}

function parted(header: string): { nome: string; unidade: string | null } {
  if (header.length > LONGEST_HEADING) return { nome: header, unidade: null }
  const text = header
    // '(1)' behind a heading is that of a note.
    .replace(/\s*\(\d\)/g, ' ')
    // 'PMS (n.s.) (g)': no treatment differed.
    .replace(/\s*\(\s?n\.?\s?s\.?\s?\)/gi, ' ')
    .replace(/\s+/g, ' ')
    .replace(/[¹²³*]+$/, (tail) => (/m$/.test(header.replace(/[¹²³*]+$/, '')) ? tail : ''))
    .trim()
  // 'Nitrogênio (N) (g/kg)', 'Rendimento (coco/benef.) (%)'
  const last = /^(.{2,}?\(([^()]{1,24})\))\s*\(([^()]{1,14})\)$/.exec(text)
  if (last?.[1] && last[2] && last[3] && isUnit(last[3]) && !isUnit(last[2]) && !WHEN.test(last[2]))
    return { nome: last[1], unidade: last[3].trim() }
  const bracket = /^(.*?)\s*[([]\s*(?!m[ée]dias?\s*[)\]])([^)\]]{1,24})\s*[)\]]\s*(.*)$/i.exec(text)
  if (bracket?.[1] && bracket[2]) {
    const [rest, inner] = [bracket[3] ? ` ${bracket[3]}` : '', bracket[2].trim().replace(/^º$/, '°')]
    if (WHEN.test(inner) || WHERE.test(fold(inner))) {
      const { nome, unidade } = parted(`${bracket[1]}${rest}`.trim())
      return { nome: `${nome} (${inner})`, unidade }
    }
    return { nome: `${bracket[1]}${rest}`.trim(), unidade: inner }
  }
  const comma = /^(.*?)\s*[,;–-]\s+([^,;]{1,16})$/.exec(text)
  if (comma?.[1] && comma[2] && UNIT.test(comma[2].trim()))
    return { nome: comma[1], unidade: comma[2].trim() }
  const percent = /^%\s*(?:de )?(.+)$/.exec(text)
  if (percent?.[1]) return { nome: percent[1], unidade: '%' }
  if (/^[°º]\s?brix$/i.test(text)) return { nome: 'Brix', unidade: '°Brix' }
  const words = text.split(' ')
  for (const n of [2, 1]) {
    const tail = words.slice(-n).join(' ')
    if (words.length > n && KNOWN_TAIL.test(tail))
      return { nome: words.slice(0, -n).join(' '), unidade: tail }
  }
  if (/\bspad\b/i.test(text)) return { nome: text, unidade: null }
  return { nome: text, unidade: null }
}

const LONGEST_HEADING = 200
/** '90 dias', 'R4', '28 DAA' in brackets: when it was measured. */
const WHEN = /^(?:(?:aos )?\d{1,3}\s?(?:dias|d\.?a\.?[a-z]{1,3}\.?)|[VR]\d{1,2}(?:[.,]\d)?)$/i
/** 'terço médio', 'folha bandeira' in brackets: on what it was measured. */
const WHERE =
  /^(?:n[ao] )?(?:terc(?:o|eira) \w+|\w+ terco|baixeiro|ponteiro|(?:folha|planta|parte|camada|haste|raiz) [a-z]{4,10})$/

const KNOWN_TAIL =
  /^(?:%|°|m|m\s?[-−⁻]\s?[12²]|cm|mm|g|kg|mg|kg\/hl|kg hl-1|g\/kg|plantas\/m²|plantas\/m2|plantas m-2|°brix|ºbrix|mg\/kg|g\/planta|n\/planta|m?[gl]\/(?:planta|vaso|folha|parcela|saca)|plantas\/m|dag\/kg|t\/ha|kg\/ha|pl\/m²|pl\/m|nº\/planta|mm\/planta|índice|spad|nº|n°|sc\/ha|notas?|un\.?|kg\/t|pp[bm]|\p{L}{1,2}\/\p{L}{2,4})$/iu
