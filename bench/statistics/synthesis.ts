/**
 * What putting 10,000 trials' effects together costs against ten times 1,000 of them, in processor time of this process
 * and in one run, so that a machine that others use too tells the same: synthesis.ts [RUNS]. The bar is 1.2.
 */
import { synthesis, type TrialEffect } from '@ensaio/statistics'

const runs = Number(process.argv[2] ?? '15')
const BAR = 1.2

/** Effects of trials of one size and another, the same in every run. */
const effects = (count: number): TrialEffect[] =>
  Array.from({ length: count }, (_, at) => ({
    ...{ efeito: 200 + 90 * Math.sin(at * 12.9898), ep: 40 + ((at * 7919) % 121), gl: 6 },
    origem_ep: 'parcelas' as const,
  }))

function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const [few, many] = [effects(1000), effects(10_000)]
const least = { few: Infinity, many: Infinity }
for (let run = 0; run < runs; run++) {
  const ten = cpuMs(() => {
    for (let n = 0; n < 10; n++) synthesis(few)
  })
  least.few = Math.min(least.few, ten)
  least.many = Math.min(
    least.many,
    cpuMs(() => synthesis(many)),
  )
}
const ratio = least.many / least.few
console.log(
  `10,000 effects ${least.many.toFixed(0)} ms, ten times 1,000 ${least.few.toFixed(0)} ms: ${ratio.toFixed(2)} (bar ${BAR})`,
)
