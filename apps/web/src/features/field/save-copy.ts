import { copyText } from '../../field-store/copy-file.ts'
import type { OwnEntry } from '../../field-store/database.ts'

/** By the phone's own sheet for sharing, else as a download; false where the person gave up. */
export async function saveCopy(entries: readonly OwnEntry[]): Promise<boolean> {
  const day = new Date().toISOString().slice(0, 16).replace(/[T:]/g, '-')
  const file = new File([copyText(entries)], `ensaio-campo-${day}.csv`, { type: 'text/csv' })
  if (navigator.canShare?.({ files: [file] }) && matchMedia('(pointer: coarse)').matches) {
    try {
      await navigator.share({ files: [file], title: 'Cópia do Ensaio Campo' })
      return true
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return false
    }
  }
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = file.name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
  return true
}
