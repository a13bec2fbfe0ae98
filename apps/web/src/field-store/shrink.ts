/** What a picture takes at most, as a rule; a large one, and one of many leaves, may take more. */
const MOST_BYTES = 500_000
const MOST_LARGE_BYTES = 2_000_000
const USUAL_SIDE = 1_600
const QUALITIES = [0.82, 0.7, 0.6, 0.5]

/** A picture no larger than `side` on its longest side, upright, as a JPEG with nothing in it but its pixels. */
export async function shrink(file: Blob, side: number): Promise<Blob> {
  const whole = await createImageBitmap(file, { imageOrientation: 'from-image' })
  const scale = Math.min(1, side / Math.max(whole.width, whole.height))
  const sized = (length: number) => Math.max(1, Math.round(length * scale))
  const [width, height] = [sized(whole.width), sized(whole.height)]
  const fitting = await createImageBitmap(whole, {
    resizeWidth: width,
    resizeHeight: height,
    resizeQuality: 'high',
  })
  whole.close()
  const encode = drawn(fitting, width, height)
  fitting.close()
  const most = side > USUAL_SIDE ? MOST_LARGE_BYTES : MOST_BYTES
  let made = new Blob()
  for (const quality of QUALITIES) {
    made = await encode(quality)
    if (made.size <= most) break
  }
  return made
}

/** Beside the page there is only the one kind of canvas, and an older iPhone has only the other. */
function drawn(picture: ImageBitmap, width: number, height: number): (quality: number) => Promise<Blob> {
  const type = 'image/jpeg'
  if (typeof OffscreenCanvas !== 'undefined') {
    const canvas = new OffscreenCanvas(width, height)
    canvas.getContext('2d')?.drawImage(picture, 0, 0)
    return (quality) => canvas.convertToBlob({ type, quality })
  }
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  canvas.getContext('2d')?.drawImage(picture, 0, 0)
  return (quality) =>
    new Promise((done, fail) =>
      canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('no picture'))), type, quality),
    )
}
