import { type SqlBool, sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import { forUpdate, forUpdateSkipLocked, isOneOf } from '../db/dialect.ts'
import { prepared } from '../db/prepared.ts'
import { insertMissingRows } from '../db/row-sets.ts'
import type { CircuitRow } from '../db/tables.ts'
import { LONGEST_PROBE_DELAYS } from './backoff.ts'

/** Consecutive failures that open a circuit. */
export const OPENING = 5

/** A circuit that is due: an open one whose next probe can go, or a recovering one. */
export interface DueCircuit {
  name: string
  state: CircuitRow['state']
  /** The paused delivery that goes next; null when none is paused. */
  next: number | null
  /** Its deliveries that are due or in flight, counted up to a limit. */
  busy: number
}

export const selectCircuit = prepared((db, { name }: { name: string }) =>
  db.selectFrom('circuits').selectAll().where('name', '=', name),
)

export function selectCircuits(db: Db, names: readonly string[]): Promise<CircuitRow[]> {
  return db
    .selectFrom('circuits')
    .selectAll()
    .where((eb) => isOneOf(db, eb.ref('name'), names))
    .execute()
}

export async function lockCircuit(tx: Tx, name: string): Promise<CircuitRow | undefined> {
  const circuit = tx.selectFrom('circuits').selectAll().where('name', '=', name)
  return circuit.modifyEnd(forUpdate(tx)).executeTakeFirst()
}

/** Locks the circuits that are in a state, and returns their names. Circuits that others have locked are skipped. */
export async function lockInState(
  tx: Tx,
  names: readonly string[],
  state: CircuitRow['state'],
): Promise<string[]> {
  const rows = await tx
    .selectFrom('circuits')
    .select('name')
    .where((eb) => isOneOf(tx, eb.ref('name'), names))
    .where('state', '=', state)
    .orderBy('name')
    .modifyEnd(forUpdateSkipLocked(tx))
    .execute()
  return rows.map(({ name }) => name)
}

export async function insertCircuit(tx: Tx, circuit: CircuitRow): Promise<void> {
  await insertMissingRows(tx, 'circuits', [circuit])
}

export async function updateCircuit(tx: Tx, { name, ...circuit }: CircuitRow): Promise<void> {
  await tx.updateTable('circuits').set(circuit).where('name', '=', name).execute()
}

/** Pending deliveries by circuit, those in flight included. By deliveries_by_circuit. */
export function countPendingIn(
  db: Db,
  names: readonly string[],
): Promise<{ circuit: string | null; pending: number }[]> {
  return db
    .selectFrom('deliveries')
    .select((eb) => ['circuit', eb.fn.countAll<number>().as('pending')])
    .where('ended_at', 'is', null)
    .where('circuit', 'is not', null)
    .where((eb) => isOneOf(db, eb.ref('circuit'), names))
    .groupBy('circuit')
    .execute()
}

/** The paused delivery with the fewest attempts. The first entry of a range of deliveries_by_circuit. */
const nextPaused = sql<
  number | null
>`(select p.id from deliveries p where p.ended_at is null and p.circuit = c.name
  and p.state = 'paused' order by p.attempts, p.id limit 1)`

/** An open circuit without paused deliveries needs no probe. */
const hasWork = sql<boolean>`(c.state = 'recovering' or ${nextPaused} is not null)`

/**
 * Circuits that are due, those that have waited longest first, without the first `passed` ones. None while everything works.
 * By circuits_due.
 */
export const selectDueCircuits = prepared(
  (db, params: { now: number; soon: number; most: number; passed: number; limit: number }) =>
    db
      .selectFrom('circuits as c')
      .select((eb) => [
        'c.name',
        'c.state',
        nextPaused.as('next'),
        eb
          .selectFrom((from) =>
            from
              .selectFrom('deliveries as b')
              .select('b.id')
              .where('b.ended_at', 'is', null)
              .whereRef('b.circuit', '=', 'c.name')
              .where(sql<SqlBool>`b.state in ('ready', 'in_flight')`)
              .where('b.next_attempt_at', '<=', params.soon)
              .limit(params.most)
              .as('some'),
          )
          .select((count) => count.fn.countAll<number>().as('busy'))
          .$asScalar()
          .$notNull()
          .as('busy'),
      ])
      .where('c.due_at', '<=', params.now)
      .where(hasWork)
      .orderBy('c.due_at')
      .limit(params.limit)
      .offset(params.passed)
      .$castTo<DueCircuit>(),
)

/** When the next circuit is due, in Unix seconds; null when there is none. */
export async function selectNextDueCircuit(db: Db): Promise<number | null> {
  const [row] = await firstDueCircuit(db, {})
  return row?.due_at ?? null
}

const firstDueCircuit = prepared((db) =>
  db
    .selectFrom('circuits as c')
    .select('c.due_at')
    .where('c.due_at', 'is not', null)
    .where(hasWork)
    .orderBy('c.due_at')
    .limit(sql.lit(1)),
)

/** Postpones the next probe of locked circuits that are due, and returns their names. */
export async function postponeProbes(tx: Tx, names: readonly string[], now: number, until: number) {
  const rows = await tx
    .updateTable('circuits')
    .set({ due_at: until })
    .where((eb) => isOneOf(tx, eb.ref('name'), names))
    .where('due_at', '<=', now)
    .returning('name')
    .execute()
  return rows.map(({ name }) => name)
}

/** Makes circuits due whose time is further ahead than the schedule allows: it was stored before the clock was set back. */
export async function hastenLateCircuits(tx: Tx, now: number): Promise<void> {
  const delays = LONGEST_PROBE_DELAYS.map(
    (delay, probes) => sql`when ${sql.lit(OPENING + probes)} then ${sql.lit(delay)}`,
  )
  const longest = sql<number>`case when state = 'recovering' then 0
    else case failures ${sql.join(delays, sql` `)} else ${sql.lit(LONGEST_PROBE_DELAYS.at(-1))} end end`
  const late = tx
    .selectFrom('circuits')
    .select('name')
    .where('due_at', '>', now)
    .where((eb) => eb(eb('due_at', '-', longest), '>', now))
    .modifyEnd(forUpdateSkipLocked(tx))
  await tx.updateTable('circuits').set({ due_at: now }).where('name', 'in', late).execute()
}

/** Closes a recovering circuit that has no more paused deliveries. */
export async function closeRecovered(tx: Tx, name: string): Promise<void> {
  await tx
    .updateTable('circuits as c')
    .set({ state: 'closed', due_at: null })
    .where('c.name', '=', name)
    .where(sql<boolean>`${nextPaused} is null`)
    .execute()
}

/** Deletes circuits without an attempt since `before` and without pending deliveries, and returns how many. */
export async function deleteUnusedCircuits(tx: Tx, before: number): Promise<number> {
  const unused = await tx
    .selectFrom('circuits')
    .select('name')
    .where((eb) => eb(eb.fn.coalesce('last_success_at', sql.lit(0)), '<', before))
    .where((eb) => eb(eb.fn.coalesce('last_failure_at', sql.lit(0)), '<', before))
    .orderBy('name')
    .modifyEnd(forUpdateSkipLocked(tx))
    .execute()
  const names = unused.map(({ name }) => name)
  // Locked before the check: a delivery that is just being paused would lose its circuit.
  const { numDeletedRows } = await tx
    .deleteFrom('circuits')
    .where((eb) => isOneOf(tx, eb.ref('name'), names))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deliveries')
            .select('id')
            .where('ended_at', 'is', null)
            .whereRef('circuit', '=', 'circuits.name'),
        ),
      ),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
