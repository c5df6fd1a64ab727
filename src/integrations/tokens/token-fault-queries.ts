import type { Tx } from '../../db/database.ts'
import { cached } from '../../db/prepared.ts'
import type { TokenFaultRow } from '../../db/tables.ts'

export type FaultKind = TokenFaultRow['kind']

/** The faults of a consent that are armed, also those that have expired; by the primary key. */
export const findFaults = cached((db, at: { grant_id: string }) =>
  db.selectFrom('token_faults').where('grant_id', '=', at.grant_id).select(['kind', 'expires_at', 'arrived']),
)

/** Arms a fault, again if it was armed before. */
export async function putFault(tx: Tx, fault: TokenFaultRow): Promise<void> {
  await tx
    .insertInto('token_faults')
    .values(fault)
    .onConflict((conflict) =>
      conflict.columns(['grant_id', 'kind']).doUpdateSet({ expires_at: fault.expires_at, arrived: 0 }),
    )
    .execute()
}

/** Takes a fault away. Of several concurrent calls, one returns true. */
export async function takeFault(tx: Tx, grant_id: string, kind: FaultKind, now: number): Promise<boolean> {
  const taken = await tx
    .deleteFrom('token_faults')
    .where('grant_id', '=', grant_id)
    .where('kind', '=', kind)
    .returning('expires_at')
    .execute()
  return taken.some(({ expires_at }) => expires_at > now)
}

/** Counts a refresh that arrives at a race: its number, or undefined if there is no race or it is complete. */
export async function arriveAtRace(
  tx: Tx,
  grant_id: string,
  { now, runners }: { now: number; runners: number },
): Promise<number | undefined> {
  const [row] = await tx
    .updateTable('token_faults')
    .set((eb) => ({ arrived: eb('arrived', '+', 1) }))
    .where('grant_id', '=', grant_id)
    .where('kind', '=', 'race')
    .where('expires_at', '>', now)
    .where('arrived', '<', runners)
    .returning('arrived')
    .execute()
  return row?.arrived
}

export async function deleteOldFaults(tx: Tx, before: number): Promise<void> {
  await tx.deleteFrom('token_faults').where('expires_at', '<', before).execute()
}
