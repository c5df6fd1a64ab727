import { constants } from 'node:os'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

type Signalled = Pick<NodeJS.Process, 'pid' | 'once' | 'listenerCount' | 'exit'>

/**
 * The system ends a process by SIGTERM and SIGINT, but not the first process of a container. There, these signals end
 * the program as everywhere else, unless something else listens to them.
 */
export function endBySignals(program: Signalled): void {
  if (program.pid !== 1) return
  for (const signal of SIGNALS)
    program.once(signal, () => {
      if (program.listenerCount(signal) === 0) program.exit(128 + constants.signals[signal])
    })
}
