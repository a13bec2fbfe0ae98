import { expect, test } from 'vitest'
import { arrange } from '../document.ts'
import type { Word } from '../read/page.ts'
import { readCommonMode } from './common-mode.ts'
import { type Draft, emptyDraft, type Found } from './draft.ts'
import { fillToldOfAll } from './told-of-all.ts'

/** A page of paragraphs, a line each, far enough apart to be told from one another. */
function documentOf(...paragraphs: string[]) {
  const words = paragraphs.flatMap((text, line): Word[] => {
    let at = 40
    const base = 60 + 40 * line
    return text.split(' ').map((one) => {
      const x0 = at
      at += 4 * one.length + 3
      const box = { x0, x1: x0 + 4 * one.length, y0: base - 8, y1: base, base, size: 8 }
      return { text: one, ...box, bold: false, page: 0 }
    })
  })
  const size = { width: 900, height: 842 }
  const nothing = { rulings: [], checkBoxes: [], bullets: [], images: [] }
  return arrange([
    { index: 0, ...size, displayed: size, turn: 0, words, ...nothing, scanned: false, project: (box) => box },
  ])
}
const named = (value: string): Found<string> => ({ value, words: [], score: 0.9, method: 'table' })
const control: Draft = { ...emptyDraft(), code: '1', nome: named('Testemunha'), control: true }
const treated = (...products: string[]): Draft => ({
  ...emptyDraft(),
  produtos: products.map((name) => ({ nome: named(name), dose: null, unidade: 'mL/ha', custo: null })),
})
function told(paragraphs: string[], ...drafts: Draft[]) {
  fillToldOfAll(documentOf(...paragraphs), drafts)
  return drafts.map(({ produtos }) =>
    produtos.map(({ nome, dose, unidade }) => [nome.value, dose?.value ?? null, unidade]),
  )
}

test('products are told apart whose dose is in another unit', () => {
  const note = 'Dose em mL/ha, exceto Mancosafe (kg/ha), Cloroguard e Cuprital (L/ha).'
  expect(told([note], treated('Mancosafe', 'Atramax'), treated('Cuprital'))).toEqual([
    [
      ['Mancosafe', null, 'kg/ha'],
      ['Atramax', null, 'mL/ha'],
    ],
    [['Cuprital', null, 'L/ha']],
  ])
  const each = '1 Mancosafe e Atramax em g/ha; Cuprital em L/ha; severidade em %.'
  expect(told([each], treated('Mancosafe', 'Atramax'), treated('Cuprital'))).toEqual([
    [
      ['Mancosafe', null, 'g/ha'],
      ['Atramax', null, 'g/ha'],
    ],
    [['Cuprital', null, 'L/ha']],
  ])
})

test('what was put into the spray is the product, not the spray', () => {
  const note = 'O adjuvante Adnord foi adicionado à calda a 0,25% v/v em todos os tratamentos com Kestrel.'
  expect(told([note], treated('Kestrel', 'Adnord'))).toEqual([
    [
      ['Kestrel', null, 'mL/ha'],
      ['Adnord', null, 'mL/ha'],
    ],
  ])
})

test('a number behind a short name is its dose, where the report says so, and the name is written out', () => {
  const notes = ['CoMo = CoMo Forte', 'O número que acompanha a sigla é a dose em mL/ha.']
  expect(told(notes, control, treated('CoMo 150'))).toEqual([[], [['CoMo Forte', 150, 'mL/ha']]])
  expect(told(['CoMo = CoMo Forte'], treated('CoMo 150'))).toEqual([[['CoMo 150', null, 'mL/ha']]])
})

test('what was added to all is added to those that were treated, once', () => {
  const all = 'Adicionou-se óleo mineral a 0,5 L/ha em todos os tratamentos, exceto a testemunha.'
  expect(told([all], control, treated('Soltrix'), treated('Óleo mineral'))).toEqual([
    [],
    [
      ['Soltrix', null, 'mL/ha'],
      ['Óleo mineral', 0.5, 'L/ha'],
    ],
    [['Óleo mineral', null, 'mL/ha']],
  ])
  const some = 'Adicionou-se óleo mineral a 0,5 L/ha aos tratamentos com Soltrix.'
  expect(told([some], treated('Soltrix'), treated('Cuprital')).map((products) => products.length)).toEqual([
    2, 1,
  ])
})

test.each([
  ['Todos os tratamentos foram aplicados via foliar no estádio V4.', 'Foliar'],
  ['Os produtos foram aplicados no sulco de semeadura, com 60 L/ha de calda.', 'Sulco'],
  ['A pulverização foi feita em R1 com barra de 6 pontas.', 'Foliar'],
])('the way of all: %s', (sentence, way) => {
  expect(readCommonMode(documentOf(sentence))?.value).toMatch(new RegExp(way, 'i'))
})

test.each([
  'O tratamento T2 foi aplicado via foliar e o T3 no sulco.',
  'Herbicida aplicado em pós-emergência em toda a área.',
  'A semente foi tratada e a dessecação pulverizada antes do plantio em V0.',
])('no way of all: %s', (sentence) => {
  expect(readCommonMode(documentOf(sentence))).toBeNull()
})
