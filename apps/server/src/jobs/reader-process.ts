import { type ChildProcess, execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { ExtractionErrorCode, ExtractionResult, ExtractOptions, FoundField } from '@ensaio/extraction'
import { type Sandbox, WASM_MB } from './sandbox.ts'

export type Progress = Parameters<NonNullable<ExtractOptions['onProgress']>>[0]

/** What goes to the process and comes from it, as JSON. */
export type ToReader =
  | { type: 'extract'; base64: string; lines: boolean; digitalOnly: boolean }
  | { type: 'cancel' }
export type FromReader =
  | { type: 'ready' }
  | { type: 'progress'; progress: Progress }
  | { type: 'fields'; fields: FoundField[] }
  | { type: 'result'; result: ExtractionResult }
  | { type: 'error'; code: ExtractionErrorCode; detail: string }

export interface ReaderProcess {
  read(bytes: Uint8Array, options: { lines: boolean; digitalOnly: boolean }): void
  /** Resident memory in MB; null where it cannot be told. */
  residentMb(): number | null
  /** At once, and nothing of it is heard any more. */
  kill(): void
}

const ENTRY = fileURLToPath(new URL('./extraction-child.ts', import.meta.url))
const LINUX = existsSync('/proc/self/status')

/** Starts a process that reads documents, in the sandbox and under a limit of memory. */
export function startReader(input: {
  sandbox: Sandbox
  memoryMb: number
  nice: number
  onMessage(message: FromReader): void
  /** It ended by itself, or never began. */
  onGone(reason: 'ended' | 'failed'): void
}): ReaderProcess {
  const { sandbox, memoryMb, nice, onMessage, onGone } = input
  const child = launched()
  if (!child) {
    setImmediate(() => onGone('failed'))
    return { read() {}, residentMb: () => null, kill() {} }
  }
  child.on('message', onMessage)
  child.once('exit', () => onGone('ended'))
  child.once('error', () => onGone('failed'))
  if (child.pid !== undefined && sandbox.kind !== 'jail') {
    limitMemory(child.pid, memoryMb)
    stepBack(child.pid, nice)
  }
  return {
    read(bytes, options) {
      const message: ToReader = { type: 'extract', base64: Buffer.from(bytes).toString('base64'), ...options }
      child.send(message, (error) => {
        if (error) onGone('failed')
      })
    },
    residentMb: () => residentMb(child),
    kill() {
      child.removeAllListeners()
      child.on('error', () => {})
      child.kill('SIGKILL')
    },
  }

  /** Null where the system starts no more processes. */
  function launched(): ChildProcess | null {
    try {
      return sandbox.launch(ENTRY, { memoryMb, nice })
    } catch {
      return null
    }
  }
}

function stepBack(pid: number, nice: number): void {
  try {
    setPriority(pid, nice)
  } catch {
    // It is gone already, which is told elsewhere.
  }
}

/** A hard limit on data memory where the system has prlimit; the watchdog covers the rest. */
function limitMemory(pid: number, memoryMb: number): void {
  if (process.platform !== 'linux') return
  const bytes = (memoryMb + WASM_MB) * 1024 * 1024
  execFile('prlimit', ['--pid', String(pid), `--data=${bytes}:${bytes}`], () => {})
}

/** Of the process and its only child: what holds a jail is small, and the reader is in it. */
function residentMb({ pid }: ChildProcess): number | null {
  if (!LINUX || pid === undefined) return null
  try {
    const inner = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
    const all = [String(pid), ...inner].filter(Boolean)
    return all.reduce((sum, each) => sum + residentOf(each), 0)
  } catch {
    return null
  }
}

function residentOf(pid: string): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return kilobytes ? Number(kilobytes) / 1024 : 0
}
