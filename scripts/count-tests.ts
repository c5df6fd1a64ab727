import { existsSync, readFileSync } from 'node:fs'

/** Adds up the results of the test runners and prints them in one line: `N passed, N failed`. */
const read = (file: string) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null)
const vitest = read('test-results/vitest.json')
const playwright = read('test-results/playwright.json')?.stats

const passed = (vitest?.numPassedTests ?? 0) + (playwright?.expected ?? 0) + (playwright?.flaky ?? 0)
const failed = (vitest?.numFailedTests ?? 0) + (playwright?.unexpected ?? 0)
process.stdout.write(`${passed} passed, ${failed} failed\n`)
