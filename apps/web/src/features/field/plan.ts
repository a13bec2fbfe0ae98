import {
  FIRST_WALK,
  hasLayout,
  type Step,
  stepsOf,
  type Walk,
  type WalkSteps,
  walkPlots,
} from '@ensaio/domain'
import { useEffect, useMemo, useState } from 'react'
import type { CellPlace, FieldVariable, Trial } from '../../field-store/trial.ts'
import { field } from './field.ts'

/** What is collected, on which date, and in which order. */
export interface Plan {
  walk: Walk
  steps: WalkSteps
  /** Null: without a date. */
  avaliacao: string | null
  /** Those that are left out. */
  sem: readonly string[]
}
const keyOf = (trial: Trial) => `plano ${trial.pessoa} ${trial.experimento}`

/** What can be entered: nothing that follows from others. */
export const enterable = ({ variables }: Trial): FieldVariable[] =>
  variables.filter(({ formula }) => !formula)

function firstPlan(trial: Trial): Plan {
  const today = new Date().toISOString().slice(0, 10)
  const dated = trial.dates.filter(({ data }) => data !== null && data <= today)
  const date = dated.at(-1) ?? trial.dates[0]
  return {
    ...{ walk: FIRST_WALK, steps: 'parcela', avaliacao: date?.id ?? null },
    sem: [],
  }
}

export interface Planned {
  plan: Plan
  change(change: Partial<Plan>): void
  variables: FieldVariable[]
  order: number[]
  steps: Step[]
  placeOf(step: Step): CellPlace
  filled(step: Step): boolean
}

/** The plan of a trial, kept on this phone; null until it is read. */
export function usePlan(trial: Trial): Planned | null {
  const [plan, setPlan] = useState<Plan | null>(null)
  const key = keyOf(trial)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is read once a trial
  useEffect(() => {
    void field
      .get(key)
      .catch(() => undefined)
      .then((kept) => setPlan({ ...firstPlan(trial), ...(kept as Partial<Plan> | undefined) }))
  }, [key])
  return useMemo(() => {
    if (!plan) return null
    const all = enterable(trial)
    const chosen = all.filter(({ id }) => !plan.sem.includes(id))
    const variables = chosen.length > 0 ? chosen : all
    const order = walkPlots(trial.pack.parcelas, plan.walk)
    const placeOf = ({ plot, variable }: Step): CellPlace => ({
      parcela: trial.pack.parcelas[plot]?.id ?? '',
      variavel: variables[variable]?.id ?? '',
      avaliacao: trial.dates.some(({ id }) => id === plan.avaliacao) ? plan.avaliacao : null,
    })
    return {
      ...{ plan, variables, order, placeOf, steps: stepsOf(order, variables.length, plan.steps) },
      filled: (step) => {
        const { valor, motivo } = trial.cell(placeOf(step)).atual
        const wanted = variables[step.variable]?.amostras ?? 1
        // Of several samples all are wanted; one number is what was entered before there were several.
        return motivo !== null || (Array.isArray(valor) ? valor.length >= wanted : valor !== null)
      },
      change(change) {
        const next = { ...plan, ...change }
        setPlan(next)
        field.put(key, next).catch(() => undefined)
      },
    }
  }, [plan, trial, key])
}

export const isDrawn = (trial: Trial): boolean => hasLayout(trial.pack.parcelas)

/** 'Bloco 2: Bruno', where somebody is to collect it. */
export function blockName({ pack }: Trial, bloco: number): string {
  const quem = pack.blocos?.find((one) => one.bloco === bloco)?.quem
  return quem ? `Bloco ${bloco}: ${quem}` : `Bloco ${bloco}`
}

/** 'Bloco 1 · linha 1, coluna 3 · T2 Produto'. */
export function whereIs(trial: Trial, plot: number): string {
  const one = trial.pack.parcelas[plot]
  if (!one) return ''
  return [
    one.bloco === null ? '' : blockName(trial, one.bloco),
    one.linha === null || one.coluna === null ? '' : `linha ${one.linha}, coluna ${one.coluna}`,
    [one.tratamento, one.nome].filter(Boolean).join(' '),
  ]
    .filter(Boolean)
    .join(' · ')
}
