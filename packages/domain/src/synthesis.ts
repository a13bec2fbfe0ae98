import type * as Statistics from '@ensaio/statistics'
import type { EffectMeasure, Synthesis, TrialEffect } from '@ensaio/statistics'
import type { SynthesisQuery, SynthesisQuestion } from './contract-synthesis.ts'
import { clayClass } from './soil.ts'
import { type Comparison, comparisonsOf, isYield, leftOut, reasonText } from './synthesis-comparison.ts'
import type {
  ComparedTrial,
  LeftOut,
  SynthesisAnswer,
  SynthesisEconomics,
  SynthesisMaterial,
} from './synthesis-shapes.ts'
import { synthesisNotices, synthesisSentences } from './synthesis-text.ts'

/** The kernel's functions that a synthesis is made with; the domain knows their shapes alone. */
export type SynthesisKernel = Pick<
  typeof Statistics,
  | 'duplicatesOf'
  | 'effectInputOfMeans'
  | 'effectOf'
  | 'metaRegression'
  | 'subgroups'
  | 'synthesis'
  | 'unpackEffects'
  | 'wilson'
  | 'ENGINE'
>

/** Trials left out that are named; all are counted. */
const MOST_NAMED = 200
/** A control below this share of the median of its crop is marked. */
const LOW_CONTROL = 0.05
/** Kilograms of the sack that grain is sold in. */
const SACK_KG = 60

/** Null where no trial of the filter makes the comparison (`synthesis.none`). */
export function synthesisOf(
  material: SynthesisMaterial,
  query: SynthesisQuestion,
  kernel: SynthesisKernel,
): SynthesisAnswer | null {
  const { comparisons, fora } = comparisonsOf(material, query, kernel)
  const several = differ(comparisons, ({ cultura }) => cultura) || differ(comparisons, ({ ano }) => ano)
  const medida = query.medida ?? (several ? 'lnrr' : 'diferenca')
  const { kept, effects } = effectsOf(comparisons, { medida, fora, kernel })
  const [first] = kept
  if (!first) return null
  const whole = kernel.synthesis(effects, { medida })
  const low = lowControls(kept)
  const ensaios = kept.map(({ trial, ...one }, at): ComparedTrial => {
    const effect = whole.ensaios[at]
    if (!effect) throw new Error('an effect for each trial')
    return {
      ordem: at + 1,
      experimento_id: trial.id,
      ...{ nome: trial.nome, cultura: trial.cultura, ano: trial.ano, regional: trial.regional },
      argila: trial.argila,
      ...effect,
      n_plots: one.n_plots,
      ...{ testemunha: one.testemunha, tratamento: one.tratamento, tratamentos: one.numeros },
      percentual: one.testemunha > 0 ? 100 * (one.tratamento / one.testemunha - 1) : null,
      x: query.moderador ? moderatorOf(query.moderador, { trial, ...one }) : null,
      grupo: query.subgrupo ? groupOf(query.subgrupo, { trial, ...one }) : null,
      testemunha_baixa: low.has(trial.id),
    }
  })
  const { influencia } = whole
  const answer: SynthesisAnswer = {
    ...whole,
    produto: query.todos ?? query.tratamento ?? query.produto ?? '',
    variavel: variableOf(first, query),
    medida_automatica: query.medida === undefined,
    percentual_medio: percentOf(comparisons, whole, kernel),
    ensaios,
    influencia:
      'motivo' in influencia
        ? influencia
        : { ...influencia, experimento_id: ensaios[influencia.ensaio]?.experimento_id ?? '' },
    total: material.total,
    ...toldOf(fora, material),
    ...whyOf(ensaios, effects, query, kernel),
    ...(query.preco !== undefined &&
      first.unidade === 'kg/ha' && { economia: economicsOf(kept, query, kernel) }),
    motor: kernel.ENGINE,
    frases: {},
    avisos: [],
  }
  answer.frases = synthesisSentences(answer)
  answer.avisos = synthesisNotices(answer, { comparisons: kept.map(({ trial }) => trial), query })
  return answer
}

