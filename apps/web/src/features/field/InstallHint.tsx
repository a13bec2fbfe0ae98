import { useEffect, useState } from 'react'
import { IPhoneSteps } from './IPhoneSteps.tsx'
import { Notice, Touch } from './parts.tsx'

type InstallPrompt = Event & { prompt(): Promise<unknown> }
let offered: InstallPrompt | null = null
const told = new Set<() => void>()
addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault()
  // The browsers that have it give it this shape; it is in no standard.
  offered = event as InstallPrompt
  for (const tell of told) tell()
})

const installed = () => matchMedia('(display-mode: standalone)').matches
/** An iPad calls itself a Macintosh, which has no fingers to touch it with. */
const isApple = (): boolean =>
  /iPhone|iPad/.test(navigator.userAgent) ||
  (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1)
/** Safari on a phone: it deletes what a site keeps after a week, unless it was installed. */
export const needsInstalling = (): boolean =>
  !installed() && isApple() && !('standalone' in navigator && navigator.standalone)

export function InstallHint() {
  const [, setTurn] = useState(0)
  useEffect(() => {
    const tell = () => setTurn((turn) => turn + 1)
    told.add(tell)
    return () => void told.delete(tell)
  }, [])
  if (needsInstalling())
    return (
      <Notice tone="warn">
        <p className="font-medium">No iPhone, instale o Ensaio antes de coletar sem internet.</p>
        <IPhoneSteps />
      </Notice>
    )
  if (!offered || installed()) return null
  return (
    <Touch
      onClick={() => {
        void offered?.prompt()
        offered = null
        setTurn((turn) => turn + 1)
      }}
    >
      Instalar no celular
    </Touch>
  )
}
