import { type ComponentType, lazy, useCallback, useEffect, useState } from 'react'
import { Button } from './Button.tsx'
import { classes } from './classes.ts'

type Load<P> = () => Promise<ComponentType<P>>
/** A page and a part stand where they would have stood; what lies over the page says so at its foot. */
type Place = 'page' | 'part' | 'over'

const RELOADED = 'ensaio.reloaded-for-build'

/** A part of the interface fetched when first shown. A connection lost by then never takes the page with it. */
export const late = <P extends object>(load: Load<P>, place: Place = 'part') =>
  lazy(async () => ({ default: await arrived(load, place) }))

/** The part itself or, where it did not come, one that says so and asks for it again; never rejects. */
export async function arrived<P extends object>(load: Load<P>, place: Place): Promise<ComponentType<P>> {
  try {
    return await load()
  } catch {
    return (props) => <AskedAgain load={load} place={place} props={props} />
  }
}

/** Runs once the person first touches the page: what they may need without a connection is fetched then. */
export function onFirstTouch(run: () => void): () => void {
  const gone = new AbortController()
  const once = () => {
    gone.abort()
    run()
  }
  for (const event of ['pointerdown', 'keydown'])
    window.addEventListener(event, once, { signal: gone.signal, capture: true, passive: true })
  return () => gone.abort()
}

/** Says that a part did not come; the button tries again. */
export function NotArrived({ place, busy, onRetry }: { place: Place; busy?: boolean; onRetry: () => void }) {
  return (
    <div
      role="alert"
      className={classes(
        'flex flex-wrap items-center justify-center gap-3 rounded-md p-4 text-center',
        place === 'page' && 'page min-h-[60dvh] flex-col',
        place === 'part' && 'h-full min-h-24 bg-sunken',
        place === 'over' &&
          'fixed inset-x-4 bottom-4 z-50 mx-auto max-w-xl border border-line bg-surface shadow-lg',
      )}
    >
      <p className="text-small text-muted">
        Não foi possível carregar esta parte do sistema. Verifique a conexão com a internet.
      </p>
      <Button size="small" busy={busy ?? false} onClick={onRetry}>
        Tentar novamente
      </Button>
    </div>
  )
}

type AskedAgainProps<P> = { load: Load<P>; place: Place; props: P }

function AskedAgain<P extends object>({ load, place, props }: AskedAgainProps<P>) {
  const [Part, setPart] = useState<ComponentType<P> | null>(null)
  const [failed, setFailed] = useState(false)
  const [busy, setBusy] = useState(false)

  const ask = useCallback(
    async (mayReload: () => boolean) => {
      setBusy(true)
      try {
        const part = await load()
        setPart(() => part)
      } catch {
        // The server is there, the file is not: the page is of an older build, and the new one has it.
        if (mayReload() && (await serverAnswers())) location.reload()
        setFailed(true)
      } finally {
        setBusy(false)
      }
    },
    [load],
  )
  useEffect(() => {
    void ask(() => place === 'page' && firstReload())
    const back = () => void ask(() => false)
    window.addEventListener('online', back)
    return () => window.removeEventListener('online', back)
  }, [ask, place])

  if (Part) return <Part {...props} />
  return failed ? <NotArrived place={place} busy={busy} onRetry={() => void ask(() => true)} /> : null
}

/** Whether this tab has not yet reloaded itself: a file that is missing for good must not reload for ever. */
function firstReload(): boolean {
  if (sessionStorage.getItem(RELOADED)) return false
  sessionStorage.setItem(RELOADED, '1')
  return true
}

const serverAnswers = (): Promise<boolean> =>
  fetch('/healthz', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
