import { copyText, readCopy } from './copy-file.ts'
import type { OwnEntry, OwnPhoto } from './database.ts'

const LIST = 'registros.csv'
const FOLDER = 'fotos/'
const ID = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jpg$/
/** Of a file that is read in: many pictures of many plots. */
const MOST_BYTES = 2_000_000_000

/** 'parcela-101-2026-03-12-….jpg': which plot it is of is read without the list, too. */
export const pictureName = ({ id, parcela, quando }: OwnPhoto): string =>
  `parcela-${(parcela ?? 'sem').replace(/[^\w-]/g, '_')}-${quando.slice(0, 10)}-${id}.jpg`

/** The entries and the pictures as one file. */
export async function zipOf(entries: readonly OwnEntry[], pictures: readonly OwnPhoto[]): Promise<Blob> {
  const { strToU8, zipSync } = await import('fflate')
  const files: Record<string, Uint8Array> = { [LIST]: strToU8(copyText(entries)) }
  for (const picture of pictures) {
    // One that the phone cannot read any more never holds the others back.
    const bytes = await picture.blob.arrayBuffer().catch(() => null)
    if (bytes) files[FOLDER + pictureName(picture)] = new Uint8Array(bytes)
  }
  // Pictures are packed already.
  return new Blob([zipSync(files, { level: 0 }).slice()], { type: 'application/zip' })
}

/** What a copy holds, with pictures or without; null where it is none. */
export async function readCopyFile(
  file: Blob,
): Promise<{ entries: OwnEntry[]; pictures: ReadonlyMap<string, Blob> } | null> {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  if (head[0] !== 0x50 || head[1] !== 0x4b) {
    const entries = readCopy(await file.text())
    return entries && { entries, pictures: new Map() }
  }
  if (file.size > MOST_BYTES) return null
  try {
    const { strFromU8, unzipSync } = await import('fflate')
    const files = unzipSync(new Uint8Array(await file.arrayBuffer()))
    const list = files[LIST]
    const entries = list && readCopy(strFromU8(list))
    if (!entries) return null
    const pictures = Object.entries(files).flatMap(([name, bytes]): [string, Blob][] => {
      const id = ID.exec(name)?.[1]
      return id === undefined ? [] : [[id, new Blob([bytes.slice()], { type: 'image/jpeg' })]]
    })
    return { entries, pictures: new Map(pictures) }
  } catch {
    return null
  }
}
