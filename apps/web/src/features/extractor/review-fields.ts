import {
  BRANDS,
  BUSINESS_UNITS,
  businessUnitName,
  CONTROL_MODALITY,
  CROPS,
  type ExtractedExperiment,
  MODALITIES,
  REGIONS,
  STATES,
  STATISTICS_TYPES,
  YEARS,
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

/** The fields of what was read, in the wizard's order. */
export function reviewGroups(data: Pick<ExtractedExperiment, 'tratamentos'>): ReviewGroup[] {
  return [
    {
      title: 'Dados da Consultoria',
      fields: [
        { path: 'consultoria', label: 'Consultoria', kind: 'text' },
        { path: 'marca', label: 'Marca', kind: 'text', options: plain(BRANDS) },
        {
          path: 'bu',
          label: 'Business Unit',
          kind: 'text',
          options: BUSINESS_UNITS.map((value) => ({ value, label: businessUnitName(value) })),
        },
        {
          path: 'regional',
          label: 'Regional',
          kind: 'text',
          options: plain(REGIONS.map(({ nome }) => nome)),
        },
      ],
    },
    {
      title: 'Localização',
      fields: [
        { path: 'cidade', label: 'Cidade', kind: 'text' },
        { path: 'estado', label: 'Estado', kind: 'text', options: plain(STATES.map(({ sigla }) => sigla)) },
        { path: 'latitude', label: 'Latitude', kind: 'coordinate' },
        { path: 'longitude', label: 'Longitude', kind: 'coordinate' },
      ],
    },
    {
      title: 'Solo e cultura',
      fields: [
        { path: 'teor_argila', label: 'Teor de Argila', kind: 'number', unit: '%' },
        { path: 'teor_materia_organica', label: 'Matéria Orgânica', kind: 'number', unit: '%' },
        { path: 'cultura', label: 'Cultura', kind: 'text', options: plain(CROPS) },
        { path: 'cultivar', label: 'Cultivar', kind: 'text' },
        { path: 'ano', label: 'Ano', kind: 'number', options: plain(YEARS) },
      ],
    },
    {
      title: 'Análise Estatística',
      fields: [
        {
          path: 'tipo_estatistica',
          label: 'Tipo de Estatística',
          kind: 'text',
          options: plain(STATISTICS_TYPES),
        },
        { path: 'custo_protocolo', label: 'Custo do Protocolo', kind: 'number', unit: 'R$/ha' },
        { path: 'roi', label: 'ROI', kind: 'number', unit: 'R$/ha' },
      ],
    },
    ...data.tratamentos.map((treatment, index) => treatmentGroup(treatment, index)),
  ]
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
