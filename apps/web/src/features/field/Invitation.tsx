import { entries as counted, formatDate } from '@ensaio/domain'
import { type FormEvent, useEffect, useState } from 'react'
import type { FieldPerson } from '../../api/field-auth.ts'
import { devicePath, fieldPath, go, Link, trialPath } from './address.tsx'
import { field, useFieldState } from './field.ts'
import { Notice, Page, Touch, touchClasses } from './parts.tsx'
import { QueueLine } from './QueueLine.tsx'
import { Labelled } from './SignIn.tsx'
import { saveCopy } from './save-copy.ts'

/** The code stands behind '#': it goes to no server but in the call that takes it, and to nobody who looks over it. */
const codeIn = (address: Location) => /^#([\w-]{43})$/.exec(address.hash)?.[1] ?? null

/** Temporary hands without an account: a name, and this phone is theirs for one trial. */
export function Invitation() {
  const { person } = useFieldState()
  const [code, setCode] = useState(() => codeIn(location))
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    const scanned = () => setCode(codeIn(location))
    addEventListener('hashchange', scanned)
    return () => removeEventListener('hashchange', scanned)
  }, [])
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const nome = String(new FormData(event.currentTarget).get('nome') ?? '').trim()
    if (code === null) return
    if (nome === '') return setError('Informe o seu nome')
    setBusy(true)
    setError(null)
    try {
      const joined = await field.join(code, nome)
      if ('error' in joined) setError(joined.error)
      else go(trialPath(joined.experimento), { replace: true })
    } catch {
      setError('O convite não pôde ser guardado neste aparelho.')
    } finally {
      setBusy(false)
    }
  }
  if (code === null)
    return (
      <Page title="Convite de campo" back={{ to: fieldPath, label: 'Campo' }}>
        <Notice tone="warn">Aponte a câmera para o QR code do convite.</Notice>
      </Page>
    )
  if (person)
    return (
      <Page title="Convite de campo" back={{ to: fieldPath, label: 'Campo' }} status={<QueueLine />}>
        <Notice tone="warn">
          Este aparelho já está em uso por {person.name}. Saia antes de aceitar o convite e leia o QR code de
          novo.
        </Notice>
        <Link to={devicePath} className={touchClasses()}>
          Este aparelho
        </Link>
      </Page>
    )
  return (
    <Page title="Convite de campo">
      <p>Você vai registrar valores em um ensaio, sem criar conta. Depois, a coleta funciona sem internet.</p>
      <form onSubmit={(event) => void submit(event)} className="flex max-w-md flex-col gap-4">
        <Labelled name="nome" label="Seu nome" autoComplete="name" maxLength={60} />
        {error && <Notice tone="danger">{error}</Notice>}
        <Touch type="submit" variant="primary" busy={busy} className="touch-main">
          Aceitar convite
        </Touch>
      </form>
    </Page>
  )
}

/** It was revoked or its day has come: what was not sent can still be taken off this phone. */
export function InvitationOver({ guest }: { guest: NonNullable<FieldPerson['guest']> }) {
  const { waiting, person } = useFieldState()
  const [saved, setSaved] = useState(false)
  const copy = async () => {
    const kept = await field.entries()
    if (await saveCopy(kept.filter(({ espera }) => espera === 1))) setSaved(true)
  }
  const leave = async () => {
    // They are in the copy: nobody can send them from here any more.
    if (person)
      await field.discard({
        ...{ pessoa: person.id, organizacao: guest.organizacao, experimento: guest.experimento },
      })
    await field.signOut()
    go(fieldPath, { replace: true })
  }
  return (
    <Page title="Convite encerrado">
      <p role="status">
        O convite de {guest.convidou}, até {formatDate(guest.ate)}, não vale mais. O que já foi enviado está
        no servidor.
      </p>
      {waiting > 0 && (
        <>
          <Notice tone="warn">
            {counted(waiting)} {waiting === 1 ? 'não foi enviado' : 'não foram enviados'}. Salve uma cópia e
            entregue-a a {guest.convidou}.
          </Notice>
          <Touch variant="primary" className="touch-main" onClick={() => void copy()}>
            Salvar cópia
          </Touch>
        </>
      )}
      {(waiting === 0 || saved) && <Touch onClick={() => void leave()}>Sair deste convite</Touch>}
    </Page>
  )
}
