import { describe, expect, it } from 'vitest'
import { type RebuiltInput, rebuild } from './rebuilt.ts'
import type { Analysis, Refusal } from './result.ts'
import { line, must, near, oneFactor } from './testing.ts'

function reason(answer: Analysis | Refusal): string | undefined {
  return 'problema' in answer ? answer.detalhes[0] : undefined
}

function rebuilt(input: RebuiltInput): Analysis {
  const answer = rebuild(input)
  if ('problema' in answer) throw new Error(answer.detalhes[0])
  return answer
}

const report: RebuiltInput = {
  delineamento: 'DBC',
  repeticoes: 4,
  testemunha: 'T1',
  medias: [5124, 5070, 5304, 4848, 4708, 4703].map((media, i) => ({ nivel: `T${i + 1}`, media })),
  cv: 6.7,
  cv_casas: 1,
}

describe('rebuilt from means, CV and repetitions', () => {
  it('is the analysis of the plots when the CV is not rounded', () => {
    for (const design of ['DIC', 'DBC', 'DQL'] as const) {
      const plots = must(oneFactor(design, 5, 5, 17))
      const again = rebuilt({
        delineamento: design,
        repeticoes: 5,
        testemunha: 'T1',
        medias: (plots.grupos[0]?.medias ?? []).map((m) => ({ nivel: m.nivel, media: m.media })),
        cv: plots.residuos[0]?.cv ?? null,
        cv_casas: 12,
      })
      for (const key of ['f', 'p', 'sq', 'gl_den'] as const) {
        expect(near(line(again, 'tratamento')[key], line(plots, 'tratamento')[key], 1e-8)).toBe(true)
      }
      expect(again.grupos[0]?.letras).toEqual(plots.grupos[0]?.letras)
      expect(again.arredondamento?.letras_estaveis).toBe(true)
    }
  })

  it('takes the DMS where there is no CV, by Tukey or by t', () => {
    const byCv = rebuilt(report)
    const criticos = byCv.grupos[0]?.criticos
    for (const dms_teste of ['tukey', 't'] as const) {
      const dms = dms_teste === 'tukey' ? criticos?.dms_tukey : criticos?.dms_t
      const byDms = rebuilt({ ...report, cv: null, dms: dms ?? null, dms_teste, dms_casas: 9 })
      expect(near(byDms.residuos[0]?.qm, byCv.residuos[0]?.qm, 1e-8)).toBe(true)
      expect(rebuild({ ...report, dms: dms ?? null, dms_teste, dms_casas: 0 })).toHaveProperty('anova')
      expect(reason(rebuild({ ...report, dms: 1.3 * (dms ?? 0), dms_teste }))).toBe(
        'O CV e a DMS do relatório não concordam',
      )
      expect(rebuild({ ...report, dms: 1.3 * (dms ?? 0), dms_teste, usar: 'cv' })).toHaveProperty('anova')
    }
  })

  it('compares printed letters beyond rounding', () => {
    const same = Object.fromEntries(report.medias.map((m) => [m.nivel, 'a']))
    expect(rebuilt({ ...report, letras: same }).letras_impressas).toEqual({
      teste: 'tukey',
      conferem: true,
      divergencias: [],
    })
    const other = rebuilt({ ...report, letras: { ...same, T3: 'b' } }).letras_impressas
    expect(other?.conferem).toBe(false)
    expect(other?.divergencias).toContainEqual({
      a: 'T1',
      b: 'T3',
      impresso: 'diferente',
      calculado: 'igual',
    })
    expect(other?.divergencias).toHaveLength(5)
  })

  it('letters that hang on the rounding are said to', () => {
    const centre = rebuilt({ ...report, cv_casas: 6 })
    const pair = centre.grupos[0]?.pares?.[0]
    // Two means apart by the DMS exactly: half a unit of the CV decides.
    const dms = centre.grupos[0]?.criticos?.dms_tukey ?? 0
    const medias = report.medias.map((m, i) => ({ ...m, media: i === 5 ? 5304 - dms : m.media }))
    const shifted = rebuilt({
      ...report,
      medias: medias.map((m, i) => ({ ...m, media: i === 2 ? 5304 : m.media })),
      cv_casas: 0,
    })
    expect(pair).toBeDefined()
    expect(shifted.arredondamento?.letras_estaveis).toBe(false)
  })

  it('says why not', () => {
    expect(reason(rebuild({ ...report, delineamento: 'PSUB' }))).toBe(
      'parcelas subdivididas e faixas têm mais de um erro',
    )
    expect(reason(rebuild({ ...report, repeticoes: 1 }))).toBe('são necessárias pelo menos duas repetições')
    expect(reason(rebuild({ ...report, cv: 61 }))).toBe('o CV está fora de 0,1 a 60 %')
    expect(reason(rebuild({ ...report, cv: null }))).toBe('o relatório não traz CV nem DMS')
    expect(reason(rebuild({ ...report, perdas: true }))).toBe('o relatório menciona parcelas perdidas')
    expect(reason(rebuild({ ...report, gl_residuo: 14 }))).toBeDefined()
    expect(reason(rebuild({ ...report, medias: report.medias.slice(0, 1) }))).toBeDefined()
  })
})
