import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CellValue } from './field.ts'
import { EMPTY_CELL, type MergedChange, mergeAll, mergeChange, mergeUnbased } from './field-merge.ts'

const change = (given: Partial<MergedChange> & { id: string }): MergedChange => ({
  ...{ tipo: 'valor', aparelho: 'ana', seq: 1, valor: 92, motivo: null, base: null },
  ...given,
})
const merged = (...changes: MergedChange[]) =>
  changes.reduce(
    ({ cell, estados }, one) => {
      const next = mergeChange(cell, one)
      return { cell: next.cell, estados: [...estados, next.estado] }
    },
    { cell: EMPTY_CELL, estados: [] as string[] },
  )

test('who saw what stands changes it, also through another who said the same', () => {
  const { cell, estados } = merged(
    change({ id: 'a' }),
    change({ id: 'b', aparelho: 'bruno', base: null }),
    change({ id: 'c', aparelho: 'bruno', seq: 2, base: 'b', valor: 95 }),
  )
  expect(estados).toEqual(['aplicado', 'igual', 'aplicado'])
  expect(cell.atual).toMatchObject({ id: 'c', valor: 95 })
  expect(cell.abertos).toEqual([])
})

test('of two that did not know of each other the first stays and both are kept', () => {
  const { cell, estados } = merged(
    change({ id: 'a' }),
    change({ id: 'b', aparelho: 'bruno', valor: 95 }),
    // He corrects himself without having heard of Ana's.
    change({ id: 'c', aparelho: 'bruno', seq: 2, base: 'b', valor: 96 }),
  )
  expect(estados).toEqual(['aplicado', 'conflito', 'conflito'])
  expect(cell.atual.valor).toBe(92)
  expect(cell.abertos.map(({ valor }) => valor)).toEqual([96])
})

test('a phone follows its own later entry, and an earlier one that comes late changes nothing', () => {
  const { cell, estados } = merged(
    change({ id: 'a' }),
    change({ id: 'c', seq: 3, base: 'b', valor: 95 }),
    change({ id: 'b', seq: 2, base: 'a', valor: 94 }),
  )
  expect(estados).toEqual(['aplicado', 'aplicado', 'igual'])
  expect(cell.atual.valor).toBe(95)
})

test('a decision closes what it decided; two that decide otherwise are a new conflict', () => {
  const open = [change({ id: 'a' }), change({ id: 'b', aparelho: 'bruno', valor: 95 })]
  const decide = (id: string, aparelho: string, valor: CellValue) =>
    change({ id, tipo: 'decisao', aparelho, seq: 9, base: 'a', valor, decide: ['b'] })
  const one = merged(...open, decide('d', 'ana', 95))
  expect(one.cell).toMatchObject({ atual: { id: 'd', valor: 95 }, abertos: [] })
  const two = merged(...open, decide('d', 'ana', 95), decide('e', 'bruno', 97))
  expect(two.estados.at(-1)).toBe('conflito')
  expect(two.cell).toMatchObject({ atual: { valor: 95 }, abertos: [{ id: 'e', valor: 97 }] })
})

test('a decision leaves open what its maker had not seen', () => {
  const { cell } = merged(
    change({ id: 'a' }),
    change({ id: 'b', aparelho: 'bruno', valor: 95 }),
    change({ id: 'x', aparelho: 'caio', valor: 99 }),
    change({ id: 'd', tipo: 'decisao', seq: 2, base: 'a', valor: 95, decide: ['b'] }),
  )
  expect(cell.abertos.map(({ id }) => id)).toEqual(['x'])
})

const PHONES = ['ana', 'bruno', 'caio', 'dora']
/** Changes of four phones on three cells, numbered as the server took them. */
const histories = fc
  .array(
    fc.record({
      phone: fc.constantFrom(...PHONES),
      cell: fc.constantFrom('p1', 'p2', 'p3'),
      valor: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constant(null)),
      base: fc.option(fc.nat({ max: 30 }), { nil: null }),
      tipo: fc.constantFrom('valor' as const, 'decisao' as const),
    }),
    { maxLength: 30 },
  )
  .map((given) =>
    given.map(({ phone, cell, valor, base, tipo }, at) => ({
      ...{ id: `c${at}`, ordem: at, tipo, aparelho: phone, seq: at + 1, valor, motivo: null },
      ...{ base: base === null || base >= at ? null : `c${base}` },
      ...{ parcela: cell, variavel: 'v', avaliacao: null, amostra: null },
    })),
  )

test('any order and repetition of the same changes gives the same cells', () => {
  fc.assert(
    fc.property(
      histories.chain((all) =>
        fc.tuple(
          fc.constant(all),
          fc.shuffledSubarray(all, { minLength: all.length }),
          fc.shuffledSubarray(all),
        ),
      ),
      ([all, shuffled, again]) => {
        expect(mergeAll([...again, ...shuffled, ...again])).toEqual(mergeAll(all))
      },
    ),
    { numRuns: 400 },
  )
})

test('no value is lost: what was entered stands, was replaced by who saw it or by its own phone, or is open', () => {
  fc.assert(
    fc.property(histories, (all) => {
      for (const [key, cell] of mergeAll(all)) {
        const open = new Set(cell.abertos.map(({ id }) => id))
        let state = EMPTY_CELL
        for (const one of all.filter(({ parcela }) => key.startsWith(`${parcela} `))) {
          const before = state
          const { cell: after, estado } = mergeChange(state, one)
          state = after
          const { atual } = before
          if (estado === 'aplicado' && atual.id !== null)
            expect(
              one.base === atual.id ||
                before.iguais.includes(one.base ?? '') ||
                (atual.aparelho === one.aparelho && one.seq > (atual.seq ?? 0)),
            ).toBe(true)
          if (estado === 'conflito') expect(state.atual).toEqual(before.atual)
        }
        expect(new Set(state.abertos.map(({ id }) => id))).toEqual(open)
      }
    }),
    { numRuns: 300 },
  )
})

test.each([
  ['an empty cell is filled', null, { valor: 95 }, 'aplicado', 95],
  ['the same value is the same', 92, { valor: 92 }, 'igual', 92],
  ['the own later one counts', 92, { valor: 95, quando: 20 }, 'aplicado', 95],
  ['the own earlier one is history only', 92, { valor: 95, quando: 5 }, 'igual', 92],
  ["another's is a conflict", 92, { valor: 95, quando: 20, aparelho: 'x' }, 'conflito', 92],
  [
    'who names the record and is later changes it',
    92,
    { valor: 95, quando: 20, aparelho: 'x', named: true },
    'aplicado',
    95,
  ],
  [
    'who names it and is earlier does not',
    92,
    { valor: 95, quando: 5, aparelho: 'x', named: true },
    'conflito',
    92,
  ],
])('where nothing tells what was seen: %s', (_, stands, given, estado, valor) => {
  const cell = stands === null ? EMPTY_CELL : mergeChange(EMPTY_CELL, change({ id: 'a', valor: stands })).cell
  const answer = mergeUnbased(
    cell,
    { ...change({ id: 'b' }), pessoa: 'p', quando: 20, named: false, ...given },
    { pessoa: 'p', quando: stands === null ? null : 10 },
  )
  expect(answer.estado).toBe(estado)
  expect(answer.cell.atual.valor).toBe(valor)
})
