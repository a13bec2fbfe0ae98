import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Notice, Sheet, Touch } from './parts.tsx'
import { Labelled } from './SignIn.tsx'
import { useLabel } from './use-label.tsx'

const LOOK_MS = 200
type Format = 'qr_code' | 'data_matrix' | 'code_128'
const FORMATS: Format[] = ['qr_code', 'data_matrix', 'code_128']

/** What reads codes out of pictures: the browser's own, or the one that comes with the first scan. */
interface CodeReader {
  detect(picture: HTMLVideoElement): Promise<{ rawValue: string }[]>
}
type Native = {
  new (of: { formats: string[] }): CodeReader
  getSupportedFormats(): Promise<string[]>
}

async function codeReader(): Promise<CodeReader> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: Native }
  const known = (await BarcodeDetector?.getSupportedFormats().catch(() => [])) ?? []
  if (BarcodeDetector && known.includes('qr_code'))
    return new BarcodeDetector({ formats: FORMATS.filter((one) => known.includes(one)) })
  return (await import('./reader.ts')).loadReader(FORMATS)
}

export function ScanSheet({
  within,
  onClose,
  onPlot,
}: {
  within: string | null
  onClose: () => void
  onPlot: (plot: number) => void
}) {
  const video = useRef<HTMLVideoElement>(null)
  const [track, setTrack] = useState<MediaStreamTrack | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [lit, setLit] = useState(false)
  const { find, elsewhere } = useLabel(within, onPlot)
  const found = (text: string) => {
    if (!find(text)) setError('Esta etiqueta não é do Ensaio.')
  }
  const seen = useRef(found)
  seen.current = found
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let [stream, gone]: [MediaStream | null, boolean] = [null, false]
    const start = async () => {
      const [reader, opened] = await Promise.all([
        codeReader(),
        navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } }),
      ])
      stream = opened
      if (gone || !video.current) return opened.getTracks().forEach((one) => void one.stop())
      video.current.srcObject = opened
      await video.current.play()
      setTrack(opened.getVideoTracks()[0] ?? null)
      const look = async () => {
        if (gone || !video.current) return
        const codes = await reader.detect(video.current).catch(() => [])
        const text = codes[0]?.rawValue
        if (text) {
          navigator.vibrate?.(40)
          seen.current(text)
        }
        timer = setTimeout(() => void look(), text ? 1500 : LOOK_MS)
      }
      await look()
    }
    start().catch(() => setError('A câmera ou o leitor não abriu. Digite o número ou o código da etiqueta.'))
    return () => {
      gone = true
      clearTimeout(timer)
      for (const one of stream?.getTracks() ?? []) one.stop()
    }
  }, [])
  const typed = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = String(new FormData(event.currentTarget).get('codigo') ?? '').trim()
    if (text) found(text)
  }
  const torch = track && 'torch' in track.getCapabilities()
  return (
    <Sheet title="Ler etiqueta" onClose={onClose}>
      {error && <Notice tone="warn">{error}</Notice>}
      {elsewhere}
      <video
        ref={video}
        muted
        playsInline
        aria-label="Câmera"
        className="aspect-square max-h-[40dvh] w-full rounded-md bg-sunken object-cover"
      />
      {torch && (
        <Touch
          aria-pressed={lit}
          onClick={() => {
            setLit(!lit)
            // Not in the types yet; where a camera tells that it has one, it takes it.
            const light = { advanced: [{ torch: !lit }] } as unknown as MediaTrackConstraints
            track.applyConstraints(light).catch(() => undefined)
          }}
        >
          Lanterna
        </Touch>
      )}
      <form onSubmit={typed} className="flex items-end gap-2">
        <Labelled name="codigo" label="Número ou código" autoComplete="off" maxLength={200} />
        <Touch type="submit">Ir</Touch>
      </form>
    </Sheet>
  )
}
