import { MOST_INVITATION_DAYS } from '@ensaio/domain'
import { useState } from 'react'
import { encode } from 'uqr'
import { call } from '../../api/client.ts'
import { problemsOf } from '../../shell/problems.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field, FieldError } from '../../ui/Field.tsx'
import { NumberInput } from '../../ui/Input.tsx'

const DAYS = 30
const timeOf = (instant: string): string =>
  new Date(instant).toLocaleTimeString('pt-BR', { hour: '2-digit', minute: '2-digit' })

/** For temporary hands without an account: a code that one phone takes within 15 minutes, shown this once. */
export function InvitationDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const [days, setDays] = useState<number | null | undefined>(DAYS)
  const [made, setMade] = useState<{ url: string; expira_em: string } | null>(null)
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const [busy, setBusy] = useState(false)
  const make = async () => {
    setBusy(true)
    setProblems({})
    try {
      const dias = days ?? 0
      setMade((await call('createFieldInvitation', { params: { id }, body: { dias } })).convite)
    } catch (error) {
      setProblems(problemsOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Convite de campo"
      description="Para quem vai registrar sem ter conta: só este ensaio, em um celular."
      footer={
        made ? (
          <Button variant="primary" onClick={onClose}>
            Pronto
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>Cancelar</Button>
            <Button variant="primary" busy={busy} onClick={() => void make()}>
              Mostrar QR code
            </Button>
          </>
        )
      }
    >
      {made ? (
        <div className="flex flex-col items-center gap-4">
          <Code text={made.url} />
          <p className="max-w-md text-center">
            Aponte a câmera do celular para o código. Ele vale para um celular, uma vez, até as{' '}
            {timeOf(made.expira_em)}. Não o fotografe nem o envie.
          </p>
        </div>
      ) : (
        <div className="flex max-w-xs flex-col gap-3">
          <Field
            label="Vale por"
            help={`De 1 a ${MOST_INVITATION_DAYS} dias. Pode ser revogado antes.`}
            error={problems['dias']}
          >
            {(control) => (
              <NumberInput
                {...control}
                value={days}
                onValue={setDays}
                unit="dias"
                decimals={0}
                inputMode="numeric"
              />
            )}
          </Field>
          <FieldError message={problems['form']} />
        </div>
      )}
    </Dialog>
  )
}

/** Dark on light in every theme, with its quiet edge: cameras want it so. */
function Code({ text }: { text: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const path = data.flatMap((line, y) => line.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      role="img"
      aria-label="QR code do convite"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="w-full max-w-72 rounded-md"
    >
      <path d={`M0 0h${size}v${size}h-${size}z`} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
