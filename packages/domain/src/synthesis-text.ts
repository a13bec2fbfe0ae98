import { decimalsOf, pText } from './analysis-text.ts'
import type { SynthesisQuery } from './contract-synthesis.ts'
import { counted, formatFixed, formatNumber, unitBehind } from './format.ts'
import type { MaterialTrial, SynthesisAnswer } from './synthesis-shapes.ts'

export const NOT_A_SAMPLE = 'Ensaios cadastrados não são uma amostra ao acaso'
const ALFA = 0.05

/** An effect as it is read: lnrr as %, others in the unit, with a sign where it is told as a change. */
export function effectText(
  value: number,
  { medida, variavel }: Pick<SynthesisAnswer, 'medida' | 'variavel'>,
  { sign = false }: { sign?: boolean } = {},
): string {
  const shown = medida === 'lnrr' ? 100 * Math.expm1(value) : value
  const text = formatFixed(shown, medida === 'lnrr' ? 1 : decimalsOf(variavel.unidade, 1))
  return sign && !/^[-−]/.test(text) ? `+${text}` : text
}
/** ' kg/ha', or ' %' of a ratio. */
export const effectUnit = ({ medida, variavel }: Pick<SynthesisAnswer, 'medida' | 'variavel'>): string =>
  medida === 'lnrr' ? ' %' : unitBehind(variavel.unidade)

const signedPercent = (value: number) => `${value < 0 ? '' : '+'}${formatFixed(value, 1)} %`

/** The answer in a sentence (`sintese` or `sintese_ns`), what varies, and who moves it. */
export function synthesisSentences(answer: SynthesisAnswer): Record<string, string> {
  const { reml_hk: main, k, produto, variavel, medida, percentual_medio } = answer
  const sentences: Record<string, string> = {}
  if ('motivo' in main) sentences['sem_ep'] = withoutErrors(answer)
  else {
    const text = (value: number) => effectText(value, answer)
    const unit = effectUnit(answer)
    const share =
      medida === 'diferenca' && percentual_medio !== null ? ` (${signedPercent(percentual_medio)})` : ''
    const estimate = `${effectText(main.estimativa, answer, { sign: true })}${unit}${share}`
    const interval = `IC 95 %: ${text(main.ic_baixo)} a ${text(main.ic_alto)}${medida === 'lnrr' ? ' %' : ''}`
    const next =
      main.predicao_baixo !== null && main.predicao_alto !== null
        ? ` O próximo ensaio deve ficar entre ${text(main.predicao_baixo)} e ${text(main.predicao_alto)}${unit}.`
        : ''
    const trials = `Em ${counted(k, 'ensaio', 'ensaios')}, ${produto}`
    const found = main.p !== null && main.p < ALFA
    if (found)
      sentences['sintese'] =
        `${trials} ${gained(variavel)} ${estimate} sobre a Testemunha (${interval})${winsText(answer)}.${next}`
    else
      sentences['sintese_ns'] =
        `${trials} ${gained(variavel)} ${estimate} sobre a Testemunha e não se distingue de zero (${interval})${winsText(answer)}.${next}`
  }
  return { ...sentences, ...variation(answer), ...moving(answer), ...reasons(answer), ...paying(answer) }
}

const gained = ({ produtividade, nome }: SynthesisAnswer['variavel']): string =>
  produtividade ? 'rendeu' : `mudou ${nome.toLocaleLowerCase('pt-BR')} em`

const winsText = ({ vitorias }: SynthesisAnswer): string =>
  'motivo' in vitorias ? '' : `; ganhou em ${vitorias.vitorias} de ${vitorias.n}`

function withoutErrors(answer: SynthesisAnswer): string {
  const { sem_peso, k_todos, produto, ensaios } = answer
  const mean = 'motivo' in sem_peso ? (ensaios[0]?.efeito ?? 0) : sem_peso.estimativa
  const ic =
    'motivo' in sem_peso
      ? ''
      : ` (IC 95 %: ${effectText(sem_peso.ic_baixo, answer)} a ${effectText(sem_peso.ic_alto, answer)})`
  return `Em ${counted(k_todos, 'ensaio', 'ensaios')} sem erro experimental, a média simples de ${produto} sobre a Testemunha é ${effectText(mean, answer, { sign: true })}${effectUnit(answer)}${ic}${winsText(answer)}.`
}

