import { expect, test } from 'vitest'
import { arrange } from '../document.ts'
import { typed } from '../layout/test-typed.ts'
import { decideFields } from './decide.ts'
import { findPairs } from './pairs.ts'

function housesOf(text: string): (string | number | undefined)[] {
  const document = arrange([typed(text)])
  const { consultoria, marca } = decideFields(document, findPairs(document, []))
  return [consultoria?.value, marca?.value]
}

// Houses that stand in none of the reports the weights were learned from.
test.each([
  [
    'the letterhead and the client',
    `
RIBEIRA ALTA PESQUISA AGRONÔMICA LTDA
Rua das Acácias, 120 - Passo Fundo - RS

Cliente: Nitroverde Fertilizantes S/A
Cultura: Trigo          Safra: 2022`,
    ['RIBEIRA ALTA PESQUISA AGRONÔMICA LTDA', 'Nitroverde Fertilizantes'],
  ],
  [
    'a sentence',
    `
Avaliação de bioestimulantes na cultura da soja

O ensaio foi conduzido pela Morro Azul Consultoria Agrícola, em Rio Verde, GO,
na safra 2021/22. Os produtos foram fornecidos pela Fitobrava Bioinsumos. Todos
foram aplicados em V4.`,
    ['Morro Azul Consultoria Agrícola', 'Fitobrava Bioinsumos'],
  ],
  [
    'labels',
    `
Empresa executora: Ensaios do Cerrado
Empresa contratante: Quimibrava S.A.
Responsável técnico: Eng. Agr. João Prado`,
    ['Ensaios do Cerrado', 'Quimibrava'],
  ],
  [
    'products that begin with the maker',
    `
Instituto Serra Clara de Pesquisa
Ensaio de bioestimulantes em feijão, inverno 2022

Os tratamentos foram: Lumivel Raiz, 1,0 L/ha; Lumivel Flor, 0,5 L/ha; Lumivel Grão,
0,7 L/ha. O ensaio da Lumivel Bioinsumos teve quatro repetições.`,
    ['Instituto Serra Clara de Pesquisa', 'Lumivel Bioinsumos'],
  ],
])('who did the trial, and whose products it is about, are told by %s', (_how, text, houses) => {
  expect(housesOf(text)).toEqual(houses)
})

test('one name is never both', () => {
  const [house, maker] = housesOf(`
NITROVERDE FERTILIZANTES
Desenvolvimento de Mercado

Ensaio de adubação de cobertura em milho, safra 2022`)
  expect(house === undefined || house !== maker).toBe(true)
})
