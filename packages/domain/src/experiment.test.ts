import { expect, test } from 'vitest'
import { ExperimentInput, meanProductivity, totalCost } from './experiment.ts'
import { fieldProblems } from './problems.ts'

const whole = {
  consultoria: 'Lavoura Clara',
  marca: 'Aminoagro',
  bu: 'BU1',
  regional: 'Centro-Oeste',
  cidade: 'Campo Verde',
  estado: 'MT',
  latitude: -15.5,
  longitude: -55.1,
  cultura: 'Soja',
  cultivar: 'BMX Bônus IPRO',
  ano: 2023,
  teor_argila: 38,
  teor_materia_organica: null,
  tratamentos: [{ nome: 'Testemunha', modalidade: 'Controle', produtividade: 3480 }],
  tipo_estatistica: 'DBC',
  custo_protocolo: 121.5,
}

const sentences = (input: unknown): Record<string, string> => {
  const parsed = ExperimentInput.safeParse(input)
  return parsed.success
    ? {}
    : Object.fromEntries(fieldProblems(parsed.error).map(({ path, message }) => [path, message]))
}

test('a whole experiment passes, absent optional values are null', () => {
  expect(ExperimentInput.parse(whole)).toMatchObject({ roi: null, teor_materia_organica: null })
})

test('nothing at all fails on every required field with the specified sentence', () => {
  expect(sentences({})).toEqual({
    consultoria: 'Nome da consultoria é obrigatório',
    marca: 'Marca é obrigatória',
    bu: 'Business Unit é obrigatória',
    regional: 'Regional é obrigatória',
    cidade: 'Cidade é obrigatória',
    estado: 'Estado é obrigatório',
    cultura: 'Cultura é obrigatória',
    cultivar: 'Cultivar é obrigatório',
    ano: 'Ano é obrigatório',
    tratamentos: 'Adicione pelo menos um tratamento',
    tipo_estatistica: 'Tipo de estatística é obrigatório',
    custo_protocolo: 'Custo do protocolo é obrigatório',
  })
})

test.each([
  ['consultoria', 'L', 'Nome deve ter pelo menos 2 caracteres'],
  ['consultoria', '   ', 'Nome da consultoria é obrigatório'],
  ['bu', 'BU9', 'Business Unit é obrigatória'],
  ['latitude', 90.1, 'Latitude deve ser entre -90 e 90'],
  ['longitude', -180.5, 'Longitude deve ser entre -180 e 180'],
  ['teor_argila', -1, 'Valor deve ser maior que 0'],
  ['teor_argila', 101, 'Valor deve ser menor que 100'],
  ['teor_materia_organica', -0.1, 'Valor deve ser maior que 0'],
  ['teor_materia_organica', 100.1, 'Valor deve ser menor que 100'],
  ['custo_protocolo', -1, 'Custo deve ser positivo'],
  ['roi', -1, 'ROI deve ser positivo'],
  ['tipo_estatistica', 'x', 'Tipo de estatística é obrigatório'],
  ['ano', 2019, 'Ano deve ser entre 2020 e 2030'],
])('%s = %s answers "%s"', (field, value, sentence) => {
  expect(sentences({ ...whole, [field]: value })).toEqual({ [field]: sentence })
})

test.each([
  [{ nome: '', modalidade: 'Foliar', produtividade: 1 }, 'nome', 'Nome é obrigatório'],
  [{ nome: 'A', modalidade: '', produtividade: 1 }, 'modalidade', 'Modalidade é obrigatória'],
  [{ nome: 'A', modalidade: 'Foliar' }, 'produtividade', 'Produtividade é obrigatória'],
  [
    { nome: 'A', modalidade: 'Foliar', produtividade: -1 },
    'produtividade',
    'Produtividade deve ser positiva',
  ],
  [{ nome: 'A', modalidade: 'Foliar', produtividade: 1, custo: -1 }, 'custo', 'Custo deve ser positivo'],
])('treatment %j fails on %s', (treatment, field, sentence) => {
  expect(sentences({ ...whole, tratamentos: [whole.tratamentos[0], treatment] })).toEqual({
    [`tratamentos.1.${field}`]: sentence,
  })
})

test('the first treatment is the control whatever it was called', () => {
  const parsed = ExperimentInput.parse({
    ...whole,
    tratamentos: [{ nome: 'Outro nome', modalidade: 'Controle', produtividade: 1 }],
  })
  expect(parsed.tratamentos[0]?.nome).toBe('Testemunha')
})

test('the mean and the total are computed from the treatments, unknown is not zero', () => {
  expect(meanProductivity([{ produtividade: 3480 }, { produtividade: 3630 }, { produtividade: 3786 }])).toBe(
    3632,
  )
  expect(totalCost([{ custo: 0 }, { custo: 64.2 }, { custo: null }])).toBe(64.2)
  expect(totalCost([{ custo: null }])).toBeNull()
})

const treatmentWith = (products: number, analyses: number) => ({
  ...whole.tratamentos[0],
  produtos_aplicados: Array.from({ length: products }, (_, index) => ({ nome: `Produto ${index}` })),
  analises_adicionais: Array.from({ length: analyses }, () => ({ nome: 'Altura', valor: 1 })),
})
const treatmentsWith = (count: number, products: number, analyses: number) =>
  Array.from({ length: count }, () => treatmentWith(products, analyses))

test('an experiment holds as many products and analyses as stands in its sentences, and not one more', () => {
  const most = [...treatmentsWith(40, 50, 100), ...treatmentsWith(10, 0, 100), ...treatmentsWith(450, 0, 0)]
  expect(sentences({ ...whole, tratamentos: most })).toEqual({})
  expect(sentences({ ...whole, tratamentos: [...most.slice(0, -1), treatmentWith(1, 0)] })).toEqual({
    tratamentos: 'Use no máximo 2.000 produtos aplicados no experimento',
  })
  expect(sentences({ ...whole, tratamentos: [...most.slice(0, -1), treatmentWith(0, 1)] })).toEqual({
    tratamentos: 'Use no máximo 5.000 análises adicionais no experimento',
  })
})

test('a treatment holds so many products and analyses', () => {
  expect(sentences({ ...whole, tratamentos: [treatmentWith(51, 101)] })).toEqual({
    'tratamentos.0.produtos_aplicados': 'Use no máximo 50 produtos',
    'tratamentos.0.analises_adicionais': 'Use no máximo 100 análises',
  })
})
