import { useState } from 'react'
import { useParams } from 'react-router'
import { call, reasonOf } from '../../api/client.ts'
import { useTitle } from '../../shell/title.ts'
import { Button } from '../../ui/Button.tsx'
import { Banner, Card } from '../../ui/Surface.tsx'

/** Ends what a letter told of, for whoever has the letter: no session is needed. */
export function EndAlert() {
  useTitle('Encerrar aviso')
  const { token = '' } = useParams()
  const [done, setDone] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const end = async () => {
    setBusy(true)
    setFailure(null)
    try {
      await call('unsubscribeAlert', { params: { token } })
      setDone(true)
    } catch (error) {
      setFailure(reasonOf(error))
    }
    setBusy(false)
  }
  return (
    <div className="page flex max-w-xl flex-col gap-4 py-12">
      <h1 className="text-display font-semibold">Encerrar aviso</h1>
      <Card className="flex flex-col items-start gap-4 p-5">
        {done ? (
          <Banner tone="ok" className="w-full" title="Este aviso foi encerrado.">
            Nenhum outro email dele virá. Os seus outros avisos continuam.
          </Banner>
        ) : (
          <>
            <p>O email de que você veio não será mais enviado. Os seus outros avisos continuam.</p>
            <Button variant="primary" busy={busy} onClick={() => void end()}>
              Encerrar este aviso
            </Button>
          </>
        )}
        {failure && (
          <Banner tone="danger" className="w-full">
            {failure}
          </Banner>
        )}
      </Card>
    </div>
  )
}
