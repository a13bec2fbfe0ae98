import { brandColour, formatNumber, type ProductPerformance, priceText, reaisText } from '@ensaio/domain'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { useSetAddress } from '../../shell/address.ts'
import type { FilterKey } from '../../shell/filters.ts'
import { Field } from '../../ui/Field.tsx'
import { NumberInput } from '../../ui/Input.tsx'
import { Badge, Card, CardHeader, EmptyState } from '../../ui/Surface.tsx'
import { Cell, Head, Row, Table } from '../../ui/Table.tsx'
import { GainChart } from './GainChart.tsx'
import { meanShown } from './hidden-costs.ts'
import type { Measure } from './MeasureSwitch.tsx'
import { estimateOf, gainAxis, signed, type Unit } from './measure.ts'
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
  const groups = useMemo(() => rows.map(({ produto, gain }) => ({ chave: produto, ganho: gain })), [rows])
  const price = usePrice()
  const [traded] = unit.name.split('/')
  return (
    <>
      <GainChart
        title="Top 10 produtos por ganho"
        subtitle={`${axis.unit} · média dos tratamentos em que o produto estava, contra a Testemunha · primeiro os de 3 ou mais ensaios`}
        column="Produto"
        groups={groups}
        by="produto"
        order="given"
        note={mixed}
        empty={EMPTY}
        {...{ measure, unit, onToggle }}
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
