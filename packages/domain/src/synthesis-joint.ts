import type * as Statistics from '@ensaio/statistics'
import type { Joint } from '@ensaio/statistics'
import { pText } from './analysis-text.ts'
import { formatFixed, searchable } from './format.ts'
import { isYield } from './synthesis-comparison.ts'
import type { TrialSheet } from './trial-sheet.ts'
import { datesOf, trialInput, yieldVariable } from './trial-values.ts'
import type { TrialVariable } from './trial-variable.ts'

/** A trial with its plots, oldest first. */
export interface JointMaterialTrial {
  id: string
  nome: string
  cidade: string
  ano: number
  /** Names of the trial's treatments, by number. */
  tratamentos: string[]
  ficha: TrialSheet
}
export interface JointMaterial {
  ensaios: JointMaterialTrial[]
  /** Trials with plots under the filter, those that are read among them. */
  total: number
  /** All trials under the filter, and the first of those that have no plots. */
  filtro?: number
  sem?: { id: string; nome: string }[]
}

type Left = { experimento_id: string; nome: string; motivo: string }
export interface JointAnswer extends Omit<Joint, 'ensaios' | 'fora'> {
  variavel: { nome: string; unidade: string }
  ensaios: (Joint['ensaios'][number] & { experimento_id: string; nome: string })[]
  fora: Left[]
  /** Trials under the filter: those that are joined and those that are left out. */
  total: number
  motor: string
  frases: Record<string, string>
  avisos: { codigo: string; texto: string }[]
}
export type JointKernel = Pick<typeof Statistics, 'joint' | 'commonTreatments' | 'plainName' | 'ENGINE'>

const FEWEST = 3
/** Larger ratios of mean squares are warned of. */
const UNEQUAL = 7
const ALFA = 0.05

interface Candidate {
  trial: JointMaterialTrial
  variable: TrialVariable
  names: string[]
}

/** Null where fewer than two trials share three treatments (`synthesis.no_joint`). */
export function jointOf(
  { ensaios, total, filtro = total, sem = [] }: JointMaterial,
  query: { variavel?: string | undefined; tratamentos?: string | undefined },
  kernel: JointKernel,
): JointAnswer | null {
  const fora: Left[] = []
  const leave = ({ id, nome }: Pick<JointMaterialTrial, 'id' | 'nome'>, motivo: string) =>
    fora.push({ experimento_id: id, nome, motivo })
  const candidates = ensaios.flatMap((trial): Candidate[] => {
    const variable = variableOf(trial.ficha, query.variavel)
    if (!variable) leave(trial, 'não mediu a variável')
    else if (trial.ficha.delineamento !== 'DBC') leave(trial, 'não está em blocos casualizados')
    else return [{ trial, variable, names: labelsOf(trial) }]
    return []
  })
  const asked = query.tratamentos?.split(',').flatMap((name) => name.trim() || [])
  const common = asked?.length ? asked : proposed(candidates, kernel)
  const wanted = common.map(kernel.plainName)
  const unit = candidates.find(({ names }) => holds(names, wanted, kernel))?.variable.unidade ?? ''
  const kept = candidates.filter(({ trial, names, variable }) => {
    if (!holds(names, wanted, kernel)) leave(trial, 'não tem os mesmos tratamentos')
    else if (searchable(variable.unidade) !== searchable(unit))
      leave(trial, `outra unidade: ${variable.unidade}`)
    else return true
    return false
  })
  const environments = environmentNames(kept.map(({ trial }) => trial))
  const [first] = kept
  if (!first || wanted.length < FEWEST) return null
  const joined = kernel.joint(
    kept.map(({ trial, variable, names }, at) => {
      const date = datesOf(trial.ficha, variable.chave).at(-1) ?? null
      const input = trialInput(trial.ficha, { variavel: variable.chave, avaliacao: date })
      return {
        ambiente: environments[at] ?? '',
        trial: {
          ...input,
          // Those that the sheet places in plots, by the name that trials are matched by.
          tratamentos: input.tratamentos.map((one, index) => ({ ...one, codigo: names[index] ?? '' })),
        },
      }
    }),
    {
      tratamentos: common,
      testemunha: controlName(first),
      ...(first.variable.maior_melhor === false && { maior_melhor: false }),
    },
  )
  if ('motivo' in joined) return null
  const known = new Map(environments.map((name, at) => [name, kept[at]?.trial]))
  for (const out of joined.fora) {
    const trial = known.get(out.ambiente)
    if (trial)
      leave(trial, 'motivo' in out ? out.motivo : `não pôde ser analisado: ${out.detalhes.join(', ')}`)
  }
  for (const one of sem) leave(one, 'não tem dados por parcela')
  const answer: JointAnswer = {
    ...joined,
    total: filtro,
    variavel: { nome: first.variable.nome, unidade: first.variable.unidade },
    ensaios: joined.ensaios.map((one) => {
      const trial = known.get(one.ambiente)
      return { ...one, experimento_id: trial?.id ?? '', nome: trial?.nome ?? '' }
    }),
    fora: fora.slice(0, 200),
    motor: kernel.ENGINE,
    frases: {},
    avisos: [],
  }
  answer.frases = sentences(answer)
  answer.avisos = notices(answer, { read: ensaios.length, total })
  return answer
}

