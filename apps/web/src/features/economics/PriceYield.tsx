import {
  byGain,
  type EconomicAnswer,
  formatFixed,
  formatNumber,
  reaisText,
  treatmentText,
} from '@ensaio/domain'
import { gainGrid } from '@ensaio/statistics/economics'
import { memo, useState } from 'react'
import { ChartCard } from '../../charts/ChartCard.tsx'
import { type HeatParts, heat, heatHeight, MOST_COLOUR } from '../../charts/heat.ts'
import { Field } from '../../ui/Field.tsx'
import { Select } from '../../ui/Input.tsx'

const PICTURE_WIDTH = 720
const CORNER = 'Prod. \\ Preço'
const signed = (percent: number) => `${percent > 0 ? '+' : ''}${formatFixed(percent, 0)} %`

/** What one treatment leaves when price and yields are others: a heat table. */
export const PriceYield = memo(({ answer }: { answer: EconomicAnswer }) => {
  const [chosen, setChosen] = useState('')
  const options = byGain(answer.linhas)
  const line = options.find(({ nivel }) => nivel === chosen) ?? options[0]
  if (line?.incremento_un_ha == null || line.custo_incremental_rs_ha == null) return null
  const grid = gainGrid({
    unidades_ha: line.incremento_un_ha,
    custo_rs_ha: line.custo_incremental_rs_ha,
    preco: answer.preco,
  })
  const name = treatmentText(line.nivel, answer.nomes)
  const parts: HeatParts = {
    corner: CORNER,
    columns: grid.precos_percent.map(signed),
    rows: grid.ganhos_rs_ha.map((gains, row) => ({
      name: signed(grid.rendimentos_percent[row] ?? 0),
      cells: gains.map((value, column) => ({
        ...{ value, text: formatFixed(value, 0) },
        here: grid.rendimentos_percent[row] === 0 && grid.precos_percent[column] === 0,
      })),
    })),
  }
  return (
    <ChartCard
      title="Preço × produtividade"
      subtitle={`${name} · ganho líquido, R$/ha · de −20 a +20 % do preço e da produtividade`}
      picture={{
        drawn: { draw: heat(parts), size: { width: PICTURE_WIDTH, height: heatHeight(parts) } },
        element: (
          <div className="flex flex-col gap-3">
            <div className="flex flex-wrap items-center justify-between gap-3">
              <p className="font-medium">
                Paga em {formatNumber(Math.round(100 * grid.paga), 0)} % dos casos.
              </p>
              <Field label="Tratamento do mapa" hiddenLabel>
                {(control) => (
                  <Select
                    {...control}
                    value={line.nivel}
                    options={options.map(({ nivel }) => ({
                      value: nivel,
                      label: treatmentText(nivel, answer.nomes),
                    }))}
                    onChange={(event) => setChosen(event.target.value)}
                  />
                )}
              </Field>
            </div>
            <HeatTable parts={parts} name={name} />
          </div>
        ),
      }}
      table={{
        columns: [{ name: CORNER }, ...parts.columns.map((price) => ({ name: price, numeric: true }))],
        count: parts.rows.length,
        rows: () =>
          parts.rows.map((row) => ({
            key: row.name,
            cells: [row.name, ...row.cells.map(({ text }) => text)],
          })),
      }}
      note="A produtividade muda no tratamento e na Testemunha juntos; os custos ficam os mesmos."
    />
  )
})

function HeatTable({ parts: { corner, columns, rows }, name }: { parts: HeatParts; name: string }) {
  const most = Math.max(1, ...rows.flatMap(({ cells }) => cells.map(({ value }) => Math.abs(value))))
  return (
    <div tabIndex={0} className="table-frame relative overflow-x-auto">
      <table className="figures w-full min-w-[38rem] table-fixed border-separate border-spacing-0.5 text-small">
        <caption className="sr-only">
          Ganho líquido de {name} em R$ por hectare, por variação da produtividade (linhas) e do preço
          (colunas)
        </caption>
        <thead>
          <tr>
            <th scope="col" className="px-1 text-left font-medium text-muted">
              {corner}
            </th>
            {columns.map((price) => (
              <th key={price} scope="col" className="px-1 text-right font-medium text-muted">
                {price}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <th scope="row" className="px-1 text-left font-medium text-muted">
                {row.name}
              </th>
              {row.cells.map(({ value, text, here }, column) => {
                const share = Math.round((MOST_COLOUR * Math.abs(value)) / most)
                const tone = value > 0 ? 'var(--accent)' : 'var(--warn)'
                return (
                  <td
                    key={columns[column]}
                    title={reaisText(value)}
                    className={`data-colour rounded-sm px-1.5 py-1 text-right ${here ? 'font-semibold outline-2 outline-text' : ''}`}
                    style={{ backgroundColor: `color-mix(in srgb, ${tone} ${share}%, var(--surface))` }}
                  >
                    {text}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
