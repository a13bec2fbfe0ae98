import type { EffectInput, Registered } from '@ensaio/statistics'
import type { SynthesisQuestion } from './contract-synthesis.ts'
import { formatNumber, searchable, withoutNoise } from './format.ts'
import { doseSize } from './prices.ts'
import type { SynthesisKernel } from './synthesis.ts'
import type { LeftOut, LeftOutReason, MaterialTrial, SynthesisMaterial } from './synthesis-shapes.ts'

/** A trial with what of it is compared: indices of the levels of `input`. */
export interface Comparison {
  trial: MaterialTrial
  input: EffectInput
  treatments: number[]
  control: number
  /** Numbers of the treatments. */
  numeros: number[]
  testemunha: number
  tratamento: number
  unidade: string
  umidade: number | null
  n_plots: number
}

/** Tolerance of equal yields, kg/ha. */
const SAME_YIELD = 0.5
const YIELD_UNIT = 'kg/ha'
/** Where nothing is known of the plots of a crop. */
const USUAL_REPETITIONS = 4
const REASONS: Record<LeftOutReason, string> = {
  sem_produto: 'não tem o que se compara',
  sem_testemunha: 'foi registrado sem Testemunha',
  na_testemunha: 'a Testemunha também recebeu o produto',
  acompanhado: 'o produto está sempre junto de outros',
  dose: 'fora da faixa de doses',
  variavel: 'não mediu a variável',
  sem_media: 'falta a média da Testemunha ou do tratamento',
  unidade: 'outra unidade',
  umidade: 'outra umidade de referência',
  razao: 'a razão pede médias maiores que zero',
  retirado: 'retirado por você',
  duplicado: 'cadastrado mais de uma vez',
}
export const reasonText = (codigo: LeftOutReason): string => REASONS[codigo]
export const leftOut = (
  { id, nome }: { id: string; nome: string },
  codigo: LeftOutReason,
  more: { motivo?: string; repete?: string } = {},
): LeftOut => ({ experimento_id: id, nome, codigo, motivo: REASONS[codigo], ...more })

export const isYield = (variavel: string | undefined): boolean =>
  variavel === undefined || searchable(variavel) === 'produtividade'

export const idsIn = (text: string | undefined): Set<string> =>
  new Set((text ?? '').toLowerCase().split(',').filter(Boolean))

/** The filter without the product that is compared: a trial without it is one that is left out. */
export function withoutCompared<T extends { produto?: string | undefined; tratamento?: string | undefined }>(
  query: T,
): T {
  if (query.tratamento !== undefined) return query
  const { produto: _, ...filter } = query
  return filter as T
}

/** What each trial compares, or why it compares nothing; one effect a trial, never its best treatment. */
export function comparisonsOf(
  { ensaios, outros, cvs }: SynthesisMaterial,
  query: SynthesisQuestion,
  kernel: SynthesisKernel,
): { comparisons: Comparison[]; fora: LeftOut[] } {
  const fora: LeftOut[] = outros.map((one) => leftOut(one, 'sem_produto'))
  const out = idsIn(query.retirar)
  const found: Comparison[] = []
  const unidade = usualUnit(ensaios)
  for (const trial of ensaios) {
    const one = out.has(trial.id) ? 'retirado' : comparisonOf(trial, { query, cvs, kernel, unidade })
    if (typeof one === 'string') fora.push(leftOut(trial, one))
    else found.push(one)
  }
  const alike = ofOneUnit(found, fora)
  return { comparisons: once(alike, { fora, again: idsIn(query.incluir), kernel }), fora }
}

/** The unit in which most of the compared doses are given: a range of doses is meant in it. */
function usualUnit(trials: SynthesisMaterial['ensaios']): string | null {
  const counts = new Map<string | null, number>()
  for (const { t } of trials)
    for (const { p, doses = [] } of t)
      if (p) for (const [, unit] of doses) counts.set(unit, (counts.get(unit) ?? 0) + 1)
  const [most] = [...counts].sort(([, a], [, b]) => b - a)
  return most?.[0] ?? null
}

/** A dose in another unit of the same kind; null where the two cannot be told against each other. */
function doseIn([dose, from]: [number, string | null], to: string | null): number | null {
  if (from === to) return dose
  const [one, other] = [doseSize(from), doseSize(to)]
  return one && other && one.base === other.base ? withoutNoise((dose * one.size) / other.size) : null
}

