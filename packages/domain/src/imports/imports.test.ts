import { expect, test } from 'vitest'
import { analysisTitle } from '../analysis-title.ts'
import type { ImportForm } from '../contract-imports.ts'
import { searchable } from '../format.ts'
import { templateKeys } from '../import-fields.ts'
import type { WorkbookCell } from '../workbook.ts'
import {
  addToProfile,
  type Choices,
  columnLetter,
  draftOf,
  finishTrial,
  formOf,
  grouper,
  isUnitRow,
  type KnownNames,
  makePlan,
  nearName,
  newProfile,
  type SheetRow,
  titleRowOf,
} from './index.ts'

const LISTS: Record<string, readonly string[]> = {
  cultura: ['Soja', 'Milho', 'Algodão'],
  marca: ['Aminoagro', 'Dimicron'],
  regional: ['Centro-Oeste', 'Sul'],
  modalidade: ['Foliar', 'Solo'],
  produto: ['Nutrivia Raiz'],
  consultoria: [],
}
const CITIES = [
  { nome: 'Rio Verde', estado: 'GO' },
  { nome: 'Sorriso', estado: 'MT' },
]
const names: KnownNames = {
  spelling: (kind, plain) => LISTS[kind]?.find((name) => searchable(name) === plain),
  all: (kind) => LISTS[kind] ?? [],
  cities: (plain) => CITIES.filter(({ nome }) => searchable(nome) === plain),
  nearCity: (text, state) =>
    nearName(
      text,
      CITIES.filter(({ estado }) => estado === state).map(({ nome }) => nome),
    ),
}

/** A whole spreadsheet as the server would understand it, at once. */
function understand(rows: WorkbookCell[][], given: Partial<Choices> & { forma?: ImportForm } = {}) {
  const at = titleRowOf(rows)
  const titles = rows[at] ?? []
  const below = rows[at + 1] ?? []
  const first = at + (isUnitRow({ below }) ? 2 : 1)
  const forma = given.forma ?? formOf(titles)
  const profiles = titles.map((_, index) => {
    const profile = newProfile()
    for (const row of rows.slice(first)) addToProfile(profile, row[index])
    return profile
  })
  const choices: Choices = { mapa: {}, titulos: {}, decimal: {}, padroes: {}, safra: 'colheita', ...given }
  const { plan, columns, faltam } = makePlan({
    forma,
    sheets: [{ folha: 0, nome: null, titles, below, profiles }],
    choices,
    names,
  })
  const group = grouper(plan)
  const trials = new Map<number, SheetRow[]>()
  for (const [index, celulas] of rows.entries()) {
    if (index < first || celulas.every((cell) => cell === null || cell === '')) continue
    const row = { folha: 0, linha: index + 1, celulas }
    const n = group(row)
    trials.set(n, [...(trials.get(n) ?? []), row])
  }
  return {
    forma,
    columns,
    faltam,
    trials: [...trials.values()].map((of) => finishTrial(draftOf(of, plan), plan)),
  }
}

const HEAD = [
  'Código',
  'Consultoria',
  'Marca',
  'BU',
  'Regional',
  'Cidade',
  'UF',
  'Cultura',
  'Cultivar',
  'Safra',
  'Delineamento',
  'Custo do protocolo',
]
const TRIAL = [
  'E1',
  'AgroPesq',
  'aminoagro',
  'Nutrição',
  'Centro-Oeste',
  'Rio Verde',
  'Goiás',
  'SOJA',
  'NS 7709',
  '2023/24',
  'blocos ao acaso',
  'R$ 1.234,50',
]

const mapOf = ({ columns }: ReturnType<typeof understand>) =>
  Object.fromEntries(columns.map(({ titulo, campo }) => [titulo, campo]))

