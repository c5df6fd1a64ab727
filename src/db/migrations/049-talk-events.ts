import type { Migration } from './migration.ts'

/** The messages of talks about leads, which the events of contacts contain too. */
export const talkEvents: Migration = {
  name: '049-talk-events',
  counted: [],
  isAdditive: true,
  statements: [],
  indexes: [`create index events_by_talk on events (account_id, type, id) where talk_contact_id is not null`],
}
