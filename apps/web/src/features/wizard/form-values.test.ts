import { ExperimentInput, type ExtractedExperiment, eachField, type FoundValues } from '@ensaio/domain'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { blankValues, submitted, valuesOfExtraction } from './form-values.ts'

const treatment = (nome: string) => ({
  nome,
  modalidade: 'Foliar',
  produtividade: 3000,
  custo: 1,
  produtos_aplicados: [],
  analises_adicionais: [],
})
const read: ExtractedExperiment = {
  ...(eachField(() => null) as FoundValues),
  tratamentos: [treatment('Testemunha'), treatment('A'), treatment('B')],
  estatistica_informada: {
    delineamento: 'DBC',
    repeticoes: 4,
    cv: 6.7,
    cv_casas: 2,
    dms: null,
    dms_teste: null,
    gl_residuo: null,
    teste: 'Tukey',
    letras: { 1: 'b', 3: 'a' },
  },
}
const block = (values: ReturnType<typeof blankValues>) =>
  (submitted(values) as { estatistica_informada: unknown }).estatistica_informada

test('what was read of the statistics comes out of the form as it went in', () => {
  expect(block(valuesOfExtraction(read))).toEqual(read.estatistica_informada)
})

test('letters go with their treatment', () => {
  const values = valuesOfExtraction(read)
  const [control, , b] = values.tratamentos
  if (!control || !b) throw new Error('treatments are missing')
  expect(block({ ...values, tratamentos: [control, b] })).toMatchObject({ letras: { 1: 'b', 2: 'a' } })
})

test('a section in which nothing stands is none, and nothing of the form alone is sent', () => {
  const sent = submitted(blankValues())
  expect(sent).toMatchObject({ estatistica_informada: null })
  expect(JSON.stringify(sent)).not.toMatch(/letra"|das_parcelas/)
  expect(ExperimentInput.shape.estatistica_informada.safeParse(null).success).toBe(true)
})

test('what a schema does not say itself is said in Portuguese', () => {
  const { error } = z
    .object({ n: z.number(), s: z.string().max(2), a: z.array(z.number()).max(1) })
    .safeParse({
      ...{ n: 'x', s: 'abc', a: [1, 2] },
    })
  expect(error?.issues.map(({ message }) => message)).toEqual([
    'Informe um número',
    'Use no máximo 2 caracteres',
    'Use no máximo 1 item',
  ])
})
