import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** The Chromium that the browser tests drive: the one that CHROMIUM names, Playwright's own, or the machine's. */
export function findBrowser(): string | undefined {
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
  return [process.env.CHROMIUM ?? '', chromium.executablePath(), ...onPath].find(
    (file) => file !== '' && existsSync(file),
  )
}
