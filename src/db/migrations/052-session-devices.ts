import type { Migration } from './migration.ts'

/** Sessions have the address and the browser in which they began, so that people recognize them. */
export const sessionDevices: Migration = {
  name: '052-session-devices',
  counted: [],
  isAdditive: true,
  statements: [
    `alter table sessions add column address text`,
    `alter table sessions add column user_agent text`,
  ],
}
