import type { FileHandle } from 'node:fs/promises'

export interface ByteSource {
  /** So many bytes; fewer only at the end. */
  read(size: number): Promise<Buffer>
}

export function fileBytes(file: FileHandle): ByteSource {
  return {
    async read(size) {
      const bytes = Buffer.alloc(size)
      let filled = 0
      while (filled < size) {
        const { bytesRead } = await file.read(bytes, filled, size - filled)
        if (bytesRead === 0) break
        filled += bytesRead
      }
      return bytes.subarray(0, filled)
    },
  }
}

/** Reads from pieces of any size as from one run of bytes. */
export function pieceBytes(pieces: AsyncIterator<Buffer>): ByteSource {
  let left = Buffer.alloc(0)
  return {
    async read(size) {
      const taken: Buffer[] = []
      let missing = size
      while (missing > 0) {
        if (left.length === 0) {
          const { value, done } = await pieces.next()
          if (done) break
          left = Buffer.from(value)
          continue
        }
        const part = left.subarray(0, missing)
        left = left.subarray(part.length)
        missing -= part.length
        taken.push(part)
      }
      return Buffer.concat(taken)
    },
  }
}
