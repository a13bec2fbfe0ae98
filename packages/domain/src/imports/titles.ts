import { ANALYSIS_NAMES } from '../constants.ts'
import { searchable } from '../format.ts'

/**
 * What a column of a spreadsheet may give, by path of the schema. In the form `larga` those of a treatment have its
 * number within: 'tratamentos.2.produtividade', 'tratamentos.2.produtos_aplicados.1.dose'.
 */
const SYNONYMS: Readonly<Record<string, string>> = {
  id: 'id|identificador|id do experimento|id do ensaio|uuid|id ensaio',
  versao: 'versao|versao do registro|version',
  codigo:
    'codigo|codigo do ensaio|cod|cod ensaio|codigo ensaio|codigo do experimento|codigo experimento|cod experimento|numero do ensaio|n do ensaio|no do ensaio|no ensaio|ensaio|experimento|protocolo|codigo do protocolo|trial|trial id|trial code|id trial|codigo do estudo|estudo|codigo interno|referencia|ref',
  consultoria:
    'consultoria|empresa de consultoria|consultora|nome da consultoria|empresa executora|executor|executora|instituicao|instituicao executora|instituto|entidade executora|responsavel pela conducao|conduzido por|empresa de pesquisa|estacao experimental|empresa conduto|parceiro|parceira|empresa parceira|empresa responsavel|prestador|prestadora|fundacao|centro de pesquisa|contratada|realizacao|orgao executor',
  marca:
    'marca|fabricante|marca do produto|empresa|brand|fornecedor|cliente|contratante|patrocinador|empresa fabricante|marca testada|detentora|registrante|solicitante|empresa solicitante|demandante|marca comercial do fabricante|industria',
  bu: 'bu|business unit|unidade de negocio|unidade de negocios|linha de negocio|divisao|segmento|area de negocio|portfolio',
  regional:
    'regional|regiao|regiao comercial|regional comercial|regiao do brasil|macrorregiao|regiao de vendas|filial|gerencia|gerencia regional|distrital|polo|regiao do pais|grande regiao',
  cidade:
    'cidade|municipio|municipio do ensaio|cidade do ensaio|local|localidade|municipio/uf|cidade/uf|cidade/estado|cidade-uf|municipio - uf|local do ensaio|municipio e estado|localizacao|nome do municipio|city|location',
  estado:
    'estado|uf|sigla|sigla do estado|unidade da federacao|unidade federativa|estado uf|estado/uf|state|u f',
  latitude: 'latitude|lat|coordenada y|y|latitude decimal|lat decimal|latitude graus decimais',
  longitude: 'longitude|long|lon|lng|coordenada x|x|longitude decimal|long decimal|longitude graus decimais',
  cultura:
    'cultura|cultivo|especie|crop|lavoura|cultura alvo|cultura do ensaio|culturas|planta|planta cultivada|commodity',
  cultivar:
    'cultivar|hibrido|variedade|material|material genetico|cultivar/hibrido|cultivar hibrido|genotipo|cultivar ou hibrido|variety|semente|cv|clone|hibrido/cultivar|nome da cultivar|cultivar/variedade',
  ano: 'ano|safra|ano agricola|ano safra|ano/safra|safra/ano|ano da safra|ano do ensaio|year|ano de conducao|ano de colheita|data de colheita|data da colheita|colheita|harvest year|season|ano safra agricola|periodo',
  teor_argila:
    'teor de argila|argila|teor argila|argila do solo|clay|argila total|% argila|percentual de argila|% de argila|arg|argila solo|textura argila',
  teor_materia_organica:
    'teor de materia organica|materia organica|mo|m o|m.o.|m.o|teor de mo|materia organica do solo|mos|organic matter|om|% mo|% de mo|mat organica|mat. organica|% materia organica|materia org',
  tipo_estatistica:
    'tipo de estatistica|estatistica|delineamento|delineamento experimental|analise estatistica|tipo estatistica|desenho experimental|design|del|experimental design|delineamento estatistico|tipo de delineamento|metodo estatistico',
  custo_protocolo:
    'custo do protocolo|custo protocolo|custo do ensaio|valor do protocolo|preco do protocolo|investimento no protocolo|investimento|custo total do protocolo|custo ensaio|valor do ensaio',
  roi: 'roi|retorno|retorno sobre investimento|retorno sobre o investimento|retorno liquido|retorno do investimento|lucro|lucro liquido|ganho liquido|retorno economico|rentabilidade|return on investment',
  'tratamento.nome':
    'tratamento|tratamentos|trat|nome do tratamento|descricao do tratamento|descricao|treatment|trt|t|nome tratamento|manejo|programa|tratamento avaliado|identificacao do tratamento|desc tratamento|tr',
  'tratamento.numero': 'n do tratamento|no do tratamento|numero do tratamento|n tratamento|no tratamento',
  'tratamento.modalidade':
    'modalidade|modalidade de aplicacao|modo de aplicacao|via de aplicacao|forma de aplicacao|aplicacao|tipo de aplicacao|via|modo|local de aplicacao|application|metodo de aplicacao|posicionamento|momento de aplicacao',
  'tratamento.produtividade':
    'produtividade|rendimento|produtividade media|produtividade do tratamento|rendimento de graos|produtividade de graos|produtividade final|yield|grain yield|producao|prod|prod media|rend|produtividade kg/ha|kg/ha|sc/ha|sacas/ha|sacas por hectare|quilos por hectare|rendimento medio|produtividade liquida|media de produtividade|colhido|produtiv|tch',
  'tratamento.custo':
    'custo|custo do tratamento|custo tratamento|custo total|custo por hectare|custo/ha|r$/ha|custo ha|valor|investimento do tratamento|cost|custo de aplicacao|custo total do tratamento|investimento por hectare|preco do tratamento|desembolso|gasto',
  'produto.nome':
    'produto|produtos|produto aplicado|nome do produto|produto comercial|nome comercial|insumo|produto testado|product|marca comercial|produtos aplicados|prod comercial|produto/tratamento|insumo aplicado|nome comercial do produto|fertilizante|defensivo',
  'produto.dose':
    'dose|doses|dosagem|dose do produto|dose aplicada|dose p.c|dose pc|dose produto|rate|quantidade|taxa|dose comercial|qtd|qtde|quant|dose por hectare|dose recomendada|dose/ha',
  'produto.unidade':
    'unidade da dose|unidade|un|unidade dose|un dose|unidade de dose|unid|und|un da dose|unidade do produto|dose unit|unit|unidade da dosagem|unid dose|medida',
  'produto.custo':
    'custo do produto|custo produto|preco do produto|preco|valor do produto|custo unitario|product cost|custo do insumo|preco produto|valor produto|investimento no produto',
  'parcela.numero':
    'parcela|n da parcela|no da parcela|numero da parcela|plot|parc|n parcela|plot id|no parcela',
  'parcela.bloco': 'bloco|repeticao|rep|bl|block|blocos|repeticoes|replicate|r',
  'parcela.linha': 'linha|row|fila|linha da parcela|linha do croqui',
  'parcela.coluna': 'coluna|column|col|coluna da parcela|coluna do croqui',
  'parcela.area': 'area|area util|area da parcela|area util da parcela|plot area',
  'analise.nome': 'analise|variavel|nome da analise|variavel avaliada|caracteristica|variavel resposta',
  'analise.valor': 'valor da analise|resultado da analise|resultado|valor medido|media da variavel|leitura',
  'analise.unidade': 'unidade da analise|unidade da variavel|unidade do resultado',
}

