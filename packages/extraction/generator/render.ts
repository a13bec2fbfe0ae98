import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A headless Chromium that prints HTML to PDF. */
export interface Printer {
  print(html: string, options?: { landscape?: boolean }): Promise<Buffer>
  close(): void
}

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--remote-debugging-port=0',
]

/** Starts the browser at `path`; one page is reused for all documents. */
export async function startPrinter(path = process.env.CHROMIUM ?? '/usr/bin/chromium'): Promise<Printer> {
  const profile = mkdtempSync(join(tmpdir(), 'ensaio-printer-'))
  const child = spawn(path, [...FLAGS, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const endpoint = await devtoolsAddress(child)
  const targets: unknown = await (await fetch(`http://${new URL(endpoint).host}/json`)).json()
  const page = Array.isArray(targets) ? targets.find((t: { type?: string }) => t.type === 'page') : undefined
  const socket = new WebSocket(page.webSocketDebuggerUrl)
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))
  let last = 0
  const call = (method: string, params: object): Promise<Record<string, string>> =>
    new Promise((resolve, reject) => {
      const id = ++last
      const listen = (event: MessageEvent): void => {
        const message = JSON.parse(String(event.data))
        if (message.id !== id) return
        socket.removeEventListener('message', listen)
        if (message.error) reject(new Error(message.error.message))
        else resolve(message.result)
      }
      socket.addEventListener('message', listen)
      socket.send(JSON.stringify({ id, method, params }))
    })
  const tree = await call('Page.getFrameTree', {})
  // The protocol's answers are not typed here.
  const frameId = (tree.frameTree as unknown as { frame: { id: string } }).frame.id
  return {
    async print(html, { landscape = false } = {}) {
      await call('Page.setDocumentContent', { frameId, html })
      const { data } = await call('Page.printToPDF', {
        landscape,
        printBackground: true,
        preferCSSPageSize: true,
        paperWidth: 8.27,
        paperHeight: 11.69,
      })
      return Buffer.from(data ?? '', 'base64')
    },
    close() {
      socket.close()
      child.once('exit', () => rmSync(profile, { recursive: true, force: true }))
      child.kill()
    },
  }
}

function devtoolsAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const match = /ws:\/\/\S+/.exec(said)
      if (match) resolve(match[0])
    })
    child.once('exit', () => reject(new Error(`the browser ended: ${said.slice(-300)}`)))
  })
}
