import { type ComponentType, lazy, useCallback, useEffect, useState } from 'react'
import { serverAnswers } from '../api/health.ts'
import { ofThisTab } from '../storage/browser-storage.ts'
import { NotArrived, type Place } from '../ui/NotArrived.tsx'

type Load<P> = () => Promise<ComponentType<P>>

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
        // The server is there, the file is not: the page is of an older build, and the new one has it; or the browser
        // keeps to a failure of before.
        if ((await serverAnswers()) && mayReload()) location.reload()
        setFailed(true)
      } finally {
        setBusy(false)
      }
    },
    [load],
  )
  useEffect(() => {
    // Of a page that never came, nothing is lost by loading it anew.
    const byItself = () => place === 'page' && firstReload()
    void ask(byItself)
    const back = () => void ask(byItself)
    window.addEventListener('online', back)
    return () => window.removeEventListener('online', back)
  }, [ask, place])

  if (Part) return <Part {...props} />
  return failed ? <NotArrived place={place} busy={busy} onRetry={() => void ask(() => true)} /> : null
}

/** Whether this tab has not yet reloaded itself: a file that is missing for good must not reload for ever. */
function firstReload(): boolean {
  // Where nothing outlives a reload, there is no telling: better none than for ever.
  return !ofThisTab.getItem(RELOADED) && ofThisTab.setItem(RELOADED, '1')
}
