import { defineConfig } from 'vitest/config'

const shared = {
  include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts'],
  testTimeout: 60_000,
  hookTimeout: 60_000,
  pool: 'threads' as const,
  // The files of a thread have the program in common: each test makes a world of its own, and reading the program for
  // each of hundreds of files takes as long as a third of the tests.
  isolate: false,
}

export default defineConfig({
  test: {
    globalSetup: ['test/compiled.ts', 'test/embedded.ts', 'test/postgres.ts'],
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
