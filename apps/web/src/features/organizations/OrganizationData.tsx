import { type Organization, PROBLEMS } from '@ensaio/domain'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/client.ts'
import { useEndpoint } from '../../api/queries.ts'
import { attempt } from '../../shell/attempt.ts'
import { WhereOpen } from '../../shell/ClosedNotice.tsx'
import { useActingFor } from '../../shell/organization.tsx'
import { type Problems, problemsOf } from '../../shell/problems.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Card, CardHeader, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'
import { NameAndType } from './NameAndType.tsx'
import { ReportBrand } from './ReportBrand.tsx'

/** What the acting organisation is called, and by which code others share with it. */
export function OrganizationData() {
  const { several, refresh } = useActingFor()
  const organizations = useEndpoint('listOrganizations', {}, { staleTime: 0 })
  const own = organizations.data?.organizacoes.find(({ id }) => id === organizations.data.ativa)
  const again = () => Promise.all([organizations.refetch(), several && refresh()])
  return (
    <Card>
      <CardHeader
        title="Organização"
        subtitle={
          several
            ? 'Os experimentos, os documentos e as leituras que você registra pertencem a ela.'
            : 'Os experimentos, os documentos e as leituras desta instalação pertencem a ela.'
        }
      />
      {organizations.isError ? (
        <ErrorState message={organizations.error.message} onRetry={() => organizations.refetch()} />
      ) : own ? (
        <>
          <OrganizationForm key={own.id} own={own} onSaved={again} />
          {several && own.codigo !== null && <Code own={own} onRenewed={again} />}
          <WhereOpen>
            <ReportBrand own={own} />
          </WhereOpen>
        </>
      ) : (
        <Skeleton className="mx-5 mb-5 h-40" />
      )}
    </Card>
  )
}

/** Why its own data are not changed. */
const refusalOf = ({ papel, fecha_em }: Organization): string | undefined =>
  papel !== 'dono'
    ? 'Só o dono pode fazer isto'
    : fecha_em === null
      ? undefined
      : PROBLEMS['organization.closed'].detail

type Props = { own: Organization; onSaved: () => Promise<unknown> }

function OrganizationForm({ own, onSaved }: Props) {
  const { several } = useActingFor()
  const [{ nome, tipo }, setValues] = useState<Pick<Organization, 'nome' | 'tipo'>>(own)
  const [busy, setBusy] = useState(false)
  const [problems, setProblems] = useState<Problems>({})
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setProblems({})
    try {
      const { organizacao } = await call('updateOrganization', {
        params: { id: own.id },
        body: { nome, tipo },
      })
      setValues(organizacao)
      await onSaved()
      toast.success('Alteração salva')
    } catch (error) {
      const refused = problemsOf(error)
      if (refused['form']) toast.error(refused['form'])
      setProblems(refused)
    }
    setBusy(false)
  }
  const changed = nome !== own.nome || tipo !== own.tipo
  const refused = refusalOf(own)
  return (
    <form noValidate onSubmit={submit} className="max-w-xl px-5 pb-5">
      {/* All of it at once: who may not change it reads it. */}
      <fieldset disabled={refused !== undefined} className="flex flex-col gap-4">
        <NameAndType
          nome={nome}
          tipo={tipo}
          problem={problems['nome']}
          onChange={(change) => setValues((before) => ({ ...before, ...change }))}
        />
        <p className="text-muted">
          {own.membros === 1 ? '1 membro' : `${own.membros} membros`}.
          {!several && ' Quem cria uma conta passa a ser membro.'}
        </p>
        <div>
          <Button
            type="submit"
            variant="primary"
            busy={busy}
            disabled={!changed || refused !== undefined}
            title={refused}
          >
            Salvar
          </Button>
        </div>
      </fieldset>
    </form>
  )
}

function Code({ own, onRenewed }: { own: Organization; onRenewed: () => Promise<unknown> }) {
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const refused = refusalOf(own)
  const renew = async () => {
    setBusy(true)
    await attempt(() => call('renewOrganizationCode', { params: { id: own.id } }), 'Código renovado')
    await onRenewed()
    setBusy(false)
    setAsking(false)
  }
  return (
    <section aria-labelledby="codigo" className="border-t border-line px-5 py-4">
      <h3 id="codigo" className="font-semibold">
        Código
      </h3>
      <p className="mb-3 max-w-xl text-small text-muted">
        Envie-o a quem vai compartilhar experimentos com a organização. Ele não dá acesso a nada.
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <code className="figures rounded-md bg-sunken px-3 py-2 text-title tracking-wider select-all">
          {own.codigo}
        </code>
        <Button size="small" disabled={refused !== undefined} title={refused} onClick={() => setAsking(true)}>
          Renovar código
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        title="Renovar o código?"
        message="O código atual deixa de valer. O que já foi compartilhado continua."
        confirmLabel="Renovar"
        busy={busy}
        onCancel={() => setAsking(false)}
        onConfirm={renew}
      />
    </section>
  )
}
