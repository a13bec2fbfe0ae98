import {
  BUSINESS_UNITS,
  CROPS,
  DOSE_UNITS,
  FIRST_YEAR,
  fieldOf,
  isFieldKey,
  LAST_YEAR,
  MODALITIES,
  REGIONS,
  STATES,
  STATISTICS_TYPES,
} from '@ensaio/domain'
import { columnLetter, type LongColumn, TREATMENT_COLUMNS, TRIAL_COLUMNS } from '@ensaio/domain/imports'
import { type DataValidation, type WriteSheet, writeXlsx } from 'hucre/xlsx'
import { csvFile } from '../../spreadsheet-cells.ts'
import { EXAMPLE } from './looking.ts'
import { openDocument } from './open-document.ts'

const COLUMNS: readonly LongColumn[] = [...TRIAL_COLUMNS, ...TREATMENT_COLUMNS]
/** Rows that drop-downs and checks are made for. */
const LAST_ROW = 5000

type Names = Record<'marca' | 'cultura' | 'modalidade' | 'regional' | 'produto', readonly string[]>

/** Own names behind the public ones, each once. */
const merged = (...lists: (readonly string[])[]) => [...new Set(lists.flat())].slice(0, 1000)

const listsOf = (names: Names): Readonly<Record<string, readonly string[]>> => ({
  bu: BUSINESS_UNITS,
  regional: merged(
    REGIONS.map(({ nome }) => nome),
    names.regional,
  ),
  estado: STATES.map(({ sigla }) => sigla),
  cultura: merged(CROPS, names.cultura),
  marca: merged(names.marca),
  tipo_estatistica: STATISTICS_TYPES,
  'tratamento.modalidade': merged(MODALITIES, names.modalidade),
  'produto.unidade': DOSE_UNITS,
})

/** Lists where any other text is welcome, too. */
const OPEN = new Set(['regional', 'cultura', 'marca', 'tratamento.modalidade'])

const title = ({ title, required }: LongColumn) => (required ? `${title} *` : title)

const EXAMPLES: readonly Readonly<Record<string, string | number>>[] = [
  {
    ...{
      codigo: EXAMPLE,
      consultoria: 'AgroPesquisa Cerrado',
      marca: 'Aminoagro',
      bu: 'BU1',
      regional: 'Centro-Oeste',
    },
    ...{
      cidade: 'Rio Verde',
      estado: 'GO',
      cultura: 'Soja',
      cultivar: 'NS 7709 IPRO',
      ano: 2025,
      teor_argila: 45,
    },
    ...{
      teor_materia_organica: 2.8,
      tipo_estatistica: 'DBC',
      custo_protocolo: 1500,
      'tratamento.nome': 'Testemunha',
    },
    ...{ 'tratamento.modalidade': 'Controle', 'tratamento.produtividade': 3480 },
  },
  {
    ...{ codigo: EXAMPLE, 'tratamento.nome': 'Nutrivia Raiz 300', 'tratamento.modalidade': 'Foliar' },
    ...{
      'tratamento.produtividade': 3712.5,
      'tratamento.custo': 85,
      'produto.nome': 'Nutrivia Raiz',
      'produto.dose': 300,
    },
    ...{ 'produto.unidade': 'mL/ha', 'produto.custo': 85 },
  },
]
const rowOf = (values: Readonly<Record<string, string | number>>) =>
  COLUMNS.map(({ campo }) => values[campo] ?? null)

const MEANINGS: Readonly<Record<string, string>> = {
  'tratamento.nome': 'o primeiro de cada ensaio é a Testemunha',
  'tratamento.modalidade': 'como foi aplicado: Foliar, Solo, Sementes…',
  'tratamento.produtividade':
    'média do tratamento em kg/ha; para sc/ha, mude o título para “Produtividade (sc/ha)”',
  'tratamento.custo': 'custo do tratamento em R$/ha',
  'produto.nome': 'um produto por linha; repita o tratamento na linha seguinte para o segundo produto',
  'produto.dose': 'número; “300 mL/ha” na mesma célula também é entendido',
  'produto.unidade': 'unidade da dose',
  'produto.custo': 'custo do produto em R$/ha',
}
const meaning = (campo: string) => (isFieldKey(campo) ? fieldOf(campo).meaning : (MEANINGS[campo] ?? ''))

function instructions(): (string | null)[][] {
  return [
    ['Como preencher'],
    [],
    [
      'Uma linha é um tratamento. As linhas de um ensaio têm o mesmo “Código do ensaio”, ou deixam em branco as colunas do ensaio abaixo da primeira linha.',
    ],
    ['As colunas com * são obrigatórias. As linhas com EXEMPLO na primeira coluna não são importadas.'],
    [],
    ['Coluna', 'O que significa', 'Unidade', 'Exemplo'],
    ...COLUMNS.map((column) => [
      title(column),
      meaning(column.campo),
      /\(([^)]+)\)$/.exec(column.title)?.[1] ?? null,
      String(
        EXAMPLES.map((one) => one[column.campo]).find((value) => value !== undefined && value !== EXAMPLE) ??
          '',
      ),
    ]),
    [],
    ['Perguntas'],
    [
      'E se o tratamento tem dois produtos?',
      'Repita o nome do tratamento na linha seguinte e preencha só as colunas do produto.',
    ],
    [
      'E se eu já importei esta planilha?',
      'Ensaios iguais não entram de novo; os que têm o mesmo código e mudaram são oferecidos para atualização.',
    ],
    [
      'E se eu tenho os valores por parcela?',
      'Acrescente a coluna “Bloco”: uma linha por parcela, e a produtividade do tratamento é a média delas.',
    ],
  ]
}