function comparisonOf(
  trial: MaterialTrial,
  {
    query,
    cvs,
    kernel,
    unidade,
  }: {
    query: SynthesisQuestion
    cvs: SynthesisMaterial['cvs']
    kernel: SynthesisKernel
    /** Of the range of doses. */
    unidade: string | null
  },
): Comparison | LeftOutReason {
  const { e } = trial
  const controlNumber = e ? e.testemunha : 1
  const candidates = trial.t.filter(({ p, numero }) => p && numero !== controlNumber)
  if (!trial.t.some(({ p }) => p)) return 'sem_produto'
  if (controlNumber === null || trial.t.length < 2) return 'sem_testemunha'
  const byProduct = query.tratamento === undefined && query.todos === undefined
  if (byProduct && trial.t.some(({ p, numero }) => p && numero === controlNumber)) return 'na_testemunha'
  if (candidates.length === 0) return 'na_testemunha'
  const alone = query.sozinho === '1' ? candidates.filter(({ outros }) => outros === 0) : candidates
  if (alone.length === 0) return 'acompanhado'
  const least = query.dose_min ?? 0
  const most = query.dose_max ?? Infinity
  const ranged = query.dose_min !== undefined || query.dose_max !== undefined
  const chosen = ranged
    ? alone.filter(
        ({ doses = [] }) =>
          doses.length > 0 &&
          doses.every((given) => {
            const dose = doseIn(given, unidade)
            return dose !== null && dose >= least && dose <= most
          }),
      )
    : alone
  if (chosen.length === 0) return 'dose'
  if (!e && !isYield(query.variavel)) return 'variavel'
  const input = inputOf(trial, { imputed: query.imputar === '1' ? cvs[trial.cultura] : undefined, kernel })
  const places = new Map(input.niveis.map((nivel, at) => [nivel, at]))
  const control = places.get(String(controlNumber))
  const treatments = chosen.flatMap(({ numero }) => places.get(String(numero)) ?? [])
  if (control === undefined || treatments.length === 0) return 'sem_media'
  const means = treatments.map((at) => Number(input.ajustadas[at]))
  return {
    ...{ trial, input, treatments, control },
    numeros: treatments.map((at) => Number(input.niveis[at])),
    testemunha: Number(input.ajustadas[control]),
    tratamento: means.reduce((sum, one) => sum + one, 0) / means.length,
    unidade: e?.unidade ?? YIELD_UNIT,
    umidade: e?.umidade ?? null,
    n_plots: e?.n_parcelas ?? 0,
  }
}

function inputOf(
  { t, e }: MaterialTrial,
  { imputed, kernel }: { imputed: { cv: number; r: number } | undefined; kernel: SynthesisKernel },
): EffectInput {
  if (e && e.origem !== 'ausente') return kernel.unpackEffects(e.dados, e.origem)
  const medias = e
    ? e.dados.n.map((numero, at) => ({ nivel: String(numero), media: e.dados.m[at] ?? 0 }))
    : t.map(({ numero, y }) => ({ nivel: String(numero), media: y }))
  if (!imputed) return kernel.effectInputOfMeans(medias)
  return kernel.effectInputOfMeans(medias, {
    cv: imputed.cv,
    r: e?.repeticoes ?? imputed.r ?? USUAL_REPETITIONS,
  })
}

/** Those of the unit, and of the moisture where it is told, that most trials have; the others are named. */
function ofOneUnit(found: readonly Comparison[], fora: LeftOut[]): Comparison[] {
  const unit = commonest(found.map(({ unidade }) => searchable(unidade)))
  const alike = found.filter(({ trial, unidade }) => {
    if (searchable(unidade) === unit) return true
    fora.push(leftOut(trial, 'unidade', { motivo: `outra unidade: ${unidade || 'sem unidade'}` }))
    return false
  })
  const moisture = commonest(alike.flatMap(({ umidade }) => umidade ?? []))
  return alike.filter(({ trial, umidade }) => {
    if (umidade === null || umidade === moisture) return true
    fora.push(
      leftOut(trial, 'umidade', { motivo: `outra umidade de referência: ${formatNumber(umidade, 1)} %` }),
    )
    return false
  })
}

/** The first of the most frequent. */
function commonest<T>(values: readonly T[]): T | undefined {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  let best: T | undefined
  for (const [value, n] of counts) if (best === undefined || n > (counts.get(best) ?? 0)) best = value
  return best
}

/** Trials that were registered twice count once, the oldest, unless a person puts them back. */
function once(
  found: readonly Comparison[],
  { fora, again, kernel }: { fora: LeftOut[]; again: ReadonlySet<string>; kernel: SynthesisKernel },
): Comparison[] {
  const registered = found.flatMap((one): Registered[] => {
    const key = `${one.trial.cultura}|${one.trial.cidade}|${one.trial.ano}`
    const { testemunha, tratamento } = one
    return [{ chave: key, testemunha, tratamento, documento: one.trial.documento }]
  })
  const twins = kernel.duplicatesOf(registered, SAME_YIELD)
  return found.filter(({ trial }, at) => {
    const twin = twins[at] ?? null
    const kept = twin === null ? undefined : found[twin]?.trial
    if (!kept || again.has(trial.id)) return true
    fora.push(leftOut(trial, 'duplicado', { motivo: `o mesmo ensaio que ${kept.nome}`, repete: kept.id }))
    return false
  })
}
