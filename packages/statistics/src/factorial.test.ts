import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { TrialInput } from './result.ts'
import { line, must, near } from './testing.ts'

interface Reference {
  data: { rows: [number, number, string, number][] }
  results: {
    anova: { source: string; df: number; ss: number; F?: number; p?: number }[]
    A_within_B: Within[]
    B_within_A: Within[]
  }
}

interface Within {
  at: string
  df: number
  ss: number
  F: number
  p: number
  scott_knott: Record<string, string>
}

const published = JSON.parse(
  readFileSync(new URL('./reference/cases/p4-fat-mead-turnip.json', import.meta.url), 'utf8'),
) as Reference

function turnips(): TrialInput {
  const trial: TrialInput = {
    delineamento: 'DBC',
    testemunha: null,
    fatores: [
      { chave: 'A', tipo: 'quantitativo' },
      { chave: 'B', tipo: 'quantitativo' },
    ],
    tratamentos: [],
    parcelas: [],
    y: [],
  }
  const numbers = new Map<string, number>()
  for (const [a, b, block, y] of published.data.rows) {
    const key = `${a} ${b}`
    let numero = numbers.get(key)
    if (numero === undefined) {
      numero = numbers.size + 1
      numbers.set(key, numero)
      trial.tratamentos.push({ numero, niveis: { A: String(a), B: String(b) } })
    }
    trial.parcelas.push({
      numero: trial.parcelas.length + 1,
      tratamento: numero,
      bloco: Number(block.slice(1)),
    })
    trial.y.push(y)
  }
  return trial
}

describe('a published factorial of spacings and densities', () => {
  const a = must(turnips())

  it('has its analysis of variance', () => {
    const names: Record<string, string> = { block: 'bloco', error: 'residuo' }
    for (const row of published.results.anova) {
      const own = line(a, names[row.source] ?? row.source)
      expect(own.gl).toBe(row.df)
      expect(near(own.sq, row.ss, 1e-9)).toBe(true)
      if (row.F !== undefined) expect(near(own.f, row.F, 1e-9)).toBe(true)
      if (row.p !== undefined) expect(near(own.p, row.p, 1e-6)).toBe(true)
    }
  })

  it('has its simple effects with their groups', () => {
    for (const [efeito, other, rows] of [
      ['A', 'B', published.results.A_within_B],
      ['B', 'A', published.results.B_within_A],
    ] as const) {
      for (const row of rows) {
        const group = a.grupos.find((g) => g.efeito === efeito && g.dentro?.[other] === row.at)
        expect(group?.f?.gl).toBe(row.df)
        expect(near(group?.f?.sq, row.ss, 1e-9)).toBe(true)
        expect(near(group?.f?.f, row.F, 1e-9)).toBe(true)
        expect(near(group?.f?.p, row.p, 1e-6)).toBe(true)
        const sk = group?.scott_knott
        expect(sk && 'grupos' in sk ? sk.grupos : null).toEqual(row.scott_knott)
      }
    }
  })
})
