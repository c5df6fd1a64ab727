import type { Migration } from './migration.ts'

/** Filters by author and type are answered from one index. */
export const creatorIndex: Migration = {
  name: '031-creator-index',
  counted: [],
  statements: [`drop index events_by_creator`],
  indexes: [`create index events_by_creator on events (account_id, created_by, id, type)`],
}
