import { formatFixed, formatNumber } from './format.ts'
import type { ForestLine, ReportBlock } from './report-blocks.ts'
import type { ComparedTrial, SynthesisAnswer } from './synthesis-shapes.ts'
import { effectText, effectUnit } from './synthesis-text.ts'

/** Trials that a figure of a report has room for. */
const MOST_LINES = 40
/** Sentences of a synthesis that a report tells, in this order. */
const TOLD = ['sintese', 'sintese_ns', 'sem_ep', 'variacao'] as const

/** What a synthesis says, in sentences. */
export const toldOf = ({ frases }: SynthesisAnswer): string[] => TOLD.flatMap((key) => frases[key] ?? [])

/** A product against the control: sentences, every trial with its interval, and what is left out and why. */
export function synthesisBlocks(answer: SynthesisAnswer, figure: () => string): ReportBlock[] {
  const { produto, fora_contagem: left, total, k_todos: compared } = answer
  return [
    { tipo: 'titulo', texto: produto, nivel: 2 },
    ...toldOf(answer).map((texto): ReportBlock => ({ tipo: 'texto', texto })),
    ...forestOf(answer, figure),
    ...(left.length === 0
      ? []
      : [
          {
            tipo: 'texto' as const,
            texto: `De ${formatNumber(total, 0)} ensaios, ${formatNumber(compared, 0)} foram comparados. Ficaram de fora: ${left
              .map(({ n, motivo }) => `${formatNumber(n, 0)} (${motivo})`)
              .join('; ')}.`,
          },
        ]),
  ]
}

function forestOf(answer: SynthesisAnswer, figure: () => string): ReportBlock[] {
  const { ensaios, reml_hk: main, sem_peso: plain, produto, k_todos } = answer
  if (ensaios.length === 0) return []
  const shown = [...ensaios].sort((a, b) => (b.peso ?? 0) - (a.peso ?? 0)).slice(0, MOST_LINES)
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
  const some = shown.length < ensaios.length ? `; os ${MOST_LINES} de maior peso` : ''
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
