import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'

/**
 * Builds the server, which tests start many times, and compiles it: Node writes its compile cache when a process ends
 * normally, and tests kill most of theirs.
 */
export default function setup(): void {
  process.env.NODE_COMPILE_CACHE = resolve('node_modules/.cache/compiled')
  execFileSync(process.execPath, ['scripts/build.ts', 'server'], { stdio: 'inherit' })
  execFileSync(process.execPath, ['dist/server/main.js', 'help'])
}
