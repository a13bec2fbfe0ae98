import { findBrands } from '../values/lexicon.ts'
import { findPlaces } from '../values/places.ts'
import { foldInPlace } from '../values/text.ts'
import { aside } from './candidate.ts'
import { MAKER_WORD, parseOrganisation } from './houses.ts'
import { looksLikeLabel } from './labels.ts'
import type { Add, Sentence } from './prose.ts'

const WORD = String.raw`(?<![\p{L}\d])\p{Lu}[\p{L}\d&.’'-]{0,40}`
const NAME = String.raw`(${WORD}(?:\s+(?:(?:d[aeo]s?|e|&)\s+)?${WORD}){0,4})`
const HOUSE = String.raw`(?:empresa\s+|ind[úu]stria\s+|marca\s+|fabricante\s+)?`

/** 'SulfoMax 90, da Enxofral' */
const OF_PRODUCT = new RegExp(
  String.raw`\(?${WORD}(?:\s+[\p{Lu}\d][\p{L}\d]{0,30}){0,4},\s+d[ao]\s+${HOUSE}${NAME}(?=[,.:;)]|$)`,
  'gu',
)
/** What is said of inputs. */
const APPLIED =
  /\b(?:produtos?|manejo|fontes?|aplic\w+|doses?|kg\/ha|l\/ha|ml\/ha|adub\w+|fertilizant\w+|inoculant\w+|fungicid\w+|herbicid\w+|inseticid\w+|adjuvant\w+|pastilhad\w+)(?![a-z])/

/** How running text says whose the products are, and how surely. */
const SAID: readonly [RegExp, number][] = [
  // 'em parceria com a Fertisul, fabricante do NitroGuard', 'Parceria: Terraviva Organominerais (fabricante)'
  [
    new RegExp(
      String.raw`${NAME},?\s*\(?\s*(?:empresa\s+)?(?:fabricante|detentora|titular|fornecedora|dona)(?![\p{L}])`,
      'gu',
    ),
    0.8,
  ],
  // 'O fornecedor Dulcis Nutrição ofereceu'
  [
    new RegExp(
      String.raw`(?<!\p{L})(?:[Ff]ornecedora?|[Ff]abricante|[Pp]atrocinadora?|[Cc]ontratante|[Dd]etentora|[Ss]ponsor)(?:\s+d[aeo]s?\s+(?:produtos?|ensaio))?\s*(?:[ée]\s+a|foi\s+a|,|:)?\s+(?:a\s+|o\s+)?${HOUSE}${NAME}`,
      'gu',
    ),
    0.74,
  ],
  // 'Os três produtos são da Biovalis', 'a linha da Maximus', 'produtos cedidos pela Orizagro'
  [
    new RegExp(
      String.raw`(?<!\p{L})(?:[Pp]rodutos?|[Ll]inha|[Pp]ortf[óo]lio|[Tt]ecnologias?|[Bb]iol[óo]gicos|[Ff]ertilizantes|[Aa]djuvantes|[Ff]ungicidas|[Ii]noculantes)(?:\s+(?:de\s+\p{Ll}+|foliar(?:es)?|testad[oa]s?|avaliad[oa]s?|s[ãa]o|foram|[ée]|foi|todos|usad[oa]s?|comerciais)){0,6}\s+(?:(?:fornecid|cedid|doad|fabricad|produzid|desenvolvid|comercializad)[oa]s?\s+pel[ao]|d[ao])\s+${HOUSE}${NAME}`,
      'gu',
    ),
    0.72,
  ],
  [
    new RegExp(
      String.raw`(?<!\p{L})(?:(?:fornecid|cedid|doad|fabricad|comercializad)[oa]s?\s+pel[ao]|com\s+recursos\s+d[ao])\s+${HOUSE}${NAME}`,
      'gu',
    ),
    0.68,
  ],
  // 'À firma Minasfolha Ltda., de Araxá, que cedeu os fertilizantes', 'com apoio da Biocampo'
  [
    new RegExp(
      String.raw`(?<!\p{L})(?:firma|empresa)\s+${NAME},?[^.;()]{0,30}?,?\s+que\s+(?:cedeu|forneceu|doou)(?!\p{L})`,
      'gu',
    ),
    0.7,
  ],
  [new RegExp(String.raw`(?<!\p{L})com\s+(?:o\s+)?apoio\s+d[ao]\s+${HOUSE}${NAME}`, 'gu'), 0.58],
  // 'à Biovalis, pelo fornecimento dos produtos', 'a pedido da Cerestar', 'ensaio encomendado pela X'
  [
    new RegExp(
      String.raw`(?<!\p{L})(?:[àa]|ao)\s+${HOUSE}${NAME},?\s+pel[ao]\s+(?:fornecimento|cess[ãa]o|doa[çc][ãa]o)`,
      'gu',
    ),
    0.72,
  ],
  [
    new RegExp(
      String.raw`(?:a\s+pedido\s+d[ao]|por\s+(?:demanda|encomenda|solicita[çc][ãa]o)\s+d[ao]|(?:encomendad|contratad|patrocinad|financiad|solicitad)[oa]s?\s+pel[ao]|[Pp]atroc[íi]nio\s+d[ao])\s+${HOUSE}${NAME}`,
      'gu',
    ),
    0.66,
  ],
  // 'À Fosmineral Nutrição de Plantas A/C Sra. Helga', 'Com cópia para a Nutricampo, a/c Eng. Sílvia'
  [
    new RegExp(
      String.raw`(?:^\s*(?:[ÀA]|Aos?)|[Cc]ópia\s+(?:para|à)(?:\s+a)?)\s+${HOUSE}${NAME}(?=,?\s+[Aa]/[Cc](?!\p{L}))`,
      'gu',
    ),
    0.6,
  ],
  // 'o teste que a minha consultoria fez no seu pomar para a Nutricampo'
  [
    new RegExp(
      String.raw`(?<!\p{L})(?:[Tt]este|[Ee]nsaio|[Tt]rabalho|[Ee]studo)\s[^.;]{0,90}?(?:fez|fizemos|conduziu|conduzimos|realizou|realizamos|instalou|instalamos)\s[^.;]{0,40}?para\s+a\s+${HOUSE}${NAME}`,
      'gu',
    ),
    0.6,
  ],
  // 'X e Y são marcas da Bioara', 'os produtos da linha Canavita', 'Apresentação para a Agrolira'
  [new RegExp(String.raw`(?<!\p{L})[Ss]ão\s+marcas\s+d[ao]\s+${NAME}`, 'gu'), 0.72],
  [new RegExp(String.raw`(?<!\p{L})[Pp]rodutos?\s+d[ae]\s+linha\s+${NAME}`, 'gu'), 0.6],
  [
    new RegExp(
      String.raw`(?<!\p{L})(?:[Aa]presentaç[ãa]o|[Rr]elatório|[Pp]reparado|[Cc]onduzido)\s+para\s+[ao]\s+${NAME}`,
      'gu',
    ),
    0.6,
  ],
  [OF_PRODUCT, 0.56],
]
/** 'Biovalor Bioinsumos · Desenvolvimento de Mercado', '(12% Si, Sulfértil Agroquímica)': a house that is called as makers are. */
const HOUSES = new RegExp(
  String.raw`(?:^\s*|[(,]\s*)(?!(?:[AO]s?|D[ao]s?)\s)${NAME}(?=\s*(?:$|[)·|–—-]))`,
  'gu',
)
/** What begins on the line below a name. */
const NEXT_LINE =
  /\s+(?:Fazenda|Faz\.|S[íi]tio|Munic[íi]pio|Produtor|Safra|Cultura|Cultivar|Rua|Rodovia|Respons[áa]vel)(?!\p{L}).*$/u
