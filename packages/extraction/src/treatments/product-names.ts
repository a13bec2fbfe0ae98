import { remembered } from '../values/remembered.ts'
import { FORMULA, fold } from '../values/text.ts'
import type { DraftProduct } from './draft.ts'

export const JOINT =
  /^(?:\s*(?:\+|;|,|&|\/|•|\be\b|\bmais\b|\bcom\b|\b(?:somad[oa]s? (?:a|ao)|associad[oa]s? (?:a|ao|com)|combinad[oa]s? (?:a|ao|com)|em mistura com|junto (?:a|com)|acrescid[oa]s? de|adicionad[oa]s? de|aliad[oa]s? (?:a|ao)|seguid[oa]s? (?:de|por))(?=\s)|\bfb\b|>)\s*)+/u
const STRIP_END =
  /(?:\s*(?:\+|;|,|&|\/|:|\(|@|-|–|—|·|\||\be\b|\ba\b|\bnas? doses?(?: de)?\b|\bdose\b|\bem\b|\bde\b))+\s*$/

const TRAILING_WAY =
  /(?:[\s,;(–-]+(?:via|aplicad[oa]s?|n[oa]s?|em|aplicacao|por)\s+|\s*[,;(–]\s*|\s-\s)(?:via\s+|no\s+|na\s+|em\s+)?(?:foliar|folha|sulco(?: de (?:plantio|semeadura))?|ts|tsi|tratamento de sementes|solo|cobertura|sementes?|a lanco|incorporad[oa]|pulverizacao)(?:\s+(?:em|no estadio|no)?\s*(?:[vr]\d\d?|vt|vc|vn|perfilhamento|florescimento|emborrachamento|plantio))?\)?$/i

const HOW_AND_WHEN =
  /^(?:(?:[Ff]oliar|[Ff]ertirriga[çc][ãa]o|[Ss]ulco|[Ss]ementes?|[Ss]olo|TS),?\s*)?(?:[VR]\d{1,2}(?:\s*(?:e|,|\/)\s*[VR]\d{1,2}){0,4})?:\s+(?=\p{Lu})/u

const CLASS_BEFORE =
  /^(?:[oa]\s)?(?:inoculante|fertilizante(?:\sfoliar)?|bioestimulante|fungicida|inseticida|herbicida|adjuvante|biofertilizante|nematicida|bionematicida|produto|regulador|redutor|[óo]leo(?:\s(?:mineral|vegetal|metilado))?|espalhante(?:\sadesivo)?)\s+(?=\p{Lu}\p{L}{3})/u

const ACT =
  /^(?:(?:(?:[Cc]o-?)?[Ii]nocula|[Aa]plica|[Aa]duba|[Pp]ulveriza)(?:ção|ções|cao|coes)|[Tt]ratamento|[Uu]so)(?:\s+\p{Ll}{2,12}){0,3}?\s+(?:com|de|do|da)\s+(?=\p{Lu}(?:\p{Ll}|\.\s\p{Ll}))/u

/** A treatment's name as it should be kept: no code, no doses, no dangling connectors. */
export const cleanName = remembered((text): string => {
  // 'B + A' is made of letters that stand for products; the last one is no word.
  if (/^\p{Lu}(?:\s*\+\s*\p{Lu})*$/u.test(text.trim())) return text.trim()
  let name = text
    .replace(/^=\s*/, '')
    // '1º Tudo junto' of a ranking.
    .replace(/^\d{1,2}\s?[ºª°]\s+(?=\p{L})/u, '')
    .replace(/\s?[*†‡§]{1,4}(?=\s?(?:\+|$))/g, '')
    // 'Aderix¹': the sign of a note.
    .replace(/(?<=\p{L}{3}|\p{Lu}{2})[¹²³⁴]+(?=[\s,;)]|$)/gu, '')
    // 'o inoculante NoduFix', 'CoMolybdus (1,5% de Co)', 'Azoterra (Azospirillum brasilense Ab-V5)': its class and what it holds.
    .replace(CLASS_BEFORE, '')
    .replace(/\s*\((?:[^()]*\d\s?%\sde\s[^()]*|\p{Lu}(?:\.|\p{Ll}{4,})\s\p{Ll}{5,}[^()]*)\)/gu, '')
    // 'Foliar, R5: Calbor', 'Fertirrigação: HidroCal': how and when.
    .replace(HOW_AND_WHEN, '')
    // 'Znfolha (mercado)', 'X / Y (alternados)'
    .replace(/\s*\((?:do )?(?:mercado|alternad[oa]s?|concorrente)\)/gi, '')
    .replace(/(?<=[\p{Ll}.])(?<!\s(?:n[oa]|ao|d[eo]|em|via|pelo))\s+sulco$/u, '')
    .replace(/\(\s*[,;+/e\s]*\)/g, ' ')
    .replace(/\s*[,;(]\s*(?:via |n[oa] |em )?\p{Ll}[\p{Ll} ]{1,24}\)(?=\s*\+)/gu, ' ')
    .replace(/,?\s*\b(?:na )?dose (?:baixa|m[ée]dia|alta|cheia|menor|maior)\b|\bna dose(?: de)?\b/gi, ' ')
    .replace(/[\s,;]+aos?\s\d{1,3}\s?D\.?A\.?[A-Z]{1,2}\b\.?(?=\s*(?:\+|$))/gu, '')
    .replace(/[\s,;]+(?:via|n[oa]s?|em|aos?)\s[\p{Ll}\d ]{2,30}(?=[\s,;]*(?:\+|\bmais\b))/gu, ' ')
    .replace(/[,;\s]+(?=\s(?:\+|mais\s\p{Lu}))/gu, '')
    .replace(/\s+([,;])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
  name = name
    .replace(/\s*\(\d\)$/, '')
    .replace(/(?<=\p{L}{3}\S*)\s+(?:sozinh|isolad)[oa]$/u, '')
    .replace(/^(?:[OoAa]s?|d[oa]s?)\s+(?:mesm[oa]s?\s+)?(?=\p{Lu})/u, '')
    // 'coinoculação com Rizofeijão', 'aplicação foliar de Aminofol', 'N na forma de ureia'
    .replace(ACT, '')
    .replace(/(?<=\p{L}{3}\d*)\s+em (?:pulveriza|aplica|tratamento d)[^+]{0,80}$/u, '')
    .replace(/^(?:N|P|K|P2O5|K2O)\s+(?:na forma de|como)\s+(?=\p{L}{3})/u, '')
    .replace(
      /^(?:recebeu|recebe|levou|foi|usou|aplicou-se|utilizou(?:-se)?|consistiu (?:em|de|n[ao])|correspondeu a[o]?)\s+(?=\p{Lu})/iu,
      '',
    )
    .replace(
      /\s+(?:mais|somad[oa]s? (?:a|ao)|associad[oa]s? (?:a|ao|com)|combinad[oa]s? (?:a|ao|com)|em mistura com|junto (?:a|com)|acrescid[oa]s? de|adicionad[oa]s? de|aliad[oa]s? (?:a|ao)|seguid[oa]s? (?:de|por))\s+(?=\p{Lu})/gu,
      ' + ',
    )
    .replace(
      /,\s+(?:também|tod[oa]s|junt[oa]s?|os dois|as duas|ambos|n[oa]s?|em|aos?|via|com|por|durante|sendo|dividid[oa]s?|parcelad[oa]s?|aplicad[oa]s?)\s[^+]*$/u,
      '',
    )
  for (let i = 0; i < 3; i++) name = name.replace(JOINT, '').replace(STRIP_END, '').trim()
  const way = TRAILING_WAY.exec(name.normalize('NFD').replace(/\p{M}/gu, ''))
  if (way && way.index > 0) name = name.slice(0, way.index).trim()
  if (/\([^)]*$/.test(name))
    name = name.replace(/\s*\(\s*([^()]*)$/, (_, rest: string) => (rest ? ` (${rest})` : ''))
  // '(X', the first of what stands in brackets.
  return name.trim().replace(/^\(([^()]+)\)$/, '$1')
})

const GENERIC =
  /^(?:(?:em |no |na |via |por )?(?:cobertura|foliar|sulco(?: de (?:plantio|semeadura))?|solo|lanco|sementes?|semente|incorpora\w+|pulverizacao|superficie)|foliar(?: (?:em|no|na|aos?|com|via) .*)?|aplicac(?:ao|oes)(?: .*)?|aplicad[oa]s?(?: .*)?|padrao(?: .*)?|manejo(?: .*)?|programa(?: .*)?|tratamento(?: .*)?|protocolo(?: .*)?|doses?(?: (?:de|do|da|por|em|total|cheia|plena|unica)\b.*)?|t ?\d+|sem .*|nao .*|produtor|fazenda|convencional|completo|total|media.*|controle(?: (?:de|do|da|das|dos|absoluto|positivo|negativo|padrao|local)\b.*)?|testemunha.*|npk|nenhum.*|n\/a|agua|junt[oa]s?(?: .*)?|(?:[oa]s )?(?:dois|duas|tres)(?: .*)?|ambos(?: .*)?|tudo(?: .*)?)$/

/** 'em V4', 'aos 35 dias': when and where, not what. */
const CIRCUMSTANCE =
  /^(?:também|ambos|só|somente|apenas|antes|depois|logo|tod[oa]s|[oa]s (?:dois|duas|três|quatro)|em|n[oa]s?|via|aos?|às|até|após|entre|por|durante|sendo|aplicad\p{L}+|dividid\p{L}+)\s/u

/** Whether a text may name a product. */
export function plausibleName(name: string): boolean {
  const t = fold(name)
  return (
    t.length >= 2 &&
    t.length <= 60 &&
    (/[a-z]/.test(t) || FORMULA.test(t)) &&
    !GENERIC.test(t) &&
    !CIRCUMSTANCE.test(name) &&
    !/r\$/.test(t) &&
    // '1,0 t/ha em superfície'
    !/^\d[\d.,]*\s?(?:t|ton|kg|l|ml|g)\s?(?:\/\s?ha|ha\s?-1)(?![a-z])/.test(t) &&
    !/^(?:ha|l|ml|kg|g|foliar|sulco|ts|solo|[vr](?:\d\d?(?:[.,]\d)?|e|t|n|c))$/.test(t)
  )
}

/** What has no brand is written in small letters: 'nitrato de potássio', 'óleo de nim'. */
export const isSubstance = (name: string): boolean =>
  /^(?:nitrato|ureia|sulfato|silicato|fosfito|fosfato|oleo|oxido|cloreto|gesso|calcario|mancozebe?|glifosato|enxofre|boro|acido|hidroxido|extrato|molibd\w+|zinco|cobre|calcio|manganes|magnesio|potassio|esterco|vinhaca|melaco|composto|azoxistrobina|tebuconazol\w*|fluazinam|atrazina|calda (?:bordalesa|sulfocalcica))\b/.test(
    fold(name),
  )

/** 'Inseticida + X' with one dose: the dose is of the product, not of what all receive. */
export const isClass = (name: string): boolean =>
  /^(?:inseticidas?|fungicidas?|herbicidas?|acaricidas?|calda|adubo|adubacao|npk|glifosato|manejo|padrao|tratamento)\b/.test(
    fold(name),
  )

/** 'X, em V4, e + Y', what is left when the doses are taken away: only the products, joints and stages. */
export function isOnlyJoined(nome: string, produtos: readonly DraftProduct[]): boolean {
  const rest = produtos.reduce((text, product) => text.replace(product.nome.value, ' '), nome)
  if (produtos.length > 1 && /^(?:[\s,;+&()]|e\s|mais\s)*$/.test(rest)) return true
  if (!STAGED.test(nome)) return false
  return !/\p{Lu}|\d/u.test(rest.replace(STAGED_ALL, ' '))
}
const STAGED = /,\s(?:em|no|aos?)\s[VR]\d/
const STAGED_ALL = /(?<![\p{L}\d])[VR]\d{1,2}(?:\.\d)?(?![\p{L}\d])/gu
