import { type CpuTime, cpuTimeOf } from './cpu.ts'
import type { Databases } from './databases.ts'
import { type Caller, load, type Measured } from './load.ts'
import { profiled, type Shares } from './profile.ts'
import type { Program } from './programs.ts'

/** A program and its callers. */
export interface Contender {
  program: Program
  callers: Caller[]
  /** Changes the program before each of its rounds. Its time is not measured. */
  before?: () => Promise<void>
  /** Waits after the last answer of a round for work that the requests left to do. Its CPU time is measured. */
  after?: () => Promise<void>
}

/** A round of a contender. */
export interface Round extends Measured {
  /** For each request. */
  cpu: CpuTime
  /** The parts of the CPU time by subject, if a profile was taken. */
  shares?: Shares
}

export interface Options {
  seconds: number
  rounds: number
  /** The sizes of the log, for subjects that depend on it. */
  events: number[]
  /** The leads that exist before the measurement, for subjects that depend on it. */
  leads: number
  /** Only works whose names contain this text are measured. */
  only: string
  /** The folder of a built older release, for upgrades; empty if there is none. */
  older: string
  /** Takes a CPU profile of each program after its rounds. */
  profile: boolean
}

/** How contenders are measured. */
export type Rounds = Pick<Options, 'rounds' | 'seconds' | 'profile'>

export const isChosen = (work: string, { only }: Pick<Options, 'only'>): boolean => work.includes(only)

/** The real program compared with one of its floors. */
export interface Pairing {
  work: string
  floor: Summary
  ours: Summary
  /** The ratio of the throughput of the real program to that of the floor, per round. */
  ratio: Spread
  /** The same by requests for a second of CPU time of the server process. */
  cpu_ratio: Spread
  /** The same by CPU time of the server process and of the database server. */
  total_ratio: Spread
}

export interface Summary {
  per_second: number
  cpu: CpuTime
  p50_ms: number
  p99_ms: number
  shares: Shares | undefined
}

export interface Spread {
  median: number
  min: number
  max: number
}

/** Until its hot functions are compiled, a program has used about this much CPU time, in microseconds. */
const WARM_UP_CPU = 2_500_000
const WARM_UP_SECONDS = { each: 0.5, most: 20 }
const ATTEMPTS = 4

/** Pairs the real program with each floor, measured in turns. Throws unless every answer is 200. */
export async function interleave(
  databases: Databases,
  floors: Record<string, Contender>,
  ours: Contender,
  options: Rounds,
): Promise<Pairing[]> {
  const [own, ...others] = await inTurns(databases, [ours, ...Object.values(floors)], options)
  return Object.keys(floors).map((work, i) => pair(work, others[i] as Round[], own as Round[]))
}

/**
 * Measures the contenders in turns, in alternating order, so that other load on the machine affects all of them.
 * Returns the rounds of each in the given order. Throws unless every answer is 200.
 */
export async function inTurns(
  databases: Databases,
  contenders: Contender[],
  { rounds, seconds, profile }: Rounds,
): Promise<Round[][]> {
  const results = new Map<Contender, Round[]>(contenders.map((one) => [one, []]))
  for (const one of contenders) await warmUp(databases, one)
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? contenders : contenders.toReversed()
    for (const one of order) results.get(one)?.push(await measure(databases, one, seconds))
  }
  // Taking samples costs time, so the rounds before are without.
  if (profile)
    for (const [one, measured] of results) Object.assign(measured[0] as Round, await sharesOf(one, seconds))
  return [...results.values()]
}

async function sharesOf(
  { program, callers, before }: Contender,
  seconds: number,
): Promise<Pick<Round, 'shares'>> {
  await before?.()
  return { shares: await profiled(program, () => load(program.port, callers, seconds)) }
}

async function warmUp(databases: Databases, contender: Contender): Promise<void> {
  const until = performance.now() + WARM_UP_SECONDS.most * 1000
  for (let used = 0; used < WARM_UP_CPU && performance.now() < until; ) {
    const { cpu, requests } = await measure(databases, contender, WARM_UP_SECONDS.each)
    used += cpu.server * requests
  }
}

async function measure(
  databases: Databases,
  contender: Contender,
  seconds: number,
  attempts = ATTEMPTS,
): Promise<Round> {
  const { program, callers } = contender
  await contender.before?.()
  const before = cpuTimes(databases, program)
  const measured = await load(program.port, callers, seconds)
  await contender.after?.()
  const after = cpuTimes(databases, program)
  // A machine that has other work can starve a server until it refuses a request.
  if (measured.first_error?.startsWith('503') && attempts > 1)
    return measure(databases, contender, seconds, attempts - 1)
  if (measured.errors > 0 || measured.requests === 0)
    throw new Error(
      `${measured.errors} of ${measured.requests} answers were not 200: ${measured.first_error}`,
    )
  return { ...measured, cpu: cpuOfEach(before, after, measured.requests) }
}

export const cpuTimes = (databases: Databases, { pid }: Program): CpuTime => ({
  server: cpuTimeOf(pid),
  database: databases.cpuTime(),
})

/** The CPU time of each of some requests between two points of time. */
export const cpuOfEach = (before: CpuTime, after: CpuTime, requests: number): CpuTime => ({
  server: (after.server - before.server) / requests,
  database: (after.database - before.database) / requests,
})

export function pair(work: string, floor: Round[], ours: Round[]): Pairing {
  return {
    work,
    floor: summary(floor),
    ours: summary(ours),
    ratio: ratioOf(ours, floor),
    cpu_ratio: ratioOf(ours, floor, perCpu),
    total_ratio: ratioOf(ours, floor, perTotalCpu),
  }
}

const perSecond = ({ per_second }: Round): number => per_second
const perCpu = ({ cpu }: Round): number => 1 / cpu.server
export const perTotalCpu = ({ cpu }: Round): number => 1 / (cpu.server + cpu.database)

/** The ratio of a figure, by default of the throughputs, per round. */
export function ratioOf(one: Round[], other: Round[], figure = perSecond): Spread {
  return spreadOf(one.map((own, round) => figure(own) / figure(other[round] as Round)))
}

export const spreadOf = (values: number[]): Spread => ({
  median: median(values),
  min: Math.min(...values),
  max: Math.max(...values),
})

const summary = (all: Round[]): Summary => ({
  per_second: median(all.map(({ per_second }) => per_second)),
  cpu: {
    server: median(all.map(({ cpu }) => cpu.server)),
    database: median(all.map(({ cpu }) => cpu.database)),
  },
  p50_ms: median(all.map(({ p50_ms }) => p50_ms)),
  p99_ms: median(all.map(({ p99_ms }) => p99_ms)),
  shares: all[0]?.shares,
})

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return sorted.length % 2 === 1
    ? (sorted[Math.floor(middle)] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}
