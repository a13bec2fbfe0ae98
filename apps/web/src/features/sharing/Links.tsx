import {
  counted,
  dayInBrasilia,
  type Experiment,
  formatDay,
  LINK_DAYS,
  type PublicLink,
} from '@ensaio/domain'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/client.ts'
import { useEndpoint } from '../../api/queries.ts'
import { attempt } from '../../shell/attempt.ts'
import { CopyOnce } from '../../shell/CopyOnce.tsx'
import { type Problems, problemsOf } from '../../shell/problems.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input, PasswordInput } from '../../ui/Input.tsx'
import { Banner, Skeleton } from '../../ui/Surface.tsx'
import { Costs } from './Seen.tsx'

/** Addresses by which one trial is read without an account, until a day. */
export function Links({ experiment: { id } }: { experiment: Experiment }) {
  const [open, setOpen] = useState(false)
  const links = useEndpoint('listLinks', { params: { id } }, { enabled: open, staleTime: 0 })
  const again = () => links.refetch()
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer text-small font-medium">Links públicos</summary>
      <div className="mt-2 flex flex-col gap-3 rounded-md border border-line px-4 py-3">
        {links.isError && <Banner tone="danger">{links.error.message}</Banner>}
        {open && links.isPending && <Skeleton className="h-12" />}
        {links.data && <Made links={links.data.links} again={again} />}
        <Make id={id} again={again} />
      </div>
    </details>
  )
}

function Made({ links, again }: { links: readonly PublicLink[]; again: () => Promise<unknown> }) {
  const revoke = async (id: string) => {
    await attempt(() => call('revokeLink', { params: { id } }), 'Link revogado')
    await again()
  }
  if (links.length === 0) return <p className="text-small text-muted">Nenhum link público.</p>
  return (
    <ul className="flex flex-col gap-2">
      {links.map(({ id, ate, custos, documentos, senha, aberturas, aberto_em }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 text-small">
          <span className="figures min-w-48 flex-1">
            <span className="block font-medium">Até {formatDay(ate)}</span>
            <span className="block text-muted">
              {custos ? 'com custos' : 'sem custos'} · {documentos ? 'com o relatório' : 'sem o relatório'}
              {senha && ' · com senha'} ·{' '}
              {aberturas === 0
                ? 'nunca aberto'
                : `${counted(aberturas, 'abertura', 'aberturas')}, a última em ${formatDay(aberto_em)}`}
            </span>
          </span>
          <Button size="small" onClick={() => revoke(id)}>
            Revogar
            <span className="sr-only"> o link que vale até {formatDay(ate)}</span>
          </Button>
        </li>
      ))}
    </ul>
  )
}

function Make({ id, again }: { id: string; again: () => Promise<unknown> }) {
  const [ate, setAte] = useState(() => dayInBrasilia(LINK_DAYS.offered))
  const [shown, setShown] = useState({ custos: false, documentos: false })
  const [password, setPassword] = useState('')
  const [problems, setProblems] = useState<Problems>({})
  const [busy, setBusy] = useState(false)
  const [url, setUrl] = useState<string | null>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setProblems({})
    try {
      const { link } = await call('createLink', {
        params: { id },
        body: { ate, ...shown, senha: password || null },
      })
      setUrl(link.url)
      setPassword('')
      await again()
    } catch (error) {
      setProblems(problemsOf(error))
    }
    setBusy(false)
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-3 border-t border-line pt-3">
      {problems['form'] && <Banner tone="danger">{problems['form']}</Banner>}
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Vale até" required error={problems['ate']}>
          {(control) => (
            <Input
              {...control}
              type="date"
              name="linkAte"
              min={dayInBrasilia(LINK_DAYS.least)}
              max={dayInBrasilia(LINK_DAYS.most)}
              value={ate}
              onChange={({ target }) => setAte(target.value)}
            />
          )}
        </Field>
        <Field label="Senha (opcional)" error={problems['senha']}>
          {(control) => (
            <PasswordInput
              {...control}
              name="linkSenha"
              autoComplete="new-password"
              maxLength={200}
              value={password}
              onChange={({ target }) => setPassword(target.value)}
            />
          )}
        </Field>
      </div>
      <div className="flex flex-col gap-2.5">
        <Costs value={shown} set={(part) => setShown((before) => ({ ...before, ...part }))} />
      </div>
      <div>
        <Button type="submit" size="small" busy={busy}>
          Criar link público
        </Button>
      </div>
      {url && (
        <CopyOnce key={url} url={url} label="Link público">
          Copie agora: o link não será mostrado de novo.
        </CopyOnce>
      )}
    </form>
  )
}
