import { counted, type FieldPackageSize, formatBytes } from '@ensaio/domain'
import { type ReactNode, useEffect, useState } from 'react'
import type { Trial } from '../../field-store/trial.ts'
import { fieldPath } from './address.tsx'
import { field, useFieldState } from './field.ts'
import { needsInstalling } from './InstallHint.tsx'
import { IPhoneSteps } from './IPhoneSteps.tsx'
import { OthersWaiting } from './OthersWaiting.tsx'
import { Notice, Page, Touch } from './parts.tsx'
import { QueueLine } from './QueueLine.tsx'
import { SignInForm } from './SignIn.tsx'
import { littleRoom, ownerOf, sizeOf, useTaking } from './take-along.ts'

/** A trial of this phone; else the offer to take it along. */
export function TrialGate({ id, children }: { id: string; children: (trial: Trial) => ReactNode }) {
  const { packages, trial } = useFieldState()
  const owned = packages.find(({ experimento }) => experimento === id)
  useEffect(() => {
    if (owned) void field.open(owned)
  }, [owned])
  if (!owned) return <TakeAlong id={id} />
  if (!trial || trial.experimento !== id) return <p className="sr-only">Carregando</p>
  return children(trial)
}

function TakeAlong({ id }: { id: string }) {
  const { signedOut } = useFieldState()
  const [going, take] = useTaking()
  const [error, setError] = useState<string | null>(null)
  const [room, setRoom] = useState<number | null>(null)
  const [asked, setAsked] = useState(false)
  const [size, setSize] = useState<FieldPackageSize | null>(null)
  useEffect(() => {
    void littleRoom().then(setRoom)
  }, [])
  useEffect(() => {
    let left = false
    const look = async () => {
      const organization = await ownerOf(id)
      const found = organization === null ? null : await sizeOf(id, organization)
      if (!left) setSize(found)
    }
    if (!signedOut && navigator.onLine) void look()
    return () => {
      left = true
    }
  }, [id, signedOut])
  const start = async () => {
    setAsked(true)
    setError(null)
    const organizacao = await ownerOf(id)
    if (organizacao === null)
      setError(
        field.state().signedOut
          ? 'Entre de novo para levar o ensaio.'
          : 'Não foi possível falar com o servidor. Tente de novo com internet.',
      )
    else await take({ experimento: id, organizacao })
    setAsked(false)
  }
  const busy = asked || going.part !== null
  return (
    <Page title="Levar ensaio" back={{ to: fieldPath, label: 'Campo' }} status={<QueueLine />}>
      <OthersWaiting />
      <p>
        Vão as parcelas, o croqui, as variáveis, as avaliações e os valores que já existem. Custos, retornos e
        outros ensaios não vão.
      </p>
      {size && <p className="figures">{sizeText(size)}</p>}
      {signedOut && <SignInForm />}
      {room !== null && (
        <Notice tone="warn">
          Há pouco espaço neste aparelho: {formatBytes(Math.max(0, room))} livres. Libere pelo menos 50 MB
          antes de coletar.
        </Notice>
      )}
      {needsInstalling() && (
        <Notice tone="warn">
          <p className="font-medium">No iPhone, instale o Ensaio antes de coletar sem internet.</p>
          <IPhoneSteps />
        </Notice>
      )}
      {(error ?? going.error) && <Notice tone="danger">{error ?? going.error}</Notice>}
      <Touch variant="primary" className="touch-main" busy={busy} onClick={() => void start()}>
        {needsInstalling() ? 'Continuar sem instalar' : 'Levar para o campo'}
      </Touch>
      <p role="status" className="figures">
        {going.part !== null && `Baixando ${Math.round(going.part * 100)}%`}
      </p>
    </Page>
  )
}

/** '12 parcelas · 3 variáveis · transferência de 4 kB'; each part stays on its line. */
const sizeText = ({ parcelas, variaveis, avaliacoes, valores, bytes }: FieldPackageSize): string =>
  [
    counted(parcelas, 'parcela', 'parcelas'),
    counted(variaveis, 'variável', 'variáveis'),
    avaliacoes > 0 && counted(avaliacoes, 'avaliação', 'avaliações'),
    valores > 0 && counted(valores, 'valor', 'valores'),
    `transferência de ${formatBytes(bytes)}`,
  ]
    .flatMap((part) => (part === false ? [] : part.replaceAll(' ', '\u00a0')))
    .join(' · ')
