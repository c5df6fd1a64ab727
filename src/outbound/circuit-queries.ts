import { type ExpressionBuilder, sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import { forUpdate, forUpdateSkipLocked, isOneOf } from '../db/dialect.ts'
import { prepared } from '../db/prepared.ts'
import { insertMissingRows } from '../db/row-sets.ts'
import type { CircuitRow, DeliveryRow, Tables } from '../db/tables.ts'
import { type Due, OPENING } from './lease-queries.ts'
import { LONGEST_PROBE_WAITS } from './schedule.ts'

/**
 * `next_attempt_at` of what waits for its circuit: this and the tries that it has made, so that by deliveries_by_circuit
 * those come first that have tried least, and of them the oldest. It lies before PARKED, and is due as little.
 */
const HELD = 9_000_000_000
/** The last of them: nobody has more tries. */
const LAST_HELD = HELD + 99
export const WAITING: Due = [HELD, LAST_HELD]

const PENDING = sql.lit('pending')
const held = (eb: ExpressionBuilder<Tables, 'deliveries'>) =>
  eb.between('deliveries.next_attempt_at', sql.lit(HELD), sql.lit(LAST_HELD))

/** One that is due: its next probe may go, or it is closed and still holds deliveries. */
export interface DueCircuit {
  name: string
  failures: number
  /** The delivery that waits longest for it; null when none does. */
  first: number | null
  /** Its deliveries that are due or under way, counted up to a limit. */
  busy: number
}

export const selectCircuit = prepared((db, { name }: { name: string }) =>
  db.selectFrom('circuits').selectAll().where('name', '=', name),
)

export async function lockCircuit(tx: Tx, name: string): Promise<CircuitRow | undefined> {
  const circuit = tx.selectFrom('circuits').selectAll().where('name', '=', name)
  return circuit.modifyEnd(forUpdate(tx)).executeTakeFirst()
}

export async function insertCircuit(tx: Tx, circuit: CircuitRow): Promise<void> {
  await insertMissingRows(tx, 'circuits', [circuit])
}

export async function updateCircuit(tx: Tx, { name, ...circuit }: CircuitRow): Promise<void> {
  await tx.updateTable('circuits').set(circuit).where('name', '=', name).execute()
}

export function selectCircuits(db: Db, names: readonly string[]): Promise<CircuitRow[]> {
  return db
    .selectFrom('circuits')
    .selectAll()
    .where((eb) => isOneOf(db, eb.ref('name'), names))
    .execute()
}

export function countWaiting(
  db: Db,
  names: readonly string[],
): Promise<{ circuit: string | null; waiting: number }[]> {
  return db
    .selectFrom('deliveries')
    .select((eb) => ['circuit', eb.fn.countAll<number>().as('waiting')])
    .where('state', '=', PENDING)
    .where('circuit', 'is not', null)
    .where((eb) => isOneOf(db, eb.ref('circuit'), names))
    .groupBy('circuit')
    .execute()
}

/** Open circuits whose next probe may go, and closed ones that still hold deliveries. Nothing, while all is well. */
export const selectDueCircuits = prepared(
  (db, params: { now: number; soon: number; most: number; limit: number }) =>
    db
      .selectFrom('circuits as c')
      .select((eb) => [
        'c.name',
        'c.failures',
        firstHeld().as('first'),
        eb
          .selectFrom((from) =>
            from
              .selectFrom('deliveries as b')
              .select('b.id')
              .where('b.state', '=', PENDING)
              .whereRef('b.circuit', '=', 'c.name')
              .where('b.next_attempt_at', '<=', params.soon)
              .limit(params.most)
              .as('some'),
          )
          .select((count) => count.fn.countAll<number>().as('busy'))
          .$asScalar()
          .$notNull()
          .as('busy'),
      ])
      .where('c.opens_at', 'is not', null)
      .where('c.opens_at', '<=', params.now)
      .where(somebodyWaits)
      .orderBy('c.opens_at')
      .limit(params.limit)
      .$castTo<DueCircuit>(),
)

const firstHeld = () => sql<
  number | null
>`(select h.id from deliveries h where h.state = ${PENDING} and h.circuit = c.name
    and h.next_attempt_at between ${sql.lit(HELD)} and ${sql.lit(LAST_HELD)} order by h.next_attempt_at, h.id limit 1)`

/** An open circuit that nobody waits for is left alone, however long ago its probe was due. */
const somebodyWaits = sql<boolean>`(c.failures < ${sql.lit(OPENING)} or ${firstHeld()} is not null)`

/** When a delivery and when a circuit is due next, in Unix seconds; null when none is. */
export async function nextTimes(db: Db): Promise<{ delivery: number | null; circuit: number | null }> {
  const [times] = await selectNext(db, {})
  return times ?? { delivery: null, circuit: null }
}

/** The first entry of deliveries_due, and of circuits. */
const selectNext = prepared((db) =>
  db.selectNoFrom((eb) => [
    eb
      .selectFrom('deliveries')
      .select('next_attempt_at')
      .where('state', '=', PENDING)
      .orderBy('next_attempt_at')
      .limit(sql.lit(1))
      .as('delivery'),
    eb
      .selectFrom('circuits as c')
      .select('c.opens_at')
      .where('c.opens_at', 'is not', null)
      .where(somebodyWaits)
      .orderBy('c.opens_at')
      .limit(sql.lit(1))
      .as('circuit'),
  ]),
)

/** Locks those of the circuits that are open, or are not any more, and answers which; what others have is passed over. */
async function lockThose(tx: Tx, names: readonly string[], open: boolean): Promise<string[]> {
  const rows = await tx
    .selectFrom('circuits')
    .select('name')
    .where((eb) => isOneOf(tx, eb.ref('name'), names))
    .where('failures', open ? '>=' : '<', OPENING)
    .where('opens_at', 'is not', null)
    .orderBy('name')
    .modifyEnd(forUpdateSkipLocked(tx))
    .execute()
  return rows.map(({ name }) => name)
}

/** Has deliveries that are due wait for their circuits, and answers how many; not of a circuit that is just closing. */
export async function hold(
  tx: Tx,
  due: readonly Pick<DeliveryRow, 'id' | 'circuit'>[],
  now: number,
): Promise<number> {
  // The lock decides the race with the closing: after us it finds what we held.
  const open = new Set(await lockThose(tx, [...new Set(due.flatMap(({ circuit }) => circuit ?? []))], true))
  const ids = due.filter(({ circuit }) => circuit !== null && open.has(circuit)).map(({ id }) => id)
  const free = tx
    .selectFrom('deliveries')
    .select('id')
    .where((eb) => isOneOf(tx, eb.ref('id'), ids))
    .where('state', '=', PENDING)
    .where('next_attempt_at', '<=', now)
    .orderBy('id')
    .modifyEnd(forUpdateSkipLocked(tx))
  return setHeld(tx, ids.length > 0 ? (await free.execute()).map(({ id }) => id) : [])
}

/** What failed while its circuit was open waits for its own next try, for hours perhaps: from now on with the others. */
export async function holdLate(tx: Tx, name: string, after: number): Promise<void> {
  const late = await tx
    .selectFrom('deliveries')
    .select('id')
    .where('state', '=', PENDING)
    .where('circuit', '=', name)
    .where('next_attempt_at', '>', after)
    .where('next_attempt_at', '<', sql.lit(HELD))
    .where('leased_until', 'is', null)
    .orderBy('id')
    .modifyEnd(forUpdateSkipLocked(tx))
    .execute()
  await setHeld(
    tx,
    late.map(({ id }) => id),
  )
}

async function setHeld(tx: Tx, ids: number[]): Promise<number> {
  if (ids.length === 0) return 0
  const { numUpdatedRows } = await tx
    .updateTable('deliveries')
    .set((eb) => ({ next_attempt_at: eb('attempts', '+', sql.lit(HELD)), leased_until: null }))
    .where((eb) => isOneOf(tx, eb.ref('id'), ids))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/**
 * Takes the next probe of open circuits that are due, and answers of which: no other is sent before `until`, be it that
 * this process dies with it.
 */
export async function takeProbes(tx: Tx, names: readonly string[], now: number, until: number) {
  const due = await lockThose(tx, names, true)
  if (due.length === 0) return []
  const rows = await tx
    .updateTable('circuits')
    .set({ opens_at: until })
    .where((eb) => isOneOf(tx, eb.ref('name'), due))
    .where('opens_at', '<=', now)
    .returning('name')
    .execute()
  return rows.map(({ name }) => name)
}

/** The times of circuits that lie further ahead than they may, see clock-steps.ts. */
export async function hastenCircuits(tx: Tx, now: number): Promise<void> {
  const waits = LONGEST_PROBE_WAITS.map(
    (wait, probes) => sql`when ${sql.lit(OPENING + probes)} then ${sql.lit(wait)}`,
  )
  const wait = sql<number>`case when failures < ${sql.lit(OPENING)} then 0
    else case failures ${sql.join(waits, sql` `)} else ${sql.lit(LONGEST_PROBE_WAITS.at(-1))} end end`
  const late = await tx
    .selectFrom('circuits')
    .select('name')
    .where('opens_at', '>', now)
    .where((eb) => eb(eb('opens_at', '-', wait), '>', now))
    .orderBy('name')
    .modifyEnd(forUpdateSkipLocked(tx))
    .execute()
  if (late.length === 0) return
  const names = late.map(({ name }) => name)
  await tx
    .updateTable('circuits')
    .set({ opens_at: now })
    .where((eb) => isOneOf(tx, eb.ref('name'), names))
    .execute()
}

/** Makes the first of those due that a closed circuit still holds, and answers how many; with none left it is done. */
export async function letGo(tx: Tx, name: string, now: number, most: number): Promise<number> {
  if ((await lockThose(tx, [name], false)).length === 0) return 0
  const rows = await tx
    .selectFrom('deliveries')
    .select('id')
    .where('state', '=', PENDING)
    .where('circuit', '=', name)
    .where(held)
    .orderBy('next_attempt_at')
    .orderBy('id')
    .limit(most)
    .modifyEnd(forUpdateSkipLocked(tx))
    .execute()
  if (rows.length === 0) await endClosing(tx, name)
  else
    await tx
      .updateTable('deliveries')
      .set({ next_attempt_at: now })
      .where((eb) =>
        isOneOf(
          tx,
          eb.ref('id'),
          rows.map(({ id }) => id),
        ),
      )
      .execute()
  return rows.length
}

async function endClosing(tx: Tx, name: string): Promise<void> {
  await tx
    .updateTable('circuits')
    .set({ opens_at: null })
    .where('name', '=', name)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deliveries')
            .select('id')
            .where('state', '=', PENDING)
            .whereRef('circuit', '=', 'circuits.name')
            .where(held),
        ),
      ),
    )
    .execute()
}

