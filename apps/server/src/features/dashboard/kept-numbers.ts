/**
 * What a figure is kept by: the numbers stand in `margens.filtro` and `margens.por`, in migrations and in data,
 * and never change. `whole` is the filter that lets everything through; product sets, alone or within a crop, only
 * filter; modalities, cities and documents are only counted.
 */
export const KEPT = {
  whole: 0,
  cultura: 1,
  ano: 2,
  regional: 3,
  marca: 4,
  bu: 5,
  consultoria: 6,
  conjunto: 7,
  modalidade: 8,
  cidade: 9,
  documento: 10,
  conjunto_cultura: 11,
} as const

/** What the key of a set within a crop is put together by: the set's number times it, plus the crop's. */
export const PER_SET = 65_536
