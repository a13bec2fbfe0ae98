import { findBrands, findCrops } from '../values/lexicon.ts'
import { isCity } from '../values/places.ts'
import { fold, hasLetters, tidy } from '../values/text.ts'
import { looksLikeLabel } from './labels.ts'
import type { Parsed } from './parsers.ts'

/** Labels that announce a house, not a product or a line of products. */
const MAKER_LABEL =
  /\bmarca\b(?! (?:comercia|d[aeo]))|\bempresa parceira\b|\bfabricante\b|\bfornecedor|\bdetentor|\btitular\b|\bcontratante\b|\bpatrocin|\brequerente\b|\bsolicitante\b|\bdemandante\b|^industria\b|^sponsor\b|^manufacturer\b/
/** Who is only called the client is a maker by its name; it may be a farmer. */
const CLIENT_LABEL = /^(?:cliente|empresa|para|destinatario|interessad[ao])\b/

/** 'Cliente: Solvéria': one word, and maybe which of its units. */
const ONE_HOUSE =
  /^(?!Pr[óo]pri|Particular|Divers|V[áa]ri|Linha|Local|Cultura|Cultivar|Safra|Cidade|Produto|Fazenda|S[íi]tio|Grupo|Irm[ãa]os|Agropecu|Cooperativa|Usina)\p{Lu}\p{Ll}{4,}(?:\s[-–]\s(?:BU|Regional|Unidade)\b.*)?$/u

/** What makers of inputs are called. */
export const MAKER_WORD =
  /\b(?:bioinsumos?|biologicos|biotecnologia|fertilizantes?|defensivos?|nutrientes|nutricao|agroquimic\w+|agrociencias?|quimica|crop (?:science|protection|care)|protecao de cultivos|adjuvantes?|organominera\w+|especialidades|insumos)\b/

/** A maker that is none of the brands of the lists, where the label says that it is one. */
export function parseMaker(text: string, label: string): Parsed | null {
  const said = fold(label)
  const told =
    MAKER_LABEL.test(said) ||
    (CLIENT_LABEL.test(said) && MAKER_WORD.test(fold(text))) ||
    (/^cliente\b/.test(said) && ONE_HOUSE.test(text.trim()) && findCrops(fold(text)).length === 0)
  // 'Patrocínio / MG' is a town.
  const town = isCity(label.split(/\s*[/(]|\s[-–]\s/)[0] ?? '') && /[A-Z]{2}\)?$/.test(label.trim())
  const maker = told && !town && !looksLikeLabel(text) ? parseOrganisation(text) : null
  return maker && { ...maker, fit: maker.fit * 0.9 }
}

const ORGANISATION =
  /\b(?:consult\w*|agro\w*|pesquis\w*|planej\w*|assess\w*|assistencia tecnica|campo|rural|rurais|solu[cç]\w*|fito\w*|esta[cç]\w*|experiment\w*|instituto|fundacao|lavoura\w*|terra\w*|safra\w*|parcelas?|ensaios?|tecn\w*|agr[ií]col\w*|cooperativa|universidade|embrapa|crop|seed|fruticult\w*|horticult\w*|hortali\w*|ltda|me|s\/?a)\b/

const REPORT_WORD =
  /^(?:tabela \d|quadro \d|figura \d|grafico \d|relatori|ensaio|experimento|efeito|avaliac|resultado|boletim|protocolo|ficha|memori|laudo|teste |desempenho|resposta|eficien|eficac|informe|dados|painel|resumo|validac|campo demonstrativo|diario|nota |painel|resposta|caderno|comparativo|produtividade|tratament|custo|cultura|safra \d|local\b|dose)/

const LONE_WORD =
  /^(?:confidencial|sigilos[oa]|cooperad[oa]s?|pesquisador(?:a|es)?|engenheir[oa]s? agronom[oa]s?|tecnic[oa]s? (?:em|agr)\b.*|agropecuaria|campo tecnologico|experimental(?: .*)?|pesquisas?|rede|assistencia (?:tecnica|agronomica)|agricol[ao]|agronomic[ao]|instituto|fundacao|consultoria|assessoria|empresa|equipe(?: .*)?|diretoria(?: .*)?|departamento(?: .*)?|gerencia(?: .*)?|(?:faculdade|curso|escola|centro) de (?:agronomia|ciencias agrarias|engenharia agronomica)|programa de pos.*)$/

const COMPANY_END = /\s(?:ltda|s\/?a|s\.a|eireli|me)\.?$/i

/** Of such words alone, 'Laboratório e Campo de Provas', is a part of a house and not its name. */
const OF_A_HOUSE =
  /^(?:(?:laboratorio|campo|provas|pesquisas?|assessoria|experimentacao|consultoria|tecnic[ao]s?|agricol[ao]s?|agropecuari[ao]s?|desenvolvimento|servicos?|extensao|rural|estacao|experimental|tecnologic[ao]|difusao|agronomic[ao]s?|citricultura|hortalicas|fruticultura|cafeicultura|ensaios|planejamento|solucoes|controle|qualidade|d[aeo]s?|em|e|&)(?:\s+|$))+$/

/** 'Vanderlei Prates, Josiane K. Bortoluzzi e Wesley Novais' */
const PEOPLE =
  /^(?:\p{Lu}\p{Ll}+(?:\s(?:d[aeo]s?\s)?(?:\p{Lu}\p{Ll}+|\p{Lu}\.)){1,3},\s){1,6}(?:\p{Lu}\p{Ll}+(?:\s(?:d[aeo]s?\s)?(?:\p{Lu}\p{Ll}+|\p{Lu}\.)){1,3}\s(?:e|&)\s)?\p{Lu}\p{Ll}+(?:\s(?:d[aeo]s?\s)?(?:\p{Lu}\p{Ll}+|\p{Lu}\.)){1,3}$/u

