import type { Experiment } from '@ensaio/domain'
import { useMemo } from 'react'
import { AdviceNote, type Finding, useAdvice } from '../../shell/advice.tsx'
import type { Cell, Column, Draft } from './sheet-state.ts'

/** Of what is found in a sheet while it is typed; each leads to its cell. */
export function SheetAdvice({
  experiment,
  draft,
  columns,
  rows,
  onAt,
}: {
  experiment: Experiment
  draft: Draft
  columns: readonly Column[]
  rows: readonly number[]
  onAt: (cell: Cell) => void
}) {
  const facts = useMemo(
    () => ({
      cultura: experiment.cultura,
      ano: experiment.ano,
      tipo_estatistica: experiment.tipo_estatistica,
      ficha: { ...draft, exclusoes: draft.exclusoes.map((out) => ({ ...out, quem: null, quando: '' })) },
    }),
    [experiment, draft],
  )
  const found = useAdvice(facts)
  if (found.length === 0) return null
  const cellOf = ({ onde }: Finding): Cell | null => {
    const row = rows.findIndex((at) => draft.parcelas[at]?.numero === onde.parcela)
    const column = columns.findIndex(
      ({ variable, avaliacao }) => variable.chave === onde.variavel && avaliacao === onde.avaliacao,
    )
    return row < 0 ? null : { row, column: Math.max(0, column) }
  }
  return (
    <section
      aria-label="A conferir nas parcelas"
      className="flex flex-col gap-2 rounded-md border border-line p-4"
    >
      <h2 className="font-semibold">A conferir</h2>
      <ul className="flex flex-col gap-2 text-small">
        {found.map((finding) => {
          const cell = cellOf(finding)
          return (
            <li key={`${finding.codigo} ${JSON.stringify(finding.onde)} ${finding.valor}`}>
              <AdviceNote finding={finding} />
              {cell && (
                <button
                  type="button"
                  className="ml-5 text-accent underline-offset-4 hover:underline"
                  onClick={() => onAt(cell)}
                >
                  Ir para a parcela {finding.onde.parcela}
                </button>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
