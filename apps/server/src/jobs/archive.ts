import { Unzip, UnzipInflate, type Zippable, zipSync } from 'fflate'

/** Why an archive is not opened. */
export type ArchiveRefusal = 'invalid' | 'too_large' | 'encrypted'
export class RefusedArchive extends Error {
  readonly why: ArchiveRefusal
  constructor(why: ArchiveRefusal, message: string) {
    super(message)
    this.why = why
  }
}

export interface ArchiveLimits {
  /** Bytes that come out in all, and of one part. */
  all: number
  part: number
}
const MOST_PARTS = 1000
const STEP = 64 * 1024
/** What a part may be larger than what it was packed to, beyond its first megabyte. */
const MOST_RATIO = 200
const FREE = 1024 * 1024
const DEEPEST = 100
/** Letters of one text: a cell holds no more. */
const LONGEST_TEXT = 32_767
const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50

/**
 * The parts of a workbook, counted as they really come out before a library sees any: neither sizes in headers nor
 * tables of contents are believed. Packed anew without compression, so that what a library reads is what was looked at.
 * @throws RefusedArchive
 */
export function checkedArchive(
  bytes: Uint8Array,
  limits: ArchiveLimits,
): { packed: Uint8Array; names: Set<string>; textOf(name: string): string } {
  const names = listed(bytes)
  const parts = unpacked(bytes, limits)
  for (const name of parts.keys()) {
    if (!names.has(name))
      throw new RefusedArchive('invalid', 'a part that the table of contents does not name')
    if (/^([/\\]|[a-z]:)|(^|[/\\])\.\.([/\\]|$)/i.test(name))
      throw new RefusedArchive('invalid', 'a path that leads out')
  }
  if (parts.size === 0 || parts.size !== names.size)
    throw new RefusedArchive('invalid', 'parts that are not there')
  const whole: Zippable = Object.create(null)
  for (const [name, chunks] of parts) {
    const part = Buffer.concat(chunks)
    if (part.length > 3 && part.readUInt32LE(0) === LOCAL)
      throw new RefusedArchive('invalid', 'an archive within')
    if (/\.(xml|rels|vml)$/i.test(name)) checkMarkup(part)
    whole[name] = [part, { level: 0 }]
  }
  const textOf = (name: string) => Buffer.concat(parts.get(name) ?? []).toString('utf8')
  return { packed: zipSync(whole), names, textOf }
}

/** Names of the table of contents; of the first and the last, which are the same one in an honest archive. */
function listed(bytes: Uint8Array): Set<string> {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const ends: number[] = []
  const mark = Buffer.from([0x50, 0x4b, 5, 6])
  for (let at = view.indexOf(mark); at !== -1 && ends.length < 1000; at = view.indexOf(mark, at + 1)) {
    if (at + 22 > view.length) continue
    const [offset, size] = [view.readUInt32LE(at + 16), view.readUInt32LE(at + 12)]
    if (
      offset + size <= at &&
      (size === 0 || (offset + 4 <= view.length && view.readUInt32LE(offset) === CENTRAL))
    )
      ends.push(at)
  }
  const last = ends.at(-1)
  if (last === undefined) throw new RefusedArchive('invalid', 'no table of contents')
  const [one, other] = [entries(view, ends[0] ?? last), entries(view, last)]
  if (one.join('\0') !== other.join('\0')) throw new RefusedArchive('invalid', 'two tables of contents')
  const names = new Set(other)
  if (names.size !== other.length) throw new RefusedArchive('invalid', 'a part twice')
  return names
}

function entries(view: Buffer, end: number): string[] {
  const names: string[] = []
  let at = view.readUInt32LE(end + 16)
  for (let count = view.readUInt16LE(end + 10); count > 0; count--) {
    if (at + 46 > end || view.readUInt32LE(at) !== CENTRAL)
      throw new RefusedArchive('invalid', 'a broken table of contents')
    if ((view.readUInt16LE(at + 8) & 1) === 1) throw new RefusedArchive('encrypted', 'an encrypted part')
    if (names.length >= MOST_PARTS) throw new RefusedArchive('too_large', 'too many parts')
    const length = view.readUInt16LE(at + 28)
    names.push(view.toString('utf8', at + 46, at + 46 + length))
    at += 46 + length + view.readUInt16LE(at + 30) + view.readUInt16LE(at + 32)
  }
  // A folder of its own is no part.
  return names.filter((name) => !name.endsWith('/'))
}

