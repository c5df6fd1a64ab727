import { defineConfig } from 'vitest/config'
import { TimeReport } from './test/runner/time-report.ts'
import { shared } from './vitest.config.ts'

/** The database's part of the suite on a PostgreSQL with Citus: `npm run test:distributed`. */
export default defineConfig({
  test: {
    ...shared,
    reporters: ['default', new TimeReport()],
    // A test creates a database on each server, which is slow.
    maxWorkers: 2,
    testTimeout: 600_000,
    include: ['src/**/*.both.test.ts', 'test/**/*.both.test.ts'],
    env: { TEST_DATABASE: 'postgres', TEST_CITUS: '1' },
    globalSetup: ['test/programs/build.ts', 'test/databases/embedded.ts', 'test/databases/citus.ts'],
  },
})
