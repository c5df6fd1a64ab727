import type { Migration } from './migration.ts'

/**
 * Lists by time of change within a stage or of a person, the trash, and records by their next task. Without these, the
 * database reads all records of the stage or person to sort them.
 */
export const growthIndexes: Migration = {
  name: '040-growth-indexes',
  counted: [],
  isAdditive: true,
  statements: [],
  indexes: [
    `create index leads_by_stage_update on entities (account_id, pipeline_id, status_id, updated_at, id)
      where entity_type = 'leads'`,
    `create index entities_by_responsible_update on entities
      (account_id, entity_type, responsible_user_id, updated_at, id)`,
    `create index entities_in_trash on entities (account_id, entity_type, updated_at, id) where is_deleted = 1`,
    `create index entities_by_next_task on entities
      (account_id, entity_type, closest_task_at, is_deleted, pipeline_id, status_id, price)
      where closest_task_at is not null`,
  ],
}