function unpacked(bytes: Uint8Array, limits: ArchiveLimits): Map<string, Uint8Array[]> {
  const parts = new Map<string, Uint8Array[]>()
  let total = 0
  let fed = 0
  // What is thrown while a part comes out is told again as that part's own failure.
  let first: RefusedArchive | null = null
  const refuse = (why: ArchiveRefusal, message: string): never => {
    first ??= new RefusedArchive(why, message)
    throw first
  }
  const unzip = new Unzip((file) => {
    if (file.name.endsWith('/')) return
    if (parts.has(file.name)) refuse('invalid', 'a part twice')
    if (parts.size >= MOST_PARTS) refuse('too_large', 'too many parts')
    const chunks: Uint8Array[] = []
    parts.set(file.name, chunks)
    const began = Math.max(0, fed - STEP)
    let size = 0
    file.ondata = (error, chunk) => {
      if (error) refuse('invalid', 'a broken part')
      total += chunk.length
      size += chunk.length
      const packed = fed - began
      if (total > limits.all || size > limits.part || size - FREE > MOST_RATIO * packed)
        refuse('too_large', 'more than it may be')
      chunks.push(chunk)
    }
    file.start()
  })
  unzip.register(UnzipInflate)
  try {
    for (let at = 0; at < bytes.length; at += STEP) {
      const step = bytes.subarray(at, at + STEP)
      fed += step.length
      unzip.push(step, at + STEP >= bytes.length)
    }
  } catch (error) {
    throw (
      first ?? (error instanceof RefusedArchive ? error : new RefusedArchive('invalid', 'a broken archive'))
    )
  }
  return parts
}

const [OPEN, CLOSE, SLASH, BANG, QUERY, AMP, SEMI] = [...'<>/!?&;'].map((sign) => sign.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
]

/** No document type, no entity, no depth and no text that a sheet has no use for. @throws RefusedArchive */
function checkMarkup(part: Buffer): void {
  const text = part[0] === 0xff || part[0] === 0xfe ? Buffer.from(part.toString('utf16le')) : part
  let depth = 0
  let at = text.indexOf(OPEN)
  while (at !== -1) {
    const sign = text[at + 1]
    if (sign === BANG) {
      if (text.toString('latin1', at, at + 4) === '<!--') at = after(text, '-->', at)
      else if (text.toString('latin1', at, at + 9) === '<![CDATA[') {
        const end = after(text, ']]>', at)
        if (end - at > LONGEST_TEXT + 12) throw new RefusedArchive('too_large', 'a text without end')
        at = end
      } else throw new RefusedArchive('invalid', 'a document type')
    } else if (sign === QUERY) at = after(text, '?>', at)
    else {
      const end = tagEnd(text, at)
      if (sign === SLASH) depth -= 1
      else if (text[end - 1] !== SLASH) depth += 1
      if (depth > DEEPEST) throw new RefusedArchive('invalid', 'too deep')
      at = end + 1
    }
    const next = text.indexOf(OPEN, at)
    if (next - at > LONGEST_TEXT && lettersOf(text, at, next) > LONGEST_TEXT)
      throw new RefusedArchive('too_large', 'a text without end')
    at = next
  }
}

function after(text: Buffer, mark: string, from: number): number {
  const at = text.indexOf(mark, from)
  if (at === -1) throw new RefusedArchive('invalid', 'markup without end')
  return at + mark.length
}

/** Signs may stand in quotes. */
function tagEnd(text: Buffer, from: number): number {
  let quote = 0
  for (let at = from + 1; at < text.length; at++) {
    const sign = text[at] as number
    if (quote !== 0) {
      if (sign === quote) quote = 0
    } else if (sign === 34 || sign === 39) quote = sign
    else if (sign === CLOSE) return at
  }
  throw new RefusedArchive('invalid', 'markup without end')
}

/** An entity is one letter. */
function lettersOf(text: Buffer, from: number, to: number): number {
  let count = 0
  for (let at = from; at < to; at++) {
    const sign = text[at] as number
    if (sign === AMP) {
      const end = text.indexOf(SEMI, at)
      if (end !== -1 && end - at < 12) at = end
    }
    if ((sign & 0xc0) !== 0x80) count += 1
  }
  return count
}
