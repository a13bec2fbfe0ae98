import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { arrange } from '../document.ts'
import { decideFields } from '../fields/decide.ts'
import { extract, stopRecogniser } from '../index.ts'
import { makeRun } from '../layout/run.ts'
import { typed } from '../layout/test-typed.ts'
import type { Word } from '../read/page.ts'
import { groupByKey } from '../tables/anchoring.ts'
import { cutBlocks, withoutIndex } from '../tables/hypotheses.ts'
import type { Cell, Table } from '../tables/table.ts'
import { type Draft, emptyDraft } from '../treatments/draft.ts'
import { codesOf } from '../treatments/product-codes.ts'
import { readDescription, readProducts } from '../treatments/products.ts'
import { readTreatmentTable } from '../treatments/table-rows.ts'
import { isControl } from '../values/lexicon.ts'
import { findPlaces } from '../values/places.ts'
import { fold } from '../values/text.ts'
import { doseUnit, printedUnit, yieldUnit } from '../values/units.ts'
import { reasons, sumOf } from './plausibility.ts'

afterAll(stopRecogniser)

/** Words of a line, ten points apart, each character five points wide. */
function wordsOf(text: string, { x = 0, y = 0 } = {}): Word[] {
  let at = x
  return text
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => {
      const x0 = at
      at += 5 * word.length + 3
      return {
        text: word,
        x0,
        x1: x0 + 5 * word.length,
        y0: y,
        y1: y + 9,
        base: y + 8,
        size: 10,
        page: 0,
      } as Word
    })
}

/** A table of texts, its rows 14 points apart; a cell may stand lower by `drop` rows: 'name@0.5'. */
function tableOf(rows: readonly string[][], title = ''): Table {
  const cells = rows.map((row, r) =>
    row.map((entry, c): Cell | null => {
      const [text = '', drop = '0'] = entry.split('@')
      if (text === '·') return null
      const [x, y] = [120 * c, 14 * (r + Number(drop))]
      return { text, words: wordsOf(text, { x, y }), x0: x, x1: x + 100, y0: y, y1: y + 9, page: 0 }
    }),
  )
  const columns = rows[0]?.length ?? 0
  return {
    rows: cells,
    columns,
    page: 0,
    ruled: false,
    title,
    x0: 0,
    x1: 120 * columns,
    y0: 0,
    y1: 14 * rows.length,
  }
}
const textsOf = (table: Table | null): string[][] =>
  table?.rows.map((row) => row.map((cell) => cell?.text ?? '·')) ?? []
const run = (text: string) => makeRun(wordsOf(text))

describe('grids', () => {
  test("a sheet's own letters and numbers are no part of its table, codes that count are", () => {
    const sheet = tableOf([
      ['A', 'B', 'C', 'D'],
      ['1', 'Trat', 'Dose', 'Produtividade'],
      ['2', 'T1', '–', '3.000'],
      ['3', 'T2', '1,0', '3.200'],
      ['4', 'T3', '2,0', '3.300'],
      ['5', 'T4', '3,0', '3.350'],
    ])
    expect(textsOf(withoutIndex(sheet))[0]).toEqual(['Trat', 'Dose', 'Produtividade'])
    const coded = tableOf([
      ['Nº', 'Produto', 'Dose', 'Produtividade'],
      ...['1', '2', '3', '4', '5'].map((n) => [n, 'X', '1,0', '3.000']),
    ])
    expect(withoutIndex(coded)).toBe(coded)
  })

  test('one grid is cut where headings come anew and where nothing stands', () => {
    const parts = cutBlocks(
      tableOf([
        ['Cidade', 'Londrina', 'Cultura', 'Soja'],
        ['Ano', '2020', 'Argila', '60%'],
        ['', '', '', ''],
        ['Tratamento', 'Dose', 'Produtividade', 'Custo'],
        ['Testemunha', '–', '3.000', '0,00'],
        ['Vigor', '1,0 L/ha', '3.200', '40,00'],
      ]),
    )
    expect(parts.map((part) => part.rows.length)).toEqual([2, 3])
    expect(readTreatmentTable(parts[1] as Table, 'table')?.drafts).toHaveLength(2)
  })

  test('lines are parted so that each name stands in the middle of its own', () => {
    const grouped = groupByKey(
      tableOf([
        ['Tratamento', 'Produto', 'Dose'],
        ['Testemunha', '–', '–'],
        ['·', 'Alfa', '1,0'],
        ['Completo', '·', '·'],
        ['·', 'Beta', '2,0'],
        ['·', 'Gama', '3,0'],
        ['Padrão', '·', '·'],
        ['·', 'Delta', '4,0'],
      ]),
      'middle',
    )
    expect(textsOf(grouped).slice(2)).toEqual([
      ['Completo', 'Alfa', '1,0'],
      ['Completo', 'Beta', '2,0'],
      ['Padrão', 'Gama', '3,0'],
      ['Padrão', 'Delta', '4,0'],
    ])
  })
})

