import type { NamesOfIntegrations } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { recordNames } from '../entities/entities.ts'
import { attemptsOf, type CausedDelivery, deliveriesWithIds } from '../outbound/caused-queries.ts'
import { type Found, readExchanges, requestLogOf, searchRequests, WHOLE } from '../request-log/request-log.ts'
import { traceIdOf } from '../tracing/request-ids.ts'
import { contextOf, readTraceContext } from '../tracing/trace-context.ts'
import { type Cause, firstCause, nodeOf, noTrace, requestAsCause } from './causes.ts'
import { addDeliveries, addEffects } from './effects.ts'
import { attemptNode, requestNode, sentNode } from './nodes.ts'
import type { Trace, TraceNode } from './schemas.ts'
import { Tree } from './tree.ts'

/** Runs cause runs, but not more than LONGEST_CHAIN one after the other. */
const MOST_LEVELS = 25
/** Attempts of one trace that are looked up in the request log. */
const MOST_LOGGED = 1_000

/**
 * The trace of a request of the account: what it wrote, what was sent, and what that caused. `asked` is its id, or the
 * name of a run or a job that it caused. Without a row in the request log, the time in the id finds its effects. Throws
 * Refusal('not_found').
 */
export async function readTrace(
  ctx: Context,
  account_id: number,
  asked: string,
  namesOf: NamesOfIntegrations,
): Promise<Trace> {
  const { db } = ctx
  const log = requestLogOf(ctx)
  await log.flush()
  const request_id = await firstCause(db, account_id, asked)
  const only = { request_id, direction: 'in' }
  const [logged = null] = await searchRequests(log.store, account_id, only, WHOLE, 1)
  const tree = new Tree()
  tree.add(requestNode(request_id, logged))
  const names = await grow(ctx, account_id, tree, requestAsCause(request_id, logged))
  await addAttempts(ctx, account_id, tree, names)
  if (tree.size === 1 && !logged) throw noTrace()
  const { nodes, ...counted } = tree.finished()
  const node = nodeOf(asked)
  return {
    request_id,
    trace_id: await traceOf(ctx, account_id, tree, { request_id, logged }),
    asked: asked !== request_id && tree.has(node) ? node : null,
    is_logged: logged !== null,
    nodes: await named(ctx, account_id, nodes, namesOf),
    ...counted,
  }
}

/** Adds the effects of a cause, and the effects of these. Returns the names of all causes. */
async function grow(ctx: Context, account_id: number, tree: Tree, first: Cause): Promise<Set<string>> {
  const reading = { db: ctx.db, account_id, now: ctx.clock(), tree }
  const names = new Set<string>()
  let causes = [first]
  for (let level = 0; causes.length > 0 && level < MOST_LEVELS && !tree.isFull; level++) {
    for (const { name } of causes) names.add(name)
    causes = (await addEffects(reading, causes)).filter(({ name }) => !names.has(name))
  }
  if (causes.length > 0) tree.cut()
  return names
}

/** Adds the attempts of all deliveries, and with the request log those that are no deliveries. */
async function addAttempts(
  ctx: Context,
  account_id: number,
  tree: Tree,
  names: ReadonlySet<string>,
): Promise<void> {
  const only = { request_ids: names, direction: 'out' }
  const sent = await searchRequests(requestLogOf(ctx).store, account_id, only, WHOLE, MOST_LOGGED)
  await addLater(ctx, account_id, tree, sent)
  const logged = new Map(sent.map((one) => [`${one.delivery_id}.${one.attempt}`, one]))
  const ids = tree.of('delivery').map(({ ref }) => Number(ref))
  for (const attempt of await attemptsOf(ctx.db, account_id, ids))
    tree.add(attemptNode(attempt, logged.get(`${attempt.delivery_id}.${attempt.attempt}`)))
  for (const one of sent) if (one.delivery_id === undefined) tree.add(sentNode(nodeOf(one.request_id), one))
}

/** Deliveries that were queued later, for example sent again by a person. The request log knows them. */
async function addLater(
  { db }: Context,
  account_id: number,
  tree: Tree,
  sent: readonly Found[],
): Promise<void> {
  const ids = sent.flatMap(({ delivery_id }) => delivery_id ?? [])
  const unknown = [...new Set(ids)].filter((id) => !tree.has(`delivery ${id}`))
  const parentOf = ({ kind, subject, request_id }: CausedDelivery) =>
    kind === 'automation' ? `run ${subject}` : nodeOf(request_id)
  const rows = await deliveriesWithIds(db, account_id, unknown)
  addDeliveries(
    tree,
    rows.filter((row) => tree.has(parentOf(row))),
    parentOf,
  )
}

interface Root {
  request_id: string
  logged: Found | null
}

/** The trace that receivers saw: that of the caller, or the one that follows from the id. */
async function traceOf(
  ctx: Context,
  account_id: number,
  tree: Tree,
  { request_id, logged }: Root,
): Promise<string | null> {
  const stored = contextOf({ request_id, trace_context: tree.trace_context }, null)
  if (tree.trace_context !== null && stored) return stored.trace_id
  const { store } = requestLogOf(ctx)
  const [exchange] = logged ? await readExchanges(store, account_id, [logged.id]) : []
  const { traceparent, tracestate } = exchange?.messages.request.headers ?? {}
  return readTraceContext(traceparent, tracestate)?.trace_id ?? traceIdOf(request_id)
}

/** Adds the names of records, and names integrations as the account does (A18). */
async function named(
  ctx: Context,
  account_id: number,
  nodes: readonly TraceNode[],
  namesOf: NamesOfIntegrations,
): Promise<TraceNode[]> {
  const records = nodes.flatMap(({ record }) => record ?? [])
  const kinds = await Promise.all(
    [...Map.groupBy(records, ({ entity_type }) => entity_type)].map(async ([kind, own]) => {
      const ids = [...new Set(own.map(({ id }) => id))]
      return [kind, await recordNames(ctx.db, account_id, kind, ids)] as const
    }),
  )
  const names = new Map(kinds)
  const ids = [...new Set(nodes.flatMap(({ integration_id }) => integration_id ?? []))]
  const nameOf = await namesOf(ctx, account_id, ids)
  return nodes.map((node) => {
    const { record, integration_id } = node
    const name = record && (names.get(record.entity_type)?.get(record.id) ?? null)
    return {
      ...node,
      record: record && { ...record, name },
      integration_id: integration_id && nameOf(integration_id),
    }
  })
}
