import { useEffect, useRef } from 'react'
import { Touch } from './parts.tsx'

/** Opens the phone's own camera, which works without a network and may close the page: what is here is kept first. */
export function PhotoButton({
  plot,
  busy,
  before,
  after,
  onPhoto,
  onLost,
}: {
  plot: number
  busy: boolean
  before(): Promise<void>
  after(): void
  onPhoto(file: File): Promise<void>
  /** What is here could not be kept: the camera stays closed. */
  onLost(): void
}) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const camera = input.current
    // React knows it of dialogs alone.
    camera?.addEventListener('cancel', after)
    return () => camera?.removeEventListener('cancel', after)
  }, [after])
  return (
    <>
      <Touch
        busy={busy}
        onClick={() =>
          before().then(
            () => input.current?.click(),
            () => onLost(),
          )
        }
      >
        Foto
      </Touch>
      <input
        ref={input}
        hidden
        type="file"
        accept="image/*"
        capture="environment"
        aria-label={`Foto da parcela ${plot}`}
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          // The page may still be closed while the picture is made smaller: only then the camera has come back.
          if (file) void onPhoto(file).finally(after)
          else after()
        }}
      />
    </>
  )
}