/** 'Nutrivale Fertilizantes' over 'Pesquisa & Desenvolvimento': a part of it. */
const OF_A_PART =
  /\s+(?:Pesquisa\s(?:&|e)\sDesenvolvimento|P&D|Desenvolvimento\sde\sMercado|Departamento\s.{1,40})$/u
/** Whose the products are that are compared with. */
const AGAINST =
  /\bcomparativ\w+|\bconcorren\w+|\breferencia\b|\bpadrao\b|\bcompetid\w+|\bterceir\w+|\boutr[oa]s?\b|\bsementes?\b|\bcultivar\b|\bhibrido\b|\bvariedade\b/
/** They do trials, give money or grow: they make no inputs. */
const NO_MAKER =
  /\b(?:universidade|instituto|fundacao|embrapa|capes|cnpq|fap\w+|finep|bndes|fundect|senar|sebrae|sindicato|cooperativa|fazenda|consultoria|assistencia|estacao|centro|laboratorio|escola|faculdade|departamento|secretaria|regional|tabela|figura|quadro|grafico|anexo|tratamento|bloco|testemunha|mapa|conab|agencia)\b/

/** The maker that is none of the known brands, where the text says what it is. */
export function readMaker({ text, folded, place }: Sentence, add: Add): void {
  if (!/\p{Lu}/u.test(text)) return
  const off = aside(folded) < 0.35 ? 0.3 : 1
  if (findBrands(folded).length === 0)
    for (const match of text.matchAll(HOUSES)) {
      const name = (match[1] ?? '').replace(OF_A_PART, '').replace(/\.$/, '')
      const at = match.index + match[0].length - (match[1] ?? '').length
      // At the head, or in brackets.
      const within = folded.lastIndexOf('(', at) > folded.lastIndexOf(')', at)
      if (place >= 0.05 && !within) continue
      const own = foldInPlace(name)
      const called = MAKER_WORD.exec(own)
      if (!called || called.index < 4 || NO_MAKER.test(own) || parseOrganisation(name) === null) continue
      const near = folded.slice(Math.max(0, at - 45), at + name.length + 20)
      if (AGAINST.test(near)) continue
      const score = place < 0.05 ? 0.5 : 0.44 * off
      add('marca', name, score, at, at + name.length)
    }
  const places = findPlaces(text, folded)
  for (const [pattern, score] of SAID)
    for (const match of text.matchAll(pattern)) {
      const name = match[1]?.replace(NEXT_LINE, '').replace(/[.’'-]+$/, '')
      if (!name) continue
      const at = match.index + match[0].lastIndexOf(name)
      const own = folded.slice(at, at + name.length)
      const near = folded.slice(Math.max(0, at - 45), at + name.length + 20)
      if (NO_MAKER.test(own) || AGAINST.test(near) || findBrands(own).length > 0) continue
      // 'Contratante: Confidencial' over 'Código', 'Alvo'
      if (looksLikeLabel(name) || /^(?:C[óo]digo|Alvo|Data|N[úu]mero|Protocolo)(?!\p{L})/u.test(name))
        continue
      // 'João Pereira, da Agro Norte' makes nothing.
      if (pattern === OF_PRODUCT && !APPLIED.test(folded)) continue
      // 'Verdecampo Nutrição Vegetal / São Desidério – BA': the town on the next line is no part of the name.
      const town = places.find(({ start, state }) => state && start > at + 3 && start < at + name.length)
      const parsed = parseOrganisation(town ? name.slice(0, town.start - at).trimEnd() : name)
      if (!parsed || parsed.end - parsed.start < 4) continue
      const start = at + parsed.start
      add('marca', parsed.value, score * off * (place < 0.5 ? 1 : 0.92), start, at + parsed.end)
    }
}