/** Heterogeneity in words. */
function variation(answer: SynthesisAnswer): Record<string, string> {
  const { i2, q, reml_hk: main } = answer
  if (i2 === null || 'motivo' in q || 'motivo' in main || main.tau === null) return {}
  const how = i2 < 25 ? 'pouco' : i2 < 50 ? 'moderadamente' : i2 < 75 ? 'bastante' : 'muito'
  const tau =
    answer.medida === 'lnrr'
      ? `${formatFixed(100 * Math.expm1(main.tau), 1)} %`
      : `${formatFixed(main.tau, decimalsOf(answer.variavel.unidade, 1))}${unitBehind(answer.variavel.unidade)}`
  return {
    variacao: `O efeito varia ${how} de ensaio para ensaio: ${formatFixed(i2, 0)} % da variação não é erro experimental (I²); o desvio entre ensaios é ${tau} (τ); Q = ${formatFixed(q.q, 1)}, gl = ${q.gl}, ${pText(q.p)}.`,
  }
}

function moving(answer: SynthesisAnswer): Record<string, string> {
  const { influencia, ensaios, funil } = answer
  const funnel: Record<string, string> =
    'motivo' in funil
      ? {}
      : {
          funil: `Indício, não prova: ${funil.p < 0.1 ? 'ensaios menos precisos diferem dos mais precisos' : 'ensaios menos precisos não diferem dos mais precisos'} (Egger, ${pText(funil.p)}).`,
        }
  if ('motivo' in influencia) return funnel
  const { minimo, maximo, mudanca, experimento_id } = influencia
  const unit = effectUnit(answer)
  const most = ensaios.find((one) => one.experimento_id === experimento_id)
  const main = 'motivo' in answer.reml_hk ? 0 : answer.reml_hk.estimativa
  return {
    ...funnel,
    influencia: `Deixando um ensaio de fora por vez, a estimativa vai de ${effectText(minimo, answer)} a ${effectText(maximo, answer)}${unit}. O que mais pesa é ${most?.nome ?? ''}: sem ele, ${effectText(main + mudanca, answer, { sign: true })}${unit}.`,
  }
}

/** What moderators are called, and the unit that their slope is told by. */
export const MODERATOR_NAMES: Record<
  NonNullable<SynthesisQuery['moderador']>,
  { nome: string; un: string }
> = {
  teor_argila: { nome: 'Teor de argila', un: '%' },
  teor_materia_organica: { nome: 'Matéria orgânica', un: '%' },
  ano: { nome: 'Ano', un: 'ano' },
  latitude: { nome: 'Latitude', un: 'grau' },
  testemunha: { nome: 'Média da Testemunha', un: 'kg/ha' },
}

function reasons(answer: SynthesisAnswer): Record<string, string> {
  const { moderador, metarregressao: line, subgrupos } = answer
  const sentences: Record<string, string> = {}
  if (moderador && line && !('motivo' in line)) {
    const { nome, un } = MODERATOR_NAMES[moderador]
    const slope =
      answer.medida === 'lnrr'
        ? `${line.inclinacao < 0 ? '' : '+'}${formatNumber(100 * Math.expm1(line.inclinacao), 2)} %`
        : `${line.inclinacao < 0 ? '' : '+'}${formatNumber(line.inclinacao, 2)}${unitBehind(answer.variavel.unidade)}`
    sentences['metarregressao'] =
      `Em ${line.k} ensaios, o efeito muda ${slope} por ${un} de ${nome.toLocaleLowerCase('pt-BR')}${line.p === null ? '' : ` (${pText(line.p)})`}${line.r2 === null ? '' : `; explica ${formatFixed(line.r2, 0)} % da variação entre ensaios`}.`
  }
  if (subgrupos) {
    const { teste } = subgrupos
    sentences['subgrupos'] =
      'motivo' in teste
        ? `Os grupos não são testados: ${teste.motivo}.`
        : `${teste.p < ALFA ? 'Os grupos diferem' : 'Os grupos não diferem'} (F = ${formatFixed(teste.f, 2)}; gl = ${teste.gl1} e ${teste.gl2}; ${pText(teste.p)}).`
  }
  return sentences
}

