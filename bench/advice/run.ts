/** What advice on a trial costs the thread that shows it (advice.md 1: 2 ms and 30 ms). run.ts */
import { adviseOn } from '../../packages/domain/src/advice.ts'
import type { AdviceFacts, AdviceSheet } from '../../packages/domain/src/advice-facts.ts'
import { sheetOf, variable } from '../../packages/domain/src/test-advice.ts'
import { yields } from '../../packages/domain/src/test-advice-parts.ts'

const ROUNDS = 15

const rows = Array.from({ length: 60 }, (_, block) =>
  Array.from({ length: 20 }, (_, at) => 3000 + ((block * 131 + at * 977) % 523)),
)
const variaveis = Array.from({ length: 10 }, (_, at) =>
  variable({ chave: `v${at}`, produtividade: at === 0 }),
)
const sheet = sheetOf(rows, { variaveis })
const valores = variaveis.map(({ chave }) => ({
  ...(sheet.valores[0] as AdviceSheet['valores'][number]),
  variavel: chave,
}))

/** Facts are made anew each time: nothing that was kept of them helps. */
function line(name: string, facts: () => AdviceFacts, bar: number): void {
  const times = Array.from({ length: ROUNDS }, () => {
    const of = facts()
    const start = process.threadCpuUsage()
    adviseOn(of)
    return process.threadCpuUsage(start).user / 1000
  }).sort((a, b) => a - b)
  const median = times[(ROUNDS - 1) / 2] ?? 0
  console.log(`${name}: median ${median.toFixed(2)} ms of CPU, fastest ${times[0]?.toFixed(2)} (bar ${bar})`)
}

line('a trial of 20 means', () => yields('Soja', ...Array.from({ length: 20 }, (_, at) => 3000 + at * at)), 2)
line(
  '1,200 plots of 10 variables',
  () => ({ cultura: 'Soja', ficha: { ...sheet, valores: valores.map((one) => ({ ...one })) } }),
  30,
)
