#!/usr/bin/env -S node --max-semi-space-size=4 --heap-growing-percent=20
import { commands } from './commands/commands.ts'
import { runCommand } from './commands/run.ts'

// What this program writes (the database, its key, the demo's sign-in) is its owner's alone.
process.umask(0o077)
process.exitCode = await runCommand(commands, process.argv.slice(2))
