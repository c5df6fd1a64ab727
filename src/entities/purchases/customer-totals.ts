import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import type { EntityRow } from '../../db/tables.ts'
import type { Access } from '../records/access.ts'
import { requireRecords } from '../records/records.ts'
import type { WorkingCopy } from '../records/working-copy.ts'
import { loadCopies } from '../saving/load-copies.ts'
import { loadReferences, type References } from '../saving/references.ts'
import { saveCopies } from '../saving/save.ts'
import { announceRecords } from '../saving/webhook-changes.ts'

/** A locked customer whose totals are changed; concurrent changes wait for each other. */
export interface LockedCustomer {
  /** Changed in place by the caller. */
  customer: EntityRow
  references: References
  /** Saves and records the differences. */
  save(): Promise<void>
}

/** Locks the customer of an address for an actor with the right to edit; otherwise refuses like every write (R6). */
export async function lockCustomer(
  ctx: Context,
  tx: Tx,
  access: Access,
  customer_id: number,
): Promise<LockedCustomer> {
  const { actor } = access
  const named = { entity_type: 'customers' as const, id: customer_id, request_id: '0', path: 'id' }
  const rows = await requireRecords(tx, access, 'edit', [named], 'path')
  const references = await loadReferences(tx, actor.account_id, 'customers', [])
  const copies = await loadCopies(tx, actor.account_id, references, rows)
  const copy = copies.get(customer_id) as WorkingCopy
  return {
    customer: copy.row,
    references,
    save: async () => {
      const saved = await saveCopies(ctx, tx, actor, references, [copy])
      await announceRecords(ctx, tx, actor, references, saved)
    },
  }
}