describe('columns', () => {
  test('plots are known by the mean that stands beside them, whatever their headings say', () => {
    const table = readTreatmentTable(
      tableOf([
        ['Trat', 'Tratamento', 'P1 (sc/ha)', 'P2 (sc/ha)', 'P3 (sc/ha)', 'Resultado (sc/ha)'],
        ['T1', 'Testemunha', '50,0', '52,0', '54,0', '52,0'],
        ['T2', 'Vigor', '55,0', '56,0', '60,0', '57,0'],
        ['T3', 'Raiz', '58,0', '58,0', '61,0', '59,0'],
      ]),
      'table',
    )
    expect(table?.columns.map(({ role }) => role).slice(2)).toEqual([
      'replicate',
      'replicate',
      'replicate',
      'yield',
    ])
    expect(table?.drafts.map((draft) => draft.produtividade?.value)).toEqual([3120, 3420, 3540])
  })

  test('a sum between the plots and their mean is neither a plot nor a measure', () => {
    const table = readTreatmentTable(
      tableOf([
        ['Trat', 'Tratamento', 'I (kg/ha)', 'II (kg/ha)', 'III (kg/ha)', 'Soma', 'Média (kg/ha)'],
        ['1', 'Testemunha', '2.000', '2.100', '2.200', '6.300', '2.100'],
        ['2', 'Vigor', '2.300', '2.400', '2.500', '7.200', '2.400'],
        ['3', 'Raiz', '2.500', '2.600', '2.700', '7.800', '2.600'],
      ]),
      'table',
    )
    expect(table?.drafts.map((draft) => [draft.produtividade?.value, draft.analises.length])).toEqual([
      [2100, 0],
      [2400, 0],
      [2600, 0],
    ])
  })

  test('what stands before the codes of a turned table is a treatment, but for prices and numbers', () => {
    const names = (rows: string[][]) =>
      readTreatmentTable(tableOf(rows), 'table')?.drafts.map(({ nome, code }) => nome?.value ?? code)
    expect(
      names([
        ['Variável', 'Testemunha', 'T2', 'T3', 'T4'],
        ['Produtividade (kg/ha)', '3.000', '3.200', '3.300', '3.350'],
        ['Altura (cm)', '80', '84', '85', '86'],
      ]),
    ).toEqual(['Testemunha', '2', '3', '4'])
    const costs = readTreatmentTable(
      tableOf([
        ['Produto', 'R$/L', 'Aplic.', 'T2', 'T3', 'T4'],
        ['Vigor', '38,00', '4', '304,00', '–', '304,00'],
        ['Raiz', '480,00', '1', '–', '192,00', '192,00'],
        ['Soma (R$/ha)', '', '', '304,00', '192,00', '496,00'],
      ]),
      'table',
      -Infinity,
    )
    expect(costs?.drafts.map(({ code }) => code)).toEqual(['2', '3', '4'])
  })

  test('lines under a section of doses are products of a turned table', () => {
    const table = readTreatmentTable(
      tableOf([
        ['Variável', 'T1', 'T2', 'T3'],
        ['Descrição', 'Controle', 'Base', 'Completo'],
        ['Produtos, dose em L/ha', '·', '·', '·'],
        ['Boromax', '–', '2,0', '2,0'],
        ['Kaliforte', '–', '–', '4,0'],
        ['Produtividade, kg/ha', '4.000', '4.300', '4.500'],
      ]),
      'table',
    )
    expect(
      table?.drafts.map(({ produtos }) => produtos.map(({ nome, dose }) => [nome.value, dose?.value])),
    ).toEqual([
      [],
      [['Boromax', 2]],
      [
        ['Boromax', 2],
        ['Kaliforte', 4],
      ],
    ])
  })

  test('each product of a row has the dose and the unit beside it', () => {
    const table = readTreatmentTable(
      tableOf([
        ['Trat', 'Descrição', 'Prod 1', 'Dose', 'Un', 'Prod 2', 'Dose', 'Un', 'Produtividade (kg/ha)'],
        ['T1', 'Testemunha', '', '', '', '', '', '', '3.000'],
        ['T2', 'Base', 'Nitrosul', '180', 'kg/ha', '', '', '', '3.200'],
        ['T3', 'Base e folha', 'Nitrosul', '180', 'kg/ha', 'Pixador', '0,6', 'L/ha', '3.300'],
      ]),
      'table',
    )
    expect(
      table?.drafts[2]?.produtos.map((product) => [product.nome.value, product.dose?.value, product.unidade]),
    ).toEqual([
      ['Nitrosul', 180, 'kg/ha'],
      ['Pixador', 0.6, 'L/ha'],
    ])
  })
})

