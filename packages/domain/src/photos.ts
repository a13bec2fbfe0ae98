import { z } from 'zod'

/** Where a photo was taken, as far as the phone knew: degrees, and metres around. */
export const PhotoPlace = z.object({
  lat: z.number(),
  lng: z.number(),
  precisao_m: z.number().nullable(),
  quando: z.string().nullable(),
})
export type PhotoPlace = z.output<typeof PhotoPlace>

/** A photo of a plot that is whole on the server. */
export const Photo = z.object({
  id: z.string(),
  /** Id and number; null where the plot is no more. */
  parcela: z.string().nullable(),
  numero: z.number().nullable(),
  variavel: z.string().nullable(),
  avaliacao: z.string().nullable(),
  descricao: z.string().nullable(),
  quando: z.string(),
  quem: z.string().nullable(),
  posicao: PhotoPlace.nullable(),
  /** Bytes and pixels. */
  tamanho: z.number(),
  largura: z.number(),
  altura: z.number(),
})
export type Photo = z.output<typeof Photo>

/** How much of a photo has come: it goes on from there; the hash is of what was sent, once that is whole and kept. */
export const PhotoProgress = z.object({
  recebido: z.number(),
  pronto: z.boolean(),
  sha256: z.string().nullable(),
})
export type PhotoProgress = z.output<typeof PhotoProgress>
