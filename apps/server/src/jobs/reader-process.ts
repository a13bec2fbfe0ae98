import { type ChildProcess, execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { ExtractionResult, FoundField } from '@ensaio/domain'
import { EXTRACTION_ERROR_CODES, type ExtractionErrorCode, type ExtractOptions } from '@ensaio/extraction'
import { z } from 'zod'
import { lineChannel } from './line-channel.ts'
import { type Sandbox, sandboxPipe, WASM_MB } from './sandbox.ts'
import { Template } from './template.ts'

export type Progress = Parameters<NonNullable<ExtractOptions['onProgress']>>[0]

/** What goes to the process. */
export type ToReader = { base64: string; digitalOnly: boolean } & Asked

/** What is asked of a reading besides the fields. */
export type Asked = Pick<ExtractOptions, 'lines' | 'tables' | 'template' | 'learn'>

/** What a document says, with the lines of its text if they were asked for. */
const Reading = ExtractionResult.extend({
  lines: z
    .array(
      z.object({
        page: z.number(),
        bbox: z.tuple([z.number(), z.number(), z.number(), z.number()]),
        text: z.string(),
      }),
    )
    .optional(),
  learnt: Template.optional(),
})
export type Reading = z.output<typeof Reading>

/**
 * What comes from it. A document may have taken the process over: nothing of this is believed before it is looked
 * at, and what is said about the document is all that it can lie about.
 */
const FromReader = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({
    type: z.literal('progress'),
    progress: z.object({
      stage: z.enum(['read', 'ocr', 'layout', 'tables', 'fields']),
      page: z.number().optional(),
      pages: z.number().optional(),
    }),
  }),
  z.object({ type: z.literal('fields'), fields: z.array(FoundField) }),
  z.object({ type: z.literal('result'), result: Reading }),
  z.object({
    type: z.literal('error'),
    code: z.enum(EXTRACTION_ERROR_CODES),
    detail: z.string().max(1_000),
  }),
])
export type FromReader =
  | { type: 'ready' }
  | { type: 'progress'; progress: Progress }
  | { type: 'fields'; fields: FoundField[] }
  | { type: 'result'; result: Reading }
  | { type: 'error'; code: ExtractionErrorCode; detail: string }

/** The lines of 300 dense pages take some 6 MB. */
const BOUNDS = { line: 8 * 2 ** 20, all: 24 * 2 ** 20 }
const MOST_MESSAGES = 5_000

export interface ReaderProcess {
  read(bytes: Uint8Array, options: Asked & { digitalOnly: boolean }): void
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
  /** It ended by itself, never began, or says what no reader says: kill it. */
  onGone(reason: 'ended' | 'failed'): void
}): ReaderProcess {
  const { sandbox, memoryMb, nice, onMessage, onGone } = input
  const child = launched()
  if (!child) {
    setImmediate(() => onGone('failed'))
    return { read() {}, residentMb: () => null, kill() {} }
  }
  let heard = 0
  const channel = lineChannel(
    sandboxPipe(child),
    {
      message(message) {
        const said = FromReader.safeParse(message)
        heard += 1
        if (said.success && heard <= MOST_MESSAGES) onMessage(said.data as FromReader)
        else onGone('failed')
      },
      broken: () => onGone('failed'),
      end: () => onGone('ended'),
    },
    BOUNDS,
  )
  child.once('exit', () => onGone('ended'))
  child.once('error', () => onGone('failed'))
  if (child.pid !== undefined && sandbox.kind !== 'jail') {
    limitMemory(child.pid, memoryMb)
    stepBack(child.pid, nice)
  }
  return {
    read(bytes, options) {
      heard = 0
      channel.renew()
      channel.send({ base64: Buffer.from(bytes).toString('base64'), ...options } satisfies ToReader)
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

/** Of the process and everything below it: what holds a jail is small, and what a reader starts counts as its own. */
function residentMb({ pid }: ChildProcess): number | null {
  if (!LINUX || pid === undefined) return null
  try {
    return family(String(pid)).reduce((sum, each) => sum + residentOf(each), 0)
  } catch {
    // One of them ended meanwhile; the next look tells.
    return null
  }
}

function family(pid: string): string[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  return [pid, ...children.flatMap(family)]
}

function residentOf(pid: string): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return kilobytes ? Number(kilobytes) / 1024 : 0
}
