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
import type { Picture, PictureAnswer } from './pictures.ts'

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

/** As the codecs' own types have it: a class of browsers. */
type Input = Parameters<typeof encodeJpeg>[0]

const { resolve } = createRequire(import.meta.url)
const wasm = (path: string): Promise<Buffer> => readFile(resolve(path))

/** Made ready before the file is looked at: what fails here is no fault of it. */
async function decoderOf(type: string): Promise<(bytes: ArrayBuffer) => Promise<Pixels>> {
  if (type === 'png') {
    await initPng(await wasm('@jsquash/png/codec/pkg/squoosh_png_bg.wasm'))
    return (bytes) => decodePng(bytes) as Promise<Pixels>
  }
  if (type === 'webp') {
    await initWebp({ wasmBinary: await wasm('@jsquash/webp/codec/dec/webp_dec.wasm') })
    return (bytes) => decodeWebp(bytes) as Promise<Pixels>
  }
  await initJpegDecoder({ wasmBinary: await wasm('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm') })
  // Turned as its camera says.
  return (bytes) => decodeJpeg(bytes, { preserveOrientation: true }) as Promise<Pixels>
}

/** No larger than that on its longest side. */
async function within(side: number, whole: Pixels): Promise<Pixels> {
  const scale = side / Math.max(whole.width, whole.height)
  const sized = (length: number) => Math.max(1, Math.round(length * scale))
  const [width, height] = [sized(whole.width), sized(whole.height)]
  return scale < 1
    ? (resize(whole as Input, { width, height, method: 'triangle', linearRGB: false }) as Promise<Pixels>)
    : whole
}

async function made(whole: Pixels): Promise<Picture> {
  await initResize(await wasm('@jsquash/resize/lib/resize/pkg/squoosh_resize_bg.wasm'))
  await initJpegEncoder({ wasmBinary: await wasm('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm') })
  const jpegOf = async (picture: Pixels, quality: number) =>
    new Uint8Array(await encodeJpeg(picture as Input, { quality }))
  const fitting = await within(LARGE_PHOTO_SIDE, whole)
  return {
    jpeg: await jpegOf(fitting, QUALITY),
    small: await jpegOf(await within(SMALL_PHOTO_SIDE, fitting), SMALL_QUALITY),
    ...{ largura: fitting.width, altura: fitting.height },
  }
}

const { type, bytes } = workerData as { type: string; bytes: Uint8Array }
async function answer(): Promise<PictureAnswer> {
  try {
    const decode = await decoderOf(type)
    const whole = await decode(bytes.slice().buffer).catch(() => null)
    return { picture: whole && (await made(whole)) }
  } catch (error) {
    return { failure: String(error) }
  }
}
parentPort?.postMessage(await answer())
