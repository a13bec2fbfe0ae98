import { fieldOf, type Import, type ImportMapping, isFieldKey, MODALITIES } from '@ensaio/domain'
import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input, Select } from '../../ui/Input.tsx'
import { Card, CardHeader } from '../../ui/Surface.tsx'

type Props = { importacao: Import; busy: boolean; onChange: (body: ImportMapping) => void }

/** Required fields that no column gives: one value for all rows. */
export function MissingFields({ importacao, busy, onChange }: Props) {
  const [values, setValues] = useState<Record<string, string>>(importacao.padroes)
  return (
    <Card>
      <CardHeader
        title="Campos obrigatórios que faltam"
        subtitle="Escolha a coluna na tabela abaixo, ou um valor para todas as linhas"
      />
      <form
        className="grid gap-4 px-5 pb-5 sm:grid-cols-2 lg:grid-cols-3"
        onSubmit={(event) => {
          event.preventDefault()
          onChange({ padroes: values })
        }}
      >
        {importacao.faltam.map(({ campo, rotulo }) => {
          const choices = choicesOf(campo)
          const label = `${rotulo === 'Business Unit' ? 'BU' : rotulo} para todos`
          const set = (text: string) => setValues({ ...values, [campo]: text })
          return (
            <Field key={campo} label={label}>
              {(control) =>
                choices ? (
                  <Select
                    {...control}
                    placeholder="Escolha"
                    value={values[campo] ?? ''}
                    options={choices}
                    onChange={(event) => set(event.target.value)}
                  />
                ) : (
                  <Input
                    {...control}
                    value={values[campo] ?? ''}
                    onChange={(event) => set(event.target.value)}
                  />
                )
              }
            </Field>
          )
        })}
        <div className="flex items-end">
          <Button type="submit" busy={busy}>
            Usar para todos
          </Button>
        </div>
      </form>
    </Card>
  )
}

function choicesOf(campo: string): readonly string[] | null {
  if (campo === 'tratamento.modalidade') return MODALITIES
  if (!isFieldKey(campo)) return null
  const field = fieldOf(campo)
  if (field.type === 'choice') return field.of
  return field.type === 'number' && field.known ? field.known.map(String) : null
}
