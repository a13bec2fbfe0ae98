import type { PhotoPlace } from '../photos.ts'
import { observationId } from './ids.ts'

/** What another application says of a photo, beside what is kept of every one. */
export interface ImageWords {
  imageName?: string | undefined
  imageFileName?: string | undefined
  copyright?: string | undefined
  descriptiveOntologyTerms?: readonly string[] | undefined
  externalReferences?: readonly Record<string, unknown>[] | undefined
  additionalInfo?: Record<string, unknown> | undefined
  observationDbIds?: readonly string[] | undefined
}

/** A photo as it is told of to other applications. */
export interface ToldImage {
  id: string
  parcela: string
  numero: number | null
  variavel: string | null
  avaliacao: string | null
  descricao: string | null
  quando: Date
  posicao: PhotoPlace | null
  tamanho: number | null
  largura: number | null
  altura: number | null
  dados: ImageWords
  /** From where it can be fetched; null until its bytes have come. */
  url: string | null
}

export const presentImage = (image: ToldImage) => ({
  additionalInfo: image.dados.additionalInfo ?? {},
  copyright: image.dados.copyright ?? null,
  description: image.descricao,
  descriptiveOntologyTerms: image.dados.descriptiveOntologyTerms ?? [],
  externalReferences: image.dados.externalReferences ?? [],
  imageDbId: image.id,
  imageFileName: image.dados.imageFileName ?? `${image.id}.jpg`,
  imageFileSize: image.tamanho,
  imageHeight: image.altura,
  imageLocation: image.posicao && {
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [image.posicao.lng, image.posicao.lat] },
  },
  imageName: image.dados.imageName ?? (image.numero === null ? image.id : `Parcela ${image.numero}`),
  imageTimeStamp: image.quando.toISOString(),
  imageURL: image.url,
  imageWidth: image.largura,
  mimeType: 'image/jpeg',
  observationDbIds:
    image.dados.observationDbIds ??
    (image.variavel === null ? [] : [observationId(image.parcela, image.variavel, image.avaliacao)]),
  observationUnitDbId: image.parcela,
})
