import { expect } from 'vitest'
import { experimentInput, form, PASSWORD, pdf } from '../test-server.ts'

export interface Reply {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test reads answers of every shape
  body: any
}

export interface Kept {
  id: string
  text: string
}

/** Somebody with a session on a server in another process. */
export interface Client {
  headers: { authorization: string }
  ask(path: string, init?: RequestInit): Promise<Reply>
  /** A create with a document. */
  create(text: string): Promise<Reply>
  /** Fails unless the experiment and the very document are there. */
  expectKept(kept: Kept): Promise<void>
}

export async function ask(url: string, path: string, init: RequestInit = {}): Promise<Reply> {
  const answer = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(60_000), ...init })
  const text = await answer.text()
  const json = answer.headers.get('content-type')?.includes('json')
  return { status: answer.status, headers: answer.headers, body: json ? JSON.parse(text) : text }
}

let people = 0

export async function newClient(url: string): Promise<Client> {
  people += 1
  const { status, body } = await ask(url, '/auth/v1/signup', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `falha${people}@exemplo.com.br`, password: PASSWORD }),
  })
  expect(status).toBe(200)
  const headers = { authorization: `Bearer ${body.access_token}` }
  const mine = (path: string, init: RequestInit = {}) =>
    ask(url, path, { ...init, headers: { ...headers, ...init.headers } })
  return {
    headers,
    ask: mine,
    create: (text) =>
      mine('/api/experiments', {
        method: 'POST',
        body: form({ dados: JSON.stringify(experimentInput({ cultivar: text })), pdf: pdf(text) }),
      }),
    async expectKept({ id, text }) {
      const found = await mine(`/api/experiments/${id}`)
      expect(found.status, text).toBe(200)
      expect(found.body.experimento.cultivar).toBe(text)
      const list = await mine(`/api/uploads/documents?experimentId=${id}`)
      const file = await mine(`/api/uploads/documents/${list.body.documents[0].id}`)
      expect(file.body).toBe(await pdf(text).text())
    },
  }
}

/** A figure for docs/reliability.md, printed where the test runs. */
export const report = (what: string, figures: Record<string, number | string>): void =>
  console.log(
    `[${what}] ${Object.entries(figures)
      .map(([name, value]) => `${name}: ${value}`)
      .join(', ')}`,
  )

/** The size of a test: small in every run, larger by scripts/reliability.mjs. */
export const sizeOf = (name: string, small: number): number => Number(process.env[name] ?? small)
