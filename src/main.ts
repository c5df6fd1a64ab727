#!/usr/bin/env -S node --max-semi-space-size=16 --heap-growing-percent=50

/** As in `engines` of package.json. */
const OLDEST = [24, 7] as const

// Nothing is imported before this check: an older Node would fail at the first import that it does not have.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  const found = `${process.versions.node} (${process.execPath})`
  process.stderr.write(`Patchbay needs Node ${OLDEST.join('.')} or newer. This is Node ${found}.\n`)
  process.exit(1)
}
// Files written by this program (the database, its key, the demo's sign-in) are readable only by their owner.
process.umask(0o077)
await import('./commands/program.ts')
