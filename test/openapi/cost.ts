/** The cost of work in milliseconds of this thread's CPU time, which excludes other load on the machine. */
export interface Cost {
  cpu: number
  /** The longest part during which nothing else could run. */
  longest: number
}

const cpuTime = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Measures work and its parts between turns of the event loop. */
export async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const began = cpuTime()
  let last = began
  let longest = 0
  const lap = () => {
    const now = cpuTime()
    longest = Math.max(longest, now - last)
    last = now
  }
  const laps = setInterval(lap, 1)
  try {
    await work()
  } finally {
    clearInterval(laps)
  }
  lap()
  return { cpu: last - began, longest }
}

/** The minimum of several measurements, because noise only adds to the cost. */
export async function leastCost(times: number, work: () => Promise<unknown>): Promise<Cost> {
  const least: Cost = { cpu: Number.POSITIVE_INFINITY, longest: Number.POSITIVE_INFINITY }
  for (let i = 0; i < times; i++) {
    const { cpu, longest } = await costOf(work)
    least.cpu = Math.min(least.cpu, cpu)
    least.longest = Math.min(least.longest, longest)
  }
  return least
}
