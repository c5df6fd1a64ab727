import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeTypes } from '../sdk/generators/write-types.ts'
import { buildApp } from '../src/app.ts'
import { closeContext, openContext } from '../src/commands/open.ts'

/** Generates the types of the client in sdk/ from the description that the server publishes. */
const folder = mkdtempSync(join(tmpdir(), 'patchbay-description-'))
const ctx = await openContext({
  mode: 'dev',
  env: { DATA_DIR: folder, LOG_LEVEL: 'silent' },
  create: true,
})
const { http } = await buildApp(ctx)
const { body } = await http.inject('/api/openapi.json')
await http.close()
await closeContext(ctx)
rmSync(folder, { recursive: true })
writeTypes(body)
