import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeTypes } from '../sdk/generators/write-types.ts'
import { buildApp } from '../src/app.ts'
import { closeContext, openContext } from '../src/commands/open.ts'
import { describeWeb } from '../src/surfaces/openapi/document.ts'

/**
 * Generates the types of the clients: `api.ts` from the description that the server publishes, and `web.ts` for the routes
 * that only the web application has.
 */
const folder = mkdtempSync(join(tmpdir(), 'patchbay-description-'))
const ctx = await openContext({
  mode: 'dev',
  env: { DATA_DIR: folder, LOG_LEVEL: 'silent' },
  create: true,
})
const { http } = await buildApp(ctx)
const { body } = await http.inject('/api/openapi.json')
const web = await describeWeb(http.servedRoutes, ctx.config)
await http.close()
await closeContext(ctx)
rmSync(folder, { recursive: true })
writeTypes(body)
writeTypes(JSON.stringify(web), 'web.ts')