/** The owners' keys of what is pending in a circuit, locking nothing. */
export function selectPending(
  db: Db,
  { circuit, account_id }: { circuit: string; account_id?: number },
): Promise<Pick<DeliveryRow, 'account_id' | 'kind' | 'subject'>[]> {
  return db
    .selectFrom('deliveries')
    .select(['account_id', 'kind', 'subject'])
    .where('state', '=', PENDING)
    .where('circuit', '=', circuit)
    .$if(account_id !== undefined, (query) => query.where('account_id', '=', account_id as number))
    .execute()
}

/** Ends the pending deliveries of a circuit as failed. */
export async function cancel(
  tx: Tx,
  { circuit, account_id }: { circuit: string; account_id?: number },
  now: number,
): Promise<Pick<DeliveryRow, 'account_id' | 'kind' | 'subject' | 'id'>[]> {
  const pending = await tx
    .selectFrom('deliveries')
    .select(['id', 'account_id', 'kind', 'subject'])
    .where('state', '=', PENDING)
    .where('circuit', '=', circuit)
    .$if(account_id !== undefined, (query) => query.where('account_id', '=', account_id as number))
    .orderBy('id')
    .modifyEnd(forUpdate(tx))
    .execute()
  if (pending.length === 0) return []
  await tx
    .updateTable('deliveries')
    .set({ state: 'failed', leased_until: null, next_attempt_at: now, ended_at: now })
    .where((eb) =>
      isOneOf(
        tx,
        eb.ref('id'),
        pending.map(({ id }) => id),
      ),
    )
    .execute()
  return pending
}

/** Deletes circuits that nothing was tried of since a time, and that nothing waits for. */
export async function deleteUnused(tx: Tx, before: number): Promise<number> {
  const old = await tx
    .selectFrom('circuits')
    .select('name')
    .where((eb) => eb(eb.fn.coalesce('last_success_at', sql.lit(0)), '<', before))
    .where((eb) => eb(eb.fn.coalesce('last_failure_at', sql.lit(0)), '<', before))
    .orderBy('name')
    .modifyEnd(forUpdateSkipLocked(tx))
    .execute()
  // Locked first: what is held just now would else be left without its circuit.
  const { numDeletedRows } = await tx
    .deleteFrom('circuits')
    .where((eb) =>
      isOneOf(
        tx,
        eb.ref('name'),
        old.map(({ name }) => name),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deliveries')
            .select('id')
            .where('state', '=', PENDING)
            .whereRef('circuit', '=', 'circuits.name'),
        ),
      ),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