const KNOWN: ReadonlyMap<string, string> = new Map(
  Object.entries(SYNONYMS).flatMap(([field, titles]) => titles.split('|').map((title) => [title, field])),
)
const ANALYSES: ReadonlyMap<string, string> = new Map(ANALYSIS_NAMES.map((name) => [searchable(name), name]))
/** Words that are found within a longer title, the telling ones first. */
const WITHIN: readonly (readonly [string, string])[] = [...KNOWN]
  .filter(([title]) => title.length >= 5)
  .sort(([a], [b]) => b.length - a.length)

export const LONGEST_TITLE = 200

/** A unit as it stands at the end of a title, by how it is written without accents and blanks. */
const UNIT =
  /^(?:kg|sc|sacas?|sacos?|t|ton|toneladas?|@|arrobas?|g|mg|l|ml|cm|mm|m|un|plantas|graos|dag|litros?|r\$|rs|us\$|reais|%|°|º|graus)(?:[ ./-]*(?:ha|ha-1|hectare|m2|m²|m|kg|kg-1|dm3|dm³|dm-3|hl|l|planta|plantas|un|sc|60 ?kg))?(?:[ -]*1|⁻¹)?$/

export interface Title {
  /** Without its unit, as `searchable` makes it. */
  plain: string
  /** As it is written, without its unit. */
  name: string
  unit: string | null
  /** Of the treatment, and of the product within it, where the title has one. */
  treatment: number | null
  product: number | null
  /** A number at the end, which may be either: 'Produtividade 3', 'Dose 2'. */
  number: number | null
}

/** 'Produtividade (kg/ha)*' -> 'produtividade', 'kg/ha'; 'T2 – Produto 1' -> 'produto', treatment 2, product 1. */
export function readTitle(text: string): Title {
  const cut = text
    .slice(0, LONGEST_TITLE)
    .replace(/[*:]+\s*$/, '')
    .trim()
  const { name, unit } = withoutUnit(cut)
  const plain = bare(searchable(name))
  const numbered = treatmentWithin(plain)
  const { rest, number } = numberBehind(numbered?.rest ?? plain)
  if (!numbered) return { plain: rest, name, unit, treatment: null, product: null, number }
  return { plain: rest, name, unit, treatment: numbered.treatment, product: number, number: null }
}

/** Takes a small number from the end of what we know without it. */
function numberBehind(plain: string): { rest: string; number: number | null } {
  const [, rest, digits] = /^(.{2,120}?) ?(\d{1,2})$/.exec(plain) ?? []
  const field = rest === undefined || KNOWN.has(plain) ? undefined : KNOWN.get(rest)
  if (rest === undefined || !/^(tratamento|produto)\./.test(field ?? '')) return { rest: plain, number: null }
  return { rest, number: Number(digits) }
}

