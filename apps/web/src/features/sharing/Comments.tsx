import { COMMENT_MAX, type Experiment, formatDateTime, formatNumber } from '@ensaio/domain'
import { Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/client.ts'
import { useEndpoint } from '../../api/queries.ts'
import { attempt } from '../../shell/attempt.ts'
import { WhereOpen } from '../../shell/ClosedNotice.tsx'
import { type Problems, problemsOf } from '../../shell/problems.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { controlClasses } from '../../ui/Input.tsx'
import { Banner, Skeleton } from '../../ui/Surface.tsx'

/** What is said of a trial, by its organisation and those it lets comment. */
export function Comments({
  experiment: { id, permissoes, organizacao, relacao },
}: {
  experiment: Experiment
}) {
  // One's own are read in a closed organisation too.
  const heard = permissoes.comentar || relacao === 'propria'
  const [open, setOpen] = useState(false)
  const comments = useEndpoint('listComments', { params: { id } }, { enabled: open && heard, staleTime: 0 })
  const [text, setText] = useState('')
  const [problems, setProblems] = useState<Problems>({})
  const [busy, setBusy] = useState(false)
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setProblems({})
    try {
      await call('addComment', { params: { id }, body: { texto: text } })
      setText('')
      await comments.refetch()
    } catch (error) {
      setProblems(problemsOf(error))
    }
    setBusy(false)
  }
  const remove = async (comment: string) => {
    await attempt(() => call('removeComment', { params: { id: comment } }), 'Comentário excluído')
    await comments.refetch()
  }
  if (!heard)
    return (
      <section className="no-print">
        <h3 className="mb-1 font-semibold">Comentários</h3>
        <p className="text-small text-muted">{organizacao.nome} não permite comentários neste experimento.</p>
      </section>
    )
  const all = comments.data?.comentarios ?? []
  return (
    <details className="no-print" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer font-semibold">Comentários</summary>
      <WhereOpen className="mt-3 flex flex-col gap-3">
        {comments.isError && <Banner tone="danger">{comments.error.message}</Banner>}
        {open && comments.isPending && <Skeleton className="h-16" />}
        {comments.data && all.length === 0 && <p className="text-small text-muted">Nenhum comentário.</p>}
        <ol className="flex flex-col gap-3">
          {all.map((comment) => (
            <li key={comment.id} className="flex items-start gap-2 border-l-2 border-line pl-3">
              <div className="min-w-0 flex-1">
                <p className="text-small">
                  <strong className="font-medium">{comment.autor ?? comment.organizacao}</strong>{' '}
                  <span className="figures text-muted">
                    {comment.autor && `· ${comment.organizacao} `}· {formatDateTime(comment.quando)}
                  </span>
                </p>
                <p className="break-words whitespace-pre-wrap">{comment.texto}</p>
              </div>
              {comment.excluir && (
                <IconButton label="Excluir comentário" tone="danger" onClick={() => remove(comment.id)}>
                  <Trash2 aria-hidden />
                </IconButton>
              )}
            </li>
          ))}
        </ol>
        <form noValidate onSubmit={send} className="flex flex-col gap-2">
          {problems['form'] && <Banner tone="danger">{problems['form']}</Banner>}
          <Field
            label="Novo comentário"
            error={problems['texto']}
            help={`${formatNumber(text.length, 0)} de ${formatNumber(COMMENT_MAX, 0)} caracteres`}
          >
            {(control) => (
              <textarea
                {...control}
                name="comentario"
                rows={3}
                className={`${controlClasses} py-2`}
                value={text}
                onChange={({ target }) => setText(target.value)}
              />
            )}
          </Field>
          <div>
            <Button type="submit" size="small" busy={busy} disabled={!text.trim()}>
              Comentar
            </Button>
          </div>
        </form>
      </WhereOpen>
    </details>
  )
}
