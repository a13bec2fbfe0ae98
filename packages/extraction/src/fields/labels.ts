import type { FieldKey } from '@ensaio/domain/fields'
import { fold } from '../values/text.ts'

/** What a label can announce: a field of the record, or a compound of several. */
export type LabelTarget = FieldKey | 'local' | 'coordenadas' | 'other'

type Rule = readonly [pattern: RegExp, weight: number]

/** Words that announce each field; the weight is how surely. Tested on the folded label. */
const RULES: readonly [LabelTarget, readonly Rule[]][] = [
  [
    'consultoria',
    [
      [/\bconsultori[ao]s?\b|\bconsultora\b/, 1],
      [/^(?:instalac(?:ao|oes) de teste|test facility)$/, 0.9],
      [
        /\bempresa (?:de pesquisa|executora|responsavel|consultora|de consultoria|conveniada|prestadora)/,
        0.95,
      ],
      [
        /\bfirma\b|\bexecutor[ae]?s?\b|\brealizador[ae]?\b|\bavaliador[ae]?\b|\bexecutante\b|\bprestador[ae]?\b/,
        0.9,
      ],
      [
        /\b(?:entidade|orgao|instituicao|instituto|unidade) (?:de pesquisa|executora?|experimental|responsavel|conduto\w+)/,
        0.9,
      ],
      [
        /\b(?:quem|empresa que) (?:conduziu|fez|executou|realizou|acompanhou|instalou|conduz|avaliou|assina|responde|elaborou|colheu)/,
        0.9,
      ],
      [
        /\b(?:conduzid|realizad|executad|elaborad|instalad|desenvolvid|acompanhad|avaliad|feit)[oa]s? (?:pel[ao]|por)\b/,
        0.88,
      ],
      [
        /\b(?:conducao|execucao|realizacao|elaboracao)(?: tecnica)?(?: do (?:ensaio|experimento|estudo|trabalho|campo|teste))?(?: a cargo(?: de)?)?$/,
        0.85,
      ],
      [
        /\b(?:assessoria|assistencia tecnica|responsavel pel[ao] (?:conducao|ensaio|experimento|execucao|pesquisa|estudo|teste))/,
        0.85,
      ],
      [
        /\b(?:conduto[ar]a?|contratad[ao]|pesquisadora|instituicao|equipe(?: tecnica| de campo)?|parceir[oa](?: tecnic[oa]| de pesquisa)?)\b/,
        0.72,
      ],
      [
        /\b(?:centro|grupo|laboratorio|nucleo) de (?:pesquisas?|campo|experimentacao)\b|^consultor(?:es)?(?: responsavel| tecnic[oa])?$|\bempresa de (?:campo|experimentacao|avaliacao)\b|\bconveniada\b|\bautor(?:es)? d[oe] (?:relatorio|laudo|estudo)\b/,
        0.85,
      ],
      [/^(?:contractor|conducted by|research organi[sz]ation|test(?:ing)? facility|cooperator)\b/, 0.85],
      [
        /^(?:empresa|entidade|organizacao|estacao(?: experimental)?|instituto|fundacao|realizacao|pesquisa|responsavel|remetente|autoria|de)$/,
        0.62,
      ],
    ],
  ],
  [
    'marca',
    [
      [/\bmarca\b/, 1],
      [
        /\bfabricante\b|\bfornecedor[ae]?\b|\bdetentor[ae]?\b|\bmarca comercial\b|^sponsor\b|^manufacturer\b/,
        0.85,
      ],
      [
        /\bempresa parceira\b|\b(?:empresa|linha|portfolio|produtos?|protocolo|programa) (?:testad[ao]s?|avaliad[ao]s?|d[ao] marca|contratante|patrocinadora|demandante|solicitante)\b/,
        0.8,
      ],
      [
        /\bpatrocin\w+|\bcontratante\b|\bcliente\b|\bsolicitante\b|\bdemandante\b|\brequerente\b|\binteressad[ao]\b|\bprotocolo d[aeo]\b/,
        0.7,
      ],
      [
        /\b(?:empresa|dono|dona|proprietari[oa]|detentor[ae]?|titular) d[oa] (?:protocolo|produto|marca|programa)\b|\bempresa titular\b|\bencomendad[oa] por\b|\bobtentora d[oe]s? produtos?\b|^(?:industria|grife|titular)\b/,
        0.8,
      ],
      [
        /^(?:linha|protocolo|programa|portfolio|empresa|companhia|bandeira|produtos?|para|destinatario|a)$/,
        0.6,
      ],
    ],
  ],
  [
    'bu',
    [
      [/\bbu\b|\bbusiness unit\b|\bb\.u\./, 1],
      [/\bunidade (?:de )?negocios?\b|\bunidade comercial\b|\bun(?:id\w*)?\.? ?(?:de )?neg\w*/, 1],
      [
        /\bdivisao\b|\bsegmento\b|\bportfolio\b|\blinha (?:de )?(?:produtos?|negocios?)\b|\barea de negocios?\b|\bcategoria\b|\bvertical\b|\bfrente\b|\bnucleo\b/,
        0.75,
      ],
      [/\b(?:grupo|familia|classe|carteira) de produtos?\b|\bdiretoria de negocios?\b/, 0.85],
      [/^(?:unidade|linha|area|negocio|setor|departamento|carteira|plataforma|un)$/, 0.7],
    ],
  ],
  [
    'regional',
    [
      [/\bregional\b|^sales (?:region|area)(?: \/ regional)?$/, 1],
      [/\b(?:regiao|reg\.?) (?:comercial|de vendas|de atuacao|atendida|de atendimento)\b/, 0.95],
      [
        /\bpraca\b|\bgerencia\b|\bdistrital\b|\bterritorio\b|\bfilial\b|\bsuperintendencia\b|\bdiretoria\b|\bzona de vendas?\b|\bpolo\b|\bmacrorregiao\b|\bmacro-regiao\b|\bcoordenacao regional\b|\bescritorio regional\b|\bzona\b/,
        0.82,
      ],
      [
        /^(?:grande regiao|mesorregiao|regiao)(?: (?:produtora|do brasil|geografica|agricola))?$|^coordenadoria\b|^area comercial$|^base regional$/,
        0.8,
      ],
    ],
  ],
  [
    'local',
    [
      [/\bmunicipio\b|\bcidade\b|\blocalidade\b/, 1],
      [
        /\blocal(?:izacao)?\b|\bonde\b|\bendereco d[oa] (?:area|campo|ensaio|experimento)\b|\bsitio experimental\b/,
        0.92,
      ],
      [
        /\barea experimental\b|\blugar\b|\bpropriedade\b|\bfazenda\b|\bcampo experimental\b|\bestacao experimental\b|\barea\b|^campo$/,
        0.6,
      ],
    ],
  ],
  ['cidade', [[/^(?:municipio|cidade|localidade|city)\b/, 1]]],
  [
    'estado',
    [
      [
        /^(?:estado|uf|u\. ?f|est|state(?: ?\/ ?prov\.?(?:ince)?)?|unidade (?:da federacao|federativa)|sigla(?: do estado)?|estado \(?uf\)?)$/,
        1,
      ],
      [/\bestado\b|\buf\b/, 0.8],
    ],
  ],
  ['latitude', [[/\blat(?:itude|\.)?(?![a-z])|^coordenada y$/, 1]]],
  ['longitude', [[/\blon(?:gitude|g)?\.?(?![a-z])|^coordenada x$/, 1]]],
  [
    'coordenadas',
    [
      [
        /\bcoordenadas?\b(?! [xy]$)|^coord$|\bgeorreferenci\w+|\bgps\b|\bposicao\b|\bgeolocalizacao\b|\blat\.?(?:itude)? ?[;,/e|x-]+ ?lon/,
        1,
      ],
      [/\bponto\b|\blocalizacao geografica\b/, 0.7],
    ],
  ],
  [
    'cultura',
    [
      [/\bcultura\b|\bcultivo\b|\bespecie\b|\blavoura\b/, 1],
      [/^cult$|^commodity$|^produto agricola$/, 0.75],
      [/\bplanta (?:cultivada|teste|testada|alvo)\b|\bplanta\b|\bcrop\b|\bculturas?-alvo\b/, 0.9],
    ],
  ],
  [
    'cultivar',
    [
      [/\bcultivar(?:es)?\b|\bhibridos?\b|\bvariedades?\b|\bvariety\b|\bgenotipos?\b/, 1],
      [
        /\bmaterial (?:genetico|vegetal|semeado|plantado|utilizado)\b|\bclone\b|\bporta-?enxerto\b|\bsementes? (?:utilizada|usada|plantada)\b|\bgenetica\b/,
        0.9,
      ],
      [
        /\bmaterial de plantio\b|\bnome d[oa] (?:material|semente)\b|\blinhagem\b|^(?:variedade )?copa$/,
        0.88,
      ],
      [/^lavoura$/, 0.6],
      [/^(?:semente|material|cv|cult|var|germoplasma|sementes)$/, 0.85],
    ],
  ],
  [
    'ano',
    [
      [
        /\bsafra\b|\bano agricola\b|\bano safra\b|\bano-safra\b|\bciclo (?:agricola|produtivo)\b|\btemporada\b|\bcampanha\b|^ciclo$|^exercicio$|\banos?\b(?! anterior)/,
        1,
      ],
      [
        /\b(?:data|epoca) (?:d[aeo] )?(?:plantio|semeadura|instalacao|implantacao)\b|\b(?:plantio|semeadura|instalacao|implantacao)\b|\bperiodo\b/,
        0.72,
      ],
      [/\b(?:planting|sowing|seeding|transplanting) date\b|^(?:crop )?season$|^(?:trial|crop) year$/, 0.72],
      // The year of a trial is that of its harvest.
      [
        /\b(?:data|epoca) (?:d[aeo] )?colheita\b|^harvest date$|^(?:ultim[oa] )?(?:colheita|repasse)s?$|^arranquio$/,
        0.8,
      ],
    ],
  ],
  ['teor_argila', [[/\bargila\b|\bargil\b|^%? ?arg(?:il)?$|\bclay\b|\bteor argiloso\b|\bargiloso\b/, 1]]],
  [
    'teor_materia_organica',
    [
      [
        /\bmateria[s]? organicas?\b|\bmat\.? ?org\w*|\bm(?:ateria)?\.? org\w*|\bm\.? ?o\.?(?![a-z])|\bmos\b|^%? ?o\.?m\.?$|\borganic matter\b/,
        1,
      ],
    ],
  ],
  [
    'tipo_estatistica',
    [
      [
        /\bdelineamento\b|\bestatistic[oa]s?\b|\bdesenho experimental\b|\barranjo (?:estatistico|experimental|das parcelas)?\b/,
        1,
      ],
      [
        /\besquema (?:experimental|estatistico)\b|\bexperimental design\b|\bcasualizacao\b|\bdistribuicao das parcelas\b|\bdisposicao das parcelas\b|\borganizacao (?:das parcelas|do ensaio)\b|^(?:esquema|arranjo|croqui|desenho|delin|distribuicao|layout)$|\b(?:layout|planejamento|esquema) experimental\b|\btipo de (?:analise|ensaio|experimento|area)\b|\banalise\b|\bplano experimental\b|\bsorteio\b|\bmodelo (?:estatistico|experimental)\b|\bdesign\b/,
        0.85,
      ],
    ],
  ],
  [
    'custo_protocolo',
    [
      [
        /\b(?:custos?|custou|investimento|valor|desembolso|gasto|gastos|gastou|investido|preco|despesa|aporte)\b.*\b(?:protocolo|programa|pacote|manejo|recomenda\w+|tecnologia|posicionamento)\b/,
        1,
      ],
      [/\b(?:protocolo|programa|pacote|manejo)\b.*\b(?:custos?|custou|r\$)/, 0.9],
      [
        /^(?:custo total|investimento total|custo|investimento|desembolso|custo por hectare|custo\/ha|investimento por hectare|custo por ha|investimento\/ha|desembolso por hectare|custo medio)(?: ?\(.*\))?(?: ?,? ?r\$.*)?$/,
        0.82,
      ],
      [/^protocolo$|^programa$|^pacote$/, 0.62],
      [
        /^quanto (?:custou|se gastou|foi gasto)\b|\bvalor investido\b|\bdespesas? com (?:insumos|produtos|o )|^(?:dispendio|aporte)\b/,
        0.82,
      ],
      [/\binvestimento\b|\bdesembolso\b|\bcusto\b|\baporte\b/, 0.6],
    ],
  ],
  [
    'roi',
    [
      [/\br\.?o\.?i\.?(?![a-z])/, 1],
      [/\bretorno\b(?! economico ao)/, 0.95],
      [
        /\b(?:lucro|ganho|resultado|saldo|beneficio|margem|receita|sobra)\b.*\b(?:liquid[oa]|economic[oa]|financeir[oa]|adicional|final)\b/,
        0.85,
      ],
      [
        /^(?:lucro|rentabilidade|lucratividade|ganho financeiro|margem|saldo|devolucao|quanto (?:voltou|retornou|rendeu).*|payback|sobra|ganho por (?:hectare|ha)|renda liquida|quanto sobrou|valor agregado)\b/,
        0.75,
      ],
    ],
  ],
  [
    'codigo',
    [
      // Surer than that a number or code says nothing of the trial.
      [
        /^(?:codigo|cod\.?|n(?:[º°o]\.?|\.)?|numero|identificacao|id)(?: interno)?(?: d[oe])? (?:ensaio|experimento|estudo|protocolo)$/,
        1.4,
      ],
      [/^(?:ensaio|experimento|estudo|protocolo) (?:n(?:[º°o]\.?|\.)?|numero|codigo|cod\.?|id)$/, 1.4],
    ],
  ],
  [
    'other',
    [
      [
        /\bcultura (?:anterior|antecessora|antecedente|de cobertura)\b|\bsucessao\b|\bcultivo anterior\b|\b(?:previous|preceding|former|cover) crop\b|\bantecessora?\b/,
        1.3,
      ],
      [
        /\b(?:emissao|emitido|impress\w+|revisao|versao|relatorio n\b|n[º°]|codigo|protocolo n|telefone|fone|e-?mail|cnpj|cep|crea|site|pagina|endereco(?! d[oa] (?:area|campo|ensaio|experimento))|(?<!municipio-)sede(?! (?:regional|do ensaio))|matriz|escritorio|gerado)\b/,
        1.2,
      ],
      [
        /\b(?:data do (?:relatorio|documento|laudo)|data d[ae] (?:emissao|impressao|coleta|amostragem)|ano d[eo] (?:publicacao|fundacao|implantacao|formacao)|ano d[eo] plantio\b.*\bespac\w+|publicado)\b/,
        1.3,
      ],
      [
        /\b(?:responsavel tecnico|eng\.? ?agr\w*|agronomo|produtor|proprietario|cooperado|autor(?:es)?(?! d[oe] (?:relatorio|laudo|estudo))|tecnico responsavel|assinatura|pesquisador responsavel|gerente)\b/,
        0.95,
      ],
      [
        /\b(?:espacamento|populacao|estande|densidade|parcelas?|repeticoes|altitude|precipitacao|chuva|temperatura|adubacao|ph|fosforo|potassio|areia|silte|ctc|v%|saturacao|classe (?:de solo|textural)|tipo de solo|area util|tamanho)\b/,
        0.8,
      ],
      [
        /\b(?:objetivo|conclus\w+|observac\w+|nota|fonte|legenda|tabela|quadro|figura|grafico|resumo|introducao|resultados?|metodologia)\b/,
        0.8,
      ],
      [/\b(?:laboratorio|analise de solo|lab\.)/, 0.6],
      [/\b(?:ensaios? anteriores|safras? anteriores|historico|ano anterior|safra passada)\b/, 1.2],
      [
        /\bmarca (?:d[aeo]s? )?(?:trator|pulverizador|equipamento|pontas?|bico|concorrente|referencia)|\b(?:concorrente|comparativ[oa]|marca de referencia|padrao de mercado)\b/,
        1.2,
      ],
      [/\bvizinh[oa]s?\b|\b20 ?(?:-|a) ?40\b|\b40 ?(?:-|a) ?60\b|\bsubsuperf\w+|\bsubsolo\b/, 1.3],
    ],
  ],
]

