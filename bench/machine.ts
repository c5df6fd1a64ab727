import { cpus, totalmem } from 'node:os'

/** Describes the machine in one line. */
export function machine(): string {
  const processors = cpus()
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  return `${processors[0]?.model.trim()}, ${processors.length} cores, ${memory}; Node ${process.versions.node}`
}

export const today = (): string => new Date().toISOString().slice(0, 10)
