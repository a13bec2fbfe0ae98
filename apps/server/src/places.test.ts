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
  await expect(enter('ana')).rejects.toThrow('Muitos pedidos')
  const leave = await enter('bia')
  const next = enter('bia')
  leave()
  await next
  expect(waiting).toHaveLength(4)
})

test('so many run at once, so many wait, and the rest is refused', async () => {
  const { run } = places({ atOnce: 2, inLine: 3 })
  let running = 0
  let most = 0
  const work = () =>
    run(async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise((done) => setTimeout(done, 5))
      running -= 1
      return 'done'
    })
  const results = await Promise.allSettled(Array.from({ length: 8 }, work))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  expect(results.slice(5).every(({ status }) => status === 'rejected')).toBe(true)
  expect(most).toBe(2)
  await expect(work()).resolves.toBe('done')
})

test('a failure gives its place up', async () => {
  const { run } = places({ atOnce: 1, inLine: 0 })
  await expect(run(() => Promise.reject(new Error('x')))).rejects.toThrow('x')
  await expect(run(async () => 1)).resolves.toBe(1)
})

test('people take turns: one with many works delays another by one of them at most', async () => {
  const { run } = places({ atOnce: 1, inLine: 100, perPerson: 1, perPersonInLine: 50 })
  const order: string[] = []
  const work = (who: string) =>
    run(async () => {
      order.push(who)
      await new Promise((done) => setTimeout(done, 1))
    }, who)
  const all = [...Array.from({ length: 10 }, () => work('ana')), work('bia'), work('bia'), work('caio')]
  await Promise.all(all)
  expect(order.slice(0, 6)).toEqual(['ana', 'ana', 'bia', 'caio', 'ana', 'bia'])
})

test('one person has a share of the places and of the line, and nobody else loses theirs', async () => {
  const { run } = places({ atOnce: 3, inLine: 4, perPerson: 2, perPersonInLine: 2 })
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  const works = Array.from({ length: 6 }, () => run(() => held, 'ana'))
  const refused = Promise.allSettled(works)
  // Two at work, two in half of the line, two refused; the third place is free for others.
  await expect(run(async () => 'bia passed', 'bia')).resolves.toBe('bia passed')
  release()
  const outcomes = (await refused).map(({ status }) => status)
  expect(outcomes).toEqual([...Array(4).fill('fulfilled'), ...Array(2).fill('rejected')])
})

test('nobody waits longer than the wait is bounded to', async () => {
  const { run } = places({ atOnce: 1, inLine: 10, patienceMs: 20 })
  let release = () => {}
  const first = run(
    () =>
      new Promise<void>((done) => {
        release = done
      }),
  )
  await expect(run(async () => 'late')).rejects.toMatchObject({ code: 'server.busy' })
  release()
  await first
  await expect(run(async () => 'free again')).resolves.toBe('free again')
})

test('people who come together have a share too, and others pass them', async () => {
  const { enter } = places({ atOnce: 4, perPerson: 2, perGroup: 3, inLine: 10 })
  const leave = await enter('a1', 'a')
  await enter('a2', 'a')
  await enter('a3', 'a')
  let fourth = false
  const waiting = enter('a4', 'a').then(() => {
    fourth = true
  })
  await enter('b1', 'b')
  expect(fourth).toBe(false)
  leave()
  await waiting
  expect(fourth).toBe(true)
})
