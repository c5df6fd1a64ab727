import type { LeadsSorted } from '../context.ts'
import { contactsOfLeads } from '../entities/entities.ts'
import { findWaitingOf, updateIncoming } from './queries.ts'
import { announceIncoming } from './webhook-items.ts'

/** Keeps what happened to incoming leads, whichever request wrote their leads. */
export const leadsSorted: LeadsSorted = async (ctx, tx, by, lead_ids, outcome) => {
  const { account_id } = by
  const rows = await findWaitingOf(tx, account_id, lead_ids)
  if (rows.length === 0) return
  const now = ctx.now()
  if (outcome === 'changed') {
    await updateIncoming(
      tx,
      rows.map(({ uid }) => ({ account_id, uid, updated_at: now })),
    )
    return announceIncoming(ctx, tx, by, 'update_unsorted', rows)
  }
  await updateIncoming(
    tx,
    rows.map(({ uid }) => ({ account_id, uid, state: outcome, sorted_at: now, updated_at: now })),
  )
  const contacts = await contactsOfLeads(
    tx,
    account_id,
    rows.map(({ lead_id }) => lead_id),
  )
  await announceIncoming(ctx, tx, by, 'delete_unsorted', rows, ({ lead_id }, lead) => ({
    action: outcome === 'accepted' ? 'accept' : 'decline',
    // A lead that was merged into another one does not remain.
    leads: [lead?.merged_into ?? lead_id],
    contacts: contacts.get(lead_id) ?? [],
  }))
}
