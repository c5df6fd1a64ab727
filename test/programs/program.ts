import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { freePort } from '../../src/commands/ports.ts'

export interface Program {
  child: ChildProcess
  /** The address of the running program. */
  base: string
  output(): string
  /** Sends the signal, waits for the end and returns the exit code; null if the signal ended the program. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** The environment of a process that a test starts. */
const inherited = () => ({
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
})

/** The program as it is built (`test/programs/build.ts`). */
const PROGRAM = 'dist/server/main.js'

/** Starts the program as a process and waits until it is ready. `through` is a command that runs it. */
export async function startProgram(
  command: 'dev' | 'serve' | `requests tail ${string}` | `listen ${string}`,
  env: Record<string, string>,
  through: string[] = [],
): Promise<Program> {
  const port = Number(env.PORT) || (await freePort())
  const [first = '', ...words] = [...through, process.execPath, PROGRAM, ...command.split(' ')]
  const child = spawn(first, words, {
    cwd: new URL('../..', import.meta.url),
    env: { ...inherited(), PORT: String(port), METRICS_LISTEN: 'off', RATE_LIMITS: 'off', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>()
  const read = (chunk: Buffer) => {
    text += chunk
    if (/Patchbay is (ready|listening)|^Requests of the account|^Listening to /m.test(text)) resolve()
  }
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  const ended = new Promise<number | null>((done) => child.on('exit', (code) => done(code)))
  ended.then((code) => reject(new Error(`the program ended with ${code}: ${text}`)))
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return ended
  }
  onTestFinished(async () => {
    await stop('SIGKILL')
  })
  await ready
  const base = `${env.TLS_CERT ? 'https' : 'http'}://127.0.0.1:${port}`
  return { child, base, output: () => text, stop }
}

/** A port for repeated starts, outside of the range that the machine assigns to connections. */
export const lastingPort = (): string => String(20_000 + Math.floor(Math.random() * 10_000))

export const newMasterKey = (): string => randomBytes(32).toString('base64')

export interface Outcome {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs a command of the program to its end, or until the signal kills it. */
export function runProgram(
  words: string[],
  env: Record<string, string>,
  input = '',
  killed?: AbortSignal,
): Promise<Outcome> {
  return runScript(PROGRAM, words, env, input, killed)
}

/** Runs a script, with its path from the root of the project, to its end. */
export function runScript(
  file: string,
  words: string[],
  env: Record<string, string>,
  input = '',
  killed?: AbortSignal,
): Promise<Outcome> {
  const child = spawn(process.execPath, [file, ...words], {
    cwd: new URL('../..', import.meta.url),
    env: { ...inherited(), ...env },
  })
  killed?.addEventListener('abort', () => child.kill('SIGKILL'))
  const outcome: Outcome = { code: null, stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    outcome.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    outcome.stderr += chunk
  })
  child.stdin.end(input)
  return new Promise((resolve) => child.on('close', (code) => resolve({ ...outcome, code })))
}
