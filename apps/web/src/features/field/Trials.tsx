import { formatDateTime } from '@ensaio/domain'
import { type FormEvent, useEffect, useState } from 'react'
import type { FieldPerson } from '../../api/field-auth.ts'
import { devicePath, go, Link, trialPath } from './address.tsx'
import { field, useFieldState } from './field.ts'
import { InstallHint } from './InstallHint.tsx'
import { OthersWaiting } from './OthersWaiting.tsx'
import { Notice, Page, Touch, touchClasses } from './parts.tsx'
import { ClockLine, QueueLine } from './QueueLine.tsx'
import { ScanButton } from './ScanButton.tsx'
import { Labelled, SignInForm } from './SignIn.tsx'
import { findTrials, type Offered } from './take-along.ts'

/** The trials on this phone, and those that can be taken along. */
export function Trials() {
  const { packages, person, signedOut } = useFieldState()
  // 'Ler etiqueta' on the phone's start screen.
  const [toScan] = useState(() => new URLSearchParams(location.search).has('etiqueta'))
  useContinue()
  return (
    <Page title="Campo" status={<QueueLine />}>
      <ClockLine />
      <OthersWaiting />
      {signedOut && <SignInForm />}
      <InstallHint />
      <section aria-labelledby="neste-aparelho" className="flex flex-col gap-2">
        <h2 id="neste-aparelho" className="text-title font-semibold">
          Neste aparelho
        </h2>
        {packages.length === 0 ? (
          <p className="text-muted">Nenhum ensaio foi levado ainda. Escolha um abaixo, com internet.</p>
        ) : (
          <ul className="flex flex-col gap-2">
            {packages.map(({ experimento, pacote, levado_em }) => (
              <li key={experimento} className="rounded-md border border-line bg-surface">
                <Link
                  to={trialPath(experimento)}
                  className="touch flex flex-col justify-center gap-0.5 px-4 py-3 text-text no-underline"
                >
                  <span className="font-medium">{pacote.nome}</span>
                  <span className="figures text-small text-muted">
                    {pacote.parcelas.length} parcelas · levado em {formatDateTime(new Date(levado_em))}
                  </span>
                  <span className="text-small text-ok">Disponível sem internet</span>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </section>
      {person?.guest ? <GuestTrial guest={person.guest} /> : <Offers />}
      <nav aria-label="Mais" className="flex flex-wrap items-center gap-2">
        {(packages.length > 0 || toScan) && <ScanButton within={null} begun={toScan} />}
        <Link
          to={devicePath}
          className="touch inline-flex items-center text-accent underline underline-offset-4"
        >
          Este aparelho
        </Link>
      </nav>
      <p className="text-small text-muted">
        {person?.name} · {person?.email}
      </p>
    </Page>
  )
}

/** 'Continuar coleta' on the phone's start screen goes on where the last one stopped. */
function useContinue() {
  const { phase } = useFieldState()
  useEffect(() => {
    if (phase !== 'ready' || !new URLSearchParams(location.search).has('continuar')) return
    void field.get('ultimo').then((id) => {
      if (typeof id === 'string') go(trialPath(id, 'coleta'), { replace: true })
    })
  }, [phase])
}

/** The one trial of an invitation, until it is on this phone. */
function GuestTrial({ guest }: { guest: NonNullable<FieldPerson['guest']> }) {
  const { packages } = useFieldState()
  if (packages.some(({ experimento }) => experimento === guest.experimento)) return null
  return (
    <Link to={trialPath(guest.experimento)} className={touchClasses('primary', 'touch-main')}>
      Levar o ensaio do convite
    </Link>
  )
}

function Offers() {
  const { packages, online, signedOut } = useFieldState()
  const [offered, setOffered] = useState<Offered[] | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const look = async (search: string) => {
    setBusy(true)
    setError(null)
    const found = await findTrials(search)
    setBusy(false)
    if (found.kind === 'ok') setOffered(found.trials)
    else if (found.kind === 'refused') setError(found.detail)
    else if (found.kind === 'none') setError('Sem internet: só os ensaios deste aparelho.')
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the page comes, and behind a sign-in
  useEffect(() => {
    if (navigator.onLine && !signedOut) void look('')
  }, [signedOut])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    void look(String(new FormData(event.currentTarget).get('busca') ?? '').slice(0, 200))
  }
  const here = new Set(packages.map(({ experimento }) => experimento))
  const said = signedOut ? 'Entre de novo para ver os outros ensaios.' : error
  const rest = offered?.filter(({ id }) => !here.has(id))
  return (
    <section aria-labelledby="levar" className="flex flex-col gap-2">
      <h2 id="levar" className="text-title font-semibold">
        Ensaios para levar
      </h2>
      <form onSubmit={submit} className="flex items-end gap-2">
        <Labelled name="busca" type="search" label="Procurar ensaio" maxLength={200} />
        <Touch type="submit" busy={busy}>
          Procurar
        </Touch>
      </form>
      {said && <p className="text-small text-muted">{said}</p>}
      {!online && !offered && !said && <p className="text-small text-muted">Sem internet.</p>}
      {rest?.length === 0 && <p className="text-muted">Nenhum outro ensaio da sua organização.</p>}
      <ul className="flex flex-col gap-2">
        {rest?.map(({ id, nome, lugar, pode }) => (
          <li key={id} className="rounded-md border border-line bg-surface">
            {pode ? (
              <Link
                to={trialPath(id)}
                className="touch flex flex-col justify-center px-4 py-3 text-text no-underline"
              >
                <span className="font-medium">{nome}</span>
                <span className="text-small text-muted">{lugar}</span>
              </Link>
            ) : (
              <span className="touch flex flex-col justify-center px-4 py-3">
                <span className="font-medium">{nome}</span>
                <span className="text-small text-muted">
                  {lugar} · só quem altera o ensaio ou é da sua equipe de campo pode levá-lo
                </span>
              </span>
            )}
          </li>
        ))}
      </ul>
      {busy && <Notice tone="info">Procurando…</Notice>}
    </section>
  )
}
