import { counted, formatDate, formatFixed, formatNumber, NO_VALUE } from './format.ts'
import type { ForestLine, ReportBlock } from './report-blocks.ts'
import type { ComparedTrial, SynthesisAnswer } from './synthesis-shapes.ts'
import { effectText, effectUnit } from './synthesis-text.ts'

/** Trials that a figure of a report has room for, and one of many. */
const MOST_LINES = { few: 40, many: 15 }
/** Syntheses from which on their figures are many. */
const MANY = 8
/** Sentences of a synthesis that a report tells, in this order. */
const TOLD = ['sintese', 'sintese_ns', 'sem_ep', 'variacao'] as const

/** What a synthesis says, in sentences. */
export const toldOf = ({ frases }: SynthesisAnswer): string[] => TOLD.flatMap((key) => frases[key] ?? [])

/** A synthesis that a report tells. */
export interface ToldSynthesis {
  de: 'marca' | 'produto'
  resposta: SynthesisAnswer
  /** Of the same question with the same options; where something changed since, the answer is that of now. */
  registro: { titulo: string; conclusao: string; quem: string | null; quando: string; mudou: string[] } | null
}
/** Those of brands first, each kind by how many trials there are. */
export interface SynthesesOfReport {
  sinteses: readonly ToldSynthesis[]
  /** Brands and products in which nothing could be compared. */
  sem_comparacao: readonly string[]
  /** Of how many brands and products there might be one. */
  sinteses_de: Record<ToldSynthesis['de'], number>
}

interface Numbered {
  table(): string
  figure(): string
}

/** Brands and products against the control: a table of each kind, then each by itself. */
export function synthesesBlocks(of: SynthesesOfReport, numbered: Numbered): ReportBlock[] {
  const { sinteses, sem_comparacao } = of
  const lines = sinteses.length > MANY ? MOST_LINES.many : MOST_LINES.few
  const none = sem_comparacao.length
  return [
    ...(['marca', 'produto'] as const).flatMap((kind) => comparedTable(kind, of, numbered)),
    ...(none === 0
      ? []
      : [plain(`Sem ensaio em que se compare com a Testemunha: ${sem_comparacao.join('; ')}.`)]),
    ...sinteses.flatMap((told) => synthesisBlocks(told, { ...numbered, lines })),
  ]
}

const plain = (texto: string): ReportBlock => ({ tipo: 'texto', texto })
const KINDS = {
  marca: { title: 'Síntese por marca', head: 'Marca', one: 'marca', many: 'marcas' },
  produto: { title: 'Síntese por produto', head: 'Produto', one: 'produto', many: 'produtos' },
} as const

/** Of each brand or product: trials, difference with its interval, and how often it won. */
function comparedTable(kind: ToldSynthesis['de'], of: SynthesesOfReport, { table }: Numbered): ReportBlock[] {
  const told = of.sinteses.filter(({ de }) => de === kind)
  if (told.length === 0) return []
  const { title, head, many } = KINDS[kind]
  const missing = of.sinteses_de[kind] - told.length
  return [
    {
      tipo: 'tabela',
      titulo: `${table()}. ${title} contra a Testemunha.`,
      colunas: [
        { nome: head, numerica: false },
        ...['Ensaios', 'Diferença', 'IC 95 %', 'Vitórias', 'Taxa de vitórias (IC 95 %)'].map((nome) => ({
          ...{ nome, numerica: true },
        })),
      ],
      linhas: told.map(({ resposta }) => [
        ...[resposta.produto, formatNumber(resposta.k_todos, 0)],
        ...estimated(resposta),
        ...wins(resposta),
      ]),
      rodape: [],
      notas: [
        ...(kind === 'marca'
          ? ['De uma marca, cada ensaio conta com a média de todos os seus tratamentos.']
          : []),
        ...(missing > 0
          ? [
              `São ${counted(told.length, 'síntese', 'sínteses')} de ${formatNumber(of.sinteses_de[kind], 0)} ${many} com dois ensaios ou mais: os de mais ensaios.`,
            ]
          : []),
        ...(told.some(({ resposta }) => 'motivo' in resposta.reml_hk)
          ? ['Onde nenhum ensaio tem erro conhecido, a diferença é a média simples.']
          : []),
      ],
      fonte: 'Fonte: sínteses dos ensaios deste relatório.',
    },
  ]
}

/** The estimate and its interval, as they are read. */
function estimated(answer: SynthesisAnswer): [string, string] {
  const { reml_hk: main, sem_peso, ensaios } = answer
  const mean = 'motivo' in main ? sem_peso : main
  const unit = effectUnit(answer)
  if ('motivo' in mean) {
    const [only] = ensaios
    return [only ? `${effectText(only.efeito, answer, { sign: true })}${unit}` : NO_VALUE, NO_VALUE]
  }
  return [
    `${effectText(mean.estimativa, answer, { sign: true })}${unit}`,
    `${effectText(mean.ic_baixo, answer)} a ${effectText(mean.ic_alto, answer)}`,
  ]
}