test('a row for each treatment, the trial said once: names, season, money and dose are understood', () => {
  const found = understand([
    ['Resultados da safra'],
    [
      ...HEAD,
      'Tratamento',
      'Modalidade',
      'Produto',
      'Dose',
      'Custo',
      'Produtividade (sc/ha)',
      'Altura de plantas (cm)',
    ],
    [...TRIAL, 'Controle', null, '-', '-', 0, 57.3, '80,5'],
    [...TRIAL.map(() => null), 'Raiz', 'foliar', 'Nutrivia Raiz', '300 ml/ha', 85, 60.1, '82'],
  ])
  expect(found.forma).toBe('longa')
  expect(found.faltam).toEqual([])
  expect(mapOf(found)).toMatchObject({
    UF: 'estado',
    Safra: 'ano',
    'Produtividade (sc/ha)': 'tratamento.produtividade',
    'Altura de plantas (cm)': 'analise.Altura de plantas',
  })
  expect(found.columns.find(({ campo }) => campo === 'tratamento.produtividade')?.conversao).toBe(
    'sc/ha será convertido para kg/ha (× 60)',
  )
  expect(found.trials).toHaveLength(1)
  expect(found.trials[0]?.problemas).toEqual([])
  expect(found.trials[0]?.input).toMatchObject({
    codigo: 'E1',
    bu: 'BU1',
    estado: 'GO',
    cidade: 'Rio Verde',
    cultura: 'Soja',
    marca: 'Aminoagro',
    ano: 2024,
    tipo_estatistica: 'Blocos Casualizados',
    custo_protocolo: 1234.5,
    tratamentos: [
      {
        nome: 'Testemunha',
        produtividade: 3438,
        produtos_aplicados: [],
        analises_adicionais: [{ nome: 'Altura de plantas', valor: 80.5, unidade: 'cm' }],
      },
      {
        nome: 'Raiz',
        modalidade: 'Foliar',
        produtividade: 3606,
        custo: 85,
        produtos_aplicados: [{ nome: 'Nutrivia Raiz', dose: 300, unidade: 'mL/ha', custo: null }],
      },
    ],
  })
})

test('a row for each trial, treatments side by side', () => {
  const found = understand([
    [
      ...HEAD,
      'T1 Produtividade',
      'T2 Nome',
      'T2 Produto',
      'T2 Dose',
      'Produtividade T2',
      'Trat. 2 – Custo',
      'T2 Modalidade',
    ],
    [...TRIAL, 3600, 'Raiz', 'Nutrivia Raiz', '2,0 L/ha', 3812, 85, 'Solo'],
    [...TRIAL.with(0, 'E2'), 3500, 'Raiz', 'Nutrivia Raiz', '2,0 L/ha', null, 85, 'Solo'],
  ])
  expect(found.forma).toBe('larga')
  expect(found.trials).toHaveLength(2)
  expect(found.trials[0]?.input?.tratamentos).toMatchObject([
    { nome: 'Testemunha', produtividade: 3600 },
    { nome: 'Raiz', produtividade: 3812, custo: 85, produtos_aplicados: [{ dose: 2, unidade: 'L/ha' }] },
  ])
  expect(found.trials[1]?.input).toBeNull()
  expect(found.trials[1]?.problemas).toMatchObject([
    {
      linha: 3,
      coluna: 'Q',
      celula: 'Q3',
      titulo: 'Produtividade T2',
      gravidade: 'erro',
      mensagem: 'Produtividade é obrigatória',
    },
  ])
})

test('what is left over beside treatments is an analysis of each, with its unit', () => {
  const found = understand([
    [
      ...HEAD,
      ...['T1 Produtividade', 'T1 Clorofila (%)', 'T2 Nome', 'Produtividade T2', 'T2 Clorofila (%)'],
      ...['Trat. 2 – Vagens por ramo [un]', 'T2 Observação', 'T2 Modalidade'],
    ],
    [...TRIAL, 3600, 41.5, 'Raiz', 3812, '44,25', 12, 'bem', 'Solo'],
    [...TRIAL.with(0, 'E2'), 3500, 40, 'Raiz', 3700, 43, null, 'bem', 'Solo'],
  ])
  expect(found.forma).toBe('larga')
  expect(
    found.trials[0]?.input?.tratamentos.map(({ analises_adicionais }) => analises_adicionais),
  ).toMatchObject([
    [{ nome: 'Clorofila', valor: 41.5, unidade: '%' }],
    [
      { nome: 'Clorofila', valor: 44.25, unidade: '%' },
      { nome: 'Vagens por ramo', valor: 12, unidade: 'un' },
    ],
  ])
  expect(found.trials[1]?.input?.tratamentos[1]?.analises_adicionais).toHaveLength(1)
})

