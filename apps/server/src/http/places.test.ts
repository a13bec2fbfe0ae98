import { expect, test } from 'vitest'
import { places } from './places.ts'

const limits = { atOnce: 3, perPerson: 2, inLine: 5, patienceMs: 50 }

test('a person takes so many places, and another still finds one', async () => {
  const { enter } = places({ ...limits, patienceMs: 5_000 })
  const leave = await enter('ana')
  await enter('ana')
  let third = false
  const waiting = enter('ana').then(() => {
    third = true
  })
  await enter('bia')
  expect(third).toBe(false)
  leave()
  leave()
  await waiting
  expect(third).toBe(true)
})

test('who waits for a place of their own holds up nobody behind them', async () => {
  const { enter } = places({ ...limits, atOnce: 2, patienceMs: 5_000 })
  await enter('ana')
  const leave = await enter('bia')
  const order: string[] = []
  await Promise.race([
    Promise.all([
      enter('ana').then(() => order.push('ana')),
      enter('ana').then(() => order.push('ana again')),
      enter('caio').then(() => order.push('caio')),
    ]),
    (async () => {
      leave()
      await new Promise((done) => setTimeout(done, 20))
    })(),
  ])
  expect(order).toEqual(['ana'])
})

test('who waits too long is told when to come back', async () => {
  const { enter } = places(limits)
  await enter('ana')
  await enter('ana')
  await expect(enter('ana')).rejects.toMatchObject({ code: 'server.busy', extras: { retryAfter: 0.05 } })
  await enter('bia')
})

test('a person does not fill the line', async () => {
  const { enter } = places({ ...limits, patienceMs: 5_000 })
  await enter('ana')
  await enter('ana')
  const waiting = Array.from({ length: 4 }, () => enter('ana'))
  expect(() => enter('ana')).toThrow('Muitos pedidos')
  const leave = await enter('bia')
  const next = enter('bia')
  leave()
  await next
  expect(waiting).toHaveLength(4)
})
