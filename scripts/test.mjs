// npm test: everything that must hold, and one line at the end. `--no-browser` leaves the end-to-end tests out.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { buildWeb, install, node, root } from './lib.mjs'

const withBrowser = !process.argv.includes('--no-browser')
const totals = { passed: 0, failed: 0, skipped: 0 }
const began = Date.now()
/** Of each test that ran: its name and how long it took, in ms. */
const timed = []
/** The names of what failed, said again beside the totals: a report that is cut keeps its end. */
const failures = []
const SLOWEST = 10
const scratch = mkdtempSync(join(tmpdir(), 'ensaio-results-'))

install()

const bin = (name) => join(root, 'node_modules', name)
const tsc = bin('typescript/bin/tsc')
const workspaces = [
  'packages/domain',
  'packages/statistics',
  'packages/extraction',
  'apps/server',
  'apps/web',
  'e2e',
  'bench',
]
for (const folder of workspaces) {
  if (existsSync(join(root, folder, 'tsconfig.json'))) check(`types of ${folder}`, [tsc, '-p', folder])
}
check('format and lint', [bin('@biomejs/biome/bin/biome'), 'check', '.'])
check('boundaries', ['scripts/boundaries.mjs'])
check('dead code', [bin('knip/bin/knip.js'), '--no-progress'])
check('licences', ['scripts/licences.mjs'])
check('advisories', ['scripts/advisories.mjs'], { tell: true })
vitest()
if (withBrowser) endToEnd()

rmSync(scratch, { recursive: true, force: true })
console.log(`the slowest of ${Math.round((Date.now() - began) / 60_000)} minutes:`)
for (const { name, ms } of timed.sort((a, b) => b.ms - a.ms).slice(0, SLOWEST))
  console.log(`${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`)
for (const name of failures) console.log(`failed: ${name}`)
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`)
process.exit(totals.failed > 0 ? 1 : 0)

/** A static check counts as one test; `tell` shows what it said although it passed. */
function check(name, args, { tell = false } = {}) {
  const { status, stdout, stderr } = spawnSync(node, args, { cwd: root, encoding: 'utf8' })
  const passed = status === 0
  console.log(`${passed ? '✓' : '✗'} ${name}${passed && tell ? ` (${stdout.trim()})` : ''}`)
  if (!passed) {
    console.log(stdout, stderr)
    failures.push(name)
  }
  totals[passed ? 'passed' : 'failed'] += 1
}

function vitest() {
  const file = join(scratch, 'vitest.json')
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const { status } = spawnSync(node, [bin('vitest/vitest.mjs'), ...args], { cwd: root, stdio: 'inherit' })
  if (!existsSync(file)) return count({ failed: 1 })
  const results = JSON.parse(readFileSync(file, 'utf8'))
  for (const { name: path, status, message, assertionResults } of results.testResults) {
    const file = relative(root, path)
    if (status === 'failed' && assertionResults.length === 0) failures.push(`${file} (${firstLine(message)})`)
    for (const { title, duration, status, failureMessages } of assertionResults) {
      timed.push({ name: `${file} › ${title}`, ms: duration ?? 0 })
      if (status === 'failed') failures.push(`${file} › ${title} (${firstLine(failureMessages[0])})`)
    }
  }
  const unreadable = results.testResults.filter(
    (suite) => suite.status === 'failed' && suite.assertionResults.length === 0,
  ).length
  const failed = results.numFailedTests + unreadable
  count({
    passed: results.numPassedTests,
    failed: failed === 0 && status !== 0 ? 1 : failed,
    skipped: results.numPendingTests + results.numTodoTests,
  })
}

function endToEnd() {
  if (!existsSync(join(root, 'e2e/playwright.config.ts'))) return
  buildWeb()
  const file = join(scratch, 'playwright.json')
  const { status } = spawnSync(
    node,
    [bin('@playwright/test/cli.js'), 'test', '-c', 'e2e/playwright.config.ts', '--reporter=list,json'],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: file, CHROMIUM: chromium() ?? '' },
    },
  )
  if (!existsSync(file)) return count({ failed: 1 })
  const { stats, errors, suites } = JSON.parse(readFileSync(file, 'utf8'))
  const walk = ({ file, specs = [], suites = [] }) => {
    for (const { title, tests, ok } of specs) {
      if (!ok || tests.some(({ status }) => status === 'flaky')) failures.push(`e2e/${file} › ${title}`)
      const ms = tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0)
      timed.push({ name: `e2e/${file} › ${title}`, ms })
    }
    suites.forEach(walk)
  }
  suites.forEach(walk)
  // What passed only at the second try did not pass.
  const failed = stats.unexpected + stats.flaky + errors.length
  count({
    passed: stats.expected,
    failed: failed === 0 && status !== 0 ? 1 : failed,
    skipped: stats.skipped,
  })
}

function firstLine(message = '') {
  return message.split('\n', 1)[0].slice(0, 300)
}

function count({ passed = 0, failed = 0, skipped = 0 }) {
  totals.passed += passed
  totals.failed += failed
  totals.skipped += skipped
}

/** The path of an installed Chromium; null means Playwright's own. The last resort is the system's packages. */
function chromium() {
  const installed = installedChromium()
  if (installed) return installed
  console.log('Procurando um navegador para os testes…')
  const own = spawnSync(node, [bin('@playwright/test/cli.js'), 'install', 'chromium', '--only-shell'], {
    cwd: root,
    stdio: 'inherit',
    timeout: 300_000,
  })
  if (own.status === 0) return null
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  for (const args of [
    ['apt-get', 'update', '-qq'],
    ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'chromium'],
  ]) {
    const [command, ...rest] = [...sudo, ...args]
    spawnSync(command, rest, { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
  }
  return installedChromium()
}

function installedChromium() {
  const named = process.env.CHROMIUM
  if (named && existsSync(named)) return named
  const folders = (process.env.PATH ?? '').split(':')
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path))
}
