import type { Migration } from './migration.ts'

/**
 * The due deliveries of each account to each endpoint, and the announcements of each account. The indexes are not built later,
 * because without them a worker would read all rows to find whose turn it is. The index of all due deliveries only has their
 * times now.
 */
export const deliveryTurns: Migration = {
  name: '048-delivery-turns',
  counted: [],
  isAdditive: true,
  statements: [
    'drop index deliveries_due',
    `create index deliveries_due on deliveries (next_attempt_at) where state in ('ready', 'in_flight')`,
    'create index webhook_announcements_by_account on webhook_announcements (account_id, id)',
    `create index deliveries_by_receiver on deliveries (account_id, endpoint, next_attempt_at, id)
      where state in ('ready', 'in_flight')`,
  ],
}
