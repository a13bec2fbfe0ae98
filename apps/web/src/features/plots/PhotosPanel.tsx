import { formatDateTime, type Photo } from '@ensaio/domain'
import { Download, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { call, open, reasonOf } from '../../api/client.ts'
import { useEndpoint } from '../../api/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog, Dialog } from '../../ui/Dialog.tsx'
import { downloadBlob } from '../../ui/download.ts'
import { Card, CardHeader, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'

const PAGE = 24

/** The photos that were taken of a trial's plots; nothing where there are none. */
export function PhotosPanel({ id, edit }: { id: string; edit: boolean }) {
  const [cursors, setCursors] = useState<readonly (string | null)[]>([null])
  const [shown, setShown] = useState<Photo | null>(null)
  const cursor = cursors.at(-1) ?? undefined
  const query = useEndpoint(
    'listPhotos',
    { params: { id }, query: { limit: PAGE, ...(cursor !== undefined && { cursor }) } },
    { keep: true },
  )
  if (query.isError)
    return <ErrorState message={`Fotos: ${query.error.message}`} onRetry={() => query.refetch()} />
  const { fotos = [], total = 0, next_cursor: next = null } = query.data ?? {}
  if (total === 0) return null
  return (
    <Card className="no-print">
      <CardHeader
        title="Fotos"
        subtitle={
          total === 1 ? 'Uma foto das parcelas.' : `${total} fotos das parcelas, as mais novas primeiro.`
        }
      />
      <ul className="grid grid-cols-2 gap-4 px-5 pb-5 sm:grid-cols-3 lg:grid-cols-6">
        {fotos.map((photo) => (
          <li key={photo.id} className="min-w-0">
            <button
              type="button"
              onClick={() => setShown(photo)}
              className="flex w-full min-w-0 cursor-pointer flex-col gap-1.5 rounded-md text-left"
            >
              <Picture
                trial={id}
                photo={photo}
                small
                className="aspect-[4/3] w-full rounded-md object-cover"
              />
              <span className="figures text-small font-medium">{plotOf(photo)}</span>
              <span className="figures text-small text-muted">{formatDateTime(photo.quando)}</span>
            </button>
          </li>
        ))}
      </ul>
      {(next !== null || cursors.length > 1) && (
        <div className="flex justify-between gap-2 border-t border-line px-5 py-4">
          <Button disabled={cursors.length === 1} onClick={() => setCursors(cursors.slice(0, -1))}>
            Mais novas
          </Button>
          <Button disabled={next === null} onClick={() => setCursors([...cursors, next])}>
            Mais antigas
          </Button>
        </div>
      )}
      {shown && (
        <OnePhoto
          trial={id}
          photo={shown}
          edit={edit}
          onClose={() => setShown(null)}
          onGone={() => {
            setShown(null)
            void query.refetch()
          }}
        />
      )}
    </Card>
  )
}

const plotOf = ({ numero }: Photo): string => (numero === null ? 'Parcela removida' : `Parcela ${numero}`)

function OnePhoto({
  trial,
  photo,
  edit,
  onClose,
  onGone,
}: {
  trial: string
  photo: Photo
  edit: boolean
  onClose: () => void
  onGone: () => void
}) {
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const params = { id: trial, photo: photo.id }
  const save = async () => {
    try {
      const response = await open('getPhoto', { params, query: {} })
      downloadBlob(`${plotOf(photo)} - ${photo.quando.slice(0, 10)}.jpg`, await response.blob())
    } catch (error) {
      toast.error('A foto não foi baixada', reasonOf(error))
    }
  }
  const remove = async () => {
    setBusy(true)
    try {
      await call('removePhoto', { params })
      toast.success('Foto apagada')
      onGone()
    } catch (error) {
      toast.error('A foto não foi apagada', reasonOf(error))
      setBusy(false)
    }
  }
  const { posicao } = photo
  return (
    <Dialog
      open
      onClose={onClose}
      title={plotOf(photo)}
      size="large"
      footer={
        <>
          {edit && (
            <Button
              variant="quiet"
              icon={<Trash2 aria-hidden className="size-4" />}
              onClick={() => setAsking(true)}
            >
              Apagar
            </Button>
          )}
          <Button icon={<Download aria-hidden className="size-4" />} onClick={() => void save()}>
            Baixar
          </Button>
        </>
      }
    >
      <Picture trial={trial} photo={photo} className="max-h-[60vh] w-full rounded-md object-contain" />
      <p className="figures pt-3 text-small text-muted">
        {[
          photo.quem,
          formatDateTime(photo.quando),
          posicao &&
            `${posicao.lat.toFixed(5).replace('.', ',')}; ${posicao.lng.toFixed(5).replace('.', ',')}`,
          posicao?.precisao_m != null && `± ${Math.round(posicao.precisao_m)} m`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {photo.descricao && <p className="pt-1">{photo.descricao}</p>}
      <ConfirmDialog
        open={asking}
        title="Apagar a foto?"
        message="Ela não volta."
        confirmLabel="Apagar"
        busy={busy}
        onCancel={() => setAsking(false)}
        onConfirm={() => void remove()}
      />
    </Dialog>
  )
}

/** A photo is fetched with the session, as everything that is not public. */
function Picture({
  trial,
  photo,
  small = false,
  className,
}: {
  trial: string
  photo: Photo
  small?: boolean
  className: string
}) {
  const [url, setUrl] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const { id } = photo
  useEffect(() => {
    const leave = new AbortController()
    let made: string | null = null
    const query = small ? { pequena: '1' as const } : {}
    open('getPhoto', { params: { id: trial, photo: id }, query }, { signal: leave.signal })
      .then(async (response) => {
        const blob = await response.blob()
        if (leave.signal.aborted) return
        made = URL.createObjectURL(blob)
        setUrl(made)
      })
      .catch((error: unknown) => leave.signal.aborted || setFailure(reasonOf(error)))
    return () => {
      leave.abort()
      if (made) URL.revokeObjectURL(made)
    }
  }, [trial, id, small])
  if (failure) return <span className="text-small text-danger">{failure}</span>
  if (!url) return <Skeleton className={small ? 'aspect-[4/3] w-full' : 'h-80 w-full'} />
  return <img src={url} alt={small ? '' : `Foto da ${plotOf(photo).toLowerCase()}`} className={className} />
}
