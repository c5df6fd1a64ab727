import { defineConfig } from 'vitest/config'

const shared = {
  include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts'],
  testTimeout: 60_000,
  hookTimeout: 60_000,
  pool: 'threads' as const,
}

export default defineConfig({
  test: {
    globalSetup: ['test/postgres.ts'],
    reporters: process.env.CI
      ? ['default', ['json', { outputFile: 'test-results/vitest.json' }]]
      : ['default'],
    maxWorkers: 2,
    projects: [
      { test: { ...shared, name: 'sqlite', env: { TEST_DATABASE: 'sqlite' } } },
      { test: { ...shared, name: 'postgres', env: { TEST_DATABASE: 'postgres' } } },
    ],
  },
})