test.each([
  ['T2 Clorofila (%)', 'Clorofila', 2],
  ['Clorofila T2 (%)*', 'Clorofila', 2],
  ['Trat. 12 – Altura média', 'Altura média', 12],
  ['Altura do tratamento 3', 'Altura', 3],
  ['Clorofila (%)', 'Clorofila', null],
  ['Vigor aos 14 dias', 'Vigor aos 14 dias', null],
  ['T2', 'T2', null],
  ['Impacto 2', 'Impacto 2', null],
])('the title %s measures %s of treatment %s', (titulo, nome, tratamento) => {
  expect(analysisTitle(titulo)).toEqual({ nome, tratamento })
})

const LONG = [...HEAD, 'Tratamento', 'Modalidade', 'Produto', 'Produtividade']
const treatment = (name: WorkbookCell, yieldOf: WorkbookCell, over: Record<number, WorkbookCell> = {}) => {
  const row: WorkbookCell[] = [...TRIAL, name, 'Foliar', name === 'Testemunha' ? null : name, yieldOf]
  for (const [at, value] of Object.entries(over)) row[Number(at)] = value
  return row
}
const problemsOf = (rows: WorkbookCell[][]) =>
  understand([LONG, ...rows]).trials.flatMap(({ problemas }) =>
    problemas.map(({ celula, gravidade, mensagem, sugestao }) => ({ celula, gravidade, mensagem, sugestao })),
  )

test.each<[string, WorkbookCell[][], object]>([
  [
    'an unknown state',
    [treatment('Testemunha', 3000, { 6: 'Goyaz' })],
    { celula: 'G2', gravidade: 'erro', mensagem: 'Escolha um estado da lista', sugestao: 'GO' },
  ],
  [
    'a city of another state',
    [treatment('Testemunha', 3000, { 6: 'MT' })],
    { celula: 'G2', gravidade: 'aviso', mensagem: 'Rio Verde fica em GO. Usar GO', sugestao: 'GO' },
  ],
  [
    'a near miss',
    [treatment('Testemunha', 3000, { 7: 'Sojaa' })],
    { celula: 'H2', gravidade: 'aviso', mensagem: expect.stringContaining('Usar “Soja”'), sugestao: 'Soja' },
  ],
  [
    'a date where a number belongs',
    [treatment('Testemunha', { data: '2024-05-03', texto: '03/mai', serial: 45_415 })],
    {
      celula: 'P2',
      gravidade: 'erro',
      mensagem: 'A planilha transformou este valor em data (03/mai). Digite o valor de novo.',
    },
  ],
  [
    'an error value',
    [treatment('Testemunha', { erro: '#DIV/0!' })],
    { celula: 'P2', gravidade: 'erro', mensagem: 'A célula mostra #DIV/0! na planilha.' },
  ],
  [
    'a formula without a value',
    [treatment('Testemunha', { formula: true })],
    {
      celula: 'P2',
      gravidade: 'erro',
      mensagem: 'A célula tem uma fórmula sem valor. Abra a planilha, salve e envie de novo.',
    },
  ],
  [
    'an error value where the trial already said it',
    [treatment('Testemunha', 3000), treatment('Raiz', 3100, { 7: { erro: '#REF!' } })],
    { celula: 'H3', gravidade: 'erro', mensagem: 'A célula mostra #REF! na planilha.' },
  ],
  [
    'a code that was never calculated',
    [treatment('Testemunha', 3000), treatment('Raiz', 3100, { 0: { formula: true } })],
    {
      celula: 'A3',
      gravidade: 'erro',
      mensagem: 'A célula tem uma fórmula sem valor. Abra a planilha, salve e envie de novo.',
    },
  ],
  [
    'a code as a power of ten',
    [treatment('Testemunha', 3000, { 0: '1,2E+05' })],
    { celula: 'A2', gravidade: 'erro' },
  ],
  [
    'a contradiction between rows of a trial',
    [treatment('Testemunha', 3000), treatment('Raiz', 3100, { 7: 'Milho' })],
    { celula: 'H3', gravidade: 'erro' },
  ],
  [
    'a year outside',
    [treatment('Testemunha', 3000, { 9: 1999 })],
    { celula: 'J2', gravidade: 'erro', mensagem: 'Ano deve ser entre 2020 e 2030' },
  ],
  [
    'a missing yield',
    [treatment('Testemunha', '-')],
    { celula: 'P2', gravidade: 'erro', mensagem: 'Produtividade é obrigatória' },
  ],
])('%s is told at its cell', (_name, rows, problem) => {
  expect(problemsOf(rows)).toMatchObject([problem])
})

