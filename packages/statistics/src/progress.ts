import type { Group, Progress } from './result.ts'

/**
 * Area under the disease progress curve of each plot by trapezia, sum of (y_i + y_(i+1))/2 (t_(i+1) - t_i) (SHANER;
 * FINNEY, 1977). `days` are day numbers in any order; `values[d][plot]` the values of day d. A plot that lacks any date
 * is null. `duracao` is in days. Null for fewer than two dates or repeated ones.
 */
export function progressPerPlot(
  days: readonly number[],
  values: readonly (readonly (number | null)[])[],
): { y: (number | null)[]; duracao: number; avaliacoes: number } | null {
  const order = days.map((_, i) => i).sort((a, b) => (days[a] as number) - (days[b] as number))
  const sorted = order.map((i) => days[i] as number)
  if (
    sorted.length < 2 ||
    sorted.some((day, i) => !Number.isFinite(day) || (i > 0 && day === sorted[i - 1]))
  ) {
    return null
  }
  const plots = Math.max(...values.map((list) => list.length), 0)
  const y = Array.from({ length: plots }, (_, plot) => {
    let area = 0
    for (let d = 0; d < order.length; d++) {
      const here = values[order[d] as number]?.[plot]
      if (typeof here !== 'number' || !Number.isFinite(here)) return null
      if (d === 0) continue
      const before = values[order[d - 1] as number]?.[plot] as number
      area += ((before + here) / 2) * ((sorted[d] as number) - (sorted[d - 1] as number))
    }
    return area
  })
  const duracao = (sorted[sorted.length - 1] as number) - (sorted[0] as number)
  return { y, duracao, avaliacoes: sorted.length }
}

/** Area of each level, area per day, and control in % of the check's: 100(1 - T/C). Original scale. */
export function progressSummary(
  group: Group,
  control: string | null,
  progress: { duracao: number; avaliacoes: number },
): Progress {
  const area = (nivel: string | null): number | null => {
    const m = group.medias.find((mean) => mean.nivel === nivel)
    return m ? (m.aritmetica ?? m.ajustada ?? m.media) : null
  }
  const check = area(control)
  const medias: Progress['medias'] = []
  for (const { nivel } of group.medias) {
    const aacpd = area(nivel)
    if (aacpd === null) continue
    medias.push({
      nivel,
      aacpd,
      relativa: progress.duracao > 0 ? aacpd / progress.duracao : 0,
      controle: check !== null && check > 0 ? 100 * (1 - aacpd / check) : null,
    })
  }
  return { duracao: progress.duracao, medias, avaliacoes: progress.avaliacoes }
}
