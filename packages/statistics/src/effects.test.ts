import { describe, expect, it } from 'vitest'
import {
  duplicatesOf,
  type EffectInput,
  effectInput,
  effectInputOfMeans,
  effectInputOfReport,
  effectOf,
} from './effects.ts'
import { isRefusal } from './prepare.ts'
import type { TrialInput } from './result.ts'
import { must, near, oneFactor, twoFactors } from './testing.ts'

function inputOf(trial: TrialInput): EffectInput {
  const input = effectInput(trial)
  if (isRefusal(input)) throw new Error('refused')
  return input
}

function effect(
  input: EffectInput,
  treatments: number[],
  control = 0,
  medida: 'diferenca' | 'lnrr' = 'diferenca',
) {
  const found = effectOf(input, treatments, control, medida)
  if ('motivo' in found) throw new Error(found.motivo)
  return found
}

describe('one effect per trial', () => {
  it('is the pair of the analysis, also with lost plots', () => {
    const designs: TrialInput[] = [
      oneFactor('DIC', 4, 5, 3, (n) => n % 7 === 0),
      oneFactor('DBC', 5, 4, 4, (n) => n % 6 === 0),
      oneFactor('DQL', 5, 5, 5, (n) => n === 8),
    ]
    for (const trial of designs) {
      const input = inputOf(trial)
      const analysis = must(trial)
      for (const pair of analysis.grupos[0]?.pares ?? []) {
        const at = (name: string): number => input.niveis.indexOf(name)
        const found = effect(input, [at(pair.a)], at(pair.b))
        expect(near(found.efeito, pair.diferenca, 1e-9)).toBe(true)
        expect(near(found.ep, pair.ep, 1e-9)).toBe(true)
        expect(found.gl).toBe(analysis.residuos[0]?.gl)
        expect(found.origem_ep).toBe('parcelas')
      }
    }
  })

  it('averages several treatments against one control', () => {
    const input = inputOf(oneFactor('DBC', 5, 4, 9))
    const m = input.ajustadas
    const one = effect(input, [2])
    const many = effect(input, [1, 2, 4, 2])
    expect(
      near(
        many.efeito,
        ((m[1] as number) + (m[2] as number) + (m[4] as number)) / 3 - (m[0] as number),
        1e-9,
      ),
    ).toBe(true)
    // MSE/r (1/3 + 1) against MSE/r (1 + 1).
    expect(near((many.ep as number) ** 2 / (one.ep as number) ** 2, 2 / 3, 1e-10)).toBe(true)
    const ratio = effect(input, [1, 2, 4], 0, 'lnrr')
    const [t, c] = [(many.efeito + (m[0] as number)) as number, m[0] as number]
    const variance = (one.ep as number) ** 2 / 2
    expect(near(ratio.efeito, Math.log(t / c), 1e-12)).toBe(true)
    expect(near(ratio.ep, Math.sqrt(variance / 3 / t ** 2 + variance / c ** 2), 1e-10)).toBe(true)
  })

  it('split plots and strips: each pair on its own errors, as in the simple effects', () => {
    for (const design of ['PSUB', 'FAIXAS'] as const) {
      const trial = twoFactors(design, 3, 4, 4, 21)
      const input = inputOf(trial)
      const analysis = must(trial)
      let pairs = 0
      for (const group of analysis.grupos) {
        if (!group.dentro) continue
        const cell = (level: string): number =>
          trial.tratamentos.findIndex((t) => {
            const niveis = { ...group.dentro, [group.efeito]: level }
            return t.niveis?.A === niveis.A && t.niveis?.B === niveis.B
          })
        for (const pair of group.pares ?? []) {
          const found = effect(input, [cell(pair.a)], cell(pair.b))
          expect(near(found.efeito, pair.diferenca, 1e-9)).toBe(true)
          expect(near(found.ep, pair.ep, 1e-9)).toBe(true)
          expect(near(found.gl, group.gl, 1e-9)).toBe(true)
          pairs++
        }
      }
      expect(pairs).toBe(4 * 3 + 3 * 6)
    }
    // Cells that share neither level: (Ea + (b-1) Eb) 2/(r b) in split plots.
    const trial = twoFactors('PSUB', 3, 4, 4, 21)
    const [ea, eb] = must(trial).residuos.map((e) => e.qm) as [number, number]
    expect(near(effect(inputOf(trial), [5]).ep, Math.sqrt((2 * (ea + 3 * eb)) / 16), 1e-10)).toBe(true)
  })

  it('split plots with losses: by REML, pair by pair', () => {
    const trial = twoFactors('PSUB', 3, 3, 4, 8, (n) => n === 5 || n === 20)
    const input = inputOf(trial)
    const group = must(trial).grupos.find((g) => g.efeito === 'A:B')
    const at = (name: string): number =>
      trial.tratamentos.findIndex((t) => `${t.niveis?.A}:${t.niveis?.B}` === name)
    for (const pair of group?.pares ?? []) {
      const found = effect(input, [at(pair.a)], at(pair.b))
      expect(near(found.efeito, pair.diferenca, 1e-9)).toBe(true)
      expect(near(found.ep, pair.ep, 1e-9)).toBe(true)
      expect(found.gl as number).toBeGreaterThan(1)
    }
    expect(group?.pares).toHaveLength(36)
    expect(effectInput(twoFactors('FAIXAS', 3, 3, 4, 8, (n) => n === 5))).toHaveProperty('problema')
  })

  it('the delta method is that of a covariance', () => {
    const input: EffectInput = {
      niveis: ['a', 'b', 'c'],
      ajustadas: [100, 110, 130],
      covariancia: [
        [4, 1, 0.5],
        [1, 6, 2],
        [0.5, 2, 5],
      ],
      gl: 7,
      origem_ep: 'parcelas',
    }
    const found = effect(input, [1, 2], 0, 'lnrr')
    const vt = (6 + 5 + 2 * 2) / 4
    const cov = (1 + 0.5) / 2
    expect(near(found.ep, Math.sqrt(vt / 120 ** 2 + 4 / 100 ** 2 - (2 * cov) / (120 * 100)), 1e-12)).toBe(
      true,
    )
    expect(effectOf({ ...input, ajustadas: [0, 1, 1] }, [1], 0, 'lnrr')).toHaveProperty('motivo')
    expect(() => effectOf(input, [], 0)).toThrow(RangeError)
    expect(() => effectOf(input, [0], 0)).toThrow(RangeError)
    expect(() => effectOf(input, [3], 0)).toThrow(RangeError)
  })

  it('an error that is missing or zero is not invented', () => {
    const medias = [
      { nivel: 'T1', media: 3000 },
      { nivel: 'T2', media: 3300 },
    ]
    const alone = effect(effectInputOfMeans(medias), [1])
    expect(alone).toEqual({ efeito: 300, ep: null, gl: null, origem_ep: 'ausente' })
    const imputed = effect(effectInputOfMeans(medias, { cv: 8, r: 4 }), [1])
    expect(imputed.origem_ep).toBe('imputada')
    expect(near(imputed.ep, Math.sqrt((2 * (0.08 * 3150) ** 2) / 4), 1e-12)).toBe(true)
    const flat = oneFactor('DBC', 3, 4)
    const constant = inputOf({ ...flat, y: flat.parcelas.map((p) => 10 * p.tratamento + (p.bloco ?? 0)) })
    expect(effect(constant, [1])).toMatchObject({ ep: null, origem_ep: 'ausente' })
  })

  it('from a report: MSE of the CV, and why not', () => {
    const report = {
      delineamento: 'DBC' as const,
      repeticoes: 4,
      testemunha: 'T1',
      medias: [3000, 3300, 3150].map((media, i) => ({ nivel: `T${i + 1}`, media })),
      cv: 8,
    }
    const input = effectInputOfReport(report)
    if (isRefusal(input)) throw new Error('refused')
    const found = effect(input, [1])
    expect(found).toMatchObject({ efeito: 300, gl: 6, origem_ep: 'reconstruida' })
    expect(near(found.ep, Math.sqrt((2 * (0.08 * 3150) ** 2) / 4), 1e-12)).toBe(true)
    expect(effectInputOfReport({ ...report, cv: 90 })).toHaveProperty('problema', 'rebuilt.not_allowed')
  })

  it('finds trials registered twice', () => {
    const trials = [
      { chave: 'soja|sorriso|2023', testemunha: 3000, tratamento: 3300 },
      { chave: 'soja|sorriso|2023', testemunha: 3000.4, tratamento: 3299.8 },
      { chave: 'soja|sorriso|2023', testemunha: 3000, tratamento: 3301 },
      { chave: 'soja|sorriso|2024', testemunha: 3000, tratamento: 3300 },
      { chave: 'milho', testemunha: 1, tratamento: 2, documento: 'x' },
      { chave: 'trigo', testemunha: 8, tratamento: 9, documento: 'x' },
      { chave: 'soja|sorriso|2023', testemunha: 2999.6, tratamento: 3300 },
    ]
    expect(duplicatesOf(trials)).toEqual([null, 0, null, null, null, 4, 0])
    expect(duplicatesOf([])).toEqual([])
  })
})
