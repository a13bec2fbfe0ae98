import { type ChildProcess, execFile } from 'node:child_process'
import { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import {
  type Problem,
  problem,
  TEXT_ENCODINGS,
  TEXT_SEPARATORS,
  type TextEncoding,
  type TextSeparator,
  WORKBOOK_FORMATS,
  type WorkbookCell,
  type WorkbookHead,
} from '@ensaio/domain'
import { z } from 'zod'
import { places } from '../places.ts'
import { lineChannel } from './line-channel.ts'
import { chooseSandbox, type Sandbox, sandboxPipe, WASM_MB } from './sandbox.ts'
import type { WorkbookRefusal } from './workbook-file.ts'

const ENTRY = fileURLToPath(new URL('./workbook-child.ts', import.meta.url))
const LONGEST_MS = 30_000
const MEMORY_MB = 512
const IDLE_MS = 5 * 60_000
/** Rows of a batch at their longest, and everything that a file may hold. */
const BOUNDS = { line: 64 * 2 ** 20, all: 256 * 2 ** 20 }

interface FileOptions {
  texto: boolean
  codificacao?: TextEncoding | null | undefined
  separador?: TextSeparator | null | undefined
  colunas?: number | undefined
}
export interface ProblemsAsked extends FileOptions {
  /** The row of titles of each sheet that takes part, from 1. */
  titulos: { folha: number; linha: number }[]
  /** Rows from 1, columns from 0. */
  problemas: { folha: number; linha: number; colunas: number[]; texto: string }[]
}
export type ToWorkbook =
  | { type: 'more' }
  | ({ type: 'read'; base64: string } & FileOptions)
  | ({ type: 'problems'; base64: string } & ProblemsAsked)

const count = z
  .number()
  .int()
  .min(0)
  .max(2 ** 31)
const CELL: z.ZodType<WorkbookCell> = z.union([
  z.null(),
  z.string().max(32_767),
  z.number(),
  z.boolean(),
  z.object({ data: z.string().max(40), texto: z.string().max(40), serial: z.number() }),
  z.object({ erro: z.string().max(40) }),
  z.object({ formula: z.literal(true) }),
])
const Head = z.object({
  formato: z.enum(WORKBOOK_FORMATS),
  codificacao: z.enum(TEXT_ENCODINGS).nullable(),
  separador: z.enum(TEXT_SEPARATORS).nullable(),
  folhas: z
    .array(
      z.object({
        nome: z.string().max(300),
        oculta: z.boolean(),
        linhas: count,
        colunas: count,
        mescladas: z
          .array(z.object({ linha: count, coluna: count, linhas: count, colunas: count }))
          .max(20_000),
        linhas_ocultas: z.array(count).max(60_000),
        colunas_ocultas: z.array(count).max(401),
      }),
    )
    .max(500),
  avisos: z.array(z.string().max(200)).max(10),
})
/** A file may have taken the process over: nothing of this is believed before it is looked at. */
const FromChild = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({
    type: z.literal('rows'),
    folha: count.max(500),
    first: count,
    rows: z.array(z.array(CELL).max(401)).max(500),
  }),
  z.object({ type: z.literal('head'), head: Head }),
  z.object({ type: z.literal('file'), base64: z.string() }),
  z.object({
    type: z.literal('refused'),
    why: z.enum(['invalid', 'too_large', 'empty', 'encrypted', 'old_format', 'pdf', 'unclosed_quote']),
    line: z.number().nullable(),
  }),
])
export type FromWorkbook = z.output<typeof FromChild>

/** What a refusal is called on the wire. */
function refused(why: WorkbookRefusal, line: number | null): Problem {
  if (why === 'pdf')
    return problem('import.invalid', { detail: 'Isto é um relatório em PDF. Use a Extração Automática.' })
  if (why === 'unclosed_quote')
    return problem('import.invalid', {
      detail: `As aspas abertas na linha ${(line ?? 1).toLocaleString('pt-BR')} não foram fechadas.`,
    })
  return problem(`import.${why}`)
}

