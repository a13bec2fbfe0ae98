import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { extract, stopRecogniser } from '../index.ts'

afterAll(stopRecogniser)

const read = async (file: string) =>
  await extract(readFileSync(new URL(`../../test/${file}.pdf`, import.meta.url)))

type Expected = {
  delineamento?: string
  repeticoes?: number
  cv?: number
  casas?: number
  dms?: number
  dms_teste?: string
  gl_residuo?: number
  teste?: string
  letras?: string
}

/** As printed in reports of many hands; a part that is not named does not stand there, or not of the yield. */
const REPORTS: readonly [file: string, expected: Expected][] = [
  [
    'reports/01-consultoria-soja',
    { delineamento: 'DBC', repeticoes: 5, cv: 2.8, teste: 'Tukey', letras: 'c b a b' },
  ],
  [
    'reports/03-boletim-algodao',
    { delineamento: 'DBC', repeticoes: 4, cv: 6.3, teste: 'Scott-Knott', letras: 'c b b a' },
  ],
  [
    'reports/23-milho-lista-e-tabelas',
    {
      delineamento: 'DBC',
      repeticoes: 6,
      cv: 5.2,
      dms: 312,
      dms_teste: 'tukey',
      teste: 'Tukey',
      letras: 'c bc a b ab',
    },
  ],
  [
    'reports/30-batata-boletim-cooperativa',
    { delineamento: 'DIC', repeticoes: 8, cv: 4.6, teste: 'Duncan', letras: 'd c b b a' },
  ],
  [
    'reports/38-trigo-impresso-largura-fixa',
    { delineamento: 'DBC', repeticoes: 4, cv: 3.85, casas: 2, letras: 'C B BC A BC' },
  ],
  ['reports/20-algodao-texto-corrido', { delineamento: 'DIC', repeticoes: 6 }],
  [
    'reports/64-algodao-economico-separado',
    { delineamento: 'DBC', repeticoes: 4, cv: 4.5, letras: 'c bc ab a' },
  ],
  [
    'voices/a/a10',
    {
      delineamento: 'DBC',
      repeticoes: 5,
      cv: 3,
      casas: 1,
      teste: 'Tukey',
      letras: 'c abc ab abc bc abc abc a bc',
    },
  ],
  [
    'voices/b/b10',
    {
      delineamento: 'DBC',
      repeticoes: 4,
      cv: 2.5,
      dms: 128,
      dms_teste: 'tukey',
      gl_residuo: 12,
      teste: 'Tukey',
      letras: 'c b b a a',
    },
  ],
  [
    'voices/b/b02',
    { delineamento: 'DBC', repeticoes: 5, cv: 6.1, dms: 288, teste: 'Scott-Knott', letras: 'c b a a b b a' },
  ],
  ['voices/d/d08', { delineamento: 'DBC', repeticoes: 4, cv: 2.29, casas: 2, gl_residuo: 12 }],
  [
    'voices/d/d13',
    { delineamento: 'DBC', repeticoes: 4, cv: 4.2, teste: 'Duncan', letras: 'e d cd bc ab a cd c' },
  ],
  ['voices/d/d14', { delineamento: 'DBC', repeticoes: 4, cv: 4, dms: 318, dms_teste: 'tukey' }],
]

describe('what a report tells of its own statistics', () => {
  for (const [file, { letras, casas, ...expected }] of REPORTS)
    test(file, { timeout: 30_000 }, async () => {
      const { data, metadata } = await read(file)
      const told = data.estatistica_informada
      const { letras: letters, cv_casas, ...parts } = told ?? { letras: null }
      expect(Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== null))).toEqual(
        expected,
      )
      expect(letters ? Object.values(letters).join(' ') : undefined).toBe(letras)
      if (casas !== undefined) expect(cv_casas).toBe(casas)
      for (const name of Object.keys(expected))
        expect(metadata.fields[`estatistica_informada.${name}`]?.text).toBeTruthy()
    })

  test('the CV of an earlier trial is none, nor is there anything in what is no trial', {
    timeout: 30_000,
  }, async () => {
    expect((await read('voices/d/d11')).data.estatistica_informada?.cv).toBeNull()
    expect((await read('voices/a/a14')).data.estatistica_informada).toBeNull()
  })

  test('a CV under a table of several variables is in doubt', { timeout: 30_000 }, async () => {
    const { metadata } = await read('samples/s1_ficha')
    expect(metadata.fields['estatistica_informada.cv']?.confidence).toBeLessThan(0.6)
  })
})
