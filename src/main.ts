#!/usr/bin/env node
import { commands } from './commands/commands.ts'
import { runCommand } from './commands/run.ts'

process.exitCode = await runCommand(commands, process.argv.slice(2))