test('rows of totals are set aside, a control that stands elsewhere is moved first, both told', () => {
  const found = understand([
    LONG,
    treatment('Raiz', 3100),
    treatment('Testemunha', 3000),
    treatment('Média', 3050),
    treatment('CV (%)', 7.5),
  ])
  expect(found.trials[0]?.input?.tratamentos.map(({ nome, produtividade }) => [nome, produtividade])).toEqual(
    [
      ['Testemunha', 3000],
      ['Raiz', 3100],
    ],
  )
  expect(found.trials[0]?.problemas.map(({ linha, gravidade }) => [linha, gravidade])).toEqual([
    [4, 'aviso'],
    [5, 'aviso'],
    [3, 'aviso'],
  ])
})

test('without a control the first treatment is used, and it is said', () => {
  const found = understand([LONG, treatment('Raiz', 3100), treatment('Solo forte', 3000)])
  expect(found.trials[0]?.problemas).toMatchObject([
    { gravidade: 'aviso', mensagem: 'Nenhuma testemunha encontrada; o primeiro tratamento foi usado.' },
  ])
})

test('texts of a column are read with the sign that others of it prove, the doubtful ones are told', () => {
  const point = understand([
    [...HEAD, 'Teor de argila (%)', 'Tratamento', 'Modalidade', 'Produtividade'],
    [...TRIAL, '38.5', 'Testemunha', 'Foliar', '3480.5'],
    [...TRIAL.with(0, 'E2'), '40.25', 'Testemunha', 'Foliar', '3.480'],
  ])
  expect(point.trials.map(({ input }) => input?.tratamentos[0]?.produtividade)).toEqual([3480.5, 3.48])
  expect(point.trials[1]?.problemas).toMatchObject([{ gravidade: 'aviso', mensagem: 'Lido como 3,48' }])
  const comma = understand([LONG, treatment('Testemunha', '3480,5'), treatment('Raiz', '3.480')])
  expect(comma.trials[0]?.input?.tratamentos.map(({ produtividade }) => produtividade)).toEqual([
    3480.5, 3480,
  ])
  expect(comma.trials[0]?.problemas).toMatchObject([{ mensagem: 'Lido como 3.480' }])
})

test('two products of a treatment are two rows, and a row without trial cells belongs to the one above', () => {
  const found = understand([
    [...HEAD, 'Tratamento', 'Modalidade', 'Produto', 'Dose', 'Unidade da dose', 'Produtividade'],
    [...TRIAL, 'Testemunha', 'Foliar', null, null, null, 3000],
    [...TRIAL.map(() => null), 'Mistura', 'Foliar', 'Nutrivia Raiz', 1.5, 'L/ha', 3300],
    [...TRIAL.map(() => null), 'Mistura', null, 'Nutrivia Pleno', 200, 'g ha-1', null],
    [...TRIAL.map(() => null), null, null, 'Amino Boro', '0,5', 'litros/ha', null],
  ])
  expect(found.trials).toHaveLength(1)
  expect(found.trials[0]?.problemas).toEqual([])
  expect(found.trials[0]?.input?.tratamentos[1]?.produtos_aplicados).toEqual([
    { nome: 'Nutrivia Raiz', dose: 1.5, unidade: 'L/ha', custo: null },
    { nome: 'Nutrivia Pleno', dose: 200, unidade: 'g/ha', custo: null },
    { nome: 'Amino Boro', dose: 0.5, unidade: 'L/ha', custo: null },
  ])
})

test('plots give the mean of their treatment', () => {
  const found = understand([
    [...HEAD, 'Bloco', 'Tratamento', 'Modalidade', 'Produtividade'],
    ...[1, 2].flatMap((block) => [
      [...TRIAL, block, 'Testemunha', 'Foliar', 3000 + block],
      [...TRIAL, block, 'Raiz', 'Foliar', 3200 + block],
    ]),
  ])
  expect(found.forma).toBe('parcelas')
  expect(found.trials[0]?.input?.tratamentos.map(({ produtividade }) => produtividade)).toEqual([
    3001.5, 3201.5,
  ])
})

