import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { TraceContext } from './trace-context.ts'

/** A span that has ended: a piece of work, as it is exported. */
export interface Span {
  kind: 'server' | 'client' | 'internal'
  name: string
  /** The trace and the span itself. */
  context: TraceContext
  /** null: the span begins its trace. */
  parent_span_id: string | null
  /** In Unix milliseconds, with fractions. */
  from: number
  to: number
  attributes: Record<string, string | number | boolean>
  /** Why the work failed; null if it did not. */
  error: string | null
}

/** Exports spans to the collector of the operator (Q11). A server without a collector has none. */
export interface Telemetry {
  /** Whether the sampler keeps a span of this trace. `parent` is the context of the caller; null: the trace begins here. */
  isSampled(trace_id: string, parent: TraceContext | null): boolean
  /** Does not throw and does not wait. */
  add(span: Span): void
  /** Sends what is waiting, for at most some seconds. */
  close(): Promise<void>
}

/** Opens the export to the collector of the operator; null if there is none. Only then its library is loaded. */
export async function openTelemetry({ telemetry }: Config, log: Logger): Promise<Telemetry | null> {
  if (!telemetry) return null
  const { createTelemetry } = await import('./open-telemetry.ts')
  return createTelemetry(telemetry, log)
}

/** 16 digits, not all of them 0. */
export function newSpanId(): string {
  const id = randomBytes(8)
  id[0] = (id[0] as number) | 1
  return id.toString('hex')
}
