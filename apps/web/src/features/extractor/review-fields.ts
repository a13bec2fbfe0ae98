import {
  businessUnitName,
  CONTROL_MODALITY,
  DOSE_UNITS,
  type ExperimentField,
  type ExtractedExperiment,
  type FieldKey,
  fieldOf,
  fieldsOfPage,
  MODALITIES,
} from '@ensaio/domain'

export type ReviewField = {
  /** 'tratamentos[2].produtos_aplicados[0].dose', as in the metadata. */
  path: string
  label: string
  kind: 'text' | 'number' | 'coordinate'
  unit?: string
  options?: readonly { value: string; label: string }[]
  /** An experiment is not saved without it. */
  required?: boolean
  /** False: goes with another value, and has no place of its own. */
  told?: false
}
export type ReviewGroup = { title: string; fields: ReviewField[] }

const plain = (values: readonly (string | number)[]) =>
  values.map((value) => ({ value: String(value), label: String(value) }))

const GROUPS: readonly (readonly [title: string, pages: readonly number[]])[] = [
  ['Dados da Consultoria', [1]],
  ['Localização', [2]],
  ['Solo e cultura', [3, 4]],
  ['Análise Estatística', [6]],
]

/** The fields of a report, in the wizard's order. */
export const FIELD_GROUPS: readonly ReviewGroup[] = GROUPS.map(([title, pages]) => ({
  title,
  fields: pages.flatMap(fieldsOfPage).map((key) => reviewField(key, fieldOf(key))),
}))

function reviewField(path: FieldKey, field: ExperimentField): ReviewField {
  const of = { path, label: field.label, required: field.required !== undefined }
  if (field.type === 'choice') {
    const options =
      path === 'bu' ? field.of.map((value) => ({ value, label: businessUnitName(value) })) : plain(field.of)
    return { ...of, kind: 'text', options }
  }
  const options = field.known && { options: plain(field.known) }
  if (field.type === 'text') return { ...of, kind: 'text', ...options }
  const kind = field.coordinate ? 'coordinate' : 'number'
  return { ...of, kind, ...(field.unit && { unit: field.unit }), ...options }
}

/** What stands once in a treatment; T1 is the control. */
export const treatmentFields = (index: number): ReviewField[] => {
  const path = `tratamentos[${index}]`
  return [
    { path: `${path}.nome`, label: 'Nome', kind: 'text', required: true },
    {
      path: `${path}.modalidade`,
      label: 'Modalidade',
      kind: 'text',
      required: true,
      options: plain(index === 0 ? [CONTROL_MODALITY, ...MODALITIES] : MODALITIES),
    },
    { path: `${path}.produtividade`, label: 'Produtividade', kind: 'number', unit: 'kg/ha', required: true },
    { path: `${path}.custo`, label: 'Custo', kind: 'number', unit: 'R$/ha' },
  ]
}

export const productFields = (index: number, at: number): ReviewField[] => {
  const path = `tratamentos[${index}].produtos_aplicados[${at}]`
  return [
    { path: `${path}.nome`, label: `Produto ${at + 1}`, kind: 'text' },
    { path: `${path}.dose`, label: 'Dose', kind: 'number' },
    { path: `${path}.unidade`, label: 'Unidade', kind: 'text', options: plain(DOSE_UNITS), told: false },
    { path: `${path}.custo`, label: 'Custo do produto', kind: 'number', unit: 'R$/ha' },
  ]
}

export const analysisFields = (index: number, at: number): ReviewField[] => {
  const path = `tratamentos[${index}].analises_adicionais[${at}]`
  return [
    { path: `${path}.nome`, label: `Análise ${at + 1}`, kind: 'text', told: false },
    { path: `${path}.valor`, label: 'Valor', kind: 'number' },
    { path: `${path}.unidade`, label: 'Unidade da análise', kind: 'text', told: false },
  ]
}

/** Every field of what was read. */
export const allFields = ({ tratamentos }: Pick<ExtractedExperiment, 'tratamentos'>): ReviewField[] => [
  ...FIELD_GROUPS.flatMap(({ fields }) => fields),
  ...tratamentos.flatMap((treatment, index) => [
    ...treatmentFields(index),
    ...treatment.produtos_aplicados.flatMap((_, at) => productFields(index, at)),
    ...treatment.analises_adicionais.flatMap((_, at) => analysisFields(index, at)),
  ]),
]

/** What a field is called among all: 'T2 · Dose'. */
export function labelOf(path: string, fields: readonly ReviewField[]): string {
  const label = fields.find((field) => field.path === path)?.label ?? path
  const treatment = /^tratamentos\[(\d+)\]/.exec(path)?.[1]
  return treatment === undefined ? label : `T${Number(treatment) + 1} · ${label}`
}

const keysOf = (path: string): string[] => path.replaceAll(/\[(\d+)\]/g, '.$1').split('.')

export function valueAt(data: unknown, path: string): string | number | null {
  let place = data
  for (const key of keysOf(path)) {
    if (place === null || typeof place !== 'object') return null
    place = (place as Record<string, unknown>)[key]
  }
  return typeof place === 'string' || typeof place === 'number' ? place : null
}

/** A copy of `data` with `value` at `path`. */
export function withValue(
  data: ExtractedExperiment,
  path: string,
  value: string | number | null,
): ExtractedExperiment {
  const copy = structuredClone(data)
  const keys = keysOf(path)
  const last = keys.pop()
  // A path leads anywhere into the data; keysOf has taken it apart by the schema's own names.
  let place = copy as unknown as Record<string, unknown>
  for (const key of keys) place = place[key] as Record<string, unknown>
  if (last !== undefined) place[last] = value
  return copy
}
