import type { Migration } from './migration.ts'

/**
 * Records, tasks and notes by the integration that created them. The indexes are partial, because people create the others,
 * and the column never changes, so only a new row of an integration pays for them.
 */
export const integrationLists: Migration = {
  name: '043-integration-lists',
  counted: [],
  isAdditive: true,
  statements: [],
  indexes: [
    `create index entities_by_integration on entities (account_id, entity_type, created_by_integration, id)
      where created_by_integration is not null`,
    `create index tasks_by_integration on tasks (account_id, created_by_integration, id)
      where created_by_integration is not null`,
    `create index notes_by_integration on notes (account_id, entity_type, created_by_integration, id)
      where created_by_integration is not null`,
  ],
}
