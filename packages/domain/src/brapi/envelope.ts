/** What every answer is wrapped in. */
export interface Status {
  messageType: 'DEBUG' | 'ERROR' | 'WARNING' | 'INFO'
  message: string
}
export interface Paging {
  page: number
  size: number
  total: number
  rows: number
}

export function envelope(result: unknown, paging: Paging | null, status: readonly Status[] = []) {
  const { page, size, total, rows } = paging ?? { page: 0, size: 1, total: 1, rows: 1 }
  return {
    '@context': null,
    metadata: {
      datafiles: [],
      status: [...status],
      pagination: {
        currentPage: page,
        pageSize: rows,
        totalCount: total,
        totalPages: Math.ceil(total / Math.max(1, size)),
      },
    },
    result,
  }
}
