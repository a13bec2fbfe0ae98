// Derives src/data/municipalities.json: municipality names by state, from @brazilian-utils/brazilian-utils (MIT).
import { writeFileSync } from 'node:fs'
import { getCities, getStates } from '@brazilian-utils/brazilian-utils'

const byState: Record<string, string> = {}
for (const state of getStates()) byState[state.code] = getCities(state.code).join('|')
writeFileSync(
  new URL('../src/data/municipalities.json', import.meta.url),
  `${JSON.stringify(byState, null, 1)}\n`,
)
