import type { Context } from '../context.ts'
import { spanIdOf } from './request-ids.ts'
import type { Span } from './telemetry.ts'
import { type Caused, contextOf } from './trace-context.ts'

/** Stored work, such as a run of automation. The rows that it writes have its name as `request_id`. */
export interface StoredWork extends Caused {
  name: string
}

/** Does a piece of stored work, so that what it causes continues the trace of its cause. */
export async function inTrace<T>(ctx: Context, work: StoredWork, act: () => Promise<T>): Promise<T> {
  const context = contextOf(work, ctx.telemetry)
  if (!context) return act()
  ctx.traces.open(work.name, context)
  try {
    return await act()
  } finally {
    ctx.traces.close(work.name)
  }
}

/** Exports the span of stored work that has ended. Times are in Unix milliseconds. */
export function exportWork(
  { telemetry }: Context,
  work: StoredWork,
  span: Pick<Span, 'from' | 'to' | 'attributes' | 'error'> & { title: string },
): void {
  const parent = telemetry && contextOf(work, telemetry)
  if (!parent) return
  const { title, ...rest } = span
  telemetry.add({
    ...rest,
    kind: 'internal',
    name: title,
    context: { ...parent, span_id: spanIdOf(work.name) },
    parent_span_id: parent.span_id,
  })
}