/** What somebody is at a university, before its name. */
const STANDING =
  /^(?:mestrand|doutorand|graduand|bolsist|pesquisador|professor|discente|docente|aluno|aluna|engenheir)[\p{L}()]*(?:\s[^,]{1,50})?,\s+(?=(?:Universidade|Instituto|Faculdade|Funda[çc][ãa]o|Escola|Centro|Embrapa)\s)/iu

/** 'Rod. Carlos Tonani km 94' */
const ADDRESS =
  /^(?:rua|r\.|av\.|avenida|rod\.|rodovia|estr\.|estrada|travessa|alameda|caixa postal|cep)\s|\bkm\s?\d/i

export function parseOrganisation(text: string): Parsed | null {
  if (text.includes('____')) return null
  const cut =
    /\s+(?:[-–—|•·(]\s*)?(?:cnpj\b|fone\b|tel\b|e-?mail\b|www\.|http|crea\b|\(\d\d\))|\s(?=(?:av|rua|rod|estr|al)\.?\s(?:d[aeo]s?\s)?\p{Lu})|\s[|•·]\s|\s[-–]\s(?=(?:regional|bu)\b)/iu.exec(
      text,
    )
  const part = tidy(cut ? text.slice(0, cut.index) : text)
    .replace(/\s{0,3}<[^<>\s]{1,100}@[^<>\s]{1,100}>/, '')
    // 'Kemvera S.A. (Paulínia – SP)'
    .replace(/\s*\([^)]*$|\s*\([^()]{3,40}[-–/]\s?[A-Z]{2}\)$/, '')
    // 'À Nutricafé Fertilizantes' is thanked.
    .replace(/^(?:[AOÀ]s?|Aos?)\s+(?=\p{Lu}\p{L}+\s)/u, '')
    // 'Mestranda em Agronomia, Universidade X'
    .replace(STANDING, '')
    .replace(/^(?:T[ée]cnicos|Equipe|Time)\s+(?:d[aeo]\s+)?(?=\p{Lu})/u, '')
    .replace(
      /,\s+(?:contratad|a (?:pedido|servico)|por |para |que |em |respons|parceir|sob |com )\p{L}*.*$/u,
      '',
    )
    .replace(/(?:\s+[-–—]|,)\s+[^-–—,]+(?:[-/,]|\s[-–])\s*[A-Z]{2}$/, '')
    // 'Universidade X, Departamento de Fitotecnia': a part of it.
    .replace(/,\s+(?:Departamento|Depto\.?|Faculdade|Instituto|Escola|Curso|Setor)\s+d[aeo].*$/u, '')
    // 'Nutriveg Brasil' before 'Unidade: …' of the next column.
    .replace(/\s+(?:Unidade|Vers[ãa]o|Executor|Local|Data|Munic[íi]pio|C[óo]digo|Safra|Respons[áa]vel)$/u, '')
  if (part.length < 2 || part.length > 70 || !hasLetters(part)) return null
  if (part.split(' ').length > 9 || /[!?;:]|\. \p{Ll}/u.test(part)) return null
  const brand = findBrands(fold(part))[0]
  if (brand && (part.length < 14 || (brand.start === 0 && /^\s*[-–—(|/:]/.test(part.slice(brand.end)))))
    return null
  // 'Ensaio Verde Pesquisa Agrícola Ltda.'
  if (REPORT_WORD.test(fold(part)) && !COMPANY_END.test(part)) return null
  // 'PESQUISAS GERAIS 2021/2022' is a volume.
  if (LONE_WORD.test(fold(part)) || ADDRESS.test(part) || /\s(?:19|20)\d\d(?:\/\d{2,4})?$/.test(part))
    return null
  if (
    /^(?:fazenda(?! experimental)|faz\.|s[ií]tio|est[aâ]ncia|ch[aá]cara|granja(?! experimental)|talh[aã]o|gleba|lote)\s/i.test(
      part,
    ) ||
    /^\d/.test(part) ||
    // 'J. Pavan, R. Tonetti' are people.
    /^(?:\p{Lu}\. ?)+\p{Lu}\p{Ll}/u.test(part) ||
    isCity(part) ||
    isCity(part.split(/\s*[,/(]|\s+[-–]\s+/)[0] ?? '') ||
    /^(?:eng|dr|prof|sr|t[ée]c|agr)[ªa.º]*(?:\s|$)/i.test(part) ||
    /^(?:divis[ãa]o|se[çc][ãa]o|departamento|depto|comit[êe]|setor|ger[êe]ncia|desenvolvimento|coordena[çc][ãa]o)\b/i.test(
      part,
    )
  )
    return null
  if (PEOPLE.test(part) && !ORGANISATION.test(fold(part))) return null
  const start = Math.max(0, text.indexOf(part))
  // Running text has words in small letters; a name has hardly any.
  const small = part
    .split(/\s+/)
    .filter((word) => /^\p{Ll}{3,}$/u.test(word) && !/^(?:das|dos|para)$/.test(word))
  const run = small.length >= 2 ? 0.5 : 1
  const unnamed = OF_A_HOUSE.test(fold(part)) ? 0.6 : 1
  const fit = (/^\p{Lu}|^\d/u.test(part) ? (ORGANISATION.test(fold(part)) ? 1 : 0.85) : 0.45) * run * unnamed
  return { value: part, fit, start, end: start + part.length }
}
