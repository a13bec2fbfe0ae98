// Makes one photo anew, and ends.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { LARGE_PHOTO_SIDE } from '@ensaio/domain'
import decodeJpeg, { init as initJpegDecoder } from '@jsquash/jpeg/decode.js'
import encodeJpeg, { init as initJpegEncoder } from '@jsquash/jpeg/encode.js'
import decodePng, { init as initPng } from '@jsquash/png/decode.js'
import resize, { initResize } from '@jsquash/resize'
import decodeWebp, { init as initWebp } from '@jsquash/webp/decode.js'
import type { Picture } from './pictures.ts'

const QUALITY = 82

/** What the codecs hand to each other, as a browser has it. */
class Pixels {
  readonly data: Uint8ClampedArray
  readonly width: number
  readonly height: number
  readonly colorSpace = 'srgb'
  constructor(data: Uint8ClampedArray, width: number, height: number) {
    this.data = data
    this.width = width
    this.height = height
  }
}
Object.assign(globalThis, { ImageData: Pixels })

const { resolve } = createRequire(import.meta.url)
const wasm = (path: string): Promise<Buffer> => readFile(resolve(path))

async function decoded(type: string, bytes: ArrayBuffer) {
  if (type === 'png') {
    await initPng(await wasm('@jsquash/png/codec/pkg/squoosh_png_bg.wasm'))
    return decodePng(bytes)
  }
  if (type === 'webp') {
    await initWebp({ wasmBinary: await wasm('@jsquash/webp/codec/dec/webp_dec.wasm') })
    return decodeWebp(bytes)
  }
  await initJpegDecoder({ wasmBinary: await wasm('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm') })
  // Turned as its camera says.
  return decodeJpeg(bytes, { preserveOrientation: true })
}

async function made(type: string, bytes: Uint8Array): Promise<Picture> {
  const whole = await decoded(type, bytes.slice().buffer)
  const scale = LARGE_PHOTO_SIDE / Math.max(whole.width, whole.height)
  const sized = (side: number) => Math.max(1, Math.round(side * scale))
  const [width, height] = [sized(whole.width), sized(whole.height)]
  await initResize(await wasm('@jsquash/resize/lib/resize/pkg/squoosh_resize_bg.wasm'))
  const fitting =
    scale < 1 ? await resize(whole, { width, height, method: 'triangle', linearRGB: false }) : whole
  await initJpegEncoder({ wasmBinary: await wasm('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm') })
  const jpeg = new Uint8Array(await encodeJpeg(fitting, { quality: QUALITY }))
  return { jpeg, largura: fitting.width, altura: fitting.height }
}

const { type, bytes } = workerData as { type: string; bytes: Uint8Array }
const picture = await made(type, bytes).catch(() => null)
parentPort?.postMessage(picture)
