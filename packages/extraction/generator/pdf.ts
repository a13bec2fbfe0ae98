import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'

/** Writes PDF files object by object: for files that no ordinary producer would make. */
export class PdfFile {
  private readonly objects: Buffer[] = []
  private key: Buffer | null = null
  private encryption: { id: Buffer; reference: string } | null = null

  /** Adds an object and returns its reference. */
  add(body: string | Buffer): string {
    this.objects.push(Buffer.isBuffer(body) ? body : Buffer.from(body, 'latin1'))
    return `${this.objects.length} 0 R`
  }

  /** Reserves a reference, to be given its body later. */
  reserve(): string {
    return this.add('null')
  }

  set(reference: string, body: string | Buffer): void {
    this.objects[Number.parseInt(reference, 10) - 1] = Buffer.isBuffer(body)
      ? body
      : Buffer.from(body, 'latin1')
  }

  stream(data: Buffer, extra = '', compress = true): string {
    const bytes = compress ? deflateSync(data, { level: 9 }) : data
    const filter = compress ? '/Filter /FlateDecode ' : ''
    return this.rawStream(bytes, `${filter}${extra}`)
  }

  rawStream(bytes: Buffer, entries: string): string {
    const reference = this.reserve()
    const number = Number.parseInt(reference, 10)
    const data = this.key ? rc4(objectKey(this.key, number), bytes) : bytes
    this.set(
      reference,
      Buffer.concat([
        Buffer.from(`<< ${entries} /Length ${data.length} >>\nstream\n`, 'latin1'),
        data,
        Buffer.from('\nendstream', 'latin1'),
      ]),
    )
    return reference
  }

  /** 40-bit RC4 as of PDF 1.1; to be called before any stream is added. */
  encrypt(userPassword: string, ownerPassword: string): void {
    const id = createHash('md5').update('ensaio').digest()
    const permissions = -44
    const ownerKey = createHash('md5').update(padded(ownerPassword)).digest().subarray(0, 5)
    const owner = rc4(ownerKey, padded(userPassword))
    const flags = Buffer.alloc(4)
    flags.writeInt32LE(permissions)
    this.key = createHash('md5')
      .update(Buffer.concat([padded(userPassword), owner, flags, id]))
      .digest()
      .subarray(0, 5)
    const user = rc4(this.key, PADDING)
    const reference = this.add(
      `<< /Filter /Standard /V 1 /R 2 /O <${owner.toString('hex')}> /U <${user.toString('hex')}> /P ${permissions} >>`,
    )
    this.encryption = { id, reference }
  }

  /** The whole file with `root` as its catalogue. */
  build(root: string): Buffer {
    const parts: Buffer[] = [Buffer.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
    let at = parts[0]?.length ?? 0
    const offsets: number[] = []
    this.objects.forEach((body, i) => {
      offsets.push(at)
      const whole = Buffer.concat([Buffer.from(`${i + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')])
      parts.push(whole)
      at += whole.length
    })
    const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
    const locked = this.encryption
      ? `/Encrypt ${this.encryption.reference} /ID [<${this.encryption.id.toString('hex')}> <${this.encryption.id.toString('hex')}>] `
      : ''
    parts.push(
      Buffer.from(
        `xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${offsets.length + 1} /Root ${root} ${locked}>>\nstartxref\n${at}\n%%EOF\n`,
        'latin1',
      ),
    )
    return Buffer.concat(parts)
  }
}

const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')
const padded = (password: string): Buffer =>
  Buffer.concat([Buffer.from(password, 'latin1'), PADDING]).subarray(0, 32)

function objectKey(key: Buffer, number: number): Buffer {
  const salt = Buffer.from([number & 255, (number >> 8) & 255, (number >> 16) & 255, 0, 0])
  return createHash('md5')
    .update(Buffer.concat([key, salt]))
    .digest()
    .subarray(0, Math.min(16, key.length + 5))
}

function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, i) => i)
  const swap = (i: number, j: number): void => {
    const held = state[i] ?? 0
    state[i] = state[j] ?? 0
    state[j] = held
  }
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + (state[i] ?? 0) + (key[i % key.length] ?? 0)) & 255
    swap(i, j)
  }
  const out = Buffer.alloc(data.length)
  for (let k = 0, i = 0, j = 0; k < data.length; k++) {
    i = (i + 1) & 255
    j = (j + (state[i] ?? 0)) & 255
    swap(i, j)
    out[k] = (data[k] ?? 0) ^ (state[((state[i] ?? 0) + (state[j] ?? 0)) & 255] ?? 0)
  }
  return out
}

/** One line of text at a place, in Helvetica, for content streams. */
export function textAt(x: number, y: number, size: number, text: string): string {
  const safe = text.replace(/([\\()])/g, '\\$1')
  return `BT /F1 ${size} Tf 1 0 0 1 ${x} ${y} Tm (${safe}) Tj ET\n`
}

export const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'

/** A file of pages with these content streams. */
export function simplePdf(
  contents: readonly Buffer[],
  size: readonly [number, number] = [595, 842],
  file = new PdfFile(),
): Buffer {
  const font = file.add(FONT)
  const pages = file.reserve()
  const kids = contents.map((content) => {
    const stream = file.stream(content)
    return file.add(
      `<< /Type /Page /Parent ${pages} /MediaBox [0 0 ${size[0]} ${size[1]}] /Resources << /Font << /F1 ${font} >> >> /Contents ${stream} >>`,
    )
  })
  file.set(pages, `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${kids.length} >>`)
  return file.build(file.add(`<< /Type /Catalog /Pages ${pages} >>`))
}
