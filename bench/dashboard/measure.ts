/** Starts the built product on a data folder and times what a visitor waits for. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'

export interface Server {
  url: string
  /** Resident memory of the server and of all the database's processes, in MB. */
  memory(): { server: number; database: number }
  stop(): Promise<void>
}

export async function startServer(dataDir: string, port: number): Promise<Server> {
  const main = fileURLToPath(new URL('../../apps/server/src/main.ts', import.meta.url))
  const child = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      PORT: String(port),
      LIMITS: 'off',
      TILE_URL: 'off',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const chunk of child.stdout) if (String(chunk).includes('Ensaio pronto')) break
  return {
    url: `http://localhost:${port}`,
    memory: () => ({
      server: residentMb(child.pid ?? 0),
      database: descendants(child.pid ?? 0)
        .filter((pid) => nameOf(pid) === 'postgres')
        .reduce((sum, pid) => sum + privateMb(pid), 0),
    }),
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
const kilobytes = (text: string, key: string) =>
  Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0)
const residentMb = (pid: number) => kilobytes(read(`/proc/${pid}/status`), 'VmRSS') / 1024
/** Shared buffers count once, by each process's part. */
export const privateMb = (pid: number) => kilobytes(read(`/proc/${pid}/smaps_rollup`), 'Pss') / 1024
const nameOf = (pid: number) => read(`/proc/${pid}/comm`).trim()

function descendants(pid: number): number[] {
  const children = read(`/proc/${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number)
  return children.flatMap((child) => [child, ...descendants(child)])
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** Median milliseconds of `runs` calls after one that is not counted. */
export async function time(work: () => Promise<unknown>, runs: number): Promise<number> {
  await work()
  const taken: number[] = []
  for (let run = 0; run < runs; run++) {
    const started = performance.now()
    await work()
    taken.push(performance.now() - started)
  }
  return median(taken)
}

/** Times of two kinds of work, in milliseconds, each first in turn; one round before that nobody counts. */
export async function inTurn(
  sides: readonly [() => Promise<unknown>, () => Promise<unknown>],
  runs: number,
): Promise<[number[], number[]]> {
  const taken: [number[], number[]] = [[], []]
  for (let run = 0; run <= runs; run += 1)
    for (const side of run % 2 ? ([0, 1] as const) : ([1, 0] as const)) {
      const started = performance.now()
      await sides[side]()
      if (run > 0) taken[side].push(performance.now() - started)
    }
  return taken
}

/** '19.1 (16.0)': the median and the minimum. */
export const cell = (times: readonly number[]): string =>
  `${median(times).toFixed(1)} (${Math.min(...times).toFixed(1)})`

/** A new person's session, as `auth/v1` answers it. */
export async function signUp(url: string): Promise<{ access_token: string; user: { id: string } }> {
  const answer = await fetch(`${url}/auth/v1/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      email: `bench${Date.now()}@exemplo.com.br`,
      password: 'correta-cavalo-bateria',
      data: { name: 'Bench' },
    }),
  })
  return (await answer.json()) as { access_token: string; user: { id: string } }
}

/** Asks a server in JSON by a person's token. @throws for whatever is refused */
export const asking =
  (url: string, token: string) => async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }

const agent = new Agent({ keepAlive: true })

/** Sends JSON by the plainest client there is: `fetch` takes a good part of a short call for itself. */
export async function postJson(url: string, headers: Record<string, string>, body: unknown): Promise<void> {
  const text = JSON.stringify(body)
  const sent = request(url, {
    agent,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
  })
  sent.end(text)
  const [answer] = await once(sent, 'response')
  const told = await answer.toArray()
  if (answer.statusCode !== 201) throw new Error(`${answer.statusCode} ${Buffer.concat(told)}`)
}