function paying({ economia }: SynthesisAnswer): Record<string, string> {
  if (economia && economia.com_custos === 0)
    return {
      economia:
        economia.ocultos > 0
          ? `Oculto: ${economia.ocultos === economia.de ? 'os custos destes ensaios não são mostrados' : `os custos de ${economia.ocultos} de ${economia.de} ensaios não são mostrados, e os outros não os informam`}.`
          : 'Sem custos informados: não há o que pagar.',
    }
  if (!economia?.vitorias || economia.ganho_mediano === null) return {}
  const { vitorias, com_custos, de, ganho_mediano, empate } = economia
  const unit =
    economia.kg_por_unidade === 60 ? 'sc/ha' : `unidades de ${formatNumber(economia.kg_por_unidade)} kg/ha`
  return {
    economia: `A R$ ${formatFixed(economia.preco, 2)}, pagou o custo em ${vitorias.vitorias} de ${vitorias.n}; ganho mediano de R$ ${formatFixed(ganho_mediano, 2)} por hectare; empate: ${formatFixed(empate, 1)} ${unit} (custos de ${com_custos} de ${de} ensaios).`,
  }
}

/** What somebody should know before they believe it. */
export function synthesisNotices(
  answer: SynthesisAnswer,
  { comparisons, query }: { comparisons: readonly MaterialTrial[]; query: SynthesisQuery },
): { codigo: string; texto: string }[] {
  const many = (n: number) => counted(n, 'ensaio', 'ensaios')
  const crops = new Set(comparisons.map(({ cultura }) => cultura)).size
  const years = new Set(comparisons.map(({ ano }) => ano)).size
  const mixed = [...(crops > 1 ? ['culturas'] : []), ...(years > 1 ? ['anos'] : [])].join(' e ')
  const pending = comparisons.filter(({ pendente }) => pendente).length
  const low = answer.ensaios.filter(({ testemunha_baixa }) => testemunha_baixa).length
  const without = answer.fora_contagem.find(({ codigo }) => codigo === 'sem_testemunha')?.n ?? 0
  const absent = answer.k_todos - answer.k
  const imputed = answer.ensaios.filter(({ origem_ep }) => origem_ep === 'imputada').length
  const codes = new Set(answer.k === 0 ? ['nenhum_ep'] : [])
  if (answer.k === 1) codes.add('um_ensaio')
  if (answer.k === 2) codes.add('dois_ensaios')
  if (answer.k > 2 && answer.k < 5) codes.add('poucos_ensaios')
  const notices: [string, string | false][] = [
    ['nenhum_ep', codes.has('nenhum_ep') && 'nenhum ensaio tem erro experimental: só a média simples é dada'],
    ['um_ensaio', codes.has('um_ensaio') && 'um ensaio só: é o resultado dele'],
    ['dois_ensaios', codes.has('dois_ensaios') && 'dois ensaios não medem a variação entre ensaios'],
    ['poucos_ensaios', codes.has('poucos_ensaios') && 'poucos ensaios'],
    [
      'sem_ep',
      absent > 0 && answer.k > 0 && `${many(absent)} sem erro conhecido: só na média simples e nas vitórias`,
    ],
    [
      'lnrr_automatico',
      answer.medida === 'lnrr' && answer.medida_automatica && `Há ${mixed} diferentes: o efeito é dado em %`,
    ],
    [
      'diferenca_mista',
      answer.medida === 'diferenca' &&
        crops > 1 &&
        'A diferença reúne culturas que não se comparam em kg: prefira o efeito em %',
    ],
    [
      'imputados',
      imputed > 0 && `${many(imputed)} com o erro suposto pela mediana do CV da cultura: só na linha marcada`,
    ],
    ['pendentes', pending > 0 && `${many(pending)} ainda em cálculo: por ora contam sem erro`],
    ['testemunha_baixa', low > 0 && `${many(low)} com Testemunha abaixo de 5 % da mediana da cultura`],
    ['sem_testemunha', without > 0 && `${many(without)} sem Testemunha ficaram de fora`],
    [
      'regressao_a_media',
      query.moderador === 'testemunha' &&
        'A média da Testemunha entra no próprio efeito: uma inclinação aparece também por regressão à média',
    ],
    ['amostra', NOT_A_SAMPLE],
  ]
  return notices.flatMap(([codigo, texto]) => (texto ? [{ codigo, texto }] : []))
}
