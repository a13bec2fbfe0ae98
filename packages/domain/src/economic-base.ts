import type { Group } from '@ensaio/statistics'
import { z } from 'zod'
import { isDunnett, listText } from './analysis-text.ts'
import type { AnalysisAnswer, AnalysisQuery } from './contract-analysis.ts'
import type { Experiment } from './experiment.ts'
import type { TrialSheet } from './trial-sheet.ts'
import { levelsOf, yieldMeans, yieldVariable } from './trial-values.ts'

/** Where the figures come from; of means alone there is no interval and no probability. */
export const ECONOMIC_ORIGINS = ['parcelas', 'reconstruída', 'só médias'] as const

export const EconomicNotice = z.object({ codigo: z.string(), texto: z.string() })
export type EconomicNotice = z.output<typeof EconomicNotice>

/** What a trial brings to its economics besides prices: enough to compute everything anew in the browser. */
export const EconomicBase = z.object({
  origem: z.enum(ECONOMIC_ORIGINS),
  /** Of the sheet, or of the trial where there is none. */
  dados_versao: z.number(),
  variavel: z.string(),
  /** Level of the control, 'T1'. */
  testemunha: z.string(),
  tratamentos: z.array(
    z.object({
      numero: z.number(),
      nivel: z.string(),
      nome: z.string(),
      /** Plots behind the mean; null without plots. */
      n: z.number().nullable(),
      /** Adjusted mean, kg/ha. */
      media_kg_ha: z.number(),
      /** As it was typed, R$/ha. */
      custo_rs_ha: z.number().nullable(),
      /** Standard error of the difference from the control, kg/ha, and its degrees of freedom. */
      ep_diferenca: z.number().nullable(),
      gl: z.number().nullable(),
    }),
  ),
  avisos: z.array(EconomicNotice),
})
export type EconomicBase = z.output<typeof EconomicBase>

/** The unit that yields are told in; the economics of a trial asks for it. */
export const isYieldUnit = (unit: string): boolean => /^kg[ ./·]?ha(-1|⁻¹)?$/i.test(unit.trim())

/** The analysis that a trial's economics rests on; null where there is none to ask for. */
export function economicQuestion(
  experiment: Pick<Experiment, 'estatistica_informada'>,
  sheet: Pick<TrialSheet, 'variaveis'> | null,
  variavel?: string,
): AnalysisQuery | null {
  if (variavel !== undefined) return { variavel }
  if (sheet && yieldVariable(sheet)) return {}
  return experiment.estatistica_informada ? { origem: 'reconstruida' } : null
}

type Base = EconomicBase['tratamentos'][number]
type Given = {
  experiment: Pick<Experiment, 'tratamentos' | 'versao'>
  sheet: TrialSheet | null
  /** Of `economicQuestion`; null where there is none. */
  analysis: AnalysisAnswer | null
  /** Why the analysis that was asked for could not be made. */
  refused?: string | undefined
}

const CONTROL_MISSING = 'A Testemunha não tem produtividade nas parcelas'

/** Yields, errors and typed costs by treatment, those without a yield left out and named. */
export function economicBase({ experiment, sheet, analysis, refused }: Given): EconomicBase {
  const level = sheet && analysis?.origem !== 'reconstruida' ? levelsOf(sheet) : (n: number) => `T${n}`
  const control = sheet && analysis?.origem !== 'reconstruida' ? (sheet.testemunha ?? 1) : 1
  const cells = analysis && cellsOf(analysis, sheet, level)
  const missing: string[] = []
  const blind: string[] = []
  const treatments = experiment.tratamentos.flatMap(({ nome, produtividade, custo }, at): Base[] => {
    const numero = at + 1
    const nivel = level(numero)
    const mean = cells ? cells.mean(numero) : { n: null, value: produtividade }
    if (!mean) {
      missing.push(nivel)
      return []
    }
    const error = numero === control ? null : (cells?.error(numero, control) ?? null)
    if (cells && numero !== control && !error) blind.push(nivel)
    return [
      {
        ...{ numero, nivel, nome: analysis?.nomes[nivel] ?? nome, n: mean.n, media_kg_ha: mean.value },
        ...{ custo_rs_ha: custo, ep_diferenca: error?.ep ?? null, gl: error?.gl ?? null },
      },
    ]
  })
  if (analysis && missing.includes(level(control)))
    return economicBase({ experiment, sheet, analysis: null, refused: CONTROL_MISSING })
  // Where nothing was analysed, means of plots may stand beside one that lost all of its own.
  const ofPlots = new Set(
    analysis || !sheet
      ? []
      : (yieldMeans(sheet) ?? []).flatMap(({ numero, produtividade }) =>
          produtividade === null ? [] : [numero],
        ),
  )
  const typed =
    ofPlots.size === 0 ? [] : treatments.flatMap(({ numero, nivel }) => (ofPlots.has(numero) ? [] : [nivel]))
  const notices: [string, string | false | undefined][] = [
    ['sem_analise', refused !== undefined && `${refused}; valem as médias`],
    [
      'media_informada',
      typed.length > 0 && `Média informada no relatório, e não das parcelas: ${listText(typed)}`,
    ],
    ['fora', missing.length > 0 && `Sem produtividade nas parcelas: ${listText(missing)}`],
    [
      'sem_erro_do_par',
      blind.length > 0 && `Não há erro para a diferença de ${listText(blind)} para a Testemunha`,
    ],
  ]
  return {
    origem: analysis ? (analysis.origem === 'parcelas' ? 'parcelas' : 'reconstruída') : 'só médias',
    dados_versao: analysis?.dados_versao ?? experiment.versao,
    variavel: analysis?.variavel.nome ?? 'produtividade',
    testemunha: level(control),
    tratamentos: treatments,
    avisos: notices.flatMap(([codigo, texto]) => (texto ? [{ codigo, texto }] : [])),
  }
}

