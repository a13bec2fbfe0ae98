/** Why effects vary from trial to trial: one moderator as a line, or groups of trials. */
import { fUpper, studentQuantile, studentTwoSided } from './distributions.ts'
import type { TrialEffect } from './effects.ts'
import { meanOf, sumOfSquares } from './linear-algebra.ts'
import { spaced } from './numeric.ts'
import { groupMeans, line, remlTau2, weightsAt } from './random-effects.ts'
import type { Absent } from './result.ts'
import { centredEffects, hasError, knappHartung, type RandomEffects, randomEffects } from './synthesis.ts'

export interface MetaRegression {
  k: number
  intercepto: number
  /** Change of the effect per unit of the moderator. */
  inclinacao: number
  ep: number
  t: number | null
  gl: number
  p: number | null
  ic_baixo: number
  ic_alto: number
  /** Left after the moderator. */
  tau2: number
  /** % of the τ² without it that the moderator takes up; null where there was none. */
  r2: number | null
  /** Mean effect with its interval over the observed moderator, to be drawn. */
  faixa: { x: number; estimativa: number; ic_baixo: number; ic_alto: number }[]
}

const FEWEST = 6
const BAND = 25

/**
 * Effect = a + b x with random trials: τ² by REML, Knapp-Hartung with t(k-2), R² = 100 (τ0² - τ²)/τ0². Trials without SE
 * or without the moderator take no part; six are needed.
 */
export function metaRegression(
  trials: readonly { efeito: TrialEffect; x: number | null }[],
  alfa = 0.05,
): MetaRegression | Absent {
  const kept = trials.filter((t) => hasError(t.efeito) && typeof t.x === 'number' && Number.isFinite(t.x))
  const k = kept.length
  if (k < FEWEST) return { motivo: 'a metarregressão pede seis ensaios com a variável' }
  const raw = Float64Array.from(kept, (t) => t.x as number)
  const centreX = meanOf(raw)
  const size = Math.sqrt(sumOfSquares(raw) / (k - 1))
  if (!(size > 1e-12 * Math.abs(centreX))) return { motivo: 'a variável não varia entre os ensaios' }
  const { centre, y, v } = centredEffects(kept.map((t) => t.efeito))
  const x = raw.map((value) => (value - centreX) / size)
  const model = line(y, x)
  const tau2 = remlTau2(v, model)
  const before = remlTau2(v, groupMeans(y, new Int32Array(k), 1))
  const w = weightsAt(v, tau2)
  const residuals = new Float64Array(k)
  model.fit(w, residuals)
  const c = model.coefficients(w)
  const factor = knappHartung(w, residuals, 2)
  const gl = k - 2
  const quantile = studentQuantile(1 - alfa / 2, gl)
  const inclinacao = c.slope / size
  const ep = Math.sqrt(factor / c.sxx) / size
  const at = (value: number): number => centre + c.meanY + c.slope * ((value - centreX) / size - c.meanX)
  return {
    k,
    intercepto: at(0),
    inclinacao,
    ep,
    t: ep > 0 ? inclinacao / ep : null,
    gl,
    p: ep > 0 ? studentTwoSided(inclinacao / ep, gl) : null,
    ic_baixo: inclinacao - quantile * ep,
    ic_alto: inclinacao + quantile * ep,
    tau2,
    r2: before > 0 ? Math.max(0, (100 * (before - tau2)) / before) : null,
    faixa: spaced(least(raw), most(raw), BAND).map((value) => {
      const d = (value - centreX) / size - c.meanX
      const half = quantile * Math.sqrt(factor * (1 / c.w + (d * d) / c.sxx))
      const estimativa = at(value)
      return { x: value, estimativa, ic_baixo: estimativa - half, ic_alto: estimativa + half }
    }),
  }
}

function least(values: Float64Array): number {
  return values.reduce((found, value) => Math.min(found, value), Infinity)
}

function most(values: Float64Array): number {
  return values.reduce((found, value) => Math.max(found, value), -Infinity)
}

export interface Subgroups {
  grupos: { grupo: string; k: number; reml_hk: RandomEffects | Absent }[]
  teste: { f: number; gl1: number; gl2: number; p: number; tau2: number } | Absent
}

/**
 * An estimate of each group (its own τ²) and a test that groups do not differ: a mean of each with one τ² by REML,
 * F = [Σ W_g (m_g - m)²/(g-1)] / s², s² the factor of Knapp and Hartung, F(g-1, k-g). Groups of one trial with SE are listed,
 * neither estimated nor tested. Groups come back in rising order of their names.
 */
export function subgroups(
  trials: readonly { efeito: TrialEffect; grupo: string | null }[],
  alfa = 0.05,
): Subgroups {
  const byGroup = new Map<string, TrialEffect[]>()
  for (const { efeito, grupo } of trials) {
    if (grupo === null || !hasError(efeito)) continue
    const list = byGroup.get(grupo)
    if (list) list.push(efeito)
    else byGroup.set(grupo, [efeito])
  }
  const names = [...byGroup.keys()].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const grupos = names.map((grupo) => {
    const part = byGroup.get(grupo) as TrialEffect[]
    const reml_hk = part.length > 1 ? randomEffects(part, 'reml', alfa) : { motivo: 'um ensaio só' }
    return { grupo, k: part.length, reml_hk }
  })
  return { grupos, teste: moderatorTest(names.map((name) => byGroup.get(name) as TrialEffect[])) }
}

function moderatorTest(groups: readonly TrialEffect[][]): Subgroups['teste'] {
  const tested = groups.filter((part) => part.length > 1)
  const g = tested.length
  if (g < 2) return { motivo: 'são necessários dois grupos com mais de um ensaio' }
  const { y, v } = centredEffects(tested.flat())
  const codes = Int32Array.from(tested.flatMap((part, code) => part.map(() => code)))
  const model = groupMeans(y, codes, g)
  const tau2 = remlTau2(v, model)
  const w = weightsAt(v, tau2)
  const within = new Float64Array(y.length)
  model.fit(w, within)
  const factor = knappHartung(w, within, g)
  const around = new Float64Array(y.length)
  groupMeans(y, new Int32Array(y.length), 1).fit(w, around)
  let between = 0
  for (let i = 0; i < y.length; i++) {
    between += (w[i] as number) * ((around[i] as number) - (within[i] as number)) ** 2
  }
  if (!(factor > 0)) return { motivo: 'os efeitos não variam dentro dos grupos' }
  const f = between / (g - 1) / factor
  const [gl1, gl2] = [g - 1, y.length - g]
  return { f, gl1, gl2, p: fUpper(f, gl1, gl2), tau2 }
}
