import { join } from 'node:path'
import { freePort } from '../src/commands/ports.ts'
import type { Databases } from './databases.ts'
import type { Constants } from './floors/rows.ts'
import { type Program, startProgram } from './programs.ts'

/** The address of the API in the links of answers: callers send the host without a port. */
export const BASE = 'http://127.0.0.1/api/v4'

/** The name of the copy that the floor of `floors/rows.ts` writes to. */
export const COPY = 'copy'

/** The end of the names of works that are compared with it. */
export const SAME_ROWS = 'floor writes the same rows'

/** The end of the names of pages that it answers from the same rows. */
export const SAME_ANSWER = 'floor answers the same'

export interface RowFloor extends AsyncDisposable {
  program: Program
  headers: Record<string, string>
}

/** Starts the floor that writes the same rows into the copy. `known` is a token in the database of another floor. */
export async function startRowFloor(
  { name, folder, addressOf }: Databases,
  known: { token: string; address: string },
  constants: Constants,
): Promise<RowFloor> {
  const port = await freePort()
  const program = await startProgram({
    words: [
      join(import.meta.dirname, 'floors/rows.ts'),
      ...[String(port), name, addressOf(COPY), known.address, JSON.stringify(constants)],
    ],
    port,
    ready: '/ready',
    output: join(folder, 'row-floor.log'),
  })
  return {
    program,
    headers: { authorization: `Bearer ${known.token}` },
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  }
}