/** Null where there is nothing to be summed: hidden costs are not none. */
const sumOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, one) => sum + one, 0)

const differ = (of: readonly Comparison[], key: (trial: Comparison['trial']) => unknown): boolean =>
  new Set(of.map(({ trial }) => key(trial))).size > 1

/** An effect for each comparison that has one in this measure; the others are told. */
function effectsOf(
  comparisons: readonly Comparison[],
  { medida, fora, kernel }: { medida: EffectMeasure; fora: LeftOut[]; kernel: SynthesisKernel },
): { kept: Comparison[]; effects: TrialEffect[] } {
  const kept: Comparison[] = []
  const effects: TrialEffect[] = []
  for (const one of comparisons) {
    const effect = kernel.effectOf(one.input, one.treatments, one.control, medida)
    if ('motivo' in effect) fora.push(leftOut(one.trial, 'razao'))
    else {
      kept.push(one)
      effects.push(effect)
    }
  }
  return { kept, effects }
}

/** Of the ratios of the same trials, %: the mean over them is not that of the differences over the mean control. */
function percentOf(
  comparisons: readonly Comparison[],
  whole: Synthesis,
  kernel: SynthesisKernel,
): number | null {
  if (whole.medida === 'lnrr') return whole.percentual?.estimativa ?? null
  const { effects } = effectsOf(comparisons, { medida: 'lnrr', fora: [], kernel })
  if (effects.length < comparisons.length) return null
  const { reml_hk, sem_peso, k } = kernel.synthesis(effects, { medida: 'lnrr' })
  const main = k > 0 ? reml_hk : sem_peso
  return 'motivo' in main ? null : 100 * Math.expm1(main.estimativa)
}

function variableOf({ trial: { e }, unidade }: Comparison, { variavel }: SynthesisQuery) {
  const produtividade = e === null || e.produtividade || isYield(variavel)
  return { nome: produtividade ? 'produtividade' : (variavel ?? ''), unidade, produtividade }
}

function lowControls(kept: readonly Comparison[]): Set<string> {
  const byCrop = new Map<string, number[]>()
  for (const { trial, testemunha } of kept) {
    const yields = byCrop.get(trial.cultura)
    if (yields) yields.push(testemunha)
    else byCrop.set(trial.cultura, [testemunha])
  }
  const medians = new Map([...byCrop].map(([crop, yields]) => [crop, medianOf(yields) ?? 0]))
  return new Set(
    kept.flatMap(({ trial, testemunha }) =>
      testemunha < LOW_CONTROL * (medians.get(trial.cultura) ?? 0) ? [trial.id] : [],
    ),
  )
}

export function medianOf(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const [below, above] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return below === undefined || above === undefined ? null : (below + above) / 2
}

function moderatorOf(
  moderator: NonNullable<SynthesisQuery['moderador']>,
  { trial, testemunha }: Pick<Comparison, 'trial' | 'testemunha'>,
): number | null {
  switch (moderator) {
    case 'teor_argila':
      return trial.argila
    case 'teor_materia_organica':
      return trial.mo
    case 'ano':
      return trial.ano
    case 'latitude':
      return trial.latitude
    case 'testemunha':
      return testemunha
  }
}

/** Null: the trial is in no group, as one whose treatments are of several modalities. */
function groupOf(
  subgroup: NonNullable<SynthesisQuery['subgrupo']>,
  { trial, numeros }: Pick<Comparison, 'trial' | 'numeros'>,
): string | null {
  switch (subgroup) {
    case 'modalidade': {
      const [one, ...more] = new Set(
        trial.t.flatMap(({ numero, modalidade }) =>
          numeros.includes(numero) && modalidade !== undefined ? [modalidade] : [],
        ),
      )
      return more.length > 0 ? null : (one ?? null)
    }
    case 'solo':
      return trial.argila === null ? null : clayClass(trial.argila).label
    default:
      return String(trial[subgroup])
  }
}

