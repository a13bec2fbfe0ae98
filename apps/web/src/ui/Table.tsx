import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react'
import type { HTMLAttributes, ReactNode, TdHTMLAttributes } from 'react'
import { classes } from './classes.ts'

/** A table that scrolls inside its own frame, never the page. */
export function Table({
  label,
  className,
  children,
}: {
  label: string
  className?: string
  children: ReactNode
}) {
  return (
    <div tabIndex={0} className={classes('table-frame relative max-w-full overflow-auto', className)}>
      <table className="w-full border-collapse text-left">
        <caption className="sr-only">{label}</caption>
        {children}
      </table>
    </div>
  )
}

type HeadProps = {
  children: ReactNode
  className?: string
  numeric?: boolean
  sort?: { direction: 'asc' | 'desc' | null; onSort: () => void }
}

export function Head({ children, className, numeric, sort }: HeadProps) {
  const direction = sort?.direction
  return (
    <th
      scope="col"
      aria-sort={direction === 'asc' ? 'ascending' : direction === 'desc' ? 'descending' : undefined}
      className={classes(
        'sticky top-0 z-10 border-b border-line bg-surface px-3 py-2.5 text-small font-medium whitespace-nowrap text-muted first:pl-5 last:pr-5',
        numeric && 'text-right',
        className,
      )}
    >
      {sort ? (
        <button
          type="button"
          onClick={sort.onSort}
          className="inline-flex items-center gap-1 font-medium hover:text-text"
        >
          {children}
          {direction === 'asc' ? (
            <ArrowUp aria-hidden className="size-3.5" />
          ) : direction === 'desc' ? (
            <ArrowDown aria-hidden className="size-3.5" />
          ) : (
            <ArrowUpDown aria-hidden className="size-3.5 opacity-40" />
          )}
        </button>
      ) : (
        children
      )}
    </th>
  )
}

export function Row({ className, ...rest }: HTMLAttributes<HTMLTableRowElement>) {
  return <tr {...rest} className={classes('border-b border-line last:border-0', className)} />
}

export function Cell({
  numeric,
  className,
  ...rest
}: TdHTMLAttributes<HTMLTableCellElement> & { numeric?: boolean }) {
  return (
    <td
      {...rest}
      className={classes(
        'px-3 py-2.5 align-middle first:pl-5 last:pr-5',
        numeric && 'figures text-right whitespace-nowrap',
        className,
      )}
    />
  )
}
