import { type Experiment, walkOrder } from '@ensaio/domain'
import { Printer } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Input.tsx'
import type { Column, Draft } from './sheet-state.ts'

/** The sheet that goes to the field: plots in walking order, a block a page, blank columns to write into. */
export function FieldSheet({
  experiment,
  draft,
  columns,
  onBack,
}: {
  experiment: Experiment
  draft: Draft
  columns: readonly Column[]
  onBack: () => void
}) {
  const [blind, setBlind] = useState(false)
  const [serpentine, setSerpentine] = useState(draft.croqui?.serpentina ?? true)
  const order = walkOrder(draft.parcelas, serpentine)
  const blocks = [...new Set(order.map((at) => draft.parcelas[at]?.bloco ?? null))]
  const blank = columns.filter(({ derived }) => !derived)
  return (
    <div className="flex flex-col gap-6">
      <div className="no-print flex flex-wrap items-center gap-4">
        <Button onClick={onBack}>Voltar</Button>
        <Checkbox label="Às cegas" checked={blind} onChange={(event) => setBlind(event.target.checked)} />
        <Checkbox
          label="Caminhamento em serpentina"
          checked={serpentine}
          onChange={(event) => setSerpentine(event.target.checked)}
        />
        <Button
          variant="primary"
          icon={<Printer aria-hidden className="size-4" />}
          onClick={() => window.print()}
        >
          Imprimir ficha
        </Button>
      </div>
      {blocks.map((block, at) => (
        <section key={block ?? 0} className={at < blocks.length - 1 ? 'break-after-page' : ''}>
          <h2 className="pb-2 font-semibold">
            {experiment.nome}
            {block !== null && ` · bloco ${block}`}
          </h2>
          <div tabIndex={0} className="table-frame relative overflow-x-auto">
            <table className="figures w-full border-collapse text-left">
              <caption className="sr-only">Ficha de campo{block !== null && `, bloco ${block}`}</caption>
              <thead>
                <tr>
                  {['Parcela', 'Trat.', ...(blind ? [] : ['Nome'])].map((name) => (
                    <th
                      key={name}
                      scope="col"
                      className="border border-line-strong px-2 py-1 text-small font-medium"
                    >
                      {name}
                    </th>
                  ))}
                  {blank.map(({ title }) => (
                    <th
                      key={title}
                      scope="col"
                      className="min-w-24 border border-line-strong px-2 py-1 text-small font-medium"
                    >
                      {title}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {order.map((place) => {
                  const plot = draft.parcelas[place]
                  if (!plot || plot.bloco !== block) return null
                  return (
                    <tr key={plot.numero} className="h-9">
                      <td className="border border-line-strong px-2 font-semibold">{plot.numero}</td>
                      <td className="border border-line-strong px-2">T{plot.tratamento}</td>
                      {!blind && (
                        <td className="border border-line-strong px-2">
                          {experiment.tratamentos[plot.tratamento - 1]?.nome}
                        </td>
                      )}
                      {blank.map(({ title }) => (
                        <td key={title} className="border border-line-strong px-2" />
                      ))}
                    </tr>
                  )
                })}
              </tbody>
            </table>
          </div>
        </section>
      ))}
    </div>
  )
}
