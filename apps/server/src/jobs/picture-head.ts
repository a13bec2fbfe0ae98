/** What a file is by its first bytes, and how large its picture is before it is unpacked: pixels. */
export interface PictureHead {
  type: 'jpeg' | 'png' | 'webp'
  width: number
  height: number
}

export const pictureHead = (view: Buffer): PictureHead | null =>
  jpegSize(view) ?? pngSize(view) ?? webpSize(view)

export function pngSize(view: Buffer): PictureHead | null {
  if (view.length < 33 || view.readUInt32BE(0) !== 0x89504e47 || view.readUInt32BE(4) !== 0x0d0a1a0a)
    return null
  return { type: 'png', width: view.readUInt32BE(16), height: view.readUInt32BE(20) }
}

/** The largest of all sizes that it tells of before its picture begins; null for what is not told strictly. */
export function jpegSize(view: Buffer): PictureHead | null {
  if (view.length < 4 || view.readUInt16BE(0) !== 0xffd8) return null
  const size: PictureHead = { width: 0, height: 0, type: 'jpeg' }
  let at = 2
  while (at + 4 <= view.length) {
    if (view[at] !== 0xff) return null
    while (view[at + 1] === 0xff) at += 1
    const mark = view[at + 1] ?? 0
    // The picture itself: what is told behind it is not read.
    if (mark === 0xda) return size.width > 0 ? size : null
    const alone = mark === 0x01 || (mark >= 0xd0 && mark <= 0xd9) || mark === 0
    if (alone || at + 4 > view.length) return null
    const length = view.readUInt16BE(at + 2)
    if (length < 2 || at + 2 + length > view.length) return null
    const isFrame = mark >= 0xc0 && mark <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(mark)
    if (isFrame && length >= 7) {
      size.height = Math.max(size.height, view.readUInt16BE(at + 5))
      size.width = Math.max(size.width, view.readUInt16BE(at + 7))
    }
    at += 2 + length
  }
  return null
}

/** Of the three forms that a WebP has: with losses, without, and with more around it. */
function webpSize(view: Buffer): PictureHead | null {
  const said = (from: number, to: number) => view.toString('latin1', from, to)
  if (view.length < 30 || said(0, 4) !== 'RIFF' || said(8, 12) !== 'WEBP') return null
  const type = 'webp'
  switch (said(12, 16)) {
    case 'VP8X':
      return { type, width: view.readUIntLE(24, 3) + 1, height: view.readUIntLE(27, 3) + 1 }
    case 'VP8L': {
      const bits = view.readUInt32LE(21)
      return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8 ':
      return { type, width: view.readUInt16LE(26) & 0x3fff, height: view.readUInt16LE(28) & 0x3fff }
    default:
      return null
  }
}
