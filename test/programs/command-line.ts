import { Readable } from 'node:stream'
import { onTestFinished, vi } from 'vitest'
import { commandModules } from '../../src/commands/commands.ts'
import { type CommandModules, runCommand } from '../../src/commands/run.ts'
import { settings } from '../../src/setting-table.ts'
import type { Outcome } from './program.ts'

/**
 * Runs a command in this process, which is faster than a new one, with only the given settings and this text as its
 * standard input.
 */
export async function commandLine(
  words: string[],
  env: Record<string, string> = {},
  input = '',
  known: CommandModules = commandModules,
): Promise<Outcome> {
  const outcome = { code: 0, stdout: '', stderr: '' }
  for (const name of Object.keys(settings)) vi.stubEnv(name, env[name] ?? '')
  const spies = [
    ...(['stdout', 'stderr'] as const).map((stream) =>
      vi.spyOn(process[stream], 'write').mockImplementation((chunk) => {
        outcome[stream] += chunk
        return true
      }),
    ),
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([input]) as typeof process.stdin),
  ]
  const restore = () => {
    for (const spy of spies) spy.mockRestore()
    vi.unstubAllEnvs()
  }
  onTestFinished(restore)
  outcome.code = await runCommand(known, words)
  restore()
  return outcome
}
