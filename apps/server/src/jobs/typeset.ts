import { type ChildProcess, fork } from 'node:child_process'
import { Socket } from 'node:net'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type ConsolidatedMaterial, problem, type TrialReport } from '@ensaio/domain'
import { places } from '../places.ts'

/** A template, which is ours, and what it shows, which is anybody's: data reach it as data, never as its text. */
export interface Typesetting {
  template: string
  data: unknown
  /** A PNG that the template finds at '/logo.png'; it is told of it by its data. */
  logo?: Uint8Array | null
}

/** How an organisation signs what it hands out. */
export interface Brand {
  cor: string | null
  logo: Uint8Array | null
}

/** What a document becomes: a PDF, a picture, or a Word file with pictures of its figures. */
export type Setting =
  | ({ as: 'pdf' | 'svg' | 'png' } & Typesetting)
  | {
      as: 'docx'
      report: TrialReport
      template: string
      figures: readonly unknown[]
      logo: Uint8Array | null
    }
  | { as: 'pptx'; material: ConsolidatedMaterial; template: string; map: unknown; brand: Brand }
  /** A logo, drawn anew; nothing where it is none. */
  | { as: 'logo'; bytes: Uint8Array }

const CHILD = fileURLToPath(new URL('./typeset-child.ts', import.meta.url))
const LONGEST_MS = 30_000
/** Of a heap: a Word file with 2,500 treatments on pages of their trials takes most of it. */
const MEMORY_MB = 448
const line = places({ atOnce: 2, perPerson: 1, inLine: 60, perPersonInLine: 10, patienceMs: 20_000 })

/**
 * A PDF (PDF/UA-1), set in a process of its own. The same template and data give the same bytes.
 * @throws server.busy when too many are asked for, or one takes too long
 */
export const typeset = (work: Typesetting, who: string): Promise<Buffer> => setAs({ as: 'pdf', ...work }, who)

/** The same for every kind of document. @throws server.busy */
export const setAs = (work: Setting, who: string): Promise<Buffer> => line.run(() => set(work), who)

/** A process that waits for its document, so that the next one need not wait for its start; null where none does. */
let ready: { child: ChildProcess; idle: NodeJS.Timeout } | null = null
const IDLE_MS = 5 * 60_000

function start(): ChildProcess {
  const child = fork(CHILD, {
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${MEMORY_MB}`, '--disable-warning=ExperimentalWarning'],
    // It needs nothing of the server's own settings, secrets among them.
    env: { PATH: process.env.PATH ?? '' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  try {
    // Whoever waits for a page comes before whoever waits for a file.
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended already, which its waiter hears of.
  }
  return child
}

function taken(): ChildProcess {
  if (!ready) return start()
  const { child, idle } = ready
  ready = null
  clearTimeout(idle)
  child.removeAllListeners('exit')
  child.ref()
  child.channel?.ref()
  return child
}

/** Holds nobody back: the server ends without it, and it ends with the server. */
function keepReady(): void {
  if (ready) return
  const child = start()
  const idle = setTimeout(() => {
    if (ready?.child === child) ready = null
    child.kill('SIGKILL')
  }, IDLE_MS).unref()
  child.once('exit', () => {
    clearTimeout(idle)
    if (ready?.child === child) ready = null
  })
  child.once('error', () => undefined)
  child.unref()
  child.channel?.unref()
  if (child.stderr instanceof Socket) child.stderr.unref()
  ready = { child, idle }
}

function set(work: Setting): Promise<Buffer> {
  const child = taken()
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-2000)
  })
  return new Promise<Buffer>((done, fail) => {
    const tooLong = setTimeout(() => fail(problem('server.busy')), LONGEST_MS)
    child.once('message', (pdf) => {
      clearTimeout(tooLong)
      done(Buffer.from(pdf as Uint8Array))
    })
    child.once('error', fail)
    child.once('exit', () => {
      clearTimeout(tooLong)
      fail(new Error(`typesetting ended without a document: ${said}`))
    })
    child.send(work)
  }).finally(() => {
    child.kill('SIGKILL')
    keepReady()
  })
}
