import type { Migration } from './migration.ts'

/**
 * Indexes for the timeline of a card and for filters of the audit log. Events of a task also appear on the card of
 * its record, and messages to a lead on the card of the contact: such an event stores that card.
 */
export const timeline: Migration = {
  name: '010-timeline',
  counted: [],
  statements: [
    `alter table events add column card_id bigint`,
    `update events set card_id = talk_contact_id where talk_contact_id is not null`,
    `update events set card_id = (select tasks.entity_id from tasks
      where tasks.account_id = events.account_id and tasks.id = events.entity_id) where entity_type = 'task'`,
    `create index events_by_card on events (account_id, card_id, id) where card_id is not null`,
    `create index entities_by_merge on entities (account_id, merged_into) where merged_into is not null`,
    `create index audit_log_by_user on audit_log (account_id, user_id, id)`,
    `create index audit_log_by_action on audit_log (account_id, action, id)`,
  ],
}
