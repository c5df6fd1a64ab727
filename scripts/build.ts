import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'

/**
 * Builds the server and the web application, or those that are named, if a source is newer than the last build. Prints a
 * line for each, because a build takes a few seconds.
 */
const builds = {
  server: {
    title: 'the server',
    result: 'dist/server/main.js',
    sources: ['src', 'package-lock.json', 'vite.server.config.ts'],
    options: ['--config', 'vite.server.config.ts'],
  },
  web: {
    title: 'the web application',
    result: 'dist/web/index.html',
    // The application shares tables of types with the server.
    sources: ['web', 'src', 'package-lock.json', 'vite.config.ts'],
    options: [],
  },
}

const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

function newest(path: string): number {
  if (!statSync(path).isDirectory()) return changedAt(path)
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' })
  return Math.max(...files.map((file) => changedAt(`${path}/${file}`)))
}

const names = process.argv.slice(2)
for (const [name, { title, result, sources, options }] of Object.entries(builds)) {
  if (names.length > 0 && !names.includes(name)) continue
  if (Math.max(...sources.map(newest)) <= changedAt(result)) continue
  process.stderr.write(`Building ${title} …\n`)
  execFileSync(
    process.execPath,
    ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn', ...options],
    {
      stdio: 'inherit',
    },
  )
}
