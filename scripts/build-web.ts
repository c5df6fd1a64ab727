import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'

/** Builds the web application if a source is newer than the last build, with a message because it takes a while. */
const BUILT = 'dist/web/index.html'
const sources = ['web', 'src', 'package-lock.json', 'vite.config.ts']

const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

function newest(path: string): number {
  if (!statSync(path).isDirectory()) return changedAt(path)
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' })
  return Math.max(...files.map((file) => changedAt(`${path}/${file}`)))
}

if (Math.max(...sources.map(newest)) > changedAt(BUILT)) {
  process.stdout.write('Building the web application …\n')
  execFileSync(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'], {
    stdio: 'inherit',
  })
}
