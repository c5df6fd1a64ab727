import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { packageFolder } from '../src/package.ts'
import type { Program } from './programs.ts'

/** The parts of the main thread's CPU time by subject. Their sum is 1. */
export type Shares = Record<Subject, number>

/** Subjects of CPU time, by the source file of a function or, in native code, by its name. The first match counts. */
const SUBJECTS = {
  collection: /^\(garbage collector\)$/,
  // Functions of the embedded database have no name.
  database: /node_modules\/(?:better-sqlite3|pg[\w-]*|postgres-[\w-]+)\/|^native $/,
  network: /^native (?:write\w*|onread)$|^node:(?:net|_http_\w+|internal\/stream\w*)/,
  statements: /node_modules\/kysely\//,
  framework: /node_modules\/(?:@?fastify|find-my-way|avvio|fast-|ajv|secure-json-parse|pino|qs)/,
  program: /^(?:src|bench)\//,
  runtime: /^/,
}
export type Subject = keyof typeof SUBJECTS
export const subjects = Object.keys(SUBJECTS) as Subject[]

interface Frame {
  functionName: string
  url: string
  lineNumber: number
  columnNumber: number
}

interface CpuProfile {
  nodes: { id: number; callFrame: Frame }[]
  samples: number[]
  /** Microseconds between samples. */
  timeDeltas: number[]
}

/** The port on which Node answers a debugger after SIGUSR1, so one program at a time can be profiled. */
const INSPECTOR = 'http://127.0.0.1:9229/json/list'
const SAMPLING_US = 200
const WITHIN_MS = 10_000

/** Takes a CPU profile of a program during some work. */
export async function profiled({ pid }: Program, work: () => Promise<unknown>): Promise<Shares> {
  process.kill(pid, 'SIGUSR1')
  await using session = await openSession()
  await session.send('Profiler.enable')
  await session.send('Profiler.setSamplingInterval', { interval: SAMPLING_US })
  await session.send('Profiler.start')
  await work()
  const { profile } = await session.send<{ profile: CpuProfile }>('Profiler.stop')
  await session.send('Runtime.evaluate', {
    expression: `setTimeout(() => process.getBuiltinModule('node:inspector').close(), 100)`,
  })
  return sharesOf(profile)
}

function sharesOf({ nodes, samples, timeDeltas }: CpuProfile): Shares {
  const subjectsById = new Map(nodes.map(({ id, callFrame }) => [id, subjectOf(callFrame)]))
  const shares = Object.fromEntries(subjects.map((subject) => [subject, 0])) as Shares
  for (const [i, id] of samples.entries()) {
    const subject = subjectsById.get(id)
    if (subject) shares[subject] += timeDeltas[i] as number
  }
  const sum = Object.values(shares).reduce((one, other) => one + other, 0)
  for (const subject of subjects) shares[subject] /= sum
  return shares
}

/** Undefined for the time in which the thread waits. */
function subjectOf(frame: Frame): Subject | undefined {
  if (frame.functionName === '(idle)') return
  const source = sourceOf(frame)
  return subjects.find((subject) => SUBJECTS[subject].test(source))
}

/** The source file of a function, relative to the package; for native code its name. */
function sourceOf({ url, functionName, lineNumber, columnNumber }: Frame): string {
  if (url === '') return functionName.startsWith('(') ? functionName : `native ${functionName}`
  if (!url.startsWith('file:')) return url
  const file = fileURLToPath(url)
  const entry = sourceMapOf(file)?.findEntry(lineNumber, columnNumber)
  const source = entry && 'originalSource' in entry ? fileURLToPath(new URL(entry.originalSource, url)) : file
  return relative(packageFolder, source)
}

const sourceMaps = new Map<string, SourceMap | undefined>()

/** Undefined for a file that is not bundled. */
function sourceMapOf(file: string): SourceMap | undefined {
  if (!sourceMaps.has(file)) sourceMaps.set(file, readSourceMap(`${file}.map`))
  return sourceMaps.get(file)
}

function readSourceMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return
  }
}

interface Session extends AsyncDisposable {
  send<Result = unknown>(method: string, params?: object): Promise<Result>
}

/** A session with the program that listens for a debugger. */
async function openSession(): Promise<Session> {
  const socket = new WebSocket(await debuggerAddress())
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error('The inspector did not answer')))
  })
  const waiting = new Map<number, (result: never) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data))
    waiting.get(id)?.(result as never)
    waiting.delete(id)
  })
  let last = 0
  return {
    send: (method, params = {}) =>
      new Promise((resolve) => {
        waiting.set(++last, resolve)
        socket.send(JSON.stringify({ id: last, method, params }))
      }),
    [Symbol.asyncDispose]: async () => {
      socket.close()
      // The next program can open the port after this one has closed it.
      await sleep(500)
    },
  }
}

async function debuggerAddress(): Promise<string> {
  const until = Date.now() + WITHIN_MS
  for (;;) {
    try {
      const [target] = (await (await fetch(INSPECTOR)).json()) as [{ webSocketDebuggerUrl: string }]
      return target.webSocketDebuggerUrl
    } catch (error) {
      if (Date.now() > until) throw error
      await sleep(50)
    }
  }
}
