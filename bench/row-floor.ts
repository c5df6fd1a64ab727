import { join } from 'node:path'
import { freePort } from '../src/commands/ports.ts'
import type { Databases } from './databases.ts'
import { addToken } from './floors/events.ts'
import type { Constants } from './floors/rows.ts'
import { type Program, startProgram } from './programs.ts'

/** The name of the copy that the floor of `floors/rows.ts` writes to. */
export const COPY = 'copy'

/** The end of the names of works that are compared with it. */
export const SAME_ROWS = 'floor writes the same rows'

export interface RowFloor extends AsyncDisposable {
  program: Program
  headers: Record<string, string>
}

/** Starts the floor that writes the same rows into the copy. Its tokens are in the database at `tokens`. */
export async function startRowFloor(
  { name, folder, addressOf }: Databases,
  tokens: string,
  constants: Constants,
): Promise<RowFloor> {
  const token = await addToken(name, tokens)
  const port = await freePort()
  const program = await startProgram({
    words: [
      join(import.meta.dirname, 'floors/rows.ts'),
      ...[String(port), name, addressOf(COPY), tokens, JSON.stringify(constants)],
    ],
    port,
    ready: '/ready',
    output: join(folder, 'row-floor.log'),
  })
  return {
    program,
    headers: { authorization: `Bearer ${token}` },
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  }
}
