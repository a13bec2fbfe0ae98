import { brandColour, formatNumber, type ProductPerformance, priceText, reaisText } from '@ensaio/domain'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { ChartCard } from '../../charts/ChartCard.tsx'
import { intervals, intervalsHeight } from '../../charts/plot.ts'
import { useSetAddress } from '../../shell/address.ts'
import type { FilterKey } from '../../shell/filters.ts'
import { Field } from '../../ui/Field.tsx'
import { NumberInput } from '../../ui/Input.tsx'
import { Badge, Card, CardHeader, EmptyState } from '../../ui/Surface.tsx'
import { Cell, Head, Row, Table } from '../../ui/Table.tsx'
import { meanShown } from './hidden-costs.ts'
import type { Measure } from './MeasureSwitch.tsx'
import { estimateOf, gainAxis, intervalText, signed, trialsText, type Unit, winsText } from './measure.ts'
import { ProductLink } from './ProductLink.tsx'

const EMPTY = 'Nenhum produto com comparação'
const HIGHEST_PRICE = 1e6

type Props = {
  products: readonly ProductPerformance[]
  crop: string | null
  measure: Measure
  unit: Unit
  hidden: string | undefined
  mixed: string | undefined
  chosen: string | null
  onToggle: (key: FilterKey, value: string) => void
}

/** The ten products whose treatments gained most; with a price, what they leave and from where on they pay. */
export function GainProducts({ products, crop, measure, unit, hidden, mixed, chosen, onToggle }: Props) {
  const axis = gainAxis(measure, unit)
  const rows = useMemo(
    () =>
      products.flatMap((product) => {
        const gain = product.ganho
        const estimate = gain && estimateOf(gain, measure, unit)
        return gain && estimate ? [{ ...product, gain, estimate }] : []
      }),
    [products, measure, unit],
  )
  const picture = useMemo(
    () => ({
      draw: intervals(
        rows.map(({ produto, gain, estimate }) => ({
          key: produto,
          label: produto,
          mark: `${formatNumber(gain.vitorias, 0)} de ${formatNumber(gain.diferentes, 0)}`,
          value: estimate.value,
          low: estimate.low,
          high: estimate.high,
          tip: [
            `${signed(estimate.value, axis.decimals)} ${axis.unit}`,
            ...(estimate.low === null ? [] : [`IC 95 %: ${intervalText(estimate, axis.decimals)}`]),
            `${trialsText(gain.n)} · ${winsText(gain)}`,
          ],
        })),
        axis,
        0,
        { bars: true },
      ),
      height: intervalsHeight(rows.length),
    }),
    [rows, axis],
  )
  const price = usePrice()
  const [traded] = unit.name.split('/')
  return (
    <>
      <ChartCard
        title="Top 10 produtos por ganho"
        subtitle={`${axis.unit} · média dos tratamentos em que o produto estava, contra a Testemunha · primeiro os de 3 ou mais ensaios`}
        picture={picture}
        empty={EMPTY}
        {...(mixed === undefined ? {} : { note: mixed })}
        onPick={(at) => {
          const row = rows[at]
          if (row) onToggle('produto', row.produto)
        }}
        table={{
          columns: [
            { name: 'Produto' },
            { name: 'Ensaios', numeric: true },
            { name: `Ganho (${axis.unit})`, numeric: true },
            { name: 'IC 95 %', numeric: true },
            { name: 'Venceu', numeric: true },
          ],
          count: rows.length,
          rows: () =>
            rows.map(({ produto, gain, estimate }) => ({
              key: produto,
              cells: [
                produto,
                formatNumber(gain.n, 0),
                signed(estimate.value, axis.decimals),
                intervalText(estimate, axis.decimals),
                `${formatNumber(gain.vitorias, 0)} de ${formatNumber(gain.diferentes, 0)}`,
              ],
              onPick: () => onToggle('produto', produto),
            })),
        }}
      />
      <Card className="lg:col-span-2">
        <CardHeader
          title="Quanto cada produto deixa"
          subtitle={[
            crop === null
              ? 'Escolha uma cultura para pôr um preço'
              : `${crop} · ganho × preço menos o custo médio por aplicação`,
            hidden,
          ]
            .filter(Boolean)
            .join(' · ')}
          level={3}
        />
        {crop !== null && unit.kg > 1 && (
          <div className="max-w-80 px-5 pb-4">
            <Field label={`Preço da cultura (R$/${traded})`}>
              {(control) => (
                <NumberInput
                  {...control}
                  money
                  value={price.value}
                  onValue={(value) => {
                    if (value !== undefined) price.set(value)
                  }}
                />
              )}
            </Field>
          </div>
        )}
        {rows.length === 0 ? (
          <EmptyState title={EMPTY} />
        ) : (
          <Table label="Ganho e margem de cada produto">
            <thead>
              <tr>
                <Head>Produto</Head>
                <Head numeric>Venceu</Head>
                <Head numeric>Ganho ({axis.unit})</Head>
                <Head numeric>Custo médio</Head>
                <Head numeric>Margem (R$/ha)</Head>
                <Head numeric>Paga a partir de</Head>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ produto, gain, estimate, custoMedio, marca }) => {
                const units = crop === null ? null : gain.media / unit.kg
                const known = price.value !== null && units !== null && unit.kg > 1 && custoMedio !== null
                const margin = known ? units * (price.value ?? 0) - custoMedio : null
                return (
                  <Row key={produto} className={chosen === produto ? 'bg-sunken' : ''}>
                    <Cell className="min-w-36 font-medium">
                      <Badge dot={brandColour(marca)}>
                        <ProductLink product={produto} />
                      </Badge>
                    </Cell>
                    <Cell numeric>
                      {formatNumber(gain.vitorias, 0)} de {formatNumber(gain.diferentes, 0)}
                    </Cell>
                    <Cell numeric>{signed(estimate.value, axis.decimals)}</Cell>
                    <Cell numeric>{meanShown(custoMedio, hidden)}</Cell>
                    <Cell numeric className="font-semibold">
                      {margin === null ? '–' : `${margin > 0 ? '+' : ''}${reaisText(margin)}`}
                    </Cell>
                    <Cell numeric>
                      {known ? `${formatNumber(custoMedio / (price.value ?? 1), 2)} ${unit.name}` : '–'}
                    </Cell>
                  </Row>
                )
              })}
            </tbody>
          </Table>
        )}
        <p className="px-5 py-3 text-small text-muted">
          {price.value === null || crop === null
            ? 'Sem preço não há margem.'
            : `A ${priceText(price.value, traded ?? '')} (no endereço, não gravado), sem intervalo: a página do experimento e a síntese dizem quão certo é.`}
        </p>
      </Card>
    </>
  )
}

/** The crop's price that the address keeps. */
function usePrice() {
  const [search] = useSearchParams()
  const write = useSetAddress({ replace: true })
  const given = Number(search.get('preco_sc') ?? Number.NaN)
  return {
    value: given > 0 && given <= HIGHEST_PRICE ? given : null,
    set: (value: number | null) =>
      write({ preco_sc: value !== null && value > 0 && value <= HIGHEST_PRICE ? String(value) : '' }),
  }
}
