/**
 * What an analysis costs, in processor time of this process, so that a busy machine does not matter; ratios of one
 * run: analyse.ts [RUNS].
 */
import { answerKernel, type KernelQuestion } from '@ensaio/statistics'

const runs = Number(process.argv[2] ?? '7')

/** A complete trial of k treatments in r blocks, with deviations of a fixed table. */
function question(k: number, r: number, lost = 0): KernelQuestion {
  const plots = Array.from({ length: k * r }, (_, at) => ({
    numero: at + 1,
    tratamento: (at % k) + 1,
    bloco: Math.floor(at / k) + 1,
  }))
  const y = plots.map(({ tratamento, bloco, numero }) =>
    numero <= lost ? null : 3000 + 9 * tratamento + 25 * bloco + ((numero * 7919) % 211) - 105,
  )
  return {
    kind: 'analyse',
    input: {
      delineamento: 'DBC',
      testemunha: 1,
      fatores: [],
      tratamentos: Array.from({ length: k }, (_, at) => ({ numero: at + 1, niveis: null })),
      parcelas: plots,
      y,
    },
    options: { alfa: 0.05 },
  }
}

function cpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const SIZES: [string, KernelQuestion, number][] = [
  ['6 x 4', question(6, 4), 30],
  ['6 x 4, a plot lost', question(6, 4, 1), 30],
  ['30 x 4', question(30, 4), 500],
  ['100 x 3', question(100, 3), 4000],
  ['100 x 4', question(100, 4), Number.NaN],
  ['200 x 4', question(200, 4), Number.NaN],
]
const taken = new Map<string, number>()
for (const [name, asked, bar] of SIZES) {
  const times = Array.from({ length: runs }, () => cpuMs(() => answerKernel(asked)))
  taken.set(name, median(times))
  const limit = Number.isNaN(bar) ? '' : `  (bar ${bar} ms)`
  console.log(`${name.padEnd(20)} ${median(times).toFixed(1).padStart(8)} ms of processor${limit}`)
}
const ratio = (taken.get('200 x 4') ?? 0) / (taken.get('100 x 4') ?? 1)
console.log(`200 treatments / 100 treatments: ${ratio.toFixed(2)} (bar 5)`)
