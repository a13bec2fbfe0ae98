import {
  entries,
  formatDateTime,
  WALK_CORNERS,
  WALK_DIRECTIONS,
  WALK_MODES,
  WALK_STEPS,
  type WalkSteps,
} from '@ensaio/domain'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { Trial } from '../../field-store/trial.ts'
import { devicePath, fieldPath, go, Link, trialPath } from './address.tsx'
import { field, useFieldState } from './field.ts'
import { OthersWaiting } from './OthersWaiting.tsx'
import { Choice, Notice, Page, Sheet, Tick, Touch, touchClasses } from './parts.tsx'
import { blockName, enterable, isDrawn, type Planned, usePlan } from './plan.ts'
import { ClockLine, QueueLine } from './QueueLine.tsx'
import { saveCopy } from './save-copy.ts'
import { useTaking } from './take-along.ts'

const Croqui = lazy(async () => ({ default: (await import('./Croqui.tsx')).Croqui }))

/** A trial on this phone: how far it is, what is collected, and in which order. */
export function TrialPage({ trial }: { trial: Trial }) {
  const { packages } = useFieldState()
  const planned = usePlan(trial)
  const held = packages.find(({ experimento }) => experimento === trial.experimento)
  const [going, take] = useTaking()
  const [removing, setRemoving] = useState(false)
  return (
    <Page title={trial.pack.nome} back={{ to: fieldPath, label: 'Campo' }} status={<QueueLine />}>
      <ClockLine />
      <OthersWaiting />
      <p className="figures text-small text-muted">
        <span className="font-medium text-ok">Disponível sem internet</span> · levado em{' '}
        {held ? formatDateTime(new Date(held.levado_em)) : '–'}
      </p>
      {trial.changed && (
        <Notice tone="warn">
          <span className="flex flex-wrap items-center justify-between gap-3">
            <span>
              As parcelas, variáveis ou avaliações deste ensaio mudaram depois que ele foi levado. O que você
              anotou fica; atualize o pacote para ver as de agora.
            </span>
            <Touch busy={going.part !== null} onClick={() => void take(trial)}>
              Atualizar agora
            </Touch>
          </span>
        </Notice>
      )}
      <Protection />
      {planned && <Progress trial={trial} planned={planned} />}
      <Touch
        variant="primary"
        className="touch-main text-title"
        onClick={() => go(trialPath(trial.experimento, 'coleta'))}
      >
        Coletar
      </Touch>
      {planned && <Plan trial={trial} planned={planned} />}
      {planned && (
        <Suspense fallback={<p className="text-muted">Desenhando o croqui…</p>}>
          <Croqui trial={trial} planned={planned} />
        </Suspense>
      )}
      <Team trial={trial} />
      {going.error && <Notice tone="danger">{going.error}</Notice>}
      <p role="status" className="figures">
        {going.part !== null && `Baixando ${Math.round(going.part * 100)}%`}
      </p>
      <div className="flex flex-wrap gap-2">
        <Touch busy={going.part !== null} onClick={() => void take(trial)}>
          Atualizar pacote
        </Touch>
        <Link to={trialPath(trial.experimento, 'etiquetas')} className={touchClasses()}>
          Etiquetas
        </Link>
        <Link to={devicePath} className={touchClasses()}>
          Este aparelho
        </Link>
        <Touch onClick={() => setRemoving(true)}>Remover deste aparelho</Touch>
      </div>
      {removing && <RemoveSheet trial={trial} onClose={() => setRemoving(false)} />}
    </Page>
  )
}

function Protection() {
  const [persisted, setPersisted] = useState<boolean | null>(null)
  useEffect(() => {
    void navigator.storage?.persisted?.().then(setPersisted, () => undefined)
  }, [])
  if (persisted === null) return null
  return persisted ? (
    <p className="text-small text-ok">Armazenamento protegido</p>
  ) : (
    <Notice tone="warn">
      O navegador pode apagar estes dados se faltar espaço. Instale o app e envie com frequência.
    </Notice>
  )
}

function Progress({ planned }: { trial: Trial; planned: Planned }) {
  const done = planned.steps.filter(planned.filled).length
  return (
    <div className="flex flex-col gap-1">
      <p className="figures font-medium">
        {done} de {planned.steps.length} valores
      </p>
      <progress
        aria-label="Valores coletados"
        max={planned.steps.length || 1}
        value={done}
        className="progress h-3 w-full"
      />
    </div>
  )
}

const NO_DATE = ''

