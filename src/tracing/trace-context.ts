import { isRequestId, spanIdOf, traceIdOf } from './request-ids.ts'
import type { Telemetry } from './telemetry.ts'

/** A place in a trace, as W3C Trace Context describes it: the trace, and the span that is the parent of the next one. */
export interface TraceContext {
  /** 32 hexadecimal digits in lower case. */
  trace_id: string
  /** 16 hexadecimal digits in lower case. */
  span_id: string
  is_sampled: boolean
  /** The `tracestate` that is passed on; empty if there is none. */
  state: string
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const NOTHING = /^0+$/

/**
 * Reads the headers `traceparent` and `tracestate`. null if the first one is invalid (W3C Trace Context, 3.2 and 4.3): then
 * the request begins a trace. An invalid `tracestate` is left out.
 */
export function readTraceContext(traceparent: unknown, tracestate?: unknown): TraceContext | null {
  if (typeof traceparent !== 'string' || traceparent.length > LONGEST) return null
  const [, version, trace_id = '', span_id = '', flags = '', more] = TRACEPARENT.exec(traceparent) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null
  if (NOTHING.test(trace_id) || NOTHING.test(span_id)) return null
  return { trace_id, span_id, is_sampled: (Number.parseInt(flags, 16) & 1) === 1, state: stateOf(tracestate) }
}

/** A later version can be longer. */
const LONGEST = 512

export const traceparentOf = ({ trace_id, span_id, is_sampled }: TraceContext): string =>
  `00-${trace_id}-${span_id}-${is_sampled ? '01' : '00'}`

const KEY = '[a-z][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13}'
const VALUE = '[\\x20-\\x2b\\x2d-\\x3c\\x3e-\\x7e]{0,255}[\\x21-\\x2b\\x2d-\\x3c\\x3e-\\x7e]'
const MEMBER = new RegExp(`^(${KEY})=${VALUE}$`)
/** Members, and characters of all of them that have to be passed on. Of a longer list, long members are left out first. */
const STATE = { members: 32, characters: 512, long: 128, read: 8_192 }

function stateOf(header: unknown): string {
  if (typeof header !== 'string' || header.length > STATE.read) return ''
  const members = header
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '')
  const keys = members.map((member) => MEMBER.exec(member)?.[1])
  if (keys.includes(undefined) || new Set(keys).size < keys.length || keys.length > STATE.members) return ''
  const all = members.join(',')
  if (all.length <= STATE.characters) return all
  const kept = members.filter(({ length }) => length <= STATE.long)
  while (kept.join(',').length > STATE.characters) kept.pop()
  return kept.join(',')
}

/** A context as it is stored with work that continues it. */
export const storedContext = (context: TraceContext): string =>
  context.state ? `${traceparentOf(context)} ${context.state}` : traceparentOf(context)

function readStored(text: string): TraceContext | null {
  const [traceparent, ...state] = text.split(' ')
  return readTraceContext(traceparent, state.join(' '))
}

/** Stored work that a request, a run of automation or a job has caused. */
export interface Caused {
  request_id: string
  /** The context that it continues; null if it follows from the id of the request. */
  trace_context: string | null
}

/** The context that stored work continues; null if no request caused it. */
export function contextOf(
  { request_id, trace_context }: Caused,
  telemetry: Telemetry | null,
): TraceContext | null {
  if (trace_context !== null) return readStored(trace_context)
  if (!isRequestId(request_id)) return null
  const trace_id = traceIdOf(request_id)
  const is_sampled = telemetry?.isSampled(trace_id, null) ?? false
  return { trace_id, span_id: spanIdOf(request_id), is_sampled, state: '' }
}
