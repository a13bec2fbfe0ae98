import { expect, test } from 'vitest'
import { turnstile } from './turnstile.ts'

test('so many run at once, so many wait, and the rest is refused', async () => {
  const enter = turnstile({ atOnce: 2, inLine: 3 })
  let running = 0
  let most = 0
  const work = () =>
    enter(async () => {
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
  const enter = turnstile({ atOnce: 1, inLine: 0 })
  await expect(enter(() => Promise.reject(new Error('x')))).rejects.toThrow('x')
  await expect(enter(async () => 1)).resolves.toBe(1)
})

test('people take turns: one with many works delays another by one of them at most', async () => {
  const enter = turnstile({ atOnce: 1, inLine: 100, each: 1 })
  const order: string[] = []
  const work = (who: string) =>
    enter(async () => {
      order.push(who)
      await new Promise((done) => setTimeout(done, 1))
    }, who)
  const all = [...Array.from({ length: 10 }, () => work('ana')), work('bia'), work('bia'), work('caio')]
  await Promise.all(all)
  expect(order.slice(0, 6)).toEqual(['ana', 'ana', 'bia', 'caio', 'ana', 'bia'])
})

test('one person has a share of the places and of the line, and nobody else loses theirs', async () => {
  const enter = turnstile({ atOnce: 3, inLine: 4, each: 2 })
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  const works = Array.from({ length: 6 }, () => enter(() => held, 'ana'))
  const refused = Promise.allSettled(works)
  // Two at work, two in half of the line, two refused; the third place is free for others.
  await expect(enter(async () => 'bia passed', 'bia')).resolves.toBe('bia passed')
  release()
  const outcomes = (await refused).map(({ status }) => status)
  expect(outcomes).toEqual([...Array(4).fill('fulfilled'), ...Array(2).fill('rejected')])
})

test('nobody waits longer than the wait is bounded to', async () => {
  const enter = turnstile({ atOnce: 1, inLine: 10, waitMs: 20 })
  let release = () => {}
  const first = enter(
    () =>
      new Promise<void>((done) => {
        release = done
      }),
  )
  await expect(enter(async () => 'late')).rejects.toMatchObject({ code: 'server.busy' })
  release()
  await first
  await expect(enter(async () => 'free again')).resolves.toBe('free again')
})
