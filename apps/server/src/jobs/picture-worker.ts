// Makes one photo anew, and ends.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { LARGE_PHOTO_SIDE, SMALL_PHOTO_SIDE } from '@ensaio/domain'
import decodeJpeg, { init as initJpegDecoder } from '@jsquash/jpeg/decode.js'
import encodeJpeg, { init as initJpegEncoder } from '@jsquash/jpeg/encode.js'
import decodePng, { init as initPng } from '@jsquash/png/decode.js'
import resize, { initResize } from '@jsquash/resize'
import decodeWebp, { init as initWebp } from '@jsquash/webp/decode.js'
import type { Picture } from './pictures.ts'

const QUALITY = 82
const SMALL_QUALITY = 70

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

type Whole = Awaited<ReturnType<typeof decoded>>

/** No larger than that on its longest side. */
async function within(side: number, whole: Whole): Promise<Whole> {
  const scale = side / Math.max(whole.width, whole.height)
  const sized = (length: number) => Math.max(1, Math.round(length * scale))
  const [width, height] = [sized(whole.width), sized(whole.height)]
  return scale < 1 ? resize(whole, { width, height, method: 'triangle', linearRGB: false }) : whole
}

async function made(type: string, bytes: Uint8Array): Promise<Picture> {
  const whole = await decoded(type, bytes.slice().buffer)
  await initResize(await wasm('@jsquash/resize/lib/resize/pkg/squoosh_resize_bg.wasm'))
  await initJpegEncoder({ wasmBinary: await wasm('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm') })
  const jpegOf = async (picture: Whole, quality: number) =>
    new Uint8Array(await encodeJpeg(picture, { quality }))
  const fitting = await within(LARGE_PHOTO_SIDE, whole)
  return {
    jpeg: await jpegOf(fitting, QUALITY),
    small: await jpegOf(await within(SMALL_PHOTO_SIDE, fitting), SMALL_QUALITY),
    ...{ largura: fitting.width, altura: fitting.height },
  }
}

const { type, bytes } = workerData as { type: string; bytes: Uint8Array }
const picture = await made(type, bytes).catch(() => null)
parentPort?.postMessage(picture)