export interface LabelMatch {
  target: LabelTarget
  score: number
  /** Share of the label's characters that the lexicon explains. */
  cover: number
}

const GAIN = /\broi\b|\bretorno\b|\blucro\b|\bganho\b|\bsaldo\b|\brentab/

const cache = new Map<string, LabelMatch[]>()

/** What a label announces, best first; a label made mostly of other words counts for less. */
export function matchLabel(label: string): LabelMatch[] {
  const t = fold(label)
    .replace(/^(?:\d{1,2}(?:\.\d{1,2})*[.)]?|[-•*>])\s+/, '')
    .replace(/[:=.\s]+$/, '')
  const key = /^\s*\p{Ll}/u.test(label) ? `~${t}` : t
  const known = cache.get(key)
  if (known) return known
  const matches: LabelMatch[] = []
  if (t.length > 0 && t.length <= 70) {
    for (const [target, rules] of RULES) {
      let best = 0
      let cover = 0
      for (const [pattern, weight] of rules) {
        const match = pattern.exec(t)
        if (!match) continue
        // 'Retorno sobre o investimento' is no investment.
        if (target === 'custo_protocolo' && GAIN.test(t) && !/\bcust/.test(t)) continue
        const words = t.split(' ').length
        const loose = Math.max(0, words - match[0].split(' ').length - 2)
        best = Math.max(best, weight * Math.max(0.45, 1 - 0.09 * loose))
        cover = Math.max(cover, match[0].length / t.length)
      }
      if (best > 0) matches.push({ target, score: best, cover })
    }
    // A label that begins in lower case may be the rest of one that is broken over two lines.
    if (/^\s*\p{Ll}/u.test(label)) for (const match of matches) match.score *= 0.7
    matches.sort((a, b) => b.score - a.score)
  }
  if (cache.size < 20_000) cache.set(key, matches)
  return matches
}

/** Whether the text by itself looks like a label of anything known. */
export function looksLikeLabel(text: string): boolean {
  const best = matchLabel(text)[0]
  return best !== undefined && best.score >= 0.8 && best.cover > 0.55 && text.length < 45
}
