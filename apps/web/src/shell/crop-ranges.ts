import type { CropRange } from '@ensaio/domain/advice'
import { useMemo } from 'react'
import { useEndpoint } from '../api/queries.ts'
import { useSource } from '../api/source.ts'

const FRESH_MS = 10 * 60_000

/** The ranges of yields that hold on this server; undefined, while they are not known, stands for the shipped ones. */
export function useCropRanges(): readonly CropRange[] | undefined {
  const demo = useSource().name === 'demo'
  const { data } = useEndpoint('cropRanges', {}, { staleTime: FRESH_MS, enabled: !demo })
  return useMemo(
    () =>
      data?.faixas.map(({ fonte, endereco, publicada, ...range }) => ({
        ...range,
        fonte: { titulo: fonte, endereco, data: publicada, lido_em: '' },
      })),
    [data],
  )
}
