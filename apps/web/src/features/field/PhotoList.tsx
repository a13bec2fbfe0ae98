import { formatDateTime } from '@ensaio/domain'
import { useEffect, useState } from 'react'
import type { OwnPhoto } from '../../field-store/database.ts'
import type { Told } from '../../field-store/trial.ts'
import { useFieldState } from './field.ts'

/** Photos of a plot, by whomever; those that are here still are shown. */
export function PhotoList({ taken }: { taken: readonly Told[] }) {
  const { photos } = useFieldState()
  const here = new Map(photos.map((photo) => [photo.id, photo]))
  if (taken.length === 0) return null
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-semibold">Fotos</h3>
      <ul className="flex flex-col gap-2">
        {taken.map(({ id, quem, quando, estado }) => {
          const photo = here.get(id)
          // Of another phone nothing is known but that it was taken.
          const state = estado === null ? null : photoState(photo)
          return (
            <li key={id} className="flex items-center gap-3">
              {photo && photo.espera !== 2 && <Picture photo={photo} />}
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

export function Picture({ photo }: { photo: OwnPhoto }) {
  const [url, setUrl] = useState<string>()
  const { blob } = photo
  useEffect(() => {
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return url ? <img src={url} alt="" className="size-16 rounded-md border border-line object-cover" /> : null
}
