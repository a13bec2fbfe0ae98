// What the bootstrap scripts share. They run on Node 20, before anything is installed.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Who started us, as far as npm did: it passes signals on to a shell, which dies of them and tells nobody. */
const starter = process.env.npm_lifecycle_event === undefined ? null : process.ppid
const ORPHAN_MS = 500

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const windows = process.platform === 'win32'

/** The pinned Node, once installed. */
export const node = join(root, 'node_modules', '.bin', windows ? 'node.cmd' : 'node')

/** Hash of files and folders (their source files), by name and content. */
export function hashOf(paths) {
  const hash = createHash('sha256')
  const add = (path) => {
    const full = join(root, path)
    if (!existsSync(full)) return
    if (statSync(full).isDirectory()) {
      for (const name of readdirSync(full).sort()) {
        if (name !== 'node_modules' && name !== 'dist' && !name.startsWith('.')) add(join(path, name))
      }
    } else hash.update(`${path}\0`).update(readFileSync(full)).update('\0')
  }
  for (const path of paths) add(path)
  return hash.digest('hex')
}

/** Does the work unless the stamp says that it was done for these very sources. */
export function unlessDone(stampFile, hash, work) {
  const stamp = join(root, stampFile)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return
  work()
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, hash)
}

/** Runs a program to its end with its output shown; ends this one if it fails. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, stdio: 'inherit', shell: windows, ...options })
  if (result.error) fail(`${command}: ${result.error.message}`)
  if (result.status !== 0) process.exit(result.status ?? 1)
}

export function fail(message) {
  console.error(message)
  process.exit(1)
}

/** Not `npm ci`: the lock file cannot name what the registry lacks for other platforms. */
export function install() {
  if (Number(process.versions.node.split('.')[0]) < 20) fail('O Ensaio precisa de Node 20 ou mais novo.')
  const manifests = ['package-lock.json', 'package.json']
  unlessDone('node_modules/.ensaio-install', hashOf(manifests), () => {
    console.log('Instalando o que falta…')
    run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'])
  })
  if (!existsSync(node))
    fail('A instalação não trouxe o Node do projeto; apague node_modules e tente de novo.')
}

export function buildWeb() {
  const sources = [
    'apps/web',
    'packages/domain/src',
    'packages/statistics/src',
    'docs/guia.md',
    'docs/guia',
    'package-lock.json',
    'scripts/compress.mjs',
  ]
  unlessDone('apps/web/dist/.sources', hashOf(sources), () => {
    console.log('Construindo a interface…')
    run(node, [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'], {
      cwd: join(root, 'apps/web'),
    })
    run(node, ['scripts/compress.mjs', 'apps/web/dist'])
  })
}

/**
 * Runs a long-lived program. Ctrl-C reaches it by the terminal, other signals by us; if we are killed, the
 * closed channel tells it to stop. Ends this process as the program ended.
 */
export function serve(args, options = {}) {
  const child = spawn(node, args, { cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'], ...options })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  if (starter !== null) {
    const watch = setInterval(() => {
      if (process.ppid === starter) return
      clearInterval(watch)
      child.kill('SIGTERM')
    }, ORPHAN_MS)
    watch.unref()
  }
  child.on('error', (error) => fail(error.message))
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
  return child
}
