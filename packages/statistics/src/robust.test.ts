import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { analyse } from './analyse.ts'
import type { AnalysisOptions, Design, Transformation, TrialInput } from './result.ts'
import { generator, must, oneFactor, twoFactors } from './testing.ts'

function notFinite(value: unknown, path = ''): string[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => notFinite(inner, `${path}/${key}`))
}

/** Values that trials do bring: counts with ties, zeros, constants, tiny and large numbers. */
const KINDS: Record<string, (u: () => number, treatment: number) => number> = {
  real: (u, t) => 100 + 3 * t + 10 * u(),
  count: (u) => Math.floor(6 * u()),
  same: () => 3.3,
  certain: (_, t) => (t % 2 ? 0 : 100),
  tiny: (u) => 1e-8 * u(),
  huge: (u) => 1e12 * u(),
  far: (u) => 1e8 + u(),
  half: (u, t) => (t === 2 ? 5 : 5 + t + u()),
}

const sheets = fc.record({
  design: fc.constantFrom<Design>('DIC', 'DBC', 'DBI', 'DQL', 'PSUB', 'FAIXAS'),
  factorial: fc.boolean(),
  doses: fc.boolean(),
  a: fc.integer({ min: 2, max: 4 }),
  b: fc.integer({ min: 2, max: 4 }),
  r: fc.integer({ min: 1, max: 4 }),
  seed: fc.integer({ min: 1, max: 1e6 }),
  loss: fc.constantFrom(0, 0, 0.05, 0.3),
  kind: fc.constantFrom(...Object.keys(KINDS)),
  control: fc.boolean(),
})

const choices: fc.Arbitrary<AnalysisOptions> = fc.record(
  {
    transformacao: fc.constantFrom<Transformation>('log1', 'raiz_0_5', 'log', 'arcsen', 'boxcox'),
    lambda: fc.constant(0.5),
    alfa: fc.constantFrom(0.01, 0.05, 0.1),
    maior_melhor: fc.constant(false),
    eficacia: fc.constantFrom<'abbott' | 'henderson_tilton'>('abbott', 'henderson_tilton'),
    relacao_preco: fc.constant(0.4),
    excluir_testemunha: fc.boolean(),
    excluir_constantes: fc.boolean(),
    ignorar_fatores: fc.boolean(),
  },
  { requiredKeys: [] },
)

type Sheet = typeof sheets extends fc.Arbitrary<infer T> ? T : never

function sheetOf(s: Sheet): TrialInput {
  const two = s.factorial || s.design === 'PSUB' || s.design === 'FAIXAS'
  const k = two ? s.a * s.b : s.a + s.b
  const r = s.design === 'DQL' ? k : s.r
  const trial = two ? twoFactors(s.design, s.a, s.b, r) : oneFactor(s.design, k, r)
  const { u } = generator(s.seed)
  trial.parcelas = trial.parcelas.map((p) => ({
    ...p,
    linha: p.bloco ?? 1,
    coluna: ((p.tratamento + (p.bloco ?? 0) - 2) % k) + 1,
  }))
  const kind = KINDS[s.kind] as (u: () => number, t: number) => number
  trial.y = trial.parcelas.map((p) => {
    const value = kind(u, p.tratamento)
    return u() < s.loss ? null : value
  })
  trial.previa = trial.parcelas.map(() => 1 + Math.floor(20 * u()))
  trial.testemunha = s.control ? 1 : null
  if (s.doses && two) {
    trial.fatores = [
      { chave: 'A', tipo: 'qualitativo' },
      { chave: 'B', tipo: 'quantitativo' },
    ]
    trial.tratamentos = trial.tratamentos.map((t) => ({
      ...t,
      niveis: { A: t.niveis?.A ?? '', B: String(20 * Number(t.niveis?.B?.slice(1))) },
    }))
  }
  return trial
}

describe('any sheet', () => {
  it('gives an analysis of finite numbers or a refusal, the same each time', () => {
    fc.assert(
      fc.property(sheets, choices, (s, options) => {
        const trial = sheetOf(s)
        const answer = analyse(trial, options)
        expect(notFinite(answer)).toEqual([])
        expect(JSON.stringify(analyse(trial, options))).toBe(JSON.stringify(answer))
      }),
      { numRuns: 150 },
    )
  })
})

describe('control plots more than once in each block', () => {
  it('are no loss: the design stays orthogonal and Dunnett exact', () => {
    const trial = oneFactor('DBC', 4, 4, 19)
    for (let bloco = 1; bloco <= 4; bloco++) {
      trial.parcelas.push({ numero: trial.parcelas.length + 1, tratamento: 1, bloco })
      trial.y.push(101 + bloco)
    }
    const a = must(trial)
    expect(a.completo).toBe(false)
    expect(a.n).toEqual({ parcelas: 20, validas: 20, perdidas: 0, excluidas: 0 })
    for (const m of a.grupos[0]?.medias ?? []) expect(m.ajustada).toBeCloseTo(m.media ?? 0, 10)
    expect(a.grupos[0]?.dunnett).toMatchObject({ exato: true })
    expect(a.grupos[0]?.scott_knott).toHaveProperty('motivo')
  })
})
