import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { findBrowser } from './browser.ts'

/** Installs Chromium if necessary: Debian's package if possible, otherwise Playwright's download. */
const run = (file: string, ...words: string[]) =>
  execFileSync(file, words, { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })

if (!findBrowser()) {
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    run('apt-get', 'update', '-qq')
    run(
      'apt-get',
      'install',
      '-y',
      '-qq',
      '--no-install-recommends',
      'chromium-headless-shell',
      'fonts-dejavu-core',
    )
  } else {
    run('npx', 'playwright', 'install', 'chromium')
  }
}
