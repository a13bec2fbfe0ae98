import { type CellValue, formatDay, nextEmpty, shownValue, turnAt } from '@ensaio/domain'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { isLabelAddress } from '../../field-store/labels.ts'
import type { CellPlace, Trial } from '../../field-store/trial.ts'
import { classes } from '../../ui/classes.ts'
import { Link, trialPath } from './address.tsx'
import { GoToSheet, HistorySheet, MissingSheet, NoteSheet, saidOf, UndoPhotoSheet } from './CaptureSheets.tsx'
import { CountKeys, DayKeys, EntryInput, Keypad } from './EntryInput.tsx'
import { PhotoButton } from './PhotoButton.tsx'
import { Notice, Touch } from './parts.tsx'
import { type Planned, whereIs } from './plan.ts'
import { usePosition } from './position.ts'
import { QueueLine } from './QueueLine.tsx'
import { ScanButton } from './ScanButton.tsx'
import { changeSettings, useSettings } from './settings.ts'
import { type Said, useEntry } from './use-entry.ts'
import { useLabel } from './use-label.tsx'
import type { Place } from './use-place.ts'
import { useTypedLabel } from './use-typed-label.ts'

type Props = {
  trial: Trial
  planned: Planned
  place: Place & { at: number }
}
type Sheet = 'missing' | 'note' | 'history' | 'go' | 'undo' | null

