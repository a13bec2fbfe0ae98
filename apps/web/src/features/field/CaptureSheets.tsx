import { MISSING_REASONS, shownValue, whenSaid } from '@ensaio/domain'
import { type FormEvent, useState } from 'react'
import type { CellPlace, FieldVariable, Told, Trial } from '../../field-store/trial.ts'
import { PhotoList } from './PhotoList.tsx'
import { Notice, Sheet, Touch } from './parts.tsx'
import { Labelled } from './SignIn.tsx'
import { useLabel } from './use-label.tsx'

type Reason = keyof typeof MISSING_REASONS

/** Empty is not missing: why there is no value is said. */
export function MissingSheet({
  onClose,
  onReason,
}: {
  onClose: () => void
  onReason: (reason: Reason) => void
}) {
  return (
    <Sheet title="Sem valor" onClose={onClose}>
      <p>Por que esta parcela fica sem valor?</p>
      <div className="flex flex-col gap-2">
        {(Object.entries(MISSING_REASONS) as [Reason, string][]).map(([reason, text]) => (
          <Touch key={reason} onClick={() => onReason(reason)}>
            {text}
          </Touch>
        ))}
      </div>
    </Sheet>
  )
}

export function NoteSheet({ onClose, onNote }: { onClose: () => void; onNote: (text: string) => void }) {
  const [text, setText] = useState('')
  return (
    <Sheet
      title="Anotar"
      onClose={onClose}
      footer={
        <Touch variant="primary" disabled={text.trim() === ''} onClick={() => onNote(text.trim())}>
          Guardar anotação
        </Touch>
      }
    >
      <label className="flex flex-col gap-1">
        <span>Anotação desta parcela</span>
        <textarea
          value={text}
          maxLength={500}
          rows={4}
          onChange={(event) => setText(event.target.value)}
          className="w-full rounded-md border-2 border-line-strong bg-surface p-3 text-text"
        />
      </label>
    </Sheet>
  )
}

/** A value that is taken back stands in the history; a picture would be gone: it is asked about. */
export function UndoPhotoSheet({
  plot,
  onClose,
  onUndo,
}: {
  plot: string | null
  onClose: () => void
  onUndo: () => void
}) {
  return (
    <Sheet
      title="Desfazer a foto"
      onClose={onClose}
      footer={
        <Touch variant="danger" onClick={onUndo}>
          Desfazer a foto
        </Touch>
      }
    >
      <p>
        A última coisa que você fez foi uma foto da parcela {plot}. A imagem sai do celular e do servidor.
      </p>
    </Sheet>
  )
}

/** A number, or what stands on a label. */
export function GoToSheet({
  trial,
  onClose,
  onPlot,
}: {
  trial: Trial
  onClose: () => void
  onPlot: (plot: number) => void
}) {
  const [error, setError] = useState<string | null>(null)
  const { find, elsewhere } = useLabel(trial.experimento, onPlot)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = String(new FormData(event.currentTarget).get('parcela') ?? '').trim()
    if (!find(given)) setError('Não há esta parcela neste ensaio.')
  }
  return (
    <Sheet title="Ir para parcela" onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <Labelled name="parcela" label="Número ou etiqueta" autoComplete="off" maxLength={200} />
        {error && <Notice tone="danger">{error}</Notice>}
        {elsewhere}
        <Touch type="submit" variant="primary">
          Ir
        </Touch>
      </form>
    </Sheet>
  )
}

const KINDS: Partial<Record<Told['tipo'], string>> = { exclusao: 'Apagado', decisao: 'Decisão' }

export function saidOf(variable: FieldVariable, told: Pick<Told, 'tipo' | 'valor' | 'motivo'>): string {
  const reason = told.motivo as Reason | null
  if (told.valor !== null) return shownValue(variable, told.valor)
  if (told.tipo === 'exclusao') return 'Apagado'
  return reason && reason in MISSING_REASONS ? `Sem valor: ${MISSING_REASONS[reason]}` : 'Sem valor'
}

/** Who, when, before, after, on which phone, and marks. */
export function HistorySheet({
  trial,
  variable,
  place,
  onClose,
}: {
  trial: Trial
  variable: FieldVariable
  place: CellPlace
  onClose: () => void
}) {
  const rows = [...trial.history(place)].reverse()
  const mine = trial.own.at(-1)?.registro.aparelho
  const open = new Set(trial.cell(place).abertos.map(({ id }) => id))
  const beside = trial.notes(place.parcela)
  const notes = beside.filter(({ tipo, valor }) => tipo === 'nota' && valor !== null)
  return (
    <Sheet title="Histórico" onClose={onClose}>
      {rows.length === 0 && <p>Ainda não há valor aqui.</p>}
      <ol className="flex flex-col gap-2">
        {rows.map((told) => {
          const before = trial.told(told.base) ?? told.antes
          const marks = [
            told.tipo in KINDS ? KINDS[told.tipo] : null,
            told.confirmado ? 'confirmado fora da faixa' : null,
            told.fora ? 'fora dos limites da variável' : null,
            told.estado === 'guardado' ? 'guardado no servidor, aguardando decisão' : null,
            open.has(told.id) ? 'conflito' : null,
            told.estado === 'espera' ? 'para enviar' : null,
          ].filter(Boolean)
          return (
            <li key={told.id} className="rounded-md border border-line px-3 py-2">
              <p className="figures font-medium">
                {before ? `${saidOf(variable, before)} → ` : ''}
                {saidOf(variable, told)}
              </p>
              <p className="figures text-small text-muted">
                {told.quem} · {whenSaid(told)} ·{' '}
                {told.aparelho === null
                  ? 'no computador'
                  : told.aparelho === mine
                    ? 'este aparelho'
                    : 'outro aparelho'}
              </p>
              {marks.length > 0 && <p className="text-small text-warn">{marks.join(' · ')}</p>}
            </li>
          )
        })}
      </ol>
      {notes.length > 0 && (
        <section className="flex flex-col gap-2">
          <h3 className="font-semibold">Anotações</h3>
          {notes.map((note) => {
            const gone = trial.isTakenBack(note)
            const text = String(note.valor)
            return (
              <p key={note.id}>
                {gone ? <s className="text-muted">{text}</s> : text}{' '}
                <span className="figures text-small text-muted">
                  {note.quem} · {whenSaid(note)}
                  {gone && ' · desfeita'}
                </span>
              </p>
            )
          })}
        </section>
      )}
      <PhotoList trial={trial} taken={trial.photos(place.parcela)} />
    </Sheet>
  )
}
