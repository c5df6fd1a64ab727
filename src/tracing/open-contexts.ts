import { spanIdOf } from './request-ids.ts'
import { storedContext, type TraceContext } from './trace-context.ts'

/**
 * The requests, runs and jobs in progress that continue a trace of others, by their `request_id`. Rows that they
 * write are stored with this context. All others have their context in their id, so nothing is kept or stored for them.
 */
export interface OpenContexts {
  /** `continued` is the context of the caller or of the cause. */
  open(request_id: string, continued: TraceContext): void
  close(request_id: string): void
  /** The context that is stored with work that this request causes. */
  of(request_id: string): string | null
}

export function createOpenContexts(): OpenContexts {
  const stored = new Map<string, string>()
  return {
    open: (request_id, continued) =>
      void stored.set(request_id, storedContext({ ...continued, span_id: spanIdOf(request_id) })),
    close: (request_id) => void stored.delete(request_id),
    of: (request_id) => stored.get(request_id) ?? null,
  }
}
