import { dayInBrasilia } from '@ensaio/domain'
import { Field } from '../../ui/Field.tsx'
import { Checkbox, Input } from '../../ui/Input.tsx'

/** What a share lets the other organisation see, and until when. */
export interface Seen {
  custos: boolean
  documentos: boolean
  comentarios: boolean
  ate: string | null
}
export const NOTHING_SEEN: Seen = { custos: false, documentos: false, comentarios: false, ate: null }
export const PDF_SHOWS_COSTS = 'O PDF mostra os custos; para enviá-lo, mostre os custos.'

type Props = {
  value: Seen
  onChange: (value: Seen) => void
  problem?: string | undefined
}

export function SeenFields({ value, onChange, problem }: Props) {
  const set = (part: Partial<Seen>) => onChange({ ...value, ...part })
  return (
    <>
      <fieldset className="flex flex-col gap-2.5">
        <legend className="mb-1.5 text-small font-medium">Pode ver</legend>
        <Costs value={value} set={set} />
        <Checkbox
          label="Permitir comentários"
          checked={value.comentarios}
          onChange={({ target }) => set({ comentarios: target.checked })}
        />
      </fieldset>
      <Field label="Até (opcional)" error={problem} help="O último dia em que vale; vazio, até ser revogado.">
        {(control) => (
          <Input
            {...control}
            type="date"
            name="ate"
            className="sm:max-w-56"
            min={dayInBrasilia()}
            value={value.ate ?? ''}
            onChange={({ target }) => set({ ate: target.value || null })}
          />
        )}
      </Field>
    </>
  )
}

type CostsProps = {
  value: Pick<Seen, 'custos' | 'documentos'>
  set: (part: Partial<Pick<Seen, 'custos' | 'documentos'>>) => void
}

/** The report shows costs: it goes with them or not at all. */
export function Costs({ value, set }: CostsProps) {
  return (
    <>
      <Checkbox
        label="Mostrar custos e retornos"
        checked={value.custos}
        onChange={({ target }) =>
          set({ custos: target.checked, ...(target.checked ? {} : { documentos: false }) })
        }
      />
      <div>
        <Checkbox
          label="Mostrar o relatório em PDF"
          checked={value.documentos}
          disabled={!value.custos}
          aria-describedby="pdf-mostra-custos"
          onChange={({ target }) => set({ documentos: target.checked })}
        />
        {!value.custos && (
          <p id="pdf-mostra-custos" className="pl-7 text-small text-muted">
            {PDF_SHOWS_COSTS}
          </p>
        )}
      </div>
    </>
  )
}

/** The same as a sentence for a list. */
export const seenWords = ({ custos, documentos, comentarios }: Seen): string =>
  [
    custos ? 'com custos' : 'sem custos',
    documentos ? 'com o relatório' : 'sem o relatório',
    comentarios && 'com comentários',
  ]
    .filter(Boolean)
    .join(', ')
