import type { ExperimentInput } from '@ensaio/domain'
import { strFromU8, unzipSync } from 'fflate'
import { type Answer, experimentInput } from '../test-server.ts'

/** The owner's trials, each with words and numbers that stand in no other. */
export const TRIALS = [
  /** The researcher's own, seen by the owner's members alone. */
  'own',
  /** The owner's, as alone. */
  'other',
  /** The researcher's, in the shared collection: no costs, no report. */
  'shared',
  /** The owner's, shared by itself with costs and report, without comments. */
  'open',
  /** In the shared collection and under embargo. */
  'embargoed',
  /** In the shared collection, and deleted. */
  'deleted',
  /** With a public link, shared with nobody. */
  'linked',
  /** Offered to the recipient for good. */
  'moving',
] as const
export type Trial = (typeof TRIALS)[number]

export interface Canary {
  text: string
  kind: 'words' | 'costs' | 'file' | 'comment' | 'person' | 'organization' | 'id'
  trial?: Trial
}

const capital = (text: string) => `${text[0]?.toUpperCase()}${text.slice(1)}`
/** A word that no other field of no other thing has, and nobody else types. */
export const word = (...of: string[]): string => `Kz${of.map(capital).join('')}zk`

/** Those that the shared collection's filter lets through. */
const IN_COLLECTION: readonly Trial[] = ['shared', 'embargoed', 'deleted']
export const brandOf = (trial: Trial): string =>
  word(IN_COLLECTION.includes(trial) ? 'shared' : trial, 'marca')

/** So much that no figure of anything else looks like it. */
const money = (trial: Trial, k: number) => 23_917_531 + TRIALS.indexOf(trial) * 104_729 + k * 1_013 + 0.25
const fraction = (trial: Trial, whole: number, k: number) =>
  Number(`${whole}.${1_203_457 + TRIALS.indexOf(trial) * 10_007 + k * 101}`)
const yieldOf = (trial: Trial, k: number) => 512_345.125 + TRIALS.indexOf(trial) * 1_009 + k * 97

/** The trial as it is typed; the code tells those of one kind apart. */
export function canaryInput(trial: Trial, number = 0): ExperimentInput {
  const named = (what: string) => word(trial, what)
  return experimentInput({
    consultoria: named('consultoria'),
    marca: brandOf(trial),
    regional: named('regional'),
    cidade: named('cidade'),
    latitude: -fraction(trial, 17, 0),
    longitude: -fraction(trial, 50, 1),
    teor_argila: fraction(trial, 42, 2),
    teor_materia_organica: fraction(trial, 3, 3),
    cultura: named('cultura'),
    cultivar: named('cultivar'),
    codigo: `${named('codigo')}-${number}`,
    tratamentos: [
      {
        nome: 'Testemunha',
        modalidade: named('controle'),
        produtividade: yieldOf(trial, 0),
        custo: money(trial, 0),
        produtos_aplicados: [],
        analises_adicionais: [],
      },
      {
        nome: named('tratamento'),
        modalidade: named('modalidade'),
        produtividade: yieldOf(trial, 1),
        custo: money(trial, 1),
        produtos_aplicados: [
          {
            nome: named('produto'),
            dose: fraction(trial, 1, 4),
            unidade: 'L/ha',
            custo: money(trial, 2),
          },
        ],
        analises_adicionais: [{ nome: named('analise'), valor: fraction(trial, 92, 5), unidade: 'cm' }],
      },
    ],
    custo_protocolo: money(trial, 3),
    roi: money(trial, 4),
  })
}

/** As it may be written: 23917531.25, 23917531,25, 23.917.531,25; of a great one also without its cents. */
export function formsOf(number: number): string[] {
  const text = String(Math.abs(number))
  const shown = Math.abs(number).toLocaleString('pt-BR', { maximumFractionDigits: 10 })
  return [
    ...new Set([text, text.replace('.', ','), shown, ...(number >= 1e7 ? [String(Math.floor(number))] : [])]),
  ]
}

/** Everything that the trial's own fields give away. */
export function canariesOf(trial: Trial): Canary[] {
  const { tratamentos, custo_protocolo, roi, ...rest } = canaryInput(trial)
  const [control, second] = tratamentos
  const [product] = second?.produtos_aplicados ?? []
  const [analysis] = second?.analises_adicionais ?? []
  const words = [
    ...Object.values(rest).filter((value) => typeof value === 'string' && value.startsWith('Kz')),
    ...[control?.modalidade, second?.modalidade, second?.nome, product?.nome, analysis?.nome],
  ].map((text) => String(text).replace(/-\d+$/, ''))
  const yields = tratamentos.map(({ produtividade }) => produtividade)
  const numbers = [
    ...[rest.latitude, rest.longitude, rest.teor_argila, rest.teor_materia_organica],
    ...[product?.dose, analysis?.valor, ...yields],
    yields.reduce((sum, each) => sum + each, 0) / yields.length,
  ]
  const costs = [custo_protocolo, roi, ...tratamentos.map(({ custo }) => custo), product?.custo]
  const total = (control?.custo ?? 0) + (second?.custo ?? 0)
  return [
    // A brand that several have is the shared one's.
    ...words
      .filter((text) => text !== brandOf(trial) || text === word(trial, 'marca'))
      .map((text) => ({ text, kind: 'words' as const, trial })),
    ...numbers.flatMap((number) =>
      formsOf(Number(number)).map((text) => ({ text, kind: 'words' as const, trial })),
    ),
    ...[...costs, total].flatMap((number) =>
      formsOf(Number(number)).map((text) => ({ text, kind: 'costs' as const, trial })),
    ),
    { text: word(trial, 'arquivo'), kind: 'file', trial },
    { text: word(trial, 'pdf'), kind: 'file', trial },
    { text: word(trial, 'comentario'), kind: 'comment', trial },
  ]
}

/** Everything that an answer says: what it holds, packed or not, and its headers. */
export function textOf({ headers, bytes }: Pick<Answer, 'headers' | 'bytes'>): string {
  const packed = bytes.subarray(0, 2).toString('latin1') === 'PK'
  return `${[...headers].map((line) => line.join(': ')).join('\n')}\n${packed ? unpacked(bytes) : bytes.toString()}`
}
function unpacked(bytes: Uint8Array): string {
  return Object.entries(unzipSync(bytes))
    .map(([name, content]) => {
      const packed = strFromU8(content.subarray(0, 2), true) === 'PK'
      return `${name}\n${packed ? unpacked(content) : Buffer.from(content).toString()}`
    })
    .join('\n')
}

/** Those that stand in the text and that the asking person did not say first. */
export function foundIn(text: string, canaries: readonly Canary[], said = ''): string[] {
  const [here, there] = [text.toLowerCase(), said.toLowerCase()]
  return canaries
    .filter(
      ({ text: canary }) => here.includes(canary.toLowerCase()) && !there.includes(canary.toLowerCase()),
    )
    .map(({ text: canary, kind, trial }) => `${kind} of ${trial ?? 'all'}: ${canary}`)
}
