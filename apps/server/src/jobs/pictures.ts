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

const LONGEST_MS = 20_000
/** What unpacks to more is not looked at. */
const MOST_PIXELS = 25_000_000
/** Whoever waits holds a whole file. */
const line = places({ atOnce: 1, inLine: 16, perPersonInLine: 4, patienceMs: 30_000 })

/**
 * Decodes a JPEG, PNG or WebP and encodes it anew, in a thread that ends with it: what a hostile file does there goes
 * with the thread. Null for anything else. @throws server.busy
 */
export async function pictureOf(bytes: Buffer, who: string): Promise<Picture | null> {
  const head = pictureHead(bytes)
  if (!head || head.width * head.height > MOST_PIXELS || head.width * head.height === 0) return null
  return line.run(() => make(bytes, head.type), who)
}

function make(bytes: Buffer, type: string): Promise<Picture | null> {
  const worker = new Worker(new URL('./picture-worker.ts', import.meta.url), {
    workerData: { bytes, type },
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  })
  return new Promise<Picture | null>((done, fail) => {
    const tooLong = setTimeout(() => fail(problem('server.busy')), LONGEST_MS)
    worker.once('message', (picture: Picture | null) => done(picture))
    // It broke on the file, which is therefore none.
    worker.once('error', () => done(null))
    worker.once('exit', () => {
      clearTimeout(tooLong)
      done(null)
    })
  }).finally(() => worker.terminate())
}
