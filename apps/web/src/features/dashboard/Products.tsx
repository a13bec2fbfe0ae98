import { brandColour, formatNumber, type ProductPerformance } from '@ensaio/domain'
import { memo, useMemo } from 'react'
import { ChartCard } from '../../charts/ChartCard.tsx'
import type { Axis, Datum } from '../../charts/data.ts'
import { useSetAddress } from '../../shell/address.ts'
import type { FilterKey } from '../../shell/filters.ts'
import { Badge, Card, CardHeader, EmptyState } from '../../ui/Surface.tsx'
import { Cell, Head, Row, Table } from '../../ui/Table.tsx'
import { meanShown } from './hidden-costs.ts'
import { ProductLink } from './ProductLink.tsx'

const RETURN: Axis = { name: 'ROI médio', unit: 'R$/ha', decimals: 2 }
const EMPTY = 'Nenhum dado de performance encontrado'

type Props = {
  products: readonly ProductPerformance[]
  /** Of how many trials costs and returns are known, where not of all. */
  hidden: string | undefined
  chosen: string | null
  onToggle: (key: FilterKey, value: string) => void
}

/** The ten products with the highest mean return, as a chart and as a table. */
export const Products = memo(function Products({ products, hidden, chosen, onToggle }: Props) {
  const write = useSetAddress({ replace: false })
  const ranked = useMemo(() => products.filter((product) => product.roiMedio !== null), [products])
  const picture = useMemo(() => {
    const data: Datum[] = ranked.map((product) => ({
      key: product.produto,
      label: product.produto,
      value: product.roiMedio ?? 0,
      colour: brandColour(product.marca),
      detail: `${product.marca} · ${formatNumber(product.experimentos, 0)} exp.`,
    }))
    return { data, axis: RETURN, selected: chosen }
  }, [ranked, chosen])
  return (
    <div className="grid gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,4fr)]">
      <ChartCard
        title="Top 10 produtos por ROI médio"
        subtitle={[
          'R$/ha · o ROI do ensaio inteiro conta para cada produto aplicado nele; não é o ganho do produto',
          hidden,
        ]
          .filter(Boolean)
          .join(' · ')}
        picture={picture}
        empty={EMPTY}
        onPick={(index) => {
          const product = ranked[index]
          if (product) onToggle('produto', product.produto)
        }}
        table={{
          columns: [{ name: 'Produto' }, { name: 'ROI médio (R$/ha)', numeric: true }],
          count: ranked.length,
          rows: () =>
            ranked.map((product) => ({
              key: product.produto,
              cells: [product.produto, formatNumber(product.roiMedio, 2)],
              onPick: () => onToggle('produto', product.produto),
            })),
        }}
      />
      <Card>
        <CardHeader
          title="Performance de produtos"
          subtitle={[
            'Médias por hectare · o ROI é o do ensaio inteiro, creditado a cada produto aplicado nele',
            hidden,
          ]
            .filter(Boolean)
            .join(' · ')}
          level={3}
        />
        {products.length === 0 ? (
          <EmptyState title={EMPTY} />
        ) : (
          <Table label="Médias de cada um" className="[&_td]:px-2 [&_th]:px-2">
            <thead>
              <tr>
                <Head>Produto</Head>
                <Head numeric>Experimentos</Head>
                <Head numeric>ROI médio</Head>
                <Head numeric>Custo médio</Head>
                <Head>Marca</Head>
                <Head className="!whitespace-normal">Contra a Testemunha</Head>
              </tr>
            </thead>
            <tbody>
              {products.map((product) => (
                <Row key={product.produto}>
                  <Cell className="min-w-36 font-medium">
                    <ProductLink product={product.produto} />
                  </Cell>
                  <Cell numeric>{formatNumber(product.experimentos, 0)}</Cell>
                  <Cell numeric>{meanShown(product.roiMedio, hidden)}</Cell>
                  <Cell numeric>{meanShown(product.custoMedio, hidden)}</Cell>
                  <Cell>
                    <Badge dot={brandColour(product.marca)}>{product.marca}</Badge>
                  </Cell>
                  <Cell className="whitespace-nowrap">
                    <button
                      type="button"
                      className="text-accent underline-offset-4 hover:underline"
                      onClick={() => write({ aba: 'synthesis', comparar: product.produto })}
                    >
                      Ver síntese
                      <span className="sr-only"> de {product.produto}</span>
                    </button>
                  </Cell>
                </Row>
              ))}
            </tbody>
          </Table>
        )}
      </Card>
    </div>
  )
})
