import type { EventEmitter } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const QUIET_MS = 2_000

/**
 * Returns the memory to the system that only the start has used, as soon as no request has arrived for two seconds. V8 does
 * this by itself only when memory is short. It takes about a tenth of a second, once.
 */
export function releaseStartMemory(server: EventEmitter, collect: () => void = collectGarbage): void {
  const timer = setTimeout(() => {
    server.off('request', wait)
    collect()
  }, QUIET_MS).unref()
  const wait = () => void timer.refresh()
  server.on('request', wait)
}

/** Only the last resort makes the space for new objects as small as it was before the start. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as NodeJS.GCFunction
  setFlagsFromString('--no-expose-gc')
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