describe('rows', () => {
  const drafts = (...names: string[]) =>
    readTreatmentTable(
      tableOf([
        ['Tratamento', 'Produtividade (kg/ha)', 'Custo (R$/ha)'],
        ['Testemunha', '3.000', '0,00'],
        ...names.map((name, i) => [name, `3.${i + 1}00`, `${i + 1}0,00`]),
      ]),
      'table',
    )?.drafts.map((draft) => draft.nome?.value ?? draft.code)

  test('a name is no row of statistics because it begins like one', () => {
    expect(drafts('NS-Boro', 'Fonte A', 'Notável', 'Ganho Plus')).toEqual([
      'Testemunha',
      'NS-Boro',
      'Fonte A',
      'Notável',
      'Ganho Plus',
    ])
    expect(drafts('Vigor', 'Média', 'CV (%)', 'Nota: letras iguais', 'Ganho sobre a testemunha')).toEqual([
      'Testemunha',
      'Vigor',
    ])
  })

  test("the treatment 'F' after 'E' is no F test", () => {
    const coded = readTreatmentTable(
      tableOf([
        ['Tratamento', 'I', 'II', 'III', 'Média (t/ha)'],
        ...['A', 'B', 'C', 'D', 'E', 'F'].map((code, i) => [code, '80,0', '82,0', '84,0', `${82 + i},0`]),
      ]),
      'table',
      0.2,
    )
    expect(coded?.drafts.map(({ code }) => code)).toEqual(['A', 'B', 'C', 'D', 'E', 'F'])
  })
})