test('an existing trial changes in what the spreadsheet says alone, and an empty cell leaves the value', () => {
  const rows = [LONG, treatment('Testemunha', 3000), treatment('Raiz', 3100)]
  const existing = understand(rows).trials[0]?.input
  if (!existing) throw new Error('not understood')
  const at = titleRowOf(rows)
  expect(at).toBe(0)
  const held = {
    ...existing,
    tratamentos: existing.tratamentos.map((one) => ({ ...one, custo: 12 })),
    roi: 300,
  }
  const again = (changed: WorkbookCell[][]) => {
    const titles = LONG
    const profiles = titles.map(() => newProfile())
    const { plan } = makePlan({
      forma: 'longa',
      sheets: [{ folha: 0, nome: null, titles, below: [], profiles }],
      choices: { mapa: {}, titulos: {}, decimal: {}, padroes: {}, safra: 'colheita' },
      names,
    })
    const draft = draftOf(
      changed.map((celulas, index) => ({ folha: 0, linha: index + 2, celulas })),
      plan,
    )
    return finishTrial(draft, plan, { existing: held })
  }
  expect(again(rows.slice(1)).mudancas).toEqual([])
  const changed = again([treatment('Testemunha', 3000, { 8: null }), treatment('Raiz', 3150)])
  expect(changed.mudancas).toEqual([{ campo: 'tratamentos.2.produtividade', antes: 3100, depois: 3150 }])
  expect(changed.input).toMatchObject({ cultivar: 'NS 7709', roi: 300 })
})

test('an empty cell erases only what its own column gives, and of that all', () => {
  const titles = [...LONG, 'Dose', 'Unidade da dose', 'Brix (%)']
  const rows = [
    titles,
    [...treatment('Testemunha', 3000), null, null, 12],
    [...treatment('Raiz', 3100, { 14: 'Nutrivia Raiz' }), 2, 'L/ha', 13],
  ]
  const existing = understand(rows).trials[0]?.input
  if (!existing) throw new Error('not understood')
  const held = { ...existing, tratamentos: existing.tratamentos.map((one) => ({ ...one, custo: 85 })) }
  const read = (changed: WorkbookCell[][]) => {
    const brix = columnLetter(titles.length - 1)
    const { plan } = makePlan({
      forma: 'longa',
      sheets: [{ folha: 0, nome: null, titles, below: [], profiles: titles.map(() => newProfile()) }],
      choices: { mapa: { [brix]: 'analise.Brix' }, titulos: {}, decimal: {}, padroes: {}, safra: 'colheita' },
      names,
    })
    const lines = changed.map((celulas, index) => ({ folha: 0, linha: index + 2, celulas }))
    return finishTrial(draftOf(lines, plan), plan, { existing: held, erase: true })
  }
  const { input } = read([
    [...treatment('Testemunha', 3000), null, null, 12],
    [...treatment('Raiz', 3100, { 14: 'Nutrivia Raiz' }), null, null, null],
  ])
  const [, second] = input?.tratamentos ?? []
  // No column of costs: what they are stays.
  expect(second?.custo).toBe(85)
  expect(second?.produtos_aplicados).toMatchObject([{ nome: 'Nutrivia Raiz', dose: null, unidade: null }])
  expect(second?.analises_adicionais).toEqual([])
})

test('the control is who is called so alone, or has no product, before who is called so with one', () => {
  const names = (...rows: WorkbookCell[][]) =>
    understand([LONG, ...rows]).trials[0]?.input?.tratamentos.map(({ nome }) => nome)
  expect(
    names(
      treatment('Sem fungicida', 3000, { 14: null }),
      treatment('Raiz', 3100),
      treatment('Controle químico', 3200, { 14: 'Fox' }),
    ),
  ).toEqual(['Testemunha', 'Raiz', 'Controle químico'])
  expect(
    names(
      treatment('Raiz', 3100),
      treatment('Check comercial', 3200, { 14: 'Fox' }),
      treatment('Testemunha', 3000),
    ),
  ).toEqual(['Testemunha', 'Raiz', 'Check comercial'])
})

