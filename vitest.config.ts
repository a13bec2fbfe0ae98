import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['apps/**/*.test.{ts,tsx}', 'packages/**/*.test.ts', 'scripts/**/*.test.mjs'],
    globalSetup: ['apps/server/src/database/test-database.ts'],
    // Its own number is one less than the processors, which on two of them leaves one idle.
    maxWorkers: '100%',
    // A machine that others use too takes five times as long now and then.
    testTimeout: 100_000,
    hookTimeout: 200_000,
  },
})
