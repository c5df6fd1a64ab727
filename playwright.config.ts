import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { findBrowser } from './scripts/browser.ts'
import { scratch } from './test/programs/scratch.ts'

/** A program for each worker, with data of its own: tests of two files never see each other's records. */
const WORKERS = 3
// The processes of the workers read this file as well, and find here what the first one has chosen.
if (!process.env.E2E_DATA) {
  const folder = mkdtempSync(join(scratch, 'patchbay-end-to-end-'))
  process.env.E2E_DATA = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
}
process.env.E2E_PORT ??= String(20_000 + WORKERS * Math.floor(Math.random() * 10_000))
const program = (worker: number) => {
  const port = Number(process.env.E2E_PORT) + worker
  return {
    url: `http://localhost:${port}`,
    env: { PORT: String(port), DATA_DIR: join(String(process.env.E2E_DATA), String(worker)) },
  }
}
const own = program(Number(process.env.TEST_PARALLEL_INDEX ?? 0))
/** Where the tests of this process find what their program wrote down. */
process.env.E2E_DATA_DIR = own.env.DATA_DIR

/** Another browser takes Playwright's own build of it. */
const browserName = (process.env.E2E_BROWSER ?? 'chromium') as 'chromium' | 'firefox' | 'webkit'
const chromium = {
  executablePath: findBrowser(),
  args: [
    // Chromium's sandbox does not run as root.
    ...(process.getuid?.() === 0 ? ['--no-sandbox', '--no-zygote'] : []),
    // A test ends before optimized code pays off, and there is no GPU whose process could crash.
    '--js-flags=--no-maglev --no-turbofan',
    '--in-process-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
}

export default defineConfig({
  testDir: 'test/end-to-end',
  // What needs no browser stands there too, as *.test.ts, and runs with the others of that name.
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results/browser',
  fullyParallel: false,
  // A busy CI machine must not block a release; the report lists a test that needed its second run as flaky, which is a bug.
  retries: process.env.CI ? 1 : 0,
  workers: WORKERS,
  // Generous, because a busy machine takes several times as long.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: process.env.CI ? [['list'], ['json', { outputFile: 'test-results/playwright.json' }]] : 'list',
  use: {
    baseURL: own.url,
    // The code of the application stays in the browser's cache from test to test. Cookies and storage do not.
    reuseContext: true,
    browserName,
    ...(browserName === 'chromium' && { launchOptions: chromium }),
  },
  webServer: Array.from({ length: WORKERS }, (_, worker) => ({
    command: 'node --import ./test/programs/cheap-hashes.ts dist/server/main.js dev',
    url: `${program(worker).url}/healthz`,
    env: program(worker).env,
    stdout: 'ignore',
  })),
})
