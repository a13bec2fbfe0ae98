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
import { Field } from '../../ui/Field.tsx'
import { Select } from '../../ui/Input.tsx'
import { Card, CardHeader } from '../../ui/Surface.tsx'

/** Of the cell that is furthest from zero: as much colour as the text over it bears. */
const MOST_COLOUR = 34
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
  const most = Math.max(...grid.ganhos_rs_ha.flat().map(Math.abs), 1)
  const name = treatmentText(line.nivel, answer.nomes)
  return (
    <Card>
      <CardHeader
        title="Preço × produtividade"
        subtitle={`${name} · ganho líquido, R$/ha · de −20 a +20 % do preço e da produtividade`}
        level={3}
        actions={
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
        }
      />
      <div className="flex flex-col gap-3 px-5 pb-5">
        <p className="font-medium">Paga em {formatNumber(Math.round(100 * grid.paga), 0)} % dos casos.</p>
        <div tabIndex={0} className="table-frame relative overflow-x-auto">
          <table className="figures w-full min-w-[34rem] border-separate border-spacing-0.5 text-small">
            <caption className="sr-only">
              Ganho líquido de {name} em R$ por hectare, por variação da produtividade (linhas) e do preço
              (colunas)
            </caption>
            <thead>
              <tr>
                <th scope="col" className="px-1 text-left font-medium text-muted">
                  Prod. \ Preço
                </th>
                {grid.precos_percent.map((price) => (
                  <th key={price} scope="col" className="px-1 text-right font-medium text-muted">
                    {signed(price)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {grid.ganhos_rs_ha.map((row, at) => {
                const change = grid.rendimentos_percent[at] ?? 0
                return (
                  <tr key={change}>
                    <th scope="row" className="px-1 text-left font-medium text-muted">
                      {signed(change)}
                    </th>
                    {row.map((gain, column) => {
                      const share = Math.round((MOST_COLOUR * Math.abs(gain)) / most)
                      const tone = gain > 0 ? 'var(--accent)' : 'var(--warn)'
                      const here = change === 0 && grid.precos_percent[column] === 0
                      return (
                        <td
                          key={grid.precos_percent[column]}
                          title={reaisText(gain)}
                          className={`data-colour rounded-sm px-1.5 py-1 text-right ${here ? 'font-semibold outline-2 outline-text' : ''}`}
                          style={{ backgroundColor: `color-mix(in srgb, ${tone} ${share}%, var(--surface))` }}
                        >
                          {formatFixed(gain, 0)}
                        </td>
                      )
                    })}
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
        <p className="text-small text-muted">
          A produtividade muda no tratamento e na Testemunha juntos; os custos ficam os mesmos.
        </p>
      </div>
    </Card>
  )
})
