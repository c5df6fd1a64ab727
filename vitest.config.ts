import { defineConfig } from 'vitest/config'
import { TimeReport } from './test/runner/time-report.ts'
import { WaitingFirst } from './test/runner/waiting-first.ts'

const every = ['src/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts']

const json: ['json', { outputFile: string }] = ['json', { outputFile: 'test-results/vitest.json' }]

/** What all projects have in common. */
export const shared = {
  // Generous, because a busy machine takes several times as long.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
  // A busy moment of a CI machine must not block a release. The report lists tests that ran again, which is a bug.
  retry: process.env.CI ? { count: 2, delay: 1_000 } : 0,
  pool: 'threads' as const,
  setupFiles: ['test/programs/fast-hashing.ts'],
  // The files of a thread have the program in common: each test makes a world of its own, and reading the program for
  // each of hundreds of files takes as long as a third of the tests.
  isolate: false,
}

export default defineConfig({
  test: {
    reporters: process.env.CI ? ['default', new TimeReport(), json] : ['default', new TimeReport()],
    maxWorkers: 3,
    sequence: { sequencer: WaitingFirst },
    projects: [
      {
        test: {
          ...shared,
          name: 'sqlite',
          include: every,
          env: { TEST_DATABASE: 'sqlite' },
          globalSetup: ['test/programs/build.ts', 'test/databases/embedded.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'postgres',
          // What the databases can answer differently; everything in the long form.
          include: process.env.LONG_TESTS
            ? every
            : every.map((files) => files.replace('*.test', '*.both.test')),
          env: { TEST_DATABASE: 'postgres' },
          globalSetup: ['test/programs/build.ts', 'test/databases/embedded.ts', 'test/databases/postgres.ts'],
        },
      },
    ],
  },
})
