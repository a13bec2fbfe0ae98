import { useState } from 'react'
import type { Operation, Schema } from '../../api/api-document.ts'
import { Badge, Card } from '../../ui/Surface.tsx'
import { membersOf } from './schema-example.ts'
import { TryOut } from './TryOut.tsx'

const TONES = { GET: 'accent', POST: 'ok', PUT: 'warn', DELETE: 'danger' } as const

/** One operation, closed until somebody wants to know more. */
export function OperationCard({ operation }: { operation: Operation }) {
  const [open, setOpen] = useState(false)
  const { method, path, summary, needsSession } = operation
  return (
    <Card>
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 rounded-md px-4 py-3">
          <span className="w-20 shrink-0">
            <Badge tone={method in TONES ? TONES[method as keyof typeof TONES] : 'plain'}>{method}</Badge>
          </span>
          <code className="min-w-0 break-all">{path}</code>
          <span className="min-w-0 text-small text-muted">{summary}</span>
          {needsSession && <span className="text-small text-faint">pede sessão</span>}
        </summary>
        {open && (
          <div className="grid gap-6 border-t border-line px-4 py-4 lg:grid-cols-2">
            <div className="flex min-w-0 flex-col gap-5">
              {Object.entries(operation.bodies).map(([media, schema]) => (
                <Members key={media} title={`Corpo: ${media}`} schema={schema} />
              ))}
              {operation.answers.map(({ status, description, schema, media }) => (
                <Members
                  key={status}
                  title={`${status === 'default' ? 'Outras respostas' : `Resposta ${status}`}: ${description}`}
                  note={media.join(', ')}
                  schema={schema}
                />
              ))}
            </div>
            <section className="min-w-0">
              <h3 className="mb-3 font-semibold">Experimentar</h3>
              <TryOut operation={operation} />
            </section>
          </div>
        )}
      </details>
    </Card>
  )
}

function Members({ title, note, schema }: { title: string; note?: string; schema: Schema | null }) {
  const members = schema ? membersOf(schema) : []
  return (
    <section className="min-w-0">
      <h3 className="text-small font-semibold">{title}</h3>
      {note && <p className="text-small text-muted">{note}</p>}
      {members.length > 0 && (
        <ul className="mt-1 flex flex-col text-small">
          {members.map(({ name, kind, required }) => (
            <li key={name} className="flex flex-wrap gap-x-2 border-b border-line py-1 last:border-0">
              <code className="break-all">{name}</code>
              <span className="text-muted">{kind}</span>
              {required && <span className="text-faint">obrigatório</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