const GREY = { font: { color: { rgb: 'FF8A8A8A' }, italic: true } } as const
const HEAD = {
  font: { bold: true },
  fill: { type: 'pattern', pattern: 'solid', fgColor: { rgb: 'FFE7EFE3' } },
  alignment: { wrapText: true, vertical: 'top' },
} as const

function validations(lists: Readonly<Record<string, readonly string[]>>): DataValidation[] {
  const names = Object.keys(lists)
  return COLUMNS.flatMap((column, at): DataValidation[] => {
    const letter = columnLetter(at)
    const range = `${letter}2:${letter}${LAST_ROW}`
    const input = {
      showInputMessage: true,
      inputTitle: column.title.slice(0, 32),
      inputMessage: `${meaning(column.campo)}${column.required ? ' (obrigatório)' : ''}`.slice(0, 255),
      allowBlank: true,
    }
    const list = names.indexOf(column.campo)
    if (list !== -1) {
      const of = columnLetter(list)
      const open = OPEN.has(column.campo)
      return [
        {
          ...{
            ...input,
            range,
            type: 'list',
            formula1: `Listas!$${of}$2:$${of}$${Math.max(2, (lists[column.campo]?.length ?? 0) + 1)}`,
          },
          ...{
            showErrorMessage: true,
            errorStyle: open ? 'information' : 'warning',
            errorTitle: 'Fora da lista',
            errorMessage: open ? 'Este nome é novo; confira se está certo.' : 'Escolha um valor da lista.',
          },
        },
      ]
    }
    const bounds = BOUNDS[column.campo]
    if (!bounds) return [{ ...input, range, type: 'custom', formula1: 'TRUE' }]
    const [least, most] = bounds
    return [
      {
        ...{
          ...input,
          range,
          type: 'decimal',
          operator: 'between',
          formula1: String(least),
          formula2: String(most),
        },
        ...{
          showErrorMessage: true,
          errorStyle: 'warning',
          errorTitle: 'Número fora do intervalo',
          errorMessage: `Digite um número de ${least} a ${most}.`,
        },
      },
    ]
  })
}
const BOUNDS: Readonly<Record<string, readonly [number, number]>> = {
  latitude: [-90, 90],
  longitude: [-180, 180],
  ano: [FIRST_YEAR, LAST_YEAR],
  teor_argila: [0, 100],
  teor_materia_organica: [0, 100],
  custo_protocolo: [0, 100_000_000],
  roi: [0, 100_000_000],
  'tratamento.produtividade': [0, 1_000_000],
  'tratamento.custo': [0, 100_000_000],
  'produto.dose': [0, 1_000_000],
  'produto.custo': [0, 100_000_000],
}

/** The workbook that people fill in: headings, two rows that show how, lists and checks of the moment. */
export async function templateFile(formato: 'xlsx' | 'ods' | 'csv', names: Names): Promise<Buffer> {
  const head = COLUMNS.map(title)
  const examples = EXAMPLES.map(rowOf)
  if (formato === 'csv') return Buffer.from(csvFile([head, ...examples]))
  const lists = listsOf(names)
  const longest = Math.max(...Object.values(lists).map((list) => list.length))
  const cells: NonNullable<WriteSheet['cells']> = new Map()
  for (const at of COLUMNS.keys()) {
    cells.set(`0,${at}`, { style: HEAD })
    for (const row of examples.keys()) cells.set(`${row + 1},${at}`, { style: GREY })
  }
  const guide = instructions()
  const guideWidths = [34, 80, 12, 24]
  const listRows = Array.from({ length: longest + 1 }, (_, at) =>
    Object.entries(lists).map(([campo, list]) => (at === 0 ? campo : (list[at - 1] ?? null))),
  )
  if (formato === 'ods')
    return Buffer.from(
      openDocument([
        {
          ...{ name: 'Ensaios', rows: [head, ...examples], widths: COLUMNS.map(({ width }) => width) },
          ...{ headed: { greyed: examples.length }, validations: validations(lists) },
        },
        { name: 'Instruções', rows: guide, widths: guideWidths },
        { name: 'Listas', hidden: true, rows: listRows },
      ]),
    )
  const sheets: WriteSheet[] = [
    {
      name: 'Ensaios',
      rows: [head, ...examples],
      columns: COLUMNS.map(({ width }) => ({ width })),
      cells,
      freezePane: { rows: 1 },
      dataValidations: validations(lists),
    },
    {
      name: 'Instruções',
      rows: guide,
      columns: guideWidths.map((width) => ({ width })),
    },
    { name: 'Listas', hidden: true, rows: listRows },
  ]
  return Buffer.from(await writeXlsx({ sheets }))
}
