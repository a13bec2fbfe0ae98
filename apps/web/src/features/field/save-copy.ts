import { copyText } from '../../field-store/copy-file.ts'
import { zipOf } from '../../field-store/copy-zip.ts'
import type { OwnEntry, OwnPhoto } from '../../field-store/database.ts'
import { downloadBlob } from '../../ui/download.ts'

/** How a copy left the page: a download may still be refused by the browser, which says nothing of it. */
export type Saved = 'shared' | 'downloaded' | null

/** The entries, and the pictures that are here, as one file. */
export async function saveCopy(
  entries: readonly OwnEntry[],
  pictures: readonly OwnPhoto[] = [],
): Promise<Saved> {
  const day = new Date().toISOString().slice(0, 16).replace(/[T:]/g, '-')
  const file =
    pictures.length > 0
      ? new File([await zipOf(entries, pictures)], `ensaio-campo-${day}.zip`, { type: 'application/zip' })
      : new File([copyText(entries)], `ensaio-campo-${day}.csv`, { type: 'text/csv' })
  return handOver(file, 'Cópia do Ensaio Campo')
}

/** A file by the phone's own sheet for sharing, else as a download; null where the person gave up. */
export async function handOver(file: File, title: string): Promise<Saved> {
  if (navigator.canShare?.({ files: [file] }) && matchMedia('(pointer: coarse)').matches) {
    try {
      await navigator.share({ files: [file], title })
      return 'shared'
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return null
    }
  }
  downloadBlob(file.name, file)
  return 'downloaded'
}
