import { decodeTime } from 'ulid'
import type {
  AuditRow,
  AutomationRunRow,
  DeliveryAttemptRow,
  JobRow,
  WebhookAnnouncementRow,
} from '../db/tables.ts'
import { eventTypeOf } from '../events/event-types.ts'
import type { CausedEvents } from '../events/events.ts'
import type { CausedDelivery } from '../outbound/caused-queries.ts'
import type { Found } from '../request-log/request-log.ts'
import { timeOfRequest } from '../tracing/request-ids.ts'
import { jobNode } from './causes.ts'
import type { TraceNode } from './schemas.ts'

const NOTHING = {
  is_exact: true,
  duration_ms: null,
  outcome: 'done',
  state: null,
  name: '',
  address: null,
  status: null,
  error: null,
  record: null,
  user_id: null,
  integration_id: null,
  subject: null,
  log_id: null,
  rows: null,
} as const satisfies Partial<TraceNode>

const timeOfUlid = (id: string): number => decodeTime(id.toUpperCase())
const outcomeOf = (status: number | null): TraceNode['outcome'] =>
  status !== null && status < 400 ? 'done' : 'failed'

/** A request, with what the log knows about it. */
export function requestNode(request_id: string, logged: Found | null): TraceNode {
  const node: TraceNode = {
    ...NOTHING,
    ...{ id: `request ${request_id}`, parent_id: null, kind: 'request', ref: request_id },
    at: timeOfRequest(request_id) ?? logged?.at ?? 0,
  }
  if (!logged) return node
  const { id, duration_ms, operation, method, path, status, user_id, integration_id, why } = logged
  return {
    ...node,
    ...{ duration_ms, status, user_id, integration_id, log_id: id, name: operation },
    address: `${method} ${path}`,
    error: why?.rule ?? null,
    outcome: outcomeOf(status),
  }
}

export function eventNode(parent_id: string, event: CausedEvents['events'][number]): TraceNode {
  const { id, type, entity_type, entity_id, created_by } = event
  return {
    ...NOTHING,
    ...{ id: `event ${id}`, parent_id, kind: 'event', ref: id, at: timeOfUlid(id) },
    name: eventTypeOf(type) ?? '',
    record: { entity_type, id: entity_id, name: null },
    user_id: created_by,
  }
}

export function auditNode(parent_id: string, { id, action, user_id, integration_id }: AuditRow): TraceNode {
  return {
    ...NOTHING,
    ...{ id: `audit ${id}`, parent_id, kind: 'audit', ref: id, at: timeOfUlid(id) },
    ...{ name: action, user_id, integration_id },
  }
}

const jobOutcomes: Record<string, TraceNode['outcome']> = {
  done: 'done',
  undone: 'done',
  cancelled: 'skipped',
  failed: 'failed',
}

/** A job, or undoing it. */
export function jobNodeOf(parent_id: string, job: JobRow, is_undo: boolean): TraceNode {
  const isUndone = job.undo_request_id !== null
  const began = is_undo ? timeOfRequest(job.undo_request_id ?? '') : null
  const at = began ?? (job.started_at ?? job.created_at) * 1000
  const ended = isUndone === is_undo ? job.finished_at : null
  return {
    ...NOTHING,
    ...{ id: jobNode({ id: job.id, is_undo }), parent_id, kind: 'job', ref: String(job.id), at },
    is_exact: began !== null,
    duration_ms: ended === null ? null : Math.max(0, ended * 1000 - at),
    // The outcome of the job itself is not known any more once it is undone.
    outcome: isUndone && !is_undo ? 'done' : (jobOutcomes[job.state] ?? 'waiting'),
    state: isUndone && !is_undo ? null : job.state,
    name: is_undo ? 'undo' : job.kind,
    error: job.error,
    user_id: job.run_by,
    rows: {
      total: job.total,
      done: is_undo ? job.undone : job.position,
      failed: is_undo ? job.kept : job.failed,
    },
  }
}

const runOutcomes: Record<string, TraceNode['outcome']> = {
  waiting: 'waiting',
  sending: 'waiting',
  done: 'done',
  skipped: 'skipped',
  failed: 'failed',
}

export function runNode(parent_id: string, run: AutomationRunRow): TraceNode {
  const { id, created_at, ended_at, state, reason, action, lead_id, pipeline_id } = run
  return {
    ...NOTHING,
    ...{ id: `run ${id}`, parent_id, kind: 'run', ref: String(id), at: created_at * 1000, is_exact: false },
    duration_ms: ended_at === null ? null : (ended_at - created_at) * 1000,
    outcome: runOutcomes[state] ?? 'waiting',
    ...{ state, name: action, error: reason, user_id: 0, subject: String(pipeline_id) },
    record: { entity_type: 'lead', id: lead_id, name: null },
  }
}

export function announcementNode(
  parent_id: string,
  { id, created_at }: Pick<WebhookAnnouncementRow, 'id' | 'created_at'>,
): TraceNode {
  return {
    ...NOTHING,
    ...{ id: `announcement ${id}`, parent_id, kind: 'announcement', ref: String(id) },
    ...{ at: created_at * 1000, is_exact: false, outcome: 'waiting', name: 'webhook' },
  }
}

/** An address without its query, which can contain secrets. */
function addressOf(method: string, url: string): string {
  const address = URL.parse(url)
  return address ? `${method} ${address.origin}${address.pathname}` : method
}

export function deliveryNode(parent_id: string, delivery: CausedDelivery): TraceNode {
  const { id, created_at, ended_at, state, kind, subject, method, url } = delivery
  const isOver = state === 'delivered' || state === 'failed'
  return {
    ...NOTHING,
    ...{ id: `delivery ${id}`, parent_id, kind: 'delivery', ref: String(id) },
    ...{ at: created_at * 1000, is_exact: false },
    duration_ms: ended_at === null ? null : (ended_at - created_at) * 1000,
    outcome: state === 'delivered' ? 'done' : isOver ? 'failed' : 'waiting',
    ...{ state, name: kind, subject, address: addressOf(method, url) },
  }
}

/** An attempt, with the row of the request log if there is one. */
export function attemptNode(
  { delivery_id, attempt, at, duration_ms, status, error }: Omit<DeliveryAttemptRow, 'answer'>,
  logged: Found | undefined,
): TraceNode {
  return {
    ...NOTHING,
    ...{ id: `attempt ${delivery_id}.${attempt}`, parent_id: `delivery ${delivery_id}`, kind: 'attempt' },
    ...{ ref: String(attempt), at: logged?.at ?? at * 1000, is_exact: logged !== undefined },
    ...{ duration_ms, status, error, log_id: logged?.id ?? null },
    outcome: status !== null && status >= 200 && status < 300 ? 'done' : 'failed',
  }
}

/** An attempt that is no delivery: the widget hook, or the check of a redirect URI. */
export function sentNode(parent_id: string, logged: Found): TraceNode {
  const { id, at, duration_ms, operation, method, host, path, status, error, integration_id } = logged
  return {
    ...NOTHING,
    ...{ id: `attempt log ${id}`, parent_id, kind: 'attempt', ref: '1', at, duration_ms },
    ...{ name: operation, status, error, integration_id, log_id: id, outcome: outcomeOf(status) },
    address: `${method} ${host}${path}`,
  }
}