function Plan({ trial, planned }: { trial: Trial; planned: Planned }) {
  const { plan, change } = planned
  const dates = Object.fromEntries([
    ...trial.dates.map(({ id, nome }) => [id, nome]),
    [NO_DATE, 'Sem avaliação'],
  ]) as Record<string, string>
  return (
    <details className="rounded-md border border-line bg-surface px-4">
      <summary className="touch flex cursor-pointer items-center font-medium">
        O que coletar e em que ordem
      </summary>
      <div className="flex flex-col gap-3 pb-4">
        {trial.dates.length > 0 && (
          <Choice
            label="Avaliação"
            value={plan.avaliacao ?? NO_DATE}
            options={dates}
            onValue={(value) => change({ avaliacao: value === NO_DATE ? null : value })}
          />
        )}
        <fieldset>
          <legend className="text-small font-medium">Variáveis</legend>
          {enterable(trial).map(({ id, nome }) => (
            <Tick
              key={id}
              label={nome}
              checked={!plan.sem.includes(id)}
              onChange={(on) =>
                change({ sem: on ? plan.sem.filter((one) => one !== id) : [...plan.sem, id] })
              }
            />
          ))}
        </fieldset>
        <Choice
          label="Ordem de caminhada"
          value={plan.walk.modo}
          options={WALK_MODES}
          onValue={(modo) => change({ walk: { ...plan.walk, modo } })}
        />
        {isDrawn(trial) && plan.walk.modo !== 'numero' && (
          <>
            <Choice
              label="Primeiro canto"
              value={plan.walk.canto}
              options={WALK_CORNERS}
              onValue={(canto) => change({ walk: { ...plan.walk, canto } })}
            />
            <Choice
              label="Sentido"
              value={plan.walk.direcao}
              options={WALK_DIRECTIONS}
              onValue={(direcao) => change({ walk: { ...plan.walk, direcao } })}
            />
          </>
        )}
        <Choice<WalkSteps>
          label="Em cada parcela"
          value={plan.steps}
          options={WALK_STEPS}
          onValue={(steps) => change({ steps })}
        />
      </div>
    </details>
  )
}

/** Who was last where, from what came with the last contact. */
function Team({ trial }: { trial: Trial }) {
  const last = new Map<string, { quando: string; parcela: string }>()
  const numbers = new Map(trial.pack.parcelas.map(({ id, numero }) => [id, numero]))
  for (const { quem, quando, parcela } of trial.others()) {
    const before = last.get(quem)
    if (!before || before.quando < quando) last.set(quem, { quando, parcela })
  }
  const blocks = trial.pack.blocos ?? []
  const { person } = useFieldState()
  const unseen = [...new Set(trial.pack.equipe ?? [])].filter(
    (nome) => !last.has(nome) && nome !== person?.name,
  )
  if (last.size === 0 && blocks.length === 0 && unseen.length === 0) return null
  return (
    <section aria-labelledby="equipe" className="flex flex-col gap-1">
      <h2 id="equipe" className="text-title font-semibold">
        Equipe
      </h2>
      {blocks.length > 0 && (
        <ul className="figures">
          {blocks.map(({ bloco }) => (
            <li key={bloco}>{blockName(trial, bloco)}</li>
          ))}
        </ul>
      )}
      <ul className="figures">
        {[...last].map(([quem, { quando, parcela }]) => (
          <li key={quem}>
            {quem} · parcela {numbers.get(parcela) ?? '–'} · {ago(quando)}
          </li>
        ))}
        {unseen.map((nome) => (
          <li key={nome} className="text-muted">
            {nome} · sem registros recebidos
          </li>
        ))}
      </ul>
    </section>
  )
}

function ago(instant: string): string {
  const minutes = Math.max(0, Math.round((Date.now() - Date.parse(instant)) / 60_000))
  if (minutes < 60) return `há ${minutes} min`
  return minutes < 2880 ? `há ${Math.round(minutes / 60)} h` : `há ${Math.round(minutes / 1440)} dias`
}

/** What is not sent is named, and does not go; a copy is the second way. */
function RemoveSheet({ trial, onClose }: { trial: Trial; onClose: () => void }) {
  const { photos } = useFieldState()
  const waiting = trial.own.filter(({ espera }) => espera === 1)
  const pictures = photos.filter(
    ({ experimento, espera }) => experimento === trial.experimento && espera !== 2,
  )
  const announced = new Set(waiting.map(({ id }) => id))
  const taken = new Set(pictures.map(({ id }) => id))
  const [saved, setSaved] = useState(false)
  const unsent = waiting.length + pictures.filter(({ id }) => !announced.has(id)).length
  const remove = async () => {
    await field.drop(trial)
    go(fieldPath, { replace: true })
  }
  return (
    <Sheet
      title="Remover deste aparelho"
      onClose={onClose}
      footer={
        saved ? (
          <Touch variant="danger" onClick={() => void field.discard(trial).then(remove)}>
            A cópia está salva, remover
          </Touch>
        ) : unsent > 0 ? (
          <Touch
            variant="danger"
            onClick={() =>
              void saveCopy(
                trial.own.filter(({ id, espera }) => espera === 1 || taken.has(id)),
                pictures,
              ).then((how) => {
                if (how === 'shared') void field.discard(trial).then(remove)
                if (how === 'downloaded') setSaved(true)
              })
            }
          >
            Salvar cópia e remover
          </Touch>
        ) : (
          <Touch variant="danger" onClick={() => void remove()}>
            Remover
          </Touch>
        )
      }
    >
      {saved ? (
        <Notice tone="warn">
          Confira se o arquivo está nos seus downloads. Depois de remover, ele é a única cópia.
        </Notice>
      ) : unsent > 0 ? (
        <Notice tone="warn">
          {unsent === 1
            ? '1 registro ainda não foi enviado.'
            : `${entries(unsent)} ainda não foram enviados.`}
        </Notice>
      ) : (
        <p>O ensaio e o que já foi enviado saem deste aparelho. No servidor nada muda.</p>
      )}
    </Sheet>
  )
}
