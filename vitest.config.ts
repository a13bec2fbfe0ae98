import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['apps/**/*.test.{ts,tsx}', 'packages/**/*.test.ts', 'scripts/**/*.test.mjs'],
    globalSetup: ['apps/server/src/database/test-database.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
})
