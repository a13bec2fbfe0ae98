import { expect, test } from 'vitest'
import { changeLines } from './changes.ts'

const treatment = (nome: string, part: object = {}) => ({
  nome,
  modalidade: 'Foliar',
  produtividade: 1908,
  custo: 44.1,
  produtos_aplicados: [{ nome: 'Amino Boro', dose: 2, unidade: 'L/ha', custo: null }],
  analises_adicionais: [{ nome: 'Índice SPAD', valor: 43.9, unidade: 'índice SPAD' }],
  ...part,
})
const said = (field: string, before: unknown, after: unknown) =>
  changeLines(field, before, after).map((line) =>
    `${line.what}: ${line.before} → ${line.after}`.replaceAll('\u00a0', ' '),
  )
const control = treatment('Testemunha')

test('a value within a treatment is told with its treatment, its name and its unit', () => {
  expect(
    said('tratamentos', [control, treatment('Dimi')], [control, treatment('Dimi', { produtividade: 2222 })]),
  ).toEqual(['T2 · Produtividade: 1.908 → 2.222 kg/ha'])
  expect(said('tratamentos', [treatment('Dimi', { custo: null })], [treatment('Dimi')])).toEqual([
    'T1 · Custo: – → R$ 44,10/ha',
  ])
})

test('products and analyses within a treatment are told one by one', () => {
  const after = treatment('Dimi', {
    produtos_aplicados: [
      { nome: 'Amino Boro', dose: 3, unidade: 'L/ha', custo: 12 },
      { nome: 'Maxi pH', dose: null, unidade: null, custo: null },
    ],
    analises_adicionais: [],
  })
  expect(said('tratamentos', [treatment('Dimi')], [after])).toEqual([
    'T1 · Produto: Amino Boro, 2 L/ha → Amino Boro, 3 L/ha, R$ 12,00/ha',
    'T1 · Produto: – → Maxi pH',
    'T1 · Análise: Índice SPAD: 43,9 → –',
  ])
})

test('a treatment that comes between others leaves the others as they were', () => {
  expect(
    said('tratamentos', [control, treatment('Dimi')], [control, treatment('Novo'), treatment('Dimi')]),
  ).toEqual(['T2 · Tratamento incluído: – → Novo, 1.908 kg/ha'])
  expect(said('tratamentos', [control, treatment('A'), treatment('B')], [control, treatment('B')])).toEqual([
    'T2 · Tratamento retirado: A, 1.908 kg/ha → –',
  ])
  expect(said('tratamentos', [control, treatment('A')], [control, treatment('B')])).toEqual([
    'T2 · Nome: A → B',
  ])
})

test('fields of the experiment have their names and units, and no key is ever shown', () => {
  expect(said('teor_argila', null, 38.5)).toEqual(['Teor de Argila: – → 38,5%'])
  expect(said('roi', 410.75, null)).toEqual(['ROI: R$ 410,75/ha → –'])
  expect(said('bu', 'BU1', 'BU2')).toEqual(['Business Unit: BU Nutrição → BU Proteção'])
  expect(said('ano', 2024, 2025)).toEqual(['Ano: 2024 → 2025'])
  expect(said('produtividade_media', 1908, 2065)).toEqual([
    'Produtividade média, calculada: 1.908 → 2.065 kg/ha',
  ])
  expect(said('chave_nova', 'a', 'b')).toEqual(['Outro dado: a → b'])
})

test('a save of plots is told cell by cell, exclusion by exclusion, and the structure fact by fact', () => {
  const cell = (valor: number | null) => ({ parcela: 203, variavel: 'produtividade', avaliacao: null, valor })
  const fato = 'Deixado fora · parcela 203'
  expect(
    said('parcelas', [cell(3250), { fato, valor: null }], [cell(null), { fato, valor: 'acamamento' }]),
  ).toEqual([
    'Parcelas: – → 1 valor alterado',
    'Parcela 203 · produtividade: 3.250 → perdida',
    'Parcelas · Deixado fora · parcela 203: – → acamamento',
  ])
  const sheet = [
    { fato: 'Delineamento', valor: 'DBC' },
    { fato: 'Fatores', valor: null },
  ]
  expect(said('parcelas', null, sheet)).toEqual(['Parcelas · Delineamento: – → DBC'])
  expect(said('parcelas', sheet, null)).toEqual(['Parcelas · Delineamento: DBC → –'])
  // As the history kept it before.
  expect(said('parcelas', null, 'DBC, 24 parcelas')).toEqual(['Parcelas: – → DBC, 24 parcelas'])
})
