import { formatCurrency, formatNumber, HIDDEN, type Overview } from '@ensaio/domain'

/** Over how many trials costs and returns are, where not all show them. */
export const hiddenCosts = (data: Pick<Overview, 'total' | 'com_custos'> | undefined): string | undefined =>
  data && data.com_custos < data.total
    ? `ROI de ${formatNumber(data.com_custos, 0)} de ${formatNumber(data.total, 0)} ensaios; nos demais os custos estão ocultos.`
    : undefined

/** A mean that there is none of is hidden, not missing, where some do not show theirs. */
export const meanShown = (mean: number | null, hidden: string | undefined): string =>
  mean === null && hidden !== undefined ? HIDDEN : formatCurrency(mean)
