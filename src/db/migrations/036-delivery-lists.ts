import type { Migration } from './migration.ts'

/**
 * The deliveries of an account are listed by kind, and those of a chat channel or a rule by its circuit. Webhooks are the
 * most frequent, and are found by their subject. Few deliveries are pending or have failed at a time.
 */
export const deliveryLists: Migration = {
  name: '036-delivery-lists',
  counted: [],
  isAdditive: true,
  statements: [],
  indexes: [
    'create index deliveries_by_kind on deliveries (account_id, kind, id)',
    `create index deliveries_of_circuit on deliveries (account_id, circuit, id) where kind <> 'webhook'`,
    'create index deliveries_pending on deliveries (account_id, kind, id) where ended_at is null',
    `create index deliveries_failed_of_kind on deliveries (account_id, kind, id) where state = 'failed'`,
  ],
}
