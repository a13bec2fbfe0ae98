import { expect, test } from 'vitest'
import { adviseOn, answered, openCounts } from './advice.ts'
import { ADVICE_CODES, type AdviceCode, type AdviceFacts, placeKey, rulesFound } from './advice-facts.ts'
import { lightText } from './advice-level.ts'
import { ADVICE_SOURCES, agedSource, CROP_RANGES, sourceOf } from './advice-table.ts'
import { sheetOf, variable } from './test-advice.ts'
import { CASES } from './test-advice-cases.ts'
import { BLOCKS, withCv, withRepetitions, yields } from './test-advice-parts.ts'

const found = (codigo: AdviceCode, facts: AdviceFacts) =>
  adviseOn(facts).filter((one) => one.codigo === codigo)
const weights = (codigo: AdviceCode, facts: AdviceFacts) => found(codigo, facts).map(({ peso }) => peso)

test.each(ADVICE_CODES)(
  '%s finds what it is for, and nothing beside its limit or without a value',
  (codigo) => {
    const { fires, beside, missing } = CASES[codigo]
    for (const [facts, peso] of fires) expect(weights(codigo, facts)).toContain(peso)
    for (const facts of [...beside, ...missing]) expect(found(codigo, facts)).toEqual([])
  },
)

test('units are told in the words that a person can act on', () => {
  const [sacks] = found('rendimento.unidade', yields('Soja', 60))
  expect(sacks?.texto).toBe('Parece sc/ha: 60 sc/ha seriam 3.600 kg/ha. Converter?')
  expect(sacks?.correcao).toEqual({
    rotulo: 'Converter',
    valores: [{ campo: 'tratamentos.0.produtividade', valor: 3600 }],
  })
  const [grams] = found('solo.classe', { teor_argila: 380 })
  expect(grams?.texto).toBe('Parece g/kg: 380 g/kg são 38 %. Converter?')
  const [cv] = found('cv.classe', withCv(23.4))
  expect(cv?.texto).toBe(
    'CV de 23,4 %: alto na classificação geral de Pimentel-Gomes; as classes dependem da cultura e da variável.',
  )
  expect(
    found('completo', { cultivar: 'BMX', ...withRepetitions(4), tipo_estatistica: 'DBC' })[0]?.texto,
  ).toMatch(/^43 % completo/)
  expect(found('completo', { tipo_estatistica: 'ANOVA' })[0]?.texto).toContain('delineamento')
})

test('diseases, weeds and counts vary: their CV is a note', () => {
  const blocks = BLOCKS.map((row, block) => row.map((_, at) => 10 + ((7 * block + 11 * at) % 17)))
  for (const of of [
    variable({ nome: 'Severidade de ferrugem', produtividade: false }),
    variable({ tipo: 'contagem', produtividade: false }),
  ])
    expect(weights('cv.classe', { ficha: sheetOf(blocks, { variaveis: [of] }) })).toEqual(['nota'])
})

test('an answer holds for the value that it was given for', () => {
  const [first] = found('rendimento.unidade', yields('Soja', 60, 3500))
  if (!first) throw new Error('nothing found')
  const answer = { codigo: first.codigo, lugar: placeKey(first.onde), valor: first.valor }
  expect(openCounts(adviseOn(yields('Soja', 60, 3500)), [answer])).toEqual({ problemas: 0, conferir: 0 })
  expect(openCounts(adviseOn(yields('Soja', 61, 3500)), [answer]).problemas).toBe(1)
  expect(answered(first, [answer])).toBe(answer)
})

test('each number has a source and the day it was read; an old one is told by its year', () => {
  for (const { fonte, media, safra } of CROP_RANGES) {
    expect(sourceOf(fonte).titulo).toContain('CONAB')
    expect(sourceOf(fonte).data).toMatch(/^2025-\d\d-\d\d$/)
    expect([media, safra]).not.toContain('')
  }
  for (const { titulo, lido_em } of Object.values(ADVICE_SOURCES)) {
    expect(titulo).not.toBe('')
    expect(lido_em).toMatch(/^\d{4}-\d\d-\d\d$/)
  }
  expect(agedSource(ADVICE_SOURCES.cv_soja, '2026-11-25')).toBe('Fonte de 2003')
  expect(agedSource(ADVICE_SOURCES.conab12, '2027-09-30')).toBeNull()
  expect(agedSource(ADVICE_SOURCES.conab12, '2027-10-01')).toBe('Fonte de 2025')
  expect(agedSource(ADVICE_SOURCES.nossa, '2040-01-01')).toBeNull()
})

test('the light is told in words', () => {
  expect([0, 1, 3, 256, 512 + 7].map(lightText)).toEqual([
    'Sem apontamentos',
    '1 a conferir',
    '3 a conferir',
    '1 problema',
    '2 problemas',
  ])
})

test("an administrator's range holds in place of the shipped one, with its source; one that is off holds nowhere", () => {
  const fonte = {
    titulo: 'Ensaios da casa, 2020 a 2025',
    endereco: null,
    data: '2025',
    lido_em: '2026-11-25',
  }
  const wheat = {
    cultura: 'Trigo',
    media: 3000,
    safra: '2025',
    abaixo: 900,
    acima: 7500,
    impossivel: 12_000,
    fonte,
  }
  const found = adviseOn({ ...yields('Trigo', 400, 3500), faixas: [wheat] }).filter(
    ({ codigo }) => codigo === 'rendimento.faixa',
  )
  expect(found.map((one) => one.fonte)).toEqual([fonte])
  expect(found[0]?.texto).toBe(
    'T1: 400 kg/ha está fora de 900 a 7.500 kg/ha, a faixa usual de Trigo (média de 3.000 em 2025).',
  )
  const silent = (of: Parameters<typeof adviseOn>[0]) =>
    adviseOn(of).every(({ codigo }) => !codigo.startsWith('rendimento.'))
  expect(silent({ ...yields('Trigo', 400, 3500), faixas: [{ ...wheat, ligada: false }] })).toBe(true)
  expect(silent(yields('Trigo', 400, 3500))).toBe(true)
  expect(silent({ ...yields('Soja', 400, 3500), faixas: [wheat] })).toBe(true)
})

test('each rule that found something has its own bit', () => {
  const found = adviseOn(yields('Soja', 60, 3500))
  expect(rulesFound([])).toBe(0)
  const bits = rulesFound(found)
  for (const [bit, codigo] of ADVICE_CODES.entries())
    expect(((bits >> bit) & 1) === 1).toBe(found.some((one) => one.codigo === codigo))
  expect(ADVICE_CODES.length).toBeLessThan(31)
})
