import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, scrypt } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { z } from 'zod'
import { BackupError } from './backup-error.ts'
import { type ByteSource, fileBytes } from './byte-source.ts'

/**
 * The outside of a backup file: a line that names the format, a header, then frames of at most 256 KiB. Each
 * frame is checked together with its place in the file, and the last one is marked, so that a file that was
 * cut, altered or put together from two is known as such. With a passphrase the frames are AES-256-GCM under a
 * scrypt key; without one each carries a SHA-256 over all that came before it.
 */
const FORMAT = 'ENSAIO COPIA 1\n'
const FRAME_BYTES = 256 * 1024
const LAST = 0x8000_0000
const TAG_BYTES = 16
const HASH_BYTES = 32
const LONGEST_HEADER = 4096
const SCRYPT = { N: 2 ** 17, r: 8, p: 1 }

const Header = z.object({
  criadoEm: z.string(),
  cifra: z
    .object({
      nome: z.literal('aes-256-gcm'),
      N: z
        .number()
        .int()
        .min(2 ** 14)
        .max(2 ** 20),
      r: z.number().int().min(1).max(16),
      p: z.number().int().min(1).max(4),
      sal: z.base64().min(16).max(128),
      /** Tells a wrong passphrase from a damaged file. */
      prova: z.base64().max(128),
    })
    .nullable(),
})
type Header = z.output<typeof Header>

const DAMAGED = 'O arquivo está incompleto ou foi alterado. Nada foi restaurado.'

export interface FrameWriter {
  write(bytes: Uint8Array): Promise<void>
  /** Writes what is left, marks the end and syncs the file. */
  end(): Promise<{ bytes: number }>
}

/** Starts a backup in a file that is open for writing. */
export async function frameWriter(file: FileHandle, passphrase: string | null): Promise<FrameWriter> {
  const criadoEm = new Date().toISOString()
  const salt = randomBytes(32)
  const cifra = passphrase === null ? null : { ...SCRYPT, nome: 'aes-256-gcm' as const, sal: base64(salt) }
  const keys = cifra && (await deriveKeys(passphrase ?? '', cifra))
  const header: Header = { criadoEm, cifra: cifra && keys ? { ...cifra, prova: proof(keys) } : null }
  const text = Buffer.from(JSON.stringify(header))
  const start = Buffer.concat([Buffer.from(FORMAT), word(text.length), text])
  let bytes = 0
  const put = async (part: Uint8Array) => {
    await file.writeFile(part)
    bytes += part.length
  }
  await put(start)
  const seal = keys ? sealing(keys.frames, start) : hashing(start)
  let waiting: Uint8Array[] = []
  let size = 0
  const flush = async (last: boolean) => {
    const payload = Buffer.concat(waiting, size)
    waiting = []
    size = 0
    const length = word(last ? (payload.length | LAST) >>> 0 : payload.length)
    const { body, check } = seal(length, payload)
    await put(Buffer.concat([length, body, check]))
  }
  return {
    async write(given) {
      for (let at = 0; at < given.length; ) {
        const part = given.subarray(at, at + FRAME_BYTES - size)
        waiting.push(part)
        size += part.length
        at += part.length
        if (size === FRAME_BYTES) await flush(false)
      }
    },
    async end() {
      await flush(true)
      await file.sync()
      return { bytes }
    },
  }
}

export interface BackupFile {
  encrypted: boolean
  createdAt: string
  /** The checked bytes, one frame at a time. @throws BackupError when a frame is not what was written */
  frames(passphrase: string | null): AsyncGenerator<Buffer>
}

/** @throws BackupError when the file is no backup */
export async function readFrames(path: string): Promise<BackupFile> {
  const { header } = await readingStart(path, async (source) => readStart(source))
  return {
    encrypted: header.cifra !== null,
    createdAt: header.criadoEm,
    async *frames(passphrase) {
      const file = await openBackup(path)
      try {
        const source = fileBytes(file)
        const { header: again, start } = await readStart(source)
        yield* checkedFrames(source, await unsealing(again, start, passphrase))
      } finally {
        await file.close()
      }
    },
  }
}

async function* checkedFrames(
  source: ByteSource,
  { unseal, checkBytes }: Awaited<ReturnType<typeof unsealing>>,
): AsyncGenerator<Buffer> {
  for (let last = false; !last; ) {
    const length = await exactly(source, 4)
    const value = length.readUInt32BE()
    last = (value & LAST) !== 0
    const size = (value & ~LAST) >>> 0
    if (size > FRAME_BYTES) throw new BackupError(DAMAGED)
    const body = await exactly(source, size)
    yield unseal(length, body, await exactly(source, checkBytes))
  }
  if ((await source.read(1)).length > 0) throw new BackupError(DAMAGED)
}