test('a saved model tells apart columns of one title, and of two sheets', () => {
  const columns = [
    { coluna: 'Tratamentos!A', titulo: 'Nome' },
    { coluna: 'Produtos!B', titulo: 'Nome' },
    { coluna: 'Produtos!C', titulo: 'Valor' },
    { coluna: 'Produtos!D', titulo: 'Valor' },
  ]
  expect(templateKeys(columns)).toEqual([
    'Tratamentos!Nome',
    'Produtos!Nome',
    'Produtos!Valor',
    'Produtos!Valor #2',
  ])
  const titles = ['Código', 'Nota', 'Nota']
  const { columns: mapped } = makePlan({
    forma: 'longa',
    sheets: [{ folha: 0, nome: null, titles, below: [], profiles: titles.map(() => newProfile()) }],
    choices: {
      ...{ mapa: {}, decimal: {}, padroes: {}, safra: 'colheita' },
      titulos: { Código: 'codigo', Nota: 'analise.Vigor', 'Nota #2': null },
    },
    names,
  })
  expect(mapped.map(({ campo }) => campo)).toEqual(['codigo', 'analise.Vigor', null])
})

test('treatments that titles only count are known by their number, whatever the file leaves out', () => {
  const existing = understand([
    LONG,
    treatment('Testemunha', 3000),
    treatment('Raiz', 3100),
    treatment('Solo', 3200),
  ]).trials[0]?.input
  if (!existing) throw new Error('not understood')
  const titles = ['Código', 'T2 Produtividade', 'T3 Produtividade']
  const { plan } = makePlan({
    forma: 'larga',
    sheets: [{ folha: 0, nome: null, titles, below: [], profiles: titles.map(() => newProfile()) }],
    choices: { mapa: {}, titulos: {}, decimal: {}, padroes: {}, safra: 'colheita' },
    names,
  })
  const draft = draftOf([{ folha: 0, linha: 2, celulas: ['E1', null, 3333] }], plan)
  const { mudancas, problemas } = finishTrial(draft, plan, { existing })
  expect(mudancas).toEqual([{ campo: 'tratamentos.3.produtividade', antes: 3200, depois: 3333 }])
  expect(problemas).toEqual([])
})

test('a share is no money, and a dose that says its unit is told where the column of units says another', () => {
  const rows = understand([
    [...LONG, 'ROI', 'Produto', 'Dose', 'Unidade'],
    [...treatment('Testemunha', 3000), '30%', null, null, null],
    [...treatment('Raiz', 3100), null, 'Nutrivia Raiz', '2,0 L/ha', 'mL/ha'],
  ]).trials[0]
  expect(rows?.problemas).toMatchObject([
    { gravidade: 'erro', titulo: 'ROI', valor: '30%', mensagem: 'Informe o valor em R$/ha, não em %' },
    {
      ...{ gravidade: 'aviso', titulo: 'Unidade', valor: 'mL/ha' },
      mensagem: 'A dose diz “L/ha” e esta coluna “mL/ha”: vale o que a dose diz.',
    },
  ])
})

test.each(['__proto__', 'constructor', 'toString'])(
  '%s is a title, a code and a name like any other',
  (word) => {
    const found = understand([
      [...LONG, word],
      [...treatment('Testemunha', 3000, { 0: word, 1: word, 7: word }), word],
    ])
    expect(found.trials[0]?.input).toMatchObject({ codigo: word, consultoria: word, cultura: word })
    expect(found.columns.at(-1)).toMatchObject({ titulo: word, campo: null })
  },
)

