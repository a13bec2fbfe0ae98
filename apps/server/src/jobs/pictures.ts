import { Worker } from 'node:worker_threads'
import { problem } from '@ensaio/domain'
import { places } from '../places.ts'
import { pictureHead } from './picture-head.ts'

/** A photo made anew: its pixels, upright, as a JPEG; nothing else of the file that came is in it. */
export interface Picture {
  jpeg: Uint8Array
  /** The same, for a page that shows many. */
  small: Uint8Array
  largura: number
  altura: number
}
/** What the thread says: a picture, that the file is none, or what broke in it. */
export type PictureAnswer = { picture: Picture | null } | { failure: string }

/** Longer than the largest picture takes on a slow processor. */
const LONGEST_MS = 40_000
/** What unpacks to more is not looked at. */
const MOST_PIXELS = 25_000_000
/** Files are read by whoever has the place: those who wait hold none. */
const line = places({ atOnce: 1, inLine: 60, perPersonInLine: 10, patienceMs: 30_000 })

/** In the one place where pictures are unpacked. @throws server.busy */
export const inDarkroom = <T>(work: () => Promise<T>, who: string): Promise<T> => line.run(work, who)

/**
 * Decodes a JPEG, PNG or WebP and encodes it anew, in a thread that ends with it: what a hostile file does there goes
 * with the thread. Null for anything else. Only in the darkroom. @throws photo.too_many_pixels, server.busy
 */
export async function pictureOf(bytes: Buffer): Promise<Picture | null> {
  const head = pictureHead(bytes)
  if (!head || head.width * head.height === 0) return null
  if (head.width * head.height > MOST_PIXELS) throw problem('photo.too_many_pixels')
  const worker = new Worker(new URL('./picture-worker.ts', import.meta.url), {
    workerData: { bytes, type: head.type },
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  })
  let tooLong: NodeJS.Timeout | undefined
  try {
    return await new Promise<Picture | null>((done, fail) => {
      const broke = (cause: unknown) => fail(problem('server.busy', { cause }))
      tooLong = setTimeout(() => broke(new Error('the picture takes too long')), LONGEST_MS)
      worker.once('message', (answer: PictureAnswer) =>
        'failure' in answer ? broke(new Error(answer.failure)) : done(answer.picture),
      )
      worker.once('error', broke)
      worker.once('exit', () => broke(new Error('the thread ended without an answer')))
    })
  } finally {
    clearTimeout(tooLong)
    await worker.terminate()
  }
}
