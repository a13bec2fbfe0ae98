import { fold } from '../values/text.ts'

const GENERIC =
  /^(?:(?:em |no |na |via |por )?(?:cobertura|foliar|sulco(?: de (?:plantio|semeadura))?|solo|lanco|sementes?|semente|incorpora\w+|pulverizacao|superficie)|foliar(?: (?:em|no|na|aos?|com|via) .*)?|aplicac(?:ao|oes)(?: .*)?|aplicad[oa]s?(?: .*)?|padrao(?: .*)?|manejo(?: .*)?|programa(?: .*)?|tratamento(?: .*)?|protocolo(?: .*)?|doses?(?: (?:de|do|da|por|em|total|cheia|plena|unica)\b.*)?|t ?\d+|sem .*|nao .*|produtor|fazenda|convencional|completo|total|media.*|controle(?: (?:de|do|da|das|dos|absoluto|positivo|negativo|padrao|local)\b.*)?|testemunha.*|npk|nenhum.*|n\/a|agua)$/

/** 'em V4', 'aos 35 dias': when and where, not what. */
const CIRCUMSTANCE =
  /^(?:também|ambos|tod[oa]s|em|n[oa]s?|via|aos?|às|até|após|entre|por|durante|sendo|aplicad\p{L}+|dividid\p{L}+)\s/u

/** Whether a text may name a product. */
export function plausibleName(name: string): boolean {
  const t = fold(name)
  return (
    t.length >= 2 &&
    t.length <= 60 &&
    /[a-z]/.test(t) &&
    !GENERIC.test(t) &&
    !CIRCUMSTANCE.test(name) &&
    !t.startsWith('r$') &&
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
