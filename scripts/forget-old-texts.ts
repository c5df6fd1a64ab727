import { globSync, rmSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Forgets what the compiler remembers of the web application if a text has changed since: it does not check the users of a JSON
 * file again, and repeats their old errors.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const memory = `${root}node_modules/.cache/tsc/web.tsbuildinfo`
const remembered = statSync(memory, { throwIfNoEntry: false })?.mtimeMs ?? 0
const changed = globSync('web/i18n/*/*.json', { cwd: root }).some(
  (file) => statSync(root + file).mtimeMs > remembered,
)
if (changed) rmSync(memory, { force: true })