export function CaptureStep({ trial, planned, place: whereabouts }: Props) {
  const { at, typed, move, type } = whereabouts
  const settings = useSettings()
  const [sheet, setSheet] = useState<Sheet>(null)
  const input = useRef<HTMLInputElement>(null)
  const above = useRef<HTMLDivElement>(null)
  const errorId = useId()
  const { steps, variables, order } = planned
  const step = steps[at] ?? { plot: 0, variable: 0 }
  const plot = trial.pack.parcelas[step.plot]
  const variable = variables[step.variable]
  const place = planned.placeOf(step)
  usePosition(plot?.id ?? '', settings.posicao && plot !== undefined)
  const next = () => {
    const then = Math.min(steps.length - 1, at + 1)
    whereabouts.saved(at, typed, then)
    move(then)
  }
  const entry = useEntry({
    ...{ trial, place, next, number: plot?.numero ?? 0, again: () => whereabouts.saved(at, typed, at) },
    // There is one for every step.
    variable: variable as NonNullable<typeof variable>,
  })
  const goTo = (found: number) => {
    if (found >= 0) move(found)
    entry.hush()
    setSheet(null)
  }
  const toFound = (found: number) =>
    goTo(
      steps.findIndex(
        (one) => one.plot === found && (planned.plan.steps === 'parcela' || one.variable === step.variable),
      ),
    )
  const label = useLabel(trial.experimento, toFound)
  useTypedLabel(sheet ? null : label.find)
  /** A count that is typed. */
  const [digits, setDigits] = useState(false)
  useEffect(() => {
    if (!sheet) input.current?.focus({ preventScroll: true })
  }, [sheet])
  // biome-ignore lint/correctness/useExhaustiveDependencies: with every step
  useEffect(() => {
    input.current?.focus({ preventScroll: true })
    above.current?.scrollTo(0, 0)
  }, [at])
  // What was said of it stands above, and the buttons may have been scrolled to.
  const { kind } = entry.said
  useEffect(() => {
    if (kind !== 'nothing') above.current?.scrollTo(0, 0)
  }, [kind])
  if (!plot || !variable) return null
  const walked = order.indexOf(step.plot)
  const cell = trial.cell(place)
  const shelved = trial.history(place).findLast(({ estado }) => estado === 'guardado')
  const turn = turnAt(trial.pack.parcelas, order, walked, planned.plan.walk)
  const toPlot = (by: 1 | -1) => {
    const target = order[walked + by]
    if (target === undefined) return
    const same = steps.findIndex((one) => one.plot === target && one.variable === step.variable)
    const first = steps.findIndex((one) => one.plot === target)
    goTo(planned.plan.steps === 'parcela' ? first : same)
  }
  // What was said of the undoing goes along.
  const toCell = ({ parcela, variavel, avaliacao }: CellPlace) => {
    const found = steps.findIndex((one) => {
      const of = planned.placeOf(one)
      return of.parcela === parcela && of.variavel === variavel && of.avaliacao === avaliacao
    })
    if (found >= 0) move(found)
  }
  const typing = (text: string) => {
    if (entry.said.kind !== 'nothing' && entry.said.kind !== 'kept') entry.hush()
    type(text)
  }
  const save = () => {
    if (!isLabelAddress(typed)) return entry.save(typed)
    // A scanner that types sends the address of a label, and Enter.
    type('')
    label.find(typed)
  }
  const keypad =
    ['continua', 'percentual', 'contagem'].includes(variable.tipo) ||
    (variable.tipo === 'nota' && !variable.categorias?.length)
  const counted = variable.tipo === 'contagem'
  return (
    <main className={classes('capture', settings.canhoto && 'capture-left')}>
      <div ref={above} tabIndex={-1} className="flex min-h-0 flex-col gap-3 overflow-y-auto px-4 pb-3">
        <Header onHold={() => changeSettings({ sol: !settings.sol })}>
          <h1 className="text-title font-semibold">Parcela {plot.numero}</h1>
          <p className="figures">{whereIs(trial, step.plot)}</p>
          <div className="figures flex flex-wrap justify-between gap-x-4 text-small text-muted">
            <span>
              {walked + 1} de {order.length}
            </span>
            <QueueLine />
          </div>
        </Header>
        {turn && <Notice tone="info">{turn}</Notice>}
        {trial.changed && (
          <Notice tone="warn">
            Este ensaio mudou no computador.{' '}
            <Link to={trialPath(trial.experimento)} className="underline underline-offset-4">
              Atualizar o pacote
            </Link>
          </Notice>
        )}
        <Saved said={entry.said} />
        {whereabouts.cameraClosedIt && (
          <Notice tone="warn">A câmera fechou o app. Nada foi perdido; tire a foto de novo.</Notice>
        )}
        <Unsaved
          of={whereabouts.unsaved.map(({ at: step, text }) => ({
            ...{ step, text },
            plot: trial.pack.parcelas[steps[step]?.plot ?? 0]?.numero ?? 0,
          }))}
          onGo={goTo}
        />
        {variable.instrucao && <p>{variable.instrucao}</p>}
        <Samples variable={variable} value={cell.atual.valor} />
        <EntryInput
          variable={variable}
          text={typed}
          onText={typing}
          onSave={save}
          invalid={entry.said.kind === 'wrong' || entry.said.kind === 'unexpected' ? errorId : undefined}
          ownKeypad={keypad && !settings.tecladoDoAparelho}
          input={input}
        />
        <Complaint id={errorId} said={entry.said} />
        {label.elsewhere}
        <p className="figures text-small text-muted">
          {cell.atual.valor !== null || cell.atual.motivo !== null
            ? `Valor desta parcela: ${saidOf(variable, { tipo: 'valor', ...cell.atual })}`
            : 'Ainda sem valor nesta parcela.'}{' '}
          {lastOf(trial, place, variable)}
        </p>
        {shelved && (
          <Notice tone="warn">
            {`${saidOf(variable, shelved)}: guardado no servidor, aguardando decisão de quem edita o ensaio.`}
          </Notice>
        )}
        {cell.abertos.length > 0 && (
          <Notice tone="warn">
            Há um conflito nesta parcela.{' '}
            <Link to={trialPath(trial.experimento, 'conflitos')} className="underline underline-offset-4">
              Ver conflitos
            </Link>
          </Notice>
        )}
        <div className="grid grid-cols-2 gap-2">
          <Touch onClick={() => setSheet('missing')}>Sem valor</Touch>
          <Touch onClick={() => (entry.undoesPhoto() ? setSheet('undo') : entry.undo(toCell))}>
            Desfazer
          </Touch>
          <Touch onClick={() => setSheet('history')}>Histórico</Touch>
          <Touch onClick={() => setSheet('note')}>Anotar</Touch>
          <PhotoButton
            plot={plot.numero}
            busy={entry.developing}
            before={whereabouts.toCamera}
            after={whereabouts.fromCamera}
            onPhoto={entry.photo}
            onLost={entry.noRoom}
          />
          <Touch onClick={() => goTo(nextEmpty(steps, at, planned.filled) ?? at)}>Próxima sem valor</Touch>
          <Touch onClick={() => setSheet('go')}>Ir para parcela</Touch>
          <ScanButton within={trial.experimento} onPlot={toFound} />
          <Touch aria-pressed={settings.sol} onClick={() => changeSettings({ sol: !settings.sol })}>
            Sol
          </Touch>
          <Link
            to={trialPath(trial.experimento)}
            className="touch inline-flex items-center justify-center rounded-md border border-line-strong px-2 text-center text-text no-underline"
          >
            Terminar por agora
          </Link>
        </div>
      </div>
      <div className="flex flex-col justify-end gap-2 border-t border-line bg-surface px-4 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))]">
        {entry.said.kind === 'unexpected' ? (
          <Confirm
            value={entry.said.value}
            busy={entry.busy}
            onConfirm={entry.confirm}
            onCorrect={() => {
              entry.hush()
              input.current?.focus()
            }}
          />
        ) : (
          <>
            {counted && !digits && (
              <CountKeys
                text={typed}
                onText={typing}
                onKeypad={settings.tecladoDoAparelho ? null : () => setDigits(true)}
              />
            )}
            {variable.tipo === 'data' && <DayKeys text={typed} onText={typing} />}
            {keypad && (!counted || digits) && !settings.tecladoDoAparelho && (
              <Keypad variable={variable} text={typed} onText={typing} leftHanded={settings.canhoto} />
            )}
            {counted && digits && <Touch onClick={() => setDigits(false)}>Contar por toques</Touch>}
            <div className={classes('flex gap-2', settings.canhoto && 'flex-row-reverse')}>
              <Touch disabled={walked === 0} onClick={() => toPlot(-1)} className="w-16 px-0">
                <span aria-hidden className="text-title">
                  ‹
                </span>
                <span className="sr-only">Parcela anterior</span>
              </Touch>
              <Touch disabled={walked === order.length - 1} onClick={() => toPlot(1)} className="w-16 px-0">
                <span aria-hidden className="text-title">
                  ›
                </span>
                <span className="sr-only">Próxima parcela</span>
              </Touch>
              <Touch
                variant="primary"
                busy={entry.busy}
                onClick={save}
                className="touch-main flex-1 text-title"
              >
                Salvar e seguir
              </Touch>
            </div>
          </>
        )}
      </div>
      {sheet === 'missing' && (
        <MissingSheet
          onClose={() => setSheet(null)}
          onReason={(reason) => {
            setSheet(null)
            entry.missing(reason)
          }}
        />
      )}
      {sheet === 'note' && (
        <NoteSheet
          onClose={() => setSheet(null)}
          onNote={(text) => {
            setSheet(null)
            entry.note(text)
          }}
        />
      )}
      {sheet === 'history' && (
        <HistorySheet trial={trial} variable={variable} place={place} onClose={() => setSheet(null)} />
      )}
      {sheet === 'undo' && (
        <UndoPhotoSheet
          plot={entry.undoesPhoto()}
          onClose={() => setSheet(null)}
          onUndo={() => {
            setSheet(null)
            entry.undo(toCell)
          }}
        />
      )}
      {sheet === 'go' && <GoToSheet trial={trial} onClose={() => setSheet(null)} onPlot={toFound} />}
    </main>
  )
}

