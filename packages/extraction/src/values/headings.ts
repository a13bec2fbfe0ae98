import { remembered } from './remembered.ts'
import { fold } from './text.ts'

/** Words by which the headings of treatment tables say what a column holds; tested on folded text. */
export const NAMES =
  /\btratamentos?\b|\btrats?\b|\btreatments?\b(?! no\b)|\bdescri\w+|\bmanejos?\b|\bprogramas?\b|\brecebeu\b|\bidentifica\w+|\bcomposi\w+|\bo que foi\b|\bentradas?\b|\bprotocolos?\b|\bestrategias?\b|\bpacotes?\b|\bposicionamentos?\b|\bdenominac\w+|\bsiglas?\b/
export const PRODUCTS =
  /\bprodutos?\b|\binsumos?\b|\bingredientes?\b|\bfertilizantes?\b|\bformulad\w*|\bmarcas? comercia\w+|\bprodutos? aplicad\w+|\baplicad[oa]s?\b|\bdefensivos?\b|\bitem\b|^(?:adjuvante|fungicida|inseticida|herbicida|nematicida|inoculante|bioestimulante|biologico|fertilizante foliar)s?(?: ?[([,].*)?$/
export const DOSES =
  /\bdos(?:e|es|agem|agens)\d?\b|\bquantidades?\b|\bqtde?\.?|\bquant\.?(?![a-z])|\btaxas?\b|\brates?\b|\bvazao\b|\bp\.? ?c\.? ?(?:\/|por) ?ha\b/
export const MODES =
  /\bmodalidades?\b|\bmodos?\b|\bvias?\b|\bformas?\b|\baplicac\w+|\bmetodos?\b|\bposicao\b|\bmomento\b|\bposicionamento\b|\bonde foi\b|\bplacement\b|\btipo\b|\bcomo\b/
export const YIELDS =
  /\bprodutividades?\b|\brendimentos?\b|\bcolheitas?\b|\bproduc(?:ao|oes)\b|\bprod\.?(?![a-z])|\bprodutiv\.?|\brend\.?(?![a-z])|\byield\b|\bcolhid[oa]s?\b|\bgraos\b.*\bha\b|\bsafra colhida\b|^tch\b|^(?:sacas?|sacos?|scs?)$/
export const COSTS =
  /\bcustos?\b|\binvestimentos?\b|\bdesembolsos?\b|\bgastos?\b|\bprecos?\b|\bvalor(?:es)?\b.*r\$|\binvest\.?|\bdespesas?\b|\br\$/
/** 'X: 31,20 + Y: R$ 42,75' */
export const NAMED_COSTS = /^\p{L}[^:;]{1,40}:\s*(?:R\$\s*)?\d[\d.,]*(?:\s*[+;]|\s*$)/u
export const RETURNS =
  /\broi\b|\bretornos?\b|\blucros?\b|\breceita\w*|\bmargem\b|\bsaldo\b|\bfaturamento\b|\brentabilidade\b|\bganho (?:liquido|economico|financeiro)|\bpayback\b|(?<!renda d[eo] )\bbeneficio\b|\bresultado (?:liquido|economico|financeiro)|\bresultado\b.*r\$|\bsobras?\b|\bsobrou\b|\bvoltou\b|\bretornou\b|\brenda\b(?! ?[(,]? ?(?:l\/|%)| d[eo] (?:beneficio|engenho)| (?:total|no engenho))|\bvalor da producao\b/
export const GAINS =
  /\bincrement\w+|\bganhos?\b|\bdiferencas?\b|\bacrescimos?\b|\baumentos?\b|\brelativ\w+|\bdelta\b|δ|∆|\bvs\b|\bsobre a? ?test\w*|\bem relacao\b|\bresposta\b|\bdif\.?(?![a-z])|\b% ?(?:da |do |s\/ )?(?:test|controle)\w*|\bincr\.?(?![a-z])|\bvariacao\b|\bindice relativo\b|\bganho\b|^\+|\ba mais\b|\bsuperavit\b|\bvantagem\b|\bbonus\b|\bdiferencial\b|\befeitos?\b|\bred(?:\.|uc\w+) (?:d[aeo] |na )?prod\w*|\bperdas? (?:d[aeo] |na )?(?:prod\w*|rend\w*)|^% ?(?:d[ao] |s\/ ?|rel\b|sobre)|\brel\.? ?\(?%|\brel\. ?\(|^% ?test|^ir ?\(%\)/
/** A heading that says only that the column holds means. */
export const MEANS = /^(?:medias?|mean|media geral|x)$/
/** Places in a ranking are no codes. */
export const RANKS = /^(?:posicao|pos\.?|rank\w*|classifica\w+|colocacao|lugar|ordem de merito)$/
export const GROUPS =
  /\btukey\b|\bgrupos?\b|\bletras?\b|\bscott\b|\bsignific\w+|\bduncan\b|\bclasse\b|\bteste\b|\bsk\b|\bcomparacao\b/
export const STAGES =
  /\bepocas?\b|\bestadios?\b|\bestagios?\b|\bfases?\b|\bdatas?\b|\bd\.?a\.?[ea]\.?\b|\bmomentos?\b|\b(?:n\.? ?[ºo°]?\.?|numero) ?(?:de )?(?:apl\w*|pulveriz\w+|entradas|operac\w+)|\baplicacoes\b|\bobs\w*|\brank\w*|\bclassifica\w+|\bposicao\b|\bpos\.|\bfabricante\b|\bempresa\b|\bregistrante\b|\bingrediente ativo\b|\bi\.a\.|\bconcentrac\w+|\bvolume de calda\b|\bcomposicao\b|\bgarantias?\b|\bappl\.? (?:code|timing|date)\b|\bgrowth stage\b|\btiming\b|\bform\.? (?:conc|type)\b|^(?:conc|tipo)\.? form\.?$|^aplic\.?$/

const NUMBERED =
  /^(?:n[º°o.]*|#|cod(?:igo)?\.?|item|trat\.?|t|tr\.?|id|parcela|(?:trt|entry|treatment)(?: no)?\.?)$/
const MEASURES =
  /\baltura\b|\bpeso\b|\bmassa\b|\bestande\b|\bspad\b|\bndvi\b|\bseveridade\b|\bincidencia\b|\bteor\b|\bdiametro\b|\bvagens\b|\bgraos\b|\bproteina\b|\bpopulacao\b|\bfitotox\w*|\bbrix\b|\batr\b|\bmedias?\b|\bcontrole\b|\(.{1,14}\)|%/

/** Whether a short text reads like the heading of a column of a table of treatments. */
export const isHeading = remembered((text): boolean => {
  const t = fold(text)
  if (t.length > 60 || /^t\d/.test(t)) return false
  return (
    NUMBERED.test(t) ||
    [NAMES, PRODUCTS, DOSES, MODES, YIELDS, COSTS, RETURNS, GAINS, GROUPS, STAGES, MEASURES].some((pattern) =>
      pattern.test(t),
    )
  )
})

/** Headings that hardly stand anywhere but over such a table. */
export function isTellingHeading(text: string): boolean {
  const t = fold(text)
  return (
    t.length < 45 &&
    !/\d{2}|:/.test(t) &&
    [NAMES, PRODUCTS, DOSES, YIELDS, MODES].some((pattern) => pattern.test(t))
  )
}
