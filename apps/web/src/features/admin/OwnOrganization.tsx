import {
  ORGANIZATION_TYPE_NAMES,
  ORGANIZATION_TYPES,
  type Organization,
  type OrganizationType,
} from '@ensaio/domain'
import { type FormEvent, useState } from 'react'
import { ApiError, call, reasonOf } from '../../api/client.ts'
import { useEndpoint } from '../../api/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input, Select } from '../../ui/Input.tsx'
import { Card, CardHeader, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'

/** The organisation that every record of the installation belongs to. */
export function OwnOrganization() {
  const organizations = useEndpoint('listOrganizations', {}, { staleTime: 0 })
  const own = organizations.data?.organizacoes.find(({ id }) => id === organizations.data.ativa)
  return (
    <Card>
      <CardHeader
        title="Organização"
        subtitle="Os experimentos, os documentos e as leituras desta instalação pertencem a ela."
      />
      {organizations.isError ? (
        <ErrorState message={organizations.error.message} onRetry={() => organizations.refetch()} />
      ) : own ? (
        <OrganizationForm key={own.id} own={own} onSaved={() => organizations.refetch()} />
      ) : (
        <Skeleton className="mx-5 mb-5 h-40" />
      )}
    </Card>
  )
}

function OrganizationForm({ own, onSaved }: { own: Organization; onSaved: () => Promise<unknown> }) {
  const [nome, setNome] = useState(own.nome)
  const [tipo, setTipo] = useState<OrganizationType>(own.tipo)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setProblem(null)
    try {
      const { organizacao } = await call('updateOrganization', {
        params: { id: own.id },
        body: { nome, tipo },
      })
      setNome(organizacao.nome)
      await onSaved()
      toast.success('Alteração salva')
    } catch (error) {
      const field = error instanceof ApiError ? error.fields.find(({ path }) => path === 'nome') : undefined
      if (field) setProblem(field.message)
      else toast.error(reasonOf(error))
    }
    setBusy(false)
  }
  const changed = nome !== own.nome || tipo !== own.tipo
  return (
    <form noValidate onSubmit={submit} className="flex max-w-xl flex-col gap-4 px-5 pb-5">
      <Field label="Nome" required error={problem ?? undefined}>
        {(control) => (
          <Input
            {...control}
            name="organizacao"
            autoComplete="organization"
            value={nome}
            onChange={(event) => setNome(event.target.value)}
          />
        )}
      </Field>
      <Field label="Tipo">
        {(control) => (
          <Select
            {...control}
            name="tipo"
            options={ORGANIZATION_TYPES.filter((value) => value !== 'pessoal').map((value) => ({
              value,
              label: ORGANIZATION_TYPE_NAMES[value],
            }))}
            value={tipo}
            onChange={(event) => setTipo(event.target.value as OrganizationType)}
          />
        )}
      </Field>
      <p className="text-muted">
        {own.membros === 1 ? '1 membro' : `${own.membros} membros`}. Quem cria uma conta passa a ser membro.
      </p>
      <div>
        <Button type="submit" variant="primary" busy={busy} disabled={!changed}>
          Salvar
        </Button>
      </div>
    </form>
  )
}
