#!/usr/bin/env -S node --max-semi-space-size=16 --heap-growing-percent=50
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { packageFolder } from './package.ts'

// Files written by this program (the database, its key, the demo's sign-in) are readable only by their owner.
process.umask(0o077)
// Compiling the program is half of a start. Node ignores a folder that it cannot write.
enableCompileCache(join(packageFolder, 'node_modules/.cache/compiled'))

const [{ commandModules }, { runCommand }] = await Promise.all([
  import('./commands/commands.ts'),
  import('./commands/run.ts'),
])
process.exitCode = await runCommand(commandModules, process.argv.slice(2))