function variableOf(sheet: TrialSheet, asked: string | undefined): TrialVariable | null {
  const own = isYield(asked) ? yieldVariable(sheet) : null
  const named = searchable(asked ?? 'produtividade')
  return (
    own ??
    sheet.variaveis.find(({ chave }) => chave === asked) ??
    sheet.variaveis.find(({ chave, nome }) => searchable(chave) === named || searchable(nome) === named) ??
    null
  )
}

const OWN_NUMBER = /^T\d{1,3}$/
/** By the trial's names; a sheet that has labels of its own goes before, but for 'T2' and the like. */
function labelsOf({ ficha, tratamentos }: JointMaterialTrial): string[] {
  return ficha.tratamentos.map(({ numero, nome }) =>
    nome !== null && !OWN_NUMBER.test(nome) ? nome : (tratamentos[numero - 1] ?? `T${numero}`),
  )
}

function controlName({ trial, names }: Candidate): string | null {
  const at = trial.ficha.tratamentos.findIndex(({ numero }) => numero === trial.ficha.testemunha)
  return names[at] ?? null
}

const holds = (names: readonly string[], wanted: readonly string[], { plainName }: JointKernel): boolean => {
  const own = new Set(names.map(plainName))
  return wanted.every((name) => own.has(name))
}

/** What all have in common, else the treatments of one trial that most others have, too. */
function proposed(candidates: readonly Candidate[], kernel: JointKernel): string[] {
  const all = kernel.commonTreatments(candidates.map(({ names }) => names))
  if (all.length >= FEWEST) return all
  const sets = new Map<string, { names: string[]; trials: number }>()
  for (const { names } of candidates) {
    if (names.length < FEWEST) continue
    const key = names.map(kernel.plainName).sort().join('\n')
    const held = sets.get(key)
    if (held) held.trials += 1
    else sets.set(key, { names, trials: 1 })
  }
  let best: string[] = []
  let most = 1
  for (const { names } of sets.values()) {
    const wanted = names.map(kernel.plainName)
    const trials = candidates.filter((one) => holds(one.names, wanted, kernel)).length
    if (trials > most || (trials === most && trials > 1 && names.length > best.length)) {
      best = names
      most = trials
    }
  }
  return best
}

/** The shortest names that tell the trials apart: years, cities, both, else the trials' own, numbered. */
function environmentNames(trials: readonly JointMaterialTrial[]): string[] {
  const ways: ((trial: JointMaterialTrial) => string)[] = [
    ({ ano }) => String(ano),
    ({ cidade }) => cidade,
    ({ cidade, ano }) => `${cidade} ${ano}`,
    ({ nome }) => nome,
  ]
  for (const way of ways) {
    const names = trials.map(way)
    if (new Set(names).size === names.length) return names
  }
  return trials.map(({ cidade, ano }, at) => `${cidade} ${ano} (${at + 1})`)
}

/** Trials as a sample of environments: the default sentence. */
function sentences(answer: JointAnswer): Record<string, string> {
  const { tratamento_aleatorio: random, anova, k, variavel } = answer
  const line = anova.linhas.find(({ fonte }) => fonte === 'tratamento:ambiente')
  const found: Record<string, string> = {}
  if (random.p !== null && random.f !== null)
    found['conjunta'] =
      `Em ${k} ensaios, tomados como amostra de ambientes, ${random.p < ALFA ? 'houve' : 'não houve'} diferença entre os tratamentos para ${variavel.nome.toLocaleLowerCase('pt-BR')} (F = ${formatFixed(random.f, 2)}; gl = ${random.gl} e ${random.gl_den}; ${pText(random.p)}).`
  if (line && line.p !== null && line.f !== null)
    found['interacao'] =
      line.p < ALFA
        ? `A resposta depende do ambiente (interação: F = ${formatFixed(line.f, 2)}; ${pText(line.p)}): leia primeiro a tabela de cada ensaio.`
        : `Não houve interação entre tratamento e ambiente (${pText(line.p)}).`
  return found
}

function notices(
  { razao_qm, estabilidade, tratamentos_fora }: JointAnswer,
  { read, total }: { read: number; total: number },
): { codigo: string; texto: string }[] {
  const told: [string, string | false][] = [
    [
      'razao_qm',
      razao_qm !== null &&
        razao_qm > UNEQUAL &&
        `A razão entre o maior e o menor QM do resíduo é ${formatFixed(razao_qm, 1)} (acima de 7): os erros dos ensaios diferem`,
    ],
    ['sem_estabilidade', 'motivo' in estabilidade && `Sem estabilidade: ${estabilidade.motivo}`],
    [
      'tratamentos_fora',
      tratamentos_fora.length > 0 &&
        `Não estão em todos os ensaios: ${tratamentos_fora.slice(0, 10).join(', ')}${tratamentos_fora.length > 10 ? ' e outros' : ''}`,
    ],
    ['limite', read < total && `São lidos os ${read} ensaios mais recentes com parcelas, de ${total}`],
  ]
  return told.flatMap(([codigo, texto]) => (texto ? [{ codigo, texto }] : []))
}
