import { LARGE_PHOTO_SIDE, PHOTO_SIDE } from '@ensaio/domain'
import { shrink } from './shrink.ts'

const LONGEST_MS = 60_000

/** A picture as it is kept, with its hash; null for what the phone cannot read as one. */
export async function pictureOf(
  file: Blob,
  { large }: { large: boolean },
): Promise<{ blob: Blob; sha256: string } | null> {
  const side = large ? LARGE_PHOTO_SIDE : PHOTO_SIDE
  // Where a worker draws nothing, as on older iPhones, the page does.
  const blob = (await inWorker(file, side)) ?? (await shrink(file, side).catch(() => null))
  if (!blob || blob.size === 0) return null
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()))
  return { blob, sha256: [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('') }
}

function inWorker(file: Blob, side: number): Promise<Blob | null> {
  const worker = new Worker(new URL('./shrink-worker.ts', import.meta.url), { type: 'module' })
  let tooLong: ReturnType<typeof setTimeout> | undefined
  return new Promise<Blob | null>((done, fail) => {
    // What takes so long there takes no less here.
    tooLong = setTimeout(() => fail(new Error('too long')), LONGEST_MS)
    worker.addEventListener('message', ({ data }: MessageEvent<Blob | null>) => done(data))
    worker.addEventListener('error', () => done(null))
    worker.postMessage({ file, side })
  }).finally(() => {
    clearTimeout(tooLong)
    worker.terminate()
  })
}
