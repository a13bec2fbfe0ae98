// Known faults of the packages that the product runs with, as far as the registry tells: node advisories.mjs
import { spawnSync } from 'node:child_process'
import { root } from './lib.mjs'

const GRAVE = ['high', 'critical']
const args = ['audit', '--json', '--omit=dev', '--fetch-retries=0', '--fetch-timeout=15000']
const { stdout } = spawnSync('npm', args, {
  cwd: root,
  encoding: 'utf8',
  shell: process.platform === 'win32',
  timeout: 60_000,
})
const answer = parse(stdout)
if (!answer?.vulnerabilities) {
  // Not everybody who runs the tests has a registry that answers such questions.
  console.log('advisories: the registry does not tell')
  process.exit(0)
}
const grave = Object.values(answer.vulnerabilities).filter(({ severity }) => GRAVE.includes(severity))
for (const { name, severity, via } of grave)
  console.error(`${name}: ${severity}, ${via.map((each) => each.url ?? each).join(', ')}`)
if (grave.length > 0) process.exit(1)
console.log('advisories: none that is grave')

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