interface Cells {
  mean(numero: number): { n: number | null; value: number } | null
  error(numero: number, control: number): Difference | null
}
type Difference = { ep: number; gl: number }

/** Treatments as the analysis has them: one group, or the cells of two factors with errors of their own. */
function cellsOf(
  analysis: AnalysisAnswer,
  sheet: TrialSheet | null,
  level: (numero: number) => string,
): Cells {
  const whole = analysis.grupos.find(({ efeito, dentro }) => efeito === 'tratamento' && dentro === null)
  const plots = analysis.origem === 'parcelas'
  if (whole)
    return {
      mean: (numero) => meanIn(whole, level(numero), plots),
      error: (numero, control) => between(whole, level(numero), level(control)),
    }
  const of = new Map(sheet?.tratamentos.map(({ numero, niveis }) => [numero, niveis]))
  const pair = (numero: number) => {
    const { A, B } = of.get(numero) ?? {}
    return A === undefined || B === undefined ? null : { A, B }
  }
  const crossed = analysis.grupos.find(({ efeito }) => efeito === 'A:B')
  const within = (efeito: 'A' | 'B', at: string) => {
    const other = efeito === 'A' ? 'B' : 'A'
    return analysis.grupos.find((group) => group.efeito === efeito && group.dentro?.[other] === at)
  }
  return {
    mean(numero) {
      const own = pair(numero)
      if (!own) return null
      const inCrossed = crossed && meanIn(crossed, `${own.A}:${own.B}`, plots)
      const group = within('B', own.A)
      return inCrossed ?? (group ? meanIn(group, own.B, plots) : null)
    },
    error(numero, control) {
      const [own, other] = [pair(numero), pair(control)]
      if (!own || !other) return null
      if (crossed) return between(crossed, `${own.A}:${own.B}`, `${other.A}:${other.B}`)
      if (own.A === other.A) return between(within('B', own.A), own.B, other.B)
      // Two sub-plots of different whole plots differ with one error, whatever is on them; strips have another.
      if (own.B === other.B || analysis.delineamento === 'PSUB')
        return between(within('A', other.B), own.A, other.A)
      return null
    },
  }
}

function meanIn(group: Group, nivel: string, plots: boolean): { n: number | null; value: number } | null {
  const found = group.medias.find((one) => one.nivel === nivel)
  const value = found?.ajustada ?? found?.media ?? null
  return found && value !== null ? { n: plots ? found.n : null, value } : null
}

/** Of one pair of a group: where pairs are too many to be told, Dunnett's has the control's. */
function between(group: Group | undefined, nivel: string, control: string): Difference | null {
  if (!group) return null
  const found =
    group.pares?.find(({ a, b }) => (a === nivel && b === control) || (a === control && b === nivel)) ??
    (isDunnett(group.dunnett) ? group.dunnett.linhas.find((line) => line.nivel === nivel) : undefined)
  const gl = (found && 'gl' in found ? found.gl : undefined) ?? group.gl
  return found && found.ep > 0 && gl !== null && gl > 0 ? { ep: found.ep, gl } : null
}
