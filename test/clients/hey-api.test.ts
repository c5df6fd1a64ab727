import { execFile } from 'node:child_process'
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { isLong } from '../long.ts'
import { temporaryFolder } from '../programs/temporary-folder.ts'
import { world } from '../world.ts'

const run = promisify(execFile)
const generator = 'sdk/generators/node_modules/@hey-api/openapi-ts/bin/run.js'
const strict = ['--noEmit', '--strict', '--noUncheckedIndexedAccess', '--skipLibCheck']

test.runIf(isLong)(
  'a client that @hey-api/openapi-ts generates compiles, and usual tasks with it',
  {
    timeout: 180_000,
  },
  async () => {
    const { stranger } = await world()
    const folder = temporaryFolder()
    const file = join(folder, 'openapi.json')
    writeFileSync(file, (await stranger.get('/api/openapi.json')).text)
    const plugins = ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch']
    await run(process.execPath, [
      generator,
      '-i',
      file,
      '-o',
      join(folder, 'sdk'),
      '-p',
      ...plugins,
      '--silent',
    ])
    const tasks = join(folder, 'tasks.ts')
    copyFileSync('test/clients/tasks/hey-api.ts', tasks)
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    const options = ['--ignoreConfig', ...strict, '--module', 'nodenext', '--target', 'esnext', tasks]
    const { stdout: errors } = await run('node_modules/.bin/tsc', options).catch((failure) => failure)
    expect(errors).toBe('')
  },
)
