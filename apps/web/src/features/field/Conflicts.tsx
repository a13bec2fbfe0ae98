import { counted, variableLabel, whenSaid } from '@ensaio/domain'
import { useState } from 'react'
import type { CellPlace, Told, Trial } from '../../field-store/trial.ts'
import { go, trialPath } from './address.tsx'
import { saidOf } from './CaptureSheets.tsx'
import { field, useFieldState } from './field.ts'
import { PhotoList } from './PhotoList.tsx'
import { Notice, Page, Touch } from './parts.tsx'
import { QueueLine } from './QueueLine.tsx'
import { placeKey } from './use-place.ts'

/** Cells to which two gave different values without knowing of each other; both are kept until somebody decides. */
export function Conflicts({ trial }: { trial: Trial }) {
  useFieldState()
  const [error, setError] = useState<string | null>(null)
  const conflicts = trial.conflicts()
  return (
    <Page
      title="Conflitos"
      back={{ to: trialPath(trial.experimento), label: 'Ensaio' }}
      status={<QueueLine />}
    >
      {error && <Notice tone="danger">{error}</Notice>}
      {conflicts.length === 0 && <p>Não há conflitos neste ensaio.</p>}
      <ul className="flex flex-col gap-4">
        {conflicts.map((place) => (
          <li key={`${place.parcela} ${place.variavel} ${place.avaliacao}`}>
            <Conflict trial={trial} place={place} onError={setError} />
          </li>
        ))}
      </ul>
    </Page>
  )
}

function Conflict({
  trial,
  place,
  onError,
}: {
  trial: Trial
  place: CellPlace
  onError: (message: string) => void
}) {
  const plot = trial.pack.parcelas.find(({ id }) => id === place.parcela)
  const variable = trial.variables.find(({ id }) => id === place.variavel)
  const date = trial.dates.find(({ id }) => id === place.avaliacao)
  // Asked for by the person: a list of conflicts would load the photos of all their plots at once.
  const [shown, setShown] = useState(false)
  const photos = trial.photos(place.parcela).filter((one) => !trial.isTakenBack(one))
  const cell = trial.cell(place)
  if (!plot || !variable) return null
  const sides = [cell.atual, ...cell.abertos].map((side) => {
    const told = trial.told(side.id)
    return { ...side, tipo: told?.tipo ?? ('valor' as const), quem: told?.quem ?? 'Alguém', told }
  })
  const may = trial.decides(sides.map(({ told }) => told))
  const decide = async (side: Pick<Told, 'valor' | 'motivo'>) => {
    try {
      await field.record([
        {
          ...{ tipo: 'decisao', ...place, valor: side.valor, motivo: side.motivo, base: cell.atual.id },
          decide: cell.abertos.map(({ id }) => id),
          rotulos: { parcela: String(plot.numero), variavel: variable.nome, avaliacao: date?.nome ?? null },
        },
      ])
    } catch {
      onError('A decisão NÃO foi guardada. Tente de novo.')
    }
  }
  const again = async () => {
    await field.put(placeKey(trial), { parcela: plot.id, variavel: variable.id })
    go(trialPath(trial.experimento, 'coleta'))
  }
  return (
    <section
      aria-label={[`Parcela ${plot.numero}`, variableLabel(variable), date?.nome].filter(Boolean).join(', ')}
      className="flex flex-col gap-3 rounded-md border border-line bg-surface p-4"
    >
      <h2 className="figures text-title font-semibold">
        Parcela {plot.numero} · {variableLabel(variable)}
        {date ? ` · ${date.nome}` : ''}
      </h2>
      <ul className="flex flex-col gap-2">
        {sides.map(({ id, quem, told, ...side }) => (
          <li key={id} className="figures">
            <span className="font-semibold">{saidOf(variable, side)}</span>{' '}
            <span className="text-small text-muted">
              {quem}
              {told && ` · ${whenSaid(told)} · ${phoneOf(trial, told)}`}
              {id === cell.atual.id && ' · vale agora'}
            </span>
          </li>
        ))}
      </ul>
      {photos.length > 0 &&
        (shown ? (
          <PhotoList trial={trial} taken={photos} />
        ) : (
          <Touch className="self-start" onClick={() => setShown(true)}>
            Ver {counted(photos.length, 'foto', 'fotos')} da parcela
          </Touch>
        ))}
      {!may && <p>Quem registrou um destes valores ou quem edita o ensaio decide qual fica.</p>}
      <div className="flex flex-wrap gap-2">
        {(may ? sides : []).map(({ id, quem, ...side }) => (
          <Touch key={id} onClick={() => void decide(side)}>
            Ficar com {saidOf(variable, side)} de {quem}
          </Touch>
        ))}
        <Touch onClick={() => void again()}>Medir de novo</Touch>
      </div>
    </section>
  )
}

const phoneOf = (trial: Trial, { aparelho }: Told): string => {
  if (aparelho === null) return 'no computador'
  return trial.own.some(({ registro }) => registro.aparelho === aparelho) ? 'este aparelho' : 'outro aparelho'
}
