import type { Migration } from './migration.ts'

/**
 * What a card's timeline is walked by. What happens to a task is told on the card of its record too, and a message that
 * came to a lead on the card of the contact: such an event names that card, and is found by it in the order of time.
 * And what the account's audit log is asked by.
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
