import { ANALYSIS_NAMES } from './constants.ts'
import type { ImportForm } from './contract-imports.ts'
import { EXPERIMENT_FIELDS, FIELD_KEYS, isFieldKey } from './experiment-fields.ts'

const PARTS: Readonly<Record<string, string>> = {
  'tratamento.numero': 'Número do tratamento',
  'tratamento.nome': 'Tratamento',
  'tratamento.modalidade': 'Modalidade',
  'tratamento.produtividade': 'Produtividade',
  'tratamento.custo': 'Custo do tratamento',
  'produto.nome': 'Produto',
  'produto.dose': 'Dose',
  'produto.unidade': 'Unidade da dose',
  'produto.custo': 'Custo do produto',
  'analise.nome': 'Nome da análise',
  'analise.valor': 'Valor da análise',
  'analise.unidade': 'Unidade da análise',
  'parcela.numero': 'Parcela',
  'parcela.bloco': 'Bloco ou repetição',
  'parcela.linha': 'Linha da parcela',
  'parcela.coluna': 'Coluna da parcela',
  'parcela.area': 'Área da parcela',
}
const KEYS: Readonly<Record<string, string>> = { id: 'ID', versao: 'Versão' }

/** The name of a column's field as a person reads it: 'T2: Dose do produto 1', 'Estado', 'Altura de plantas'. */
export function importFieldLabel(campo: string): string {
  if (isFieldKey(campo)) return EXPERIMENT_FIELDS[campo].label
  const plain = KEYS[campo] ?? PARTS[campo]
  if (plain !== undefined) return plain
  const [, treatment, rest = ''] = /^tratamentos\.(\d{1,3})\.(.{1,260})$/.exec(campo) ?? []
  if (treatment !== undefined) {
    const [, number, part] = /^produtos_aplicados\.(\d{1,2})\.(\w+)$/.exec(rest) ?? []
    const label =
      number === undefined
        ? rest.startsWith('analise.')
          ? rest.slice(8)
          : (PARTS[`tratamento.${rest}`] ?? rest)
        : `${PARTS[`produto.${part}`] ?? part}${number === '1' ? '' : ` ${number}`}`
    return `T${treatment}: ${label}`
  }
  const [, plot, measure] = /^parcelas\.(\d{1,6})\.(.{1,260})$/.exec(campo) ?? []
  if (plot !== undefined) return `Parcela ${plot}: ${measure}`
  const [, number, part] = /^produto\.(\d{1,2})\.(\w+)$/.exec(campo) ?? []
  if (number !== undefined) return `${PARTS[`produto.${part}`] ?? part} ${number}`
  return campo.replace(/^analise\./, '')
}

/** What may be chosen for a column, in groups; where a row is a trial, as an analysis under its own name, too. */
export function importFieldChoices(
  forma: ImportForm,
  treatments: number,
  /** Of a column that is no field of ours. */
  analysis?: string,
): { label: string; fields: { value: string; label: string }[] }[] {
  const named = (fields: readonly string[]) =>
    fields.map((value) => ({ value, label: importFieldLabel(value) }))
  const trial = { label: 'Ensaio', fields: named([...FIELD_KEYS, 'id', 'versao']) }
  if (forma === 'larga')
    return [
      trial,
      ...Array.from({ length: Math.max(2, treatments) }, (_, at) => {
        const base = `tratamentos.${at + 1}`
        const own = ['nome', 'modalidade', 'produtividade', 'custo'].map((part) => `${base}.${part}`)
        const product = ['nome', 'dose', 'unidade', 'custo'].map(
          (part) => `${base}.produtos_aplicados.1.${part}`,
        )
        const measured = analysis ? [`${base}.analise.${analysis}`] : []
        return { label: `Tratamento ${at + 1}`, fields: named([...own, ...product, ...measured]) }
      }),
    ]
  const of = (prefix: string) => Object.keys(PARTS).filter((campo) => campo.startsWith(`${prefix}.`))
  return [
    trial,
    { label: 'Tratamento', fields: named(of('tratamento')) },
    { label: 'Produto', fields: named(of('produto')) },
    ...(forma === 'parcelas' ? [{ label: 'Parcela', fields: named(of('parcela')) }] : []),
    {
      label: 'Análises',
      fields: [
        ...(forma === 'parcelas' ? [] : named(of('analise'))),
        ...named(ANALYSIS_NAMES.map((name) => `analise.${name}`)),
      ],
    },
  ]
}

/**
 * What a saved model knows columns by, in their order: their titles, with the sheet where several are joined, and which
 * of those that have the same title.
 */
export function templateKeys(columns: readonly { coluna: string; titulo: string }[]): string[] {
  const seen = new Map<string, number>()
  return columns.map(({ coluna, titulo }) => {
    const bang = coluna.lastIndexOf('!')
    const key = bang < 0 ? titulo : `${coluna.slice(0, bang)}!${titulo}`
    const nth = (seen.get(key) ?? 0) + 1
    seen.set(key, nth)
    return nth === 1 ? key : `${key} #${nth}`
  })
}