test('sheets are joined by their code, in whatever order they stand', () => {
  const sheets: WorkbookCell[][][] = [
    [
      ['Código', 'Tratamento', 'Produto', 'Dose', 'Unidade'],
      ['E1', 'Raiz', 'Nutrivia Raiz', 300, 'mL/ha'],
      ['E1', 'Raiz', 'Amino Boro', 1, 'L/ha'],
    ],
    [HEAD, TRIAL, TRIAL.with(0, 'E2')],
    [
      ['Código', 'Tratamento', 'Modalidade', 'Produtividade (t/ha)'],
      ['E1', 'Testemunha', 'Controle', 3.4],
      ['E1', 'Raiz', 'Foliar', 3.6],
      ['E2', 'Testemunha', 'Controle', 3.1],
    ],
  ]
  const names_ = ['Produtos', 'Experimentos', 'Tratamentos']
  const looked = sheets.map((rows, folha) => {
    const profiles = (rows[0] ?? []).map(() => newProfile())
    for (const row of rows.slice(1))
      for (const [at, profile] of profiles.entries()) addToProfile(profile, row[at])
    return { folha, nome: names_[folha] ?? '', titles: rows[0] ?? [], below: rows[1] ?? [], profiles }
  })
  const { plan, faltam } = makePlan({
    forma: 'folhas',
    sheets: looked,
    choices: { mapa: {}, titulos: {}, decimal: {}, padroes: {}, safra: 'colheita' },
    names,
  })
  expect(faltam).toEqual([])
  const group = grouper(plan)
  const trials = new Map<number, SheetRow[]>()
  for (const [folha, rows] of sheets.entries())
    for (const [index, celulas] of rows.slice(1).entries()) {
      const row = { folha, linha: index + 2, celulas }
      const n = group(row)
      trials.set(n, [...(trials.get(n) ?? []), row])
    }
  const [one, two] = [...trials.values()].map((rows) => finishTrial(draftOf(rows, plan), plan))
  expect(one?.problemas).toEqual([])
  expect(one?.input?.tratamentos).toMatchObject([
    { nome: 'Testemunha', produtividade: 3400, produtos_aplicados: [] },
    {
      nome: 'Raiz',
      modalidade: 'Foliar',
      produtividade: 3600,
      produtos_aplicados: [
        { nome: 'Nutrivia Raiz', dose: 300, unidade: 'mL/ha' },
        { nome: 'Amino Boro', dose: 1, unidade: 'L/ha' },
      ],
    },
  ])
  expect(two?.input?.tratamentos).toMatchObject([{ produtividade: 3100 }])
})

test('units that stand under the titles count', () => {
  const found = understand([
    [...HEAD, 'Argila', 'Tratamento', 'Modalidade', 'Produtividade'],
    [...HEAD.map(() => null), 'g/kg', null, null, 't/ha'],
    [...TRIAL, 385, 'Testemunha', 'Foliar', 3.4805],
  ])
  expect(found.trials[0]?.input).toMatchObject({
    teor_argila: 38.5,
    tratamentos: [{ produtividade: 3480.5 }],
  })
})

test.each<[WorkbookCell, number]>([
  [2024, 2024],
  ['2024', 2024],
  ['Safra 2023/24', 2024],
  ['23/24', 2024],
  ['2023/2024', 2024],
  [{ data: '2023-11-20', texto: '20/11/2023', serial: 45_250 }, 2023],
  ['20/11/2023', 2023],
])('%j is a year', (cell, year) => {
  const found = understand([LONG, treatment('Testemunha', 3000, { 9: cell })])
  expect(found.trials[0]?.input?.ano).toBe(year)
})

const LONG_HEAD = [...HEAD, 'Tratamento', 'Modalidade', 'Produto', 'Dose', 'Produtividade (kg/ha)']
const CONTROL = ['Testemunha', null, null, null, 3000]
const RAIZ = ['Raiz', 'Foliar', 'Nutrivia Raiz', '300 mL/ha', 3200]

test('rows of totals whose name stands in the first column make no trial', () => {
  const found = understand([
    LONG_HEAD,
    [...TRIAL, ...CONTROL],
    [...TRIAL, ...RAIZ],
    ['Média', ...TRIAL.slice(1).map(() => null), null, null, null, null, 3100],
    ['Total', ...TRIAL.slice(1).map(() => null), null, null, null, null, 6200],
  ])
  expect(found.trials).toHaveLength(1)
  expect(
    found.trials[0]?.problemas.map(({ linha, gravidade, mensagem }) => [linha, gravidade, mensagem]),
  ).toEqual([
    [4, 'aviso', 'Linha de total ou média: não foi importada'],
    [5, 'aviso', 'Linha de total ou média: não foi importada'],
  ])
})

