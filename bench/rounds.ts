import { type Caller, load, type Measured } from './load.ts'

/** A program and its callers. */
export interface Contender {
  port: number
  callers: Caller[]
}

export interface Options {
  seconds: number
  rounds: number
  /** The sizes of the log, for subjects that depend on it. */
  events: number[]
}

/** The real program compared with one of its floors. */
export interface Pairing {
  work: string
  floor: Summary
  ours: Summary
  /** The ratio of the real program to the floor, per round. */
  ratio: Spread
}

export interface Summary {
  per_second: number
  p50_ms: number
  p99_ms: number
}

export interface Spread {
  median: number
  min: number
  max: number
}

const WARM_UP_SECONDS = 1.5

/** Pairs the real program with each floor, measured in turns. Throws unless every answer is 200. */
export async function interleave(
  floors: Record<string, Contender>,
  ours: Contender,
  options: Pick<Options, 'rounds' | 'seconds'>,
): Promise<Pairing[]> {
  const [own, ...others] = await inTurns([ours, ...Object.values(floors)], options)
  return Object.keys(floors).map((work, i) => pair(work, others[i] as Measured[], own as Measured[]))
}

/**
 * Measures the contenders in turns, in alternating order, so that other load on the machine affects all of them.
 * Returns the rounds of each in the given order. Throws unless every answer is 200.
 */
export async function inTurns(
  contenders: Contender[],
  { rounds, seconds }: Pick<Options, 'rounds' | 'seconds'>,
): Promise<Measured[][]> {
  const results = new Map<Contender, Measured[]>(contenders.map((one) => [one, []]))
  for (const one of contenders) await measure(one, Math.min(WARM_UP_SECONDS, seconds / 2))
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? contenders : contenders.toReversed()
    for (const one of order) results.get(one)?.push(await measure(one, seconds))
  }
  return [...results.values()]
}

async function measure({ port, callers }: Contender, seconds: number): Promise<Measured> {
  const measured = await load(port, callers, seconds)
  if (measured.errors > 0 || measured.requests === 0)
    throw new Error(
      `${measured.errors} of ${measured.requests} answers were not 200: ${measured.first_error}`,
    )
  return measured
}

export function pair(work: string, floor: Measured[], ours: Measured[]): Pairing {
  return { work, floor: summary(floor), ours: summary(ours), ratio: ratioOf(ours, floor) }
}

/** The ratio of the throughputs, per round. */
export function ratioOf(one: Measured[], other: Measured[]): Spread {
  const ratios = one.map(({ per_second }, round) => per_second / (other[round] as Measured).per_second)
  return spreadOf(ratios)
}

export const spreadOf = (values: number[]): Spread => ({
  median: median(values),
  min: Math.min(...values),
  max: Math.max(...values),
})

const summary = (all: Measured[]): Summary => ({
  per_second: median(all.map(({ per_second }) => per_second)),
  p50_ms: median(all.map(({ p50_ms }) => p50_ms)),
  p99_ms: median(all.map(({ p99_ms }) => p99_ms)),
})

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return sorted.length % 2 === 1
    ? (sorted[Math.floor(middle)] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}
