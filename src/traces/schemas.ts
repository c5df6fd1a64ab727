import { type Static, type TSchema, Type } from 'typebox'

const Nullable = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })

/** The kinds of nodes: what happened, from the request down to the attempts. */
const nodeKinds = ['request', 'event', 'audit', 'job', 'run', 'announcement', 'delivery', 'attempt'] as const
export type NodeKind = (typeof nodeKinds)[number]

export const outcomes = ['done', 'waiting', 'skipped', 'failed'] as const

/** One thing that happened, and the node that caused it. */
export const TraceNode = Type.Object(
  {
    id: Type.String({ description: 'The kind and the id of the thing, unique in the trace.' }),
    parent_id: Nullable(Type.String(), 'The node that caused it; null for the first one.'),
    kind: Type.Enum([...nodeKinds]),
    ref: Type.String({ description: 'The id of the event, the delivery, the run and so on.' }),
    at: Type.Integer({ description: 'When it began, in milliseconds.' }),
    is_exact: Type.Boolean({ description: 'false: `at` is known to the second only.' }),
    duration_ms: Nullable(Type.Integer()),
    outcome: Type.Enum([...outcomes]),
    state: Nullable(Type.String(), 'The state of a delivery, a run or a job.'),
    name: Type.String({
      description:
        'The operation of a request, the type of an event, the action of an audit entry or a run, or the kind of a ' +
        'delivery or a job; empty if it has none.',
    }),
    address: Nullable(Type.String(), 'Method and address of a request or an attempt, without the query.'),
    status: Nullable(Type.Integer(), 'The status of the answer.'),
    error: Nullable(Type.String(), 'Why it failed, or why there was no answer.'),
    record: Nullable(
      Type.Object({
        entity_type: Type.String(),
        id: Type.Integer(),
        name: Nullable(Type.String()),
      }),
      'The record that it is about.',
    ),
    user_id: Nullable(Type.Integer(), 'Who did it; 0 is the server.'),
    integration_id: Nullable(Type.String()),
    subject: Nullable(
      Type.String(),
      'Of a delivery: the webhook, the message, the run or the integration. Of a run: the pipeline.',
    ),
    log_id: Nullable(Type.Integer(), 'The row of the request log.'),
    rows: Nullable(
      Type.Object({
        total: Type.Integer({ description: 'All rows.' }),
        done: Type.Integer({ description: 'Those that were processed.' }),
        failed: Type.Integer({ description: 'Those that were refused.' }),
      }),
      'The rows of a job.',
    ),
  },
  { title: 'TraceNode' },
)
export type TraceNode = Static<typeof TraceNode>

export const Trace = Type.Object(
  {
    request_id: Type.String({ description: 'The request that caused everything else.' }),
    trace_id: Nullable(Type.String(), 'The trace of W3C Trace Context, as receivers got it.'),
    asked: Nullable(Type.String(), 'The node that was asked for, if it is not the first one.'),
    is_logged: Type.Boolean({ description: 'Whether the request log has the request.' }),
    nodes: Type.Array(TraceNode, { description: 'Each node follows the node that caused it.' }),
    left_out: Type.Array(
      Type.Object({
        parent_id: Type.String(),
        kind: Type.Enum([...nodeKinds]),
        count: Type.Integer({ description: 'How many there are.' }),
      }),
      { description: 'How many more nodes of a kind a node has caused.' },
    ),
    is_cut: Type.Boolean({
      description: 'Not everything could be read, so more can have happened than is counted.',
    }),
  },
  { title: 'Trace' },
)
export type Trace = Static<typeof Trace>

const RequestId = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[^\\u0000]*$',
  description: 'The `X-Request-Id`, or what stands in its place: `automation 12`, `import 3`.',
})
export const OfRequest = Type.Object({ request_id: RequestId })

export const AccountQuery = Type.Object({
  account: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[^\\u0000]*$',
      description: 'The subdomain of the account, if the host does not name it.',
    }),
  ),
})