test('a product that each plot names again was applied once; told where rows are treatments', () => {
  const plots = understand([
    [...LONG_HEAD, 'Bloco'],
    ...[1, 2].flatMap((block) => [
      [...TRIAL, ...CONTROL, block],
      [...TRIAL, ...RAIZ, block],
    ]),
  ])
  expect(plots.forma).toBe('parcelas')
  expect(plots.trials[0]?.input?.tratamentos[1]?.produtos_aplicados).toHaveLength(1)
  const long = understand([LONG_HEAD, [...TRIAL, ...CONTROL], [...TRIAL, ...RAIZ], [...TRIAL, ...RAIZ]])
  expect(long.trials[0]?.input?.tratamentos[1]?.produtos_aplicados).toHaveLength(1)
  expect(
    long.trials[0]?.problemas.map(({ linha, gravidade, mensagem }) => [linha, gravidade, mensagem]),
  ).toEqual([[4, 'aviso', 'O produto já está neste tratamento com a mesma dose: esta linha não o repete.']])
})

test('numbered treatments are known by their number, whatever they are called', () => {
  const head = [...HEAD, 'Nº do tratamento', ...LONG_HEAD.slice(HEAD.length)]
  const found = understand([
    head,
    [...TRIAL, 1, ...CONTROL],
    [...TRIAL, 2, ...RAIZ],
    [...TRIAL, 3, 'Raiz', 'Foliar', 'Nutrivia Raiz', '300 mL/ha', 3300],
    [...TRIAL, 4, 'ND', 'Foliar', 'Nutrivia Raiz', '1 L/ha', 3400],
    [...TRIAL, 5, 'Média', 'Foliar', 'Nutrivia Raiz', '2 L/ha', 3500],
  ])
  expect(found.trials[0]?.problemas).toEqual([])
  expect(found.trials[0]?.input?.tratamentos.map(({ nome, produtividade }) => [nome, produtividade])).toEqual(
    [
      ['Testemunha', 3000],
      ['Raiz', 3200],
      ['Raiz', 3300],
      ['ND', 3400],
      ['Média', 3500],
    ],
  )
})

test('decimal signs that contradict each other leave every doubtful number doubtful', () => {
  const yields = ['1.234', '1,234', '1.234,5', '1,234.5', '3600.5', '3600,5']
  const found = understand([
    LONG_HEAD,
    ...yields.map((text, at) => [
      ...TRIAL,
      `T${at + 1}`,
      'Foliar',
      at === 0 ? null : 'Nutrivia Raiz',
      null,
      text,
    ]),
  ])
  expect(found.trials[0]?.problemas.map(({ linha, mensagem }) => [linha, mensagem])).toEqual([
    [2, 'Lido como 1.234'],
    [3, 'Lido como 1,234'],
  ])
})

test('what a spreadsheet made a date of is told in a text file, too', () => {
  for (const text of ['12/03/2024', '3-dez', 'mar/24', '2024-03-12']) {
    const found = understand([LONG_HEAD, [...TRIAL, ...CONTROL], [...TRIAL, ...RAIZ.slice(0, 4), text]])
    expect(found.trials[0]?.problemas.map(({ mensagem }) => mensagem)).toEqual([
      `A planilha transformou este valor em data (${text}). Digite o valor de novo.`,
    ])
  }
})

test('slips of the pen in towns and crops, and letters that changed places, are told with what was meant', () => {
  const trial = TRIAL.with(5, 'Rio Verd').with(7, 'Mihlo')
  const found = understand([LONG_HEAD, [...trial, ...CONTROL], [...trial, ...RAIZ]])
  expect(found.trials[0]?.problemas.map(({ mensagem, sugestao }) => [mensagem, sugestao])).toEqual([
    ['“Mihlo” não está na lista. Usar “Milho”', 'Milho'],
    ['“Rio Verd” não está na lista. Usar “Rio Verde”', 'Rio Verde'],
  ])
})

test('units and doses that are none are told in words', () => {
  const found = understand([
    [...LONG_HEAD, 'Unidade da dose'],
    [...TRIAL, ...CONTROL, null],
    [...TRIAL, 'Raiz', 'Foliar', 'Nutrivia Raiz', 2, 3200, 'xyz'],
    [...TRIAL, 'Outro', 'Foliar', 'Nutrivia Raiz', '2 a 3', 3200, 'L/ha'],
  ])
  expect(found.trials[0]?.problemas.map(({ linha, mensagem }) => [linha, mensagem])).toEqual([
    [4, 'Informe um número'],
    [3, 'Escolha uma unidade da lista'],
  ])
})
