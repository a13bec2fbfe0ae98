import type { FilterOption, FilterOptions } from '@ensaio/domain'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/client.ts'
import { useEndpoint } from '../../api/queries.ts'
import { type Problems, problemsOf } from '../../shell/problems.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Select } from '../../ui/Input.tsx'
import { Banner, Card, CardHeader } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'

const KINDS = [
  { value: 'marcas', label: 'Marca', options: 'marca' },
  { value: 'produtos', label: 'Produto', options: 'produto' },
  { value: 'culturas', label: 'Cultura', options: 'cultura' },
  { value: 'regionais', label: 'Regional', options: 'regional' },
] as const satisfies readonly { value: string; label: string; options: keyof FilterOptions }[]
type Kind = (typeof KINDS)[number]['value']

/** A name that was typed here is this organisation's own, until it asks for it to be everybody's. */
export function Propose() {
  const [kind, setKind] = useState<Kind>('marcas')
  const [name, setName] = useState('')
  const [problems, setProblems] = useState<Problems>({})
  const [busy, setBusy] = useState(false)
  const own = useEndpoint('filterOptions', { query: { origem: 'proprios' } }, { ofServer: true })
  const of = KINDS.find(({ value }) => value === kind) ?? KINDS[0]
  const names: readonly FilterOption[] = own.data?.[of.options] ?? []
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!name) {
      setProblems({ nome: 'Este campo é obrigatório' })
      return
    }
    setBusy(true)
    setProblems({})
    try {
      const { message } = await call('proposeLookup', { body: { tipo: kind, nome: name } })
      toast.success(message)
      setName('')
    } catch (error) {
      setProblems(problemsOf(error))
    }
    setBusy(false)
  }
  return (
    <Card>
      <CardHeader
        title="Nomes"
        subtitle="Um nome digitado aqui é só desta organização. Proposto, um administrador decide se ele passa a ser oferecido a todos."
      />
      <form noValidate onSubmit={submit} className="flex flex-col gap-4 px-5 pb-5">
        {problems['form'] && <Banner tone="danger">{problems['form']}</Banner>}
        <div className="grid max-w-xl gap-4 sm:grid-cols-[10rem_minmax(0,1fr)]">
          <Field label="Tipo de nome">
            {(control) => (
              <Select
                {...control}
                name="tipoDeNome"
                options={KINDS}
                value={kind}
                onChange={({ target }) => {
                  setKind(target.value as Kind)
                  setName('')
                }}
              />
            )}
          </Field>
          <Field label="Nome usado nos experimentos" error={problems['nome']}>
            {(control) => (
              <Select
                {...control}
                name="nomeProposto"
                placeholder={names.length === 0 ? 'Nenhum' : 'Escolha'}
                options={names.map(({ valor }) => valor)}
                value={name}
                onChange={({ target }) => setName(target.value)}
              />
            )}
          </Field>
        </div>
        <div>
          <Button type="submit" busy={busy}>
            Propor para todos
          </Button>
        </div>
      </form>
    </Card>
  )
}
