import { type CellChange, holdsText, type PlotValue } from '@ensaio/domain'
import type { Draft } from './sheet-state.ts'

/** More are sent as a whole sheet. */
const MOST_CELLS = 5000

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Everything of a sheet but its values and its version. */
const frameOf = ({ valores: _, textos: __, versao: ___, ...frame }: Draft) => ({
  ...frame,
  exclusoes: frame.exclusoes.map(({ parcela, variavel, avaliacao, motivo }) => [
    parcela,
    variavel,
    avaliacao,
    motivo,
  ]),
})

/** The cells that were typed over what was read; null where more than cells has changed. */
export function changedCells(base: Draft, draft: Draft): CellChange[] | null {
  if (base.versao === 0 || !same(frameOf(base), frameOf(draft))) return null
  const cells: CellChange[] = []
  for (const { variavel, avaliacao, valores } of draft.valores) {
    const before = base.valores.find((one) => one.variavel === variavel && one.avaliacao === avaliacao)
    if (!before) return null
    for (const [at, { numero }] of draft.parcelas.entries()) {
      const [antes, valor]: (PlotValue | null)[] = [before.valores[at] ?? null, valores[at] ?? null]
      if (same(antes, valor)) continue
      cells.push({ parcela: numero, variavel, avaliacao, antes: antes ?? null, valor: valor ?? null })
    }
  }
  cells.push(...changedWords(base, draft))
  return base.valores.length === draft.valores.length && cells.length <= MOST_CELLS ? cells : null
}

/** The same of variables that hold words or days, which a whole sheet does not carry. */
export function changedWords(base: Draft, draft: Draft): CellChange[] {
  const rows = new Map(base.parcelas.map(({ numero }, row) => [numero, row]))
  const worded = new Set(draft.variaveis.flatMap((one) => (holdsText(one) ? [one.chave] : [])))
  const columns = new Set(draft.valores.map((one) => `${one.variavel} ${one.avaliacao}`))
  return (draft.textos ?? []).flatMap(({ variavel, avaliacao, textos }) => {
    // A column that went, or holds numbers now, has no words.
    if (!worded.has(variavel) || !columns.has(`${variavel} ${avaliacao}`)) return []
    const before = base.textos?.find((one) => one.variavel === variavel && one.avaliacao === avaliacao)
    return draft.parcelas.flatMap(({ numero }, at): CellChange[] => {
      const [antes, valor] = [before?.textos[rows.get(numero) ?? -1] ?? null, textos[at] ?? null]
      return antes === valor ? [] : [{ parcela: numero, variavel, avaliacao, antes, valor }]
    })
  })
}
