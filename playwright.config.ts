import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { findBrowser } from './scripts/browser.ts'

/** The program runs once for all browser tests, with data of its own; every test registers what it needs. */
process.env.E2E_DATA_DIR ??= mkdtempSync(join(tmpdir(), 'patchbay-end-to-end-'))
process.env.E2E_PORT ??= String(20_000 + Math.floor(Math.random() * 20_000))
const base = `http://localhost:${process.env.E2E_PORT}`

export default defineConfig({
  testDir: 'test/end-to-end',
  // What needs no browser stands there too, as *.test.ts, and runs with the others of that name.
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results/browser',
  fullyParallel: false,
  workers: 1,
  timeout: 60_000,
  reporter: process.env.CI ? [['list'], ['json', { outputFile: 'test-results/playwright.json' }]] : 'list',
  use: {
    baseURL: base,
    launchOptions: {
      executablePath: findBrowser(),
      args: [
        // Chromium's sandbox does not run as root.
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  webServer: {
    command: 'node src/main.ts dev',
    url: `${base}/readyz`,
    env: { PORT: process.env.E2E_PORT, DATA_DIR: process.env.E2E_DATA_DIR },
    stdout: 'ignore',
  },
})
