import { z } from 'zod'
import { BackupError } from './backup-error.ts'
import { pieceBytes } from './byte-source.ts'
import type { FrameWriter } from './frames.ts'

/**
 * What a backup holds, in this order: what it is, the root secret, the tables in COPY's text format, the
 * documents, and an end with what was counted. An entry is a JSON head and chunks of content, each after its
 * length; an empty chunk ends it, since nobody knows a COPY's length beforehand.
 */
export const EntryHead = z.discriminatedUnion('tipo', [
  z.object({
    tipo: z.literal('início'),
    migracoes: z.array(z.string()),
    sequencias: z.array(z.object({ nome: z.string(), valor: z.string(), usada: z.boolean() })),
  }),
  z.object({
    tipo: z.literal('segredo'),
    /** Absent when the server has it from AUTH_SECRET, which is not in the file. */
    valor: z.base64().nullable(),
    impressao: z.string(),
  }),
  z.object({ tipo: z.literal('tabela'), nome: z.string(), colunas: z.array(z.string()) }),
  z.object({ tipo: z.literal('documento'), nome: z.string() }),
  z.object({
    tipo: z.literal('fim'),
    linhas: z.record(z.string(), z.number()),
    documentos: z.number(),
    /** Deleted while the copy was made: their rows are in the tables, their files were gone. */
    apagados: z.array(z.string()),
    /** Rows whose file was not in the store, or was another. */
    perdidos: z.array(z.string()),
  }),
])
export type EntryHead = z.output<typeof EntryHead>
export type HeadOf<T extends EntryHead['tipo']> = Extract<EntryHead, { tipo: T }>

export interface Entry {
  head: EntryHead
  content: AsyncGenerator<Buffer>
}

const LONGEST_HEAD = 64 * 2 ** 20
const LONGEST_CHUNK = 16 * 2 ** 20
const CHUNK = 256 * 1024

export async function writeEntry(
  out: FrameWriter,
  head: EntryHead,
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array> = [],
): Promise<void> {
  const text = Buffer.from(JSON.stringify(head))
  await out.write(Buffer.concat([word(text.length), text]))
  for await (const piece of content) {
    for (let at = 0; at < piece.length; at += CHUNK) {
      const part = piece.subarray(at, at + CHUNK)
      await out.write(word(part.length))
      await out.write(part)
    }
  }
  await out.write(word(0))
}

/** The entries of a backup's checked bytes; what is not read of one is passed over. */
export async function* readEntries(frames: AsyncGenerator<Buffer>): AsyncGenerator<Entry> {
  const source = pieceBytes(frames)
  const exactly = async (size: number) => {
    const bytes = await source.read(size)
    if (bytes.length < size) throw malformed()
    return bytes
  }
  const length = async (most: number) => {
    const value = (await exactly(4)).readUInt32BE()
    if (value > most) throw malformed()
    return value
  }
  async function* chunks() {
    for (let size = await length(LONGEST_CHUNK); size > 0; size = await length(LONGEST_CHUNK))
      yield await exactly(size)
  }
  try {
    for (let ended = false; !ended; ) {
      const text = await exactly(await length(LONGEST_HEAD))
      const head = EntryHead.safeParse(parse(text))
      if (!head.success) throw malformed(head.error)
      ended = head.data.tipo === 'fim'
      const content = chunks()
      yield { head: head.data, content }
      for await (const _ of content);
    }
    // To the last frame: its check is the whole file's.
    if ((await source.read(1)).length > 0) throw malformed()
  } finally {
    await frames.return(undefined)
  }
}

function parse(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString('utf8'))
  } catch {
    return undefined
  }
}

const malformed = (cause?: unknown) =>
  new BackupError('O arquivo não tem a forma de uma cópia de segurança do Ensaio.', { cause })

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
