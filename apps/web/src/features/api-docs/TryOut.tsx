import { type FormEvent, useState } from 'react'
import { type Operation, type Tried, tryOut } from '../../api/api-document.ts'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { Field } from '../../ui/Field.tsx'
import { controlClasses, Input } from '../../ui/Input.tsx'
import { Badge, Banner } from '../../ui/Surface.tsx'
import { exampleOf, kindOf } from './schema-example.ts'

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'multipart/form-data'

/** Fills an operation in and sends it, with the session of whoever is signed in. */
export function TryOut({ operation }: { operation: Operation }) {
  const json = operation.bodies[JSON_TYPE]
  const form = operation.bodies[FORM_TYPE]
  const [body, setBody] = useState(() => (json ? JSON.stringify(exampleOf(json), null, 2) : ''))
  const [asForm, setAsForm] = useState(!json && form !== undefined)
  const [busy, setBusy] = useState(false)
  const [answer, setAnswer] = useState<Tried | null>(null)
  const [failure, setFailure] = useState<string | null>(null)

  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    setBusy(true)
    setFailure(null)
    try {
      const { method } = operation
      const sent = asForm ? formBody(typed) : json ? body : null
      setAnswer(await tryOut({ method, url: urlOf(operation, typed), body: sent }))
    } catch (error) {
      setAnswer(null)
      setFailure(error instanceof Error ? error.message : String(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <form onSubmit={send} className="flex flex-col gap-4">
      {operation.parameters.map((parameter) => (
        <Field
          key={parameter.name}
          label={parameter.name}
          help={kindOf(parameter.schema)}
          required={parameter.required}
        >
          {(control) => <Input {...control} name={`p:${parameter.name}`} required={parameter.required} />}
        </Field>
      ))}
      {json && form && (
        <label className="flex items-center gap-2 text-small">
          <input type="checkbox" checked={asForm} onChange={(event) => setAsForm(event.target.checked)} />
          Enviar como formulário, com arquivo
        </label>
      )}
      {json && !asForm && (
        <Field label="Corpo em JSON">
          {(control) => (
            <textarea
              {...control}
              rows={Math.min(16, body.split('\n').length + 1)}
              spellCheck={false}
              value={body}
              onChange={(event) => setBody(event.target.value)}
              className={classes(controlClasses, 'py-2 font-mono text-small')}
            />
          )}
        </Field>
      )}
      {asForm &&
        Object.entries(form?.properties ?? {}).map(([name, { description }]) => (
          <Field key={name} label={name} help={description}>
            {(control) =>
              name === 'pdf' ? (
                <input {...control} type="file" name="f:pdf" accept="application/pdf" multiple />
              ) : (
                <Input {...control} name={`f:${name}`} />
              )
            }
          </Field>
        ))}
      <div>
        <Button type="submit" variant="primary" size="small" busy={busy}>
          Enviar
        </Button>
      </div>
      {failure && <Banner tone="danger">{failure}</Banner>}
      {answer && <Answer answer={answer} />}
    </form>
  )
}

function Answer({ answer }: { answer: Tried }) {
  const id = answer.headers.find(([name]) => name === 'x-request-id')?.[1]
  return (
    <div role="status" className="flex flex-col gap-2">
      <p className="figures flex flex-wrap items-center gap-2 text-small text-muted">
        <Badge tone={answer.status < 400 ? 'ok' : 'danger'}>{answer.status}</Badge>
        {answer.ms} ms{id && <span>pedido {id}</span>}
      </p>
      {answer.text !== '' && (
        <pre tabIndex={0} className="max-h-96 overflow-auto rounded-md bg-sunken p-3 text-small">
          {answer.text}
        </pre>
      )}
    </div>
  )
}

/** Blank fields are left out. */
function urlOf({ path, parameters }: Operation, typed: FormData): string {
  const query = new URLSearchParams()
  let filled = path
  for (const parameter of parameters) {
    const value = String(typed.get(`p:${parameter.name}`) ?? '')
    if (parameter.in === 'path')
      filled = filled.replace(`{${parameter.name}}`, () => encodeURIComponent(value))
    else if (value !== '') query.append(parameter.name, value)
  }
  return query.size > 0 ? `${filled}?${query}` : filled
}

function formBody(typed: FormData): FormData {
  const body = new FormData()
  for (const [name, value] of typed) {
    if (!name.startsWith('f:')) continue
    if (value instanceof File ? value.size > 0 : value !== '') body.append(name.slice(2), value)
  }
  return body
}
