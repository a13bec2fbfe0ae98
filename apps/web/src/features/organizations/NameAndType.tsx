import { ORGANIZATION_TYPE_NAMES, ORGANIZATION_TYPES, type OrganizationType } from '@ensaio/domain'
import { Field } from '../../ui/Field.tsx'
import { Input, Select } from '../../ui/Input.tsx'

type NamedProps = {
  nome: string
  tipo: OrganizationType
  onChange: (change: { nome?: string; tipo?: OrganizationType }) => void
  problem?: string | undefined
}

export function NameAndType({ nome, tipo, onChange, problem }: NamedProps) {
  return (
    <>
      <Field label="Nome" required error={problem}>
        {(control) => (
          <Input
            {...control}
            name="organizacao"
            autoComplete="organization"
            value={nome}
            onChange={(event) => onChange({ nome: event.target.value })}
          />
        )}
      </Field>
      <Field label="Tipo">
        {(control) => (
          <Select
            {...control}
            name="tipo"
            // A space of one's own comes with the account; it is made by nobody.
            options={ORGANIZATION_TYPES.filter((value) => value !== 'pessoal' || tipo === 'pessoal').map(
              (value) => ({ value, label: ORGANIZATION_TYPE_NAMES[value] }),
            )}
            value={tipo}
            onChange={(event) => onChange({ tipo: event.target.value as OrganizationType })}
          />
        )}
      </Field>
    </>
  )
}
