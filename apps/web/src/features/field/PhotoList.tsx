import { formatDateTime } from '@ensaio/domain'
import { useEffect, useState } from 'react'
import { smallPhoto } from '../../api/field-client.ts'
import type { OwnPhoto } from '../../field-store/database.ts'
import type { Told, Trial } from '../../field-store/trial.ts'
import { field, useFieldState } from './field.ts'

/** Photos of a plot, by whomever: from this phone those that are here still, from the server where it can be asked. */
export function PhotoList({ trial, taken }: { trial: Trial; taken: readonly Told[] }) {
  const { photos } = useFieldState()
  const here = new Map(photos.map((photo) => [photo.id, photo]))
  if (taken.length === 0) return null
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-semibold">Fotos</h3>
      <ul className="flex flex-col gap-2">
        {taken.map((one) => {
          const { id, quem, quando, estado } = one
          const photo = here.get(id)
          const gone = trial.isTakenBack(one)
          // Of another phone nothing is known but that it was taken.
          const state = gone ? 'desfeita' : estado === null ? null : photoState(photo)
          return (
            <li key={id} className="flex items-center gap-3">
              {gone ? null : photo === undefined ? (
                <SentPicture trial={trial} id={id} />
              ) : (
                photo.espera !== 2 && <Picture blob={photo.blob} />
              )}
              <span className="figures text-small">
                {[quem, formatDateTime(quando), state].filter(Boolean).join(' · ')}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** What became of a picture of this phone: one that is not here any more is on the server. */
export function photoState(photo: OwnPhoto | undefined): string {
  switch (photo?.espera) {
    case undefined:
      return 'enviada'
    case 1:
      return 'para enviar'
    case 2:
      return 'descartada'
    default:
      return `não enviada: ${photo?.razao ?? ''}`
  }
}

function SentPicture({ trial, id }: { trial: Trial; id: string }) {
  const { organizacao, experimento } = trial
  const [blob, setBlob] = useState<Blob | null>(null)
  useEffect(() => {
    let gone = false
    const organization = organizacao === '' ? null : organizacao
    const ask = field.ask((token) => smallPhoto({ token, organization, id: experimento, photo: id }))
    ask.then(
      (answer) => {
        if (answer.kind === 'ok' && !gone) setBlob(answer.body)
      },
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [organizacao, experimento, id])
  return blob && <Picture blob={blob} />
}

export function Picture({ blob }: { blob: Blob }) {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return url ? <img src={url} alt="" className="size-16 rounded-md border border-line object-cover" /> : null
}