function whyOf(
  ensaios: readonly ComparedTrial[],
  effects: readonly TrialEffect[],
  { moderador, subgrupo }: SynthesisQuery,
  kernel: SynthesisKernel,
): Pick<SynthesisAnswer, 'moderador' | 'metarregressao' | 'subgrupo' | 'subgrupos'> {
  const each = <T>(make: (trial: ComparedTrial, efeito: TrialEffect) => T): T[] =>
    ensaios.flatMap((trial, at) => {
      const effect = effects[at]
      return effect ? [make(trial, effect)] : []
    })
  return {
    ...(moderador && {
      moderador,
      metarregressao: kernel.metaRegression(each(({ x }, efeito) => ({ efeito, x }))),
    }),
    ...(subgrupo && {
      subgrupo,
      subgrupos: kernel.subgroups(each(({ grupo }, efeito) => ({ efeito, grupo }))),
    }),
  }
}

/** Named up to a bound, counted by reason without one; the counts and the trials add up to the filter's total. */
function toldOf(
  fora: readonly LeftOut[],
  { total, ensaios, outros }: SynthesisMaterial,
): Pick<SynthesisAnswer, 'fora' | 'fora_contagem'> {
  const counts = new Map<LeftOut['codigo'], number>()
  for (const { codigo } of fora) counts.set(codigo, (counts.get(codigo) ?? 0) + 1)
  const unnamed = total - ensaios.length - outros.length
  if (unnamed > 0) counts.set('sem_produto', (counts.get('sem_produto') ?? 0) + unnamed)
  // What a person can put back stands first.
  const rank = ({ codigo }: LeftOut) => (codigo === 'duplicado' || codigo === 'retirado' ? 0 : 1)
  const own = fora.filter(({ codigo }) => codigo !== 'sem_produto').sort((a, b) => rank(a) - rank(b))
  return {
    fora: [...own, ...fora.filter(({ codigo }) => codigo === 'sem_produto')].slice(0, MOST_NAMED),
    fora_contagem: [...counts].map(([codigo, n]) => ({ codigo, motivo: reasonText(codigo), n })),
  }
}

function economicsOf(
  kept: readonly Comparison[],
  { preco = 0, kg_por_unidade = SACK_KG }: SynthesisQuery,
  kernel: SynthesisKernel,
): SynthesisEconomics {
  const perKg = preco / kg_por_unidade
  const gains: number[] = []
  const costs: number[] = []
  for (const { trial, numeros, testemunha, tratamento } of kept) {
    if (!trial.ve_custos) continue
    const cost = new Map(trial.t.map(({ numero, custo }) => [numero, custo]))
    const own = numeros.map((numero) => cost.get(numero) ?? null)
    const control = cost.get(trial.e?.testemunha ?? 1) ?? null
    if (control === null || own.some((one) => one === null)) continue
    const extra = own.reduce<number>((sum, one) => sum + (one ?? 0), 0) / own.length - control
    costs.push(extra)
    gains.push((tratamento - testemunha) * perKg - extra)
  }
  const even = medianOf(costs)
  const decided = gains.filter((gain) => gain !== 0).length
  return {
    preco,
    kg_por_unidade,
    com_custos: gains.length,
    de: kept.length,
    ocultos: kept.filter(({ trial }) => !trial.ve_custos).length,
    vitorias: decided > 0 ? kernel.wilson(gains.filter((gain) => gain > 0).length, decided) : null,
    ganho_mediano: medianOf(gains),
    ganho_total: sumOf(gains),
    custo_total: sumOf(costs),
    empate: even === null ? null : even / preco,
    empate_kg: even === null ? null : even / perKg,
  }
}