const bare = (plain: string) =>
  plain
    .replace(/[–—_-]+/g, ' ')
    .replace(/[.:;*]+(?= |$)/g, '')
    .replace(/[ºª°]/g, '')
    .replace(/ +/g, ' ')
    .trim()

function withoutUnit(cut: string): { name: string; unit: string | null } {
  const bracket = cut.lastIndexOf('(')
  if (bracket > 0 && cut.endsWith(')')) {
    const unit = cut.slice(bracket + 1, -1).trim()
    if (unit.length > 0 && unit.length <= 30) return { name: cut.slice(0, bracket).trim(), unit }
  }
  const square = cut.lastIndexOf('[')
  if (square > 0 && cut.endsWith(']'))
    return { name: cut.slice(0, square).trim(), unit: cut.slice(square + 1, -1).trim() }
  // 'Produtividade, sc/ha', 'Produtividade kg/ha', 'Argila %'
  for (const sign of [',', ' - ', ' – ', ' ']) {
    const at = cut.lastIndexOf(sign)
    if (at <= 0) continue
    const unit = cut.slice(at + sign.length).trim()
    if (unit.length <= 20 && isUnit(unit) && /[/%$@]|^(kg|cm|mm|sc)$/i.test(unit))
      return { name: cut.slice(0, at).trim(), unit }
  }
  return { name: cut, unit: null }
}

/** Whether a cell under a title holds nothing but a unit. */
export const isUnit = (text: string): boolean => text.length <= 30 && UNIT.test(searchable(text))

/** The treatment's number in 't2 produto', 'tratamento 2 dose', 'produtividade t3', 'produtividade 3'. */
function treatmentWithin(plain: string): { treatment: number; rest: string } | null {
  const [, before, rest] = /^(?:t|trat|tratamento) ?(\d{1,3}) ?(.{0,120})$/.exec(plain) ?? []
  if (before !== undefined) return { treatment: Number(before), rest: rest || 'nome' }
  const [, head, after] = /^(.{2,120}?) ?(?:do )?(?:t|trat|tratamento) ?(\d{1,3})$/.exec(plain) ?? []
  if (head !== undefined) return { treatment: Number(after), rest: head }
  return null
}

export interface TitleGuess {
  campo: string
  /** 0 to 1 */
  sure: number
}

/** Parts of a treatment in the form `larga`: their path behind 'tratamentos.N.'. */
const WIDE: Readonly<Record<string, string>> = {
  'tratamento.nome': 'nome',
  'tratamento.modalidade': 'modalidade',
  'tratamento.produtividade': 'produtividade',
  'tratamento.custo': 'custo',
  'produto.nome': 'produtos_aplicados.1.nome',
  'produto.dose': 'produtos_aplicados.1.dose',
  'produto.unidade': 'produtos_aplicados.1.unidade',
  'produto.custo': 'produtos_aplicados.1.custo',
}

/** What a title says the column holds; null where it says nothing that we know. */
export function guessTitle(title: Title): TitleGuess | null {
  const { plain, treatment, product } = title
  if (plain === '') return null
  const found = known(plain) ?? fromPath(title.name)
  if (treatment === null) {
    // A unit may be all that tells two columns apart: 'Unidade' beside a dose, 'Produtividade' in sacks.
    if (found?.campo === 'roi' && /^%$/.test(title.unit ?? '')) return { ...found, sure: 0.5 }
    return found
  }
  if (plain === 'nome') return { campo: `tratamentos.${treatment}.nome`, sure: 0.95 }
  if (plain === 'unidade' || plain === 'un')
    return { campo: `tratamentos.${treatment}.produtos_aplicados.${product ?? 1}.unidade`, sure: 0.9 }
  const part = found && WIDE[found.campo]
  if (part)
    return {
      campo: `tratamentos.${treatment}.${product === null ? part : part.replace('.1.', `.${product}.`)}`,
      sure: found.sure,
    }
  const analysis = ANALYSES.get(plain)
  return analysis ? { campo: `tratamentos.${treatment}.analise.${analysis}`, sure: 0.9 } : null
}

/** A column that is called as the path itself, as in our own exports. */
function fromPath(name: string): TitleGuess | null {
  return Object.hasOwn(SYNONYMS, name) ? { campo: name, sure: 0.95 } : null
}

function known(plain: string): TitleGuess | null {
  const exact = KNOWN.get(plain)
  if (exact) return { campo: exact, sure: 0.95 }
  const analysis = ANALYSES.get(plain)
  if (analysis) return { campo: `analise.${analysis}`, sure: 0.9 }
  if (plain.length > 60) return null
  for (const [title, field] of WITHIN)
    if (plain.startsWith(`${title} `) || plain.endsWith(` ${title}`) || plain.includes(` ${title} `))
      return { campo: field, sure: 0.7 }
  return null
}
