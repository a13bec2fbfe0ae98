import { describe, expect, it } from 'vitest'
import { analyse } from './analyse.ts'
import type { TrialInput } from './result.ts'
import { must, oneFactor, twoFactors } from './testing.ts'

describe('refusals', () => {
  it('too few plots', () => {
    expect(analyse(oneFactor('DIC', 4, 1))).toMatchObject({ problema: 'analysis.too_few' })
    expect(analyse(oneFactor('DBC', 4, 1))).toMatchObject({ problema: 'analysis.too_few' })
    const empty = oneFactor('DIC', 3, 3)
    expect(analyse({ ...empty, y: empty.y.map(() => null) })).toMatchObject({ problema: 'analysis.too_few' })
  })

  it('no variation', () => {
    const trial = oneFactor('DBC', 4, 3)
    expect(analyse({ ...trial, y: trial.y.map(() => 0) })).toEqual({
      problema: 'analysis.no_variation',
      detalhes: [],
    })
    const psub = twoFactors('PSUB', 2, 3, 3)
    expect(analyse({ ...psub, y: psub.y.map(() => 12.3) })).toMatchObject({
      problema: 'analysis.no_variation',
    })
  })

  it('treatments that cannot be compared, by name', () => {
    // Blocks 1 and 2 hold T1 to T3, blocks 3 and 4 hold T4 and T5.
    const trial = oneFactor('DBI', 5, 4)
    const y = trial.y.map((value, i) => {
      const plot = trial.parcelas[i]
      return (plot?.tratamento ?? 0) <= 3 === (plot?.bloco ?? 0) <= 2 ? value : null
    })
    expect(analyse({ ...trial, y })).toEqual({ problema: 'analysis.disconnected', detalhes: ['T4', 'T5'] })
  })

  it('a treatment or a block without a value', () => {
    const trial = oneFactor('DBC', 4, 3)
    const without = (lost: (p: TrialInput['parcelas'][number]) => boolean): unknown =>
      analyse({ ...trial, y: trial.y.map((v, i) => (lost(trial.parcelas[i] as never) ? null : v)) })
    expect(without((p) => p.tratamento === 3)).toEqual({
      problema: 'analysis.disconnected',
      detalhes: ['T3'],
    })
    expect(without((p) => p.bloco === 2)).toEqual({
      problema: 'analysis.disconnected',
      detalhes: ['bloco 2'],
    })
  })

  it('empty cells of a factorial, and the one-way analysis that is offered', () => {
    for (const design of ['DBC', 'DIC', 'PSUB'] as const) {
      const trial = twoFactors(design, 2, 3, 3)
      const y = trial.y.map((v, i) => (trial.parcelas[i]?.tratamento === 6 ? null : v))
      expect(analyse({ ...trial, y })).toEqual({ problema: 'analysis.empty_cell', detalhes: ['A2 × B3'] })
      if (design === 'PSUB') continue
      const oneWay = must({ ...trial, y }, { ignorar_fatores: true })
      expect(oneWay.grupos.map((g) => g.efeito)).toEqual(['tratamento'])
      expect(oneWay.grupos[0]?.medias[5]).toMatchObject({ nivel: 'T6', fora: 'sem parcelas com valor' })
    }
  })

  it('a sheet that is no Latin square', () => {
    const trial = oneFactor('DQL', 4, 4)
    expect('anova' in analyse(trial)).toBe(true)
    const parcelas = trial.parcelas.map((p) => (p.numero === 1 ? { ...p, tratamento: 2 } : p))
    const answer = analyse({ ...trial, parcelas })
    expect(answer).toMatchObject({ problema: 'analysis.layout' })
    if (!('problema' in answer)) throw new Error('refused')
    expect(answer.detalhes[0]).toBe('quadrado latino')
    expect(answer.detalhes).toContain('tratamento T2 aparece 2 vezes na linha 1')
    const noBlock = oneFactor('DBC', 3, 3)
    const first = {
      ...noBlock,
      parcelas: noBlock.parcelas.map((p, i) => (i === 0 ? { ...p, bloco: null } : p)),
    }
    expect(analyse(first)).toMatchObject({ detalhes: ['blocos casualizados', 'parcela 1 sem bloco'] })
  })

  it('a value that the transformation does not take', () => {
    const trial = oneFactor('DBC', 3, 3)
    const y = trial.y.map((v, i) => (i === 4 ? 0 : v))
    expect(analyse({ ...trial, y }, { transformacao: 'log' })).toEqual({
      problema: 'analysis.transform',
      detalhes: ['log', 'maiores que zero'],
    })
    expect('anova' in analyse({ ...trial, y }, { transformacao: 'log1' })).toBe(true)
    expect(analyse({ ...trial, y: y.map((v) => (v ?? 0) + 90) }, { transformacao: 'arcsen' })).toMatchObject({
      problema: 'analysis.transform',
    })
  })

  it('strips with a lost plot', () => {
    const trial = twoFactors('FAIXAS', 3, 2, 3, 5, (n) => n === 4)
    expect(analyse(trial)).toEqual({ problema: 'analysis.strip_lost', detalhes: [] })
  })

  it('no control where one is needed', () => {
    const trial = { ...oneFactor('DBC', 3, 3), testemunha: null }
    expect(analyse(trial, { excluir_testemunha: true })).toMatchObject({ problema: 'analysis.no_control' })
    expect(analyse(trial, { eficacia: 'abbott', maior_melhor: false })).toMatchObject({
      problema: 'analysis.no_control',
    })
  })
})

describe('what is left out on purpose', () => {
  it('the control stands in the table without a letter', () => {
    const trial = oneFactor('DBC', 4, 3)
    const y = trial.y.map((v, i) => (trial.parcelas[i]?.tratamento === 1 ? 0 : v))
    const a = must({ ...trial, y }, { excluir_testemunha: true, transformacao: 'log' })
    expect(a.grupos[0]?.medias[0]).toMatchObject({ nivel: 'T1', n: 3, ajustada: null, aritmetica: 0 })
    expect(a.grupos[0]?.medias[0]?.fora).toBeDefined()
    expect(a.grupos[0]?.dunnett).toEqual({ motivo: 'a Testemunha ficou fora da análise' })
    expect(Object.keys(a.grupos[0]?.letras?.tukey ?? {})).toEqual(['T2', 'T3', 'T4'])
    expect(a.anova.linhas.find((l) => l.fonte === 'tratamento')?.gl).toBe(2)
  })

  it('treatments without variation', () => {
    const trial = oneFactor('DIC', 4, 3)
    const y = trial.y.map((v, i) => (trial.parcelas[i]?.tratamento === 4 ? 100 : v))
    const a = must({ ...trial, y }, { excluir_constantes: true })
    expect(a.grupos[0]?.medias[3]).toMatchObject({ nivel: 'T4', fora: 'sem variação entre as parcelas' })
    expect(a.anova.total?.gl).toBe(8)
  })

  it('excluded plots are counted apart from lost ones', () => {
    const trial = oneFactor('DBC', 4, 4, 3, (n) => n === 2)
    const parcelas = trial.parcelas.map((p) => (p.numero === 5 ? { ...p, excluida: true } : p))
    expect(must({ ...trial, parcelas }).n).toEqual({ parcelas: 16, validas: 14, perdidas: 1, excluidas: 1 })
  })
})
