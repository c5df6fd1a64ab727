import type { Migration } from './migration.ts'

/**
 * The open tasks by deadline. Nearly all tasks of an account that has worked for years are completed, and have earlier deadlines
 * than the open ones.
 */
export const openTasks: Migration = {
  name: '045-open-tasks',
  counted: [],
  isAdditive: true,
  statements: [],
  indexes: [
    `create index tasks_open on tasks (account_id, complete_till, id) where is_completed = 0 and is_deleted = 0`,
  ],
}
