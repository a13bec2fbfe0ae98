import {
  effectText,
  effectUnit,
  formatDateTime,
  type RecordedSynthesis,
  type SynthesisAnswer,
  type SynthesisQuery,
} from '@ensaio/domain'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Stamp } from 'lucide-react'
import { useRef, useState } from 'react'
import { call, reasonOf } from '../../api/client.ts'
import { keyOf, useEndpoint } from '../../api/queries.ts'
import { createRequestKey } from '../../api/request-key.ts'
import { useSource } from '../../api/source.ts'
import { attempt } from '../../shell/attempt.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog, Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Checkbox, controlClasses, Input } from '../../ui/Input.tsx'
import { Badge, Card, CardHeader, ErrorState, Skeleton } from '../../ui/Surface.tsx'

const LIST = {}

export function RecordButton({ query, answer }: { query: SynthesisQuery; answer: SynthesisAnswer }) {
  const [open, setOpen] = useState(false)
  const demonstrating = useSource().name === 'demo'
  return (
    <>
      <Button
        disabled={demonstrating}
        title={demonstrating ? 'Sínteses de dados de demonstração não são guardadas' : undefined}
        size="small"
        variant="primary"
        icon={<Stamp aria-hidden className="size-4" />}
        onClick={() => setOpen(true)}
      >
        Registrar síntese
      </Button>
      {open && <RecordDialog query={query} answer={answer} onClose={() => setOpen(false)} />}
    </>
  )
}

function RecordDialog({
  query,
  answer,
  onClose,
}: {
  query: SynthesisQuery
  answer: SynthesisAnswer
  onClose: () => void
}) {
  const client = useQueryClient()
  const keyFor = useRef(createRequestKey()).current
  const [titulo, setTitulo] = useState(`${answer.produto} contra a Testemunha`)
  const [conclusao, setConclusao] = useState('')
  const [compartilhada, setCompartilhada] = useState(false)
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    const body = { ...query, titulo, conclusao, compartilhada }
    const headers = { 'idempotency-key': keyFor(JSON.stringify(body)) }
    const done = await attempt(() => call('recordSynthesis', { body }, { headers }), 'Síntese registrada')
    setBusy(false)
    if (!done) return
    void client.invalidateQueries({ queryKey: keyOf('listSyntheses', LIST) })
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Registrar a síntese"
      description="Guarda a pergunta, a resposta e as versões dos ensaios, para rodar de novo depois."
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button variant="primary" busy={busy} onClick={() => void save()}>
            Guardar registro
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Field label="Título">
          {(control) => (
            <Input
              {...control}
              value={titulo}
              maxLength={200}
              onChange={(event) => setTitulo(event.target.value)}
            />
          )}
        </Field>
        <Field label="Conclusão" help="Até 5.000 caracteres">
          {(control) => (
            <textarea
              {...control}
              rows={5}
              maxLength={5000}
              className={`${controlClasses} py-2`}
              value={conclusao}
              onChange={(event) => setConclusao(event.target.value)}
            />
          )}
        </Field>
        <Checkbox
          label="Compartilhar com a minha organização"
          checked={compartilhada}
          onChange={(event) => setCompartilhada(event.target.checked)}
        />
      </div>
    </Dialog>
  )
}

/** Own ones and those that others of the organisation share, each to be run again. */
export function Records() {
  const list = useEndpoint('listSyntheses', LIST)
  if (list.isError)
    return (
      <Card>
        <ErrorState message={list.error.message} onRetry={() => list.refetch()} />
      </Card>
    )
  if (!list.data) return <Skeleton className="h-24" />
  const { registros } = list.data
  return (
    <Card>
      <CardHeader title="Sínteses registradas" subtitle="As suas e as compartilhadas da organização" />
      {registros.length === 0 ? (
        <p className="px-5 pb-5 text-muted">
          Nenhuma ainda. Registre uma síntese para guardá-la e ver depois o que mudou.
        </p>
      ) : (
        <ul className="flex flex-col border-t border-line">
          {registros.map((record) => (
            <Recorded key={record.id} record={record} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function Recorded({ record }: { record: RecordedSynthesis }) {
  const client = useQueryClient()
  const [again, setAgain] = useState(false)
  const [removing, setRemoving] = useState(false)
  const title = record.oculta ? 'Síntese com ensaios que você já não vê' : record.titulo || 'Sem título'
  const remove = async () => {
    setRemoving(false)
    if (await attempt(() => call('removeSynthesis', { params: { id: record.id } }), 'Síntese excluída'))
      void client.invalidateQueries({ queryKey: keyOf('listSyntheses', LIST) })
  }
  return (
    <li className="flex flex-col gap-2 border-b border-line px-5 py-3 last:border-0">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <div className="min-w-0">
          <p className="font-medium break-words">{title}</p>
          <p className="text-small text-muted">
            {[
              record.opcoes.tratamento ?? record.opcoes.produto,
              record.oculta ? null : `${record.ensaios} ensaios`,
              formatDateTime(record.quando),
              record.quem,
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {record.compartilhada && <Badge>compartilhada</Badge>}
          {record.desatualizada && !record.oculta && <Badge tone="warn">dados mudaram</Badge>}
          <Button size="small" aria-expanded={again} onClick={() => setAgain(!again)}>
            Rodar de novo
          </Button>
          {record.propria && (
            <Button size="small" variant="quiet" onClick={() => setRemoving(true)}>
              Excluir
            </Button>
          )}
        </div>
      </div>
      {record.conclusao && <p className="text-small whitespace-pre-line break-words">{record.conclusao}</p>}
      {again && <Rerun id={record.id} />}
      <ConfirmDialog
        open={removing}
        onCancel={() => setRemoving(false)}
        onConfirm={() => void remove()}
        title="Excluir esta síntese?"
        confirmLabel="Excluir síntese"
      >
        O registro “{title}” deixa de existir; os ensaios ficam como estão.
      </ConfirmDialog>
    </li>
  )
}

function Rerun({ id }: { id: string }) {
  const asked = useQuery({
    queryKey: keyOf('rerunSynthesis', { params: { id } }),
    queryFn: () => call('rerunSynthesis', { params: { id } }),
    staleTime: 0,
  })
  if (asked.isError) return <p className="text-small text-danger">{reasonOf(asked.error)}</p>
  if (!asked.data)
    return (
      <div aria-busy="true">
        <p className="sr-only">Rodando de novo</p>
        <Skeleton className="h-16" />
      </div>
    )
  const { sintese, mudancas } = asked.data
  const { reml_hk: main } = sintese
  const lists: [string, string[]][] = [
    ['Entraram', mudancas.entraram],
    ['Saíram', mudancas.sairam],
    ['Mudaram', mudancas.mudaram],
  ]
  return (
    <div className="figures flex flex-col gap-1 rounded-md bg-sunken px-4 py-3 text-small">
      {mudancas.frases.length === 0 ? (
        <p>Nada mudou desde o registro.</p>
      ) : (
        mudancas.frases.map((text) => <p key={text}>{text}.</p>)
      )}
      {lists.map(([name, names]) =>
        names.length > 0 ? (
          <p key={name}>
            {name}: {names.join('; ')}
          </p>
        ) : null,
      )}
      {!('motivo' in main) && (
        <p>
          Agora: {effectText(main.estimativa, sintese, { sign: true })}
          {effectUnit(sintese)} (IC 95 %: {effectText(main.ic_baixo, sintese)} a{' '}
          {effectText(main.ic_alto, sintese)}), {sintese.k} ensaios
        </p>
      )}
    </div>
  )
}
