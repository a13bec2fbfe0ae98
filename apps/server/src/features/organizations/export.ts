import { strToU8, Zip, ZipDeflate, ZipPassThrough } from 'fflate'

export interface ExportFile {
  name: string
  /** The file, piece by piece. */
  content(): AsyncIterable<Uint8Array | string>
  /** Packed already, as a PDF is. */
  packed?: boolean
}

/** One zip of files that are read while it is being sent, one after the other. */
export async function* zipOf(files: AsyncIterable<ExportFile>): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = []
  let failure: Error | null = null
  const zip = new Zip((error, chunk) => {
    if (error) failure = error
    else ready.push(chunk)
  })
  for await (const { name, content, packed } of files) {
    const file = packed ? new ZipPassThrough(name) : new ZipDeflate(name, { level: 6 })
    zip.add(file)
    for await (const chunk of content()) {
      file.push(typeof chunk === 'string' ? strToU8(chunk) : chunk)
      if (failure) throw failure
      yield* ready.splice(0)
    }
    file.push(new Uint8Array(0), true)
    yield* ready.splice(0)
  }
  zip.end()
  yield* ready.splice(0)
}

/** A JSON list, one by one. */
export async function* jsonList(many: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '['
  for await (const one of many) {
    yield `${before}${JSON.stringify(one)}`
    before = ',\n'
  }
  yield before === '[' ? '[]' : ']'
}
