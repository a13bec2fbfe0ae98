import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { actingKey } from '../../api/acting.ts'
import { type ApiError, call } from '../../api/client.ts'
import { type Source, serverSource, setSource, useSource } from '../../api/source.ts'
import { MarkContext } from '../../charts/mark.ts'
import { PageSkeleton } from '../../shell/frame.tsx'
import { useUser } from '../../shell/session.tsx'
import { lasting } from '../../storage/browser-storage.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { onFirstTouch } from '../../ui/first-touch.ts'
import { Banner, Card, ErrorState } from '../../ui/Surface.tsx'
import { usePrinting } from '../../ui/theme.ts'

const DISMISSED = 'demo_mode_alert_dismissed'
/** Of whom this browser knows that there are experiments, by the person and the organisation they act for. */
const HAS_RECORDS = 'ensaio.has-records.'
const ASK_AGAIN_MS = 15_000
type Why = 'unreachable' | 'empty'

const fetchDemo = async (): Promise<Source> => (await import('./demo-source.ts')).demoSource

/** Decides where the screens below read from: the server, or the demo set when it is away or has nothing. */
export function DemoGate({ children }: { children: ReactNode }) {
  const source = useSource()
  const probe = useQuery<Why | null>({
    queryKey: [actingKey(), 'listExperiments', 'probe'],
    queryFn: async ({ signal }) => {
      try {
        const { total } = await call('listExperiments', { query: { limit: 1 } }, { signal })
        return total === 0 ? 'empty' : null
      } catch (error) {
        const { offline, status } = error as ApiError
        if (offline || status >= 500) return 'unreachable'
        throw error
      }
    },
    refetchInterval: (query) => (query.state.data === 'unreachable' ? ASK_AGAIN_MS : false),
  })
  const why = probe.data
  const user = useUser()
  const of = [user.id, actingKey()].filter(Boolean).join('.')
  // Whoever has experiments of their own is not shown invented ones in their place, unless they ask for them.
  const [demoWanted, setDemoWanted] = useState(false)
  const hold = !demoWanted && lasting.getItem(HAS_RECORDS + of) === '1'
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    if (why === null) {
      lasting.setItem(HAS_RECORDS + of, '1')
      setSeen(true)
      setDemoWanted(false)
    } else if (why === 'empty') lasting.removeItem(HAS_RECORDS + of)
  }, [why, of])
  const [demo, setDemo] = useState<Source | null>(null)
  const [demoAway, setDemoAway] = useState(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer of the probe is a new attempt
  useEffect(() => {
    if (why === undefined || (why === 'unreachable' && hold)) return
    if (why === null) setSource(serverSource)
    else if (demo) setSource(demo)
    else
      fetchDemo().then(setDemo, () => {
        // Neither the server nor the demo set: the screens below say what they could not load.
        setDemoAway(true)
      })
  }, [why, hold, demo, probe.dataUpdatedAt])
  // Ahead of the need: without a connection it could not be fetched.
  useEffect(() => onFirstTouch(() => void fetchDemo().catch(() => undefined)), [])
  // Other pages speak with the server only.
  useEffect(() => () => setSource(serverSource), [])

  const demonstrating = source.name === 'demo'
  const away = why === 'unreachable' && hold
  const retry = () => void probe.refetch()
  if (away && !seen) return <NothingRead onRetry={retry} onDemo={() => setDemoWanted(true)} />
  const settled = away || probe.isError || demoAway || (why !== undefined && (why !== null) === demonstrating)
  if (!settled) {
    return <PageSkeleton />
  }
  return (
    <MarkContext value={demonstrating ? 'Dados de demonstração' : null}>
      {away && <ServerAway busy={probe.isFetching} onRetry={retry} />}
      {!away && why && demonstrating && <DemoBanner why={why} />}
      {children}
    </MarkContext>
  )
}

function NothingRead({ onRetry, onDemo }: { onRetry: () => void; onDemo: () => void }) {
  return (
    <div className="page py-8">
      <Card>
        <ErrorState
          message="O servidor está indisponível. Os seus experimentos estão guardados nele e voltam quando ele responder."
          onRetry={onRetry}
        />
        <p className="pb-8 text-center">
          <Button size="small" variant="quiet" onClick={onDemo}>
            Ver dados de demonstração enquanto isso
          </Button>
        </p>
      </Card>
    </div>
  )
}

/** What was read before stays in sight, said to be of then. */
function ServerAway({ busy, onRetry }: { busy: boolean; onRetry: () => void }) {
  return (
    <div className="page pt-6">
      <Banner
        tone="warn"
        title="O servidor está indisponível"
        action={
          <Button size="small" busy={busy} onClick={onRetry}>
            Tentar novamente
          </Button>
        }
      >
        O que está na tela foi lido antes e pode ter mudado.
      </Banner>
    </div>
  )
}

function DemoBanner({ why }: { why: Why }) {
  const [dismissed, setDismissed] = useState(() => lasting.getItem(DISMISSED) === 'true')
  const printing = usePrinting()
  // Whoever is handed the paper has dismissed nothing.
  if (dismissed && !printing) return null
  return (
    <div className="page pt-6">
      <Banner
        tone="warn"
        title="Modo Demonstração"
        action={
          <IconButton
            label="Dispensar aviso"
            className="no-print -my-2 text-inherit"
            onClick={() => {
              lasting.setItem(DISMISSED, 'true')
              setDismissed(true)
            }}
          >
            <X aria-hidden />
          </IconButton>
        }
      >
        {why === 'unreachable'
          ? 'O servidor (API) está indisponível: dados de demonstração são exibidos e as alterações não são salvas.'
          : 'Ainda não há experimentos cadastrados: dados de demonstração são exibidos e não podem ser alterados. Ao salvar o primeiro experimento, os seus dados tomam o lugar deles.'}
      </Banner>
    </div>
  )
}
