import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useFieldState } from './field.ts'
import { OthersWaiting } from './OthersWaiting.tsx'
import { Notice, Page, Touch } from './parts.tsx'
import { hasPin, isPin, pinsWork, removePin, setPin, tryPin, useHidden } from './pin.ts'
import { QueueLine } from './QueueLine.tsx'
import { Labelled, SignInForm } from './SignIn.tsx'

/** The page, hidden behind the person's PIN where it was left alone; what is half typed in it stays. */
export function BehindPin({ children }: { children: ReactNode }) {
  const { person } = useFieldState()
  const own = person && !person.guest ? person.id : null
  const { hidden, show } = useHidden(own)
  return (
    <>
      {hidden === true && own !== null && <AskPin person={own} onOpen={show} />}
      {hidden !== null && (
        <div hidden={hidden} inert={hidden}>
          {children}
        </div>
      )}
    </>
  )
}

function AskPin({ person, onOpen }: { person: string; onOpen: () => void }) {
  const [note, setNote] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [forgotten, setForgotten] = useState(false)
  // Above what else may be open as a dialog, which would leave nothing else to be touched.
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const shown = event.currentTarget
    const pin = String(new FormData(shown).get('pin') ?? '')
    if (!isPin(pin)) return setNote('O PIN tem de 4 a 8 números.')
    setBusy(true)
    const outcome = await tryPin(person, pin).catch(() => ({ kind: 'wrong' as const }))
    setBusy(false)
    if (outcome.kind === 'right') return onOpen()
    shown.reset()
    setNote(outcome.kind === 'wrong' ? 'PIN errado.' : `Espere ${outcome.seconds} segundos e tente de novo.`)
  }
  return (
    <dialog
      ref={dialog}
      aria-label="Ensaio Campo"
      onCancel={(event) => event.preventDefault()}
      onClose={() => dialog.current?.showModal()}
      className="m-0 size-full max-h-none max-w-none border-0 bg-bg p-0 text-text"
    >
      <Page title="Ensaio Campo" status={<QueueLine />}>
        <form onSubmit={(event) => void submit(event)} className="flex max-w-md flex-col gap-4">
          <PinField name="pin" label="PIN do Ensaio Campo" />
          {note && <Notice tone="danger">{note}</Notice>}
          <Touch type="submit" variant="primary" busy={busy} className="touch-main">
            Abrir
          </Touch>
        </form>
        {forgotten ? (
          <section className="flex flex-col gap-4">
            <p>Entre com a sua conta, com internet, para tirar o PIN. O que foi registrado continua aqui.</p>
            <OthersWaiting />
            <SignInForm
              onPerson={(id) => {
                // Who has signed in goes on, also where the phone keeps nothing more.
                void removePin(id).then(onOpen, onOpen)
              }}
            />
          </section>
        ) : (
          <Touch className="self-start" onClick={() => setForgotten(true)}>
            Esqueci o PIN
          </Touch>
        )}
      </Page>
    </dialog>
  )
}

const PinField = ({ name, label }: { name: string; label: string }) => (
  <Labelled name={name} label={label} type="password" inputMode="numeric" autoComplete="off" maxLength={8} />
)

/** Among the settings: makes, changes and takes away the PIN. */
export function PinSetting() {
  const { person } = useFieldState()
  const [has, setHas] = useState(false)
  const [asking, setAsking] = useState(false)
  const [note, setNote] = useState<string | null>(null)
  const own = person && !person.guest ? person.id : null
  useEffect(() => {
    if (own !== null) hasPin(own).then(setHas, () => undefined)
  }, [own])
  if (own === null || !pinsWork()) return null
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const pin = String(given.get('pin') ?? '')
    if (!isPin(pin)) return setNote('O PIN tem de 4 a 8 números.')
    if (pin !== given.get('again')) return setNote('Os dois PINs são diferentes.')
    try {
      await setPin(own, pin)
    } catch {
      return setNote('O PIN NÃO foi guardado: o aparelho não conseguiu guardá-lo.')
    }
    setHas(true)
    setAsking(false)
    setNote(null)
  }
  return (
    <section aria-labelledby="pin" className="flex flex-col gap-2">
      <h2 id="pin" className="text-title font-semibold">
        PIN do Ensaio Campo
      </h2>
      <p className="text-small text-muted">
        Esconde a tela depois de 5 minutos sem toque. Não cifra o que está no aparelho.
      </p>
      {asking ? (
        <form onSubmit={(event) => void submit(event)} className="flex max-w-md flex-col gap-3">
          <PinField name="pin" label="PIN novo, de 4 a 8 números" />
          <PinField name="again" label="O mesmo PIN de novo" />
          {note && <Notice tone="danger">{note}</Notice>}
          <div className="flex flex-wrap gap-2">
            <Touch
              onClick={() => {
                setAsking(false)
                setNote(null)
              }}
            >
              Cancelar
            </Touch>
            <Touch type="submit" variant="primary">
              Guardar PIN
            </Touch>
          </div>
        </form>
      ) : (
        <div className="flex flex-wrap gap-2">
          {note && <Notice tone="danger">{note}</Notice>}
          <Touch onClick={() => setAsking(true)}>{has ? 'Trocar PIN' : 'Criar PIN'}</Touch>
          {has && (
            <Touch
              onClick={() => {
                removePin(own).then(
                  () => setHas(false),
                  () => setNote('O PIN continua: o aparelho não conseguiu guardar a mudança.'),
                )
              }}
            >
              Tirar PIN
            </Touch>
          )}
        </div>
      )}
    </section>
  )
}
