import type { Experiment } from '@ensaio/domain'
import { Pencil } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/client.ts'
import { experimentsChanged } from '../../api/queries.ts'
import { type Problems, problemsOf } from '../../shell/problems.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Banner, Card, CardHeader } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'

const LONGEST = 5000

/** What is concluded of a trial, in words of one's own; it goes into the report. */
export function Conclusion({
  experiment,
  edit,
}: {
  experiment: Experiment
  edit: { allowed: true } | { allowed: false; reason: string }
}) {
  const { id, versao, conclusao } = experiment
  const [text, setText] = useState<string | null>(null)
  // The button stood here before the form did, and takes the focus again.
  const [edited, setEdited] = useState(false)
  const [problems, setProblems] = useState<Problems>({})
  const [busy, setBusy] = useState(false)
  if (conclusao === null && !edit.allowed) return null
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setProblems({})
    try {
      await call('concludeExperiment', { params: { id }, body: { texto: text ?? '', versao } })
      await experimentsChanged()
      setText(null)
      toast.success('Conclusão salva')
    } catch (error) {
      setProblems(problemsOf(error))
      // The version that stands comes, and what was written stays.
      await experimentsChanged()
    }
    setBusy(false)
  }
  return (
    <Card className={conclusao === null ? 'no-print' : undefined}>
      <CardHeader
        title="Conclusão"
        actions={
          text === null && (
            <Button
              variant="quiet"
              size="small"
              className="no-print"
              icon={<Pencil aria-hidden className="size-4" />}
              disabled={!edit.allowed}
              title={edit.allowed ? undefined : edit.reason}
              autoFocus={edited}
              onClick={() => {
                setText(conclusao ?? '')
                setEdited(true)
              }}
            >
              Editar<span className="sr-only"> conclusão</span>
            </Button>
          )
        }
      />
      {text === null ? (
        <p
          className={`px-5 pb-4 break-words whitespace-pre-line ${conclusao ? '' : 'text-small text-muted'}`}
        >
          {conclusao ?? 'Ainda não há conclusão. Ela entra no relatório.'}
        </p>
      ) : (
        <form noValidate onSubmit={submit} className="flex flex-col gap-3 px-5 pb-4">
          {problems['form'] && <Banner tone="danger">{problems['form']}</Banner>}
          <Field
            label="Conclusão"
            help="Até 5.000 caracteres. Quem recebe o ensaio sem os custos não a lê."
            error={problems['texto']}
          >
            {(control) => (
              <textarea
                {...control}
                // biome-ignore lint/a11y/noAutofocus: asked for by the button that stood here
                autoFocus
                value={text}
                maxLength={LONGEST}
                rows={6}
                className="w-full rounded-md border border-line-strong/70 bg-surface px-3 py-2"
                onChange={(event) => setText(event.target.value)}
              />
            )}
          </Field>
          <div className="flex flex-wrap gap-2">
            <Button type="submit" size="small" variant="primary" busy={busy}>
              Salvar conclusão
            </Button>
            <Button
              size="small"
              disabled={busy}
              onClick={() => {
                setText(null)
                setProblems({})
              }}
            >
              Cancelar
            </Button>
          </div>
        </form>
      )}
    </Card>
  )
}
