import { formatNumber, LOOKUP_KINDS, type LookupItem, type LookupKind } from '@ensaio/domain'
import { Pencil, Plus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/client.ts'
import { keyOf, useEndpoint } from '../../api/queries.ts'
import { queryClient } from '../../api/query-client.ts'
import { attempt } from '../../shell/attempt.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input, Select } from '../../ui/Input.tsx'
import { Badge, Card, CardHeader, EmptyState, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { Cell, Head, Row, Table } from '../../ui/Table.tsx'

const KINDS: Readonly<Record<LookupKind, { label: string; one: string }>> = {
  marcas: { label: 'Marcas', one: 'marca' },
  produtos: { label: 'Produtos', one: 'produto' },
  regionais: { label: 'Regionais', one: 'regional' },
  culturas: { label: 'Culturas', one: 'cultura' },
}

/** The lists that forms offer: add, rename, offer or no longer offer. */
export function Lookups() {
  const [kind, setKind] = useState<LookupKind>('marcas')
  const [editing, setEditing] = useState<LookupItem | 'new' | null>(null)
  const items = useEndpoint('adminLookups', { params: { kind } }, { staleTime: 0 })
  const changed = async () => {
    await items.refetch()
    for (const name of ['lookupBrands', 'lookupCrops', 'lookupRegions', 'lookupProducts'] as const)
      void queryClient.invalidateQueries({ queryKey: keyOf(name, {}).slice(0, 2) })
  }
  const offer = async (item: LookupItem) => {
    await attempt(
      () => call('adminChangeLookup', { params: { kind, id: item.id }, body: { ativo: !item.ativo } }),
      item.ativo ? `${item.nome} não é mais oferecido` : `${item.nome} agora é oferecido`,
    )
    await changed()
  }
  return (
    <Card>
      <CardHeader
        title="Listas"
        subtitle="O que os formulários oferecem. Nomes digitados por alguém ficam inativos até você ativá-los."
        actions={
          <>
            <div className="w-40">
              <Select
                aria-label="Lista"
                options={LOOKUP_KINDS.map((value) => ({ value, label: KINDS[value].label }))}
                value={kind}
                onChange={(event) => setKind(event.target.value as LookupKind)}
              />
            </div>
            <Button
              variant="primary"
              icon={<Plus aria-hidden className="size-4" />}
              onClick={() => setEditing('new')}
            >
              Adicionar
            </Button>
          </>
        }
      />
      {items.isError ? (
        <ErrorState message={items.error.message} onRetry={() => items.refetch()} />
      ) : items.isPending ? (
        <Skeleton className="mx-5 mb-5 h-64" />
      ) : items.data.items.length === 0 ? (
        <EmptyState title="A lista está vazia" />
      ) : (
        <Table label="Itens oferecidos ou inativos" className="max-h-[36rem]">
          <thead>
            <tr>
              <Head>Nome</Head>
              {kind === 'produtos' && <Head>Marca</Head>}
              {kind === 'regionais' && <Head>Sigla</Head>}
              <Head numeric>Experimentos</Head>
              <Head>Situação</Head>
              <Head>Ações</Head>
            </tr>
          </thead>
          <tbody>
            {items.data.items.map((item) => (
              <Row key={item.id}>
                <Cell className="font-medium">{item.nome}</Cell>
                {kind === 'produtos' && <Cell>{item.marca ?? '–'}</Cell>}
                {kind === 'regionais' && <Cell>{item.sigla ?? '–'}</Cell>}
                <Cell numeric>{formatNumber(item.em_uso, 0)}</Cell>
                <Cell>{item.ativo ? <Badge tone="ok">Oferecido</Badge> : <Badge>Inativo</Badge>}</Cell>
                <Cell>
                  <div className="flex items-center gap-1">
                    <IconButton label={`Renomear ${item.nome}`} onClick={() => setEditing(item)}>
                      <Pencil aria-hidden />
                    </IconButton>
                    <Button size="small" onClick={() => offer(item)}>
                      {item.ativo ? 'Desativar' : 'Ativar'}
                    </Button>
                  </div>
                </Cell>
              </Row>
            ))}
          </tbody>
        </Table>
      )}
      {editing && (
        <LookupForm
          kind={kind}
          item={editing === 'new' ? null : editing}
          onClose={() => setEditing(null)}
          onSaved={async () => {
            setEditing(null)
            await changed()
          }}
        />
      )}
    </Card>
  )
}

type FormProps = { kind: LookupKind; item: LookupItem | null; onClose: () => void; onSaved: () => void }

function LookupForm({ kind, item, onClose, onSaved }: FormProps) {
  const [nome, setNome] = useState(item?.nome ?? '')
  const [sigla, setSigla] = useState(item?.sigla ?? '')
  const [marca, setMarca] = useState(item?.marca ?? '')
  const [busy, setBusy] = useState(false)
  const brands = useEndpoint('lookupBrands', {}, { enabled: kind === 'produtos' })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    const body = {
      nome,
      ...(kind === 'regionais' ? { sigla: sigla || null } : {}),
      ...(kind === 'produtos' ? { marca: marca || null } : {}),
    }
    const done = await attempt(
      () =>
        item
          ? call('adminChangeLookup', { params: { kind, id: item.id }, body })
          : call('adminAddLookup', { params: { kind }, body }),
      item ? 'Alteração salva' : `${nome} adicionado`,
    )
    setBusy(false)
    if (done) onSaved()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={item ? `Alterar ${KINDS[kind].one}` : `Adicionar ${KINDS[kind].one}`}
    >
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <Field label="Nome" required>
          {(control) => (
            <Input
              {...control}
              name="nome"
              autoFocus
              value={nome}
              onChange={(event) => setNome(event.target.value)}
            />
          )}
        </Field>
        {kind === 'regionais' && (
          <Field label="Sigla">
            {(control) => (
              <Input
                {...control}
                name="sigla"
                value={sigla}
                onChange={(event) => setSigla(event.target.value)}
              />
            )}
          </Field>
        )}
        {kind === 'produtos' && (
          <Field label="Marca">
            {(control) => (
              <Select
                {...control}
                name="marca"
                placeholder="Sem marca"
                options={brands.data?.marcas ?? []}
                value={marca}
                onChange={(event) => setMarca(event.target.value)}
              />
            )}
          </Field>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancelar</Button>
          <Button type="submit" variant="primary" busy={busy}>
            Salvar
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
