import type { Gain, Group } from '@ensaio/domain'

/** What a chart can be grouped by. */
export type Grouping = 'cultura' | 'marca' | 'regional' | 'bu' | 'ano'

export interface Totals {
  total: number
  produtividade_media: number | null
  roi_medio: number | null
  /** Experiments with a clay content. */
  com_argila: number
  /** Experiments that show their costs and returns. */
  com_custos: number
  ganho: Gain | null
}

export interface Figures {
  totals: Totals
  by: Record<Grouping, Group[]>
}

/** A row of one statement that answers the cards (`por` null) and every chart. */
export type FigureRow = Group & { por: Grouping | null; com_argila: number; com_custos: number }

export function figuresOf(rows: readonly FigureRow[]): Figures {
  const whole = rows.find(({ por }) => por === null)
  const of = (wanted: Grouping): Group[] =>
    rows.flatMap(({ por, com_argila: _, com_custos: _costs, ...group }) => (por === wanted ? [group] : []))
  return {
    totals: {
      total: whole?.n ?? 0,
      produtividade_media: whole?.produtividade_media ?? null,
      roi_medio: whole?.roi_medio ?? null,
      com_argila: whole?.com_argila ?? 0,
      com_custos: whole?.com_custos ?? 0,
      ganho: whole?.ganho ?? null,
    },
    by: {
      cultura: of('cultura'),
      marca: of('marca'),
      regional: of('regional'),
      bu: of('bu'),
      ano: of('ano'),
    },
  }
}
