import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Generates the types of the client from an API description, as JSON, into `sdk/generated/api.ts`. */
export function writeTypes(description: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-types-'))
  const file = join(folder, 'openapi.json')
  writeFileSync(file, description)
  const generator = at('./node_modules/openapi-typescript/bin/cli.js')
  execFileSync(process.execPath, [generator, file, '--output', at('../generated/api.ts')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  rmSync(folder, { recursive: true })
}
