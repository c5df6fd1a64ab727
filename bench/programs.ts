import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Program extends AsyncDisposable {
  port: number
  pid: number
}

interface Start {
  /** The file and its arguments, for the current Node. */
  words: string[]
  env?: NodeJS.ProcessEnv
  port: number
  /** Requested until it answers 200. */
  ready: string
  /** Receives the output of the program: writing the log is a part of the work. */
  output: string
  /** Milliseconds after which the program is given up. */
  within_ms?: number | undefined
}

const START_MS = 60_000
const STOP_MS = 15_000

/** Starts a program as a process, waits until it is ready, and stops it when it is disposed of. */
export async function startProgram({
  words,
  env,
  port,
  ready,
  output,
  within_ms = START_MS,
}: Start): Promise<Program> {
  const child = spawn(process.execPath, words, {
    env: { ...process.env, ...env },
    stdio: ['ignore', openSync(output, 'a'), 'inherit'],
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const stop = async () => {
    process.off('exit', kill)
    if (child.exitCode !== null) return
    child.kill('SIGTERM')
    await Promise.race([once(child, 'exit'), sleep(STOP_MS, undefined, { ref: false }).then(kill)])
  }
  const until = Date.now() + within_ms
  while (!(await answers(`http://127.0.0.1:${port}${ready}`))) {
    if (child.exitCode !== null || Date.now() > until) {
      await stop()
      throw new Error(`${words.join(' ')} did not start`)
    }
    await sleep(50)
  }
  return { port, pid: child.pid as number, [Symbol.asyncDispose]: stop }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok
  } catch {
    return false
  }
}