function wins({ vitorias }: SynthesisAnswer): [string, string] {
  if ('motivo' in vitorias) return [NO_VALUE, NO_VALUE]
  const { vitorias: won, n, taxa, ic_baixo, ic_alto } = vitorias
  const percent = (share: number) => formatFixed(100 * share, 0)
  return [`${won} de ${n}`, `${percent(taxa)} % (${percent(ic_baixo)} a ${percent(ic_alto)})`]
}

/** One against the control: sentences, every trial with its interval, and what is left out and why. */
function synthesisBlocks(told: ToldSynthesis, of: { figure(): string; lines: number }): ReportBlock[] {
  const { resposta: answer, registro } = told
  const { produto, fora_contagem: left, total, k_todos: compared } = answer
  return [
    { tipo: 'titulo', texto: `${KINDS[told.de].head} ${produto}`, nivel: 2 },
    ...(registro ? recordedText(registro) : []),
    ...toldOf(answer).map(plain),
    ...forestOf(answer, of),
    ...(left.length === 0
      ? []
      : [
          plain(
            `De ${formatNumber(total, 0)} ensaios, ${formatNumber(compared, 0)} foram comparados. Ficaram de fora: ${left
              .map(({ n, motivo }) => `${formatNumber(n, 0)} (${motivo})`)
              .join('; ')}.`,
          ),
        ]),
  ]
}

function recordedText({
  titulo,
  conclusao,
  quem,
  quando,
  mudou,
}: NonNullable<ToldSynthesis['registro']>): ReportBlock[] {
  const name = titulo ? ` “${titulo}”` : ''
  const by = quem ? ` por ${quem}` : ''
  const of = `registrada em ${formatDate(quando)}${by}`
  if (mudou.length > 0)
    return [plain(`A síntese${name} ${of} ficou desatualizada: ${mudou.join('; ')}. O que segue é de agora.`)]
  return [
    plain(`Esta é a síntese${name} ${of}; nada mudou desde então.`),
    ...conclusao
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => plain(line.trim())),
  ]
}

function forestOf(
  answer: SynthesisAnswer,
  { figure, lines: most }: { figure(): string; lines: number },
): ReportBlock[] {
  const { ensaios, reml_hk: main, sem_peso: plain, produto, k_todos } = answer
  if (ensaios.length === 0) return []
  const shown = [...ensaios].sort((a, b) => (b.peso ?? 0) - (a.peso ?? 0)).slice(0, most)
  const line = (
    nome: string,
    one: Pick<ComparedTrial, 'efeito' | 'ic_baixo' | 'ic_alto' | 'peso'>,
  ): ForestLine => ({
    nome,
    efeito: drawn(one.efeito, answer),
    baixo: one.ic_baixo === null ? null : drawn(one.ic_baixo, answer),
    alto: one.ic_alto === null ? null : drawn(one.ic_alto, answer),
    peso: one.peso,
    texto: withInterval(one, answer),
  })
  const mean = 'motivo' in main ? plain : main
  const summary =
    'motivo' in mean
      ? null
      : line('motivo' in main ? 'Média simples' : 'Média (efeitos aleatórios)', {
          ...{ efeito: mean.estimativa, ic_baixo: mean.ic_baixo, ic_alto: mean.ic_alto, peso: null },
        })
  const unit = effectUnit(answer).trim()
  const some = shown.length < ensaios.length ? `; os ${most} de maior peso` : ''
  return [
    {
      tipo: 'floresta',
      titulo: `${figure()}. ${produto} contra a Testemunha, ensaio por ensaio, em ${unit} (n = ${k_todos}${some}).`,
      alternativa: `Efeito de ${produto} sobre a Testemunha em ${unit}: ${[...shown.slice(0, 12).map((one) => `${one.nome} ${effectText(one.efeito, answer, { sign: true })}`), ...(summary ? [`média ${summary.texto}`] : [])].join('; ')}`,
      linhas: shown.map((one) => line(one.nome, one)),
      resumo: summary,
      fonte: 'Quadrado: peso do ensaio; sem linha: erro não conhecido; losango: média com IC 95 %.',
    },
  ]
}

/** Of a logarithm of a ratio its percent. */
const drawn = (value: number, { medida }: SynthesisAnswer): number =>
  medida === 'lnrr' ? 100 * Math.expm1(value) : value

function withInterval(
  { efeito, ic_baixo, ic_alto, peso }: Pick<ComparedTrial, 'efeito' | 'ic_baixo' | 'ic_alto' | 'peso'>,
  answer: SynthesisAnswer,
): string {
  const interval =
    ic_baixo === null || ic_alto === null
      ? ''
      : ` (${effectText(ic_baixo, answer)} a ${effectText(ic_alto, answer)})`
  const share = peso === null ? '' : ` · ${formatFixed(100 * peso, 1)} %`
  return `${effectText(efeito, answer, { sign: true })}${interval}${share}`
}