async function unsealing(header: Header, start: Buffer, passphrase: string | null) {
  if (!header.cifra) {
    const hash = hashing(start)
    const unseal = (length: Buffer, body: Buffer, check: Buffer) => {
      if (!hash(length, body).check.equals(check)) throw new BackupError(DAMAGED)
      return body
    }
    return { unseal, checkBytes: HASH_BYTES }
  }
  if (passphrase === null) throw new BackupError('Esta cópia está cifrada: informe a senha.')
  const keys = await deriveKeys(passphrase, header.cifra)
  if (proof(keys) !== header.cifra.prova) throw new BackupError('A senha não abre esta cópia.')
  return { unseal: opening(keys.frames, start), checkBytes: TAG_BYTES }
}

async function readingStart<T>(path: string, read: (source: ByteSource) => Promise<T>): Promise<T> {
  const file = await openBackup(path)
  try {
    return await read(fileBytes(file))
  } finally {
    await file.close()
  }
}

async function openBackup(path: string): Promise<FileHandle> {
  return open(path, 'r').catch((cause: unknown) => {
    throw new BackupError(`O arquivo ${path} não pode ser lido.`, { cause })
  })
}

async function readStart(source: ByteSource): Promise<{ header: Header; start: Buffer }> {
  const format = await source.read(FORMAT.length)
  if (format.toString('latin1') !== FORMAT)
    throw new BackupError('O arquivo não é uma cópia de segurança do Ensaio.')
  const length = await exactly(source, 4)
  if (length.readUInt32BE() > LONGEST_HEADER) throw new BackupError(DAMAGED)
  const text = await exactly(source, length.readUInt32BE())
  try {
    const header = Header.parse(JSON.parse(text.toString('utf8')))
    return { header, start: Buffer.concat([format, length, text]) }
  } catch (cause) {
    throw new BackupError(DAMAGED, { cause })
  }
}

async function exactly(source: ByteSource, size: number): Promise<Buffer> {
  const bytes = await source.read(size)
  if (bytes.length < size) throw new BackupError(DAMAGED)
  return bytes
}

/** A running SHA-256: each frame's check covers the header and every frame before it. */
function hashing(start: Buffer) {
  let state = createHash('sha256').update(start).digest()
  return (length: Buffer, body: Buffer) => {
    state = createHash('sha256').update(state).update(length).update(body).digest()
    return { body, check: state }
  }
}

function sealing(key: Buffer, start: Buffer) {
  const next = nonces()
  return (length: Buffer, payload: Buffer) => {
    const cipher = createCipheriv('aes-256-gcm', key, next()).setAAD(Buffer.concat([start, length]))
    const body = Buffer.concat([cipher.update(payload), cipher.final()])
    return { body, check: cipher.getAuthTag() }
  }
}

function opening(key: Buffer, start: Buffer) {
  const next = nonces()
  return (length: Buffer, body: Buffer, check: Buffer) => {
    const decipher = createDecipheriv('aes-256-gcm', key, next(), { authTagLength: TAG_BYTES })
      .setAAD(Buffer.concat([start, length]))
      .setAuthTag(check)
    try {
      return Buffer.concat([decipher.update(body), decipher.final()])
    } catch (cause) {
      throw new BackupError(DAMAGED, { cause })
    }
  }
}

/** The key serves one file, so a frame's number is a nonce that never comes twice. */
function nonces() {
  let frame = 0n
  return () => {
    const nonce = Buffer.alloc(12)
    nonce.writeBigUInt64BE(frame, 4)
    frame += 1n
    return nonce
  }
}

interface Keys {
  frames: Buffer
  proof: Buffer
}

const runScrypt = promisify<string, Buffer, number, object, Buffer>(scrypt)

async function deriveKeys(
  passphrase: string,
  { N, r, p, sal }: { N: number; r: number; p: number; sal: string },
): Promise<Keys> {
  const both = await runScrypt(passphrase.normalize('NFC'), Buffer.from(sal, 'base64'), 64, {
    N,
    r,
    p,
    maxmem: 256 * N * r,
  })
  return { frames: both.subarray(0, 32), proof: both.subarray(32) }
}

const proof = (keys: Keys) => base64(createHmac('sha256', keys.proof).update(FORMAT).digest())
const base64 = (bytes: Buffer) => bytes.toString('base64')

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
