import { expect, test } from 'vitest'
import { toProblem } from './problem-reply.ts'

/** As the driver throws it. */
const databaseError = (code: string) => Object.assign(new Error('refused'), { severity: 'ERROR', code })

test.each([
  ['23505', 'request.conflict'],
  ['23503', 'request.conflict'],
  ['23502', 'request.invalid'],
  ['23514', 'request.invalid'],
  ['22021', 'request.invalid'],
  ['40P01', 'server.busy'],
  ['40001', 'server.busy'],
  ['55P03', 'server.busy'],
  ['54000', 'request.invalid'],
  ['42601', 'server.fault'],
])('SQLSTATE %s is answered as %s', (sqlState, code) => {
  expect(toProblem(databaseError(sqlState)).code).toBe(code)
})