/** Spreadsheets are read in processes of their own, in the sandbox and under limits; a death is an answer. */
export function createWorkbooks(sandbox: Promise<Sandbox> = chooseSandbox()) {
  const line = places({ atOnce: 2, perPerson: 1, inLine: 100, patienceMs: 60_000 })
  const alive = new Set<ChildProcess>()
  /** A process that waits for its file, so that the next one need not wait for its start. */
  let ready: { child: ChildProcess; idle: NodeJS.Timeout } | null = null
  let closed = false

  const launch = async (): Promise<ChildProcess> => {
    const { launch, kind } = await sandbox
    const child = launch(ENTRY, { memoryMb: MEMORY_MB, nice: 4 })
    alive.add(child)
    if (child.pid !== undefined && process.platform === 'linux' && kind !== 'jail') {
      const bytes = (MEMORY_MB + WASM_MB) * 1024 * 1024
      execFile('prlimit', ['--pid', String(child.pid), `--data=${bytes}:${bytes}`], () => {})
    }
    return child
  }
  const forget = (child: ChildProcess) => {
    if (ready?.child === child) {
      clearTimeout(ready.idle)
      ready = null
    }
    alive.delete(child)
  }
  const drop = (child: ChildProcess) => {
    forget(child)
    child.removeAllListeners()
    child.on('error', () => {})
    child.kill('SIGKILL')
  }
  const taken = (): ChildProcess | null => {
    if (!ready) return null
    const { child, idle } = ready
    ready = null
    clearTimeout(idle)
    child.removeAllListeners()
    child.ref()
    const pipe = sandboxPipe(child)
    if (pipe instanceof Socket) pipe.ref()
    return child
  }
  /** Holds nobody back: the server ends without it, and it ends with the server. */
  const keepReady = async (): Promise<void> => {
    const child = await launch()
    if (ready || closed) return drop(child)
    child.once('exit', () => forget(child)).once('error', () => forget(child))
    child.unref()
    const pipe = sandboxPipe(child)
    if (pipe instanceof Socket) pipe.unref()
    ready = { child, idle: setTimeout(() => drop(child), IDLE_MS).unref() }
  }

  const expect = (): void => {
    if (!ready && !closed) keepReady().catch(() => undefined)
  }

  const ask = async <T>(
    asked: Exclude<ToWorkbook, { type: 'more' }>,
    {
      rows,
      answer,
    }: {
      rows?: ((folha: number, first: number, rows: WorkbookCell[][]) => Promise<void>) | undefined
      answer(message: FromWorkbook): T | undefined
    },
  ): Promise<T> => {
    const waited = taken()
    const child = waited ?? (await launch())
    let begun = false
    try {
      return await new Promise<T>((done, fail) => {
        // What the server takes to store what came does not count.
        let left = LONGEST_MS
        let since = performance.now()
        let timer = setTimeout(() => fail(refused('too_large', null)), left)
        const pause = () => {
          clearTimeout(timer)
          left -= performance.now() - since
        }
        const goOn = () => {
          since = performance.now()
          timer = setTimeout(() => fail(refused('too_large', null)), Math.max(0, left))
        }
        let ended = false
        const end = (work: () => void) => {
          clearTimeout(timer)
          if (!ended) work()
          ended = true
        }
        let storing = Promise.resolve()
        const channel = lineChannel(
          sandboxPipe(child),
          {
            message(message) {
              const said = FromChild.safeParse(message)
              if (!said.success) return end(() => fail(refused('invalid', null)))
              const { data } = said
              if (data.type === 'ready') {
                begun = true
                return channel.send(asked)
              }
              if (data.type === 'refused') return end(() => fail(refused(data.why, data.line)))
              if (data.type === 'rows' && rows) {
                // One batch is stored while the next is read.
                const before = storing
                storing = before.then(() => rows(data.folha, data.first, data.rows))
                storing.catch((error: unknown) => end(() => fail(error)))
                pause()
                before.then(
                  () => {
                    goOn()
                    channel.send({ type: 'more' })
                  },
                  () => undefined,
                )
                return
              }
              const answered = answer(data)
              end(() =>
                answered === undefined
                  ? fail(refused('invalid', null))
                  : storing.then(() => done(answered), fail),
              )
            },
            broken: () => end(() => fail(refused('too_large', null))),
            // It died of the file: that is what the file is.
            end: () => end(() => fail(refused('too_large', null))),
          },
          BOUNDS,
        )
        child.once('error', (error) => end(() => fail(error)))
      })
    } catch (error) {
      // One that died while it waited never saw the file: the file is no reason.
      if (begun || closed) throw error
      if (!waited) throw new Error('The process that reads spreadsheets did not start.', { cause: error })
    } finally {
      drop(child)
      expect()
    }
    return ask(asked, { rows, answer })
  }

  return {
    /**
     * Reads a spreadsheet, told by its content; rows come in batches, so that the server never holds the file's cells.
     * @throws import.invalid, import.too_large, import.empty, import.encrypted, import.old_format, server.busy
     */
    read: (
      bytes: Buffer,
      {
        who,
        rows,
        ...options
      }: FileOptions & {
        who: string
        /** `first` counts from 0; cells behind the last that is filled are left out. */
        rows(folha: number, first: number, rows: WorkbookCell[][]): Promise<void>
      },
    ): Promise<WorkbookHead> =>
      line.run(
        () =>
          ask(
            { type: 'read', base64: bytes.toString('base64'), ...options },
            { rows, answer: (message) => (message.type === 'head' ? message.head : undefined) },
          ),
        who,
      ),

    /** The same workbook with a column 'Problemas' and its cells in colour, as .xlsx. */
    withProblems: (bytes: Buffer, { who, ...asked }: ProblemsAsked & { who: string }): Promise<Buffer> =>
      line.run(
        () =>
          ask(
            { type: 'problems', base64: bytes.toString('base64'), ...asked },
            {
              answer: (message) =>
                message.type === 'file' ? Buffer.from(message.base64, 'base64') : undefined,
            },
          ),
        who,
      ),

    /** Somebody is about to bring a file. */
    expect,

    close(): void {
      closed = true
      for (const child of alive) child.kill('SIGKILL')
    },
  }
}
export type Workbooks = ReturnType<typeof createWorkbooks>