/** Whoever walked on with a value that was typed and not saved is told where it waits. */
function Unsaved({
  of,
  onGo,
}: {
  of: readonly { step: number; plot: number; text: string }[]
  onGo: (step: number) => void
}) {
  const [first] = of
  if (!first) return null
  return (
    <Notice tone="warn">
      <span className="flex items-center justify-between gap-3">
        <span>
          {of.length === 1
            ? `Digitado e não guardado: “${first.text}” na parcela ${first.plot}.`
            : `Digitado e não guardado em ${of.length} parcelas.`}
        </span>
        <Touch
          aria-label={`Voltar à parcela ${first.plot}`}
          onClick={() => onGo(first.step)}
          className="shrink-0"
        >
          Voltar
        </Touch>
      </span>
    </Notice>
  )
}

/** Which of a plot's samples is next, and their mean so far. */
function Samples({ variable, value }: { variable: Props['planned']['variables'][number]; value: CellValue }) {
  const wanted = variable.amostras ?? 1
  if (wanted === 1) return null
  const held = Array.isArray(value) ? value : []
  const done = held.length >= wanted
  const said = held.map((one) => shownValue(variable, one)).join('; ')
  return (
    <p className="figures font-medium">
      {done ? `${wanted} amostras` : `Amostra ${held.length + 1} de ${wanted}`}
      {held.length > 0 && (
        <span className="font-normal text-muted">
          {' '}
          · {said} · média {shownValue(variable, held)}
        </span>
      )}
    </p>
  )
}

