import { analyse } from './analyse.ts'
import type { Analysis, AnalysisOptions, Design, TrialInput } from './result.ts'

/** Trials made for tests, by a fixed generator: the same numbers in every run. */
export function generator(seed: number): { u(): number; e(): number } {
  let x = seed
  const u = (): number => {
    x = (16807 * x) % 2147483647
    return x / 2147483647
  }
  const e = (): number => {
    let sum = 0
    for (let i = 0; i < 12; i++) sum += u()
    return sum - 6
  }
  return { u, e }
}

/** One factor in `design`: k treatments, r repetitions; `lost` says which plots have no value. */
export function oneFactor(
  design: Design,
  k: number,
  r: number,
  seed = 7,
  lost: (plot: number) => boolean = () => false,
): TrialInput {
  const { e } = generator(seed)
  const trial: TrialInput = {
    delineamento: design,
    testemunha: 1,
    fatores: [],
    tratamentos: Array.from({ length: k }, (_, i) => ({ numero: i + 1, niveis: null })),
    parcelas: [],
    y: [],
  }
  for (let b = 1; b <= r; b++) {
    for (let t = 1; t <= k; t++) {
      const numero = trial.parcelas.length + 1
      trial.parcelas.push({ numero, tratamento: t, bloco: b, linha: b, coluna: ((t + b - 2) % k) + 1 })
      const value = 100 + 3 * (t % 5) + 2 * b + 4 * e()
      trial.y.push(lost(numero) ? null : value)
    }
  }
  return trial
}

/** Two factors in `design`, with an error of whole plots. */
export function twoFactors(
  design: Design,
  a: number,
  b: number,
  r: number,
  seed = 7,
  lost: (plot: number) => boolean = () => false,
): TrialInput {
  const { e } = generator(seed)
  const trial: TrialInput = {
    delineamento: design,
    testemunha: null,
    fatores: [
      { chave: 'A', tipo: 'qualitativo' },
      { chave: 'B', tipo: 'qualitativo' },
    ],
    tratamentos: Array.from({ length: a * b }, (_, i) => ({
      numero: i + 1,
      niveis: { A: `A${Math.floor(i / b) + 1}`, B: `B${(i % b) + 1}` },
    })),
    parcelas: [],
    y: [],
  }
  for (let block = 1; block <= r; block++) {
    for (let i = 0; i < a; i++) {
      const whole = 6 * e()
      for (let j = 0; j < b; j++) {
        const numero = trial.parcelas.length + 1
        trial.parcelas.push({ numero, tratamento: i * b + j + 1, bloco: block })
        const value = 200 + 5 * i + 4 * j + block + whole + 3 * e()
        trial.y.push(lost(numero) ? null : value)
      }
    }
  }
  return trial
}

/** The analysis, or an error with the code of the refusal. */
export function must(trial: TrialInput, options: AnalysisOptions = {}): Analysis {
  const answer = analyse(trial, options)
  if ('problema' in answer) throw new Error(`${answer.problema} ${answer.detalhes.join(', ')}`)
  return answer
}

export function line(analysis: Analysis, fonte: string): Analysis['anova']['linhas'][number] {
  const found = analysis.anova.linhas.find((l) => l.fonte === fonte)
  if (!found) throw new Error(`no line ${fonte}`)
  return found
}

/** Agreement of two numbers relative to their size. */
export function near(a: number | null | undefined, b: number | null | undefined, relative = 1e-9): boolean {
  if (typeof a !== 'number' || typeof b !== 'number') return a === b
  return Math.abs(a - b) <= relative * Math.max(1e-300, Math.abs(a), Math.abs(b))
}