describe('quantities and names', () => {
  test('a dose per kilogram of seeds is a hundredth of one per 100 kg', () => {
    const [product] = readProducts(run('Azosoja, 3,0 mL/kg de sementes'), 'table')
    expect([product?.dose?.value, product?.unidade]).toEqual([300, 'mL/100 kg sementes'])
    const [other] = readProducts(run('Azosoja 150 mL/100 kg de sementes'), 'table')
    expect([other?.dose?.value, other?.unidade]).toEqual([150, 'mL/100 kg sementes'])
  })

  test('an amount in a litre of spray is a hundredth of one in 100 L, and of no area', () => {
    for (const unit of ['mL por litro de calda', 'mL/L'])
      expect(printedUnit(unit)).toEqual({ unidade: 'mL/100 L água', factor: 100 })
    expect(printedUnit('mL/ha')).toEqual({ unidade: 'mL/ha', factor: 1 })
    for (const unit of ['mL/50 kg', 'cm3/50 kg de sementes', 'mL para 50 kg'])
      expect(printedUnit(unit)).toEqual({ unidade: 'mL/100 kg sementes', factor: 2 })
    // In a heading, apart from the amounts, it would leave them a hundredth.
    expect(doseUnit('mL/L')).toBeNull()
    const [nim] = readProducts(run('óleo de nim 10 mL/L'), 'list')
    expect([nim?.dose?.value, nim?.unidade]).toEqual([1000, 'mL/100 L água'])
    const [copper] = readProducts(run('óxido cuproso, 2 g por litro de calda'), 'list')
    expect([copper?.dose?.value, copper?.unidade]).toEqual([2, null])
  })

  test('a price beside a dose is the cost of that product, and no part of a name', () => {
    const described = readDescription(
      run('Alfa (0,25 L/ha; R$ 94,67/ha) + Beta (1,5 kg/ha; R$ 12,00/ha)'),
      'table',
    )
    expect(described.nome?.value).toBe('Alfa + Beta')
    expect(
      described.produtos.map(({ nome, dose, custo }) => [nome.value, dose?.value, custo?.value]),
    ).toEqual([
      ['Alfa', 0.25, 94.67],
      ['Beta', 1.5, 12],
    ])
  })

  test('a sack has 60 kg, or what is said of it', () => {
    expect(yieldUnit('sc/ha')?.factor).toBe(60)
    expect(yieldUnit('Sacos (50 kg)/ha')?.factor).toBe(50)
    expect(yieldUnit('sacas de 60 kg por hectare')?.factor).toBe(60)
  })

  test('words that mostly mean something else may be names', () => {
    const names = (text: string) => readDescription(run(text), 'table').produtos.map(({ nome }) => nome.value)
    expect(names('Dose Certa 1 L/ha')).toEqual(['Dose Certa'])
    expect(names('Controle Total 1 L/ha')).toEqual(['Controle Total'])
    expect(names('Mais Raiz 0,5 L/ha')).toEqual(['Mais Raiz'])
    expect(names('Fert e Cia 2 L/ha')).toEqual(['Fert e Cia'])
    expect(names('ZnMn 5+5')).toEqual(['ZnMn 5+5'])
    expect(names('Alfa+Beta')).toEqual(['Alfa', 'Beta'])
    expect(isControl('Controle biológico 2 L/ha')).toBe(false)
    expect(isControl('1. Sem nada')).toBe(true)
    expect(isControl('Controle')).toBe(true)
  })
})

describe('sizes', () => {
  // Not a measure of speed: what grows with the square of the length, or worse, would not end.
  test('a line of one endless name, and a column of as many names as lines, come to an end', {
    timeout: 20_000,
  }, () => {
    const letters = 'A'.repeat(60_000)
    const many = Array.from({ length: 20_000 }, (_none, i) => `Nome${i}`).join(' ')
    const document = arrange([typed(`${letters} Pesquisa\n${many}`)])
    expect(decideFields(document, []).marca).toBeUndefined()
    const rows = Array.from({ length: 2_000 }, (_none, r) => [
      r % 2 ? `Nome ${r}` : '·',
      `Produto ${r}`,
      '1,0',
    ])
    expect(groupByKey(tableOf([['Tratamento', 'Produto', 'Dose'], ...rows]), 'middle')).toBeNull()
  })
})

describe('sheets', () => {
  test('a further sheet goes on with its letters', () => {
    const sheet = tableOf([
      ['A', 'H', 'I', 'J'],
      ['6', '·', 'Produtividade', 'Qualidade'],
      ['7', 'Trat', 'Total', 'Massa seca'],
      ['8', 'T1', '37,6', '16,8'],
      ['9', 'T2', '39,5', '17,0'],
      ['10', 'T3', '40,6', '17,2'],
    ])
    expect(textsOf(withoutIndex(sheet))[1]).toEqual(['Trat', 'Total', 'Massa seca'])
  })
})

