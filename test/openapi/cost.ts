/** The cost of a piece of work in milliseconds of this thread's CPU time, so other load on the machine does not count. */
export interface Cost {
  cpu: number
  /** The longest part in which nothing else could run. */
  longest: number
}

const cpuTime = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Measures work, and its parts between two turns of the event loop. */
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

/** The least of several measurements: what disturbs one only adds to it. */
export async function leastCost(times: number, work: () => Promise<unknown>): Promise<Cost> {
  const least: Cost = { cpu: Number.POSITIVE_INFINITY, longest: Number.POSITIVE_INFINITY }
  for (let i = 0; i < times; i++) {
    const { cpu, longest } = await costOf(work)
    least.cpu = Math.min(least.cpu, cpu)
    least.longest = Math.min(least.longest, longest)
  }
  return least
}
