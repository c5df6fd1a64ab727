import { auditCausedIn } from '../accounts/accounts.ts'
import { callsOfRuns, nameOfRun, runsCausedIn } from '../automation/automation.ts'
import type { Db } from '../db/database.ts'
import type { AutomationRunRow } from '../db/tables.ts'
import { eventsCausedIn } from '../events/events.ts'
import { jobsCausedBy, nameOfJob } from '../jobs/jobs.ts'
import { type CausedDelivery, deliveriesCausedIn } from '../outbound/caused-queries.ts'
import { announcementsOf } from '../webhooks/webhooks.ts'
import { type Cause, jobAsCause, type Period, periodsOf, runAsCause } from './causes.ts'
import { announcementNode, auditNode, deliveryNode, eventNode, jobNodeOf, runNode } from './nodes.ts'
import type { Tree } from './tree.ts'

/** Rows of a cause that are shown, and rows of a period that are read. */
const SHOWN = 100
const READ = 1_000
/** The queue turns announcements into deliveries a moment after their transaction, but waits while the server is down. */
const QUEUED_WITHIN_MS = 600_000

interface Reading {
  db: Db
  account_id: number
  /** Unix milliseconds. */
  now: number
  tree: Tree
}

/** Adds the effects of some causes to the tree, and returns those effects that are causes themselves. */
export async function addEffects(reading: Reading, causes: readonly Cause[]): Promise<Cause[]> {
  const next: Cause[] = []
  for (const period of periodsOf(causes)) next.push(...(await addWritten(reading, period)))
  next.push(...(await addJobs(reading, causes)))
  await addWaiting(reading, causes)
  return next
}

/** Adds the rows that were written in a period: events, audit entries, runs, and the deliveries of announcements. */
async function addWritten({ db, account_id, tree }: Reading, { from, to, causes }: Period): Promise<Cause[]> {
  const nodes = new Map(causes.map(({ name, node }) => [name, node]))
  const nodeOf = ({ request_id }: { request_id: string }) => nodes.get(request_id) as string
  const caused = { account_id, names: [...nodes.keys()], from, to }
  const events = await eventsCausedIn(db, caused, SHOWN)
  for (const { name, events: first, count } of events.rows) {
    const parent = nodes.get(name) as string
    for (const event of first) tree.add(eventNode(parent, event))
    tree.leaveOut(parent, 'event', count - first.length)
  }
  const entries = await auditCausedIn(db, caused, READ)
  addSome(tree, 'audit', entries, nodeOf, (row) => auditNode(nodeOf(row), row))
  const runs = await runsCausedIn(db, caused, READ)
  const shown = addSome(tree, 'run', runs.rows, nodeOf, (row) => {
    tree.keepContext(row)
    return runNode(nodeOf(row), row)
  })
  const deliveries = await deliveriesCausedIn(db, { ...caused, to: to + QUEUED_WITHIN_MS }, READ)
  // A call has the cause of its run.
  const announced = deliveries.rows.filter(({ kind }) => kind !== 'automation')
  addDeliveries(tree, announced, nodeOf)
  await addCalls(db, account_id, tree, shown)
  if (events.is_cut || runs.is_cut || deliveries.is_cut || entries.length === READ) tree.cut()
  return shown.map((run) => runAsCause(nameOfRun(run.id), run))
}

/** Adds the first rows of each cause, counts the others, and returns those that were added. */
function addSome<T>(
  tree: Tree,
  kind: Parameters<Tree['leaveOut']>[1],
  rows: readonly T[],
  parentOf: (row: T) => string,
  show: (row: T) => Parameters<Tree['add']>[0],
): T[] {
  return [...Map.groupBy(rows, parentOf)].flatMap(([parent, own]) => {
    const first = own.slice(0, SHOWN)
    for (const row of first) tree.add(show(row))
    tree.leaveOut(parent, kind, own.length - first.length)
    return first
  })
}

/** Adds deliveries with the nodes that caused them. */
export function addDeliveries(
  tree: Tree,
  rows: readonly CausedDelivery[],
  parentOf: (row: CausedDelivery) => string,
): void {
  const fresh = rows.filter(({ id }) => !tree.has(`delivery ${id}`))
  addSome(tree, 'delivery', fresh, parentOf, (row) => {
    tree.keepContext(row)
    return deliveryNode(parentOf(row), row)
  })
}

async function addCalls(
  db: Db,
  account_id: number,
  tree: Tree,
  runs: readonly AutomationRunRow[],
): Promise<void> {
  const calls = runs.filter(({ action }) => action === 'call_url' || action === 'call_widget')
  const rows = await callsOfRuns(
    db,
    account_id,
    calls.map(({ id }) => id),
  )
  addDeliveries(tree, rows, ({ subject }) => `run ${subject}`)
}

/** Jobs that requests started or undid. */
async function addJobs({ db, account_id, now, tree }: Reading, causes: readonly Cause[]): Promise<Cause[]> {
  const nodes = new Map(causes.map(({ name, node }) => [name, node]))
  const jobs = await jobsCausedBy(db, account_id, [...nodes.keys()])
  return jobs.flatMap((job) =>
    [false, true].flatMap((is_undo) => {
      const parent = nodes.get((is_undo ? job.undo_request_id : job.request_id) ?? '')
      if (parent === undefined) return []
      tree.keepContext(job)
      tree.add(jobNodeOf(parent, job, is_undo))
      const name = nameOfJob({ ...job, state: is_undo ? 'undoing' : 'done' })
      return [jobAsCause(name, job, is_undo, now)]
    }),
  )
}

/** Announcements that are no deliveries yet. */
async function addWaiting({ db, account_id, tree }: Reading, causes: readonly Cause[]): Promise<void> {
  const nodes = new Map(causes.map(({ name, node }) => [name, node]))
  for (const row of await announcementsOf(db, account_id, [...nodes.keys()]))
    tree.add(announcementNode(nodes.get(row.request_id) as string, row))
}
