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
