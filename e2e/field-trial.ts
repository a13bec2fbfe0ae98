import type { Person } from './fixtures.ts'
import { api, trial } from './several.ts'

const BLOCKS = 3
const TREATMENTS = 4

/** A trial of 12 plots in three lines of four, with a variable of each kind that is collected and no value yet. */
export async function fieldTrial(url: string, person: Person, variables: object[] = VARIABLES) {
  const { experimento } = await api(
    url,
    person,
    'POST',
    '/api/experiments',
    trial({
      tipo_estatistica: 'DBC',
      tratamentos: Array.from({ length: TREATMENTS }, (_, at) => ({
        ...{ nome: at === 0 ? 'Testemunha' : `Produto ${at}`, modalidade: at === 0 ? 'Controle' : 'Foliar' },
        ...{ produtividade: 3500 + at * 100, custo: at * 40 },
      })),
    }),
  )
  const cells = Array.from({ length: BLOCKS * TREATMENTS }, (_, at) => ({
    bloco: Math.floor(at / TREATMENTS) + 1,
    coluna: (at % TREATMENTS) + 1,
  }))
  await api(url, person, 'PUT', `/api/experiments/${experimento.id}/plots`, {
    ...{ versao: 0, delineamento: 'DBC', testemunha: 1, fatores: [], avaliacoes: [], valores: [] },
    tratamentos: Array.from({ length: TREATMENTS }, (_, at) => ({ numero: at + 1, niveis: null })),
    variaveis: variables,
    parcelas: cells.map(({ bloco, coluna }) => ({
      ...{ numero: bloco * 100 + coluna, bloco, linha: bloco, coluna },
      tratamento: ((coluna - 1 + bloco) % TREATMENTS) + 1,
    })),
  })
  return experimento as { id: string; nome: string }
}

export const HEIGHT = {
  ...{ chave: 'altura', nome: 'Altura de plantas', unidade: 'cm', tipo: 'continua', papel: 'resposta' },
  ...{ minimo: 0, maximo: 300, esperado_min: 60, esperado_max: 120, casas: 1 },
  instrucao: 'Do solo à última folha aberta.',
}
const VARIABLES = [
  HEIGHT,
  { chave: 'estande', nome: 'Estande', unidade: 'plantas', tipo: 'contagem', papel: 'resposta' },
  {
    ...{ chave: 'ferrugem', nome: 'Ferrugem', tipo: 'nota', papel: 'resposta', escala: [1, 3] },
    categorias: [
      { valor: 1, rotulo: 'Ausente' },
      { valor: 2, rotulo: 'Pouca' },
      { valor: 3, rotulo: 'Muita' },
    ],
  },
  { chave: 'floracao', nome: 'Floração', tipo: 'data', papel: 'resposta' },
  { chave: 'obs', nome: 'Observação', tipo: 'texto', papel: 'resposta' },
]

/** What stands in the sheet: a variable's values, by the number of their plot. */
export async function standing(url: string, person: Person, id: string, chave = 'altura') {
  const { ficha } = await api(url, person, 'GET', `/api/experiments/${id}/plots`)
  const column = ficha.valores.find((one: { variavel: string }) => one.variavel === chave)
  const values: (number | null)[] = column?.valores ?? []
  return new Map<number, number | null>(
    ficha.parcelas.map((plot: { numero: number }, at: number) => [plot.numero, values[at] ?? null]),
  )
}
