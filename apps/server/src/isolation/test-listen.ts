import { get, type IncomingMessage } from 'node:http'

/** An open event stream, and what it has told. */
export interface Listening {
  heard(): string
  /** The server has ended it. */
  ended(): boolean
  stop(): void
}

/** On a connection of its own, which ends with it. */
export async function listen(
  url: string,
  token: string,
  headers: Record<string, string> = {},
  query = '',
): Promise<Listening> {
  const answer = await new Promise<IncomingMessage>((done, fail) => {
    const asked = get(
      `${url}/api/events${query}`,
      { agent: false, headers: { authorization: `Bearer ${token}`, ...headers } },
      done,
    )
    asked.on('error', fail)
  })
  if (answer.statusCode !== 200) throw new Error(`a stream answered ${answer.statusCode}`)
  let heard = ''
  let ended = false
  answer.on('data', (chunk) => {
    heard += chunk
  })
  answer.on('error', () => undefined)
  answer.on('close', () => {
    ended = true
  })
  return { heard: () => heard, ended: () => ended, stop: () => answer.destroy() }
}
