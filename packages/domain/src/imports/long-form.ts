import type { StoredTreatment } from '../experiment.ts'
import { FIELD_KEYS, type FieldKey, fieldOf } from '../experiment-fields.ts'

/** A column of the long form, in which a row is a treatment, a product or an analysis of one. */
export interface LongColumn {
  campo: string
  /** With its unit; read back as the same field. */
  title: string
  width: number
  required: boolean
}

const column = (campo: string, title: string, width: number, required = false): LongColumn => ({
  campo,
  title,
  width,
  required,
})

function ofField(key: FieldKey): LongColumn {
  const field = fieldOf(key)
  const [title, width] = field.column
  return column(
    key,
    field.type === 'number' && field.unit ? `${title} (${field.unit})` : title,
    Math.max(width, 12),
    field.required !== undefined,
  )
}

const CODE = ofField('codigo')
/** Once in a trial, the code first: it is what joins rows. */
export const TRIAL_COLUMNS: readonly LongColumn[] = [
  CODE,
  ...FIELD_KEYS.filter((key) => key !== 'codigo').map(ofField),
]
export const TREATMENT_COLUMNS: readonly LongColumn[] = [
  column('tratamento.nome', 'Tratamento', 26, true),
  column('tratamento.modalidade', 'Modalidade', 14, true),
  column('tratamento.produtividade', 'Produtividade (kg/ha)', 16, true),
  column('tratamento.custo', 'Custo do tratamento (R$/ha)', 16),
  column('produto.nome', 'Produto', 22),
  column('produto.dose', 'Dose', 10),
  column('produto.unidade', 'Unidade da dose', 16),
  column('produto.custo', 'Custo do produto (R$/ha)', 16),
]
const ANALYSIS_COLUMNS: readonly LongColumn[] = [
  column('analise.nome', 'Análise', 24),
  column('analise.valor', 'Valor da análise', 14),
  column('analise.unidade', 'Unidade da análise', 16),
]
const KEYS: readonly LongColumn[] = [column('id', 'ID', 38), column('versao', 'Versão', 8)]

/** What joins the rows of a treatment, whatever it is called: two may have one name. */
const NUMBER = column('tratamento.numero', 'Nº do tratamento', 10)

/** Of the full export: it comes back by the import. */
export const FULL_COLUMNS: readonly LongColumn[] = [
  ...KEYS,
  ...TRIAL_COLUMNS,
  NUMBER,
  ...TREATMENT_COLUMNS,
  ...ANALYSIS_COLUMNS,
]

type Cell = string | number | null

/** The rows of a trial under `FULL_COLUMNS`: as many for a treatment as it has products, or analyses. */
export function longRows(
  trial: { id: string; versao: number; tratamentos: readonly StoredTreatment[] } & Readonly<
    Record<string, unknown>
  >,
): Cell[][] {
  const own = [...KEYS, ...TRIAL_COLUMNS].map(({ campo }) => (trial[campo] ?? null) as Cell)
  return trial.tratamentos.flatMap(({ nome, modalidade, produtividade, custo, ...held }, number) => {
    const rows = Math.max(1, held.produtos_aplicados.length, held.analises_adicionais.length)
    return Array.from({ length: rows }, (_, at): Cell[] => {
      const product = held.produtos_aplicados[at]
      const analysis = held.analises_adicionais[at]
      const treatment = at === 0 ? [nome, modalidade, produtividade, custo] : [nome, null, null, null]
      return [
        ...own,
        number + 1,
        ...treatment,
        product?.nome ?? null,
        product?.dose ?? null,
        product?.unidade ?? null,
        product?.custo ?? null,
        analysis?.nome ?? null,
        analysis?.valor ?? null,
        analysis?.unidade || null,
      ]
    })
  })
}
