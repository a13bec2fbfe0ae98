import { counted, type MatchedTrial, MOST_MATCHED } from '@ensaio/domain'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { call, reasonOf } from '../../api/client.ts'
import { experimentsChanged } from '../../api/queries.ts'
import { PdfDropZone } from '../../shell/PdfDropZone.tsx'
import { recordPage } from '../../shell/paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Banner } from '../../ui/Surface.tsx'

type Entry = {
  file: File
  trial: MatchedTrial | null
  state: 'found' | 'sending' | 'sent' | { refused: string }
}

/** Puts many reports on their trials at once, each by the code in its name; nothing is sent before it is confirmed. */
export function AttachByCode({ onClose }: { onClose: () => void }) {
  const [entries, setEntries] = useState<readonly Entry[]>([])
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const stopped = useRef(false)
  const ready = entries.filter(({ trial, state }) => trial?.permitido && state !== 'sent')
  const sent = entries.filter(({ state }) => state === 'sent').length

  const look = async (files: File[]) => {
    setBusy(true)
    setFailure(null)
    try {
      const nomes = files.map(({ name }) => name.slice(0, 300))
      const { experimentos } = await call('matchDocuments', { body: { nomes } })
      const found = files.map(
        (file, at): Entry => ({ file, trial: experimentos[at] ?? null, state: 'found' }),
      )
      setEntries((before) => [...before, ...found].slice(0, MOST_MATCHED))
    } catch (error) {
      setFailure(reasonOf(error, 'Não foi possível procurar os experimentos'))
    } finally {
      setBusy(false)
    }
  }
  const send = async () => {
    setBusy(true)
    stopped.current = false
    const put = (file: File, state: Entry['state']) =>
      setEntries((before) => before.map((one) => (one.file === file ? { ...one, state } : one)))
    // One at a time: each has its own answer, and a stop keeps what is done.
    for (const { file, trial } of ready) {
      if (stopped.current || !trial) break
      put(file, 'sending')
      const form = new FormData()
      form.append('experimentId', trial.id)
      form.append('pdf', file, file.name)
      try {
        await call('uploadDocument', {}, { form, timeoutMs: 120_000 })
        put(file, 'sent')
      } catch (error) {
        put(file, { refused: reasonOf(error, 'O envio não foi concluído') })
      }
    }
    await experimentsChanged()
    setBusy(false)
  }
  const close = () => {
    stopped.current = true
    onClose()
  }

  return (
    <Dialog
      open
      size="large"
      onClose={close}
      title="Anexar relatórios por código"
      description="O código do ensaio no nome do arquivo diz de qual experimento ele é: ‘SOJA-2024-017 final.pdf’."
      footer={
        <>
          <Button onClick={close}>{sent > 0 && ready.length === 0 ? 'Concluir' : 'Cancelar'}</Button>
          <Button variant="primary" busy={busy} disabled={ready.length === 0} onClick={() => void send()}>
            {ready.length === 0 ? 'Anexar' : `Anexar ${counted(ready.length, 'relatório', 'relatórios')}`}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {failure && <Banner tone="danger">{failure}</Banner>}
        <PdfDropZone
          maxFiles={MOST_MATCHED}
          disabled={busy || entries.length >= MOST_MATCHED}
          onFiles={(files) => void look(files)}
        />
        <p role="status" className="text-small text-muted">
          {entries.length === 0
            ? `Até ${MOST_MATCHED} arquivos por vez.`
            : `${counted(entries.length, 'arquivo', 'arquivos')}: ${counted(sent, 'anexado', 'anexados')}, ${counted(ready.length, 'a anexar', 'a anexar')}.`}
        </p>
        {entries.length > 0 && (
          <ul className="divide-y divide-line border-y border-line" aria-label="Arquivos e seus experimentos">
            {entries.map((entry, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: files are only added, two may have one name
              <li key={at} className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 py-2">
                <span className="min-w-0 break-all">{entry.file.name}</span>
                <Standing entry={entry} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  )
}

function Standing({ entry: { trial, state } }: { entry: Entry }) {
  if (!trial) return <span className="text-small text-warn">nenhum experimento com este código</span>
  const name = (
    <Link className="text-accent underline-offset-4 hover:underline" to={recordPage(trial.id)}>
      {trial.codigo} · {trial.nome}
    </Link>
  )
  if (!trial.permitido)
    return <span className="text-small text-warn">{name}: só quem pode editá-lo anexa</span>
  return (
    <span className="text-small">
      {name}{' '}
      {typeof state === 'object' ? (
        <span className="text-danger">{state.refused}</span>
      ) : state === 'sent' ? (
        <span className="text-muted">anexado</span>
      ) : state === 'sending' ? (
        <span className="text-muted">enviando…</span>
      ) : (
        trial.tem_relatorio && <span className="text-muted">já tem relatório; este entra ao lado</span>
      )}
    </span>
  )
}
