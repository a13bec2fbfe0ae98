import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import { ExtractionError } from '../errors.ts'

/** The raw functions of PDFium that are used here; numbers are pointers into its memory. */
export interface Pdfium {
  readonly HEAPU8: Uint8Array
  readonly wasmExports: { malloc(size: number): number; free(pointer: number): void }
  _FPDF_LoadMemDocument(bytes: number, size: number, password: number): number
  _FPDF_GetLastError(): number
  _FPDF_CloseDocument(document: number): void
  _FPDF_GetPageCount(document: number): number
  _FPDF_LoadPage(document: number, index: number): number
  _FPDF_ClosePage(page: number): void
  _FPDF_GetPageBoundingBox(page: number, rect: number): number
  _FPDFPage_GetRotation(page: number): number
  _FPDFPage_GetAnnotCount(page: number): number
  _FPDFPage_Flatten(page: number, flag: number): number
  _FPDFPage_CountObjects(page: number): number
  _FPDFPage_GetObject(page: number, index: number): number
  _FPDFFormObj_CountObjects(form: number): number
  _FPDFFormObj_GetObject(form: number, index: number): number
  _FPDFPageObj_GetType(object: number): number
  _FPDFPageObj_GetMatrix(object: number, matrix: number): number
  _FPDFPageObj_GetBounds(object: number, l: number, b: number, r: number, t: number): number
  _FPDFPageObj_GetFillColor(object: number, r: number, g: number, b: number, a: number): number
  _FPDFPageObj_GetStrokeColor(object: number, r: number, g: number, b: number, a: number): number
  _FPDFPageObj_GetClipPath(object: number): number
  _FPDFClipPath_CountPaths(clip: number): number
  _FPDFClipPath_CountPathSegments(clip: number, path: number): number
  _FPDFClipPath_GetPathSegment(clip: number, path: number, index: number): number
  _FPDFPath_GetDrawMode(path: number, fill: number, stroke: number): number
  _FPDFPath_CountSegments(path: number): number
  _FPDFPath_GetPathSegment(path: number, index: number): number
  _FPDFPathSegment_GetPoint(segment: number, x: number, y: number): number
  _FPDFPathSegment_GetType(segment: number): number
  _FPDFPathSegment_GetClose(segment: number): number
  _FPDFTextObj_GetTextRenderMode(object: number): number
  _FPDFTextObj_GetFont(object: number): number
  _FPDFFont_GetBaseFontName(font: number, buffer: number, length: number): number
  _FPDFText_LoadPage(page: number): number
  _FPDFText_ClosePage(text: number): void
  _FPDFText_CountChars(text: number): number
  _FPDFText_GetUnicode(text: number, index: number): number
  _FPDFText_IsGenerated(text: number, index: number): number
  _FPDFText_GetTextObject(text: number, index: number): number
  _FPDFText_GetFontSize(text: number, index: number): number
  _FPDFText_GetMatrix(text: number, index: number, matrix: number): number
  _FPDFText_GetCharOrigin(text: number, index: number, x: number, y: number): number
  _FPDFText_GetCharBox(text: number, index: number, l: number, r: number, b: number, t: number): number
  _FPDFText_GetLooseCharBox(text: number, index: number, rect: number): number
  _FPDFBitmap_CreateEx(width: number, height: number, format: number, memory: number, stride: number): number
  _FPDFBitmap_FillRect(bitmap: number, x: number, y: number, w: number, h: number, color: number): void
  _FPDFBitmap_GetBuffer(bitmap: number): number
  _FPDFBitmap_GetStride(bitmap: number): number
  _FPDFBitmap_Destroy(bitmap: number): void
  _FPDF_RenderPageBitmap(
    bitmap: number,
    page: number,
    x: number,
    y: number,
    width: number,
    height: number,
    rotate: number,
    flags: number,
  ): void
}

/** PDFium's memory from `at` on, as numbers of each kind. */
export interface Scratch {
  at: number
  floats: Float32Array
  doubles: Float64Array
  ints: Uint32Array
}

let scratch: Scratch | undefined

/** Looks into PDFium's memory; a new look is taken only once that has grown or another part is wanted. */
export function scratchAt(library: Pdfium, at: number): Scratch {
  const { buffer } = library.HEAPU8
  if (scratch?.at !== at || scratch.floats.buffer !== buffer)
    scratch = {
      at,
      floats: new Float32Array(buffer, at, 8),
      doubles: new Float64Array(buffer, at, 8),
      ints: new Uint32Array(buffer, at, 8),
    }
  return scratch
}

let loaded: Promise<Pdfium> | undefined

/** The library, instantiated once a process. */
export function pdfium(): Promise<Pdfium> {
  loaded ??= (async () => {
    const path = createRequire(import.meta.url).resolve('@hyzyla/pdfium/pdfium.wasm')
    const file = await readFile(path)
    const wasmBinary = new Uint8Array(file).buffer
    const library = await PDFiumLibrary.init({ wasmBinary })
    // The wrapper keeps the module in a private field; what each page calls thousands of times is called without its checks.
    const { module } = library as unknown as { module: Pdfium }
    const exported = Object.entries(module.wasmExports).map(([name, value]) => [`_${name}`, value])
    return Object.defineProperties(Object.fromEntries(exported), {
      wasmExports: { value: module.wasmExports },
      // Another one once its memory has grown.
      HEAPU8: { get: () => module.HEAPU8 },
    })
  })()
  return loaded
}

const PASSWORD_REQUIRED = 4
const UNSUPPORTED_SECURITY = 5

/** Opens the bytes, runs `use`, and frees the document whatever happens. */
export async function withDocument<T>(
  bytes: Uint8Array,
  use: (library: Pdfium, document: number) => Promise<T>,
): Promise<T> {
  const library = await pdfium()
  const memory = library.wasmExports.malloc(bytes.length)
  library.HEAPU8.set(bytes, memory)
  const document = library._FPDF_LoadMemDocument(memory, bytes.length, 0)
  try {
    if (!document) {
      const error = library._FPDF_GetLastError()
      if (error === PASSWORD_REQUIRED || error === UNSUPPORTED_SECURITY)
        throw new ExtractionError('extraction.encrypted')
      throw new ExtractionError('extraction.damaged')
    }
    return await use(library, document)
  } finally {
    if (document) library._FPDF_CloseDocument(document)
    library.wasmExports.free(memory)
  }
}
