import { type ExtractedExperiment, MODALITIES, unitBehind } from '@ensaio/domain'
import { Plus, Trash2 } from 'lucide-react'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Select } from '../../ui/Input.tsx'
import { ReviewRow, type RowState } from './ReviewRow.tsx'
import { analysisFields, productFields, type ReviewField, treatmentFields } from './review-fields.ts'
import {
  addPart,
  addTreatment,
  type Part,
  type ReviewState,
  removePart,
  removeTreatment,
  withMode,
} from './review-state.ts'

type Props = {
  data: ExtractedExperiment
  /** How many treatments have no way of application. */
  lacking: number
  rowOf: (field: ReviewField) => RowState
  onChange: (path: string, value: string | number | null) => void
  onShow: (path: string) => void
  onEdit: (change: (state: ReviewState) => ReviewState) => void
}

/** The treatments that were read; rows, products and analyses come and go. */
export function ReviewTreatments({ data, lacking, rowOf, onChange, onShow, onEdit }: Props) {
  const row = (field: ReviewField, extra: { className?: string; readOnly?: boolean } = {}) => (
    <ReviewRow
      key={field.path}
      field={field}
      {...rowOf(field)}
      {...extra}
      onChange={(value) => onChange(field.path, value)}
      onShow={() => onShow(field.path)}
    />
  )
  return (
    <>
      {lacking > 1 && (
        <div className="border-b border-line px-4 py-4">
          <Field
            label={`Modalidade dos ${lacking} tratamentos que estão sem ela`}
            help="Vale para todos de uma vez; cada um pode ser mudado depois."
          >
            {(control) => (
              <Select
                {...control}
                placeholder="–"
                options={MODALITIES}
                value=""
                onChange={(event) => {
                  const mode = event.target.value
                  if (mode) onEdit((state) => withMode(state, mode))
                }}
              />
            )}
          </Field>
        </div>
      )}
      {data.tratamentos.map((treatment, index) => {
        const code = `T${index + 1}`
        const part = (of: Part, at: number, fields: readonly ReviewField[], word: string) => (
          <li
            key={fields[0]?.path}
            className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-start gap-x-4 gap-y-3 border-t border-line pt-3"
          >
            {fields.map((field, i) => row(field, { className: i % 2 === 0 ? 'col-start-1' : '' }))}
            <IconButton
              label={`Remover ${word} ${at + 1} de ${code}`}
              tone="danger"
              className="col-start-3 row-start-1 mt-6"
              onClick={() => onEdit((state) => removePart(state, index, of, at))}
            >
              <Trash2 aria-hidden />
            </IconButton>
          </li>
        )
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: treatments are what they are by their place
          <section key={index} className="border-b border-line px-4 py-4">
            <header className="mb-3 flex items-center justify-between gap-3">
              <h2 className="font-semibold">
                Tratamento {code}
                {index === 0 ? ' (Testemunha)' : ''}
              </h2>
              <IconButton
                label={`Remover ${code}`}
                tone="danger"
                disabled={index === 0}
                onClick={() => onEdit((state) => removeTreatment(state, index))}
              >
                <Trash2 aria-hidden />
              </IconButton>
            </header>
            <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
              {treatmentFields(index).map((field, i) => row(field, { readOnly: index === 0 && i === 0 }))}
            </div>
            {treatment.produtos_aplicados.length > 0 && (
              <ul aria-label={`Produtos de ${code}`} className="mt-3 flex flex-col gap-3">
                {treatment.produtos_aplicados.map((_, at) =>
                  part('produtos_aplicados', at, productFields(index, at), 'produto'),
                )}
              </ul>
            )}
            {treatment.analises_adicionais.length > 0 && (
              <ul aria-label={`Análises de ${code}`} className="mt-3 flex flex-col gap-3">
                {treatment.analises_adicionais.map(({ nome, unidade }, at) =>
                  part(
                    'analises_adicionais',
                    at,
                    analysisFields(index, at).map((field) =>
                      field.kind === 'number' && nome
                        ? { ...field, label: `${nome}${unidade ? unitBehind(unidade) : ''}` }
                        : field,
                    ),
                    'análise',
                  ),
                )}
              </ul>
            )}
            <div className="mt-3 flex flex-wrap gap-2">
              <Button
                size="small"
                icon={<Plus aria-hidden className="size-4" />}
                onClick={() => onEdit((state) => addPart(state, index, 'produtos_aplicados'))}
              >
                Adicionar Produto
              </Button>
              <Button
                size="small"
                icon={<Plus aria-hidden className="size-4" />}
                onClick={() => onEdit((state) => addPart(state, index, 'analises_adicionais'))}
              >
                Adicionar Análise
              </Button>
            </div>
          </section>
        )
      })}
      <div data-path="tratamentos" className="px-4 py-4">
        <Button icon={<Plus aria-hidden className="size-4" />} onClick={() => onEdit(addTreatment)}>
          Adicionar tratamento
        </Button>
      </div>
    </>
  )
}
