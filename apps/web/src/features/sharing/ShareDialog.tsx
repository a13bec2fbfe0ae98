import { counted, type ExperimentFilter, formatNumber } from '@ensaio/domain'
import { type FormEvent, useRef, useState } from 'react'
import { call } from '../../api/client.ts'
import { useEndpoint } from '../../api/queries.ts'
import { queryClient } from '../../api/query-client.ts'
import { type Problems, problemsOf } from '../../shell/problems.ts'
import type { ShareTarget } from '../../shell/share-target.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { Banner, Skeleton } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'
import { NOTHING_SEEN, SeenFields } from './Seen.tsx'

const FORM = 'compartilhar'

/** A name to begin with, from what the filter asks. */
const nameOf = (target: ShareTarget): string => {
  if (target.kind === 'list') return `Seleção de ${counted(target.experiments.length, 'ensaio', 'ensaios')}`
  if (target.kind !== 'filter') return ''
  const { origem: _, ...filter } = target.filter
  return `Ensaios: ${Object.values(filter).join(', ')}`.slice(0, 120)
}

/** Opens one trial, some, all that a filter lets through or all to another organisation, once it accepts. */
export function ShareDialog({ target, onClose }: { target: ShareTarget; onClose: () => void }) {
  const [nome, setNome] = useState(() => nameOf(target))
  const [by, setBy] = useState<'codigo' | 'email'>('codigo')
  const [to, setTo] = useState('')
  const [seen, setSeen] = useState(NOTHING_SEEN)
  const [problems, setProblems] = useState<Problems>({})
  const [busy, setBusy] = useState(false)
  /** A collection that was made is not made again when only the address was wrong. */
  const made = useRef<string | null>(null)
  const named = target.kind === 'filter' || target.kind === 'list'

  const collection = async (): Promise<string> => {
    const content =
      target.kind === 'filter'
        ? { filtro: withoutOrigin(target.filter) }
        : { experimentos: target.kind === 'list' ? target.experiments.map(({ id }) => id) : [] }
    made.current ??= (await call('createCollection', { body: { nome, ...content } })).colecao.id
    return made.current
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setProblems({})
    if (!to.trim()) {
      setProblems({ para: 'Este campo é obrigatório' })
      return
    }
    setBusy(true)
    try {
      const alvo =
        target.kind === 'experiment'
          ? { experimento: target.experiment.id }
          : target.kind === 'collection'
            ? { colecao: target.id }
            : target.kind === 'all'
              ? { tudo: true as const }
              : { colecao: await collection() }
      const para = by === 'codigo' ? { codigo: to } : { email: to.trim() }
      await call('createShare', { body: { alvo, para, ...seen } })
      await queryClient.invalidateQueries({
        predicate: ({ queryKey }) => queryKey[1] === 'listShares' || queryKey[1] === 'listCollections',
      })
      toast.success('Compartilhamento enviado. Ele vale quando a outra organização aceitar.')
      onClose()
    } catch (error) {
      setProblems(problemsOf(error))
      setBusy(false)
    }
  }
  const ofTo = problems['para'] ?? problems['para.codigo'] ?? problems['para.email']
  return (
    <Dialog
      open
      onClose={onClose}
      title="Compartilhar"
      description="A outra organização passa a ver, e nunca a alterar. Vale depois que ela aceitar."
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button type="submit" form={FORM} variant="primary" busy={busy}>
            Compartilhar
          </Button>
        </>
      }
    >
      <form id={FORM} noValidate onSubmit={submit} className="flex flex-col gap-5">
        {problems['form'] && <Banner tone="danger">{problems['form']}</Banner>}
        <What target={target} />
        {named && (
          <Field label="Nome da coleção" required error={problems['nome']}>
            {(control) => (
              <Input
                {...control}
                name="nome"
                maxLength={120}
                value={nome}
                onChange={({ target: input }) => setNome(input.value)}
              />
            )}
          </Field>
        )}
        <fieldset className="flex flex-col gap-3">
          <legend className="mb-1.5 text-small font-medium">Para quem</legend>
          <div className="flex flex-wrap gap-x-5 gap-y-2">
            {(['codigo', 'email'] as const).map((way) => (
              <label key={way} className="flex cursor-pointer items-center gap-2">
                <input
                  type="radio"
                  name="por"
                  className="accent-(--accent)"
                  checked={by === way}
                  onChange={() => {
                    setBy(way)
                    setTo('')
                    setProblems({})
                  }}
                />
                {way === 'codigo' ? 'Código da organização' : 'Email de alguém dela'}
              </label>
            ))}
          </div>
          <Field
            label={by === 'codigo' ? 'Código' : 'Email'}
            required
            error={ofTo}
            help={
              by === 'codigo'
                ? 'Doze letras e números, que a outra organização mostra em Membros e organização, Dados.'
                : 'Quem tem este email escolhe qual das suas organizações recebe.'
            }
          >
            {(control) => (
              <Input
                {...control}
                name="para"
                autoComplete="off"
                type={by === 'email' ? 'email' : 'text'}
                placeholder={by === 'codigo' ? 'XXXX-XXXX-XXXX' : 'voce@empresa.com.br'}
                value={to}
                onChange={({ target: input }) => setTo(input.value)}
              />
            )}
          </Field>
        </fieldset>
        <SeenFields value={seen} onChange={setSeen} problem={problems['ate']} />
      </form>
    </Dialog>
  )
}

export const withoutOrigin = ({ origem: _, ...filter }: ExperimentFilter): ExperimentFilter => filter

/** How many trials go, and the newest three by name. */
function What({ target }: { target: ShareTarget }) {
  if (target.kind === 'experiment') return <Names n={1} names={[target.experiment.nome]} />
  if (target.kind === 'list')
    return (
      <Names n={target.experiments.length} names={target.experiments.slice(0, 3).map(({ nome }) => nome)} />
    )
  if (target.kind === 'collection')
    return (
      <p className="rounded-md bg-sunken px-4 py-3">
        <strong className="font-semibold break-words">{target.nome}</strong>
        <span className="figures text-muted"> · {counted(target.n, 'experimento', 'experimentos')}</span>
      </p>
    )
  return <OwnUnder filter={target.kind === 'filter' ? withoutOrigin(target.filter) : {}} />
}

/** Only one's own can be passed on. */
function OwnUnder({ filter }: { filter: ExperimentFilter }) {
  const query = { ...filter, origem: 'proprios', limit: 3 }
  const list = useEndpoint('listExperiments', { query })
  if (list.isError) return <Banner tone="danger">{list.error.message}</Banner>
  if (!list.data) return <Skeleton className="h-24" />
  return (
    <Names n={list.data.total} names={list.data.experimentos.map(({ nome }) => nome)}>
      Novos ensaios que passarem por este filtro também serão vistos.
    </Names>
  )
}

function Names({ n, names, children }: { n: number; names: readonly string[]; children?: string }) {
  return (
    <div className="rounded-md bg-sunken px-4 py-3">
      <p className="figures font-semibold">{counted(n, 'experimento', 'experimentos')}</p>
      <ul className="text-small text-muted">
        {names.map((name, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two trials may have one name
          <li key={index} className="break-words">
            {name}
          </li>
        ))}
        {n > names.length && <li>e mais {formatNumber(n - names.length, 0)}</li>}
      </ul>
      {children && <p className="mt-2 text-small">{children}</p>}
    </div>
  )
}
