import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Generates the types of a client from an API description, as JSON, into a file of `sdk/generated`. */
export function writeTypes(description: string, name = 'api.ts'): void {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-types-'))
  const file = join(folder, 'openapi.json')
  writeFileSync(file, description)
  const generator = at('./node_modules/openapi-typescript/bin/cli.js')
  // A property with a default can be omitted in a request.
  const options = ['--default-non-nullable', 'false', '--output', at(`../generated/${name}`)]
  execFileSync(process.execPath, [generator, file, ...options], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  rmSync(folder, { recursive: true })
}
