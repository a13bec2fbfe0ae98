/**
 * What moving a slider by one step costs with 50 treatments: the economics with their sentences, and the prices at which
 * the best one changes, in processor time of this process: economics.ts [RUNS]. A frame is 16 ms.
 */
import {
  costsOf,
  describedEconomics,
  type EconomicBase,
  economicInput,
  marginLines,
  NO_PRICES,
} from '@ensaio/domain'
import { crossings, economics } from '@ensaio/statistics/economics'

const runs = Number(process.argv[2] ?? '200')
const FRAME_MS = 16

function frame(count: number): (step: number) => void {
  const base: EconomicBase = {
    ...{ origem: 'parcelas', dados_versao: 1, variavel: 'produtividade', testemunha: 'T1', avisos: [] },
    tratamentos: Array.from({ length: count }, (_, at) => ({
      ...{ numero: at + 1, nivel: `T${at + 1}`, nome: `Produto ${at + 1}`, n: 4 },
      media_kg_ha: 3000 + ((at * 7919) % 601),
      custo_rs_ha: (at * 31) % 397,
      ...{ ep_diferenca: at === 0 ? null : 60 + (at % 7), gl: at === 0 ? null : 3 * (count - 1) },
    })),
  }
  const treatments = base.tratamentos.map(({ custo_rs_ha }) => ({
    custo: custo_rs_ha,
    produtos_aplicados: [],
  }))
  const costs = costsOf(treatments, NO_PRICES)
  return (step) => {
    const question = {
      ...{ preco: 100 + (step % 50), preco_baixo: 80, preco_alto: 160, unidade: 'sc', kg_por_unidade: 60 },
      ...{ data: null, fonte: null, ajuste_percent: 10, taxa_minima: 100 },
    }
    const found = economics(economicInput(base, costs, question))
    const inverte = crossings(marginLines(found))
    describedEconomics(found, { base, costs, question, inverte, custos: 'digitados' })
  }
}

function cpuMs(count: number): number {
  const work = frame(count)
  for (let step = 0; step < runs / 4; step++) work(step)
  const before = process.cpuUsage()
  for (let step = 0; step < runs; step++) work(step)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / runs
}

const [fifty, hundred] = [cpuMs(50), cpuMs(100)]
console.log(`50 treatments   ${fifty.toFixed(2)} ms of processor a step  (bar ${FRAME_MS} ms, a frame)`)
console.log(
  `100 treatments  ${hundred.toFixed(2)} ms  (${(hundred / fifty).toFixed(2)} times as much, bar 3)`,
)
