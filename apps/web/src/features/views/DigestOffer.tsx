import { useState } from 'react'
import { call } from '../../api/client.ts'
import { useSource } from '../../api/source.ts'
import { attempt } from '../../shell/attempt.ts'
import { useUser } from '../../shell/session.tsx'
import { lasting, ofThisTab } from '../../storage/browser-storage.ts'
import { Button } from '../../ui/Button.tsx'
import { Banner } from '../../ui/Surface.tsx'
import { useViews, viewsChanged } from './use-views.ts'

/** Of this person, in this browser: visits so far, or that the offer was answered. */
const VISITS = 'ensaio.visits'
const ANSWERED = 'respondido'
const OFFERED_AT = 3

/** Counts a tab once. */
function visitsOf(person: string): number {
  const key = `${VISITS}.${person}`
  const kept = lasting.getItem(key)
  if (kept === ANSWERED) return 0
  const before = Number(kept) || 0
  if (ofThisTab.getItem(key)) return before
  ofThisTab.setItem(key, '1')
  lasting.setItem(key, String(before + 1))
  return before + 1
}

/** Offers the weekly digest once, at the third visit. */
export function DigestOffer() {
  const { id } = useUser()
  const demo = useSource().name === 'demo'
  const views = useViews()
  const [offered, setOffered] = useState(() => visitsOf(id) >= OFFERED_AT)
  if (!offered || demo || !views.data || views.data.resumo_semanal) return null
  const answer = () => {
    lasting.setItem(`${VISITS}.${id}`, ANSWERED)
    setOffered(false)
  }
  return (
    <Banner
      tone="info"
      className="no-print items-center"
      title="Quer um resumo semanal por email?"
      action={
        <span className="flex flex-wrap justify-end gap-2">
          <Button size="small" variant="quiet" onClick={answer}>
            Agora não
          </Button>
          <Button
            size="small"
            onClick={async () => {
              answer()
              await attempt(() => call('setDigest', { body: { ativo: true } }), 'Resumo semanal ligado')
              await viewsChanged()
            }}
          >
            Receber
          </Button>
        </span>
      }
    >
      Toda segunda-feira: ensaios novos e o que mudou nas suas vistas. Pode ser desligado no perfil.
    </Banner>
  )
}
