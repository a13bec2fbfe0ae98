// Stands for a reading process that a document has taken over: it answers every document with what the document says.
import { spawn, spawnSync } from 'node:child_process'
import { closeSync, writeSync } from 'node:fs'
import { toParent } from './own-channel.ts'

const channel = toParent((message) => {
  const { base64 } = message as { base64: string }
  const mode = Buffer.from(base64, 'base64').toString()
  const says: Record<string, () => void> = {
    'no JSON': () => writeSync(3, 'x\n'),
    null: () => channel.send(null),
    "an order of Node's own channel": () => channel.send({ cmd: 'NODE_HANDLE_ACK' }),
    'fields that are a number': () => channel.send({ type: 'fields', fields: 5 }),
    'a result that is none': () => channel.send({ type: 'result', result: { data: 5 } }),
    'a kind that there is not': () => channel.send({ type: 'toString' }),
    'a line without an end': () => flood('x'.repeat(65_536)),
    'messages without an end': () =>
      flood(`${JSON.stringify({ type: 'progress', progress: { stage: 'read' } })}\n`.repeat(100)),
    // Only where Node's permissions are lifted.
    'a program that it started': () => {
      const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
        detached: true,
        stdio: 'inherit',
      })
      other.once('spawn', () => channel.send({ type: 'ready' }))
    },
    'as many programs as there may be': () => {
      let started = 0
      for (let n = 0; n < 100; n += 1) {
        const { error } = spawnSync(process.execPath, ['--version'], { timeout: 5_000, stdio: 'inherit' })
        if (!error) started += 1
        spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' }).once(
          'error',
          () => {},
        )
      }
      channel.send({ started })
    },
    'nothing more, and closes the pipe': () => closeSync(3),
  }
  says[mode]?.()
})

function flood(text: string): void {
  for (;;) {
    try {
      writeSync(3, text)
    } catch (error) {
      // The pipe is full for the moment.
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return
    }
  }
}

channel.send({ type: 'ready' })