/** In the place of the keys, so that it is where the thumb is. */
function Confirm({
  value,
  busy,
  onConfirm,
  onCorrect,
}: {
  value: number
  busy: boolean
  onConfirm: (value: number) => void
  onCorrect: () => void
}) {
  return (
    <>
      <Touch onClick={onCorrect} className="touch-main text-title">
        Corrigir
      </Touch>
      <Touch variant="primary" busy={busy} onClick={() => onConfirm(value)} className="touch-main text-title">
        Confirmar valor
      </Touch>
    </>
  )
}

const HOLD_MS = 700

/** A long press on it switches the mode for the sun. */
function Header({ onHold, children }: { onHold: () => void; children: ReactNode }) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const stop = () => clearTimeout(timer.current)
  return (
    <header
      className="sticky top-0 z-10 -mx-4 border-b border-line bg-bg px-4 pt-2 pb-1 select-none"
      onPointerDown={() => {
        stop()
        timer.current = setTimeout(onHold, HOLD_MS)
      }}
      onPointerUp={stop}
      onPointerLeave={stop}
      onPointerCancel={stop}
    >
      {children}
    </header>
  )
}

/** The check mark: only for what is on the disk. */
function Saved({ said }: { said: Said }) {
  return (
    <p role="status" className="figures min-h-6 shrink-0 font-medium text-ok">
      {said.kind === 'kept' && (
        <>
          <span aria-hidden>✓ </span>
          <span>Guardado: {said.value}</span>
          {said.plot !== null && <span className="text-small text-muted"> · parcela {said.plot}</span>}
        </>
      )}
    </p>
  )
}

function Complaint({ id, said }: { id: string; said: Said }) {
  if (said.kind === 'lost')
    return (
      <p role="alert" className="rounded-md bg-danger px-4 py-3 font-semibold text-on-danger">
        {said.message}
      </p>
    )
  if (said.kind !== 'wrong' && said.kind !== 'unexpected') return null
  return (
    <p
      id={id}
      role="alert"
      className={
        said.kind === 'wrong'
          ? 'font-medium text-danger'
          : 'rounded-md border border-warn bg-warn-soft p-3 text-warn'
      }
    >
      {said.message}
    </p>
  )
}

/** 'Última: 82 cm em 12/03': of this plot, on the date before. */
function lastOf(trial: Trial, place: CellPlace, variable: Props['planned']['variables'][number]): string {
  const dates = trial.dates
  const now = dates.findIndex(({ id }) => id === place.avaliacao)
  for (let n = (now < 0 ? dates.length : now) - 1; n >= 0; n--) {
    const date = dates[n]
    const value = date && trial.cell({ ...place, avaliacao: date.id }).atual.valor
    if (!date || value === null || value === undefined) continue
    const when = date.data ? formatDay(date.data).slice(0, 5) : date.nome
    const unit = variable.unidade ? ` ${variable.unidade}` : ''
    return `Última: ${shownValue(variable, value)}${unit} em ${when}`
  }
  return ''
}
