import {
  businessUnitName,
  CONTROL_MODALITY,
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

/** The fields of what was read, in the wizard's order. */
export const reviewGroups = (data: Pick<ExtractedExperiment, 'tratamentos'>): ReviewGroup[] => [
  ...GROUPS.map(([title, pages]) => ({
    title,
    fields: pages.flatMap(fieldsOfPage).map((key) => reviewField(key, fieldOf(key))),
  })),
  ...data.tratamentos.map((treatment, index) => treatmentGroup(treatment, index)),
]

function reviewField(path: FieldKey, field: ExperimentField): ReviewField {
  const { label } = field
  if (field.type === 'choice') {
    const options =
      path === 'bu' ? field.of.map((value) => ({ value, label: businessUnitName(value) })) : plain(field.of)
    return { path, label, kind: 'text', options }
  }
  const options = field.known && { options: plain(field.known) }
  if (field.type === 'text') return { path, label, kind: 'text', ...options }
  const kind = field.coordinate ? 'coordinate' : 'number'
  return { path, label, kind, ...(field.unit && { unit: field.unit }), ...options }
}

function treatmentGroup(treatment: ExtractedExperiment['tratamentos'][number], index: number): ReviewGroup {
  const path = `tratamentos[${index}]`
  return {
    title: `Tratamento T${index + 1}${index === 0 ? ' (Testemunha)' : ''}`,
    fields: [
      { path: `${path}.nome`, label: 'Nome', kind: 'text' },
      {
        path: `${path}.modalidade`,
        label: 'Modalidade',
        kind: 'text',
        options: plain(index === 0 ? [CONTROL_MODALITY, ...MODALITIES] : MODALITIES),
      },
      { path: `${path}.produtividade`, label: 'Produtividade', kind: 'number', unit: 'kg/ha' },
      { path: `${path}.custo`, label: 'Custo', kind: 'number', unit: 'R$/ha' },
      ...treatment.produtos_aplicados.flatMap((product, at): ReviewField[] => [
        { path: `${path}.produtos_aplicados[${at}].nome`, label: `Produto ${at + 1}`, kind: 'text' },
        {
          path: `${path}.produtos_aplicados[${at}].dose`,
          label: 'Dose',
          kind: 'number',
          ...(product.unidade ? { unit: product.unidade } : {}),
        },
        {
          path: `${path}.produtos_aplicados[${at}].custo`,
          label: 'Custo do produto',
          kind: 'number',
          unit: 'R$/ha',
        },
      ]),
      ...treatment.analises_adicionais.flatMap((analysis, at): ReviewField[] => [
        {
          path: `${path}.analises_adicionais[${at}].valor`,
          label: analysis.nome ?? `Análise ${at + 1}`,
          kind: 'number',
          ...(analysis.unidade ? { unit: analysis.unidade } : {}),
        },
      ]),
    ],
  }
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
