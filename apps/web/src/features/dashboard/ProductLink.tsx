import { Link } from 'react-router'
import { useFilters } from '../../shell/filters.ts'
import { paths, withSearch } from '../../shell/paths.ts'

/** A product's name, which leads to its own page under the filters that stand. */
export function ProductLink({ product }: { product: string }) {
  const { filter } = useFilters()
  return (
    <Link
      to={withSearch(paths.product, { ...filter, produto: product })}
      className="text-accent underline-offset-4 hover:underline"
    >
      {product}
    </Link>
  )
}
