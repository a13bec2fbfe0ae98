// The end of the pipe in a sandboxed process.
import { Socket } from 'node:net'
import { type LineChannel, lineChannel } from './line-channel.ts'

const UNBOUNDED = { line: Number.POSITIVE_INFINITY, all: Number.POSITIVE_INFINITY }

/** The pipe to the process that started this one; with its end ends this one: an orphan must not live on. */
export const toParent = (message: (message: unknown) => void): LineChannel =>
  lineChannel(
    new Socket({ fd: 3, readable: true, writable: true }),
    { message, broken: () => process.exit(1), end: () => process.exit(0) },
    UNBOUNDED,
  )
