import { copyText } from '../../field-store/copy-file.ts'
import type { OwnEntry, OwnPhoto } from '../../field-store/database.ts'
import { downloadBlob } from '../../ui/download.ts'

/**
 * The entries as one file, and pictures as their own, by the phone's own sheet for sharing, else as downloads; false
 * where the person gave up.
 */
export async function saveCopy(
  entries: readonly OwnEntry[],
  pictures: readonly OwnPhoto[] = [],
): Promise<boolean> {
  const day = new Date().toISOString().slice(0, 16).replace(/[T:]/g, '-')
  const files = [
    new File([copyText(entries)], `ensaio-campo-${day}.csv`, { type: 'text/csv' }),
    ...pictures.map(({ id, blob }) => new File([blob], `foto-${id}.jpg`, { type: blob.type })),
  ]
  if (navigator.canShare?.({ files }) && matchMedia('(pointer: coarse)').matches) {
    try {
      await navigator.share({ files, title: 'Cópia do Ensaio Campo' })
      return true
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return false
    }
  }
  for (const file of files) downloadBlob(file.name, file)
  return true
}
