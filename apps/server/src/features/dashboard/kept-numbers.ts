/**
 * What a figure is kept by: the numbers stand in `margens.filtro` and `margens.por`, in migrations and in data,
 * and never change. `whole` is the filter that lets everything through; a product set only filters, modalities,
 * cities and documents are only counted.
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
} as const