describe('names', () => {
  test('letters that stand for products are told apart from names', () => {
    expect(codesOf('A + C')).toEqual(['A', 'C'])
    expect(codesOf('E (padrão)')).toEqual(['E'])
    expect(codesOf('Alfa + C')).toBeNull()
  })
})

describe('whole documents', () => {
  const found = <T>(value: T) => ({ value, words: [], score: 1, method: 'table' as const })
  const draft = (code: string, kg: number | null, product: string | null): Draft => ({
    ...emptyDraft(),
    code,
    control: product === null,
    produtividade: kg === null ? null : { ...found(kg), rank: 1 },
    produtos:
      product === null ? [] : [{ nome: found(product), dose: found(1), unidade: 'L/ha', custo: null }],
  })
  const setting = {
    crop: 'Soja',
    announced: null,
    figures: new Set<Word>(),
    counts: [],
    clash: 0,
    sites: false,
    rivals: false,
  }

  test('what speaks for a trial outweighs what was made up of it', () => {
    const trial = [draft('1', 3000, null), draft('2', 3200, 'Vigor'), draft('3', 3300, 'Raiz')]
    const cut = trial.slice(0, 2)
    const noise = [...trial, draft('17', null, 'Cidade'), draft('40', 30, 'Argila')]
    const score = (drafts: Draft[], more = {}) => sumOf(reasons(drafts, { ...setting, ...more }))
    expect(score(trial)).toBeGreaterThan(score(noise))
    expect(score(trial, { counts: [3] })).toBeGreaterThan(score(cut, { counts: [3] }))
    const cultivars = trial.map((one) => ({ ...one, control: false }))
    expect(score(cultivars, { rivals: true })).toBeGreaterThan(score(cultivars))
    expect(score(trial, { rivals: true })).toBe(score(trial))
    expect(score(trial, { announced: 3 })).toBeGreaterThan(score(trial, { announced: 5 }))
    expect(score(trial, { clash: 1 })).toBeLessThan(score(trial) - 10)
    expect(score(trial, { sites: true })).toBeLessThan(score(trial) - 10)
  })

  test('letters in a table are the products that a sentence explains, each with its own dose', async () => {
    const { data } = await extract(voice('b/b05'))
    expect(data.tratamentos[3]?.produtos_aplicados.map(({ nome, dose }) => [nome, dose])).toEqual([
      ['Dimicalc 12', 2],
      ['Dimibor 10', 1],
    ])
  })

  test('of treatments of which one got nothing, that one is the control', async () => {
    const { data } = await extract(voice('c/c11'))
    expect(data.tratamentos.map(({ nome }) => nome)[0]).toBe('Testemunha')
    expect(data.tratamentos[1]?.nome).toBe('Amino Raiz meia')
  })

  const voice = (name: string) => readFileSync(new URL(`../../test/voices/${name}.pdf`, import.meta.url))
  test.each([
    ['three trials at three places', 'a/a14'],
    ['a price list', 'a/a15'],
    ['a review of literature', 'b/b14'],
    ['a blank form', 'b/b15'],
    ['minutes of a meeting', 'c/c14'],
    ['a factorial as a two-way table', 'c/c15'],
  ])('%s gives no treatments, and says why', async (_what, name) => {
    const { data, metadata } = await extract(voice(name))
    expect(data.tratamentos).toEqual([])
    expect(metadata.held).toBe('not_one_trial')
    expect(metadata.confidence).toBeLessThan(0.5)
  })

  test('a trial is not held back', async () => {
    const { data, metadata } = await extract(voice('b/b13'))
    expect(metadata.held).toBeUndefined()
    expect(data.tratamentos).toHaveLength(6)
  })
})

test('a city is the one that is written so, with its accents', () => {
  const named = (text: string) => findPlaces(text, fold(text)).map(({ city }) => city)
  expect(named('Cidade: Goianá')).toEqual(['Goianá'])
  expect(named('Cidade: Goiana')).toEqual(['Goiana'])
})
